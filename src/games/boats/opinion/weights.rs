//! The weights of the planner: those of the island's planner, and of what the sea brings. The unit is a victory point.

use crate::core::params::{ANY, Parameter, SHARE, parameters};
use crate::core::types::joined::joined;
use crate::parts::island::opinion::weights as island;
use serde::{Deserialize, Deserializer, Serialize};

parameters! {
    /// What the sea brings, in victory points.
    pub struct Sea, listed in SEA {
        uncovered: f32 = 0.25, number(ANY), "worth of a hex that a piece uncovers";
        landing: f32 = 0.68, number(ANY), "worth of having reached a place to settle on land that brings a chit";
        distance: f32 = 0.58, number(SHARE), "share of that which is left for each boat still needed";
        waiting: f32 = 0.6, number(SHARE), "share of a chit's points that a chit beneath a settlement counts";
        boat_move: f32 = 0.05, number(ANY), "the least that moving a piece must bring";
        gold: f32 = 0.03, number(ANY), "worth of a gold piece";
        isa: f32 = 0.05, number(ANY), "worth of a use of Isa that is left";
        louis: f32 = 0.3, number(ANY), "worth of having Louis";
    }
}

/// The weights of the planner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Weights {
    /// On the island.
    #[serde(flatten)]
    pub island: island::Weights,
    /// At sea.
    #[serde(flatten)]
    pub sea: Sea,
}

// Found by `tune boats heuristic --param landing=0.1..2 --param distance=0.3..1 --param road=-0.5..0.5 --param
// site=0..0.2`, with two more for hexes to discover, which `shores` has not. On other deals (`compare --seed 5`)
// the four win 11.0 pp (1.0 to 20.7, 1,200 matches) more than the first guess on `shores` and 0.9 pp (-4.4 to 6.2,
// 3,000 matches) on `fog`. Neither landing and distance alone nor road and site alone were shown to win more.
impl Default for Weights {
    fn default() -> Weights {
        let island = island::Weights { site: 0.033, road: -0.001, ..island::Weights::DEFAULT };
        Weights { island, sea: Sea::DEFAULT }
    }
}

/// Both kinds refuse what they don't know, so each gets its own part.
impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Weights, D::Error> {
        use serde::de::Error;
        let (mut sea, mut island) = (toml::Table::new(), toml::Table::deserialize(deserializer)?);
        for Parameter { name, .. } in SEA {
            if let Some(value) = island.remove(*name) {
                sea.insert((*name).to_owned(), value);
            }
        }
        let island = island.try_into().map_err(D::Error::custom)?;
        Ok(Weights { island, sea: sea.try_into().map_err(D::Error::custom)? })
    }
}

const COUNT: usize = island::PARAMETERS.len() + SEA.len();

/// What may be set in [`Weights`], in the order in which it is shown.
pub const PARAMETERS: [Parameter; COUNT] = joined(island::PARAMETERS, SEA);
