//! Weights from experience: a planner plays matches against itself, and the value of each position
//! is corrected by what happened afterwards.
//!
//! A seat's chance to win is a softmax of its weighted features. TD(λ) moves it towards a target: a share λ
//! from the next noted position's target, the rest from its estimate; the target of the last one is the
//! result. λ = 1 is logistic regression on results. Steps are scaled by feature (Adagrad), and the weights
//! of the second half of the matches are averaged.
//!
//! Matches are played one after another, each with what was learned from those before, so the same seed gives
//! the same weights on any machine.
//!
//! Sources: R. Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988; J. Duchi,
//! E. Hazan, Y. Singer, "Adaptive Subgradient Methods", 2011; B. Polyak, A. Juditsky, "Acceleration of
//! Stochastic Approximation by Averaging", 1992.

use crate::core::agent::Player;
use crate::core::game::Turn;
use crate::core::opinion::{Follows, Lesson, Opinion};
use crate::core::record::Recorder;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::sim::play::Arena;

/// How to learn.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Master seed of the matches.
    pub seed: u64,
    /// Matches to play.
    pub matches: u64,
    /// How far results reach back, 0 to 1.
    pub lambda: f64,
    /// The size of a first step.
    pub step: f64,
    /// Decisions from one position that is noted to the next, at least 1.
    pub every: u32,
    /// Features that keep their exponents.
    pub hold: Vec<usize>,
}

/// What has been learned.
#[derive(Debug, Clone)]
pub struct Learned<W> {
    /// The weights.
    pub weights: W,
    /// Matches with a winner; others teach nothing.
    pub won: u64,
    /// Positions noted.
    pub positions: u64,
    /// Surprise at the winner by position in nats, in the first and in the last tenth of the matches.
    pub surprise: [f64; 2],
}

/// Matches after which the planner plays by what has been learned.
const REFRESH: u64 = 64;

/// Learns weights, from `weights` on. `heard` hears before each match how many have been played, and says whether to go
/// on; nothing comes of a course that is stopped.
pub fn learn<G: Opinion>(
    game: &G,
    lesson: &Lesson<G>,
    weights: &G::Weights,
    course: &Course,
    heard: &mut dyn FnMut(u64) -> bool,
) -> Option<Learned<G::Weights>> {
    let mut table = Arena::new(game.clone());
    let seat_of = vec![0; usize::from(game.players())];
    let mut softmax = Softmax::new((lesson.weights)(weights), game.players());
    let planner = game.planner(weights);
    let mut notes = Notes { lesson, planner, every: course.every, seen: 0, features: Vec::new() };
    let mut tenths = [Surprise::default(); 2];
    let mut all = Surprise::default();
    let mut learned =
        Learned { weights: weights.clone(), won: 0, positions: 0, surprise: [0.0; 2] };
    let tenth = course.matches.div_ceil(10);
    for number in 0..course.matches {
        if !heard(number) {
            return None;
        }
        if number % REFRESH == 0 {
            (lesson.put)(&mut learned.weights, &softmax.weights);
        }
        let mut players = planners(game, &learned.weights);
        notes.clear();
        let seed = BlockSeed::new(course.seed, number);
        let Ok(end) = table.play(&mut players, &seat_of, seed, &mut notes) else { continue };
        let Some(winner) = game.outcome(&end).winner else { continue };
        let surprise = softmax.learn(&notes.features, winner, course);
        learned.won += 1;
        all.add(surprise);
        if number < tenth {
            tenths[0].add(surprise);
        }
        if number >= course.matches - tenth {
            tenths[1].add(surprise);
        }
        if number >= course.matches / 2 {
            softmax.average();
        }
    }
    (lesson.put)(&mut learned.weights, softmax.averaged());
    learned.positions = all.positions;
    learned.surprise = tenths.map(|tenth| tenth.mean());
    Some(learned)
}

/// The planner in all seats.
fn planners<G: Opinion>(game: &G, weights: &G::Weights) -> Vec<Player<G>> {
    let policy = game.planner(weights);
    vec![Player::Honest(Box::new(Follows { game: game.clone(), policy }))]
}

/// Notes features of positions: seats by turn order, position after position.
struct Notes<'a, G: Opinion> {
    lesson: &'a Lesson<G>,
    /// With the weights at the start: how features are computed must not change during a run.
    planner: G::Planner,
    every: u32,
    seen: u32,
    features: Vec<f32>,
}

impl<G: Opinion> Notes<'_, G> {
    fn clear(&mut self) {
        self.seen = 0;
        self.features.clear();
    }
}

impl<G: Opinion> Recorder<G> for Notes<'_, G> {
    fn on_applied(&mut self, game: &G, _action: G::Action, after: &G::State) {
        self.seen += 1;
        let over = game.turn(after) == Turn::Over;
        if over || !self.seen.is_multiple_of(self.every) {
            return;
        }
        for seat in Seat::all(game.players()) {
            (self.lesson.features)(&mut self.planner, game, after, seat, &mut self.features);
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Surprise {
    sum: f64,
    positions: u64,
}

impl Surprise {
    fn add(&mut self, other: Surprise) {
        self.sum += other.sum;
        self.positions += other.positions;
    }

    fn mean(&self) -> f64 {
        self.sum / self.positions.max(1) as f64
    }
}

/// Chances that are a softmax of weighted features, and their gradient steps.
struct Softmax {
    weights: Vec<f64>,
    /// Sums of squared gradients.
    squares: Vec<f64>,
    /// Mean of the weights over the averaged steps, and the number of these steps.
    mean: Vec<f64>,
    averaged: f64,
    seats: usize,
}

impl Softmax {
    fn new(weights: Vec<f64>, seats: u8) -> Softmax {
        Softmax {
            squares: vec![1e-4; weights.len()],
            mean: weights.clone(),
            averaged: 0.0,
            weights,
            seats: usize::from(seats),
        }
    }

    /// Counts the present weights in the mean.
    fn average(&mut self) {
        self.averaged += 1.0;
        for (mean, weight) in self.mean.iter_mut().zip(&self.weights) {
            *mean += (weight - *mean) / self.averaged;
        }
    }

    /// The mean weights; those at the start if nothing was averaged.
    fn averaged(&self) -> &[f64] {
        &self.mean
    }

    /// Chances by seat at one position.
    fn chances(&self, features: &[f32]) -> Vec<f64> {
        let worth = |of: &[f32]| -> f64 {
            of.iter().zip(&self.weights).map(|(&feature, weight)| f64::from(feature) * weight).sum()
        };
        let worths: Vec<f64> = features.chunks(self.weights.len()).map(worth).collect();
        let most = worths.iter().copied().fold(f64::MIN, f64::max);
        let chances: Vec<f64> = worths.iter().map(|worth| libm::exp(worth - most)).collect();
        let sum: f64 = chances.iter().sum();
        chances.into_iter().map(|chance| chance / sum).collect()
    }

    /// One step after a match, from its last position to its first. All positions count alike: were long
    /// matches' positions to count less, what is short for a reason would be misjudged.
    fn learn(&mut self, features: &[f32], winner: Seat, course: &Course) -> Surprise {
        let width = self.weights.len();
        let mut gradient = vec![0.0; width];
        let mut target = vec![0.0; self.seats];
        target[winner.idx()] = 1.0;
        let mut surprise = Surprise::default();
        for position in features.chunks(width * self.seats).rev() {
            let chances = self.chances(position);
            surprise
                .add(Surprise { sum: -libm::log(chances[winner.idx()].max(1e-9)), positions: 1 });
            for (seat, of) in position.chunks(width).enumerate() {
                for (slope, &feature) in gradient.iter_mut().zip(of) {
                    *slope += (target[seat] - chances[seat]) * f64::from(feature);
                }
            }
            for (target, chance) in target.iter_mut().zip(chances) {
                *target = course.lambda * *target + (1.0 - course.lambda) * chance;
            }
        }
        for (at, slope) in gradient.into_iter().enumerate() {
            if course.hold.contains(&at) {
                continue;
            }
            self.squares[at] += slope * slope;
            self.weights[at] += course.step * slope / libm::sqrt(self.squares[at]);
        }
        surprise
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::below;
    use crate::core::game::Game;
    use crate::games::base::Base;
    use crate::parts::island::rules::Rules;
    use rand_pcg::Pcg32;

    fn course(lambda: f64, step: f64) -> Course {
        Course { seed: 3, matches: 40, lambda, step, every: 7, hold: Vec::new() }
    }

    #[test]
    fn planted_weights_are_found_again() {
        let planted = [0.8, -0.5, 0.0, 1.4];
        let mut softmax = Softmax::new(vec![0.0; 4], 3);
        let truth = Softmax::new(planted.to_vec(), 3);
        let mut rng = Pcg32::new(5, 1);
        for number in 0..40_000 {
            let features: Vec<f32> =
                (0..12).map(|_| below(&mut rng, 1000) as f32 / 500.0 - 1.0).collect();
            let mut left = f64::from(below(&mut rng, 1_000_000)) / 1e6;
            let chances = truth.chances(&features);
            let winner = chances.iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            let winner = Seat::new(u8::try_from(winner.unwrap_or(2)).unwrap());
            softmax.learn(&features, winner, &course(1.0, 0.1));
            if number >= 10_000 {
                softmax.average();
            }
        }
        for (found, planted) in softmax.averaged().iter().zip(planted) {
            assert!((found - planted).abs() < 0.06, "{found} for {planted}");
        }
    }

    /// A walk over five places from the middle; seat 1 wins at the right end. From place k of 1 to 5 it
    /// does so with probability k / 6 (R. Sutton, 1988), whatever λ is.
    #[test]
    fn a_random_walk_is_judged_right_for_every_lambda() {
        for lambda in [0.0, 0.5, 1.0] {
            let mut softmax = Softmax::new(vec![0.0; 5], 2);
            let mut rng = Pcg32::new(9, 2);
            for number in 0..60_000 {
                let (mut place, mut features) = (3_usize, Vec::new());
                while (1..=5).contains(&place) {
                    features.extend((1..=5).map(|at| if at == place { 1.0_f32 } else { 0.0 }));
                    features.extend([0.0; 5]);
                    place = if below(&mut rng, 2) == 0 { place - 1 } else { place + 1 };
                }
                let winner = if place == 6 { Seat::new(0) } else { Seat::new(1) };
                softmax.learn(&features, winner, &course(lambda, 0.3));
                if number >= 20_000 {
                    softmax.average();
                }
            }
            for (at, weight) in softmax.averaged().iter().enumerate() {
                let chance = 1.0 / (1.0 + libm::exp(-weight));
                let expected = (at + 1) as f64 / 6.0;
                assert!((chance - expected).abs() < 0.03, "λ {lambda}: {chance} for {expected}");
            }
        }
    }

    #[test]
    fn the_same_seed_learns_the_same_and_held_weights_stay() {
        let game = Base::new(Rules::default(), 3).unwrap();
        let lesson = Base::LESSON.unwrap();
        let start = <Base as Opinion>::Weights::default();
        let held = Course { hold: vec![2], ..course(1.0, 0.05) };
        let learn = |course: &Course| learn(&game, &lesson, &start, course, &mut |_| true).unwrap();
        let (one, two) = (learn(&held), learn(&held));
        assert_eq!(one.weights, two.weights);
        assert_eq!((one.won, one.positions), (two.won, two.positions));
        let exponents = |weights| (lesson.weights)(weights);
        let (before, after) = (exponents(&start), exponents(&one.weights));
        assert!((before[2] - after[2]).abs() < 1e-6, "held");
        assert!((before[3] - after[3]).abs() > 1e-6, "learned");
        assert_ne!(learn(&Course { seed: 4, ..held.clone() }).weights, one.weights);
        let stopped = super::learn(&game, &lesson, &start, &held, &mut |played| played < 3);
        assert!(stopped.is_none());
    }
}
