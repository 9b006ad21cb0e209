//! The planning policy: does what makes its position worth the most, as `worth` sees it, trades included.

use crate::core::game::{ActionFilter, Game};
use crate::core::opinion::{Judge, Policy, Rate, first_best, shares};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::observe::View;
use crate::parts::island::opinion::evaluation::Evaluation;
use crate::parts::island::opinion::inputs::{self, Inputs, NET};
use crate::parts::island::opinion::known::Known;
use crate::parts::island::opinion::weights::{Features, Weights};
use crate::parts::island::opinion::worth;
use crate::parts::island::state::State;
use rand_pcg::Pcg32;
use std::sync::LazyLock;

/// Plans by these weights.
#[derive(Debug, Clone)]
pub struct Planner {
    weights: Weights,
    known: Known,
}

impl Planner {
    /// A planner with these weights.
    pub fn new(weights: Weights) -> Planner {
        // Read before the first match, which is to allocate nothing.
        LazyLock::force(&NET);
        Planner { weights, known: Known::default() }
    }

    /// All features of a seat in a full position.
    pub fn features(&mut self, game: &Island, state: &State, seat: Seat) -> Features {
        self.known.on(&state.table.board);
        worth::features(game, &self.weights, &mut self.known, state, seat)
    }
}

impl Planner {
    /// Appends what the net is told of each seat: see [`NetLesson`](crate::core::opinion::NetLesson).
    pub fn inputs(&mut self, game: &Island, state: &State, out: &mut Vec<f32>) {
        self.known.on(&state.table.board);
        let all = inputs::inputs(game, &self.weights, &mut self.known, state);
        out.extend(all[..usize::from(game.players())].iter().flat_map(Inputs::scaled));
    }
}

impl Policy<Island> for Planner {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Full
    }

    fn choose(
        &mut self,
        game: &Island,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        self.known.on(&view.table.board);
        let mut evaluation = Evaluation::new(game, &self.weights, &mut self.known, view);
        first_best(legal.iter().map(|&action| evaluation.rate(action)))
    }
}

impl Rate<Island> for Planner {
    fn rate(&mut self, game: &Island, view: &View<'_>, legal: &[Action], out: &mut Vec<f32>) {
        self.known.on(&view.table.board);
        let mut evaluation = Evaluation::new(game, &self.weights, &mut self.known, view);
        out.clear();
        out.extend(legal.iter().map(|&action| evaluation.rate(action)));
    }

    fn fog(&self) -> f32 {
        self.weights.fog
    }
}

impl Judge<Island> for Planner {
    fn learned(&mut self, game: &Island, state: &State) -> PerSeat<f32> {
        self.known.on(&state.table.board);
        let all = inputs::inputs(game, &self.weights, &mut self.known, state);
        let mut worths = [0.0; SEATS_MAX];
        for seat in Seat::all(game.players()) {
            worths[seat.idx()] = NET.worth(&all[seat.idx()].scaled());
        }
        shares(game.players(), worths, 1.0)
    }

    fn chances(&mut self, game: &Island, state: &State) -> PerSeat<f32> {
        self.known.on(&state.table.board);
        let mut worths = [0.0; SEATS_MAX];
        for seat in Seat::all(game.players()) {
            let features = worth::features(game, &self.weights, &mut self.known, state, seat);
            worths[seat.idx()] = self.weights.worth(&features);
        }
        shares(game.players(), worths, self.weights.fog)
    }
}
