//! Which match of a block of `diagnose` is which.

use crate::core::types::seat::Seat;
use crate::sim::counts::wins::WinsCount;
use crate::sim::trials::MatchPlan;

/// Which match of a block is which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockPlan {
    /// Seats at the table.
    pub players: u8,
    /// Levels of play.
    pub levels: usize,
}

impl BlockPlan {
    /// Matches that are looked into, from 0 on.
    pub const LOOKED_INTO: usize = 1;

    /// The number among the agents of a level: the strongest is the first.
    fn agent(self, level: usize) -> usize {
        (level + 1) % self.levels
    }

    /// The match with a level in all seats.
    pub fn of_level(self, level: usize) -> usize {
        (level + 1) % self.levels
    }

    /// The match with a level, not the weakest, alone in a seat among the one below.
    pub fn alone(self, level: usize, seat: Seat) -> usize {
        self.levels + (level - 1) * usize::from(self.players) + seat.idx()
    }

    /// All of them.
    pub fn matches(self) -> Vec<MatchPlan> {
        let seats = usize::from(self.players);
        let same = |agent: usize| MatchPlan::plain(0, vec![agent; seats]);
        let alone = |level: usize, seat: Seat| {
            let mut at_table = vec![self.agent(level - 1); seats];
            at_table[seat.idx()] = self.agent(level);
            MatchPlan::plain(0, at_table)
        };
        let of_pair = |level: usize| Seat::all(self.players).map(move |seat| alone(level, seat));
        (0..self.levels).map(same).chain((1..self.levels).flat_map(of_pair)).collect()
    }

    /// How wins are counted.
    pub fn wins(self) -> WinsCount {
        let players = usize::from(self.players);
        WinsCount { matches: self.levels + (self.levels - 1) * players, players }
    }
}
