//! Opinions on base CATAN: what a position is worth by points, income, places to build and cards in hand.

pub mod eager;
pub mod evaluation;
pub mod known;
pub mod planner;
pub mod quick;
pub mod weights;
pub mod worth;
#[cfg(test)]
mod tests;

use crate::core::agent::NoAgent;
use crate::core::opinion::{Lesson, Opinion, Special};
use crate::core::params::{MctsParams, Parameter};
use crate::games::base::game::Base;
use crate::games::base::opinion::eager::Eager;
use crate::games::base::opinion::planner::Planner;
use crate::games::base::opinion::quick::Quick;
use crate::games::base::opinion::weights::{FEATURES, PARAMETERS, Weights};

impl Opinion for Base {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = Eager;
    type Quick = Quick;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = PARAMETERS;
    const SPECIALS: &'static [Special<Base>] = &[];
    const SEARCH: MctsParams = MctsParams { prior_scale: 0.12, ..MctsParams::DEFAULT };
    const LESSON: Option<Lesson<Base>> = Some(Lesson {
        names: FEATURES,
        features: |planner, game, state, seat, out| {
            out.extend(planner.features(game, state, seat).values());
        },
        weights: Weights::exponents,
        put: Weights::put_exponents,
    });

    fn planner(&self, weights: &Weights) -> Planner {
        Planner::new(weights.clone())
    }

    fn eager(&self) -> Eager {
        Eager
    }

    fn quick(&self) -> Quick {
        Quick
    }
}
