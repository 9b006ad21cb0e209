//! What players say to each other in a trade: whom a proposal is for, and how it is answered. When and what
//! may be proposed is each game's own.

use crate::parts::resources::Bundle;
use crate::types::seat::SEATS_MAX;
use crate::types::seat::Seat;
use serde::Deserialize;
use serde::Serialize;

/// To whom a proposal goes. In records 0 stands for all, else the seat's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// To every other player.
    All,
    /// To one player.
    One(Seat),
}

impl Serialize for Audience {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(match self {
            Audience::All => 0,
            Audience::One(seat) => seat.number(),
        })
    }
}

impl<'de> Deserialize<'de> for Audience {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Audience, D::Error> {
        let number = u8::deserialize(deserializer)?;
        match number.checked_sub(1) {
            None => Ok(Audience::All),
            Some(idx) if usize::from(idx) < SEATS_MAX => Ok(Audience::One(Seat::new(idx))),
            Some(_) => Err(serde::de::Error::custom(format!("no seat {number}"))),
        }
    }
}

/// An answer to a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Answer {
    /// Not asked, or not yet.
    #[default]
    None,
    /// Refused.
    Refused,
    /// Accepted.
    Accepted,
    /// Another trade instead, as the one who answers sees it.
    Countered {
        /// What the one who answers would give.
        give: Bundle,
        /// What the one who answers would get.
        want: Bundle,
    },
}
