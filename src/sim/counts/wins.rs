//! Who wins from which seat, in each match of a block: enough for the win rate of any agent, and for the difference
//! of two on common deals.

use crate::core::types::seat::Seat;
use crate::sim::trials::{Count, Trial};

/// The counting, for a number of matches in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinsCount {
    /// Matches of a block.
    pub matches: usize,
    /// Seats at the table.
    pub players: usize,
}

impl WinsCount {
    /// The counter of a seat's wins in a match of the block, both from 0.
    pub fn wins(&self, number: usize, seat: usize) -> usize {
        number * self.players + seat
    }
}

impl Count for WinsCount {
    fn width(&self) -> usize {
        self.matches * self.players
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        for (number, trial) in trials.iter().enumerate() {
            if let Trial::Ended(summary) = trial
                && let Some(seat) = summary.winner.map(Seat::idx)
            {
                sums[self.wins(number, seat)] += 1;
            }
        }
    }
}
