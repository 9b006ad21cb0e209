//! The decisions of a match as examples to learn from: what the seat could do, what it did, and features of the
//! position as far as the seat knows it.
//!
//! Features and inputs of a net are functions of a full position, hidden hands included. So each is a mean over
//! positions that are imagined from what the seat sees and remembers, on a stream of random numbers of its own; the
//! true position is never looked at. Two positions that a seat can't tell apart give the same numbers.

use crate::core::game::{ActionFilter, Chain, Observation, Outcome};
use crate::core::opinion::Opinion;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::core::wording::Wording;
use crate::sim::explain::history::{DecisionPoint, MatchHistory};

/// Which decisions are wanted, and how their features are estimated.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// Every so many decisions of the match, at least 1.
    pub every: usize,
    /// Imagined positions, at least 1.
    pub imagined: u16,
    /// Where their random numbers come from.
    pub seed: u64,
}

/// A decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Its number in the match, from 0.
    pub decision: u64,
    /// The turn, from 1.
    pub turn: u16,
    /// Who decided.
    pub seat: Seat,
    /// What was asked, in a word of the game.
    pub phase: &'static str,
    /// The full legal list, in the words of records.
    pub legal: Vec<String>,
    /// The place in the list of what was done, from 0; none if it is legal and not listed.
    pub chosen: Option<usize>,
    /// What was done.
    pub action: String,
    /// The planner's features, in the order of the game's lesson, of the seat that decides and then of each seat
    /// after it; empty if the game has no lesson.
    pub planner: Vec<f32>,
    /// The inputs of the net, likewise; empty if the game has no net.
    pub net: Vec<f32>,
}

/// What became of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// How it ended.
    pub outcome: Outcome,
    /// Turns played.
    pub turns: u16,
}

/// Features of positions as seats know them.
pub struct Features<G: Opinion> {
    planner: G::Planner,
    imagined: u16,
}

/// Hands out the decisions of a match, one by one: all of a long one would be a hundred megabytes. Once it is stopped,
/// it hands out no more.
pub fn examples<G: Opinion + Wording>(
    game: &G,
    taken: &MatchHistory<G>,
    sampling: Sampling,
    watch: &Watch,
    each: &mut dyn FnMut(&Example),
) {
    let Sampling { every, imagined, seed } = sampling;
    let mut features = Features::new(game, imagined);
    taken.moments(game, every, |moment| {
        if !watch.is_stopped() {
            each(&example(game, &mut features, moment, seed));
        }
    });
}

fn example<G: Opinion + Wording>(
    game: &G,
    features: &mut Features<G>,
    moment: &DecisionPoint<'_, G>,
    seed: u64,
) -> Example {
    let DecisionPoint { state, seat, done, ref memory, number } = *moment;
    let mut legal: Box<Actions<G::Action>> = Box::default();
    game.legal(state, ActionFilter::Full, &mut legal);
    let seen = Observation { seat, view: game.view(state, seat), memory };
    let (planner, net) = features.known(game, &seen, BlockSeed::new(seed, number));
    Example {
        decision: number,
        turn: game.turn_number(state),
        seat,
        phase: game.phase_name(state),
        chosen: legal.iter().position(|&action| action == done),
        legal: legal.iter().map(ToString::to_string).collect(),
        action: done.to_string(),
        planner,
        net,
    }
}

impl<G: Opinion> Features<G> {
    /// Features as the game's default planner sees them, as means over so many imagined positions.
    pub fn new(game: &G, imagined: u16) -> Features<G> {
        Features { planner: game.planner(&game.weights()), imagined }
    }

    /// What a seat knows of a position: the planner's features and the inputs of the net, of itself and then of each
    /// seat after it. Only what is observed is used.
    pub fn known(
        &mut self,
        game: &G,
        seen: &Observation<'_, G>,
        seed: BlockSeed,
    ) -> (Vec<f32>, Vec<f32>) {
        let mut rng = seed.stream(Stream::Study, Some(seen.seat), 0);
        let (mut planner, mut net) = (Mean::default(), Mean::default());
        let mut chain = Chain::<G>::default();
        for _ in 0..self.imagined {
            let state = seen.determinize_next(game, &mut chain, &mut rng);
            planner.add(&self.by_planner(game, &state, seen.seat));
            net.add(&self.by_net(game, &state, seen.seat));
        }
        (planner.taken(self.imagined), net.taken(self.imagined))
    }

    fn by_planner(&mut self, game: &G, state: &G::State, first: Seat) -> Vec<f32> {
        let mut features = Vec::new();
        if let Some(lesson) = G::LESSON {
            for seat in first.clockwise(game.players()) {
                (lesson.features)(&mut self.planner, game, state, seat, &mut features);
            }
        }
        features
    }

    fn by_net(&mut self, game: &G, state: &G::State, first: Seat) -> Vec<f32> {
        let mut inputs = Vec::new();
        if let Some(lesson) = G::NET {
            (lesson.inputs)(&mut self.planner, game, state, &mut inputs);
            inputs.rotate_left(first.idx() * lesson.list.names.len());
        }
        inputs
    }
}

/// Sums of several features.
#[derive(Default)]
struct Mean(Vec<f64>);

impl Mean {
    fn add(&mut self, values: &[f32]) {
        self.0.resize(values.len(), 0.0);
        self.0.iter_mut().zip(values).for_each(|(sum, &value)| *sum += f64::from(value));
    }

    fn taken(self, count: u16) -> Vec<f32> {
        #[allow(clippy::cast_possible_truncation, reason = "features are f32")]
        let mean = |sum: f64| (sum / f64::from(count)) as f32;
        self.0.into_iter().map(mean).collect()
    }
}
