//! Our agent in a seat of recorded matches: the other program's messages are made from the records, by its
//! documentation, and every question is answered. The match goes on as it was recorded.

use crate::support::slice;
use fairhaven::conformance::catanatron::exec::guest::Visitor;
use fairhaven::conformance::catanatron::exec::places::{PORTS, TILES};
use fairhaven::conformance::catanatron::words::{CARDS, KINDS};
use fairhaven::core::watch::Watch;
use fairhaven::sim::agents::spec::AgentSpec;
use serde_json::{Map, Value, json};
use std::io::{BufRead, Write};
use std::process::{Command, Output, Stdio};

/// Steps of a match from which on only some of its questions are asked: each repeats all steps before it.
const LONG: usize = 700;

/// A recorded match, in the words of the other program's messages.
struct Messages<'a> {
    record: &'a Value,
    colors: Vec<Value>,
}

impl Messages<'_> {
    fn color(&self, seat: &Value) -> Value {
        seat.as_u64()
            .map_or(Value::Null, |seat| self.colors[usize::try_from(seat).expect("a seat")].clone())
    }

    fn value(&self, word: &Value, value: &Value) -> Value {
        let mut value = value.clone();
        match word.as_str().expect("a word") {
            "MOVE_ROBBER" => {
                let tile = usize::try_from(value[0].as_u64().expect("a tile")).expect("a tile");
                value = json!([TILES[tile].0, self.color(&value[1])]);
            }
            "CONFIRM_TRADE" => value[10] = self.color(&value[10]),
            "ACCEPT_TRADE" | "REJECT_TRADE" => value.as_array_mut().expect("terms").push(0.into()),
            _ => {}
        }
        value
    }

    /// An action that was carried out, with its result.
    fn done(&self, step: &Value) -> Value {
        let [seat, word, value] = [0, 1, 2].map(|at| &step["a"][at]);
        let has_result = ["ROLL", "BUY_DEVELOPMENT_CARD"].contains(&word.as_str().expect("a word"));
        let value = if has_result { step["r"].clone() } else { self.value(word, value) };
        json!([[self.color(seat), word, value], step["r"]])
    }

    fn map(&self) -> Value {
        let map = &self.record["map"];
        let tiles = map["tiles"].as_array().expect("tiles").iter().map(|tile| {
            json!({"coordinate": tile["cube"], "type": "LAND", "id": tile["id"],
                   "resource": tile["res"], "number": tile["num"]})
        });
        let ports = map["ports"].as_array().expect("ports").iter().map(|port| {
            let is_there = |nodes: [u8; 2]| {
                port["at"] == json!(nodes) || port["at"] == json!([nodes[1], nodes[0]])
            };
            let place = PORTS.iter().find(|(_, nodes)| is_there(*nodes)).expect("a harbour");
            json!({"coordinate": place.0, "type": "PORT", "resource": port["res"]})
        });
        let water = (0..9).map(|_| json!({"coordinate": [3, -2, -1], "type": "WATER"}));
        json!({"tiles": tiles.chain(ports).chain(water).collect::<Vec<_>>()})
    }

    /// Numbers of the seats in a state; of other hands than `own` only how many cards there are, if it is given.
    fn numbers(&self, state: &Value, own: Option<usize>) -> Value {
        let mut all = Map::new();
        for seat in 0..self.colors.len() {
            let (hand, cards) = (&state["h"][seat], &state["d"][seat]);
            if own.is_some_and(|own| own != seat) {
                let size: u64 = (0..5).map(|at| hand[at].as_u64().expect("a count")).sum();
                all.insert(format!("P{seat}_NUM_RESOURCES_IN_HAND"), size.into());
                continue;
            }
            for (at, (word, _)) in KINDS.iter().enumerate() {
                all.insert(format!("P{seat}_{word}_IN_HAND"), hand[at].clone());
            }
            for (at, (word, _)) in CARDS.iter().enumerate() {
                all.insert(format!("P{seat}_{word}_IN_HAND"), cards[at].clone());
            }
        }
        all.into()
    }

    fn document(&self, state: &Value, done: &[Value], own: Option<usize>) -> Value {
        let config = &self.record["config"];
        let robber =
            usize::try_from(self.record["robber"].as_u64().expect("a tile")).expect("a tile");
        let done = done.iter().map(|record| {
            let hides = own.is_some_and(|own| record[0][0] != self.colors[own]);
            match record[0][1].as_str().expect("a word") {
                "BUY_DEVELOPMENT_CARD" if hides => {
                    json!([[record[0][0], record[0][1], null], null])
                }
                "MOVE_ROBBER" if hides => json!([record[0], null]),
                _ => record.clone(),
            }
        });
        json!({
            "schema_version": 2,
            "game": {"vps_to_win": config["vps"], "discard_limit": config["discard"],
                     "friendly_robber": config["friendly"] == 1},
            "board": {"robber_coordinate": TILES[robber].0},
            "colors": self.colors,
            "player_state": self.numbers(state, own),
            "resource_freqdeck": state["b"],
            "action_records": done.collect::<Vec<_>>(),
        })
    }
}

/// Answers the questions of one seat; returns how many there were.
fn visit(line: usize, record: &Value, own: usize, hides: bool) -> usize {
    let colors =
        record["seats"].as_array().expect("seats").iter().map(|seat| seat["color"].clone());
    let messages = Messages { record, colors: colors.collect() };
    let (agent, watch) = (AgentSpec::parse("heuristic", None).expect("an agent"), Watch::none());
    let mut guest = Visitor::new(&agent, &watch);
    let hidden = hides.then_some(own);
    let mut document = messages.document(&record["start"], &[], hidden);
    document["map"] = messages.map();
    let color = &messages.colors[own];
    let before = json!({"type": "before", "protocol_version": 1, "game_id": line, "color": color, "state": document});
    assert_eq!(guest.hear(&before.to_string()), Ok(None), "line {line}");
    let (mut state, mut done, mut asked) = (&record["start"], Vec::new(), 0);
    for (number, step) in record["steps"].as_array().expect("steps").iter().enumerate() {
        let listed = step["l"].as_array().expect("a list");
        if step["a"][0] == own && listed.len() > 1 && (number < LONG || number % 16 == 0) {
            let entry =
                |entry: &Value| json!([color, entry[0], messages.value(&entry[0], &entry[1])]);
            let listed: Vec<Value> = listed.iter().map(entry).collect();
            let question = json!({
                "type": "decide", "game_id": line, "color": color,
                "state": messages.document(state, &done, hidden), "playable_actions": listed,
            });
            let answer = guest.hear(&question.to_string());
            let answer =
                answer.unwrap_or_else(|error| panic!("line {line}, step {number}: {error}"));
            let answer: Value = serde_json::from_str(&answer.expect("an answer")).expect("JSON");
            assert!(listed.contains(&answer["action"]), "line {line}, step {number}: {answer}");
            asked += 1;
        }
        done.push(messages.done(step));
        state = &step["s"];
    }
    asked
}

#[test]
fn an_agent_answers_every_question_of_recorded_matches() {
    let mut asked = 0;
    for (at, line) in slice().lines().enumerate() {
        let record: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let players = record["seats"].as_array().expect("seats").len();
        asked += visit(at, &record, at % players, false);
        asked += visit(at, &record, (at + 1) % players, true);
    }
    assert!(asked > 2000, "{asked}");
}

/// Calls the program with a line on its standard input.
fn call(arguments: &[&str], line: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_fairhaven"));
    let program = program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = program.stderr(Stdio::piped()).spawn().expect("the program");
    // Who refuses its arguments doesn't read.
    let _ = writeln!(program.stdin.take().expect("a pipe"), "{line}");
    program.wait_with_output().expect("its output")
}

#[test]
fn the_dialect_is_for_base_and_for_agents_that_see_what_a_seat_may_see() {
    let hello = r#"{"type":"hello","protocol_version":1}"#;
    let heard = |game: &str, agent: &str, line: &str| {
        let done = call(&["guest", game, "--agent", agent, "--dialect", "catanatron"], line);
        let text = [done.stdout, done.stderr].concat();
        (done.status.code(), String::from_utf8(text).expect("text"))
    };
    let greeting = r#"{"protocol_version":1,"name":"fairhaven heuristic","observe":false}"#;
    assert_eq!(heard("base", "heuristic", hello), (Some(0), format!("{greeting}\n")));
    for (game, agent, line, part) in [
        ("on-the-road", "heuristic", hello, "the dialect catanatron is for base, not on-the-road"),
        ("base", "oracle", hello, "sees all hands"),
        ("base", "random", "nonsense", "the host's line 1: "),
        ("base", "random", r#"{"type":"decide","game_id":1}"#, "there is no such match"),
    ] {
        let (code, text) = heard(game, agent, line);
        assert!(code != Some(0) && text.contains(part), "{code:?} {text}");
    }
}
