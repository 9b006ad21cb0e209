//! Boats on the command line: scenarios of users, which the run keeps, and studies of maps.

use crate::studies::described_and_same;
use crate::support::Place;

const MAP: &str = r#"# A small map
map = """
          brick:2  sea      ore:3
     lumber:4  sea      sea      wool:5
grain:6   wool:8   sea     brick:9   ?
     desert    sea      sea      grain:11
          wool:12  lumber:10 sea
"""
[unexplored]
terrain = { sea = 1 }
"#;

#[test]
fn every_agent_plays_at_every_table() {
    let place = Place::new();
    for (agents, players, more) in [
        ("greedy,random", 2, "--set scenario=fog --set isa=seat_1"),
        ("heuristic,greedy,random", 3, "--set scenario=fog --set louis=seat_3"),
        ("heuristic,mcts:iterations=3,greedy,random", 4, "--set route.when=at_once"),
        ("greedy", 5, "--set points_to_win=8"),
    ] {
        let out = format!("out/{players}");
        place.done(&format!(
            "simulate boats --agents {agents} --players {players} --matches 4 --set turns_max=100 \
             {more} --quiet --out {out}"
        ));
        let manifest = place.manifest(&out);
        assert_eq!(manifest["played"]["failures"], 0);
        let record = place.done(&format!("replay {out} 0.0 --format jsonl"));
        let said = place.call_with("replay --check -", &record);
        assert!(said.out.starts_with("The record keeps the rules: "), "{said:?}");
        assert!(place.done("replay out/2 0.0").contains("~ ~ ~"), "the sea is drawn");
    }
    place.refused(
        "simulate boats --players 6 --agents random --set scenario=fog",
        &["has room for"],
    );
}

#[test]
fn a_run_keeps_the_map_that_it_was_played_on() {
    let place = Place::new();
    place.write("mine.toml", MAP);
    let line = "simulate boats --players 2 --agents greedy --matches 12 --set turns_max=60 --quiet";
    place.done(&format!("{line} --set scenario=mine.toml --out one"));
    assert_eq!(place.manifest("one")["rules"]["scenario"], MAP);
    // The same in a file of rules, by its name and as a text.
    place.write("rules.toml", "scenario = \"mine.toml\"\nturns_max = 60");
    place.done(&format!("{line} --rules rules.toml --out two").replace("--set turns_max=60 ", ""));
    place.same("one", "two");
    place.write("mine.toml", "nothing");
    place.done("verify one");
    let record = place.done("replay one 0.0 --format jsonl");
    assert!(place.call_with("replay --check -", &record).out.starts_with("The record keeps"));
    for (text, parts) in [
        ("nothing", ["`scenario`", "line 1"]),
        (&MAP.replace("brick:2", "brock:2"), ["line 3: `brock:2`", "ore:8"]),
        (&MAP.replace("sea = 1", "sea = 2"), ["line 9", "2 hexes; the map has 1"]),
    ] {
        place.write("mine.toml", text);
        place.refused(&format!("{line} --set scenario=mine.toml"), &parts);
    }
    place.refused(&format!("{line} --set scenario=none.toml"), &["shores, fog", "none.toml"]);
    place.refused(&format!("{line} --set scenario=shore"), &["shores, fog", "shore"]);
}

#[test]
fn maps_are_compared_and_runs_of_them_analyzed() {
    let place = Place::new();
    place.write("mine.toml", MAP);
    let said = place.done(
        "compare boats --rules-b scenario=mine.toml --agents greedy --players 2 --set turns_max=60 \
         --matches 8 --out two",
    );
    assert!(said.contains("scenario=mine.toml"), "{said}");
    place.write("mine.toml", "nothing");
    assert!(place.done("analyze two").contains("scenario=mine.toml"));
    for line in [
        "sweep boats --field scenario --values shores,fog --agents greedy --players 3 \
         --set turns_max=40 --blocks 4",
        "balance boats --factor chit=1,2 --levels greedy --set turns_max=40 --blocks 4",
        "sensitivity boats --agents greedy --players 3 --set turns_max=20 --blocks 2",
    ] {
        described_and_same(&Place::new(), line, 3);
    }
}
