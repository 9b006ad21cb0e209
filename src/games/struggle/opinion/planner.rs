//! The planning policy: does what makes its position worth the most, as `worth` and `outlook` see it.

use crate::core::game::Game;
use crate::core::opinion::{Describe, Judge, Policy, Rate, first_best, shares_by};
use crate::core::resources::Resources;
use crate::core::types::actions::{ACTIONS_CAP, Actions};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::observe::View;
use crate::games::struggle::opinion::evaluation::Evaluation;
use crate::games::struggle::opinion::inputs::{self, NET};
use crate::games::struggle::opinion::outlook::{KnownReady, Outlook, without};
use crate::games::struggle::opinion::prospects::{KnownProspects, two_tables};
use crate::games::struggle::opinion::weights::{Features, Weights};
use crate::games::struggle::opinion::worth::Situation;
use crate::games::struggle::state::{Phase, State};
use rand_pcg::Pcg32;
use std::sync::LazyLock;

/// Plans by these weights.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    known: KnownProspects,
    /// What may be built after the action that is rated.
    after: KnownProspects,
    ready: KnownReady,
    ratings: Vec<f32>,
}

impl Planner {
    /// A planner with these weights.
    pub fn new(weights: Weights) -> Planner {
        let [known, after] = two_tables();
        Planner {
            weights,
            known,
            after,
            ready: KnownReady::default(),
            ratings: Vec::with_capacity(ACTIONS_CAP),
        }
    }

    /// All features of a seat in a full position.
    pub fn features(&mut self, game: &Struggle, state: &State, seat: Seat) -> Features {
        let table = &state.table;
        let situation = Situation { game, weights: &self.weights, table, seat };
        let mut features = situation.board();
        let rivals = [1.0 / f32::from(game.players() - 1); SEATS_MAX];
        let hand = state.hands[seat.idx()];
        let outlook = Outlook::new(&situation, hand, &rivals, (&mut self.known, &self.ready));
        let drawn = matches!(table.phase, Phase::Extra(_));
        let trades = (seat == table.current && !drawn)
            .then(|| if table.so_far.building { 0 } else { table.trades_left() });
        outlook.hand(kept(state, seat, hand), trades, &mut features);
        features
    }
}

impl Planner {
    /// The features of all seats.
    fn all_features(&mut self, game: &Struggle, state: &State) -> PerSeat<Features> {
        let mut all = [Features::default(); SEATS_MAX];
        for seat in Seat::all(game.players()) {
            all[seat.idx()] = self.features(game, state, seat);
        }
        all
    }
}

impl Describe<Struggle> for Planner {
    fn describe(&mut self, game: &Struggle, state: &State, mut tell: impl FnMut(Seat, &[f32])) {
        let features = self.all_features(game, state);
        let all = inputs::all(game, &self.weights, state, &features);
        for seat in Seat::all(game.players()) {
            tell(seat, &all[seat.idx()]);
        }
    }
}

/// What a seat keeps of its hand, if it must give up some of it.
fn kept(state: &State, seat: Seat, hand: Resources) -> Resources {
    let table = &state.table;
    match table.phase {
        // What the stack gives for its cards is as good as they are.
        Phase::Return(left) if seat == table.current && table.lot.with != Partner::Stack => {
            without(hand, left)
        }
        Phase::Discard { seat: other, owed } if other == seat => without(hand, owed),
        _ => hand,
    }
}

impl Policy<Struggle> for Planner {
    fn choose(
        &mut self,
        game: &Struggle,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        let mut ratings = std::mem::take(&mut self.ratings);
        self.rate(game, view, legal, &mut ratings);
        let best = first_best(&ratings);
        self.ratings = ratings;
        best
    }
}

impl Rate<Struggle> for Planner {
    fn rate(&mut self, game: &Struggle, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        Evaluation::new(game, &self.weights, view, (&mut self.known, &self.ready)).rate(
            legal,
            &mut self.after,
            out,
        );
    }

    fn fog(&self) -> f32 {
        self.weights.fog
    }
}

impl Judge<Struggle> for Planner {
    fn net_win_probabilities(&mut self, game: &Struggle, state: &State) -> PerSeat<f32> {
        self.by_net(&NET, game, state)
    }

    fn read_net(&self) {
        LazyLock::force(&NET);
    }

    fn win_probabilities(&mut self, game: &Struggle, state: &State) -> PerSeat<f32> {
        shares_by(game.players(), self.weights.fog, |seat| {
            let features = self.features(game, state, seat);
            self.weights.worth(&features)
        })
    }
}
