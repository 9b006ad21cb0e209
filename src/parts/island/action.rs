//! The choices of base CATAN: one variant for each kind of decision in the rules.

use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::parts::bundles::Bundle;
use crate::parts::places::{Edge, Hex, Vertex};
use crate::parts::trade::{Audience, TradeAction};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Rolls the dice.
    Roll,
    /// Ends the turn, or what a player may do after someone else's turn.
    EndTurn,
    /// Lays a road.
    Road {
        /// Where.
        edge: Edge,
    },
    /// Builds a settlement.
    Settlement {
        /// Where.
        vertex: Vertex,
    },
    /// Turns a settlement into a city.
    City {
        /// Where.
        vertex: Vertex,
    },
    /// Buys a development card.
    Buy,
    /// Plays a knight.
    Knight,
    /// Plays Road Building.
    RoadBuilding,
    /// Plays Year of Plenty.
    YearOfPlenty {
        /// A card.
        first: Resource,
        /// Another, of the same kind or a later one in the order of resources; none if the bank has no more.
        second: Option<Resource>,
    },
    /// Plays Monopoly.
    Monopoly {
        /// What everyone hands over.
        kind: Resource,
    },
    /// Moves the robber and steals.
    Robber {
        /// Where it goes.
        hex: Hex,
        /// The seat it robs.
        victim: Option<Seat>,
    },
    /// Discards one card on a 7.
    Discard {
        /// Its kind.
        card: Resource,
    },
    /// Trades with the bank at the best rate.
    BankTrade {
        /// What is given.
        give: Resource,
        /// What is taken.
        want: Resource,
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
    /// Lays no further free road.
    Stop,
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
            Action::Roll => f.write_str("roll"),
            Action::EndTurn => f.write_str("end turn"),
            Action::Road { edge } => write!(f, "road at {edge}"),
            Action::Settlement { vertex } => write!(f, "settlement at {vertex}"),
            Action::City { vertex } => write!(f, "city at {vertex}"),
            Action::Buy => f.write_str("buy a card"),
            Action::Knight => f.write_str("play knight"),
            Action::RoadBuilding => f.write_str("play road building"),
            Action::YearOfPlenty { first, second: None } => {
                write!(f, "play year of plenty for {first}")
            }
            Action::YearOfPlenty { first, second: Some(second) } if first == second => {
                write!(f, "play year of plenty for 2 {first}")
            }
            Action::YearOfPlenty { first, second: Some(second) } => {
                write!(f, "play year of plenty for {first} and {second}")
            }
            Action::Monopoly { kind } => write!(f, "play monopoly for {kind}"),
            Action::Robber { hex, victim: None } => write!(f, "robber to hex {hex}"),
            Action::Robber { hex, victim: Some(seat) } => {
                write!(f, "robber to hex {hex}, steal from seat {seat}")
            }
            Action::Discard { card } => write!(f, "discard {card}"),
            Action::BankTrade { give, want } => write!(f, "bank {give} for {want}"),
            Action::Offer { to, give, want } => write!(f, "offer {give} for {want} to {to}"),
            Action::Accept => f.write_str("accept"),
            Action::Refuse => f.write_str("refuse"),
            Action::Counter { give, want } => write!(f, "counter {give} for {want}"),
            Action::Settle { with } => write!(f, "trade with seat {with}"),
            Action::Decline => f.write_str("trade with nobody"),
            Action::Stop => f.write_str("no further road"),
        }
    }
}
