//! What a seat may know of something that happened to resource cards. (OTR-34)

use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::seen::counted;
use serde::{Deserialize, Serialize};

/// Something that happened, as a seat may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatEvent {
    /// A seat drew a card from the pile, after a reshuffle if the pile was empty.
    Drew {
        /// Who drew.
        seat: Seat,
        /// The card's kind, for the seat itself.
        kind: Option<Resource>,
    },
    /// Cards moved, and the seat saw their kinds.
    Moved {
        /// The hand that they left.
        from: Seat,
        /// Where they went.
        to: Place,
        /// Which cards.
        #[serde(with = "counted")]
        cards: Resources,
    },
    /// A card moved face down.
    Passed {
        /// The hand that it left.
        from: Seat,
        /// Where it went.
        to: Place,
    },
    /// A seat has shown that it holds cards, by proposing or agreeing to give them.
    Shown {
        /// Who has them.
        seat: Seat,
        /// Which cards.
        #[serde(with = "counted")]
        cards: Resources,
    },
}

/// Where a card can go from a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Into a hand.
    Hand(Seat),
    /// Onto the discards.
    Discards,
}
