//! What records of base CATAN are tested with, and its tables of all sizes.

use crate::played::{Recorded, odd_offers, play, referee, short_matches};
use crate::shadow::{At, shadow};
use fairhaven::core::game::{End, Game};
use fairhaven::games::base::Base;
use fairhaven::parts::island::rules::{
    AfterTurn, Colours, Harbours, Layout, Order, Rules, Shortage, Steal, Tokens,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Recorded for Base {
    const TABLES: &'static [&'static [&'static str]] = &[
        &["random", "greedy", "random"],
        &["random", "greedy", "random", "heuristic", "greedy", "random"],
    ];
    const FOREIGN: &'static str = "draw";
    const WORDS: &'static [&'static str] =
        &["brick", "ore", "desert", "any", "knight", "monopoly", "1+1", "6+1", "3", "9", "12"];
    const PHASES: [&'static str; 2] = ["main", "robber"];
    const WRONG: &'static [(&'static str, &'static str)] = &[
        ("/rules/points_to_win", "2"),
        ("/rules/points_to_win", "1000"),
        ("/rules/island", "\"atlantis\""),
        ("/rules/trade/listed_max", "200"),
        ("/rules/cost/city/ore", "255"),
        ("/rules/bank", "9"),
        ("/rules/turns_max", "[1]"),
    ];
    const NEEDED: [&'static str; 2] = ["robber", "steal"];
    const CROWD: u8 = 7;

    fn rule_sets() -> Vec<Rules> {
        let mut strict = Rules { order: Order::Strict, ..Rules::default() };
        strict.tokens = Tokens::Shuffled;
        strict.harbours = Harbours::Shuffled;
        strict.trade.listed_max = 1;
        strict.robber.hand_limit = 3;
        strict.robber.steal = Steal::May;
        strict.extension.after_turn = AfterTurn::Paired;
        let mut beginner = Rules { island: Layout::Beginner, ..Rules::default() };
        beginner.colours = Colours::BlueFirst;
        beginner.bank = 10;
        beginner.shortage = Shortage::Nobody;
        beginner.points_to_win = 4.into();
        beginner.cost.card.ore = 0;
        let mut silent = Rules { points_to_win: 5.into(), ..Rules::default() };
        silent.trade.proposals_max = 0;
        silent.cost.road.brick = 0;
        silent.cost.card.grain = 0;
        silent.robber.spares_below = 3;
        vec![Rules::default(), strict, beginner, silent]
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
            json!({"do": "road", "edge": 108}),
            json!({"do": "settlement", "vertex": 0}),
            json!({"do": "city", "vertex": 79}),
            json!({"do": "robber", "hex": 29, "victim": null}),
            json!({"do": "robber", "hex": 3, "victim": 1}),
            json!({"do": "bank_trade", "give": "ore", "want": "ore"}),
            json!({"do": "year_of_plenty", "first": "ore", "second": "brick"}),
            json!({"do": "monopoly", "kind": "wool"}),
            json!({"do": "discard", "card": "wool"}),
        ];
        [odd_offers(), others].concat()
    }
}

/// Whole matches of all sizes, under each rule set; everything that they may hold occurs.
#[test]
fn records_of_all_tables_are_accepted() {
    let (mut ends, mut phases) = (Vec::new(), BTreeSet::new());
    for (idx, mut rules) in Base::rule_sets().into_iter().enumerate() {
        rules.turns_max = 400;
        for seats in 2..=6 {
            let names = ["heuristic", "greedy", "random", "greedy", "heuristic", "greedy"];
            let fits = Base::new(rules.clone(), seats).is_ok();
            assert!(fits || rules.island == Layout::Beginner && seats > 4);
            if !fits {
                continue;
            }
            let played = play::<Base>(rules.clone(), &names[..seats.into()], 50 + idx as u64);
            let checked = referee::<Base>(&played.lines).unwrap();
            let shadow = shadow::<Base>(&played.lines);
            let decisions = shadow.at.iter().filter(|at| matches!(at, At::Decision(_))).count();
            assert_eq!((checked.players, checked.decisions as usize), (seats, decisions));
            let phase = |value: &Value| value["phase"].as_str().map(str::to_owned);
            phases.extend(shadow.values.iter().filter_map(phase));
            ends.push(checked.end);
        }
    }
    ends.extend(short_matches::<Base>().iter().map(|it| referee::<Base>(&it.lines).unwrap().end));
    assert!([End::Won, End::TurnLimit].iter().all(|end| ends.contains(end)));
    let all = "answer choose discard found found_road free_road main paired robber roll special";
    assert_eq!(phases.into_iter().collect::<Vec<_>>().join(" "), all);
}
