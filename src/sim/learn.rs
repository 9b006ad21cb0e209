//! Weights from experience: a planner plays matches against itself, and the value of each position
//! is corrected by what happened afterwards.
//!
//! A seat's chance to win is a softmax of its weighted features. TD(λ) moves it towards a target: a share λ
//! from the next noted position's target, the rest from its estimate; the target of the last one is the
//! result. λ = 1 is logistic regression on results. Steps are scaled by feature (Adagrad), and the weights
//! of the second half of the matches are averaged.
//!
//! Matches are played in sessions of 64, by a planner with what was learned before. Those of a session are played on
//! all cores, and learned from in their order, so the same seed gives the same weights on any machine. Where a course
//! stands between two sessions is a list of whole numbers ([`CourseState::encode`]): from there it can be resumed.
//!
//! Sources: R. Sutton, "Learning to Predict by the Methods of Temporal Differences", 1988; J. Duchi,
//! E. Hazan, Y. Singer, "Adaptive Subgradient Methods", 2011; B. Polyak, A. Juditsky, "Acceleration of
//! Stochastic Approximation by Averaging", 1992.

use crate::core::agent::Player;
use crate::core::game::{End, Turn};
use crate::core::opinion::{Lesson, Opinion, PolicyAgent};
use crate::core::record::Recorder;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::{Watch, each};
use crate::sim::course::{Course, CourseState, Learner, Session};
use crate::sim::play::Arena;
use crate::sim::surprise::Surprise;
use std::ops::Range;

/// How to learn.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightCourse {
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

/// Matches that are played with the same weights.
const SESSION: u64 = 64;

/// Far more than a weight can become: a step is at most 1.
const WEIGHT_MAX: f64 = 1e9;

/// Where a course of weights stands.
pub type WeightState = CourseState<Softmax>;

impl Course for WeightCourse {
    type Learner = Softmax;

    fn due(&self, played: u64) -> Range<u64> {
        played..played.saturating_add(SESSION).min(self.matches)
    }
}

impl WeightState {
    /// The beginning of a course from some weights.
    pub fn begin<G: Opinion>(game: &G, lesson: &Lesson<G>, weights: &G::Weights) -> WeightState {
        CourseState::new(Softmax::new((lesson.weights)(weights), game.players()))
    }

    /// The weights with what has been learned.
    pub fn learned<G: Opinion>(&self, lesson: &Lesson<G>, weights: &G::Weights) -> G::Weights {
        let mut learned = weights.clone();
        (lesson.put)(&mut learned, self.learner.averaged());
        learned
    }

    /// Learns from a match.
    fn learn(&mut self, played: &Played, course: &WeightCourse) {
        let number = self.played;
        self.played += 1;
        let Some(winner) = played.winner else { return };
        let surprise = self.learner.learn(&played.features, winner, course);
        self.won += 1;
        self.tenths.add(number, course.matches, surprise);
        if number >= course.matches / 2 {
            self.learner.average();
        }
    }
}

impl Learner for Softmax {
    fn encode(&self) -> Vec<u64> {
        let Softmax { weights, squares, mean, averaged, .. } = self;
        let mut words = vec![averaged.to_bits()];
        words.extend([weights, squares, mean].into_iter().flatten().map(|of| of.to_bits()));
        words
    }

    fn decode(&self, words: &[u64]) -> Option<Softmax> {
        let mut decoded = self.clone();
        let Softmax { weights, squares, mean, averaged, .. } = &mut decoded;
        *averaged = f64::from_bits(words[0]);
        for (to, &word) in [weights, squares, mean].into_iter().flatten().zip(&words[1..]) {
            *to = f64::from_bits(word);
        }
        decoded.is_sound().then_some(decoded)
    }
}

/// What is learned from a match.
struct Played {
    features: Vec<f32>,
    winner: Option<Seat>,
    /// How it ended, unless an agent broke the rules.
    end: Option<End>,
    decisions: u32,
}

/// Plays the next session of a course that began with `weights`, and learns from it. Nothing comes of one that is
/// stopped.
pub fn session<G: Opinion>(
    game: &G,
    lesson: &Lesson<G>,
    weights: &G::Weights,
    course: &WeightCourse,
    state: &WeightState,
    watch: &Watch,
) -> Option<Session<Softmax>> {
    let mut present = weights.clone();
    (lesson.put)(&mut present, &state.learner.weights);
    let seat_of = vec![0; usize::from(game.players())];
    let worker = || {
        // With the weights at the start: how features are computed must not change during a course.
        let planner = game.planner(weights);
        let notes = Notes { lesson, planner, every: course.every, seen: 0, features: Vec::new() };
        (Arena::new(game.clone()), notes)
    };
    let play = |(table, notes): &mut (Arena<G>, Notes<'_, G>), number: u64| {
        if watch.is_stopped() {
            return None;
        }
        notes.seen = 0;
        let seed = BlockSeed::new(course.seed, number);
        let ended = table.play(
            &mut planners(game, &present),
            &seat_of,
            seed,
            notes as &mut dyn Recorder<G>,
        );
        let outcome = ended.ok().map(|end| game.outcome(&end));
        Some(Played {
            features: std::mem::take(&mut notes.features),
            winner: outcome.as_ref().and_then(|outcome| outcome.winner),
            end: outcome.map(|outcome| outcome.end),
            decisions: notes.seen,
        })
    };
    let due = course.due(state.played);
    let all: Option<Vec<Played>> =
        watch.on_threads(|| each(due, worker, play)).into_iter().collect();
    let (all, mut state) = (all?, state.clone());
    for played in &all {
        state.learn(played, course);
    }
    Some(Session::new(state, all.iter().map(|played| (played.decisions, played.end))))
}

/// The planner in all seats.
fn planners<G: Opinion>(game: &G, weights: &G::Weights) -> Vec<Player<G>> {
    let policy = game.planner(weights);
    vec![Player::Honest(Box::new(PolicyAgent { game: game.clone(), policy }))]
}

/// Notes features of positions: seats by turn order, position after position.
struct Notes<'a, G: Opinion> {
    lesson: &'a Lesson<G>,
    planner: G::Planner,
    every: u32,
    seen: u32,
    features: Vec<f32>,
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

/// Chances that are a softmax of weighted features, and their gradient steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Softmax {
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

    /// Whether matches can have led here, as far as numbers go.
    fn is_sound(&self) -> bool {
        let Softmax { weights, squares, mean, averaged, .. } = self;
        let small = |of: &f64| of.abs() <= WEIGHT_MAX;
        let positive = |of: &f64| of.is_finite() && *of > 0.0;
        (0.0..=1e15).contains(averaged)
            && weights.iter().chain(mean).all(small)
            && squares.iter().all(positive)
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
    fn learn(&mut self, features: &[f32], winner: Seat, course: &WeightCourse) -> Surprise {
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
    use crate::core::watch::Host;
    use crate::games::base::Base;
    use crate::parts::island::rules::Rules;
    use crate::sim::surprise::TENTHS;
    use crate::sim::trials::BLOCKS;
    use rand_pcg::Pcg32;

    fn course(lambda: f64, step: f64) -> WeightCourse {
        WeightCourse { seed: 3, matches: 40, lambda, step, every: 7, hold: Vec::new() }
    }

    /// Stops everything at once.
    struct Stopped;

    impl Host for Stopped {
        fn is_stopped(&self) -> bool {
            true
        }
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

    /// By hand: seat 1 stands where it is thought to win with chances of 1/2, 1/4 and 3/4, and then it has won. A target is
    /// a share λ of the next one and else the next chance: 1, 7/8 and 9/16 from the last to the first for λ = 1/2.
    #[test]
    fn errors_of_a_short_walk_are_those_of_td_lambda() {
        for (lambda, due) in [
            (1.0, [1.0 / 2.0, 3.0 / 4.0, 1.0 / 4.0]),
            (0.0, [-1.0 / 4.0, 1.0 / 2.0, 1.0 / 4.0]),
            (0.5, [1.0 / 16.0, 5.0 / 8.0, 1.0 / 4.0]),
        ] {
            let start = [0.0, -libm::log(3.0), libm::log(3.0)];
            let mut softmax = Softmax::new(start.to_vec(), 2);
            // So many squares that steps are in proportion to errors, with a factor of 1.
            softmax.squares.fill(1e12);
            let mut features = Vec::new();
            for place in 0..3 {
                features.extend((0..3).map(|at| if at == place { 1.0_f32 } else { 0.0 }));
                features.extend([0.0; 3]);
            }
            softmax.learn(&features, Seat::FIRST, &course(lambda, 1e6));
            for ((now, before), due) in softmax.weights.iter().zip(start).zip(due) {
                assert!(
                    (now - before - due).abs() < 1e-9,
                    "λ {lambda}: {now} - {before}, not {due}"
                );
            }
        }
    }

    /// Weights of 8, 4, 1 and 2 while four matches are learned from that teach nothing: of the last two the mean is 1.5.
    #[test]
    fn what_is_learned_is_the_mean_over_the_second_half_of_the_matches() {
        let (game, lesson, mut standing) = (on_base(), Base::LESSON.unwrap(), begin());
        let course = WeightCourse { matches: 4, ..course(1.0, 0.1) };
        for weight in [8.0, 4.0, 1.0, 2.0] {
            standing.learner.weights.fill(weight);
            let features = vec![0.0; 3 * lesson.names.len()];
            let (winner, end, decisions) = (Some(Seat::FIRST), Some(End::Won), 7);
            standing.learn(&Played { features, winner, end, decisions }, &course);
        }
        assert_eq!((standing.played, standing.won), (4, 4));
        let learned = (lesson.weights)(&standing.learned(&lesson, &game.weights()));
        assert!(learned.iter().all(|weight| (weight - 1.5).abs() < 1e-5), "{learned:?}");
    }

    fn on_base() -> Base {
        Base::new(Rules::default(), 3).unwrap()
    }

    /// The whole course, from some standing on.
    fn on(course: &WeightCourse, mut standing: WeightState) -> WeightState {
        let game = on_base();
        let (lesson, start) = (Base::LESSON.unwrap(), game.weights());
        while !course.due(standing.played).is_empty() {
            let played =
                session(&game, &lesson, &start, course, &standing, &Watch::none()).unwrap();
            assert_eq!(played.counts[BLOCKS], played.state.played - standing.played);
            standing = played.state;
        }
        standing
    }

    fn begin() -> WeightState {
        let game = on_base();
        WeightState::begin(&game, &Base::LESSON.unwrap(), &game.weights())
    }

    #[test]
    fn the_same_seed_learns_the_same_and_held_weights_stay() {
        let held = WeightCourse { hold: vec![2], ..course(1.0, 0.05) };
        let (one, two) = (on(&held, begin()), on(&held, begin()));
        assert_eq!(one, two);
        assert_eq!(one.played, 40);
        let (before, after) = (begin(), &one.learner.mean);
        let before = &before.learner.mean;
        assert!((before[2] - after[2]).abs() < 1e-6, "held");
        assert!((before[3] - after[3]).abs() > 1e-6, "learned");
        assert_ne!(on(&WeightCourse { seed: 4, ..held.clone() }, begin()), one);
        let game = on_base();
        let lesson = Base::LESSON.unwrap();
        let stopped =
            session(&game, &lesson, &game.weights(), &held, &begin(), &Watch::new(Stopped));
        assert!(stopped.is_none());
    }

    #[test]
    fn a_course_is_resumed_from_its_words() {
        let course = WeightCourse { matches: 70, ..course(0.9, 0.05) };
        let game = on_base();
        let (lesson, start) = (Base::LESSON.unwrap(), game.weights());
        let first = session(&game, &lesson, &start, &course, &begin(), &Watch::none()).unwrap();
        let words = first.state.encode();
        let read = begin().decode(&words).expect("sound");
        assert_eq!(read, first.state);
        assert_eq!(on(&course, read), on(&course, begin()));
        assert_eq!(begin().decode(&words[1..]), None, "a word is missing");
        for (at, word) in words.iter().enumerate().skip(2 + 2 * TENTHS) {
            for forged in [f64::NAN, f64::INFINITY, -1e300] {
                let mut words = words.clone();
                words[at] = forged.to_bits();
                assert_eq!(begin().decode(&words), None, "{forged} for {word}");
            }
        }
    }
}
