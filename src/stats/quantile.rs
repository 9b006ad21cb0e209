//! Quantiles of a histogram of exact sums, with intervals from the shares below each value.
//!
//! The quantile at q is the least value v whose running share F(v), the share of all that is at most v,
//! reaches q. Its interval holds each v at which neither "F(v) is below q" nor "F(v − 1) is q or more" can
//! be ruled out by the 95 % interval of that share. So the interval of the quantile is the one of shares,
//! inverted, and holds its level for counts, too.
//!
//! Sources: R. Woodruff, "Confidence Intervals for Medians and Other Position Measures", 1952; C. Francisco
//! and W. Fuller, "Quantile Estimation with a Complex Survey Design", 1991, for blocks instead of single
//! observations.

use crate::stats::held::Held;
use crate::stats::jackknife::Grouped;
use std::ops::Range;

/// A quantile as positions in a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantile {
    /// The quantile.
    pub at: usize,
    /// Ends of its 95 % interval; `None` if there is too little to bound it on both sides.
    pub interval: Option<(usize, usize)>,
}

impl Grouped {
    /// The quantile at `percent` of a histogram, one counter for each value in ascending order; `None` if all of
    /// its counters are 0.
    pub fn quantile(&self, histogram: Range<usize>, percent: u8) -> Option<Quantile> {
        let [quantile] = self.quantiles(histogram, [percent]);
        quantile
    }

    /// The quantiles at several shares.
    pub fn quantiles<const COUNT: usize>(
        &self,
        histogram: Range<usize>,
        percents: [u8; COUNT],
    ) -> [Option<Quantile>; COUNT] {
        let first = histogram.start;
        // Above the greatest value that was seen, running shares stay 1.
        let Some(seen) = histogram.rev().find(|&counter| self.sum(counter) > 0) else {
            return [None; COUNT];
        };
        let running = self.running(first..seen + 1);
        let last = seen - first;
        let all = u128::from(running.sum(last));
        percents.map(|percent| {
            let reaches =
                |at: &usize| u128::from(running.sum(*at)) * 100 >= all * u128::from(percent);
            let at = (0..=last).find(reaches)?;
            Some(Quantile { at, interval: running.outwards(at, f64::from(percent) / 100.0) })
        })
    }

    /// Of running sums: from `at` outwards, as far as the running share may be what it has to be.
    fn outwards(&self, at: usize, share: f64) -> Option<(usize, usize)> {
        let last = self.width() - 1;
        let all = Held::anywhere(self.sum(last));
        // A value that was never seen has the running share of the one below it.
        let mut known = (None, None);
        let mut running = |at: usize| {
            if known.0 != Some(self.sum(at)) {
                let running = self.share_among(|sums| sums.ratio(at, last), all);
                let interval = running.and_then(|share| share.interval);
                known = (Some(self.sum(at)), interval);
            }
            known.1
        };
        let (mut low, mut high) = (at, at);
        while low > 0 && running(low - 1)?.1 >= share {
            low -= 1;
        }
        while running(high)?.0 < share {
            high += 1;
            if high > last {
                return None;
            }
        }
        // Below the least value that was seen, nothing bounds the quantile.
        let seen = (0..=last).find(|&at| self.sum(at) > 0)?;
        (low >= seen).then_some((low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::below;
    use crate::core::seed::{BlockSeed, Stream};

    /// A histogram of values that come in blocks of `together` alike ones.
    fn histogram(values: impl Iterator<Item = u32>, width: usize, together: u64) -> Grouped {
        let mut grouped = Grouped::new(width);
        for (chunk, value) in values.enumerate() {
            let mut sums = vec![0; width];
            sums[value as usize] = together;
            grouped.add(chunk as u64, 1, &sums);
        }
        grouped
    }

    #[test]
    fn a_quantile_is_the_least_value_that_reaches_its_share() {
        // 1 to 20, once each: a twentieth lies at 1, a quarter at 5, half at 10.
        let grouped = histogram(1..=20, 25, 1);
        let at = |percent| grouped.quantile(0..25, percent).unwrap().at;
        assert_eq!([5, 25, 50, 51, 95, 100].map(at), [1, 5, 10, 11, 19, 20]);
        assert_eq!(Grouped::new(3).quantile(0..3, 50), None, "nothing was seen");
        let inner = grouped.quantile(3..25, 50).unwrap();
        assert_eq!(inner.at, 11 - 3, "positions count from the histogram's start");
    }

    #[test]
    fn the_median_of_a_few_values_has_the_ranks_of_the_binomial_law() {
        // The median of 64 lies between the 24th and the 41st with 96.7 %, between the 25th and the 40th
        // with 94.0 % (binomial law of 64 and one half).
        let grouped = histogram(1..=64, 66, 1);
        let quantile = grouped.quantile(0..66, 50).unwrap();
        assert_eq!(quantile, Quantile { at: 32, interval: Some((24, 41)) });
    }

    #[test]
    fn too_few_values_bound_no_quantile_at_the_edge() {
        let grouped = histogram(1..=20, 25, 1);
        assert_eq!(grouped.quantile(0..25, 5).unwrap().interval, None);
        assert_eq!(grouped.quantile(0..25, 95).unwrap().interval, None);
        assert!(grouped.quantile(0..25, 50).unwrap().interval.is_some());
        let one = histogram(7..8, 25, 1);
        assert_eq!(one.quantile(0..25, 50), Some(Quantile { at: 7, interval: None }));
    }

    #[test]
    fn intervals_of_quantiles_cover_the_truth() {
        // The larger of two dice of 30 faces: F(v) = (v/30)²; in each block, two matches alike.
        // 95 % ± 4 standard errors of 1.1 %, and more where a step of F is wide.
        for (percent, truth) in [(5, 7), (25, 15), (50, 22), (75, 26), (95, 30)] {
            let mut covered = 0;
            for run in 0..400 {
                let mut rng = BlockSeed::new(run, 0).stream(Stream::Study, None, 0);
                let mut die = move || below(&mut rng, 30) + 1;
                let values: Vec<u32> = (0..200).map(|_| die().max(die())).collect();
                let grouped = histogram(values.into_iter(), 32, 2);
                let (low, high) = grouped.quantile(0..32, percent).unwrap().interval.unwrap();
                covered += u32::from(low <= truth && truth <= high);
            }
            assert!(covered >= 363, "{covered} of 400 at {percent} %");
        }
    }
}
