//! Base CATAN on the command line: what other tests try with On the Road holds here unchanged.

use crate::studies::described_and_same;
use crate::support::{Place, records};
use fairhaven::lab::report::described::TableSchema;
use fairhaven::lab::report::simulated::TABLES;

#[test]
fn every_agent_plays_at_every_table() {
    let place = Place::new();
    for (agents, players, more) in [
        ("greedy,random", 2, "--set trade.listed_max=1"),
        ("heuristic,greedy,random", 3, "--set island=beginner --set order=strict"),
        ("heuristic,mcts:iterations=3,greedy,random", 4, "--set tokens=shuffled"),
        ("greedy", 5, "--set harbours=shuffled"),
        ("heuristic", 6, "--set extension.after_turn=paired"),
    ] {
        let out = format!("out/{players}");
        place.done(&format!(
            "simulate base --agents {agents} --players {players} --matches 6 --set turns_max=150 \
             {more} --rows csv --quiet --out {out}"
        ));
        let manifest = place.manifest(&out);
        assert_eq!((&manifest["players"], &manifest["game"]), (&players.into(), &"base".into()));
        assert_eq!(manifest["played"]["failures"], 0);
        assert_eq!(manifest["unofficial"].is_null(), players != 2);
        let tables = place.tables(&out);
        assert_eq!(tables.len(), TABLES.len() + 1, "all tables and the rows");
        for TableSchema { name, keys, metrics, .. } in TABLES {
            let rows = records(&tables[&format!("{name}.csv")]);
            let known = |row: &Vec<String>| metrics.iter().any(|it| it.name == row[keys.len()]);
            assert!(rows.len() > 1 && rows[1..].iter().all(known), "{name}");
        }
        // Any of its matches can be replayed, and its record is accepted.
        let record = place.done(&format!("replay {out} 0.0 --format jsonl"));
        let said = place.call_with("replay --check -", &record);
        assert!(said.out.starts_with("The record keeps the rules: "), "{said:?}");
        let altered = record.replacen("\"result\":\"", "\"result\":\"no", 1);
        assert_eq!(place.call_with("replay --check -", &altered).code, Some(2));
        assert!(place.done("replay out/2 0.0").contains("match 0.0 of master seed 1"));
    }
}

#[test]
fn the_oracle_plays_if_allowed() {
    let place = Place::new();
    let line = "simulate base --agents oracle:iterations=2,greedy,greedy --matches 3 --quiet";
    place.refused(line, &["oracle", "--allow-oracle"]);
    place.done(&format!("{line} --allow-oracle"));
}

#[test]
fn studies_are_described_and_the_same_on_any_number_of_threads() {
    for line in [
        "compare base greedy random --set turns_max=80 --matches 64 --look 4",
        "compare base --rules-b route.minimum=6 --agents greedy --players 3 --set turns_max=80 --matches 24",
        "balance base --factor cost.city.ore=3,2 --factor robber.hand_limit=7,9 --levels greedy \
         --set turns_max=80 --blocks 8",
        "sweep base --field points_to_win --values 3..5 --agents greedy --players 3 --blocks 8",
        "sweep base --param steal --values 0..1/2 --agents heuristic,greedy --blocks 4",
        "sensitivity base --agents greedy --players 3 --set points_to_win=5 --blocks 2",
    ] {
        let place = Place::new();
        described_and_same(&place, line, 3);
        let said = place.done("verify out --sample 1m");
        assert!(
            said.starts_with("Verified: ") && said.contains("all tables match"),
            "{line}: {said}"
        );
    }
}

#[test]
fn rules_that_do_not_fit_the_table_are_refused() {
    let place = Place::new();
    for (words, parts) in [
        ("--players 7", &["7", "2 to 6"] as &[&str]),
        ("--players 5 --set island=beginner", &["island", "up to 4 players"]),
        ("--players 3 --set first_turn=3", &["first_turn"]),
        ("--set points_to_win=2", &["points_to_win", "3 to 30"]),
        ("--set island=atlantis", &["island"]),
        ("--set cost.city.ore=11", &["cost.city.ore", "0 to 10"]),
    ] {
        place.refused(&format!("simulate base --agents greedy {words} --matches 4"), parts);
    }
}
