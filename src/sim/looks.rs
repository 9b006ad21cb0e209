//! What a run that may stop by itself saw at some of its looks, so that the path of its test can be drawn. All of the
//! first looks are kept, later ones ever less often: a run of a million looks keeps some 500.

use crate::stats::jackknife::Grouped;
use crate::stats::lists::at_most;
use serde::{Deserialize, Serialize};

/// The looks of which all are kept, and the looks that are kept of each doubling behind them.
const ALL: u64 = 64;
const OF_A_DOUBLING: u64 = ALL / 2;

/// The most looks that any run keeps: the number of a look has 64 bits, and 2^6 are all kept.
pub const MOST: usize = 64 + 32 * (64 - 6);

/// The most counters of a run that keeps looks, 15 MiB of them; comparisons have some forty.
pub const LOOKED_WIDTH_MAX: usize = 1 << 10;

/// The looks at a run that are kept, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looks(#[serde(deserialize_with = "at_most::<MOST, _, _>")] Vec<Look>);

/// What a look saw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// Its number among all looks, from 1: chunks that were played by then.
    pub number: u64,
    /// Blocks that were played by then.
    pub blocks: u64,
    /// Their sums.
    #[serde(deserialize_with = "at_most::<LOOKED_WIDTH_MAX, _, _>")]
    pub sums: Vec<u64>,
}

/// Whether a look is kept, by its number from 1.
fn is_kept(number: u64) -> bool {
    number <= ALL || number.is_multiple_of((1 << number.ilog2()) / OF_A_DOUBLING)
}

impl Look {
    /// A look at these sums.
    pub fn new(number: u64, grouped: &Grouped) -> Look {
        let sums = (0..grouped.width()).map(|counter| grouped.sum(counter)).collect();
        Look { number, blocks: grouped.blocks(), sums }
    }
}

impl Looks {
    /// Keeps a look, if it is one of those.
    pub fn note(&mut self, number: u64, grouped: &Grouped) {
        if is_kept(number) {
            self.0.push(Look::new(number, grouped));
        }
    }

    /// All of them.
    pub fn all(&self) -> &[Look] {
        &self.0
    }

    /// Whether these can be the looks at a run that has come this far; files may be forged.
    pub fn fit(&self, looks: u64, grouped: &Grouped) -> bool {
        let mut before: Option<&Look> = None;
        let all = self.0.iter().all(|look| {
            let grows = before.is_none_or(|before| {
                let mut pairs = before.sums.iter().zip(&look.sums);
                before.number < look.number
                    && before.blocks <= look.blocks
                    && pairs.all(|(before, now)| before <= now)
            });
            before = Some(look);
            grows && is_kept(look.number) && look.sums.len() == grouped.width()
        });
        all && before.is_none_or(|last| {
            let mut sums = last.sums.iter().enumerate();
            last.number <= looks
                && last.blocks <= grouped.blocks()
                && sums.all(|(counter, &sum)| sum <= grouped.sum(counter))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(looks: u64) -> (Looks, Grouped) {
        let (mut kept, mut grouped) = (Looks::default(), Grouped::new(2));
        for number in 1..=looks {
            grouped.add(number, 4, &[number, 1]);
            kept.note(number, &grouped);
        }
        (kept, grouped)
    }

    #[test]
    fn early_looks_are_all_kept_and_late_ones_ever_less_often() {
        let numbers =
            |looks| -> Vec<u64> { looked(looks).0.all().iter().map(|look| look.number).collect() };
        assert_eq!(numbers(64), (1..=64).collect::<Vec<u64>>());
        let later = numbers(100_000);
        assert!(later.windows(2).all(|pair| pair[1] - pair[0] <= pair[1].div_ceil(32)));
        assert!((350..450).contains(&later.len()), "{}", later.len());
        assert!(later.len() < MOST);
        let doublings = u64::from(u64::BITS - ALL.ilog2());
        assert_eq!(MOST as u64, ALL + OF_A_DOUBLING * doublings);
        assert!(is_kept(1 << 63) && !is_kept(u64::MAX), "no look is too late");
    }

    #[test]
    fn looks_that_no_run_had_do_not_fit() {
        let (kept, grouped) = looked(70);
        assert!(kept.fit(70, &grouped));
        assert!(!kept.fit(60, &grouped), "a look behind the end");
        let with = |change: fn(&mut Vec<Look>)| {
            let mut forged = kept.clone();
            change(&mut forged.0);
            forged.fit(70, &grouped)
        };
        assert!(with(|looks| looks.truncate(9)), "a file may be older");
        assert!(!with(|looks| looks.swap(3, 4)));
        assert!(!with(|looks| looks[3].sums.truncate(1)));
        assert!(!with(|looks| looks[3].sums[0] += 1_000_000));
        assert!(!with(|looks| looks.last_mut().unwrap().blocks += 100));
        assert!(!with(|looks| looks.last_mut().unwrap().number = 67));
    }
}
