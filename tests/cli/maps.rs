//! Maps from files: dealt, drawn, played on, judged, made fair; and hostile ones.

use crate::support::{Place, length, wait_until};

/// An island with one rich corner: vertex 20, between 6, 8 and 5. Everything else hardly ever yields.
const CORNER: &str = "map = \"\"\"
wool:12 ore:2 wool:12
wool:2 grain:6 lumber:3 grain:12
ore:2 lumber:8 ore:5 lumber:2 wool:12
ore:12 brick:12 grain:2 lumber:12
grain:2 brick:2 desert
\"\"\"
";

/// The first column of a table of a run, in the rows of a metric.
fn keys(place: &Place, file: &str, metric: &str) -> Vec<String> {
    let text = place.read(file);
    let rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let at = |header: &[&str]| header.iter().position(|name| *name == "metric");
    let mut rows = rows.peekable();
    let at = at(rows.peek().expect("a header")).expect("metrics");
    rows.filter(|row| row[at] == metric).map(|row| row[0].to_owned()).collect()
}

#[test]
fn a_map_is_dealt_drawn_and_played_on_and_the_run_never_needs_its_file_again() {
    let place = Place::new();
    let text = place.done("map deal base --seed 7 --same-apart --place-pips 12 --kind-pips 2..4.5");
    assert_eq!(
        place.done(
            "map deal base --seed 7 --same-apart --place-pips 12 --kind-pips 2..4.5 -o i.toml"
        ),
        "Written to i.toml.\n"
    );
    assert_eq!(place.read("i.toml"), text);
    let drawn = place.done("map show base i.toml --svg i.svg");
    assert!(drawn.contains("desert") && drawn.contains("robber"), "{drawn}");
    assert!(place.read("i.svg").starts_with("<svg"));
    let line = "simulate base --agents random --players 3 --set map=i.toml --matches 8 --quiet";
    place.done(&format!("{line} --out out"));
    std::fs::remove_file(place.path("i.toml")).expect("it was there");
    assert_eq!(place.manifest("out")["rules"]["map"].as_str(), Some(text.as_str()));
    assert!(place.done("verify out").contains("all tables match"));
    let record = place.done("replay out 3.0 --format jsonl");
    place.write("record.jsonl", &record);
    place.done("replay --check record.jsonl");
    // No terrain, token or harbour was drawn.
    let drawn = ["terrain", "token", "harbour", "corner"];
    assert!(drawn.iter().all(|draw| !record.contains(&format!("\"draw\":\"{draw}\""))), "{record}");
    for game in ["two-player", "boats"] {
        place.done(&format!("map deal {game} --seed 3 -o {game}.toml"));
        place.done(&format!("map show {game} {game}.toml"));
        let field = if game == "boats" { "scenario" } else { "map" };
        let players = if game == "boats" { "3" } else { "2" };
        place.done(&format!(
            "simulate {game} --agents random --players {players} --set {field}={game}.toml --matches 4 --quiet"
        ));
    }
}

#[test]
fn what_is_no_map_is_refused_in_a_sentence() {
    let place = Place::new();
    place.write("not-text.toml", [0xff, 0xfe, 0x00]);
    place.write("empty.toml", "");
    place.write("deep.toml", "[".repeat(10_000));
    place.write("large.toml", "#".repeat(2 << 20));
    place.write("sea.toml", CORNER.replace("ore:5", "sea"));
    for (file, part) in [
        ("not-text.toml", "can't read"),
        ("empty.toml", "missing field `map`"),
        ("deep.toml", "line 1"),
        ("large.toml", "larger than 1 MiB"),
        ("sea.toml", "line 4: `sea` is no hex"),
        ("absent.toml", "can't read"),
    ] {
        place.refused(&format!("map show base {file}"), &[file, part]);
        place.refused(&format!("map judge base {file}"), &[file, part]);
        place.refused(&format!("simulate base --set map={file}"), &[part]);
        let done = place.bounded(&format!("map show base {file}"));
        assert_eq!(done.code, Some(2), "{file}: {}", done.err);
    }
    place.write("corner.toml", CORNER);
    place.refused("map show base corner.toml --players 6", &["3-4-5-6-5-4-3"]);
    place.refused("map judge base corner.toml --first 200", &["--first 200", "nobody can found"]);
    place.refused("map judge base corner.toml --free 0", &["1 to 64"]);
    place.refused("map deal struggle", &["struggle has no map"]);
    place.refused("map make on-the-road", &["on-the-road has no map"]);
    place.refused("map deal base --place-pips 2", &["none of 10000 maps", "loosen one"]);
    place.refused("map make base --certify 10", &["--certify: 10 is not in"]);
    place.done("map deal base -o laid.toml");
    place.refused("map make base --set map=laid.toml --out made", &["which is laid already"]);
    place.refused("map show base laid.toml --set map=laid.toml", &["two maps"]);
    place.refused("map deal base --kind-pips 4..2", &["write a range"]);
}

#[test]
fn a_rich_corner_is_the_best_place_by_matches() {
    let place = Place::new();
    place.write("corner.toml", CORNER);
    let said = place.done(
        "map judge base corner.toml --players 3 --free 1 --pairs 0 --blocks 24 --seed 5 --out out",
    );
    assert_eq!(keys(&place, "out/places.csv", "worth")[0], "20");
    assert!(said.contains("20 (grain:6 lumber:8"), "{said}");
    assert!(place.done("verify out").contains("all tables match"));
    // Match 1 of a block is that of the first place: its founder stands there.
    let record = place.done("replay out 0.1 --format jsonl");
    let mut lines = record.lines().skip(1);
    let first = lines.find(|line| line.contains("\"settlement\"")).expect("a founding");
    assert!(first.contains("\"vertex\":0"), "{first}");
    place.write("record.jsonl", &record);
    place.done("replay --check record.jsonl");
}

#[test]
fn a_judged_map_is_the_same_after_a_kill() {
    let place = Place::new();
    place.write("corner.toml", CORNER);
    let line =
        "map judge two-player corner.toml --agent random --free 2 --pairs 1 --blocks 16 --quiet";
    let mut child = place.start(&format!("{line} --out out --save-every 0"));
    let digests = place.path("out.partial/digests.bin");
    wait_until(&mut child, || length(&digests) >= 4 * 3);
    child.kill().expect("it can be killed");
    child.wait().expect("a child");
    std::fs::remove_file(place.path("corner.toml")).expect("it was there");
    place.done("resume out --quiet --threads 1");
    place.write("corner.toml", CORNER);
    place.done(&format!("{line} --out whole"));
    place.same("out", "whole");
}

#[test]
fn a_fair_map_is_certified_or_none_is_written() {
    let place = Place::new();
    let line = "map make two-player --agent random --maps 6 --matches 20 --finalists 2 --certify 1k --quiet";
    place.done(&format!("{line} --fair 20pp --out wide"));
    let map = place.read("wide/map.toml");
    assert!(
        map.starts_with("# Map ") && map.contains("Certified: the share of every seat"),
        "{map}"
    );
    place.done("map show two-player wide/map.toml");
    assert!(place.done("verify wide").contains("all tables match"));
    let none = place.call(&format!("{line} --fair 0.1pp --out narrow"));
    assert_eq!(none.code, Some(1), "{}", none.err);
    assert!(!place.path("narrow/map.toml").exists());
    assert_eq!(keys(&place, "narrow/map_certified.csv", "advantage").len(), 4);
}
