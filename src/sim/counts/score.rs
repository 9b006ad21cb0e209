//! The first agent against the second, at whatever tables: the score of a block is the matches that the first wins less
//! those that the second wins. Who wins from which seat is counted, too.

use crate::core::types::seat::Seat;
use crate::sim::counts::wins::WinsCount;
use crate::sim::trials::{Count, MatchPlan, Trial};

/// The counting, for the matches of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoreCount {
    wins: WinsCount,
    /// Which agent sits in each seat, by match.
    seats: Vec<Vec<usize>>,
    most: usize,
}

impl ScoreCount {
    /// The counting of a plan in which agents 0 and 1 are the first and the second.
    pub fn of(plan: &[MatchPlan]) -> ScoreCount {
        let with = |agent: usize| plan.iter().filter(|plan| plan.seats.contains(&agent)).count();
        let players = plan.first().map_or(0, |plan| plan.seats.len());
        ScoreCount {
            wins: WinsCount { matches: plan.len(), players },
            seats: plan.iter().map(|plan| plan.seats.clone()).collect(),
            most: with(0).max(with(1)),
        }
    }

    /// The largest score; the least is the same below 0.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The counter of the least score; the others follow in order.
    pub fn first(&self) -> usize {
        self.wins.width()
    }
}

impl Count for ScoreCount {
    fn width(&self) -> usize {
        self.wins.width() + 2 * self.most + 1
    }

    fn count(&self, block: u64, trials: &[Trial], sums: &mut [u64]) {
        self.wins.count(block, trials, sums);
        let mut at = self.first() + self.most;
        let mut below = 0;
        for (trial, seats) in trials.iter().zip(&self.seats) {
            let Trial::Ended(summary) = trial else { continue };
            match summary.winner.map(Seat::idx).map(|seat| seats[seat]) {
                Some(0) => at += 1,
                Some(1) => below += 1,
                _ => {}
            }
        }
        at -= below;
        sums[at] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_bounded_by_the_matches_of_either_agent() {
        let plan = |seats: &[&[usize]]| -> Vec<MatchPlan> {
            seats.iter().map(|seats| MatchPlan::plain(0, seats.to_vec())).collect()
        };
        let duel = ScoreCount::of(&plan(&[&[0, 1, 1], &[1, 0, 0]]));
        assert_eq!((duel.most(), duel.first(), duel.width()), (2, 6, 11));
        let alone = ScoreCount::of(&plan(&[&[0, 2], &[2, 0], &[1, 2], &[2, 1]]));
        assert_eq!((alone.most(), alone.first(), alone.width()), (2, 8, 13));
    }
}
