//! What is written is accepted, says what happened, and is readable.

use crate::played::{Recorded, play, referee};
use crate::shadow::{At, shadow};
use fairhaven::core::chance::below;
use fairhaven::core::game::End;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::Action;
use fairhaven::games::on_the_road::rules::{Rules, Side};
use fairhaven::games::{boats, struggle, two_player};
use fairhaven::parts::island;
use fairhaven::sim::records::check::{check, peek_game};
use fairhaven::sim::records::error::LINE_MAX;
use fairhaven::sim::records::line::{ChanceLine, DecisionLine, EndLine};
use rand_pcg::Pcg32;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[test]
fn written_records_are_accepted() {
    let mut ends = Vec::new();
    for (idx, rules) in OnTheRoad::rule_sets().into_iter().enumerate() {
        for names in [
            &["builder", "drifter", "random", "builder"][..],
            &["drifter", "builder", "builder"],
            &["builder", "drifter"],
        ] {
            let played = play::<OnTheRoad>(rules.clone(), names, 100 + idx as u64);
            let checked = referee::<OnTheRoad>(&played.lines).unwrap();
            let shadow = shadow::<OnTheRoad>(&played.lines);
            let count = |wanted: fn(&At<OnTheRoad>) -> bool| {
                shadow.at.iter().filter(|at| wanted(at)).count() as u64
            };
            let last = shadow.values.last().unwrap();
            assert_eq!(usize::from(checked.players), names.len());
            assert_eq!(u64::from(checked.decisions), count(|at| matches!(at, At::Decision(_))));
            assert_eq!(checked.chance_events, count(|at| matches!(at, At::Chance(_))));
            assert_eq!(u64::from(checked.turns), last["turns"].as_u64().unwrap());
            assert_eq!(checked.end.name(), last["end"].as_str().unwrap());
            assert_eq!(
                checked.winner.map(|seat| u64::from(seat.number())),
                last["winner"].as_u64()
            );
            ends.push(checked.end);
        }
    }
    assert!([End::Won, End::TurnLimit, End::Standstill].iter().all(|end| ends.contains(end)));
}

/// Any valid rule set makes records that the referee understands.
#[test]
fn records_under_random_rule_sets_are_accepted() {
    let mut rng = Pcg32::new(5, 5);
    for round in 0..60 {
        let mut any = |low: u8, high: u8| {
            let span = u32::from(high - low) + 1;
            low + u8::try_from(below(&mut rng, span)).unwrap()
        };
        let mut rules = OnTheRoad::rule_sets().swap_remove(usize::from(any(0, 2)));
        rules.side = [Side::A, Side::B, Side::Mixed][usize::from(any(0, 2))];
        rules.hand_start = any(0, 10).into();
        rules.points_to_win = any(2, 25).into();
        rules.turns_max = u16::from(any(1, 60));
        rules.route.minimum = any(1, 11);
        rules.army.minimum = any(1, 8);
        rules.army.points = any(0, 10);
        rules.robber.hand_limit = any(0, 12);
        rules.substitution.rates = std::array::from_fn(|_| any(1, 6));
        rules.trade.proposals_max = any(0, 10);
        rules.trade.listed_max = any(0, 3);
        for price in [&mut rules.road, &mut rules.settlement, &mut rules.city, &mut rules.knight] {
            price.cost.grain = any(0, 2);
            price.cost.brick = any(0, 1);
        }
        let names = ["builder", "random", "drifter", "random"];
        let played = play::<OnTheRoad>(rules, &names[..usize::from(any(2, 4))], round);
        let checked = referee::<OnTheRoad>(&played.lines);
        assert!(checked.is_ok(), "round {round}: {}", checked.unwrap_err());
    }
}

#[test]
fn the_first_line_tells_the_game() {
    let played = play::<OnTheRoad>(Rules { turns_max: 2, ..Rules::default() }, &["random"; 3], 1);
    assert_eq!(peek_game(played.lines[0].as_bytes()).unwrap(), "on-the-road");
    assert_eq!(peek_game(played.lines[1].as_bytes()).unwrap_err().line, 1);
    assert!(peek_game(&b""[..]).is_err());
}

#[test]
fn a_record_of_another_program_needs_no_seed() {
    let played = play::<OnTheRoad>(Rules { turns_max: 5, ..Rules::default() }, &["random"; 3], 1);
    let mut values = shadow::<OnTheRoad>(&played.lines).values;
    values[0].as_object_mut().unwrap().remove("seed");
    values[0]["program"] = "another program 3.1".into();
    // Neither the order of fields nor a line feed at the very end is required.
    let mut lines: Vec<String> = values.iter().map(ToString::to_string).collect();
    let mut end: Vec<_> = values.last().unwrap().as_object().unwrap().clone().into_iter().collect();
    end.reverse();
    *lines.last_mut().unwrap() = Value::Object(end.into_iter().collect()).to_string();
    assert!(check::<OnTheRoad>(lines.join("\n").as_bytes()).is_ok());
    assert!(check::<OnTheRoad>(lines.join("\r\n").as_bytes()).is_ok());
}

#[test]
fn the_text_has_every_turn_and_every_decision() {
    let rules = Rules { side: Side::B, turns_max: 30, ..Rules::default() };
    let played = play::<OnTheRoad>(rules, &["builder", "random"], 7);
    let values = shadow::<OnTheRoad>(&played.lines).values;
    let mut rest = played.text.as_str();
    let mut expect = |words: &str| {
        let found = rest.find(words).unwrap_or_else(|| panic!("no `{words}` in {rest}"));
        rest = &rest[found + words.len()..];
    };
    expect("on-the-road, 2 players\nunofficial: ");
    expect("rule side = \"b\"\nrule turns_max = 30\nseat 1: builder\nseat 2: random\n");
    expect("match 0.0 of master seed 7, played by fairhaven ");
    expect("\nDeal\n    row: ");
    expect("    draw: seat 1 ");
    let mut turn = 0;
    for value in &values {
        let now = value["turn"].as_u64().unwrap_or(turn);
        if now > turn {
            expect(&format!("\nTurn {now}\n    draw: seat "));
            turn = now;
        }
        if let Some(seat) = value["seat"].as_u64().filter(|_| value["action"].is_object()) {
            let action = serde_json::from_value(value["action"].clone());
            let action: Action = action.unwrap();
            expect(&format!("  seat {seat}: {action}\n"));
        }
    }
    expect(&format!(" turn {turn}\nseat 1: "));
    expect(" points, rank ");
    expect("(random)\n");
}

/// Reads the lines that a part of the page on the format shows, by the actions of a game; returns the
/// actions that it shows alone, as words.
fn documented<A: Serialize + DeserializeOwned>(part: &str) -> String {
    let blocks = part.split("```jsonl\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut shown = Vec::new();
    for line in blocks.flat_map(str::lines) {
        let value: Value = serde_json::from_str(line).unwrap();
        let again = if value["chance"].is_string() {
            serde_json::to_value(serde_json::from_str::<ChanceLine>(line).unwrap())
        } else if value["action"].is_object() {
            serde_json::to_value(serde_json::from_str::<DecisionLine<A>>(line).unwrap())
        } else if value["end"].is_string() {
            serde_json::to_value(serde_json::from_str::<EndLine>(line).unwrap())
        } else {
            shown.push(value["do"].as_str().unwrap().to_owned());
            serde_json::to_value(serde_json::from_str::<A>(line).unwrap())
        };
        assert_eq!(again.unwrap(), value);
    }
    shown.dedup();
    shown.join(" ")
}

/// The page on the format shows lines that the referee would understand, and each action of each game.
#[test]
fn the_documented_lines_are_spelled_right() {
    let page = include_str!("../../docs/records.md");
    let (road, others) = page.split_once("\n## Base CATAN\n").unwrap();
    let (base, others) = others.split_once("\n## Struggle for Catan\n").unwrap();
    let (struggle, others) = others.split_once("\n## CATAN for two\n").unwrap();
    let (two_player, boats) = others.split_once("\n## Boats\n").unwrap();
    let all = "end_turn build offer accept refuse counter settle decline discard give";
    assert_eq!(documented::<Action>(road), all);
    let all = "roll end_turn road settlement city buy knight road_building year_of_plenty monopoly \
               robber discard bank_trade offer accept refuse counter settle decline stop";
    assert_eq!(documented::<island::action::Action>(base), all);
    let all = "draw build rob trade take return keep flip discard extra end_turn";
    assert_eq!(documented::<struggle::action::Action>(struggle), all);
    let all = "forced_trade give_back robber_home turn_in neutral_road neutral_settlement";
    assert_eq!(documented::<two_player::action::Action>(two_player), all);
    let all = "boat isa_boat move_boat move_road gold helper";
    assert_eq!(documented::<boats::action::Action>(boats), all);
    let limit = format!("at most {LINE_MAX} bytes").replace("65536", "65,536");
    assert!(page.contains(&limit));
}
