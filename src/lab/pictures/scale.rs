//! A scale: from values to places on a picture, with round numbers to mark on it.

/// The most marks on an axis.
const MARKS_MAX: usize = 12;

/// A scale from values to places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The values at both ends, the smaller first.
    pub values: (f64, f64),
    /// Their places.
    pub places: (f64, f64),
    /// From one round number to the next.
    pub step: f64,
    /// Decimals that those need.
    pub decimals: usize,
}

impl Scale {
    /// A scale that holds all these values, between round numbers, with about so many of them marked. Values that are not
    /// finite are left out; without any it goes from 0 to 1.
    pub fn around(
        values: impl IntoIterator<Item = f64>,
        places: (f64, f64),
        marks: usize,
    ) -> Scale {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        // Beyond this, differences of neighbouring marks could not be told apart.
        for value in values.into_iter().filter(|value| value.abs() < 1e12) {
            (lo, hi) = (lo.min(value), hi.max(value));
        }
        if lo > hi {
            (lo, hi) = (0.0, 1.0);
        }
        let least = (lo.abs().max(hi.abs()) * 1e-6).max(1e-6);
        if hi - lo < least {
            (lo, hi) = (lo - least / 2.0, hi + least / 2.0);
        }
        let (step, decimals) = round_step((hi - lo) / marks.max(1) as f64);
        let values = (libm::floor(lo / step) * step, libm::ceil(hi / step) * step);
        Scale { values, places, step, decimals }
    }

    /// The place of a value; what is beyond an end is put there.
    pub fn place(&self, value: f64) -> f64 {
        let ((lo, hi), (start, end)) = (self.values, self.places);
        let share = ((value - lo) / (hi - lo)).clamp(0.0, 1.0);
        start + share * (end - start)
    }

    /// The round numbers on it.
    pub fn marks(&self) -> Vec<f64> {
        let (lo, hi) = self.values;
        let all = (0..=4 * MARKS_MAX).map(|at| lo + at as f64 * self.step);
        let all: Vec<f64> = all.take_while(|mark| *mark <= hi + self.step / 2.0).collect();
        let every = all.len().div_ceil(MARKS_MAX);
        all.into_iter().step_by(every).collect()
    }
}

/// The round number of the form 1, 2 or 5 times a power of ten that is no smaller, and the decimals that it needs.
fn round_step(step: f64) -> (f64, usize) {
    let mut power = -9_i32;
    while power < 12 {
        for times in [1.0, 2.0, 5.0] {
            let round = times * libm::pow(10.0, f64::from(power));
            if round >= step * (1.0 - 1e-9) {
                return (round, usize::try_from(-power).unwrap_or(0));
            }
        }
        power += 1;
    }
    (libm::pow(10.0, 12.0), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers_that_hold_all_values() {
        let scale = Scale::around([23.4, 26.8], (0.0, 100.0), 5);
        assert_eq!(scale.values, (23.0, 27.0));
        assert_eq!(scale.marks(), [23.0, 24.0, 25.0, 26.0, 27.0]);
        assert_eq!(scale.decimals, 0);
        for (value, place) in [(23.0, 0.0), (25.0, 50.0), (27.0, 100.0), (90.0, 100.0)] {
            assert!((scale.place(value) - place).abs() < 1e-9, "{value}");
        }
        let fine = Scale::around([-0.0312, 0.0119], (0.0, 1.0), 5);
        assert_eq!((fine.step, fine.decimals), (0.01, 2));
    }

    #[test]
    fn no_values_are_too_strange_for_a_scale() {
        let strange = [
            vec![],
            vec![f64::NAN],
            vec![f64::INFINITY, 3.0],
            vec![1e300, -1e300],
            vec![5.0, 5.0],
            vec![0.0],
            vec![1e11, 1e11 + 1e-9],
            vec![1e-300, 2e-300],
        ];
        for values in strange {
            let scale = Scale::around(values.iter().copied(), (0.0, 400.0), 5);
            let marks = scale.marks();
            assert!((2..=13).contains(&marks.len()), "{values:?}: {marks:?}");
            for value in values.iter().filter(|value| value.abs() < 1e12) {
                let place = scale.place(*value);
                assert!((0.0..=400.0).contains(&place), "{value} at {place}");
            }
        }
    }
}
