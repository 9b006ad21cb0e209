//! A against B, in line-ups of these two agents. The score of a block is the matches that a seat of A wins
//! less those that a seat of B wins: for m matches one of 2m + 1 values, with mean 0 if the two are equal.

use crate::core::types::seat::Seat;
use crate::sim::trials::{Count, MatchPlan, Trial};

/// The counting, for the line-ups of a block: by seat 0 for A, 1 for B.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuelCount {
    line_ups: Vec<Vec<usize>>,
}

impl DuelCount {
    /// Every seating in which A and B have as many seats as each other, at an odd table one more or less.
    pub fn even(players: usize) -> Vec<MatchPlan> {
        let (few, many) = (players / 2, players.div_ceil(2));
        Self::seatings(players, |seats_of_a| seats_of_a == few || seats_of_a == many)
    }

    /// Every seating in which A is alone against B, or B alone against A. At a table of two or three these
    /// are the even ones.
    pub fn alone(players: usize) -> Vec<MatchPlan> {
        Self::seatings(players, |seats_of_a| seats_of_a == 1 || seats_of_a + 1 == players)
    }

    /// Each seating once, if it has a number of A seats that is wanted.
    fn seatings(players: usize, wanted: impl Fn(usize) -> bool) -> Vec<MatchPlan> {
        let all = 1..(1_usize << players) - 1;
        let seatings = all.map(|bits| (0..players).map(|seat| bits >> seat & 1).collect());
        let a = |seats: &Vec<usize>| seats.iter().filter(|&&side| side == 0).count();
        let wanted = seatings.filter(|seats| wanted(a(seats)));
        wanted.map(|seats| MatchPlan::plain(0, seats)).collect()
    }

    /// The counting of a plan; nothing if a match of it has not both agents and only them, or forces a
    /// choice.
    pub fn of(plan: &[MatchPlan]) -> Option<DuelCount> {
        let fits = |plan: &MatchPlan| {
            let sits = |agent| plan.seats.contains(&agent);
            let only = plan.seats.iter().all(|&agent| agent < 2);
            sits(0) && sits(1) && only && plan.forced.is_none() && plan.variant == 0
        };
        let all = !plan.is_empty() && plan.iter().all(fits);
        all.then(|| DuelCount { line_ups: plan.iter().map(|plan| plan.seats.clone()).collect() })
    }

    /// Matches of a block.
    pub fn matches(&self) -> usize {
        self.line_ups.len()
    }

    /// Seats of a side (0: A, 1: B) in a match.
    pub fn seats(&self, number: usize, side: usize) -> usize {
        self.line_ups[number].iter().filter(|&&of| of == side).count()
    }

    /// The counter of a score, from −m to m.
    pub fn score(&self, score: i64) -> usize {
        let most = i64::try_from(self.matches()).expect("few matches");
        usize::try_from(score + most).expect("a score is at least −m")
    }

    /// The counter of a side's wins in a match of the block.
    pub fn wins(&self, number: usize, side: usize) -> usize {
        2 * self.matches() + 1 + 2 * number + side
    }
}

impl Count for DuelCount {
    fn width(&self) -> usize {
        4 * self.matches() + 1
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        let mut score = 0;
        for (number, (trial, line_up)) in trials.iter().zip(&self.line_ups).enumerate() {
            let Trial::Ended(summary) = trial else { continue };
            let Some(side) = summary.winner.map(Seat::idx).map(|seat| line_up[seat]) else {
                continue;
            };
            sums[self.wins(number, side)] += 1;
            score += if side == 0 { 1 } else { -1 };
        }
        sums[self.score(score)] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(plans: &[MatchPlan]) -> Vec<Vec<usize>> {
        plans.iter().map(|plan| plan.seats.clone()).collect()
    }

    #[test]
    fn each_line_up_stands_once_and_no_seat_has_an_advantage() {
        for (players, even, alone) in [(2, 2, 2), (3, 6, 6), (4, 6, 8), (5, 20, 10), (6, 20, 12)] {
            for (plans, count) in
                [(DuelCount::even(players), even), (DuelCount::alone(players), alone)]
            {
                let mut all = seats(&plans);
                for seat in 0..players {
                    let of_b: usize = all.iter().map(|seats| seats[seat]).sum();
                    assert_eq!(2 * of_b, count, "seat {seat} of {players}");
                }
                all.sort();
                all.dedup();
                assert_eq!(all.len(), count, "{players} players");
            }
        }
        assert_eq!(seats(&DuelCount::even(2)), [[1, 0], [0, 1]]);
        assert_eq!(DuelCount::even(3), DuelCount::alone(3));
    }

    #[test]
    fn plans_of_other_studies_are_none() {
        let plan = |seats: &[usize]| vec![MatchPlan::plain(0, seats.to_vec())];
        assert!(DuelCount::of(&plan(&[0, 1])).is_some());
        for seats in [&[0, 0][..], &[1, 1], &[0, 1, 2], &[]] {
            assert_eq!(DuelCount::of(&plan(seats)), None, "{seats:?}");
        }
        let of =
            |variant, forced| DuelCount::of(&[MatchPlan { variant, seats: vec![0, 1], forced }]);
        assert_eq!([DuelCount::of(&[]), of(1, None), of(0, Some(0))], [None, None, None]);
    }
}
