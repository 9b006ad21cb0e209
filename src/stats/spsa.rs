//! The maximum of a response that is seen with noise, in several parameters at once: simultaneous perturbation
//! stochastic approximation (J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", 1992). Each iteration moves all parameters at random by ±c_k, looks at the response on both sides,
//! and goes by a_k times the slope: two looks an iteration, whatever the number of parameters.
//!
//! Parameters lie on scales from 0 to 1. The gains a_k and c_k fall as J. Spall, "Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization", 1998, recommends: a_k with exponent 0.602 after a tenth of the
//! iterations as a stabilizer, c_k with exponent 0.101. He chooses a such that the first steps have a desired length.
//! Here a difference is divided by the root mean square of all differences so far, so that steps have the length a_k
//! whatever the size of the response and its noise. What is found is the mean of the second half of the iterations
//! (B. Polyak, A. Juditsky, "Acceleration of stochastic approximation by averaging", 1992).

/// The length of the first step in each parameter.
const STEP: f64 = 0.1;
/// How far the first look moves each parameter to either side.
const MOVE: f64 = 0.15;
/// The exponents of the gains.
const STEP_EXPONENT: f64 = 0.602;
const MOVE_EXPONENT: f64 = 0.101;
/// The stabilizer, as a share of the iterations.
const STABILIZER: f64 = 0.1;

/// A search at some iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Spsa {
    place: Vec<f64>,
    iterations: u32,
    done: u32,
    /// The sum of the squared differences.
    squares: f64,
    /// The sum of the places of the second half, and how many these are.
    sum: Vec<f64>,
    kept: u32,
}

/// The two places of an iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Sides {
    /// Where the parameters are moved by their signs.
    pub plus: Vec<f64>,
    /// And against them.
    pub minus: Vec<f64>,
}

impl Spsa {
    /// A search from a place on, with a number of iterations.
    pub fn new(start: Vec<f64>, iterations: u32) -> Spsa {
        let sum = vec![0.0; start.len()];
        Spsa { place: start, iterations, done: 0, squares: 0.0, sum, kept: 0 }
    }

    /// Where the search stands.
    pub fn place(&self) -> &[f64] {
        &self.place
    }

    /// Where to look in this iteration, by a random sign for each parameter. A side that lies beyond the scale's end is
    /// moved to the end.
    pub fn sides(&self, signs: &[bool]) -> Sides {
        let by = MOVE / libm::pow(f64::from(self.done) + 1.0, MOVE_EXPONENT);
        let side = |direction: f64| {
            let moved = |(place, sign): (&f64, &bool)| {
                let by = if *sign { by } else { -by };
                (place + direction * by).clamp(0.0, 1.0)
            };
            self.place.iter().zip(signs).map(moved).collect()
        };
        Sides { plus: side(1.0), minus: side(-1.0) }
    }

    /// The response on the plus side was larger by `difference`: takes a step.
    pub fn step(&mut self, sides: &Sides, difference: f64) {
        let stabilizer = STABILIZER * f64::from(self.iterations);
        let fallen = (1.0 + stabilizer) / (f64::from(self.done) + 1.0 + stabilizer);
        let gain = STEP * libm::pow(fallen, STEP_EXPONENT);
        self.done += 1;
        self.squares += difference * difference;
        let size = libm::sqrt(self.squares / f64::from(self.done));
        if size > 0.0 {
            for ((place, plus), minus) in self.place.iter_mut().zip(&sides.plus).zip(&sides.minus) {
                let direction = if plus > minus { 1.0 } else { -1.0 };
                *place = (*place + gain * direction * difference / size).clamp(0.0, 1.0);
            }
        }
        if 2 * self.done > self.iterations {
            self.kept += 1;
            self.sum.iter_mut().zip(&self.place).for_each(|(sum, place)| *sum += place);
        }
    }

    /// The mean of the places of the second half; where the search stands before that.
    pub fn mean(&self) -> Vec<f64> {
        if self.kept == 0 {
            return self.place.clone();
        }
        self.sum.iter().map(|sum| sum / f64::from(self.kept)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::unit;
    use crate::core::seed::{BlockSeed, Stream};
    use rand_core::Rng;
    use rand_pcg::Pcg32;

    /// The rate of wins in 200 flips of a coin that falls with the squared distance from a peak.
    fn seen(peak: &[f64], depth: f64, place: &[f64], rng: &mut Pcg32) -> f64 {
        let off: f64 = peak.iter().zip(place).map(|(peak, at)| (at - peak) * (at - peak)).sum();
        let rate = 0.4 - depth * off;
        (0..200).filter(|_| f64::from(unit(rng)) < rate).count() as f64 / 200.0
    }

    /// What is found on such a response, from the middle on.
    fn found(peak: &[f64], depth: f64, run: u64) -> Vec<f64> {
        let mut search = Spsa::new(vec![0.5; peak.len()], 250);
        let mut rng = BlockSeed::new(run, 0).stream(Stream::Study, None, 0);
        for _ in 0..250 {
            let signs: Vec<bool> = peak.iter().map(|_| rng.next_u32() >> 31 == 1).collect();
            let sides = search.sides(&signs);
            let [plus, minus] = [&sides.plus, &sides.minus];
            let difference = seen(peak, depth, plus, &mut rng) - seen(peak, depth, minus, &mut rng);
            search.step(&sides, difference);
        }
        search.mean()
    }

    /// Two corners and a middle are worth 30, 15 and 0 per cent of matches less than the peak at a distance of 1/2.
    #[test]
    fn a_planted_peak_is_found() {
        for peak in [vec![0.8, 0.3], vec![0.5, 0.9, 0.2, 0.6], vec![0.7]] {
            let mut squares = 0.0;
            for run in 0..40 {
                let found = found(&peak, 0.6, run);
                let off = found.iter().zip(&peak).map(|(found, peak)| (found - peak).powi(2));
                squares += off.sum::<f64>() / peak.len() as f64;
            }
            let error = (squares / 40.0).sqrt();
            assert!(error < 0.06, "{error} for {peak:?}");
        }
    }

    #[test]
    fn a_search_keeps_to_its_scales_and_stays_where_nothing_differs() {
        let mut search = Spsa::new(vec![0.95, 0.05], 10);
        let sides = search.sides(&[true, true]);
        assert_eq!((sides.plus[0], sides.minus[1]), (1.0, 0.0));
        search.step(&sides, 0.0);
        assert_eq!(search.place(), [0.95, 0.05]);
        (0..8).for_each(|_| search.step(&sides, 1.0));
        assert!(search.place()[0] >= 1.0, "{:?}", search.place());
        // The first step has its full length in each parameter, against the sign if the response fell.
        let mut search = Spsa::new(vec![0.5, 0.5], 10);
        let sides = search.sides(&[true, false]);
        search.step(&sides, -0.001);
        assert!((search.place()[0] - 0.4).abs() < 1e-12, "{:?}", search.place());
        assert!((search.place()[1] - 0.6).abs() < 1e-12);
    }
}
