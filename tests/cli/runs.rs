//! `simulate` when nothing is wrong.

use crate::support::{Place, records};
use fairhaven::lab::report::described::TableSchema;
use fairhaven::lab::report::simulated::TABLES;
use std::collections::BTreeMap;

const TABLE_FILES: [&str; 8] = [
    "agents.csv",
    "seats.csv",
    "length.csv",
    "cards.csv",
    "economy.csv",
    "decisions.csv",
    "tension.csv",
    "anomalies.csv",
];

#[test]
fn a_run_writes_its_manifest_and_all_tables() {
    let place = Place::new();
    let said = place.done(
        "simulate on-the-road --agents heuristic --players 4 --matches 200 --set side=b --out out/b",
    );
    for word in ["200 matches in 200 blocks", "seat", "A match takes", "analyze out/b --full"] {
        assert!(said.contains(word), "no `{word}` in\n{said}");
    }
    assert_eq!(place.names(), ["out"], "nothing half-written");
    let tables = place.tables("out/b");
    assert_eq!(tables.len(), TABLE_FILES.len());
    let files = place.files("out/b");
    let more: Vec<&String> = files.keys().filter(|name| !tables.contains_key(*name)).collect();
    assert_eq!(more, ["digests.bin", "sums.bin"]);
    let manifest = place.manifest("out/b");
    let named = manifest["files"].as_array().expect("a list").iter().map(|file| &file["name"]);
    assert!(named.eq(TABLE_FILES.iter()), "{}", manifest["files"]);
    assert_eq!(manifest["played"]["matches"], 200);
    assert_eq!(manifest["played"]["complete"], true);
    assert_eq!(manifest["rules"]["side"], "b");
    for TableSchema { name, keys, metrics, .. } in TABLES {
        let rows = records(&tables[&format!("{name}.csv")]);
        let header: Vec<&str> = keys.iter().map(|column| column.name).collect();
        assert_eq!(rows[0][..keys.len()], header[..], "{name}");
        assert!(rows.len() > metrics.len(), "{name} has a row for each metric");
        for row in &rows[1..] {
            assert!(metrics.iter().any(|metric| metric.name == row[keys.len()]), "{name}: {row:?}");
        }
    }
}

#[test]
fn every_agent_plays_at_every_table() {
    let place = Place::new();
    for (agents, players) in [
        ("builder,random", 2),
        ("random,greedy,drifter", 3),
        ("heuristic,greedy,builder,random", 4),
        ("skilled,no-trade,warlord,surveyor", 4),
        ("mcts:iterations=3,random", 2),
    ] {
        let out = format!("out/{players}-{}", agents.replace([',', ':', '='], "-"));
        let line = format!("simulate on-the-road --agents {agents} --matches 12 --out {out}");
        let said = place.done(&line);
        let manifest = place.manifest(&out);
        assert_eq!(manifest["players"], players, "as many as agents");
        assert_eq!(manifest["played"]["failures"], 0);
        assert_eq!(said.contains("Unofficial:"), players == 2, "{said}");
        assert_eq!(manifest["unofficial"].is_null(), players != 2);
    }
    let searches = records(&place.tables("out/2-mcts-iterations-3-random")["agents.csv"]);
    let iterations = searches.iter().find(|row| row[0] != "random" && row[1] == "iterations_mean");
    let iterations = iterations.expect("a row of the searching agent");
    assert!(iterations[2].parse::<f64>().unwrap() > 3.0, "{iterations:?}");
}

#[test]
fn the_oracle_plays_if_allowed() {
    let place = Place::new();
    let line = "simulate on-the-road --agents oracle:iterations=3,random,random --matches 3";
    assert!(place.done(&format!("{line} --allow-oracle")).contains("oracle:iterations=3"));
}

#[test]
fn matches_are_rounded_up_to_whole_blocks() {
    let place = Place::new();
    let said = place.done("simulate on-the-road --agents builder,random,random --matches 100");
    assert!(said.contains("102 matches in 34 blocks"), "{said}");
    assert!(said.contains("Rounded up from 100 to 102 matches"), "{said}");
}

#[test]
fn rows_hold_every_match_plain_or_compressed() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder,random --matches 200 --seed 3 --quiet";
    assert_eq!(place.done(&format!("{line} --out plain --rows csv")), "");
    assert_eq!(place.done(&format!("{line} --out small --rows zst")), "");
    let plain = place.tables("plain").remove("matches.csv").expect("matches.csv");
    let small = place.tables("small").remove("matches.csv.zst").expect("matches.csv.zst");
    assert!(small.len() < plain.len());
    assert_eq!(zstd::decode_all(small.as_slice()).expect("zstd"), plain);
    let rows = records(&plain);
    assert_eq!(rows.len(), 201);
    assert_eq!(rows[0][..7], ["block", "match", "deal", "end", "winner", "turns", "agent_1"]);
    assert_eq!(rows[200][..2], ["99", "1"]);
    let seated = |row: &[String]| (row[6].clone(), row[6 + SEAT].clone());
    assert_eq!(seated(&rows[1]), ("builder".to_owned(), "random".to_owned()));
    assert_eq!(seated(&rows[2]), ("random".to_owned(), "builder".to_owned()), "the rotation");
    assert_eq!(rows[1][2], rows[2][2], "one deal for all matches of a block");
    // Each seat's points are those of all sources, a column each.
    assert_eq!(rows[0][8..10], ["points_1", "points_settlements_1"]);
    for row in &rows[1..] {
        let number = |cell: &String| cell.parse::<u32>().expect("a number");
        assert_eq!(number(&row[8]), row[9..6 + SEAT].iter().map(number).sum::<u32>());
    }
    // The rows add up to the table.
    let wins =
        rows[1..].iter().filter(|row| !row[4].is_empty() && row[6 + SEAT * seat(row)] == "builder");
    let agents = records(&place.tables("plain")["agents.csv"]);
    let told = agents.iter().find(|row| row[0] == "builder" && row[1] == "wins");
    assert_eq!(told.expect("a row of wins")[2], wins.count().to_string());
}

/// Columns of a seat of On the Road: agent, rank, points, and these from five sources.
const SEAT: usize = 8;

/// The winner of a row, from 0.
fn seat(row: &[String]) -> usize {
    row[4].parse::<usize>().expect("a seat") - 1
}

#[test]
fn quiet_prints_nothing_and_markdown_prints_tables() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder --matches 100";
    assert_eq!(place.done(&format!("{line} --quiet")), "");
    let markdown = place.done(&format!("{line} --format markdown"));
    assert!(markdown.contains("### Seats\n\n| seat"), "{markdown}");
    assert!(place.names().is_empty(), "no --out, no files");
}

#[test]
fn force_replaces_a_run_and_nothing_else() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder --quiet --out out";
    place.done(&format!("{line} --matches 20"));
    place.refused(&format!("{line} --matches 30"), &["`out`", "not empty", "--force"]);
    assert_eq!(place.manifest("out")["played"]["matches"], 20, "the old run is untouched");
    place.done(&format!("{line} --matches 30 --force"));
    assert_eq!(place.manifest("out")["played"]["matches"], 30);
    assert_eq!(place.names(), ["out"]);
}

#[test]
fn an_empty_directory_is_filled() {
    let place = Place::new();
    std::fs::create_dir(place.path("out")).unwrap();
    place.done("simulate on-the-road --agents builder --matches 20 --out out");
    assert_eq!(place.tables("out").len(), TABLE_FILES.len());
}

#[test]
fn rules_as_they_are_printed_give_the_same_run() {
    let place = Place::new();
    let changes = "--set side=b --set metropolis.cost.wool=2 --set trade.proposals_max=1 \
        --set substitution.rates=[4,3,3,2] --set city.cost.wheat=1";
    place.write("rules.toml", place.done(&format!("rules on-the-road {changes}")));
    let line = "simulate on-the-road --agents heuristic,greedy,random --matches 60 --quiet";
    place.done(&format!("{line} {changes} --out set"));
    place.done(&format!("{line} --rules rules.toml --out file"));
    place.done(&format!("{line} --out default"));
    assert_eq!(place.tables("set"), place.tables("file"));
    assert_ne!(place.tables("set"), place.tables("default"));
    let (set, file) = (place.manifest("set"), place.manifest("file"));
    assert_eq!(set["rules"], file["rules"]);
    assert_eq!(set["rules_hash"], file["rules_hash"]);
    assert_eq!(set["rules"]["metropolis"]["cost"]["wool"], 2);
    assert_eq!(set["rules"]["metropolis"]["cost"]["ore"], 1, "what is not named stays");
}

#[test]
fn a_rules_file_needs_the_changed_fields_only_and_set_comes_after_it() {
    let place = Place::new();
    place.write("few.toml", "side = \"b\"\n[metropolis]\ncost = { wool = 4, ore = 1 }\n");
    let line = "simulate on-the-road --agents builder --matches 20 --rules few.toml --quiet";
    place.done(&format!("{line} --out file"));
    place.done(&format!("{line} --set metropolis.cost.wool=2 --out both"));
    assert_eq!(place.manifest("file")["rules"]["metropolis"]["cost"]["wool"], 4);
    assert_eq!(place.manifest("both")["rules"]["metropolis"]["cost"]["wool"], 2);
    assert_eq!(place.manifest("both")["rules"]["side"], "b");
}

#[test]
fn a_strategy_file_plays_as_its_parameters_do() {
    let place = Place::new();
    let strategy = "kind = \"heuristic\"\nabout = \"no offers\"\nprovenance = \"a test\"\n\
        [parameters]\nproposals = 0.0\nroad_love = 1.5\n";
    place.write("mine.toml", strategy);
    let same = "heuristic:proposals=0.0:road_love=1.5";
    let line = "simulate on-the-road --matches 60 --quiet --rows csv --agents";
    place.done(&format!("{line} mine.toml,greedy,random --out file"));
    place.done(&format!("{line} {same},greedy,random --out words"));
    let named = |run: &str, agent: &str| -> BTreeMap<String, String> {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8").replace(agent, "AGENT");
        place.tables(run).into_iter().map(|(name, bytes)| (name, text(bytes))).collect()
    };
    assert_eq!(named("file", "mine.toml"), named("words", same));
    let manifest = place.manifest("file");
    assert_eq!(manifest["agents"][0]["parameters"]["road_love"], 1.5);
    assert_eq!(manifest["agents"][0]["hash"], place.manifest("words")["agents"][0]["hash"]);
}

#[test]
fn another_seed_is_another_run() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder --matches 50 --quiet --rows csv";
    place.done(&format!("{line} --seed 1 --out one"));
    place.done(&format!("{line} --seed 2 --out two"));
    assert_ne!(place.tables("one"), place.tables("two"));
}

#[test]
fn a_decision_on_several_threads_is_the_same() {
    let place = Place::new();
    let line = "simulate on-the-road --agents mcts:iterations=90:trees=4,greedy,greedy --matches 6 --threads 1";
    place.done(&format!("{line} --out one"));
    for threads in [2, 3] {
        place.done(&format!("{line} --think-threads {threads} --out several --force"));
        assert_eq!(place.tables("several"), place.tables("one"), "{threads} threads");
    }
    place.refused(
        "simulate on-the-road --agents mcts --players 3 --matches 3 --think-threads 2",
        &["no agent has several trees", "mcts:trees=4"],
    );
}

/// One long match may have more decisions of a kind than ten others.
#[test]
fn what_a_long_match_may_decide_has_no_interval_in_a_small_run() {
    let place = Place::new();
    let methods = |matches: u32, table: &str, metric: &str| -> Vec<String> {
        let out = format!("out{matches}");
        let line = "simulate two-player --agents greedy,random --seed 4 --quiet --force";
        place.done(&format!("{line} --matches {matches} --out {out}"));
        let rows = records(&place.tables(&out)[table]);
        let place_of = |name: &str| rows[0].iter().position(|column| column == name).expect(name);
        let (at, method) = (place_of("metric"), place_of("ci_method"));
        rows[1..].iter().filter(|row| row[at] == metric).map(|row| row[method].clone()).collect()
    };
    for metric in ["per_match", "legal_mean"] {
        let all = |matches| methods(matches, "decisions.csv", metric);
        assert!(all(78).iter().all(|method| ["too_few", "fixed", ""].contains(&method.as_str())));
        assert!(all(80).iter().any(|method| method == "jackknife_score"), "{metric}");
    }
    let offered = |matches| methods(matches, "cards.csv", "offered_turns");
    assert!(!offered(38).contains(&"jackknife_score".to_owned()), "fewer than 20 blocks");
    assert!(offered(40).contains(&"jackknife_score".to_owned()), "a road is offered in each");
}

#[test]
fn tables_are_rebuilt_by_one_process_at_a_time() {
    let place = Place::new();
    place.done("simulate on-the-road --agents random --matches 40 --quiet --out out");
    place.write("out/lock", "7");
    let held = std::fs::File::open(place.path("out/lock")).expect("a file");
    held.lock().expect("nobody else holds it");
    place.refused("analyze out", &["`out`", "process 7 is writing there"]);
    drop(held);
    place.done("analyze out");
    assert!(!place.path("out/lock").exists());
}
