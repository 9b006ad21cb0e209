//! The choices of the boats: those of the island, and what this variant adds.

use crate::core::resources::Resource;
use crate::games::boats::rules::Helper;
use crate::parts::island::action as island;
use crate::parts::places::Edge;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A choice that base CATAN does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum OwnAction {
    /// Builds a boat, in place of the road while founding.
    Boat {
        /// Where.
        edge: Edge,
    },
    /// Builds a boat with Isa's help. (BOAT-40)
    IsaBoat {
        /// Where.
        edge: Edge,
        /// The one card that it costs.
        pay: Resource,
    },
    /// Moves a boat; from the second of a turn with Isa's help. (BOAT-20, BOAT-40)
    MoveBoat {
        /// Where it lies.
        from: Edge,
        /// Where it goes.
        to: Edge,
    },
    /// Moves a road with Louis' help. (BOAT-41)
    MoveRoad {
        /// Where it lies.
        from: Edge,
        /// Where it goes.
        to: Edge,
    },
    /// Buys a card of the bank with gold. (BOAT-2)
    Gold {
        /// What is taken.
        want: Resource,
    },
    /// Chooses a helper. (BOAT-42)
    Helper {
        /// Which.
        take: Helper,
    },
}

/// One choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Action {
    /// One of this variant.
    Own(OwnAction),
    /// One of the island.
    Island(island::Action),
}

const _: () = assert!(size_of::<Action>() <= 8, "lists of actions are copied");

impl fmt::Display for OwnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            OwnAction::Boat { edge } => write!(f, "boat at {edge}"),
            OwnAction::IsaBoat { edge, pay } => write!(f, "boat at {edge} for {pay} with Isa"),
            OwnAction::MoveBoat { from, to } => write!(f, "boat from {from} to {to}"),
            OwnAction::MoveRoad { from, to } => write!(f, "road from {from} to {to} with Louis"),
            OwnAction::Gold { want } => write!(f, "buy {want} with gold"),
            OwnAction::Helper { take: Helper::Isa } => f.write_str("take Isa"),
            OwnAction::Helper { take: Helper::Louis } => f.write_str("take Louis"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Own(action) => action.fmt(f),
            Action::Island(action) => action.fmt(f),
        }
    }
}
