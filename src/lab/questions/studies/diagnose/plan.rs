//! Which match of a block of `diagnose` is which.

use crate::core::types::seat::Seat;
use crate::sim::counts::wins::WinsCount;
use crate::sim::trials::MatchPlan;
use std::ops::Range;

/// Matches of a rule set that are looked into: all of one deal, each with other luck after it.
const LUCKS: u16 = 4;

/// The matches of a block: those that are looked into, rule set by rule set; then, of each rule set, one of each weaker
/// level in all seats, and each level among the one below, in every other seat, once from the first seat on and once from
/// the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockPlan {
    /// Seats at the table.
    pub players: u8,
    /// Levels of play.
    pub levels: usize,
    /// Rule sets.
    pub variants: usize,
}

impl BlockPlan {
    /// Matches that are looked into, from 0 on.
    pub fn looked_into(self) -> usize {
        self.variants * usize::from(LUCKS)
    }

    /// The number among the agents of a level: the strongest is the first.
    fn agent(self, level: usize) -> usize {
        (level + 1) % self.levels
    }

    /// Matches of levels by a rule set.
    fn of_levels(self) -> usize {
        3 * (self.levels - 1)
    }

    /// The match by a rule set with a level in all seats that is not the strongest.
    pub fn of_level(self, variant: usize, level: usize) -> usize {
        self.looked_into() + variant * self.of_levels() + level
    }

    /// The matches by a rule set with a level, not the weakest, among the one below.
    pub fn mixed(self, variant: usize, level: usize) -> Range<usize> {
        let first = self.of_level(variant, self.levels - 1) + 2 * (level - 1);
        first..first + 2
    }

    /// Whether a seat of the first or the second of these has the stronger of both.
    pub fn is_stronger(number: usize, seat: Seat) -> bool {
        (seat.idx() + number).is_multiple_of(2)
    }

    /// All of them.
    pub fn matches(self) -> Vec<MatchPlan> {
        let seats = usize::from(self.players);
        let looked_into = (0..self.variants).flat_map(|variant| {
            (0..LUCKS)
                .map(move |luck| MatchPlan { luck, ..MatchPlan::plain(variant, vec![0; seats]) })
        });
        let of_levels = (0..self.variants).flat_map(|variant| {
            let weaker = 0..self.levels - 1;
            let same = weaker.map(move |level| vec![self.agent(level); seats]);
            let mixed = (1..self.levels)
                .flat_map(|level| (0..2).map(move |number| (level, number)))
                .map(move |(level, number)| self.mixed_table(level, number));
            same.chain(mixed).map(move |seats| MatchPlan::plain(variant, seats))
        });
        looked_into.chain(of_levels).collect()
    }

    /// The agents by seat of the first or the second match of a level among the one below.
    fn mixed_table(self, level: usize, number: usize) -> Vec<usize> {
        let level_of = |seat| if BlockPlan::is_stronger(number, seat) { level } else { level - 1 };
        Seat::all(self.players).map(|seat| self.agent(level_of(seat))).collect()
    }

    /// How wins are counted.
    pub fn wins(self) -> WinsCount {
        let matches = self.looked_into() + self.variants * self.of_levels();
        WinsCount { matches, players: usize::from(self.players) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_sits_in_each_seat_among_the_one_below() {
        for players in 2..=6 {
            let plan = BlockPlan { players, levels: 3, variants: 2 };
            let all = plan.matches();
            assert_eq!(all.len(), plan.wins().matches);
            assert!(
                all[..plan.looked_into()].iter().all(|plan| plan.seats.iter().all(|&a| a == 0))
            );
            let levels = [(1, [2, 1]), (2, [0, 2])];
            for (variant, (level, [stronger, weaker])) in
                (0..2).flat_map(|variant| levels.map(|level| (variant, level)))
            {
                // The middle level is agent 2, the strongest agent 0, the weakest agent 1.
                let alone = &all[plan.of_level(variant, 1)];
                assert!(alone.seats.iter().all(|&agent| agent == 2) && alone.variant == variant);
                let both = &all[plan.mixed(variant, level)];
                assert!(both.iter().all(|plan| plan.variant == variant));
                let [a, b] = [0, 1].map(|number| &both[number].seats);
                for (one, other) in a.iter().zip(b) {
                    let mut both = [*one, *other];
                    both.sort_unstable_by_key(|&agent| agent != stronger);
                    assert_eq!(both, [stronger, weaker]);
                }
                assert_eq!(a[0], stronger);
            }
        }
    }
}
