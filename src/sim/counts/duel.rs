//! A against B. For n players a block has 2n matches: A alone in each seat against B in all others, then B
//! alone in each seat against A. Its score is the wins of the lone A less those of the lone B: 2n + 1
//! outcomes, with mean 0 if the two are equal.

use crate::sim::trials::Count;
use crate::sim::trials::MatchPlan;
use crate::sim::trials::Trial;
use crate::types::seat::Seat;

/// The counting, for so many players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duel {
    /// Seats at the table.
    pub players: usize,
}

impl Duel {
    /// The matches of a block: agent 0 is A, agent 1 is B.
    pub fn matches(players: usize) -> Vec<MatchPlan> {
        let mut matches = Vec::new();
        for (lone, others) in [(0, 1), (1, 0)] {
            for seat in 0..players {
                let mut seats = vec![others; players];
                seats[seat] = lone;
                matches.push(MatchPlan::plain(0, seats));
            }
        }
        matches
    }

    /// The counter of a score, from −n to n.
    pub fn score(&self, score: i64) -> usize {
        let n = i64::try_from(self.players).expect("few seats");
        usize::try_from(score + n).expect("a score is at least −n")
    }

    /// The counter of wins of a lone agent (0: A, 1: B) in a seat.
    pub fn wins(&self, lone: usize, seat: usize) -> usize {
        2 * self.players + 1 + lone * self.players + seat
    }
}

impl Count for Duel {
    fn width(&self) -> usize {
        4 * self.players + 1
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        let mut score = 0;
        for (at, trial) in trials.iter().enumerate() {
            let (lone, seat) = (at / self.players, at % self.players);
            let Trial::Ended(outline) = trial else { continue };
            if outline.winner.map(Seat::idx) == Some(seat) {
                sums[self.wins(lone, seat)] += 1;
                score += if lone == 0 { 1 } else { -1 };
            }
        }
        sums[self.score(score)] += 1;
    }
}
