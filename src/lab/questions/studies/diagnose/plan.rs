//! Which match of a block of `diagnose` is which.

use crate::core::types::seat::Seat;
use crate::sim::counts::wins::WinsCount;
use crate::sim::trials::MatchPlan;
use std::ops::Range;

/// Matches of a rule set that are looked into: all of one deal, each with other luck after it.
const LUCKS: u16 = 4;

/// The matches of a block: those that are looked into, rule set by rule set; one of each weaker level in all seats; each
/// level among the one below, in every other seat, once from the first seat on and once from the second.
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

    /// The match with a level in all seats that is not the strongest.
    pub fn of_level(self, level: usize) -> usize {
        self.looked_into() + level
    }

    /// The matches with a level, not the weakest, among the one below.
    pub fn mixed(self, level: usize) -> Range<usize> {
        let first = self.looked_into() + self.levels - 1 + 2 * (level - 1);
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
        let weaker = 0..self.levels - 1;
        let same = weaker.map(|level| MatchPlan::plain(0, vec![self.agent(level); seats]));
        let mixed = |level: usize, number: usize| {
            let level_of =
                |seat| if BlockPlan::is_stronger(number, seat) { level } else { level - 1 };
            let at_table = Seat::all(self.players).map(|seat| self.agent(level_of(seat)));
            MatchPlan::plain(0, at_table.collect())
        };
        let mixed = (1..self.levels)
            .flat_map(|level| (0..2).map(move |number| (level, number)))
            .map(|(level, number)| mixed(level, number));
        looked_into.chain(same).chain(mixed).collect()
    }

    /// How wins are counted.
    pub fn wins(self) -> WinsCount {
        let matches = self.looked_into() + 3 * (self.levels - 1);
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
            // The middle level is agent 2, the strongest agent 0, the weakest agent 1.
            assert!(all[plan.of_level(1)].seats.iter().all(|&agent| agent == 2));
            for (level, [stronger, weaker]) in [(1, [2, 1]), (2, [0, 2])] {
                let [a, b] = [0, 1].map(|number| &all[plan.mixed(level).start + number].seats);
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
