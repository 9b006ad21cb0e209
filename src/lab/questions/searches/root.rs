//! Where a response that is seen with noise has a value: stochastic approximation (H. Robbins, S. Monro, "A stochastic
//! approximation method", 1951) with steps that fall more slowly than 1/n and the mean of the places
//! (B. Polyak, A. Juditsky, "Acceleration of stochastic approximation by averaging", 1992). Step n goes against the
//! difference that was seen at place n, divided by the slope and by n^(2/3). The mean of the places has asymptotically
//! the least variance that any method can have, σ²/(slope² n), and does not need the slope exactly.

/// The exponent of the steps, between 1/2 and 1.
const EXPONENT: f64 = 2.0 / 3.0;
/// The longest step.
const STEP_MAX: f64 = 0.25;
/// The mean leaves out one of this many places, from the first on: they are on their way.
const BURN_IN: usize = 4;
/// The share of places that it keeps.
pub const KEPT: f64 = 1.0 - 1.0 / BURN_IN as f64;

/// A walk towards the place at which the response has its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    place: f64,
    slope: f64,
    steps: u32,
    places: Vec<f64>,
}

impl Walk {
    /// A walk that begins at a place from 0 to 1; the slope is that of the response over places, not 0.
    pub fn new(place: f64, slope: f64) -> Walk {
        Walk { place: place.clamp(0.0, 1.0), slope, steps: 0, places: Vec::new() }
    }

    /// Where to look next.
    pub fn place(&self) -> f64 {
        self.place
    }

    /// The response at the present place is this much above its value; the walk takes a step.
    pub fn step(&mut self, above: f64) {
        self.steps += 1;
        self.places.push(self.place);
        let gain = 1.0 / (self.slope * libm::pow(f64::from(self.steps), EXPONENT));
        let step = (gain * above).clamp(-STEP_MAX, STEP_MAX);
        self.place = (self.place - step).clamp(0.0, 1.0);
    }

    /// The mean of the places, without the first ones; where it stands if it took no step.
    pub fn mean(&self) -> f64 {
        let kept = &self.places[self.places.len() / BURN_IN..];
        if kept.is_empty() {
            return self.place;
        }
        kept.iter().sum::<f64>() / kept.len() as f64
    }

    /// Begins again elsewhere, with the steps as short as they are by now.
    pub fn restart(&mut self, place: f64) {
        self.place = place.clamp(0.0, 1.0);
        self.places.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::unit;
    use crate::core::seed::{BlockSeed, Stream};

    /// 400 walks of 64 steps on a logistic response, of which each step sees the share of 100 coin flips, from
    /// a place and with a slope that are off. The error of the mean is near √(p(1 − p)/matches)/slope.
    #[test]
    fn the_mean_of_the_places_is_as_good_as_the_matches_allow() {
        let response = |place: f64| 1.0 / (1.0 + libm::exp(4.0 - 6.0 * place));
        let (value, root) = (0.3, (4.0 + libm::log(0.3 / 0.7)) / 6.0);
        let mut squares = 0.0;
        for run in 0..400 {
            let mut rng = BlockSeed::new(run, 0).stream(Stream::Study, None, 0);
            let mut walk = Walk::new(root + 0.1, 2.0);
            for _ in 0..64 {
                let p = response(walk.place());
                let won = (0..100).filter(|_| f64::from(unit(&mut rng)) < p).count();
                walk.step(won as f64 / 100.0 - value);
            }
            squares += (response(walk.mean()) - value).powi(2);
        }
        let error = (squares / 400.0).sqrt();
        let least = (0.3_f64 * 0.7 / (0.75 * 6400.0)).sqrt();
        assert!((0.8..1.4).contains(&(error / least)), "{error} for {least}");
    }

    #[test]
    fn a_walk_stays_on_its_scale() {
        let mut walk = Walk::new(0.9, -1.0);
        (0..9).for_each(|_| walk.step(1.0));
        assert!((walk.place() - 1.0).abs() < 1e-12);
        walk.restart(0.3);
        assert!((walk.place() - 0.3).abs() < 1e-12 && (walk.mean() - 0.3).abs() < 1e-12);
    }
}
