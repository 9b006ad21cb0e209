//! What is left to luck: the kinds of draws and the streams of random numbers that they come from.

use crate::core::chance::Luck;
use crate::core::types::seat::Seat;

/// A kind of draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// What a hex yields. (BASE-10)
    Terrain,
    /// A number token. (BASE-10)
    Token,
    /// The kind of a harbour. (BASE-10)
    Harbour,
    /// The corner at which the letters start. (BASE-10)
    Corner,
    /// One of some hexes: for a 6 or 8, or the desert of the robber. (BASE-10, BASE-12)
    Hex,
    /// The dice. (BASE-20)
    Dice,
    /// A card that this seat steals. (BASE-24)
    Steal(Seat),
    /// A development card. It names no seat: all know who buys, only the buyer knows what. (BASE-43)
    Card,
}

impl Luck for Draw {
    #[inline]
    fn stream(self) -> u8 {
        match self {
            Draw::Terrain | Draw::Token | Draw::Harbour | Draw::Corner | Draw::Hex => 0,
            Draw::Steal(_) => 1,
            Draw::Card => 3,
            Draw::Dice => 4,
        }
    }
}
