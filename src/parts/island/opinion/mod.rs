//! Opinions on base CATAN: what a position is worth by points, income, places to build and cards in hand.

pub mod deals;
pub mod eager;
pub mod evaluation;
pub mod inputs;
pub mod kinds;
pub mod known;
pub mod planner;
pub mod quick;
pub mod standing;
pub mod talk;
pub mod weights;
pub mod worth;

use crate::core::agent::NoAgent;
use crate::core::opinion::{Lesson, NetLesson, OneStep, Opinion};
use crate::core::params::{MctsParams, Parameter};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::opinion::eager::Eager;
use crate::parts::island::opinion::planner::Planner;
use crate::parts::island::opinion::quick::Quick;
use crate::parts::island::opinion::weights::{FEATURES, PARAMETERS, Weights};

impl Opinion for Island {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = OneStep<Eager>;
    type Quick = Quick;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = PARAMETERS;
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = kinds::ALL;
    const SEARCH: MctsParams = MctsParams { prior_scale: 0.12, ..MctsParams::DEFAULT };
    const LESSON: Option<Lesson<Island>> = Some(Lesson {
        names: FEATURES,
        features: |planner, game, state, seat, out| {
            out.extend(planner.features(game, state, seat).values());
        },
        weights: Weights::exponents,
        put: Weights::put_exponents,
    });
    const NET: Option<NetLesson<Island>> = Some(NetLesson::new(inputs::ALL));

    fn action_kinds(action: Action) -> u32 {
        kinds::of(action)
    }

    fn planner(&self, weights: &Weights) -> Planner {
        Planner::new(weights.clone())
    }
}
