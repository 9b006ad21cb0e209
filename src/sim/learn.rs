//! Weights from experience: matches that a planner plays against itself, and what each position of them
//! should have been thought to be worth.
//!
//! A seat's chance to win is a softmax of its weighted features. TD(λ) moves it towards a target: λ of what
//! came of the next position noted, the rest what is thought of that one; the last one's target is the
//! result. λ = 1 is logistic regression on results. Steps are scaled by feature (Adagrad), and the weights
//! of the second half of the matches are averaged.
//!
//! Matches are played one after another, each with what the ones before it taught, so the same seed gives
//! the same weights on any machine.
//!
//! Sources: R. Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988; J. Duchi,
//! E. Hazan, Y. Singer, "Adaptive Subgradient Methods", 2011; B. Polyak, A. Juditsky, "Acceleration of
//! Stochastic Approximation by Averaging", 1992.

use crate::agent::Player;
use crate::agents::opinion::Follows;
use crate::agents::opinion::Lesson;
use crate::agents::opinion::Opinion;
use crate::game::Turn;
use crate::record::Recorder;
use crate::seed::BlockSeed;
use crate::sim::play::Table;
use crate::types::seat::Seat;

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
    /// Features whose weights stay what they are to the first one's.
    pub hold: Vec<usize>,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Learned<W> {
    /// The weights.
    pub weights: W,
    /// Matches that somebody won; others teach nothing.
    pub won: u64,
    /// Positions noted.
    pub positions: u64,
    /// Surprise at the winner by position in nats, in the first and the last tenth of the matches.
    pub surprise: [f64; 2],
}

/// Matches after which the planner plays by what has been learned.
const REFRESH: u64 = 64;

/// Learns weights, from `weights` on.
pub fn learn<G: Opinion>(
    game: &G,
    lesson: &Lesson<G>,
    weights: &G::Weights,
    course: &Course,
) -> Learned<G::Weights> {
    let mut table = Table::new(game.clone());
    let seat_of = vec![0; usize::from(game.players())];
    let mut softmax = Softmax::new((lesson.weights)(weights), game.players());
    let mut notes = Notes {
        lesson,
        weights: weights.clone(),
        every: course.every,
        seen: 0,
        features: Vec::new(),
    };
    let mut learned =
        Learned { weights: weights.clone(), won: 0, positions: 0, surprise: [0.0; 2] };
    let start = (lesson.weights)(weights);
    let hold = |&at: &usize| (at, start[at] / start[0]);
    let held: Vec<(usize, f64)> = course.hold.iter().map(hold).collect();
    let mut tenths = [Surprise::default(); 2];
    let mut mean = vec![0.0; softmax.weights.len()];
    let mut counted = 0.0;
    let mut players = players(game, weights);
    for number in 0..course.matches {
        if number % REFRESH == 0 && number > 0 {
            (lesson.put)(&mut learned.weights, &softmax.weights);
            players = self::players(game, &learned.weights);
        }
        (notes.seen, _) = (0, notes.features.clear());
        let seed = BlockSeed::new(course.seed, number);
        let Ok(end) = table.play(&mut players, &seat_of, seed, &mut notes) else { continue };
        let Some(winner) = game.outcome(&end).winner else { continue };
        let surprise = softmax.learn(&notes.features, winner, course);
        for &(at, worth) in &held {
            softmax.weights[at] = worth * softmax.weights[0];
        }
        learned.won += 1;
        learned.positions += surprise.positions;
        if number < course.matches.div_ceil(10) {
            tenths[0].add(surprise);
        }
        if number >= course.matches - course.matches.div_ceil(10) {
            tenths[1].add(surprise);
        }
        if number >= course.matches / 2 {
            counted += 1.0;
            for (mean, weight) in mean.iter_mut().zip(&softmax.weights) {
                *mean += (weight - *mean) / counted;
            }
        }
    }
    if counted > 0.0 {
        (lesson.put)(&mut learned.weights, &mean);
    }
    learned.surprise = tenths.map(|tenth| tenth.mean());
    learned
}

/// The planner in all seats.
fn players<G: Opinion>(game: &G, weights: &G::Weights) -> Vec<Player<G>> {
    let policy = game.planner(weights);
    vec![Player::Honest(Box::new(Follows { game: game.clone(), policy }))]
}

/// Notes features of positions: seats by turn order, position after position.
struct Notes<'a, G: Opinion> {
    lesson: &'a Lesson<G>,
    weights: G::Weights,
    every: u32,
    seen: u32,
    features: Vec<f32>,
}

impl<G: Opinion> Recorder<G> for Notes<'_, G> {
    fn on_applied(&mut self, game: &G, _action: G::Action, after: &G::State) {
        self.seen += 1;
        let over = game.turn(after) == Turn::Over;
        if self.seen % self.every != 0 || over {
            return;
        }
        for seat in Seat::all(game.players()) {
            (self.lesson.features)(game, &self.weights, after, seat, &mut self.features);
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

/// Chances that are a softmax of weighted features, and how they are bettered.
struct Softmax {
    weights: Vec<f64>,
    /// Sums of squared gradients.
    squares: Vec<f64>,
    seats: usize,
}

impl Softmax {
    fn new(weights: Vec<f64>, seats: u8) -> Softmax {
        Softmax { squares: vec![1e-4; weights.len()], weights, seats: usize::from(seats) }
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

    /// One step after a match, from its last position to its first.
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
            let slope = slope / surprise.positions.max(1) as f64;
            self.squares[at] += slope * slope;
            self.weights[at] += course.step * slope / libm::sqrt(self.squares[at]);
        }
        surprise
    }
}
