//! Opinions on base CATAN: what a position is worth by points, income, places to build and cards in hand.

pub mod eager;
pub mod planner;
pub mod quick;
pub mod thought;
pub mod weights;
pub mod worth;
#[cfg(test)]
mod tests;

use crate::agents::features::base::eager::Eager;
use crate::agents::features::base::planner::Planner;
use crate::agents::features::base::quick::Quick;
use crate::agents::features::base::weights::FEATURES;
use crate::agents::features::base::weights::PARAMETERS;
use crate::agents::features::base::weights::Weights;
use crate::agents::opinion::Lesson;
use crate::agents::opinion::Opinion;
use crate::agents::opinion::Special;
use crate::agents::params::MctsParams;
use crate::agents::params::Parameter;
use crate::games::base::Base;

impl Opinion for Base {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = Eager;
    type Quick = Quick;

    const WEIGHTS: &'static [Parameter] = PARAMETERS;
    const SPECIALS: &'static [Special<Base>] = &[];
    const SEARCH: MctsParams = MctsParams { prior_scale: 0.12, ..MctsParams::COMMON };
    const LESSON: Option<Lesson<Base>> = Some(Lesson {
        names: FEATURES,
        features: |game, weights, state, seat, out| {
            out.extend(worth::features(game, weights, state, seat).values());
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
