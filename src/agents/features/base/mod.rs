//! Opinions on base CATAN: what a position is worth by points, income, places to build and cards in hand.

pub mod eager;
pub mod planner;
pub mod quick;
pub mod worth;

use crate::agents::features::base::eager::Eager;
use crate::agents::features::base::planner::Planner;
use crate::agents::features::base::quick::Quick;
use crate::agents::opinion::Opinion;
use crate::agents::opinion::Parameter;
use crate::agents::opinion::Special;
use crate::games::base::Base;
use serde::Deserialize;
use serde::Serialize;

/// How the planner weighs things. The unit is a victory point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// A victory point.
    pub point: f32,
    /// A card that is expected in 36 throws.
    pub income: f32,
    /// Each kind that there is any income of.
    pub variety: f32,
    /// A harbour of a kind, for each card of it in 36 throws.
    pub harbour: f32,
    /// A card in 36 throws of the best spot that a settlement can be put on.
    pub site: f32,
    /// The same one road further.
    pub ahead: f32,
    /// A road, towards Longest Road.
    pub road: f32,
    /// A knight played, towards Largest Army.
    pub knight: f32,
    /// An unplayed development card.
    pub card: f32,
    /// Being able to pay for a city, a settlement or a card: shares of what they bring.
    pub ready: f32,
    /// Any card in hand.
    pub hand: f32,
    /// A card beyond what is safe on a 7.
    pub excess: f32,
    /// A card in 36 throws taken from a rival by the robber.
    pub block: f32,
    /// A stolen card.
    pub steal: f32,
    /// How much more a rival near the target counts.
    pub leader: f32,
    /// Proposals that come to nothing in a turn, at most.
    pub proposals: f32,
    /// What a trade must bring.
    pub trade_margin: f32,
    /// What a trade costs if it helps a rival on the brink.
    pub peril: f32,
    /// Points of lead that count e-fold in chances to win.
    pub fog: f32,
}

/// Set by hand: a first opinion, tuned by no study.
impl Default for Weights {
    fn default() -> Weights {
        Weights {
            point: 1.0,
            income: 0.12,
            variety: 0.12,
            harbour: 0.03,
            site: 0.045,
            ahead: 0.02,
            road: 0.02,
            knight: 0.25,
            card: 0.45,
            ready: 0.75,
            hand: 0.035,
            excess: 0.05,
            block: 0.06,
            steal: 0.1,
            leader: 1.0,
            proposals: 2.0,
            trade_margin: 0.03,
            peril: 0.5,
            fog: 1.2,
        }
    }
}

const fn parameter(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about }
}

impl Opinion for Base {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = Eager;
    type Quick = Quick;

    const WEIGHTS: &'static [Parameter] = &[
        parameter("point", "worth of a victory point"),
        parameter("income", "worth of a card expected in 36 throws"),
        parameter("variety", "worth of each kind that there is income of"),
        parameter("harbour", "worth of a 2:1 harbour for each card of its kind in 36 throws"),
        parameter("site", "worth of a card in 36 throws at the best spot to settle"),
        parameter("ahead", "the same one road further"),
        parameter("road", "worth of a road towards Longest Road"),
        parameter("knight", "worth of a knight played"),
        parameter("card", "worth of an unplayed development card"),
        parameter("ready", "share of a build's worth that being able to pay for it has"),
        parameter("hand", "worth of any card in hand"),
        parameter("excess", "cost of a card beyond what is safe on a 7"),
        parameter("block", "worth of a card in 36 throws that the robber takes from a rival"),
        parameter("steal", "worth of a stolen card"),
        parameter("leader", "how much more a rival near the target counts"),
        parameter("proposals", "proposals that come to nothing in a turn, at most"),
        parameter("trade_margin", "what a trade must bring at least"),
        parameter("peril", "cost of a trade with a rival on the brink of winning"),
        parameter("fog", "points of lead that count e-fold in chances to win"),
    ];
    const SPECIALS: &'static [Special<Base>] = &[];

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
