//! What a seat may know of something that happened to resource cards. (BASE-36)

use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::parts::seen::counted;
use serde::{Deserialize, Serialize};

/// Something that happened, as a seat may know it: only the kind of a stolen card differs between seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatEvent {
    /// Cards have come into a hand, face up.
    Gained {
        /// Whose hand.
        seat: Seat,
        /// Which cards.
        #[serde(with = "counted")]
        cards: Resources,
    },
    /// Cards have left a hand, face up.
    Lost {
        /// Whose hand.
        seat: Seat,
        /// Which cards, perhaps none: on a 7 some discard nothing.
        #[serde(with = "counted")]
        cards: Resources,
    },
    /// A seat has shown that it holds cards, by proposing or agreeing to give them.
    Shown {
        /// Who has them.
        seat: Seat,
        /// Which cards.
        #[serde(with = "counted")]
        cards: Resources,
    },
    /// A seat has handed over all its cards of a kind. (BASE-53)
    HandedOver {
        /// Who had them.
        from: Seat,
        /// Who has them now.
        to: Seat,
        /// Which kind.
        kind: Resource,
        /// How many, perhaps none.
        count: u8,
    },
    /// A random card was stolen. (BASE-24)
    Stolen {
        /// Who has it now.
        thief: Seat,
        /// Who had it.
        victim: Seat,
        /// Its kind, for thief and victim.
        kind: Option<Resource>,
    },
    /// A seat has ended a turn in which it could have won.
    TurnEnded {
        /// Who acted.
        seat: Seat,
        /// The points that it showed.
        points: u8,
    },
}
