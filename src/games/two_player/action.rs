//! The choices of CATAN for two: those of the island, and its own.

use crate::core::resources::Resource;
use crate::core::types::seat::Seat;
use crate::parts::island::action;
use crate::parts::places::{Edge, Vertex};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Lays a road for a neutral player.
    NeutralRoad {
        /// Whose it is.
        seat: Seat,
        /// Where.
        edge: Edge,
    },
    /// Builds a settlement for a neutral player.
    NeutralSettlement {
        /// Whose it is.
        seat: Seat,
        /// Where.
        vertex: Vertex,
    },
    /// Draws two cards of the opponent's.
    ForcedTrade,
    /// Gives two cards back.
    GiveBack {
        /// A card.
        first: Resource,
        /// Another, of the same kind or a later one in the order of resources.
        second: Resource,
    },
    /// Sends the robber to the desert.
    RobberHome,
    /// Turns a played knight in for tokens.
    TurnIn,
    /// One of the island's.
    #[serde(untagged)]
    Island(action::Action),
}

const _: () = assert!(size_of::<Action>() <= 8, "lists of actions are copied");

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::NeutralRoad { seat, edge } => {
                write!(f, "road of neutral seat {seat} at {edge}")
            }
            Action::NeutralSettlement { seat, vertex } => {
                write!(f, "settlement of neutral seat {seat} at {vertex}")
            }
            Action::ForcedTrade => f.write_str("forced trade"),
            Action::GiveBack { first, second } if first == second => {
                write!(f, "give back 2 {first}")
            }
            Action::GiveBack { first, second } => write!(f, "give back {first} and {second}"),
            Action::RobberHome => f.write_str("robber home"),
            Action::TurnIn => f.write_str("turn in a knight"),
            Action::Island(action) => action.fmt(f),
        }
    }
}
