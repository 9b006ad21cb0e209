//! `bench --json`: what programs read of it. Times differ from run to run; what is asserted holds for any.

#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

use crate::support::Place;
use serde_json::Value;

const LINE: &str = "bench on-the-road --agents random,mcts:iterations=2 --seconds 0.1 --threads 1";

fn json(place: &Place, flags: &str) -> Value {
    let text = place.done(&format!("{LINE} --json {flags}"));
    serde_json::from_str(&text).expect("one JSON value")
}

/// Least, median and most are in order.
fn is_figure(figure: &Value) -> bool {
    let [min, median, max] = ["min", "median", "max"].map(|key| figure[key].as_f64().unwrap());
    min <= median && median <= max
}

/// The figure follows from the rounds.
fn rates_are_of_rounds(timed: &Value, rounds: u64) {
    let all = timed["rounds"].as_array().unwrap();
    assert_eq!(all.len() as u64, rounds);
    let rate =
        |round: &Value| round["matches"].as_f64().unwrap() / round["wall_s"].as_f64().unwrap();
    let most = all.iter().map(rate).fold(0.0, f64::max);
    let found = timed["matches_per_s"]["max"].as_f64().unwrap();
    assert!((found / most - 1.0).abs() < 1e-6, "{found} is not {most}");
    assert!(is_figure(&timed["decisions_per_s"]) && is_figure(&timed["ns_per_decision"]));
    for round in all {
        let count = |key: &str| round[key].as_u64().unwrap();
        assert_eq!(
            count("matches") + count("failures"),
            timed["blocks_per_round"].as_u64().unwrap()
        );
        assert!(count("forced") <= count("decisions") && count("decisions") <= count("listed"));
    }
}

#[test]
fn bench_prints_json_for_each_agent_and_round() {
    let place = Place::new();
    let found = json(&place, "");
    assert_eq!(found["setting"]["game"], "on-the-road");
    assert_eq!((&found["threads"], &found["unofficial"]), (&1.into(), &Value::Null));
    assert_eq!(found["baseline"], Value::Null);
    let agents = found["agents"].as_array().unwrap();
    let names: Vec<&str> = agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["random", "mcts:iterations=2"]);
    for agent in agents {
        for timed in ["one_thread", "one_thread_bare", "all_threads"] {
            rates_are_of_rounds(&agent[timed], found["rounds"].as_u64().unwrap());
        }
        assert!(is_figure(&agent["statistics_share"]) && is_figure(&agent["all_threads_over_one"]));
        assert!((0.0..1.0).contains(&agent["forced_share"].as_f64().unwrap()));
    }
    assert_eq!(agents[0]["search"], Value::Null);
    assert!(is_figure(&agents[1]["search"]["share_of_raw_rollouts"]));
}

#[test]
fn a_baseline_stands_in_the_json() {
    let place = Place::new();
    assert_eq!(json(&place, "--save then")["baseline"], Value::Null);
    let done = place.call(&format!("{LINE} --json --baseline then"));
    let found: Value = serde_json::from_str(&done.out).expect("one JSON value");
    let agents = found["baseline"]["agents"].as_array().unwrap();
    assert_eq!(found["baseline"]["name"], "then");
    assert!(agents.iter().all(|agent| agent["has_same_matches"] == true));
    let slower = agents.iter().any(|agent| agent["is_slower"] == true);
    assert_eq!(done.code, Some(i32::from(slower)), "the exit code says the same");
}

#[test]
fn the_text_has_a_row_of_searches_for_each_agent_that_searches() {
    let place = Place::new();
    let text = place.done(LINE);
    let (_, searches) = text.split_once("against raw rollouts").expect("a table of searches");
    assert!(searches.contains("mcts:iterations=2") && !searches.contains("random"), "{searches}");
}
