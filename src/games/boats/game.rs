//! The game: a rule set and a table size, with what follows from them for every match.

use crate::core::resources::Resources;
use crate::games::boats::rules::Rules;
use crate::games::boats::scenario::Scenario;
use crate::parts::island::Island;
use crate::parts::places::VertexSet;
use std::sync::Arc;

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boats {
    pub(crate) rules: Rules,
    pub(crate) island: Island,
    pub(crate) scenario: Arc<Scenario>,
    /// Vertices where players may found.
    pub(crate) founding: VertexSet,
    pub(crate) boat_cost: Resources,
}

impl Boats {
    /// What it shares with base CATAN.
    pub fn island(&self) -> &Island {
        &self.island
    }

    /// The map and what is set aside.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The price of a boat.
    pub fn boat_cost(&self) -> Resources {
        self.boat_cost
    }
}
