//! The weights of base CATAN's planner. The unit is a victory point.
//!
//! The first part weighs features: each has a weight and a [`Features`] field of the same name, so a feature
//! is a line here and a line in `worth`. The second part holds what no feature can express.

use crate::core::params::{ANY, SHARE, weights};

// Learned from a first guess by `learn`, then adjusted one at a time by matches against three of the same
// and against three `greedy`. `reports/weights/` has what each step brought.
weights! {
    features {
        point = 1.0, "a victory point";
        finish = 2.0, "being done: 1 / (1 + points missing)";
        income = 0.0356, "a card expected in 36 rolls, at the start; less as points come";
        kinds = 0.17, "each kind that there is income of; less as points come";
        sums = -0.05, "each roll that brings something; less as points come";
        settles = 0.243, "a settlement with a road that the income of 36 rolls pays for; less as points come";
        enlarges = 0.186, "a city that the income of 36 rolls pays for; less as points come";
        buys = 0.062, "a development card that the income of 36 rolls pays for; less as points come";
        blocked = -0.0245, "a card in 36 rolls that the robber blocks; less as points come";
        site = 0.0072, "a card in 36 rolls at the best spot to settle";
        ahead = 0.023, "the same after one road";
        far = 0.018, "the same after two roads";
        route = 0.83, "being one road away from Longest Road; a part of it up to three";
        army = 0.86, "being one knight away from Largest Army; a part of it up to three";
        knight = -0.02, "a knight played, up to five";
        road = -0.01, "a road";
        turn = 0.06, "being on turn; less the longer the wait";
        hand = 0.081, "a card in hand";
        ready = 0.5, "holding what can be built, in points of the builds; less the longer it takes";
        knight_card = 0.4, "an unplayed knight, up to three";
        progress_card = 0.3, "an unplayed progress card";
    }
    others {
        excess = 0.05, ANY, "cost of each card in hand beyond what is safe on a 7";
        road_goal = 0.3, ANY, "value of a hand for a road, in points, if there is no spot to settle";
        settlement_goal = 1.5, ANY, "value of a hand for a settlement, in points";
        city_goal = 1.6, ANY, "value of a hand for a city, in points";
        card_goal = 0.5, ANY, "value of a hand for a development card, in points";
        patience = 0.3, SHARE, "approximate share of a hand's readiness that a round of waiting costs";
        bank_trust = 0.7, SHARE, "share of what the bank gives for spare cards that counts as in hand";
        counter_taken = 0.3, SHARE, "chance that a counter-offer close to the proposal is accepted";
        bold_taken = 0.18, SHARE, "the same for any other counter-offer";
        steal = 0.25, ANY, "worth of a stolen card";
        proposals = 2.0, (0.0, 100.0), "the most failed proposals in a turn";
        trade_margin = 0.02, ANY, "the least that a trade must bring";
        help = 0.2, ANY, "what a trade is assumed to bring the partner, if it is the only rival";
        peril = 0.5, ANY, "cost of a trade with a rival about to win";
        fog = 1.11, (0.01, 100.0), "lead in points that multiplies the chance to win by e";
    }
}
