//! Learns the weights of a [`Net`] from positions and their winners, by gradient descent on what the winner surprises.
//!
//! The chance of each seat is a softmax of the worths of the seats, and the loss of a position is minus the logarithm of
//! the winner's chance (cross-entropy). A step is taken after each batch of positions, by Adam. Its size rises and falls
//! once in a course. The gradient of a batch is added up in parts of a fixed size and in their order, so the same
//! positions give the same bits on any number of threads.
//!
//! Sources: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization", 2015; L. Smith, N. Topin,
//! "Super-Convergence", 2018 (one cycle).

use crate::core::chance::below;
use crate::core::net::{Net, SUMS, WEIGHT_MAX};
use crate::core::types::seat::{PerSeat, SEATS_MAX};
use rand_pcg::Pcg32;
use rayon::prelude::*;
use std::f64::consts::PI;

/// The largest step of a weight, in the middle of a course.
const PEAK: f64 = 3e-3;
/// The largest step divided by the first.
const WARM: f64 = 25.0;
/// The first step divided by the last.
const COLD: f64 = 1e4;
/// The share of a course in which steps grow.
const RISE: f64 = 0.3;
/// How long Adam remembers gradients, and their squares: each counts for this share of its weight a step later.
const MEMORY: [f64; 2] = [0.9, 0.999];
/// What keeps a step finite where no gradient has been seen.
const TINY: f32 = 1e-8;
/// Positions of a batch.
pub const BATCH: usize = 512;
/// Positions whose gradients are added up one after the other; parts of a batch are computed side by side.
const PART: usize = 64;

/// The weights of an input, or what belongs to them, by sum.
type Row = [f32; SUMS];

/// Positions to learn from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Positions {
    /// Inputs by position, seat and input; positions may have different numbers of seats.
    inputs: Vec<f32>,
    /// Where the inputs of each position end.
    ends: Vec<usize>,
    /// What the chances of the seats should be, by position.
    targets: Vec<PerSeat<f32>>,
}

impl Positions {
    /// Adds positions of a match, by their inputs, and what the chances of the seats should be in each: all that of the
    /// seat that won it, or shares that add up to 1.
    ///
    /// # Panics
    /// If the inputs are not those of so many positions.
    pub fn add(&mut self, inputs: &[f32], targets: &[PerSeat<f32>]) {
        if targets.is_empty() {
            return;
        }
        assert!(inputs.len().is_multiple_of(targets.len()), "inputs of other positions");
        for (inputs, target) in inputs.chunks_exact(inputs.len() / targets.len()).zip(targets) {
            self.inputs.extend(inputs);
            self.ends.push(self.inputs.len());
            self.targets.push(*target);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The inputs of all seats, and what their chances should be.
    fn at(&self, position: usize) -> (&[f32], &PerSeat<f32>) {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before]);
        (&self.inputs[start..self.ends[position]], &self.targets[position])
    }
}

/// A net that learns.
#[derive(Debug, Clone, PartialEq)]
pub struct Trainer {
    /// The weights: a row for each input, then what the sums start with, then what they are worth.
    weights: Vec<Row>,
    /// Means of gradients, the latest counting most.
    slopes: Vec<Row>,
    /// Means of their squares.
    squares: Vec<Row>,
    /// Steps taken.
    steps: u64,
}

/// A gradient, and the loss that it is of, both as sums over positions.
struct Slope {
    rows: Vec<Row>,
    nats: f64,
}

/// The size of a step when a share of the course is over: half a cosine up, half a cosine down.
fn step_size(over: f64) -> f64 {
    let (low, end) = (PEAK / WARM, PEAK / WARM / COLD);
    let between = |from: f64, to: f64, share: f64| {
        to + (from - to) * 0.5 * (1.0 + libm::cos(PI * share.clamp(0.0, 1.0)))
    };
    if over < RISE {
        between(low, PEAK, over / RISE)
    } else {
        between(PEAK, end, (over - RISE) / (1.0 - RISE))
    }
}

/// The softmax of the worths of some seats, in their place.
fn softmax(worths: &mut [f32]) {
    let most = worths.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for worth in worths.iter_mut() {
        *worth = libm::expf(*worth - most);
        sum += *worth;
    }
    for worth in &mut *worths {
        *worth /= sum;
    }
}

impl Trainer {
    /// A net with some inputs that knows nothing: small random weights, so that no two sums are alike.
    pub fn new(inputs: usize, rng: &mut Pcg32) -> Trainer {
        // Bounds by the number of summands, so that sums are about 1 (Y. LeCun and others, "Efficient BackProp", 1998).
        let mut row = |summands: usize| -> Row {
            let bound = 1.0 / (summands as f32).sqrt();
            std::array::from_fn(|_| bound * (below(rng, 1 << 20) as f32 / (1 << 19) as f32 - 1.0))
        };
        let mut weights: Vec<Row> = (0..=inputs).map(|_| row(inputs)).collect();
        weights.push(row(SUMS));
        let zeros = vec![[0.0; SUMS]; inputs + 2];
        Trainer { weights, slopes: zeros.clone(), squares: zeros, steps: 0 }
    }

    /// The net as it is now.
    pub fn net(&self) -> Net {
        let [inputs @ .., start, worth] = &self.weights[..] else { unreachable!("two rows more") };
        Net::new(inputs.to_vec(), *start, *worth)
    }

    /// All of it as whole numbers: steps, then numbers with a fraction by their bits.
    pub fn encode(&self) -> impl Iterator<Item = u64> {
        let rows = [&self.weights, &self.slopes, &self.squares];
        let numbers = rows.into_iter().flatten().flatten();
        std::iter::once(self.steps).chain(numbers.map(|number| u64::from(number.to_bits())))
    }

    /// Reads as many words as this one is written in; nothing if no course can have led there.
    pub fn decode(&self, words: &[u64]) -> Option<Trainer> {
        let (&steps, rest) = words.split_first()?;
        let mut read = Trainer { steps, ..self.clone() };
        let rows = [&mut read.weights, &mut read.slopes, &mut read.squares];
        let numbers = rows.into_iter().flatten().flatten();
        for (number, &word) in numbers.zip(rest) {
            *number = f32::from_bits(u32::try_from(word).ok()?);
        }
        let is_small = |number: &f32| number.abs() <= WEIGHT_MAX;
        let is_square = |number: &f32| number.is_finite() && *number >= 0.0;
        let signed = read.weights.iter().chain(&read.slopes).flatten();
        let sound = signed.into_iter().all(is_small)
            && read.squares.iter().flatten().all(is_square)
            && steps < 1 << 48;
        sound.then_some(read)
    }

    /// Takes a step for each batch of positions, which come in a random order, once over all of them. The pass is the
    /// part of the course from the first share of it to the second. Returns the loss before each step, added up.
    pub fn pass(&mut self, positions: &Positions, part: [f64; 2], rng: &mut Pcg32) -> f64 {
        let mut order: Vec<usize> = (0..positions.len()).collect();
        for at in (1..order.len()).rev() {
            let bound = u32::try_from(at + 1).expect("fewer than 2^32 positions");
            order.swap(at, below(rng, bound) as usize);
        }
        let batches = order.len().div_ceil(BATCH) as f64;
        let mut nats = 0.0;
        for (number, batch) in order.chunks(BATCH).enumerate() {
            let over = part[0] + (part[1] - part[0]) * (number as f64 / batches);
            let slope = self.slope(positions, batch);
            nats += slope.nats;
            self.step(&slope.rows, batch.len(), step_size(over));
        }
        nats
    }

    /// The gradient of the loss of some positions.
    fn slope(&self, positions: &Positions, batch: &[usize]) -> Slope {
        let zero = || Slope { rows: vec![[0.0; SUMS]; self.weights.len()], nats: 0.0 };
        let part = |part: &[usize]| {
            let mut slope = zero();
            for &position in part {
                let (inputs, target) = positions.at(position);
                self.add_slope(inputs, target, &mut slope);
            }
            slope
        };
        let parts: Vec<Slope> = batch.par_chunks(PART).map(part).collect();
        parts.into_iter().fold(zero(), |mut all, part| {
            all.nats += part.nats;
            let numbers = all.rows.iter_mut().flatten().zip(part.rows.iter().flatten());
            numbers.for_each(|(all, part)| *all += part);
            all
        })
    }

    /// Adds the gradient of one position's loss.
    fn add_slope(&self, inputs: &[f32], target: &PerSeat<f32>, slope: &mut Slope) {
        let [of_inputs @ .., start, worth] = &self.weights[..] else { unreachable!("two rows") };
        let [to_inputs @ .., to_start, to_worth] = &mut slope.rows[..] else {
            unreachable!("as many rows as weights")
        };
        let (mut sums, mut chances) = ([*start; SEATS_MAX], [0.0_f32; SEATS_MAX]);
        let width = of_inputs.len();
        let seats = inputs.len() / width;
        for (seat, inputs) in inputs.chunks_exact(width).enumerate() {
            let sums = &mut sums[seat];
            for (&input, weights) in inputs.iter().zip(of_inputs) {
                if input != 0.0 {
                    sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += input * weight);
                }
            }
            let parts = sums.iter().zip(worth).map(|(sum, worth)| sum.max(0.0) * worth);
            chances[seat] = parts.sum();
        }
        softmax(&mut chances[..seats]);
        let due = target.iter().zip(&chances).filter(|&(&due, _)| due > 0.0);
        let nats =
            due.map(|(&due, &chance)| -f64::from(due) * libm::log(f64::from(chance).max(1e-9)));
        slope.nats += nats.sum::<f64>();
        for (seat, inputs) in inputs.chunks_exact(width).enumerate() {
            let error = chances[seat] - target[seat];
            let mut back = [0.0_f32; SUMS];
            for (at, back) in back.iter_mut().enumerate() {
                let sum = sums[seat][at];
                to_worth[at] += error * sum.max(0.0);
                *back = if sum > 0.0 { error * worth[at] } else { 0.0 };
                to_start[at] += *back;
            }
            for (&input, to) in inputs.iter().zip(&mut *to_inputs) {
                if input != 0.0 {
                    to.iter_mut().zip(&back).for_each(|(to, back)| *to += input * back);
                }
            }
        }
    }

    /// A step of Adam, by the gradient of a batch of positions.
    #[allow(clippy::cast_possible_truncation, reason = "weights are no more precise")]
    fn step(&mut self, rows: &[Row], positions: usize, size: f64) {
        self.steps += 1;
        let left = MEMORY.map(|memory| 1.0 - libm::pow(memory, self.steps as f64));
        let size = (size * libm::sqrt(left[1]) / left[0]) as f32;
        let tiny = TINY * libm::sqrt(left[1]) as f32;
        let [m, s] = MEMORY.map(|memory| memory as f32);
        let share = 1.0 / positions as f32;
        let moments = self.slopes.iter_mut().flatten().zip(self.squares.iter_mut().flatten());
        let numbers = self.weights.iter_mut().flatten().zip(moments).zip(rows.iter().flatten());
        for ((weight, (mean, square)), slope) in numbers {
            let slope = slope * share;
            *mean = m * *mean + (1.0 - m) * slope;
            *square = s * *square + (1.0 - s) * slope * slope;
            *weight -= size * *mean / (square.sqrt() + tiny);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: usize = 5;

    /// What is due where a seat has won.
    fn won_by(winner: usize) -> PerSeat<f32> {
        std::array::from_fn(|seat| if seat == winner { 1.0 } else { 0.0 })
    }

    /// Random positions of three seats, won by chances that `worth` of a seat's inputs makes.
    fn planted(positions: usize, worth: impl Fn(&[f32]) -> f32, rng: &mut Pcg32) -> Positions {
        let mut all = Positions::default();
        for _ in 0..positions {
            let inputs: Vec<f32> =
                (0..3 * INPUTS).map(|_| below(rng, 1000) as f32 / 500.0 - 1.0).collect();
            let mut chances: Vec<f32> = inputs.chunks(INPUTS).map(&worth).collect();
            softmax(&mut chances);
            let mut left = below(rng, 1 << 20) as f32 / (1 << 20) as f32;
            let winner = chances.iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            all.add(&inputs, &[won_by(winner.unwrap_or(2))]);
        }
        all
    }

    /// The mean loss of positions.
    fn loss(trainer: &Trainer, positions: &Positions) -> f64 {
        let all: Vec<usize> = (0..positions.len()).collect();
        trainer.slope(positions, &all).nats / all.len() as f64
    }

    #[test]
    fn the_gradient_is_what_differences_of_the_loss_say() {
        let mut rng = Pcg32::new(3, 3);
        let mut trainer = Trainer::new(INPUTS, &mut rng);
        // Far from the bends of the sums, half of which are cut off.
        for (at, start) in trainer.weights[INPUTS].iter_mut().enumerate() {
            *start = if at % 2 == 0 { 4.0 } else { -4.0 };
        }
        let mut positions = planted(50, |inputs| inputs[0], &mut rng);
        // Shares are due as well as wins.
        let more = planted(50, |inputs| inputs[0], &mut rng);
        for at in 0..more.len() {
            let (inputs, won) = more.at(at);
            let shares =
                std::array::from_fn(
                    |seat| if seat < 3 { 0.8 * won[seat] + 0.2 / 3.0 } else { 0.0 },
                );
            positions.add(inputs, &[shares]);
        }
        let all: Vec<usize> = (0..100).collect();
        let slope = trainer.slope(&positions, &all);
        let mut seen = 0.0_f64;
        for row in 0..INPUTS + 2 {
            for at in [0, 1, 7, 30] {
                let moved = |by: f32| {
                    let mut moved = trainer.clone();
                    moved.weights[row][at] += by;
                    loss(&moved, &positions)
                };
                let due = (moved(0.02) - moved(-0.02)) / 0.04;
                let is = f64::from(slope.rows[row][at]) / 100.0;
                assert!((is - due).abs() < 3e-4, "row {row}, sum {at}: {is} for {due}");
                seen = seen.max(is.abs());
            }
        }
        assert!(seen > 0.01, "slopes that differ from 0: {seen}");
    }

    #[test]
    fn the_net_that_searches_use_is_the_one_that_was_learned() {
        let mut rng = Pcg32::new(8, 1);
        let positions = planted(1000, |inputs| inputs[0] - inputs[1], &mut rng);
        let mut trainer = Trainer::new(INPUTS, &mut rng);
        trainer.pass(&positions, [0.3, 0.6], &mut rng);
        let (inputs, target) = positions.at(0);
        let winner = target.iter().position(|&due| due > 0.0).expect("somebody won");
        let net = trainer.net();
        let mut chances: Vec<f32> = inputs.chunks(INPUTS).map(|inputs| net.worth(inputs)).collect();
        softmax(&mut chances);
        let nats = trainer.slope(&positions, &[0]).nats;
        assert!((nats + f64::from(chances[winner]).ln()).abs() < 1e-5);
    }

    /// Seat 1 wins the first quarter of the positions and seat 2 the rest, and nothing else tells them apart: seat 2 wins with
    /// 3/4. Who goes through them in their order believes at the end that it always wins.
    #[test]
    fn batches_are_drawn_from_all_positions() {
        let mut positions = Positions::default();
        for (batches, winner) in [(60, 0), (180, 1)] {
            (0..batches * BATCH).for_each(|_| positions.add(&[1.0, 0.0], &[won_by(winner)]));
        }
        let mut rng = Pcg32::new(6, 6);
        let mut trainer = Trainer::new(1, &mut rng);
        trainer.pass(&positions, [RISE, RISE], &mut rng);
        let mut one = Positions::default();
        one.add(&[1.0, 0.0], &[won_by(1)]);
        let chance = libm::exp(-loss(&trainer, &one));
        assert!((chance - 0.75).abs() < 0.05, "seat 2 wins with {chance}");
    }

    /// By hand, from K. and B., algorithm 1: with one gradient g, the first step is size · g / (|g| + 1e-8), and the
    /// second with the gradient -g is size · (0.9 · 0.1 g - 0.1 g) / (1 - 0.81) / |g| against it.
    #[test]
    fn steps_are_those_of_adam() {
        let mut trainer = Trainer::new(1, &mut Pcg32::new(1, 1));
        trainer.weights[0][3] = 0.5;
        let mut rows = vec![[0.0; SUMS]; 3];
        rows[0][3] = 8.0;
        trainer.step(&rows, 4, 0.1);
        assert!((trainer.weights[0][3] - 0.4).abs() < 1e-6, "{}", trainer.weights[0][3]);
        rows[0][3] = -8.0;
        trainer.step(&rows, 4, 0.1);
        let due = 0.4 + 0.1 * 0.01 / 0.19;
        assert!((trainer.weights[0][3] - due).abs() < 1e-6, "{}", trainer.weights[0][3]);
    }

    #[test]
    fn steps_grow_then_fall_to_nothing() {
        let due = [(0.0, 1.2e-4), (0.3, 3e-3), (0.15, 1.56e-3), (0.65, 1.5e-3), (1.0, 1.2e-8)];
        for (over, due) in due {
            assert!((step_size(over) / due - 1.0).abs() < 1e-4, "{over}: {}", step_size(over));
        }
    }

    #[test]
    fn threads_change_no_bit_and_words_give_all_back() {
        let taught = planted(1500, |inputs| inputs[4], &mut Pcg32::new(2, 9));
        let learn = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let mut trainer = Trainer::new(INPUTS, &mut Pcg32::new(4, 4));
                let nats = trainer.pass(&taught, [0.2, 0.6], &mut Pcg32::new(5, 5));
                (trainer, nats.to_bits())
            })
        };
        let one = learn(1);
        assert!(one == learn(2) && one == learn(5));
        let words: Vec<u64> = one.0.encode().collect();
        let empty = Trainer::new(INPUTS, &mut Pcg32::new(0, 0));
        assert_eq!(empty.decode(&words), Some(one.0));
        let forged = |at: usize, word: u64| {
            let mut words = words.clone();
            words[at] = word;
            empty.decode(&words)
        };
        assert_eq!(forged(1, 1 << 32), None, "no 32 bits");
        assert_eq!(forged(1, f32::NAN.to_bits().into()), None);
        assert_eq!(forged(words.len() - 1, (-1.0_f32).to_bits().into()), None, "a square");
        assert_eq!(empty.decode(&[]), None);
    }
}
