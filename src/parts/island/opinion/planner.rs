//! The planning policy: does what makes its position worth the most, as `worth` sees it, trades included.

use crate::core::game::Game;
use crate::core::opinion::{Describe, Judge, Policy, Rate, shares_by};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::observe::View;
use crate::parts::island::opinion::evaluation::Evaluation;
use crate::parts::island::opinion::inputs::{self, NET};
use crate::parts::island::opinion::standing::Standings;
use crate::parts::island::opinion::talk::Talk;
use crate::parts::island::opinion::weights::{Features, Weights};
use crate::parts::island::state::State;
use rand_pcg::Pcg32;
use std::sync::LazyLock;

/// Plans by these weights.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    standings: Standings,
}

impl Planner {
    /// A planner with these weights.
    pub fn new(weights: Weights) -> Planner {
        Planner { weights, standings: Standings::default() }
    }

    /// All features of a seat in a full position.
    pub fn features(&mut self, game: &Island, state: &State, seat: Seat) -> Features {
        self.standings.on(&state.table.board);
        self.standings.features(game, &self.weights, state, seat).0
    }
}

impl Describe<Island> for Planner {
    fn describe(&mut self, game: &Island, state: &State, mut tell: impl FnMut(Seat, &[f32])) {
        self.standings.on(&state.table.board);
        let all = inputs::all(game, &self.weights, &mut self.standings, state);
        for seat in Seat::all(game.players()) {
            tell(seat, &all[seat.idx()]);
        }
    }
}

impl Policy<Island> for Planner {
    fn choose(
        &mut self,
        game: &Island,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        self.standings.on(&view.table.board);
        let mut evaluation = Evaluation::new(game, &self.weights, &mut self.standings, view);
        let talk = Talk::of(game, view, legal, Some);
        let of_talk = evaluation.seek(talk.places());
        talk.best(talk.others().map(|action| evaluation.rate(action)), of_talk)
    }
}

impl Rate<Island> for Planner {
    fn rate(&mut self, game: &Island, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        self.standings.on(&view.table.board);
        let mut evaluation = Evaluation::new(game, &self.weights, &mut self.standings, view);
        out.clear();
        out.extend(legal.iter().map(|&action| evaluation.rate(action)));
    }

    fn fog(&self) -> f32 {
        self.weights.fog
    }
}

impl Judge<Island> for Planner {
    fn net_win_probabilities(&mut self, game: &Island, state: &State) -> PerSeat<f32> {
        self.by_net(&NET, game, state)
    }

    fn read_net(&self) {
        LazyLock::force(&NET);
    }

    fn win_probabilities(&mut self, game: &Island, state: &State) -> PerSeat<f32> {
        self.standings.on(&state.table.board);
        let Planner { weights, standings } = self;
        shares_by(game.players(), weights.fog, |seat| {
            weights.worth(&standings.features(game, weights, state, seat).0)
        })
    }
}
