//! What records of On the Road are tested with.

use crate::played::{Recorded, odd_offers};
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::rules::{
    Discards, DrawOrder, Face, Reshuffle, Rules, Side, TradeOrder,
};
use serde_json::{Value, json};

impl Recorded for OnTheRoad {
    const TABLES: &'static [&'static [&'static str]] = &[
        &["builder", "drifter", "builder", "random"],
        &["drifter", "builder", "random"],
        &["builder", "builder"],
    ];
    const FOREIGN: &'static str = "dice";
    const WORDS: &'static [&'static str] =
        &["brick", "ore", "wool", "city", "road", "robber", "solstice", "a", "b"];
    const PHASES: [&'static str; 2] = ["main", "discard"];
    const WRONG: &'static [(&'static str, &'static str)] = &[
        ("/rules/points_to_win", "0"),
        ("/rules/points_to_win", "1000"),
        ("/rules/side", "\"c\""),
        ("/rules/trade/listed_max", "200"),
        ("/rules/city/cost/ore", "255"),
        ("/rules/substitution/rates", "[0, 1, 2]"),
    ];
    const NEEDED: [&'static str; 2] = ["trade", "bluff"];
    const CROWD: u8 = 5;

    fn rule_sets() -> Vec<Rules> {
        let mut other = Rules { side: Side::B, mixed_first_row: true, ..Rules::default() };
        other.reshuffle = Reshuffle::OnEmpty;
        other.draw_order = DrawOrder::Round;
        other.robber.hand_limit = 3;
        let mut mixed = Rules { side: Side::Mixed, hand_start: 5.into(), ..Rules::default() };
        mixed.robber.discards = Discards::Hidden;
        mixed.metropolis.army.face = Face::Out;
        mixed.trade.bluff = true;
        mixed.trade.listed_max = 1;
        mixed.trade.order = TradeOrder::TradeFirst;
        let limited = Rules { points_to_win: 40.into(), turns_max: 30, ..Rules::default() };
        let mut dear = Rules { turns_max: 60, ..Rules::default() };
        dear.trade.proposals_max = 0;
        for cost in [&mut dear.road, &mut dear.settlement, &mut dear.city, &mut dear.knight] {
            cost.cost.ore = 14;
        }
        vec![Rules::default(), other, mixed, limited, dear]
    }

    fn shorter(mut rules: Rules) -> Rules {
        rules.turns_max = rules.turns_max.min(40);
        rules
    }

    fn odd_actions() -> Vec<Value> {
        let give = |(card, to): (&str, u8)| json!({"do": "give", "card": card, "to": to});
        [odd_offers(), [("ore", 1), ("wool", 1), ("wool", 6)].map(give).to_vec()].concat()
    }
}
