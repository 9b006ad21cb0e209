//! What records of CATAN for two are tested with.

use crate::played::{Recorded, odd_offers, play, referee};
use crate::shadow::shadow;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::games::two_player::rules::Rules;
use fairhaven::parts::island::rules::{Layout, Order, Tokens};
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Recorded for TwoPlayer {
    const TABLES: &'static [&'static [&'static str]] =
        &[&["random", "greedy"], &["heuristic", "random"], &["greedy", "greedy"]];
    const FOREIGN: &'static str = "draw";
    const WORDS: &'static [&'static str] =
        &["brick", "ore", "desert", "any", "knight", "monopoly", "1+1", "6+1", "3", "9", "12"];
    const PHASES: [&'static str; 2] = ["main", "neutral_road"];
    const WRONG: &'static [(&'static str, &'static str)] = &[
        ("/rules/points_to_win", "2"),
        ("/rules/island", "\"atlantis\""),
        ("/rules/neutral/places", "[11, 21]"),
        ("/rules/neutral/places", "[11]"),
        ("/rules/trade_tokens/start", "31"),
        ("/rules/trade_tokens/all", "61"),
        ("/rules/trade_tokens/forced_trade", "1"),
    ];
    const NEEDED: [&'static str; 2] = ["trade_tokens", "leader_price"];
    const CROWD: u8 = 3;

    fn rule_sets() -> Vec<Rules> {
        let mut strict = Rules { order: Order::Strict, ..Rules::default() };
        strict.trade.listed_max = 1;
        strict.robber.hand_limit = 3;
        strict.trade_tokens.leader_price = 1;
        let mut beginner = Rules { island: Layout::Beginner, ..Rules::default() };
        beginner.points_to_win = 5.into();
        beginner.neutral.places = [0, 53];
        let mut rich = Rules { points_to_win: 6.into(), ..Rules::default() };
        rich.trade.proposals_max = 0;
        rich.trade_tokens.all = 20;
        rich.trade_tokens.start = 5.into();
        rich.trade_tokens.max = 20;
        vec![Rules::default(), strict, beginner, rich]
    }

    fn shorter(mut rules: Rules) -> Rules {
        rules.turns_max = rules.turns_max.min(9);
        rules.trade.listed_max = rules.trade.listed_max.min(1);
        // Tokens that are laid again may be laid once more, or once less: that is no fault.
        rules.tokens = Tokens::Letters;
        rules
    }

    fn odd_actions() -> Vec<Value> {
        let others = vec![
            json!({"do": "road", "edge": 71}),
            json!({"do": "neutral_road", "seat": 1, "edge": 3}),
            json!({"do": "neutral_road", "seat": 3, "edge": 108}),
            json!({"do": "neutral_settlement", "seat": 4, "vertex": 79}),
            json!({"do": "give_back", "first": "ore", "second": "brick"}),
            json!({"do": "robber", "hex": 3, "victim": 1}),
        ];
        [odd_offers(), others].concat()
    }
}

/// Whole matches under each rule set; everything that they may hold occurs.
#[test]
fn records_of_two_are_accepted() {
    let mut phases = BTreeSet::new();
    for (idx, rules) in TwoPlayer::rule_sets().into_iter().enumerate() {
        for names in [["heuristic", "greedy"], ["random", "greedy"]] {
            let played = play::<TwoPlayer>(rules.clone(), &names, 50 + idx as u64);
            assert!(referee::<TwoPlayer>(&played.lines).is_ok());
            let shadow = shadow::<TwoPlayer>(&played.lines);
            let phase = |value: &Value| value["phase"].as_str().map(str::to_owned);
            phases.extend(shadow.values.iter().filter_map(phase));
        }
    }
    let all = "answer choose discard found found_road free_road give_back main neutral_road \
               neutral_settlement robber roll";
    assert_eq!(phases.into_iter().collect::<Vec<_>>().join(" "), all);
}
