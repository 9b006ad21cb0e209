//! The game: a rule set, with what follows from it for every match.

use crate::core::types::seat::Seat;
use crate::games::two_player::rules::Rules;
use crate::parts::island::Island;

/// The players.
pub const PLAYERS: u8 = 2;

/// The neutral players. (TWO-1)
pub const NEUTRALS: [Seat; 2] = [Seat::new(2), Seat::new(3)];

/// The game for one rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoPlayer {
    pub(super) rules: Rules,
    /// Base CATAN for two, where four seats own pieces.
    pub(super) island: Island,
}

impl TwoPlayer {
    /// The rules of the island that it is played on.
    #[inline]
    pub fn island(&self) -> &Island {
        &self.island
    }
}

/// The other player.
#[inline]
pub const fn opponent(seat: Seat) -> Seat {
    seat.next(PLAYERS)
}
