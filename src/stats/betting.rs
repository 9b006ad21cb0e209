//! A confidence sequence for the mean of bounded scores, and one-sided tests of it, by betting. Both hold
//! at all looks together, exactly and not only for large samples. They are functions of counts alone, so a
//! run can be watched, stopped and resumed without a history.
//!
//! A gambler who stakes λ on s − μ at each block has, after blocks with scores s_j seen c_j times,
//!
//! * M(μ) = weighted mean over stakes λ of Π (1 + λ (s_j − μ))^c_j
//!
//! times the initial wealth. If μ is the true mean, the game is fair, so by Ville's inequality
//! M(μ) ever reaches 1/α with a chance of at most α, and the means with M(μ) < 1/α are a confidence
//! sequence. For scores from `first` to `last`, stakes are κ / (μ − first) and −κ / (last − μ): a
//! score at the far end costs a share κ < 1 of the wealth. Of [`STAKES`] shares, down from [`LARGEST`] by
//! halves, the k-th gets a part of the wealth in proportion to 1/(k (k + 1)), the same on both sides: large
//! stakes decide early, small ones late, and most runs end after some hundred blocks.
//!
//! With stakes of one sign only the game is fair or worse for every mean on one side of μ: whoever bets on
//! larger scores gains nothing on average if the mean is μ or less. So that wealth reaches 1/α with a chance
//! of at most α for all of these means ([`log_wealth`]).
//!
//! The set is an interval: as functions of μ, the factors 1 − κ + κ (s − first) / (μ − first) of
//! one stake are positive, convex and fall (those of the other side rise). A product of such
//! functions is convex, and so is the mean over stakes. The sample mean m is inside: by Jensen's
//! inequality Σ c_j ln(1 + λ (s_j − m)) ≤ n ln 1 = 0.
//!
//! Sources: I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting",
//! Journal of the Royal Statistical Society B, 2024; mixtures: H. Robbins, "Statistical methods
//! related to the law of the iterated logarithm", 1970; J. Ville, "Étude critique de la notion de
//! collectif", 1939.

/// The largest share of wealth that is lost to one score. A smaller one is tighter for large
/// samples, a larger one for small samples; at 0.9 neither loses more than a few per cent.
pub const LARGEST: f64 = 0.9;

/// Shares, the smallest about 1/9000. Twice as many, by factors of √2, gain nothing.
pub const STAKES: i32 = 14;

/// What a one-sided bet is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// That the mean is larger.
    Above,
    /// That it is smaller.
    Below,
}

/// The logarithm of the wealth of one who bets that the mean is on a side of `bound`, from how often each
/// value was seen.
///
/// # Panics
/// If there are fewer than two values, they do not ascend, counts do not fit them, or the bound does not
/// lie strictly between the first and the last.
pub fn log_wealth(values: &[f64], counts: &[u64], bound: f64, side: Side) -> f64 {
    let range = range(values);
    assert_eq!(values.len(), counts.len(), "a count for each value");
    assert!(range.0 < bound && bound < range.1, "a bound inside the range of the score");
    log_mean(&logs(&seen(values, counts), range, bound, side))
}

/// The interval of level 1 − `alpha` for the mean of a score, from how often each of its values was
/// seen.
///
/// # Panics
/// If there are fewer than two values, they do not ascend, or counts do not fit them.
pub fn interval(values: &[f64], counts: &[u64], alpha: f64) -> (f64, f64) {
    let range = range(values);
    assert_eq!(values.len(), counts.len(), "a count for each value");
    let seen = seen(values, counts);
    let blocks: f64 = seen.iter().map(|(_, count)| count).sum();
    if seen.is_empty() {
        return range;
    }
    let mean: f64 = seen.iter().map(|(value, count)| value * (count / blocks)).sum();
    let mean = mean.clamp(range.0, range.1);
    let inside = |mu: f64| log_of_both(&seen, range, mu) < -libm::log(alpha);
    (end(mean, range.0, inside), end(mean, range.1, inside))
}

/// The first and the last value.
fn range(values: &[f64]) -> (f64, f64) {
    assert!(
        values.len() > 1 && values.is_sorted_by(|a, b| a < b),
        "two values at least, ascending"
    );
    (values[0], values[values.len() - 1])
}

/// The values that were seen, and how often.
fn seen(values: &[f64], counts: &[u64]) -> Vec<(f64, f64)> {
    let pairs = values.iter().zip(counts).filter(|&(_, &count)| count > 0);
    pairs.map(|(&value, &count)| (value, count as f64)).collect()
}

/// The end of the interval between the sample mean and an end of the range, where wealth has no
/// bound unless all scores were the same.
fn end(mean: f64, limit: f64, inside: impl Fn(f64) -> bool) -> f64 {
    let (mut near, mut far) = (mean, limit);
    for _ in 0..50 {
        let middle = f64::midpoint(near, far);
        if inside(middle) {
            near = middle;
        } else {
            far = middle;
        }
    }
    far
}

/// ln M(μ) for values and counts, μ inside the range.
fn log_of_both(seen: &[(f64, f64)], range: (f64, f64), mu: f64) -> f64 {
    let [mut all, below] = [Side::Above, Side::Below].map(|side| logs(seen, range, mu, side));
    all.extend(below);
    log_mean(&all)
}

/// For each stake on a side its weight, and the logarithm of what it has made of 1.
fn logs(seen: &[(f64, f64)], (first, last): (f64, f64), mu: f64, side: Side) -> Vec<(f64, f64)> {
    let end = if side == Side::Above { first } else { last };
    let stake = |k: i32| {
        let bet = LARGEST * libm::exp2(-f64::from(k - 1)) / (mu - end);
        let grown = seen.iter().map(|(s, n)| n * libm::log1p(bet * (s - mu))).sum();
        (1.0 / f64::from(k * (k + 1)), grown)
    };
    (1..=STAKES).map(stake).collect()
}

/// The logarithm of a weighted mean.
fn log_mean(logs: &[(f64, f64)]) -> f64 {
    let top = logs.iter().map(|&(_, log)| log).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logs.iter().map(|(weight, log)| weight * libm::exp(log - top)).sum();
    let weights: f64 = logs.iter().map(|(weight, _)| weight).sum();
    top + libm::log(sum / weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::seed::{BlockSeed, Stream};
    use rand_core::Rng;

    /// Scores of a duel with four games each way, how often each comes in 100 blocks, and their
    /// spread.
    const VALUES: [f64; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];
    const COUNTS: [u64; 9] = [1, 4, 10, 20, 30, 20, 10, 4, 1];
    const VARIANCE: f64 = 0.14;

    #[test]
    fn the_interval_misses_at_any_look_in_5_per_cent_of_runs_at_most() {
        // A look at each 10 of 2,000 blocks: symmetric scores, and rare wins, which are harder.
        let runs = 300_u32;
        let rare = [0, 0, 0, 0, 97, 0, 0, 0, 3];
        for (chances, mean) in [(COUNTS, 0.0), (rare, 0.03)] {
            let mut misses = 0;
            for run in 0..runs {
                let mut rng = BlockSeed::new(u64::from(run), 0).stream(Stream::Study, None, 0);
                let mut counts = [0; 9];
                misses += u32::from((0..200).any(|_| {
                    for _ in 0..10 {
                        let mut left = (u64::from(rng.next_u32()) * 100) >> 32;
                        let value = chances.iter().position(|&chance| {
                            let found = left < chance;
                            left = left.saturating_sub(chance);
                            found
                        });
                        counts[value.unwrap()] += 1;
                    }
                    let wealth = log_of_both(&seen(&VALUES, &counts), range(&VALUES), mean);
                    wealth >= 20_f64.ln()
                }));
            }
            let se = (0.05 * 0.95 / f64::from(runs)).sqrt();
            assert!(f64::from(misses) / f64::from(runs) <= 0.05 + 2.0 * se, "{misses} of {runs}");
        }
    }

    #[test]
    fn the_interval_is_at_most_twice_as_wide_as_that_of_a_fixed_sample() {
        // Ratios to ± 1.96 σ/√n for 100, 1,000, 10,000, 100,000 blocks: the price of all looks. It is least
        // where tests end.
        for (times, expected) in [(1, 1.63), (10, 1.78), (100, 1.85), (1000, 1.96)] {
            let (lo, hi) = interval(&VALUES, &COUNTS.map(|count| count * times), 0.05);
            let fixed = 1.959_964 * (VARIANCE / (100 * times) as f64).sqrt();
            let ratio = (hi - lo) / 2.0 / fixed;
            assert!((ratio - expected).abs() < 0.01, "{ratio} at {times} hundred");
        }
    }

    #[test]
    fn ends_are_where_wealth_reaches_its_bound() {
        for alpha in [0.05, 0.001] {
            for counts in [COUNTS, [0, 0, 0, 0, 3, 2, 0, 0, 5], [1; 9]] {
                let (lo, hi) = interval(&VALUES, &counts, alpha);
                let seen = seen(&VALUES, &counts);
                for mu in [lo, hi] {
                    let wealth = log_of_both(&seen, (-1.0, 1.0), mu);
                    assert!((wealth + alpha.ln()).abs() < 1e-6, "{wealth}");
                }
                let blocks: f64 = seen.iter().map(|(_, n)| n).sum();
                let mean = seen.iter().map(|(s, n)| s * n).sum::<f64>() / blocks;
                assert!(lo < mean && mean < hi && log_of_both(&seen, (-1.0, 1.0), mean) <= 1e-12);
            }
        }
    }

    #[test]
    fn one_score_twice_is_worth_what_a_hand_says() {
        // Two wins, mean 0 of −1 to 1: (1 + κ)² and (1 − κ)², on the mean 1 + κ².
        // The k-th of 14 stakes weighs 1/(k (k + 1)), all of them 14/15.
        let term = |k: i32| (LARGEST / 2_f64.powi(k - 1)).powi(2) / f64::from(k * (k + 1));
        let expected = 1.0 + (1..=STAKES).map(term).sum::<f64>() / (14.0 / 15.0);
        let wealth = log_of_both(&[(1.0, 2.0)], (-1.0, 1.0), 0.0).exp();
        assert!((wealth - expected).abs() < 1e-12);
    }

    #[test]
    fn no_data_leave_the_range_and_extreme_counts_an_interval() {
        assert_eq!(interval(&[-1.0, 1.0], &[0, 0], 0.05), (-1.0, 1.0));
        let many = u64::MAX;
        for counts in [[0, 0, many], [many, 0, 0], [many, many, many], [many, 0, 1], [0, 1, 0]] {
            let (lo, hi) = interval(&[-1.0, 0.0, 1.0], &counts, 0.05);
            assert!(-1.0 <= lo && lo <= hi && hi <= 1.0, "{counts:?}: {lo} {hi}");
        }
        // All wins: the upper end stays at the range, the lower one nears it.
        let (lo, hi) = interval(&[0.0, 1.0], &[0, 1000], 0.05);
        assert!(lo > 0.98 && (hi - 1.0).abs() < 1e-12, "{lo} {hi}");
    }
}
