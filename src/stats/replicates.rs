//! Means of a few independent repetitions of one measurement, with Student's t interval ("Student", "The Probable
//! Error of a Mean", 1908).

use crate::stats::jackknife::t_quantile;
use serde::Serialize;

/// A mean with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// The interval; none for fewer than two repetitions.
    pub interval: Option<(f64, f64)>,
}

impl Mean {
    /// The mean of some repetitions; nothing if there are none.
    pub fn of(values: &[f64]) -> Option<Mean> {
        let n = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let value = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|other| (other - value) * (other - value)).sum();
        let interval = t_quantile(values.len()).map(|t| {
            let half = t * libm::sqrt(squares / (n - 1.0) / n);
            (value - half, value + half)
        });
        Some(Mean { value, interval })
    }

    /// The same for a share, which is never below 0 or above 1.
    pub fn share(values: &[f64]) -> Option<Mean> {
        let mean = Mean::of(values)?;
        let interval = mean.interval.map(|(low, high)| (low.max(0.0), high.min(1.0)));
        Some(Mean { interval, ..mean })
    }

    /// Whether the whole interval lies above 0.
    pub fn is_above_zero(&self) -> bool {
        self.interval.is_some_and(|(low, _)| low > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean 3, standard deviation √2.5, t(4) = 2.776445: 3 ± 1.963243.
    #[test]
    fn the_interval_is_students() {
        let mean = Mean::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("some values");
        let (low, high) = mean.interval.expect("five values");
        assert!((mean.value - 3.0).abs() < 1e-12);
        assert!((low - 1.036_757).abs() < 1e-5 && (high - 4.963_243).abs() < 1e-5, "{low} {high}");
        assert!(mean.is_above_zero());
        assert!(!Mean::of(&[-1.0, 3.0]).expect("some values").is_above_zero());
        let share = Mean::share(&[0.0, 1.0]).expect("some values");
        assert_eq!(share.interval, Some((0.0, 1.0)));
    }

    #[test]
    fn one_repetition_has_no_interval_and_none_no_mean() {
        assert_eq!(Mean::of(&[0.5]), Some(Mean { value: 0.5, interval: None }));
        assert_eq!(Mean::of(&[]), None);
    }
}
