//! Who wins from which seat, match by match of a block: all that ratings need. Counters stand side by side, so that
//! the sums of more line-ups can be added behind those of earlier ones.

use crate::core::types::seat::Seat;
use crate::sim::trials::{Count, Trial};

/// The counting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TournamentCount {
    /// Seats at the table.
    pub seats: usize,
    /// Line-ups of the whole tournament.
    pub line_ups: usize,
    /// The line-up of the first match of a block: above 0 where those before it were played earlier.
    pub first: usize,
}

impl TournamentCount {
    /// The counter of the matches of a line-up that a seat won.
    pub fn wins(&self, line_up: usize, seat: usize) -> usize {
        line_up * (self.seats + 1) + seat
    }

    /// The counter of those that nobody won.
    pub fn no_winner(&self, line_up: usize) -> usize {
        self.wins(line_up, self.seats)
    }
}

impl Count for TournamentCount {
    fn width(&self) -> usize {
        self.line_ups * (self.seats + 1)
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        for (number, trial) in trials.iter().enumerate() {
            let Trial::Ended(summary) = trial else { continue };
            let place = summary.winner.map_or(self.seats, Seat::idx);
            sums[self.wins(self.first + number, place)] += 1;
        }
    }
}
