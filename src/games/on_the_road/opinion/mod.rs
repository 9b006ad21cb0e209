//! Opinions on On the Road: how far a hand is from the cheapest way to win, and what follows from that.

pub mod baselines;
pub mod eager;
pub mod plan;
pub mod planner;
pub mod quick;
#[cfg(test)]
mod tests;

use crate::core::opinion::{Lesson, Opinion, Special};
use crate::core::params::{ANY, MctsParams, Parameter, SHARE};
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::opinion::baselines::{Builder, Drifter};
use crate::games::on_the_road::opinion::eager::Eager;
use crate::games::on_the_road::opinion::planner::Planner;
use crate::games::on_the_road::opinion::quick::Quick;
use serde::{Deserialize, Serialize};

/// How the planner weighs things. The unit of time is a round: one turn of every player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Additional cards that a planned build costs when its kind is not in the row.
    pub row_wait: f32,
    /// Additional cards that each missing card of the scarcest kind costs.
    pub bottleneck: f32,
    /// Share of a substitution's value that a plan counts on.
    pub swap_trust: f32,
    /// Rounds that any build is worth merely for being done now.
    pub haste: f32,
    /// Rounds that taking a bonus card from a rival is worth, at most.
    pub deny: f32,
    /// Cards a round that a planned city adds to the expected income.
    pub city_growth: f32,
    /// Rounds that a tie effect is worth.
    pub tie_worth: f32,
    /// The most proposals that it makes in a turn.
    pub proposals: f32,
    /// The fewest rounds that a trade must save.
    pub trade_margin: f32,
    /// The fewest rounds that accepting another player's offer must save.
    pub answer_margin: f32,
    /// Rounds that a card in a rival's hand costs, if that rival is about to win.
    pub threat: f32,
    /// The most rounds that accepting the offer of a player about to win costs.
    pub peril: f32,
    /// Rounds that a trade is worth for allowing a build at once.
    pub enable: f32,
    /// Added value of roads, in cards.
    pub road_love: f32,
    /// Added value of knights, in cards.
    pub knight_love: f32,
    /// Added value of settlements, in cards.
    pub settlement_love: f32,
    /// Cards that keeping a bonus card with a lead of one road or knight is assumed to cost.
    pub hold_risk: f32,
    /// Rounds that a card beyond what is safe from the Robber costs.
    pub robber_fear: f32,
    /// Chance that an offer is accepted that gives more cards than it asks for.
    pub taken_if_more: f32,
    /// The same for as many cards.
    pub taken_if_even: f32,
    /// The same for fewer cards.
    pub taken_if_less: f32,
    /// Chance that a counter-offer is accepted.
    pub counter_taken: f32,
    /// Lead in rounds that multiplies a player's chance to win by e, relative to another's.
    pub fog: f32,
}

/// Tuned by hill climbing on the win rate of one `heuristic` against three `greedy`, 4 players, side B,
/// 3,600 matches a trial on common deals.
impl Default for Weights {
    fn default() -> Weights {
        Weights {
            row_wait: 0.4,
            bottleneck: 0.4,
            swap_trust: 0.46,
            haste: 0.27,
            deny: 0.15,
            city_growth: 0.76,
            tie_worth: -0.31,
            proposals: 3.0,
            trade_margin: -0.03,
            answer_margin: -0.19,
            threat: 0.05,
            peril: 0.6,
            enable: 0.1,
            road_love: -0.01,
            knight_love: -0.51,
            settlement_love: 0.59,
            hold_risk: 0.23,
            robber_fear: 0.0,
            taken_if_more: 0.83,
            taken_if_even: 0.7,
            taken_if_less: 0.02,
            counter_taken: 0.4,
            fog: 1.0,
        }
    }
}

impl Opinion for OnTheRoad {
    type Weights = Weights;
    type Planner = Planner;
    type Eager = Eager;
    type Quick = Quick;

    const WEIGHTS: &'static [Parameter] = &[
        Parameter::number(
            "row_wait",
            ANY,
            "additional cards that a planned build costs while its kind is not in the row",
        ),
        Parameter::number(
            "bottleneck",
            ANY,
            "additional cards that each missing card of the scarcest kind costs",
        ),
        Parameter::number(
            "swap_trust",
            SHARE,
            "share of a substitution's value that a plan counts on",
        ),
        Parameter::number("haste", ANY, "rounds that any build is worth for being done now"),
        Parameter::number(
            "deny",
            ANY,
            "the most rounds that taking a bonus card from a rival is worth",
        ),
        Parameter::number(
            "city_growth",
            ANY,
            "cards a round that a planned city adds to the expected income",
        ),
        Parameter::number("tie_worth", ANY, "rounds that a tie effect is worth"),
        Parameter::number(
            "proposals",
            (0.0, 100.0),
            "the most proposals in a turn; 0 never proposes",
        ),
        Parameter::number("trade_margin", ANY, "the fewest rounds that a trade must save"),
        Parameter::number(
            "answer_margin",
            ANY,
            "the fewest rounds that accepting another player's offer must save",
        ),
        Parameter::number(
            "threat",
            ANY,
            "rounds that a card in the hand of a rival about to win costs",
        ),
        Parameter::number(
            "peril",
            ANY,
            "the most rounds that accepting the offer of a player about to win costs",
        ),
        Parameter::number(
            "enable",
            ANY,
            "rounds that a trade is worth for allowing a build at once",
        ),
        Parameter::number("road_love", ANY, "added value of a road, in cards"),
        Parameter::number("knight_love", ANY, "added value of a knight, in cards"),
        Parameter::number("settlement_love", ANY, "added value of a settlement, in cards"),
        Parameter::number(
            "hold_risk",
            ANY,
            "cards that keeping a bonus card with a lead of one costs",
        ),
        Parameter::number(
            "robber_fear",
            ANY,
            "rounds that a card beyond what is safe from the Robber costs",
        ),
        Parameter::number(
            "taken_if_more",
            SHARE,
            "chance that an offer of more cards than it asks for is accepted",
        ),
        Parameter::number("taken_if_even", SHARE, "the same for an equal number of cards"),
        Parameter::number("taken_if_less", SHARE, "the same for fewer cards"),
        Parameter::number("counter_taken", SHARE, "chance that a counter-offer is accepted"),
        Parameter::of_search(
            "fog",
            (0.01, 100.0),
            "lead in rounds that multiplies the chance to win by e",
        ),
    ];
    const SPECIALS: &'static [Special<OnTheRoad>] = &[
        Special {
            name: "builder",
            about: "builds the most expensive card it can pay for; never trades or substitutes",
            make: || Box::new(Builder),
        },
        Special {
            name: "drifter",
            about: "ends the turn or builds, uniformly at random; never trades or substitutes",
            make: || Box::new(Drifter),
        },
    ];
    const SEARCH: MctsParams = MctsParams::COMMON;
    const LESSON: Option<Lesson<OnTheRoad>> = None;

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
