//! Opinions on the boats: those on the island, where boats count as roads over water, and what the sea brings.

pub mod charted;
pub mod eager;
pub mod inputs;
pub mod kinds;
pub mod planner;
pub mod quick;
pub mod weights;

use crate::core::agent::NoAgent;
use crate::core::opinion::{NetLesson, OneStep, Opinion};
use crate::core::params::{MctsParams, Parameter};
use crate::games::boats::action::Action;
use crate::games::boats::game::Boats;
use crate::games::boats::opinion::eager::Eager;
use crate::games::boats::opinion::planner::Planner;
use crate::games::boats::opinion::quick::Quick;
use crate::games::boats::opinion::weights::{PARAMETERS, Weights};

impl Opinion for Boats {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = OneStep<Eager>;
    type Quick = Quick;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = &PARAMETERS;
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = kinds::ALL;
    const SEARCH: MctsParams = MctsParams { prior_scale: 0.12, ..MctsParams::DEFAULT };
    const NET: Option<NetLesson<Boats>> = Some(NetLesson::new(inputs::ALL));

    fn action_kinds(action: Action) -> u32 {
        kinds::of(action)
    }

    fn planner(&self, weights: &Weights) -> Planner {
        Planner::new(weights.clone())
    }
}
