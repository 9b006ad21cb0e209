//! What a run plays in its blocks, as the runner sees it: blocks go in, exact sums come out.

use crate::core::seed::mix;
use crate::stats::jackknife::WIDTH_MAX;
use crate::stats::lists::at_most;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The number of a block and of a match in it, both from 0.
pub type MatchId = (u64, u64);

/// The most kinds of anomalies of a file: far above what any run counts.
pub const ANOMALIES_MAX: usize = 1 << 8;

/// Something to be played block by block.
pub trait Experiment: Sync {
    /// Creates what one thread plays with.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// Number of counters.
    fn width(&self) -> usize;

    /// Kinds of anomalies whose first match is remembered.
    fn anomalies(&self) -> usize;

    /// The digest of a chunk, to tell whether its blocks, played again, give the same.
    fn digest(&self, chunk: &BlockSums) -> u32 {
        chunk.digest()
    }
}

/// An experiment whose digests add up like its sums: to what was played of each block, more matches can be added.
pub struct Additive<'a>(pub Box<dyn Experiment + 'a>);

impl Experiment for Additive<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        self.0.worker()
    }

    fn width(&self) -> usize {
        self.0.width()
    }

    fn anomalies(&self) -> usize {
        self.0.anomalies()
    }

    fn digest(&self, chunk: &BlockSums) -> u32 {
        chunk.additive_digest()
    }
}

/// What one thread plays with: games, agents, counters and buffers.
pub trait Worker: Send {
    /// Plays some blocks. The result depends on the blocks alone, not on what the worker played before.
    fn play(&mut self, blocks: Range<u64>) -> BlockSums;
}

/// The sums and rows of some blocks. On disk it has no rows: they stand in a file of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSums {
    /// Exact sums.
    #[serde(deserialize_with = "at_most::<WIDTH_MAX, _, _>")]
    pub sums: Vec<u64>,
    /// The first match of each anomaly.
    #[serde(deserialize_with = "at_most::<ANOMALIES_MAX, _, _>")]
    pub firsts: Vec<Option<MatchId>>,
    /// Rows for `matches.csv`.
    #[serde(skip)]
    pub rows: Vec<u8>,
}

impl BlockSums {
    /// No blocks yet.
    pub fn new(width: usize, anomalies: usize) -> BlockSums {
        BlockSums { sums: vec![0; width], firsts: vec![None; anomalies], rows: Vec::new() }
    }

    /// Adds the sums and firsts of the blocks right behind these; rows are left to the caller.
    pub fn append(&mut self, next: &BlockSums) {
        for (sum, more) in self.sums.iter_mut().zip(&next.sums) {
            *sum += more;
        }
        for (first, &found) in self.firsts.iter_mut().zip(&next.firsts) {
            *first = first.or(found);
        }
    }

    /// A digest of sums and firsts, to tell whether blocks that are played again give the same.
    /// Words are mixed by a rotation, an exclusive or and a product with an odd number, then folded.
    #[allow(clippy::cast_possible_truncation, reason = "the low half of a fold is what is meant")]
    pub fn digest(&self) -> u32 {
        let add = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(GOLDEN);
        let mut hash = self.sums.iter().fold(GOLDEN, |hash, &word| add(hash, word));
        for &(block, number) in self.firsts.iter().flatten() {
            hash = add(add(hash, block), number);
        }
        (hash ^ (hash >> 32)) as u32
    }

    /// A digest that adds up: of two lists of matches on the same blocks it is the sum of both, in 32 bits. Each
    /// counter has an odd factor of its own (J. Carter, M. Wegman, "Universal classes of hash functions", 1979). The
    /// first one, which counts blocks, is not in it, nor are the first anomalies.
    #[allow(clippy::cast_possible_truncation, reason = "32 bits of each are what is meant")]
    pub fn additive_digest(&self) -> u32 {
        let term = |(counter, &sum): (usize, &u64)| {
            (mix(counter as u64) as u32 | 1).wrapping_mul(sum as u32)
        };
        self.sums.iter().enumerate().skip(1).map(term).fold(0, u32::wrapping_add)
    }
}

/// 2^64 divided by the golden ratio, made odd (D. Knuth, TAOCP 3, 6.4).
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn additive_digests_add_up_and_tell_sums_apart() {
        let of = |sums: &[u64]| {
            let sums = sums.to_vec();
            BlockSums { sums, firsts: Vec::new(), rows: Vec::new() }.additive_digest()
        };
        let both = of(&[4, 3, 9, 1 << 40, 7]);
        assert_eq!(both, of(&[4, 1, 9, 1 << 40, 0]).wrapping_add(of(&[4, 2, 0, 0, 7])));
        // A win that moves from one counter to another, wherever it goes.
        let mut digests: Vec<u32> = Vec::new();
        for from in 1..40 {
            for to in (1..40).filter(|&to| to != from) {
                let mut sums = vec![10; 40];
                (sums[from], sums[to]) = (9, 11);
                digests.push(of(&sums));
            }
        }
        let all = digests.len();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!((digests.len(), digests.contains(&of(&[10; 40]))), (all, false));
    }

    #[test]
    fn a_digest_tells_sums_and_firsts_apart() {
        let played =
            BlockSums { sums: vec![1, 2, 3], firsts: vec![None, Some((4, 0))], rows: vec![] };
        let mut digests = vec![played.digest()];
        for at in 0..3 {
            let mut other = played.clone();
            other.sums[at] += 1;
            digests.push(other.digest());
        }
        digests.push(BlockSums { firsts: vec![None, Some((4, 1))], ..played.clone() }.digest());
        digests.push(BlockSums { sums: vec![2, 1, 3], ..played }.digest());
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), 6);
    }
}
