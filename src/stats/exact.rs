//! The exact interval of a binomial share, from the tails of the binomial law: it misses the truth in 5 % of samples
//! at most, at any size.
//!
//! With x successes of n, the lower end is the p at which x or more have the probability α/2, the upper end that at
//! which x or fewer have it; 0 and 1 where there is none.
//!
//! Source: C. Clopper, E. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
//! Biometrika, 1934. The tails are incomplete beta functions: P(X ≥ x) = I_p(x, n − x + 1).

use crate::stats::wilson::wilson;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::beta::beta_reg;
use std::sync::OnceLock;

/// Successes, and failures, up to which the tails are summed: the series of the library converges there. Beyond,
/// Wilson's interval with half a success more or fewer is the same to a fiftieth of a standard error.
const SUMMED: f64 = 1000.0;

/// One minus the level of an interval, if nobody asks for another.
pub const ALPHA: f64 = 0.05;

/// The most steps to an end of an interval; about ten are taken.
const STEPS: usize = 200;

/// How near an end is found, relative to itself.
const TOLERANCE: f64 = 1e-14;

/// The interval of level 1 − `alpha` for the share of `n` independent things, `p` of which were seen to have it.
pub fn interval(p: f64, n: u64, alpha: f64) -> (f64, f64) {
    let all = n as f64;
    let seen = libm::round(p * all);
    if seen.min(all - seen) > SUMMED {
        let z = -Normal::standard().inverse_cdf(alpha / 2.0);
        let half = 0.5 / all;
        return (wilson(p - half, all, z).0, wilson(p + half, all, z).1);
    }
    let found = || {
        let low = if seen < 1.0 { 0.0 } else { reached(seen, all - seen + 1.0, alpha / 2.0) };
        let high =
            if all - seen < 1.0 { 1.0 } else { reached(seen + 1.0, all - seen, 1.0 - alpha / 2.0) };
        (low, high)
    };
    kept(seen, n, alpha).map_or_else(found, |kept| *kept.get_or_init(found))
}

/// The most things of a sample whose interval is kept.
const KEPT_MAX: usize = 200;

/// Where the 95 % interval of a small sample is kept: the tables of a short run need few of them many times over.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of things")]
fn kept(seen: f64, n: u64, alpha: f64) -> Option<&'static OnceLock<(f64, f64)>> {
    static KEPT: [[OnceLock<(f64, f64)>; KEPT_MAX + 1]; KEPT_MAX + 1] =
        [const { [const { OnceLock::new() }; KEPT_MAX + 1] }; KEPT_MAX + 1];
    let of_size = KEPT.get(usize::try_from(n).ok()?)?;
    if alpha.to_bits() == ALPHA.to_bits() { of_size.get(seen as usize) } else { None }
}

/// The p at which I_p(a, b) is `share`: by inverse quadratic interpolation between ends that enclose it, or the middle
/// where that can't be trusted. Source: T. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero
/// of a nonlinear function without using derivatives", Advances in Engineering Software, 1997.
fn reached(a: f64, b: f64, share: f64) -> f64 {
    // The last two points, which enclose it, and the one before; each with what it is above the share.
    let (mut last, mut other) = ((1.0, 1.0 - share), (0.0, -share));
    let mut ahead = 0.5;
    for _ in 0..STEPS {
        let p = last.0 + ahead * (other.0 - last.0);
        let found = (p, beta_reg(a, b, p) - share);
        let same_side = (found.1 > 0.0) == (last.1 > 0.0);
        let before = if same_side { last } else { std::mem::replace(&mut other, last) };
        last = found;
        let nearest = if last.1.abs() < other.1.abs() { last } else { other };
        let least = TOLERANCE * nearest.0 / (other.0 - last.0).abs();
        if least > 0.5 || nearest.1 == 0.0 {
            return nearest.0;
        }
        ahead = interpolated(last, other, before).clamp(least, 1.0 - least);
    }
    last.0
}

/// How far from the last point to the other one the root lies, of which the two are on either side.
fn interpolated(last: (f64, f64), other: (f64, f64), before: (f64, f64)) -> f64 {
    let place = (last.0 - other.0) / (before.0 - other.0);
    let height = (last.1 - other.1) / (before.1 - other.1);
    let trusted = height * height < place && (1.0 - height) * (1.0 - height) < 1.0 - place;
    if !trusted {
        return 0.5;
    }
    last.1 / (other.1 - last.1) * before.1 / (other.1 - before.1)
        + (before.0 - last.0) / (other.0 - last.0) * last.1 / (before.1 - last.1) * other.1
            / (before.1 - other.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_agree_with_the_sums_of_the_binomial_law() {
        // binom.test of R: 10 of 100, 3 of 7; none and all of 12 by 1 − 0.025^(1/12).
        let all = 0.025_f64.powf(1.0 / 12.0);
        for (seen, n, low, high) in [
            (10.0, 100, 0.049_004_69, 0.176_222_60),
            (3.0, 7, 0.098_988_28, 0.815_948_44),
            (0.0, 12, 0.0, 1.0 - all),
            (12.0, 12, all, 1.0),
        ] {
            let (lo, hi) = interval(seen / n as f64, n, 0.05);
            assert!(
                (lo - low).abs() < 1e-6 && (hi - high).abs() < 1e-6,
                "{seen} of {n}: {lo} {hi}"
            );
        }
    }

    #[test]
    fn it_misses_no_more_than_it_may_at_any_share() {
        // All samples of 30, by their exact probabilities.
        for share in [0.01, 0.1, 0.25, 0.5, 0.93] {
            let mut chance = (1.0_f64 - share).powi(30);
            let mut missed = 0.0;
            for seen in 0..=30 {
                let (lo, hi) = interval(f64::from(seen) / 30.0, 30, 0.05);
                missed += if lo <= share && share <= hi { 0.0 } else { chance };
                chance *= f64::from(30 - seen) / f64::from(seen + 1) * share / (1.0 - share);
            }
            assert!(missed <= 0.05, "{missed} at {share}");
        }
    }

    /// Ends are where the tails have what they should, also in the smallest and largest samples.
    #[test]
    fn ends_have_the_tails_that_are_asked_for() {
        for n in [1_u64, 2, 5, 30, 300, 2000, 1_000_000, 1_000_000_000_000] {
            for seen in [0, 1, 2, n / 3, n / 2, n - 1, n] {
                let (x, all) = (seen as f64, n as f64);
                if seen > n || x.min(all - x) > SUMMED {
                    continue;
                }
                for alpha in [0.05, 1e-5] {
                    let (lo, hi) = interval(x / all, n, alpha);
                    // A little to the left of an end the tail is on one side of what it should be, to the right on the other.
                    let least = |end: f64| (1e-10 * end).max(f64::MIN_POSITIVE);
                    let around = |end: f64| [end - least(end), (end + least(end)).min(1.0)];
                    let below =
                        around(lo).map(|p| seen > 0 && beta_reg(x, all - x + 1.0, p) < alpha / 2.0);
                    assert!(seen == 0 || below == [true, false], "{seen} of {n}: {lo}");
                    let below = around(hi)
                        .map(|p| seen < n && beta_reg(x + 1.0, all - x, p) < 1.0 - alpha / 2.0);
                    assert!(seen == n || below == [true, false], "{seen} of {n}: {hi}");
                }
            }
        }
    }

    #[test]
    fn both_forms_agree_where_they_meet() {
        for n in [2002_u64, 4000, 100_000, 100_000_000] {
            let all = n as f64;
            let se = |p: f64| (p * (1.0 - p) / all).sqrt();
            let [one, other] = [1000.0, 1001.0].map(|seen| interval(seen / all, n, 0.05));
            let step = 1.0 / all;
            let tolerance = 0.02 * se(1000.0 / all);
            assert!((other.0 - one.0 - step).abs() < tolerance, "{n}: {one:?} {other:?}");
            assert!((other.1 - one.1 - step).abs() < tolerance, "{n}: {one:?} {other:?}");
        }
    }

    #[test]
    fn large_samples_have_ends_too() {
        let (lo, hi) = interval(0.25, 100_000_000, 0.05);
        assert!((hi - lo - 2.0 * 1.96 * (0.25_f64 * 0.75 / 1e8).sqrt()).abs() < 1e-6, "{lo} {hi}");
        let (lo, hi) = interval(0.0, 1_000_000_000_000, 0.05);
        assert!(lo <= 0.0 && hi < 1e-11, "{lo} {hi}");
    }
}
