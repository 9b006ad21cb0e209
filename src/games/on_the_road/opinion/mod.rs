//! Opinions on On the Road: how far a hand is from the cheapest way to win, and what follows from that.

pub mod baselines;
pub mod eager;
pub mod inputs;
pub mod kinds;
pub mod plan;
pub mod planner;
pub mod quick;
pub mod situation;
pub mod trades;
pub mod weights;
#[cfg(test)]
mod tests;

use crate::core::opinion::{Lesson, NetLesson, OneStep, Opinion, Special};
use crate::core::params::{MctsParams, Parameter};
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::opinion::baselines::Baseline;
use crate::games::on_the_road::opinion::eager::Eager;
use crate::games::on_the_road::opinion::planner::Planner;
use crate::games::on_the_road::opinion::quick::Quick;
use crate::games::on_the_road::opinion::weights::{JUDGED, PARAMETERS, Weights};

impl Opinion for OnTheRoad {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = OneStep<Eager>;
    type Quick = Quick;
    type Special = Baseline;

    const WEIGHTS: &'static [Parameter] = PARAMETERS;
    const SPECIALS: &'static [Special<OnTheRoad>] = &[
        Special {
            name: "builder",
            about: "builds the most expensive card it can pay for; never trades or substitutes",
            make: || Baseline::Builder,
        },
        Special {
            name: "drifter",
            about: "ends the turn or builds, uniformly at random; never trades or substitutes",
            make: || Baseline::Drifter,
        },
    ];
    const ACTION_KINDS: &'static [(&'static str, &'static str)] = kinds::ALL;
    // To imagine a position takes longer than to judge one.
    const SEARCH: MctsParams = MctsParams { repeats: 4, ..MctsParams::DEFAULT };
    const LESSON: Option<Lesson<OnTheRoad>> = Some(Lesson {
        names: JUDGED,
        features: Planner::features,
        weights: Weights::exponents,
        put: Weights::put_exponents,
    });
    const NET: Option<NetLesson<OnTheRoad>> = Some(NetLesson::new(inputs::OWN));

    fn action_kinds(action: Action) -> u32 {
        kinds::of(action)
    }

    fn planner(&self, weights: &Weights) -> Planner {
        Planner::new(weights.clone())
    }
}
