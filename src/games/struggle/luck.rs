//! What is left to luck: the kinds of draws and the streams of random numbers that they come from.

use crate::core::chance::{Luck, When};
use crate::core::types::seat::Seat;

/// A kind of draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// A resource card of the stack, for this seat. (SFC-10, SFC-31, SFC-80)
    Card(Seat, When),
    /// A resource card of the stack, for the market. (SFC-10, SFC-52)
    Market(When),
    /// A card that this seat takes unseen from another's hand. (SFC-33, SFC-71)
    Take(Seat),
    /// The city side of a settlement card. (SFC-12, SFC-45)
    Event,
}

impl Luck for Draw {
    #[inline]
    fn stream(self) -> u8 {
        match self {
            Draw::Card(_, When::Deal) | Draw::Market(When::Deal) => 0,
            Draw::Card(_, When::Turn) => 1,
            Draw::Market(When::Turn) => 2,
            Draw::Event => 3,
            Draw::Take(_) => 4,
        }
    }
}
