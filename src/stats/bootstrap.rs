//! The bootstrap for streams: each block has a weight in each replicate, drawn from its own number,
//! so weighted sums can be added up in any order and by several machines, and nothing is kept.
//!
//! Instead of drawing n blocks of n, each block counts Poisson(1) times, which for many blocks is
//! the same. A statistic of the weighted sums, once for each replicate, is a sample of its
//! distribution.
//!
//! Sources: N. Chamandy, O. Muralidharan, A. Najmi, S. Naidu, "Estimating uncertainty for massive
//! data streams", Google, 2012; B. Efron, R. Tibshirani, "An introduction to the
//! bootstrap", 1993, chapter 13.

use crate::core::seed::{BlockSeed, Stream};
use rand_core::Rng;

/// Replicates of a statistic.
pub const REPLICATES: usize = 200;

/// The turn that names the stream of weights; matches and samples of blocks never get so far.
const TURN: u16 = u16::MAX;

/// 2³² P(X ≤ k) for Poisson(1), by k from 0; a draw's weight is the number of thresholds it
/// reaches. More than 12 would come once in 10¹⁰ draws and counts as 12.
const THRESHOLDS: [u32; 12] = [
    1_580_030_169,
    3_160_060_337,
    3_950_075_422,
    4_213_413_783,
    4_279_248_374,
    4_292_415_292,
    4_294_609_778,
    4_294_923_276,
    4_294_962_463,
    4_294_966_817,
    4_294_967_253,
    4_294_967_292,
];

/// How often a block counts in each replicate.
pub fn weights(master: u64, block: u64, out: &mut [u8; REPLICATES]) {
    let mut rng = BlockSeed::new(master, block).stream(Stream::Study, None, TURN);
    out.fill_with(|| weight(rng.next_u32()));
}

/// The number of thresholds that a draw reaches.
fn weight(draw: u32) -> u8 {
    THRESHOLDS.iter().take_while(|&&threshold| draw >= threshold).fold(0, |sum, _| sum + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::unit;

    #[test]
    fn thresholds_are_those_of_the_distribution() {
        let (mut chance, mut below) = ((-1.0_f64).exp(), 0.0);
        for (k, &threshold) in THRESHOLDS.iter().enumerate() {
            chance /= k.max(1) as f64;
            below += chance;
            assert!((below * 4_294_967_296.0 - f64::from(threshold)).abs() <= 0.501, "{k}");
        }
        assert_eq!([0, THRESHOLDS[0] - 1, THRESHOLDS[0], u32::MAX].map(weight), [0, 0, 1, 12]);
    }

    #[test]
    fn weights_are_poisson_with_mean_and_variance_1() {
        let (mut counts, mut row) = ([0_u32; 13], [0; REPLICATES]);
        let blocks = 2000;
        for block in 0..blocks {
            weights(1, block, &mut row);
            for &weight in &row {
                counts[usize::from(weight)] += 1;
            }
        }
        let n = (blocks * REPLICATES as u64) as f64;
        let moment = |of: fn(f64) -> f64| {
            counts.iter().zip(0_u8..).map(|(&c, k)| f64::from(c) * of(f64::from(k))).sum::<f64>()
                / n
        };
        // Standard errors: 1/√n of the mean, √3/√n of the variance.
        assert!((moment(|k| k) - 1.0).abs() < 4.0 / n.sqrt());
        assert!((moment(|k| (k - 1.0) * (k - 1.0)) - 1.0).abs() < 4.0 * (3.0 / n).sqrt());
        // Chi-squared over 0 to 6 and more: 99.9 % quantile with 7 degrees of freedom, 24.3.
        let ends = [&[0], &THRESHOLDS[..7], &[u32::MAX]].concat();
        let seen = counts[..7].iter().copied().chain([counts[7..].iter().sum()]);
        let chi: f64 = seen
            .zip(ends.windows(2))
            .map(|(seen, ends)| {
                let expected = n * f64::from(ends[1] - ends[0]) / 4_294_967_296.0;
                (f64::from(seen) - expected).powi(2) / expected
            })
            .sum();
        assert!(chi < 24.3, "{chi}");
    }

    #[test]
    fn a_block_has_the_same_weights_for_ever() {
        let (mut one, mut other) = ([0; REPLICATES], [9; REPLICATES]);
        weights(7, 12, &mut one);
        weights(7, 12, &mut other);
        assert_eq!(one, other);
        assert_eq!(one[..12], FIRST_WEIGHTS);
        weights(7, 13, &mut other);
        assert_ne!(one, other);
    }

    const FIRST_WEIGHTS: [u8; 12] = [1, 0, 0, 2, 2, 0, 1, 1, 2, 2, 0, 0];

    #[test]
    fn the_standard_error_of_a_mean_is_the_textbook_one() {
        // 20 samples of 300 blocks: the ratio to s/√n has a standard error of about 5 %/√20 = 1.1
        // %.
        let mut ratios = 0.0;
        for master in 0..20 {
            let mut rng = BlockSeed::new(master, 0).stream(Stream::Study, None, 0);
            let values: Vec<f64> = (0..300).map(|_| f64::from(unit(&mut rng))).collect();
            let (mut sums, mut row) = ([(0.0, 0.0); REPLICATES], [0; REPLICATES]);
            for (block, &value) in (0..).zip(&values) {
                weights(master, block, &mut row);
                for (sum, &weight) in sums.iter_mut().zip(&row) {
                    *sum = (sum.0 + f64::from(weight) * value, sum.1 + f64::from(weight));
                }
            }
            let means: Vec<f64> = sums.iter().map(|(sum, weight)| sum / weight).collect();
            ratios += deviation(&means) / (deviation(&values) / 300_f64.sqrt());
        }
        assert!((ratios / 20.0 - 1.0).abs() < 0.04, "{}", ratios / 20.0);
    }

    fn deviation(values: &[f64]) -> f64 {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0)).sqrt()
    }
}
