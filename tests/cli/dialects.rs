//! Programs that were written for another program's protocol, at our tables.

use crate::example_agents::has;
use crate::guests::left_in;
use crate::support::{PROGRAM, Place, some, third};

/// The rules of that program.
const RULES: &str = "--set shortage=nobody --set trade.proposals_max=0";

/// A bot in the words of Catanatron's protocol, from its documentation: it takes the place in the list that the length of
/// the log picks. What it is told it writes down where it is told to.
const BOT: &str = r#"import json, sys

SPECIAL = sys.argv[1] if len(sys.argv) > 1 else ""
asked = 0
log = open("log.jsonl", "a") if SPECIAL == "log" else None
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if log:
        print(line.strip(), file=log, flush=True)
    if kind == "hello":
        version = 2 if SPECIAL == "version" else message["protocol_version"]
        answer = {"protocol_version": version, "name": "stand-in", "observe": SPECIAL in ("log", "observe")}
    elif kind == "decide":
        asked += 1
        actions, records = message["playable_actions"], message["state"]["action_records"]
        answer = {"action": actions[(3 * len(records) + 1) % len(actions)]}
        assert len(actions) > 1 and all(action[0] == message["color"] for action in actions)
        if asked > 20 and SPECIAL == "dies":
            sys.exit(3)
        if asked > 20 and SPECIAL == "silent":
            continue
        if asked > 20 and SPECIAL == "other":
            answer = {"action": [message["color"], "END_THE_WORLD", None]}
        if asked > 20 and SPECIAL == "nonsense":
            answer = ["what?"]
    else:
        continue
    print(json.dumps(answer), flush=True)
"#;

/// A place with a bot that does something special; nothing where there is no Python.
fn place_with(special: &str) -> Option<Place> {
    let place = Place::new();
    place.write("bot.py", BOT);
    strategy(&place, "bot.toml", &["python3", "bot.py", special]);
    has("python3", "a bot in Catanatron's words").then_some(place)
}

fn strategy(place: &Place, name: &str, command: &[&str]) {
    let file = format!(
        "kind = \"exec\"\nabout = \"a bot\"\nprovenance = \"a test\"\n[parameters]\n\
         command = {command:?}\ndialect = \"catanatron\"\ndecision_ms = 3000\n"
    );
    place.write(name, file);
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    std::fs::read(place.path(name)).expect("a file of the run")
}

#[test]
fn a_bot_of_another_protocol_plays_the_same_matches_on_any_number_of_threads() {
    let Some(place) = place_with("") else { return };
    let line =
        format!("simulate base --agents bot.toml,bot.toml,greedy {RULES} --matches 9 --seed 4");
    let rows = |threads: u32| {
        place.done(&format!("{line} --quiet --threads {threads} --out out{threads}"));
        bytes(&place, &format!("out{threads}/digests.bin"))
    };
    assert_eq!(rows(1), rows(3));
    place.done("verify out1 --allow-exec");
    let said = place.manifest("out1")["agents"][0]["said"].clone();
    assert_eq!(said["name"], "stand-in");
    assert_eq!(left_in(&place), "");
}

#[test]
fn who_observes_is_told_of_each_action_once() {
    let Some(place) = place_with("log") else { return };
    place.done(&format!(
        "simulate base --agents bot.toml,random,greedy {RULES} --matches 1 --seed 2"
    ));
    let log = place.read("log.jsonl");
    let (mut steps, mut records) = (Vec::new(), Vec::new());
    for line in log.lines() {
        let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
        match message["type"].as_str() {
            Some("before") => {
                assert_eq!(message["state"]["action_records"], serde_json::json!([]));
                steps.clear();
            }
            Some("step") => steps.push(message["action"].clone()),
            Some("decide") => {
                let all = message["state"]["action_records"].as_array().expect("a list");
                records = all.iter().map(|record| record[0].clone()).collect();
                assert_eq!(steps.len(), records.len());
            }
            _ => {}
        }
    }
    // What a step lacks is the result.
    let drawn = ["ROLL", "BUY_DEVELOPMENT_CARD"];
    for (step, record) in steps.iter().zip(&records) {
        let same = step == record || drawn.contains(&record[1].as_str().expect("a word"));
        assert!(same, "{step} {record}");
    }
    assert!(steps.len() > 100, "{}", steps.len());
    let last = log.lines().last().expect("lines");
    assert!(last.contains(r#""type": "after""#) || last.contains(r#""type":"after""#), "{last}");
}

#[test]
fn what_a_bot_of_another_protocol_does_wrong_is_named() {
    for (special, part) in some(&[
        ("dies", "it has ended (exit status: 3)"),
        ("silent", "it is silent for 3 s"),
        (
            "other",
            r#"its answer `{"action": ["RED", "END_THE_WORLD", null]}` is none of the playable"#,
        ),
        ("nonsense", r#"its answer `["what?"]` has no `action`"#),
        ("version", "it speaks version 2 of the protocol; this is 1"),
    ]) {
        let Some(place) = place_with(special) else { return };
        let line = format!("simulate base --agents bot.toml,random,random {RULES} --matches 6");
        let done = place.call(&line);
        assert_eq!(done.code, Some(5), "{special}: {}{}", done.out, done.err);
        assert!(done.err.contains(part), "{special}: {}", done.err);
        assert_eq!(left_in(&place), "", "{special}");
    }
}

#[test]
fn other_tables_are_refused_before_a_match() {
    let Some(place) = place_with("") else { return };
    for (table, part) in [
        ("base", "that program, which has shortage=nobody, trade.proposals_max=0"),
        ("struggle", "the dialect catanatron is for base, not struggle"),
    ] {
        let done =
            place.call(&format!("simulate {table} --agents bot.toml,random,random --out out"));
        assert_eq!(done.code, Some(5), "{table}: {}{}", done.out, done.err);
        assert!(done.err.contains(part), "{table}: {}", done.err);
        assert!(!place.path("out").exists(), "{table}");
    }
}

#[test]
fn our_agents_play_through_both_protocols_as_they_do_inside() {
    let place = Place::new();
    let command = [PROGRAM, "guest", "base", "--dialect", "catanatron"];
    strategy(&place, "us.toml", &command);
    let matches = third(30);
    let digests = |agent: &str, more: &str| {
        let line = format!("simulate base --agents {agent},greedy,greedy {RULES}");
        place
            .done(&format!("{line} --matches {matches} --seed 6 --quiet --force --out out {more}"));
        bytes(&place, "out/digests.bin")
    };
    assert_eq!(digests("us.toml", "--threads 2"), digests("heuristic", ""));
}

#[test]
fn a_bot_of_another_protocol_is_checked() {
    let Some(place) = place_with("") else { return };
    let done = place
        .call(&format!("check-agent bot.toml --game base {RULES} --set turns_max=60 --matches 2"));
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains("ok   does not play here: the dialect catanatron is for two to 4"));
    assert!(done.out.contains("Repeatable:"), "{}", done.out);
}
