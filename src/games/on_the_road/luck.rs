//! What is left to luck: the kinds of draws and the streams of random numbers that they come from.

use crate::core::chance::{Luck, When};
use crate::core::types::seat::Seat;

/// A kind of draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// The side of a metropolis. (OTR-12)
    Side,
    /// A card of the building deck, turned up in the row. (OTR-11, OTR-43)
    Row(When),
    /// A resource card of the pile, for this seat. (OTR-13, OTR-20)
    Card(Seat, When),
    /// An event card. (OTR-69)
    Event,
}

impl Luck for Draw {
    #[inline]
    fn stream(self) -> u8 {
        match self {
            Draw::Side | Draw::Row(When::Deal) | Draw::Card(_, When::Deal) => 0,
            Draw::Card(_, When::Turn) => 1,
            Draw::Row(When::Turn) => 2,
            Draw::Event => 3,
        }
    }
}
