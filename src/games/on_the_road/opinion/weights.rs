//! The weights of On the Road's planner. The unit of time is a round: one turn of every player.

use crate::core::params::{ANY, SHARE, parameters};

/// What a search may count besides the rounds of a plan when it judges a position, by seat; the first is those rounds.
pub const JUDGED: &[&str] = &[
    "rounds",
    "judged_point",
    "judged_card",
    "judged_road",
    "judged_knight",
    "judged_route",
    "judged_army",
];

// Tuned by hill climbing on the win rate of one `heuristic` against three `greedy`, 4 players, side B,
// 3,600 matches a trial on common deals.
parameters! {
    /// How the planner weighs things.
    pub struct Weights, listed in PARAMETERS {
        row_wait: f32 = 0.4, number(ANY),
            "additional cards that a planned build costs while its kind is not in the row";
        bottleneck: f32 = 0.4, number(ANY),
            "additional cards that each missing card of the scarcest kind costs";
        swap_trust: f32 = 0.46, number(SHARE),
            "share of a substitution's value that a plan counts on";
        haste: f32 = 0.27, number(ANY),
            "rounds that any build is worth for being done now";
        deny: f32 = 0.15, number(ANY),
            "the most rounds that taking a bonus card from a rival is worth";
        city_growth: f32 = 0.76, number(ANY),
            "cards a round that a planned city adds to the expected income";
        tie_worth: f32 = -0.31, number(ANY),
            "rounds that a tie effect is worth";
        proposals: f32 = 3.0, number((0.0, 100.0)),
            "the most proposals in a turn; 0 never proposes";
        trade_margin: f32 = -0.03, number(ANY),
            "the fewest rounds that a trade must save";
        answer_margin: f32 = -0.19, number(ANY),
            "the fewest rounds that accepting another player's offer must save";
        threat: f32 = 0.05, number(ANY),
            "rounds that a card in the hand of a rival about to win costs";
        peril: f32 = 0.6, number(ANY),
            "the most rounds that accepting the offer of a player about to win costs";
        enable: f32 = 0.1, number(ANY),
            "rounds that a trade is worth for allowing a build at once";
        road_love: f32 = -0.01, number(ANY),
            "added value of a road, in cards";
        knight_love: f32 = -0.51, number(ANY),
            "added value of a knight, in cards";
        settlement_love: f32 = 0.59, number(ANY),
            "added value of a settlement, in cards";
        hold_risk: f32 = 0.23, number(ANY),
            "cards that keeping a bonus card with a lead of one costs";
        robber_fear: f32 = 0.0, number(ANY),
            "rounds that a card beyond what is safe from the Robber costs";
        taken_if_more: f32 = 0.83, number(SHARE),
            "chance that an offer of more cards than it asks for is accepted";
        taken_if_even: f32 = 0.7, number(SHARE),
            "the same for an equal number of cards";
        taken_if_less: f32 = 0.02, number(SHARE),
            "the same for fewer cards";
        counter_taken: f32 = 0.4, number(SHARE),
            "chance that a counter-offer is accepted";
        fog: f32 = 1.0, of_search((0.01, 100.0)),
            "lead in rounds that multiplies the chance to win by e";
        judged_point: f32 = 0.0, of_search(ANY),
            "rounds that a victory point is worth in a position that is judged";
        judged_card: f32 = 0.0, of_search(ANY),
            "the same of a card in hand";
        judged_road: f32 = 0.0, of_search(ANY),
            "the same of a road";
        judged_knight: f32 = 0.0, of_search(ANY),
            "the same of a knight";
        judged_route: f32 = 0.0, of_search(ANY),
            "the same of holding the bonus card for roads";
        judged_army: f32 = 0.0, of_search(ANY),
            "the same of holding the bonus card for knights";
    }
}

impl Weights {
    /// What each of [`JUDGED`] is worth, in rounds.
    #[inline]
    pub fn judged(&self) -> [f32; JUDGED.len()] {
        [
            -1.0,
            self.judged_point,
            self.judged_card,
            self.judged_road,
            self.judged_knight,
            self.judged_route,
            self.judged_army,
        ]
    }

    /// The coefficient of each of [`JUDGED`] in the exponent of the chances to win.
    pub fn exponents(&self) -> Vec<f64> {
        self.judged().map(|worth| f64::from(worth / self.fog)).to_vec()
    }

    /// The weights and the fog that give these coefficients.
    #[allow(clippy::cast_possible_truncation, reason = "weights are no more precise")]
    pub fn put_exponents(&mut self, exponents: &[f64]) {
        let unit = (-exponents[0]).clamp(0.05, 20.0);
        let worth = |at: usize| (exponents[at] / unit).clamp(-100.0, 100.0) as f32;
        self.fog = (1.0 / unit) as f32;
        self.judged_point = worth(1);
        self.judged_card = worth(2);
        self.judged_road = worth(3);
        self.judged_knight = worth(4);
        self.judged_route = worth(5);
        self.judged_army = worth(6);
    }
}
