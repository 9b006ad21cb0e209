//! The weights of the planner: those of its island, and those of what this game adds. The unit is a victory point.

use crate::core::params::{ANY, Parameter, parameters};
use crate::core::types::joined::joined;
use crate::parts::island::opinion::weights as island;
use serde::{Deserialize, Serialize};

parameters! {
    /// What this game adds to the weights of the island.
    pub struct Added, listed in ADDED {
        token: f32 = 0.05, number(ANY), "worth of a trade token";
        rival: f32 = 0.8, number(ANY), "what counts of what the opponent loses or gains by a piece";
        disrupted: f32 = 0.05, number(ANY), "worth of what a forced trade does to the opponent's hand";
    }
}

/// All weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Those of the island.
    #[serde(flatten)]
    pub island: island::Weights,
    /// Those of what this game adds.
    #[serde(flatten)]
    pub added: Added,
}

// Those of base CATAN, some of them adjusted one at a time by matches against the same without the change.
impl Default for Weights {
    fn default() -> Weights {
        let island = island::Weights { hand: 0.04, bank_trust: 0.4, ..island::Weights::DEFAULT };
        Weights { island, added: Added::DEFAULT }
    }
}

const COUNT: usize = island::PARAMETERS.len() + ADDED.len();

/// What may be set in [`Weights`], in the order in which it is shown.
pub const PARAMETERS: [Parameter; COUNT] = joined(island::PARAMETERS, ADDED);
