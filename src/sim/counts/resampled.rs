//! Forced choices, weighted at random: a Poisson bootstrap of wins by option, for
//! questions whose answer is not a smooth function of sums, such as which option is best.

use crate::sim::trials::{Count, Trial};
use crate::stats::bootstrap::{REPLICATES, weights};

/// The counting. A block has one weight in each replicate, whatever is played in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResampledCount {
    /// Options of the choice.
    pub options: usize,
    /// The master seed: weights come from it and from the block.
    pub seed: u64,
}

impl ResampledCount {
    /// The weight of all positions in a replicate.
    pub fn positions(&self, replicate: usize) -> usize {
        replicate * (self.options + 1)
    }

    /// The weight of the positions that the choosing seat wins with an option.
    pub fn wins(&self, replicate: usize, option: usize) -> usize {
        self.positions(replicate) + 1 + option
    }
}

impl Count for ResampledCount {
    fn width(&self) -> usize {
        REPLICATES * (self.options + 1)
    }

    fn count(&self, block: u64, trials: &[Trial], sums: &mut [u64]) {
        let won = |trial: &Trial| match trial {
            Trial::Forced(summary, choosing) => Some(summary.winner == Some(choosing.seat)),
            _ => None,
        };
        let mut weight = [0; REPLICATES];
        weights(self.seed, block, &mut weight);
        for position in trials.chunks(self.options) {
            let all: Option<Vec<bool>> = position.iter().map(won).collect();
            let Some(all) = all else { continue };
            for (replicate, &weight) in weight.iter().enumerate() {
                let weight = u64::from(weight);
                sums[self.positions(replicate)] += weight;
                for (option, &won) in all.iter().enumerate() {
                    sums[self.wins(replicate, option)] += weight * u64::from(won);
                }
            }
        }
    }
}
