//! Seats that may take one option of a choice only. A block plays whole matches on the same chance streams,
//! one for each option and seat; counted is whether the restricted seat wins.

use crate::core::types::seat::Seat;
use crate::sim::trials::{Count, MatchPlan, Trial};

/// The counting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestrictedCount {
    /// Options of the choice.
    pub options: usize,
    /// Seats at the table.
    pub players: usize,
}

impl RestrictedCount {
    /// Matches that came to an end.
    pub const MATCHES: usize = 0;
    /// Wins of the restricted seat.
    pub const WINS: usize = 1;
    /// Matches that someone won.
    pub const WON: usize = 2;
    /// Sum of their turns.
    pub const TURNS: usize = 3;
    const WIDTH: usize = 4;

    /// The counters of an option and the seat that may take nothing else.
    pub fn of(&self, option: usize, seat: usize) -> usize {
        (option * self.players + seat) * RestrictedCount::WIDTH
    }

    /// The matches of a block: each option for each seat, whose rule sets begin at a variant.
    pub fn matches(&self, first_variant: usize, seats: &[usize]) -> Vec<MatchPlan> {
        let plan = |at| MatchPlan::plain(first_variant + at, seats.to_vec());
        (0..self.options * self.players).map(plan).collect()
    }
}

impl Count for RestrictedCount {
    fn width(&self) -> usize {
        self.options * self.players * RestrictedCount::WIDTH
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        for (at, trial) in trials.iter().enumerate() {
            let Trial::Ended(summary) = trial else { continue };
            let (option, seat) = (at / self.players, at % self.players);
            let counters = self.of(option, seat);
            let won = summary.winner.map(Seat::idx) == Some(seat);
            sums[counters + RestrictedCount::MATCHES] += 1;
            sums[counters + RestrictedCount::WINS] += u64::from(won);
            if summary.winner.is_some() {
                sums[counters + RestrictedCount::WON] += 1;
                sums[counters + RestrictedCount::TURNS] += u64::from(summary.turns);
            }
        }
    }
}
