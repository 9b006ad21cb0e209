//! The choices of On the Road: one variant for each kind of decision in the rules.

use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::Card;
use crate::parts::bundles::Bundle;
use crate::parts::trade::{Audience, TradeAction};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a build is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payment {
    /// The printed price.
    Exact,
    /// One card of the price is replaced by several of another kind. (OTR-42)
    Substitute {
        /// The kind of the card that is replaced.
        replaced: Resource,
        /// The kind that replaces it.
        by: Resource,
    },
}

/// One choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Ends the action phase.
    EndTurn,
    /// Builds a card of the row or a metropolis.
    Build {
        /// What is built.
        card: Card,
        /// How it is paid for.
        pay: Payment,
    },
    /// Proposes a trade.
    Offer {
        /// Who it is addressed to.
        to: Audience,
        /// What the current player would give.
        give: Bundle,
        /// What the current player would get.
        want: Bundle,
    },
    /// Accepts the proposal.
    Accept,
    /// Refuses the proposal.
    Refuse,
    /// Answers the proposal with another.
    Counter {
        /// What the countering player would give.
        give: Bundle,
        /// What the countering player would get.
        want: Bundle,
    },
    /// Trades with a player who accepted or countered.
    Settle {
        /// The partner.
        with: Seat,
    },
    /// Trades with nobody.
    Decline,
    /// Discards one card to the Robber.
    Discard {
        /// Its kind.
        card: Resource,
    },
    /// Gives one card for Charity.
    Give {
        /// Its kind.
        card: Resource,
        /// Who gets it.
        to: Seat,
    },
}

const _: () = assert!(size_of::<Action>() <= 8, "lists of actions are copied");

/// What players say in a trade.
impl TradeAction for Action {
    const REFUSE: Action = Action::Refuse;
    const ACCEPT: Action = Action::Accept;
    const DECLINE: Action = Action::Decline;

    fn offer(to: Audience, give: Bundle, want: Bundle) -> Action {
        Action::Offer { to, give, want }
    }

    fn counter(give: Bundle, want: Bundle) -> Action {
        Action::Counter { give, want }
    }

    fn settle(with: Seat) -> Action {
        Action::Settle { with }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::EndTurn => f.write_str("end turn"),
            Action::Build { card, pay: Payment::Exact } => write!(f, "build {card}"),
            Action::Build { card, pay: Payment::Substitute { replaced, by } } => {
                write!(f, "build {card} with {by} for {replaced}")
            }
            Action::Offer { to, give, want } => write!(f, "offer {give} for {want} to {to}"),
            Action::Accept => f.write_str("accept"),
            Action::Refuse => f.write_str("refuse"),
            Action::Counter { give, want } => write!(f, "counter {give} for {want}"),
            Action::Settle { with } => write!(f, "trade with seat {with}"),
            Action::Decline => f.write_str("trade with nobody"),
            Action::Discard { card } => write!(f, "discard {card}"),
            Action::Give { card, to } => write!(f, "give {card} to seat {to}"),
        }
    }
}
