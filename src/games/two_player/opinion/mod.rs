//! Opinions on CATAN for two: those on its island, with what tokens are worth, and what a neutral piece takes from the
//! opponent and not from its builder.

pub mod eager;
pub mod inputs;
pub mod kinds;
pub mod planner;
pub mod quick;
pub mod swing;
pub mod weights;

use crate::core::agent::NoAgent;
use crate::core::opinion::{NetLesson, OneStep, Opinion};
use crate::core::params::{MctsParams, Parameter};
use crate::games::two_player::action::Action;
use crate::games::two_player::game::TwoPlayer;
use crate::games::two_player::opinion::eager::Eager;
use crate::games::two_player::opinion::planner::Planner;
use crate::games::two_player::opinion::quick::Quick;
use crate::games::two_player::opinion::weights::{PARAMETERS, Weights};

impl Opinion for TwoPlayer {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = OneStep<Eager>;
    type Quick = Quick;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = &PARAMETERS;
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = kinds::ALL;
    const SEARCH: MctsParams = MctsParams { prior_scale: 0.12, ..MctsParams::DEFAULT };
    const NET: Option<NetLesson<TwoPlayer>> = Some(NetLesson::new(inputs::ALL));

    fn action_kinds(action: Action) -> u32 {
        kinds::of(action)
    }

    fn planner(&self, weights: &Weights) -> Planner {
        Planner::new(weights.clone())
    }
}
