//! A against B, in line-ups of these two agents. The score of a block is the matches that a seat of A wins
//! less those that a seat of B wins: for m matches one of 2m + 1 values, with mean 0 if the two are equal. A match that
//! a guest loses by failing is won by the other side. If luck is judged, the luck of a block is what the seats of A owe to
//! draws less what those of B do, over all of its matches.

use crate::sim::luck::WHOLE;
use crate::sim::match_summary::MatchSummary;
use crate::sim::trials::{Count, MatchPlan, Trial};

/// The counting, for the line-ups of a block: by seat 0 for A, 1 for B.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuelCount {
    line_ups: Vec<Vec<usize>>,
    /// Whether luck is judged.
    luck: bool,
}

/// What is summed up of the luck of blocks, those of either sign apart. Squares and products are of luck rounded to
/// units of 1 / [`ROUGH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LuckSum {
    /// The luck itself; [`WHOLE`] is 1.
    Luck(Sign),
    /// The luck, rounded.
    Rough(Sign),
    /// Its square.
    Square,
    /// Its product with the score.
    Product(Sign),
}

/// The sign of a number, whose size is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Above 0.
    Plus,
    /// Below 0.
    Minus,
}

/// Units of rounded luck in a match, so that sums of squares stay far below 64 bits.
pub const ROUGH: i64 = 1 << 12;

/// Counters that luck has.
const LUCK_SUMS: usize = 7;

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
            sits(0) && sits(1) && only && *plan == MatchPlan::plain(0, plan.seats.clone())
        };
        let all = !plan.is_empty() && plan.iter().all(fits);
        let line_ups = || plan.iter().map(|plan| plan.seats.clone()).collect();
        all.then(|| DuelCount { line_ups: line_ups(), luck: false })
    }

    /// The same with the luck of blocks.
    pub fn with_luck(self) -> DuelCount {
        DuelCount { luck: true, ..self }
    }

    /// Whether luck is judged.
    pub fn has_luck(&self) -> bool {
        self.luck
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

    /// The counter of a sum of luck, if luck is judged.
    pub fn luck(&self, sum: LuckSum) -> usize {
        let place = match sum {
            LuckSum::Luck(sign) => sign as usize,
            LuckSum::Rough(sign) => 2 + sign as usize,
            LuckSum::Product(sign) => 4 + sign as usize,
            LuckSum::Square => 6,
        };
        4 * self.matches() + 1 + place
    }

    /// What the seats of A owe to luck in a match, less what those of B do.
    fn luck_of(summary: &MatchSummary, line_up: &[usize]) -> i64 {
        let luck = line_up.iter().zip(summary.luck);
        luck.map(|(&side, luck)| if side == 0 { luck } else { -luck }).sum()
    }

    fn count_luck(&self, score: i64, luck: i64, sums: &mut [u64]) {
        let unit = WHOLE / ROUGH;
        let rough = (luck + unit / 2).div_euclid(unit);
        let mut add = |sum: LuckSum, value: i64| sums[self.luck(sum)] += value.unsigned_abs();
        let sign = |value: i64| if value < 0 { Sign::Minus } else { Sign::Plus };
        add(LuckSum::Luck(sign(luck)), luck);
        add(LuckSum::Rough(sign(rough)), rough);
        add(LuckSum::Square, rough * rough);
        add(LuckSum::Product(sign(score * rough)), score * rough);
    }
}

impl Count for DuelCount {
    fn width(&self) -> usize {
        4 * self.matches() + 1 + if self.luck { LUCK_SUMS } else { 0 }
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        let (mut score, mut luck) = (0, 0);
        for (number, (trial, line_up)) in trials.iter().zip(&self.line_ups).enumerate() {
            let side = match trial {
                Trial::Ended(summary) => {
                    luck += DuelCount::luck_of(summary, line_up);
                    summary.winner.map(|seat| line_up[seat.idx()])
                }
                // Of two sides, the other has won.
                Trial::Lost(seat) => Some(1 - line_up[seat.idx()]),
                _ => None,
            };
            let Some(side) = side else { continue };
            sums[self.wins(number, side)] += 1;
            score += if side == 0 { 1 } else { -1 };
        }
        sums[self.score(score)] += 1;
        if self.luck {
            self.count_luck(score, luck, sums);
        }
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
        let of = |variant, forced, luck| {
            DuelCount::of(&[MatchPlan {
                variant,
                seats: vec![0, 1],
                forced,
                luck,
                founded: Vec::new(),
            }])
        };
        assert_eq!(DuelCount::of(&[]), None);
        assert_eq!([of(1, None, 0), of(0, Some(0), 0), of(0, None, 1)], [None, None, None]);
    }
}
