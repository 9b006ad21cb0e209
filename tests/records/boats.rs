//! What records of the boats are tested with, and its tables of all sizes.

use crate::played::{Recorded, odd_offers, play, referee, short_matches};
use crate::shadow::{At, shadow};
use fairhaven::core::game::{End, Game};
use fairhaven::games::boats::Boats;
use fairhaven::games::boats::rules::{Allowed, Helper, Helpers, Holder, Rules, When};
use fairhaven::games::boats::scenario::SHIPPED;
use fairhaven::parts::island::rules::{AfterTurn, Order, Shortage, Steal};
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Recorded for Boats {
    const TABLES: &'static [&'static [&'static str]] =
        &[&["random", "greedy", "random"], &["greedy", "random", "heuristic", "random"]];
    const FOREIGN: &'static str = "draw";
    const WORDS: &'static [&'static str] =
        &["brick", "ore", "desert", "sea", "knight", "monopoly", "1+1", "6+1", "3", "9", "12"];
    const PHASES: [&'static str; 2] = ["main", "robber"];
    const WRONG: &'static [(&'static str, &'static str)] = &[
        ("/rules/points_to_win", "2"),
        ("/rules/points_to_win", "1000"),
        ("/rules/scenario", "\"atlantis\""),
        ("/rules/scenario", "[1]"),
        ("/rules/isa", "\"seat_7\""),
        ("/rules/helpers", "\"drawn\""),
        ("/rules/helpers_allowed/2", "\"thief\""),
        ("/rules/gold/price", "0"),
        ("/rules/cost/boat/ore", "255"),
        ("/rules/boats", "16"),
    ];
    const NEEDED: [&'static str; 2] = ["robber", "steal"];
    const CROWD: u8 = 7;
    // Roads and boats have no price in one of the rule sets.
    const FREE: &'static [&'static str] = &["boat", "move_boat", "move_road", "road"];

    fn rule_sets() -> Vec<Rules> {
        let fog = || Rules { scenario: "fog".to_owned(), ..Rules::default() };
        let mut helped = Rules { isa: Holder::Seat3, louis: Holder::Seat2, ..fog() };
        helped.route.when = When::AtOnce;
        let mut strict = Rules { order: Order::Strict, shortage: Shortage::Nobody, ..fog() };
        strict.robber.steal = Steal::May;
        strict.points_to_win = 5.into();
        strict.extension.after_turn = AfterTurn::Paired;
        let mut cheap = Rules { louis: Holder::Seat1, isa: Holder::Seat1, ..Rules::default() };
        (cheap.cost.boat, cheap.cost.road) = Default::default();
        cheap.trade.proposals_max = 0;
        let mut chosen = Rules { helpers: Helpers::Chosen, ..fog() };
        chosen.helpers_allowed[1] = Allowed::of_bits(Helper::Louis.bit());
        vec![Rules::default(), helped, strict, cheap, chosen]
    }

    fn shorter(mut rules: Rules) -> Rules {
        rules.turns_max = rules.turns_max.min(10);
        rules.trade.listed_max = rules.trade.listed_max.min(1);
        // Tokens that are laid again may be laid once more, or once less: that is no fault. Without a 6 or 8 none is.
        let (_, text) = SHIPPED.iter().find(|(name, _)| *name == rules.scenario).unwrap();
        rules.scenario = text.replace("[2, 3, 3, 4, 5, 6, 6, 8,", "[2, 3, 3, 4, 5, 5, 9, 10,");
        rules
    }

    fn odd_actions() -> Vec<Value> {
        let others = vec![
            json!({"do": "boat", "edge": 105}),
            json!({"do": "isa_boat", "edge": 3, "pay": "ore"}),
            json!({"do": "move_boat", "from": 1, "to": 1}),
            json!({"do": "move_road", "from": 1, "to": 108}),
            json!({"do": "gold", "want": "wool"}),
            json!({"do": "helper", "take": "isa"}),
            json!({"do": "helper", "take": "louis"}),
            json!({"do": "gold", "want": "ore"}),
            json!({"do": "road", "edge": 105}),
            json!({"do": "settlement", "vertex": 77}),
            json!({"do": "robber", "hex": 2, "victim": null}),
        ];
        [odd_offers(), others].concat()
    }
}

/// Whole matches of all sizes, under each rule set; everything that they may hold occurs.
#[test]
fn records_of_all_tables_are_accepted() {
    let (mut ends, mut phases, mut done) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for (idx, mut rules) in Boats::rule_sets().into_iter().enumerate() {
        rules.turns_max = 300;
        for seats in 2..=5 {
            let names = ["heuristic", "greedy", "random", "greedy", "heuristic"];
            if Boats::new(rules.clone(), seats).is_err() {
                continue;
            }
            let played = play::<Boats>(rules.clone(), &names[..seats.into()], 60 + idx as u64);
            let checked = referee::<Boats>(&played.lines).unwrap();
            let shadow = shadow::<Boats>(&played.lines);
            let decisions = shadow.at.iter().filter(|at| matches!(at, At::Decision(_))).count();
            assert_eq!((checked.players, checked.decisions as usize), (seats, decisions));
            let word = |value: &Value| value.as_str().map(str::to_owned);
            phases.extend(shadow.values.iter().filter_map(|line| word(&line["phase"])));
            done.extend(shadow.values.iter().filter_map(|line| word(&line["action"]["do"])));
            ends.push(checked.end);
        }
    }
    ends.extend(short_matches::<Boats>().iter().map(|it| referee::<Boats>(&it.lines).unwrap().end));
    assert!([End::Won, End::TurnLimit].iter().all(|end| ends.contains(end)));
    for phase in ["discard", "found", "found_road", "helper", "main", "robber", "roll", "special"] {
        assert!(phases.contains(phase), "no {phase} in {phases:?}");
    }
    for word in
        ["boat", "isa_boat", "move_boat", "move_road", "gold", "helper", "road", "settlement"]
    {
        assert!(done.contains(word), "no {word} in {done:?}");
    }
}
