//! The choices of Struggle for Catan: one variant for each kind of decision in the rules.

use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::games::struggle::cards::Card;
use crate::parts::bundles::Bundle;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whom or what a player trades with. (SFC-30)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Partner {
    /// The draw stack.
    Stack,
    /// The market.
    Market,
    /// Another player.
    Seat(Seat),
}

impl fmt::Display for Partner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partner::Stack => f.write_str("the stack"),
            Partner::Market => f.write_str("the market"),
            Partner::Seat(seat) => write!(f, "seat {seat}"),
        }
    }
}

/// One choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Ends trading and building, and draws two cards. (SFC-20, SFC-80)
    Draw,
    /// Builds a card. (SFC-40)
    Build {
        /// Which.
        card: Card,
        /// All that is paid, what stands in for other cards included. (SFC-41, SFC-72)
        pay: Bundle,
    },
    /// Takes a card by the merchants' guild. (SFC-71)
    Rob {
        /// Whose.
        from: Seat,
    },
    /// Begins a trade of some cards. (SFC-30)
    Trade {
        /// With whom.
        with: Partner,
        /// How many cards.
        cards: u8,
        /// Whether the library chooses one of them. (SFC-34)
        choose: bool,
    },
    /// Takes a card of the market, or chooses one from an open hand. (SFC-32, SFC-34)
    Take {
        /// Its kind.
        card: Resource,
    },
    /// Returns a card to the partner of the trade. (SFC-31 to SFC-33)
    Return {
        /// Its kind.
        card: Resource,
    },
    /// Leaves the destiny card as it is. (SFC-44)
    Keep,
    /// Flips the destiny card. (SFC-44)
    Flip,
    /// Discards a card to the brigands. (SFC-51)
    Discard {
        /// Its kind.
        card: Resource,
    },
    /// Draws further cards for knights. (SFC-80)
    Extra {
        /// How many.
        cards: u8,
    },
    /// Ends the turn, after drawing. (SFC-20)
    EndTurn,
}

const _: () = assert!(size_of::<Action>() <= 8, "lists of actions are copied");

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Draw => f.write_str("draw cards"),
            Action::Build { card, pay } => write!(f, "build {card} for {pay}"),
            Action::Rob { from } => write!(f, "take a card from seat {from} by the guild"),
            Action::Trade { with, cards, choose } => {
                let chosen = if choose { ", one of them chosen" } else { "" };
                write!(f, "trade {cards} with {with}{chosen}")
            }
            Action::Take { card } => write!(f, "take {card}"),
            Action::Return { card } => write!(f, "return {card}"),
            Action::Keep => f.write_str("leave the destiny card"),
            Action::Flip => f.write_str("flip the destiny card"),
            Action::Discard { card } => write!(f, "discard {card}"),
            Action::Extra { cards } => write!(f, "draw {cards} more"),
            Action::EndTurn => f.write_str("end turn"),
        }
    }
}
