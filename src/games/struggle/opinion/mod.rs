//! Opinions on Struggle for Catan: what lies in front of a seat, what its hand can build now and later, and what may
//! be taken from it or by it.

pub mod eager;
pub mod evaluation;
pub mod inputs;
pub mod kinds;
pub mod outlook;
pub mod planner;
pub mod prospects;
pub mod quick;
pub mod weights;
pub mod worth;
#[cfg(test)]
mod tests;

use crate::core::agent::NoAgent;
use crate::core::game::Game;
use crate::core::opinion::{Lesson, NetLesson, OneStep, Opinion};
use crate::core::params::{MctsParams, Parameter};
use crate::games::struggle::action::Action;
use crate::games::struggle::game::Struggle;
use crate::games::struggle::opinion::eager::Eager;
use crate::games::struggle::opinion::planner::Planner;
use crate::games::struggle::opinion::quick::Quick;
use crate::games::struggle::opinion::weights::{FEATURES, PARAMETERS, Weights};

impl Opinion for Struggle {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = OneStep<Eager>;
    type Quick = Quick;
    type Special = NoAgent;

    const WEIGHTS: &'static [Parameter] = PARAMETERS;
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = kinds::ALL;
    // Ratings are close to each other. Short duels of 300 iterations did not separate this from 0.06 and 0.12.
    const SEARCH: MctsParams =
        MctsParams { prior_scale: 0.08, candidates: 8, ..MctsParams::DEFAULT };
    const LESSON: Option<Lesson<Struggle>> = Some(Lesson {
        names: FEATURES,
        features: |planner, game, state, seat, out| {
            out.extend(planner.features(game, state, seat).values());
        },
        weights: Weights::exponents,
        put: Weights::put_exponents,
    });
    const NET: Option<NetLesson<Struggle>> = Some(NetLesson::new(inputs::ALL));

    fn weights(&self) -> Weights {
        Weights::at_table_of(self.players())
    }

    fn action_kinds(action: Action) -> u32 {
        kinds::of(action)
    }

    fn planner(&self, weights: &Weights) -> Planner {
        Planner::new(weights.clone())
    }
}
