//! The generalized sequential likelihood ratio test of a mean, for a score with finitely many
//! values. It is the form that chess engines are tested with, for scores of any number of values;
//! it does not say how large an effect is (see the confidence sequences for that).
//!
//! For blocks with scores s_j seen c_j times, N in all, the likeliest distribution with mean μ is
//!
//! * p_j = c_j / (N (1 + θ (s_j − μ))), with θ such that Σ p_j (s_j − μ) = 0
//!
//! and the log-likelihood ratio of mean μ₁ against μ₀ is Σ c_j ln(p_j(μ₁) / p_j(μ₀)). Sampling goes
//! on until the ratio leaves Wald's bounds. A value not seen yet counts [`UNSEEN`] times, so that
//! every mean inside the range has a distribution.
//!
//! Sources: X. Li, J. Liu, Z. Ying, "Generalized sequential probability ratio test for separate
//! families of hypotheses", 2014; M. Van den Bergh, "The generalized maximum likelihood ratio for
//! the expectation value of a distribution"; the tilted distribution is that of A. Owen,
//! "Empirical likelihood", 2001; bounds, power and duration: A. Wald, "Sequential analysis", 1947.

/// The count of a value that was not seen.
pub const UNSEEN: f64 = 1e-3;

/// Scores of blocks: the values that a score can take, and how often each was seen.
#[derive(Debug, Clone, Copy)]
pub struct Scores<'a> {
    values: &'a [f64],
    counts: &'a [u64],
}

impl<'a> Scores<'a> {
    /// Scores with these values, ascending, and their counts.
    ///
    /// # Panics
    /// If there are fewer than two values, they do not ascend, or counts do not fit them.
    pub fn new(values: &'a [f64], counts: &'a [u64]) -> Scores<'a> {
        assert!(values.len() > 1, "a score has two values at least");
        assert!(values.is_sorted_by(|a, b| a < b), "values ascend");
        assert_eq!(values.len(), counts.len(), "a count for each value");
        Scores { values, counts }
    }

    /// Blocks seen.
    pub fn blocks(&self) -> f64 {
        self.counts.iter().map(|&count| count as f64).sum()
    }

    /// The sample mean; `None` without blocks.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.pairs().map(|(value, count)| value * count).sum();
        let blocks = self.blocks();
        (blocks > 0.0).then(|| sum / blocks)
    }

    /// The sample variance (divisor N − 1); `None` below two blocks.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares: f64 = self.pairs().map(|(value, n)| n * (value - mean) * (value - mean)).sum();
        let blocks = self.blocks();
        (blocks > 1.0).then(|| squares / (blocks - 1.0))
    }

    fn pairs(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.values.iter().zip(self.counts).map(|(&value, &count)| (value, count as f64))
    }

    /// Values and counts, where a value not seen counts a little.
    fn regular(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.pairs().map(|(value, count)| (value, if count > 0.0 { count } else { UNSEEN }))
    }

    /// The factors 1 + θ (s_j − μ) by which the likeliest distribution of mean μ divides c_j / N.
    fn divisors(&self, mean: f64) -> Vec<f64> {
        let total: f64 = self.regular().map(|(_, count)| count).sum();
        let theta = self.tilt(mean, total);
        // p_j ≤ 1 holds exactly, and would not after rounding.
        let divisor =
            |(value, count): (f64, f64)| (1.0 + theta * (value - mean)).max(count / total);
        self.regular().map(divisor).collect()
    }

    /// θ by bisection: Σ c_j d_j / (1 + θ d_j) with d_j = s_j − μ falls in θ. Since Σ p_j = 1 − θ Σ
    /// p_j d_j for any θ, the sum is not negative where the last p_j is 1, and not positive where
    /// the first is.
    fn tilt(&self, mean: f64, total: f64) -> f64 {
        let end = |(value, count): (f64, f64)| (count / total - 1.0) / (value - mean);
        let [mut low, mut high] =
            [self.regular().last(), self.regular().next()].map(|pair| pair.map_or(0.0, end));
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            let term = |(value, count)| count * (value - mean) / (1.0 + middle * (value - mean));
            if self.regular().map(term).sum::<f64>() > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

/// The log-likelihood ratio of mean `mean1` against mean `mean0`; 0 without blocks.
///
/// # Panics
/// If a mean does not lie strictly between the first and the last value.
pub fn llr(scores: Scores<'_>, mean0: f64, mean1: f64) -> f64 {
    let inside = |mean| scores.values[0] < mean && mean < scores.values[scores.values.len() - 1];
    assert!(inside(mean0) && inside(mean1), "means {mean0} and {mean1} in the range of the score");
    if scores.blocks() <= 0.0 {
        return 0.0;
    }
    let divisors = scores.divisors(mean0).into_iter().zip(scores.divisors(mean1));
    scores.regular().zip(divisors).map(|((_, n), (null, other))| n * libm::log(null / other)).sum()
}

/// Wald's bounds on the log-likelihood ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// At or below it the null hypothesis is accepted.
    pub lower: f64,
    /// At or above it the alternative is accepted.
    pub upper: f64,
}

/// What a sequential test says at a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// More blocks are needed.
    Continue,
    /// The mean is accepted as `mean0`, or on its side.
    AcceptNull,
    /// The mean is accepted as `mean1`, or on its side.
    AcceptAlternative,
}

impl Bounds {
    /// Bounds for the chance `alpha` to accept the alternative wrongly, `beta` the null hypothesis.
    ///
    /// # Panics
    /// If one is not positive, or both make 1 or more.
    pub fn new(alpha: f64, beta: f64) -> Bounds {
        assert!(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0, "error rates {alpha} and {beta}");
        let lower = libm::log(beta / (1.0 - alpha));
        Bounds { lower, upper: libm::log((1.0 - beta) / alpha) }
    }

    /// The decision at a log-likelihood ratio.
    pub fn decide(self, llr: f64) -> Decision {
        if llr >= self.upper {
            Decision::AcceptAlternative
        } else if llr <= self.lower {
            Decision::AcceptNull
        } else {
            Decision::Continue
        }
    }

    /// Wald's chance that the alternative is accepted if the true mean is `mean`, for any variance.
    ///
    /// It is (1 − e^(hb)) / (e^(ha) − e^(hb)), with bounds b < 0 < a and
    /// h = (μ₀ + μ₁ − 2μ) / (μ₁ − μ₀).
    pub fn operating_characteristic(self, mean: f64, mean0: f64, mean1: f64) -> f64 {
        let h = (mean0 + mean1 - 2.0 * mean) / (mean1 - mean0);
        let width = self.upper - self.lower;
        if h.abs() < 1e-6 {
            -self.lower / width
        } else if h > 0.0 {
            -libm::expm1(h * self.lower) / (libm::exp(h * self.upper) - libm::exp(h * self.lower))
        } else {
            libm::expm1(-h * self.lower) / libm::expm1(h * width)
        }
    }

    /// Wald's expected number of blocks if the score has this mean and variance.
    ///
    /// A block adds z = (μ₁ − μ₀) (s − (μ₀ + μ₁)/2) / σ² to the ratio. With P the operating
    /// characteristic it is (P a + (1 − P) b) / E z, or −ab / E z² where E z = 0; by how much the last
    /// step exceeds a bound is neglected.
    pub fn expected_blocks(self, mean: f64, variance: f64, mean0: f64, mean1: f64) -> f64 {
        let gap = mean1 - mean0;
        let off = mean - f64::midpoint(mean0, mean1);
        if (2.0 * off / gap).abs() < 1e-6 {
            return -self.upper * self.lower * variance / (gap * gap);
        }
        let accept = self.operating_characteristic(mean, mean0, mean1);
        (accept * self.upper + (1.0 - accept) * self.lower) * variance / (gap * off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores of a duel with four games each way.
    const VALUES: [f64; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];

    #[test]
    fn two_values_give_the_ratio_of_bernoulli() {
        let ratio =
            |p0: f64, p1: f64| 60.0 * (p1 / p0).ln() + 40.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        let scores = Scores::new(&[0.0, 1.0], &[40, 60]);
        for (p0, p1) in [(0.5, 0.6), (0.45, 0.75), (0.001, 0.999)] {
            assert!((llr(scores, p0, p1) - ratio(p0, p1)).abs() < 1e-9);
        }
    }

    #[test]
    fn the_likeliest_distribution_has_the_mean_asked_for() {
        let counts = [0, 3, 0, 40, 55, 61, 18, 2, 0];
        let scores = Scores::new(&VALUES, &counts);
        let total: f64 = scores.regular().map(|(_, count)| count).sum();
        for mean in [-0.99, -0.4, 0.0, 0.1, 0.999] {
            let divisors = scores.divisors(mean);
            let p: Vec<f64> =
                scores.regular().zip(divisors).map(|((_, n), d)| n / total / d).collect();
            let found: f64 = VALUES.iter().zip(&p).map(|(value, p)| value * p).sum();
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9 && (found - mean).abs() < 1e-9);
        }
        // No other mean is likelier than the sample's.
        let mean = scores.mean().unwrap();
        assert!(llr(scores, mean, mean + 0.01) < 0.0 && llr(scores, mean, mean - 0.01) < 0.0);
    }

    #[test]
    fn extreme_counts_give_a_number() {
        for counts in [[0, 0, 0], [1, 0, 0], [0, u64::MAX, 0], [u64::MAX, 0, 1], [0, 0, 7]] {
            let scores = Scores::new(&[-1.0, 0.0, 1.0], &counts);
            assert!(llr(scores, -0.3, 0.999_999).is_finite(), "{counts:?}");
        }
        let none = Scores::new(&[0.0, 1.0], &[0, 0]);
        assert_eq!((none.mean(), none.variance()), (None, None));
        assert!(llr(none, 0.4, 0.6).abs() < 1e-300);
    }

    #[test]
    fn wald_accepts_at_the_rates_asked_for() {
        let bounds = Bounds::new(0.05, 0.1);
        let accept = |mean| bounds.operating_characteristic(mean, 0.0, 2.0);
        assert!((accept(0.0) - 0.05).abs() < 1e-12 && (accept(2.0) - 0.9).abs() < 1e-12);
        assert!((accept(1.0) - accept(1.0 + 1e-5)).abs() < 1e-4 && accept(900.0) > 1.0 - 1e-9);
        assert!(accept(-1e6).abs() < 1e-9 && bounds.decide(0.0) == Decision::Continue);
        // Wald's formula for α = β = 0.05: E n = (0.95 b + 0.05 a) / E z with a = −b = ln
        // 19.
        let blocks = Bounds::new(0.05, 0.05).expected_blocks(0.0, 1.0, 0.0, 0.1);
        assert!((blocks - 0.9 * 19_f64.ln() / 0.005).abs() < 1e-6, "{blocks}");
    }
}
