//! What founding places are worth: in each block some matches in which everybody founds as it likes, and some in which
//! the first founder is made to take places, all of one deal.

use crate::core::types::seat::Seat;
use crate::sim::trials::{Count, MatchPlan, Trial};

/// The counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundedCount {
    /// Seats at the table.
    pub players: usize,
    /// Matches that are left alone, the first of a block.
    pub free: usize,
    /// Matches of single places, behind them.
    pub places: usize,
    /// Matches of pairs of places and of changed maps, behind those.
    pub others: usize,
}

impl FoundedCount {
    /// Matches that were left alone and had a winner.
    pub const WON: usize = 0;
    /// The sum over blocks of the square of that number.
    pub const WON_SQUARED: usize = 1;
    /// The sum over blocks and seats of the square of a seat's wins.
    pub const WINS_SQUARED: usize = 2;
    /// The sum over blocks of the square of how many of the single places won.
    pub const PLACES_SQUARED: usize = 3;
    const HEAD: usize = 4;
    /// The most vertices of a board.
    const VERTICES: usize = 256;

    /// Matches of a forced founding that were played to an end.
    pub const PLAYED: usize = 0;
    /// Those that the founder has won.
    pub const FOUNDER_WON: usize = 1;
    /// Those whose founder might not take all of the places.
    pub const CLOSED: usize = 2;
    const FORCED_WIDTH: usize = 3;

    /// The counter of a seat's wins in matches that were left alone, from 0.
    pub const fn wins(self, seat: usize) -> usize {
        FoundedCount::HEAD + seat
    }

    /// The counters of a match with a forced founding: single places first, from 0.
    pub const fn forced(self, number: usize) -> usize {
        self.wins(self.players) + FoundedCount::FORCED_WIDTH * number
    }

    /// The counter of blocks whose first founder would have taken a place.
    pub const fn wanted(self, place: usize) -> usize {
        self.forced(self.places + self.others) + place
    }

    /// The matches of a block.
    pub const fn matches(self) -> usize {
        self.free + self.places + self.others
    }

    fn count_free(self, trials: &[Trial], sums: &mut [u64]) {
        let mut wins = vec![0; self.players];
        for trial in trials {
            if let Trial::Ended(summary) = trial
                && let Some(seat) = summary.winner.map(Seat::idx)
            {
                wins[seat] += 1;
            }
        }
        let won: u64 = wins.iter().sum();
        sums[FoundedCount::WON] += won;
        sums[FoundedCount::WON_SQUARED] += won * won;
        for (seat, &wins) in wins.iter().enumerate() {
            sums[FoundedCount::WINS_SQUARED] += wins * wins;
            sums[self.wins(seat)] += wins;
        }
    }

    fn count_forced(self, trials: &[Trial], sums: &mut [u64]) {
        let mut places_won = 0;
        for (number, trial) in trials.iter().enumerate() {
            let at = self.forced(number);
            sums[at + FoundedCount::CLOSED] += u64::from(*trial == Trial::Closed);
            let Trial::Forced(summary, choosing) = trial else { continue };
            let won = u64::from(summary.winner == Some(choosing.seat));
            sums[at + FoundedCount::PLAYED] += 1;
            sums[at + FoundedCount::FOUNDER_WON] += won;
            places_won += if number < self.places { won } else { 0 };
        }
        sums[FoundedCount::PLACES_SQUARED] += places_won * places_won;
        if let Some(Trial::Forced(_, choosing)) = trials.first() {
            sums[self.wanted(choosing.wanted.min(FoundedCount::VERTICES - 1))] += 1;
        }
    }
}

impl Count for FoundedCount {
    fn width(&self) -> usize {
        self.wanted(FoundedCount::VERTICES)
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        let (free, forced) = trials.split_at(self.free);
        self.count_free(free, sums);
        self.count_forced(forced, sums);
    }
}

/// The matches of a block of founders of some agent: those that are left alone, each with other luck after the deal, and
/// those with forced places, by variant.
pub fn matches(players: u8, free: u16, forced: &[(usize, Vec<u8>)]) -> Vec<MatchPlan> {
    let seats = vec![0; usize::from(players)];
    let left = (0..free).map(|luck| MatchPlan { luck, ..MatchPlan::plain(0, seats.clone()) });
    let made = forced.iter().map(|(variant, founded)| MatchPlan {
        founded: founded.clone(),
        ..MatchPlan::plain(*variant, seats.clone())
    });
    left.chain(made).collect()
}
