//! What a seat may know of something that happened to resource cards. (SFC-35)

use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::seen::counted;
use serde::{Deserialize, Serialize};

/// Something that happened, as a seat may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatEvent {
    /// A seat drew a card from the stack, after a reshuffle if the stack was empty.
    Drew {
        /// Who drew.
        seat: Seat,
        /// The card's kind, for the seat itself.
        kind: Option<Resource>,
    },
    /// A card of the stack was opened in the market, after a reshuffle if the stack was empty.
    Opened {
        /// Its kind.
        kind: Resource,
    },
    /// Cards moved that someone chose, and the seat saw their kinds.
    Moved {
        /// Where they were.
        from: Place,
        /// Where they went.
        to: Place,
        /// Which cards.
        #[serde(with = "counted")]
        cards: Resources,
    },
    /// A random card was taken out of a hand, and the seat saw its kind.
    Taken {
        /// The hand that it left.
        from: Seat,
        /// Who took it.
        to: Seat,
        /// Its kind.
        kind: Resource,
    },
    /// A card passed between two other players.
    Passed {
        /// The hand that it left.
        from: Seat,
        /// The hand that it went into.
        to: Seat,
    },
    /// A hand was open to the seat.
    Shown {
        /// Whose.
        seat: Seat,
        /// All of its cards.
        #[serde(with = "counted")]
        cards: Resources,
    },
}

/// Where a card can be, but for the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// In a hand.
    Hand(Seat),
    /// In the market.
    Market,
    /// Among the discards.
    Discards,
}
