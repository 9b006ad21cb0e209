//! `explain`: decisions of runs and records, and what they cost.

use crate::support::{Place, some};
use serde_json::Value;

/// Two matches of agents of several kinds on On the Road.
fn run(place: &Place) {
    place.done(
        "simulate on-the-road --agents random,heuristic --players 2 --matches 4 --seed 2 \
         --quiet --out out",
    );
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("an object")
}

/// The decisions of a record, line by line.
fn decisions(record: &str) -> Vec<Value> {
    let lines = record.lines().map(json);
    lines.filter(|line| line.get("action").is_some()).collect()
}

#[test]
fn the_decisions_of_a_match_are_those_of_its_record() {
    let place = Place::new();
    run(&place);
    let record = place.done("replay out 1.1 --format jsonl");
    place.write("match.jsonl", &record);
    let listed = json(&place.done("explain out 1.1 --format json"));
    let due = decisions(&record);
    let found = listed["decisions"].as_array().expect("a list");
    assert_eq!((listed["match"].as_str(), found.len()), (Some("1.1"), due.len()));
    for (number, (found, due)) in found.iter().zip(&due).enumerate() {
        assert_eq!(found["decision"], number);
        for key in ["turn", "seat", "phase", "legal"] {
            assert_eq!(found[key], due[key], "{number}: {key}");
        }
    }
    let of_record = json(&place.done("explain match.jsonl --format json"));
    assert_eq!(of_record["decisions"], listed["decisions"]);
    assert_eq!((&of_record["match"], &of_record["agents"]), (&Value::Null, &listed["agents"]));
    let text = place.done("explain match.jsonl");
    assert_eq!(place.call_with("explain -", &record).out, text);
    assert_eq!(text.lines().count(), due.len() + 3, "a heading, a header, a line each");
}

#[test]
fn an_agent_says_what_it_thinks_and_what_was_done() {
    let place = Place::new();
    run(&place);
    let listed = json(&place.done("explain out 0.0 --format json"));
    let all = listed["decisions"].as_array().expect("a list");
    let of = |seat: u64| {
        let open =
            |decided: &&Value| decided["seat"] == seat && decided["legal"].as_u64() > Some(3);
        all.iter().find(open).expect("a decision with a choice")["decision"].clone()
    };
    let line =
        format!("explain out 0.0 --decision {} --agent mcts:iterations=30 --searches 3", of(1));
    let why = json(&place.done(&format!("{line} --format json --threads 1")));
    assert_eq!(
        place.done(&format!("{line} --format json --threads 2")),
        place.done(&format!("{line} --format json"))
    );
    let actions = why["actions"].as_array().expect("a list");
    let votes: u64 = actions.iter().filter_map(|action| action["chosen"].as_u64()).sum();
    let visits: f64 = actions.iter().filter_map(|action| action["visits"].as_f64()).sum();
    assert_eq!((votes, why["searches"].as_u64()), (3, Some(3)));
    assert!((visits - 30.0).abs() < 1e-9, "{visits}");
    for action in actions {
        let chance = action["chance"]["value"].as_f64().unwrap_or(0.0);
        assert!((0.0..=1.0).contains(&chance) && action["prior"].as_f64() > Some(0.0));
    }
    let text = place.done(&line);
    for part in ["win probability (95 %)", "searches, would do: ", "done"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The planner that decided would do the same again.
    let why = json(&place.done(&format!("explain out 0.0 --decision {} --format json", of(2))));
    assert_eq!((why["asked"].as_str(), why["searches"].as_u64()), (Some("heuristic"), Some(1)));
    assert_eq!(why["actions"][0]["done"], true);
    assert_eq!(why["cost"], Value::Null);
}

#[test]
fn random_play_costs_more_than_planned_play() {
    let place = Place::new();
    run(&place);
    let line = "explain out 0.1 --mistakes --judge mcts:iterations=100 --searches 6";
    let found = json(&place.done(&format!("{line} --format json --threads 1")));
    assert_eq!(
        place.done(&format!("{line} --threads 2")),
        place.done(&format!("{line} --threads 1"))
    );
    let totals = found["totals"].as_array().expect("a list");
    assert_eq!(totals.len(), 2);
    let of = |agent: &str| totals.iter().find(|of| of["agent"] == agent).expect("its total");
    let end =
        |agent: &str, end: usize| of(agent)["cost"]["interval"][end].as_f64().expect("an end");
    assert_eq!(of("random")["seat"], 2);
    assert!(end("random", 0) > end("heuristic", 1).max(0.0), "random is above: {totals:?}");
    let mistakes = found["mistakes"].as_array().expect("a list");
    let costs: Vec<f64> =
        mistakes.iter().map(|of| of["cost"]["value"].as_f64().expect("a cost")).collect();
    assert!(costs.windows(2).all(|pair| pair[0] >= pair[1]) && !costs.is_empty());
    for of in mistakes {
        assert!(of["cost"]["interval"][0].as_f64() > Some(0.0), "{of}");
    }
}

/// What the share of mistakes tells apart; what they cost a match would not here.
#[test]
fn five_levels_come_out_in_order_by_their_share_of_mistakes() {
    let place = Place::new();
    let mut shares = Vec::new();
    let between = some(&["easy", "medium", "hard"]);
    for level in ["beginner"].into_iter().chain(between).chain(["expert"]) {
        place.done(&format!(
            "simulate on-the-road --agents levels/on-the-road/{level} --players 2 --matches 8 --quiet --out {level}"
        ));
        let judge = "--judge mcts:iterations=10 --searches 4 --matches 8 --format json";
        let found = json(&place.done(&format!("explain {level} --mistakes {judge}")));
        let mistaken = &found["totals"][0]["mistaken"];
        let [low, high] = [0, 1].map(|end| mistaken["interval"][end].as_f64().expect("an end"));
        shares.push((mistaken["value"].as_f64().expect("a share"), low, high));
    }
    assert!(shares.is_sorted_by(|weak, strong| weak.0 > strong.0), "{shares:?}");
    let (beginner, expert) = (shares[0], shares[shares.len() - 1]);
    assert!(beginner.1 > expert.2, "the intervals of the ends lie apart: {shares:?}");
}

/// Matches differ by more than searches of one match do.
#[test]
fn the_interval_of_a_run_is_that_over_its_blocks() {
    let place = Place::new();
    place.done(
        "simulate on-the-road --agents greedy --players 2 --matches 6 --seed 5 --quiet --out out",
    );
    let judge = "--mistakes --judge mcts:iterations=8 --searches 3 --format json";
    let found = json(&place.done(&format!("explain out {judge} --matches 6")));
    assert_eq!(found["blocks"], 6);
    let cost = |id: u64| {
        let one = json(&place.done(&format!("explain out {id}.0 {judge}")));
        let seats = one["totals"].as_array().expect("a list").clone();
        seats.iter().filter_map(|seat| seat["cost"]["value"].as_f64()).sum::<f64>()
            / seats.len() as f64
    };
    let costs: Vec<f64> = (0..6).map(cost).collect();
    let mean = costs.iter().sum::<f64>() / 6.0;
    let squares: f64 = costs.iter().map(|cost| (cost - mean) * (cost - mean)).sum();
    // Student's t with 5 degrees of freedom.
    let half = 2.570_582 * (squares / 5.0 / 6.0).sqrt();
    let total = &found["totals"][0]["cost"];
    let [low, high] = [0, 1].map(|end| total["interval"][end].as_f64().expect("an end"));
    assert!((total["value"].as_f64().expect("a mean") - mean).abs() < 1e-6, "{total} {mean}");
    assert!((high - low - 2.0 * half).abs() < 1e-5, "{low} to {high}, {half}");
}

#[test]
fn the_matches_of_a_run_are_summed_up_by_agent() {
    let place = Place::new();
    run(&place);
    let line = "explain out --mistakes --matches 2 --judge mcts:iterations=5 --searches 2";
    let found = json(&place.done(&format!("{line} --format json")));
    assert_eq!(found["matches"], 2);
    assert_eq!((&found["blocks"], &found["judge_wins"]), (&Value::from(1), &Value::Null));
    for total in found["totals"].as_array().expect("a list") {
        assert_eq!((&total["seat"], &total["matches"]), (&Value::Null, &Value::from(2)));
        let of_sizes = ["below_1pp", "from_1pp_to_5pp", "from_5pp"];
        let sizes = of_sizes.map(|size| total["by_size"][size].as_u64().expect("a count"));
        assert_eq!(Some(sizes.iter().sum()), total["mistakes"].as_u64(), "{total}");
        let [mistakes, decisions] =
            ["mistakes", "decisions"].map(|of| total[of].as_f64().expect("a count"));
        assert_eq!(total["mistaken"]["value"].as_f64(), Some(mistakes / decisions));
        assert_eq!(total["cost"]["interval"], Value::Null, "one block says nothing of others");
    }
    let text = place.done(line);
    for part in [
        "One block of matches",
        "How strong the judge is: fairhaven simulate on-the-road --agents mcts:",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let of: Vec<&str> = found["mistakes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|of| of["match"].as_str())
        .collect();
    assert!(of.iter().all(|of| ["0.0", "0.1"].contains(of)), "{of:?}");
}

#[test]
fn what_is_wrong_is_named() {
    let place = Place::new();
    run(&place);
    let record = place.done("replay out 0.0 --format jsonl");
    place.write("match.jsonl", &record);
    let altered = record.replacen("end_turn", "decline", 1);
    place.write("altered.jsonl", &altered);
    let stranger = record.replacen("\"heuristic\"", "\"somebody\"", 1);
    place.write("stranger.jsonl", &stranger);
    let planned = decisions(&record).iter().position(|line| line["seat"] == 2).expect("a decision");
    for (line, parts) in [
        ("explain out", &["name a match", "--mistakes"][..]),
        ("explain out 9.0", &["no block 9", "0 to 1"]),
        ("explain out 0.5", &["no match 5"]),
        ("explain out 0", &["`0` is no match", "BLOCK.MATCH"]),
        ("explain out 0.0 --decision 99999", &["no decision 99999", "there are 0 to"]),
        ("explain out 0.0 --decision 0 --agent nobody", &["no agent `nobody`"]),
        ("explain out 0.0 --decision 0 --agent random", &["`random` has no opinions"]),
        ("explain out 0.0 --decision 0 --agent oracle:iterations=5", &["--allow-oracle"]),
        ("explain out 0.0 --mistakes --judge heuristic", &["`heuristic` does not search"]),
        ("explain out 0.0 --mistakes --judge oracle", &["--allow-oracle"]),
        ("explain out 0.0 --mistakes --decision 1", &["cannot be used with"]),
        ("explain out 0.0 --mistakes --matches 2", &["leave out BLOCK.MATCH"]),
        ("explain out 0.0 --mistakes --searches 1", &["--searches", "2..=1000"]),
        ("explain out 0.0 --judge mcts", &["--mistakes"]),
        ("explain match.jsonl 0.0", &["no directory of a run"]),
        ("explain match.jsonl --mistakes --matches 2", &["--matches is for a run"]),
        ("explain absent", &["absent", "No such file"]),
        ("explain altered.jsonl", &["altered.jsonl", "line "]),
        ("explain out/agents.csv", &["agents.csv", "line 1"]),
    ] {
        place.refused(line, parts);
    }
    let line = format!("explain stranger.jsonl --decision {planned}");
    place.refused(&line, &["no agent `somebody`", "--agent"]);
}

/// The same drawing as in the text of the match, where the game has a board.
#[test]
fn a_decision_is_explained_beside_the_map() {
    let place = Place::new();
    for game in ["base", "two-player", "boats", "on-the-road"] {
        let line = "--agents greedy --players 2 --matches 1 --seed 4 --force --quiet --out out";
        place.done(&format!("simulate {game} {line}"));
        let why = place.done("explain out 0.0 --decision 0");
        let match_of = place.done("replay out 0.0");
        // Before the first decision nothing stands on the island, as after the deal.
        let drawn = |text: &str| -> Vec<String> {
            let lines = text
                .lines()
                .take_while(|line| !line.contains("Turn 1") && !line.contains(" did: "));
            lines
                .filter(|line| line.contains(" / ") || line.contains("hex "))
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(drawn(&why), drawn(&match_of), "{game}\n{why}");
        assert_eq!(drawn(&why).is_empty(), game == "on-the-road", "{why}");
    }
}
