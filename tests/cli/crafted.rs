//! Malicious manifests, given to `resume`, `merge`, `analyze`, `verify` and `replay`: an error
//! each, quickly and in little memory, never a panic; and no match is played.

use crate::support::{Place, sealed, some};
use serde_json::{Value, json};

/// A run of each kind that says it is not complete; the first ones have the most different plans.
fn runs(count: usize) -> Vec<Place> {
    let lines = [
        "simulate on-the-road --agents builder,random --matches 40 --rows csv",
        "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 20",
        "sweep on-the-road --param haste --values 0..1/2 --agents heuristic,greedy --blocks 10",
        "compare on-the-road builder random --matches 80",
        "compare on-the-road --rules-b points_to_win=6 --agents builder --matches 40",
        "balance on-the-road --factor points_to_win=7,6 --levels builder --blocks 20",
        "sensitivity on-the-road --agents builder --blocks 5",
        "tournament on-the-road builder random --players 2 --blocks 20",
        "luck on-the-road --agents builder --players 2 --blocks 10",
        "reliability on-the-road --judges heuristic,mcts:fog=2 --matches 20",
        "diagnose on-the-road --levels random,builder --blocks 4",
        "map judge base --players 3 --agent random --free 1 --pairs 1 --blocks 2",
    ];
    let run = |line: &str| {
        let place = Place::new();
        place.done(&format!("{line} --quiet --out run"));
        place.alter("run", "/played/complete", json!(false));
        place
    };
    lines.into_iter().take(count).map(run).collect()
}

/// What reads a manifest: of a run, of one that was killed before its first sums, and of a part.
const READERS: [&str; 6] = [
    "resume bare --quiet",
    "analyze run",
    "replay run 0.0",
    "resume run --quiet",
    "verify run",
    "merge part --out all",
];

/// These commands refuse the altered manifest.
fn refused_by(readers: &[&str], place: &Place, what: &str) {
    let manifest = place.read("run/manifest.json");
    std::fs::create_dir(place.path("bare.partial")).expect("a directory");
    place.write("bare.partial/manifest.json", &manifest);
    place.copy("run", "part");
    if let Ok(mut part) = serde_json::from_str::<Value>(&manifest) {
        part["played"]["complete"] = json!(true);
        if part["plan"]["shard"].is_null() {
            part["plan"]["shard"] = json!({ "part": 1, "parts": 1 });
        }
        place.write("part/manifest.json", sealed(part));
    }
    for line in readers {
        let done = place.bounded(line);
        assert_eq!(done.code, Some(2), "{what}: {line}\n{}{}", done.out, done.err);
        assert_eq!(done.out, "", "{what}: {line}");
        assert!(done.err.starts_with("fairhaven: "), "{what}: {line}\n{}", done.err);
        assert!(!done.err.contains("panicked"), "{what}: {line}\n{}", done.err);
        assert_eq!(place.names(), ["bare.partial", "part", "run"], "{what}: {line}");
    }
    assert_eq!(place.read("run/manifest.json"), manifest, "{what}");
    for directory in ["bare.partial", "part"] {
        std::fs::remove_dir_all(place.path(directory)).expect("the run");
    }
}

/// Each kind of run with each of these alterations is refused; by default, with some of them, others for each kind.
fn refused(kinds: usize, readers: &[&str], alterations: &[(&str, Value)]) {
    for (kind, place) in runs(kinds).iter().enumerate() {
        let whole = place.manifest("run");
        let (first, rest) = alterations.split_at(kind % 3);
        for (at, value) in &some(&[rest, first].concat()) {
            let mut manifest = whole.clone();
            // A sweep of rule sets takes its values from them.
            let sweeps = value["kind"] == "sweep";
            if sweeps && whole["variants"].as_array().is_some_and(|all| all.len() > 1) {
                continue;
            }
            let Some(field) = manifest.pointer_mut(at) else { continue };
            *field = value.clone();
            place.write("run/manifest.json", sealed(manifest));
            let short: String = value.to_string().chars().take(60).collect();
            refused_by(readers, place, &format!("{}: {at} is {short}", whole["question"]["kind"]));
        }
    }
}

#[test]
fn absurd_plans_are_refused() {
    let most = json!(u64::MAX);
    refused(
        3,
        &READERS,
        &[
            ("/plan/blocks", json!(0)),
            ("/plan/blocks", most.clone()),
            ("/plan/chunk", json!(0)),
            ("/plan/chunk", most.clone()),
            ("/plan/shard", json!({ "part": 5, "parts": 4 })),
            ("/plan/shard", json!({ "part": 0, "parts": 0 })),
            ("/plan/matches_of_a_block", json!([])),
            ("/plan/matches_of_a_block/0/seats", json!([])),
            ("/plan/matches_of_a_block/0/seats", json!(vec![0; 200])),
            ("/plan/matches_of_a_block/0/seats/0", json!(99)),
            ("/plan/matches_of_a_block/0/variant", json!(99)),
            ("/plan/matches_of_a_block/0/variant", most.clone()),
            ("/players", json!(0)),
            ("/players", json!(6)),
        ],
    );
}

#[test]
fn absurd_rule_sets_and_agents_are_refused() {
    let many = |entry: Value, count: usize| Value::Array(vec![entry; count]);
    let base = json!({ "name": "base", "changes": [] });
    refused(
        3,
        &READERS,
        &[
            ("/variants", json!([])),
            ("/variants", many(base, 5_000)),
            ("/variants/0/changes", many(json!("points_to_win=7"), 5_000)),
            ("/variants/0/changes", json!(["points_to_win"])),
            ("/variants/0/changes", json!(["points_to_win=[[[["])),
            ("/agents", json!([])),
            (
                "/agents",
                many(
                    json!({ "name": "mcts", "kind": "mcts", "parameters": {}, "hash": "",
                    "reproducible": true }),
                    5_000,
                ),
            ),
            ("/agents/0/kind", json!("nobody")),
            ("/rules/turns_max", json!(1_000_000)),
            ("/rules/side", json!("c")),
            ("/game", json!("checkers")),
        ],
    );
}

#[test]
fn questions_that_do_not_fit_are_refused() {
    let kind = |kind: &str| json!({ "kind": kind });
    let balance = |choice: &str, margin: f64| {
        json!({ "kind": "balance", "choice": choice, "options": ["roads", "army"], "dropped": [],
            "estimands": ["forced", "removed"], "margin": margin, "until": null })
    };
    let options = |options: &[&str]| {
        json!({ "kind": "balance", "choice": "metropolis", "options": options, "dropped": [],
            "estimands": ["restricted"], "margin": 0.01, "until": null })
    };
    let factor = |at: u32| json!({ "field": format!("field{at}"), "low": "1", "high": "2" });
    let factors = |count: u32| {
        let factors: Vec<Value> = (0..count).map(factor).collect();
        json!({ "kind": "factorial", "factors": factors, "margin": 0.01, "until": null })
    };
    let duel = |difference0: f64, alpha: f64| {
        json!({ "kind": "duel", "difference0": difference0, "difference1": 0.5, "alpha": alpha,
            "beta": 0.05 })
    };
    let values: Vec<String> = (0..5_000).map(|at: u32| at.to_string()).collect();
    refused(
        7,
        &READERS[..3],
        &[
            ("/question", kind("guess")),
            ("/question", json!(null)),
            ("/question", balance("castle", 0.01)),
            ("/question", balance("metropolis", 0.0)),
            ("/question", balance("metropolis", 1e300)),
            ("/question", options(&[])),
            ("/question", options(&["roads"])),
            ("/question", options(&["roads", "roads"])),
            ("/question", options(&["roads", "castle"])),
            ("/question", options(&["roads", "knights"])),
            ("/question", factors(0)),
            ("/question", factors(3)),
            ("/question", factors(64)),
            ("/question", factors(20_000)),
            ("/question", duel(0.6, 0.05)),
            ("/question", duel(-1.0, 0.05)),
            ("/question", duel(0.0, 0.0)),
            ("/question", {
                let mut wide = duel(0.0, 0.05);
                wide["until"] = json!(1.0);
                wide
            }),
            ("/question", json!({ "kind": "sweep", "of": "haste", "values": values })),
            ("/question", json!({ "kind": "sweep", "of": "haste", "values": [] })),
            ("/plan/matches_of_a_block/0/forced", json!(99)),
        ],
    );
}

#[test]
fn forged_tournaments_are_refused() {
    let most = json!(u64::MAX);
    let place = Place::new();
    place.done(
        "tournament on-the-road builder random drifter --players 2 --blocks 20 --quiet --out run",
    );
    place.alter("run", "/played/complete", json!(false));
    let whole = place.manifest("run");
    let agents = vec![whole["agents"][0].clone(); 65];
    for (at, value) in [
        ("/question/anchor", json!("nobody")),
        ("/question/gauntlet", json!(true)),
        ("/question/until", json!(0.0)),
        ("/question/until", json!(-1e300)),
        ("/question/onto", json!(6)),
        ("/question/onto", most.clone()),
        ("/question/kind", json!("duel")),
        ("/plan/blocks", most),
        ("/plan/matches_of_a_block", json!([])),
        ("/plan/matches_of_a_block/0/seats", json!([1, 1])),
        ("/plan/matches_of_a_block/0/seats", json!([0, 9])),
        ("/plan/matches_of_a_block/0/forced", json!(0)),
        ("/agents", json!([])),
        ("/agents", json!(agents)),
        ("/players", json!(6)),
    ] {
        let mut manifest = whole.clone();
        *manifest.pointer_mut(at).expect("a field") = value.clone();
        place.write("run/manifest.json", sealed(manifest));
        let short: String = value.to_string().chars().take(60).collect();
        refused_by(&READERS, &place, &format!("tournament: {at} is {short}"));
    }
}

/// What reads the manifest of a search that was killed.
const OF_SEARCHES: [&str; 2] = ["resume bare --quiet", "resume run --quiet"];

/// Each alteration of the manifest of a search is refused, and nothing is played.
fn forged_searches_are_refused(line: &str, alterations: &[(&str, Value)]) {
    let place = Place::new();
    place.done(&format!("{line} --quiet --out run"));
    let mut whole = place.manifest("run");
    whole["played"]["complete"] = json!(false);
    whole["files"] = json!([]);
    let of_all = [
        ("/plan/blocks", json!(0)),
        ("/plan/blocks", json!(u64::MAX)),
        ("/plan/chunk", json!(7)),
        ("/plan/shard", json!({ "part": 1, "parts": 2 })),
        ("/plan/matches_of_a_block", json!([])),
        ("/agents", json!([])),
        ("/variants", json!([])),
        ("/players", json!(9)),
        ("/question/kind", json!("tournament")),
        ("/question/more", json!(1)),
    ];
    for (at, value) in &some(&[&of_all, alterations].concat()) {
        let mut manifest = whole.clone();
        let (object, field) = at.rsplit_once('/').expect("a path");
        let object = manifest.pointer_mut(object).expect("an object");
        match field.parse::<usize>() {
            Ok(place) => object[place] = value.clone(),
            Err(_) => object[field] = value.clone(),
        }
        place.write("run/manifest.json", sealed(manifest));
        place.write("run/stages.jsonl", "");
        let short: String = value.to_string().chars().take(60).collect();
        refused_by(&OF_SEARCHES, &place, &format!("{line}: {at} is {short}"));
    }
}

#[test]
fn forged_levels_are_refused() {
    let line = "levels on-the-road --agent greedy --param lapse=0..1 --against greedy --rates 15 \
                --tolerance 10pp";
    forged_searches_are_refused(
        line,
        &[
            ("/question/rates", json!([])),
            ("/question/rates", json!([0.0])),
            ("/question/rates", json!([101.0])),
            ("/question/rates", json!(vec![15.0; 5000])),
            ("/question/tolerance", json!(0.0)),
            ("/question/tolerance", json!(1e300)),
            ("/question/matches", json!(0)),
            ("/question/matches", json!(u64::MAX)),
            ("/question/families", json!([])),
            ("/question/families/0/agent", json!(9)),
            ("/question/families/0/key", json!("luck")),
            ("/question/families/0/low", json!(2.0)),
            ("/question/families/0/low", json!(-1e300)),
            ("/question/families/0/log", json!(true)),
        ],
    );
}

#[test]
fn forged_tunings_are_refused() {
    let line = "tune on-the-road greedy:lapse=1 --param lapse=0..1 --players 3 --matches 960";
    forged_searches_are_refused(
        line,
        &[
            ("/question/families", json!([])),
            ("/question/families/0/agent", json!(1)),
            ("/question/families/0/key", json!("luck")),
            ("/question/families/0/high", json!(-1.0)),
            ("/question/start", json!([])),
            ("/question/start", json!([0.5, 0.5])),
            ("/question/iterations", json!(0)),
            ("/question/iterations", json!(u32::MAX)),
            ("/question/blocks", json!(0)),
            ("/question/blocks", json!(u64::MAX)),
            ("/question/matches", json!(0)),
            ("/question/matches", json!(u64::MAX)),
        ],
    );
}

#[test]
fn forged_courses_are_refused() {
    let line = "learn struggle --players 2 --matches 40";
    forged_searches_are_refused(
        line,
        &[
            ("/question/matches", json!(0)),
            ("/question/matches", json!(u64::MAX)),
            ("/question/lambda", json!(-0.5)),
            ("/question/lambda", json!(1e300)),
            ("/question/step", json!(0.0)),
            ("/question/every", json!(0)),
            ("/question/every", json!(u32::MAX)),
            ("/question/hold", json!(["luck"])),
            ("/question/hold", json!(vec!["hand"; 1000])),
        ],
    );
}

#[test]
fn forged_courses_of_nets_are_refused() {
    let line = "learn on-the-road --net --from heuristic --players 3 --matches 20";
    forged_searches_are_refused(
        line,
        &[
            ("/question/matches", json!(0)),
            ("/question/matches", json!(u64::MAX)),
            ("/question/every", json!(0)),
            ("/question/every", json!(u32::MAX)),
            ("/agents/0/kind", json!("oracle")),
            ("/agents/0/parameters", json!({ "time_ms": 5 })),
            ("/game", json!("struggle")),
        ],
    );
}

#[test]
fn a_part_that_says_it_has_stopped_is_refused() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder,random --matches 40 --quiet";
    for (name, shard) in [("half", "1/4"), ("rest", "2/2")] {
        place.done(&format!("{line} --shard {shard} --out {name}"));
    }
    // The first quarter, as the first half of a run that has seen enough.
    let mut manifest = place.manifest("half");
    manifest["plan"]["shard"] = json!({ "part": 1, "parts": 2 });
    manifest["played"]["stopped"] = json!("it has seen enough");
    place.write("half/manifest.json", sealed(manifest));
    place.refused("merge half rest --out all", &["`half`", "has stopped", "has not"]);
    place.refused("verify half", &["`half`", "has stopped", "has not"]);
}

#[test]
fn times_and_files_that_no_run_has_are_refused() {
    let place = Place::new();
    place.done("simulate on-the-road --agents random --matches 40 --quiet --out run");
    let file = |name: &str, bytes: u64| json!([{ "name": name, "bytes": bytes, "hash": "" }]);
    for (at, value, part) in [
        ("/wall/wall_s", json!(1e308), "its times are impossible"),
        ("/wall/wall_s", json!(-1.0), "its times are impossible"),
        ("/wall/thinking_s", json!([0.0, 1e13]), "its times are impossible"),
        ("/files", file("../thesis.txt", 1), "`../thesis.txt` is no file of a run"),
        ("/files", file("seats.csv", u64::MAX), "`seats.csv` can't have"),
        ("/files", file("matches.csv", 1 << 40), "`matches.csv` can't have"),
        ("/files", json!(vec![file("seats.csv", 1)[0].clone(); 65]), "65 files"),
    ] {
        let whole = place.read("run/manifest.json");
        place.alter("run", at, value);
        for line in ["resume run", "verify run", "analyze run", "replay run 0.0"] {
            place.refused(line, &[part]);
        }
        place.write("run/manifest.json", whole);
    }
}

#[test]
fn a_plan_with_more_to_count_than_memory_holds_is_refused() {
    let place = Place::new();
    place.done(
        "compare on-the-road --rules-b points_to_win=6 --agents builder --matches 40 --quiet \
         --out run",
    );
    let mut manifest = place.manifest("run");
    let agents = vec![manifest["agents"][0].clone(); 128];
    let variants = vec![manifest["variants"][0].clone(); 1024];
    let entry =
        |variant: usize| json!({ "variant": variant, "seats": [0, 1, 2, 3], "forced": null });
    manifest["plan"]["matches_of_a_block"] = (0..1024).map(entry).collect();
    manifest["agents"] = json!(agents);
    manifest["variants"] = json!(variants);
    manifest["played"]["complete"] = json!(false);
    place.write("run/manifest.json", sealed(manifest));
    for line in READERS.iter().filter(|line| line.contains(" run")) {
        let done = place.bounded(line);
        assert_eq!(done.code, Some(2), "{line}: {}", done.err);
        assert!(done.err.contains("counters is too large"), "{line}: {}", done.err);
    }
}
