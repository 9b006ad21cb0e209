//! Words of complaints, and what is printed of words that others wrote: no type of the parser's, no range that is not
//! named, nothing that steers a terminal.

use crate::support::Place;
use rustix::fs::{CWD, FileType, mknodat};
use serde_json::{Value, json};

const GAMES: [&str; 5] = ["on-the-road", "struggle", "base", "two-player", "boats"];

/// Names that a terminal obeys, or that write lines of their own.
const NAMES: [&str; 4] =
    ["\u{1b}[31m\u{1b}[1mred", "A\nforged 99", "\u{202e}txt.exe", "\u{9b}2J\r"];

/// A record of a short match of each game, whose agents have such names.
fn hostile_record(place: &Place, game: &str) {
    let line = "--agents random --matches 1 --set turns_max=6 --seed 3 --quiet";
    place.done(&format!("simulate {game} {line} --out {game}"));
    let record = place.done(&format!("replay {game} 0.0 --format jsonl"));
    let (header, rest) = record.split_once('\n').expect("a header");
    let mut header: Value = serde_json::from_str(header).expect("JSON");
    let agents = header["agents"].as_array_mut().expect("agents");
    agents.iter_mut().zip(NAMES).for_each(|(agent, name)| *agent = json!(name));
    place.write(&format!("{game}.jsonl"), format!("{header}\n{rest}"));
}

fn is_clean(said: &str, line: &str) {
    let steers = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!said.chars().any(steers), "{line}: {said:?}");
    let forged = said.lines().any(|line| line.trim_start().starts_with("forged"));
    assert!(!forged, "{line}: {said}");
    assert!(said.contains('\u{fffd}'), "{line}: {said}");
}

#[test]
fn names_of_a_record_neither_colour_nor_forge_what_is_printed() {
    let place = Place::new();
    for game in GAMES {
        hostile_record(&place, game);
        let file = format!("{game}.jsonl");
        for line in [
            format!("explain {file}"),
            format!("explain {file} --decision 0 --agent heuristic"),
            format!("explain {file} --mistakes --judge mcts:iterations=2 --searches 2"),
            format!("replay {file}"),
        ] {
            is_clean(&place.done(&line), &line);
        }
        place.done(&format!("replay --check {file}"));
        // Who was asked by such a name is told so.
        let done = place.call(&format!("explain {file} --decision 0"));
        assert_eq!(done.code, Some(2));
        is_clean(&done.err, game);
    }
}

#[test]
fn what_is_typed_at_the_table_is_shown_without_its_colours() {
    let place = Place::new();
    let typed = "\u{1b}[31mred\u{202e}\nquit\n";
    let done = place.call_with("play on-the-road --seed 3 --agents random", typed);
    assert_eq!(done.code, Some(0), "{}", done.err);
    is_clean(&done.out, "play");
}

#[test]
fn pipes_are_no_files_of_rules_or_maps_and_nobody_waits_for_them() {
    let place = Place::new();
    mknodat(CWD, place.path("pipe"), FileType::Fifo, 0o600.into(), 0).expect("a pipe");
    std::fs::create_dir(place.path("folder")).expect("a directory");
    let refused = |line: &str, name: &str| {
        let done = place.bounded(line);
        assert_eq!(done.code, Some(2), "{line}: {}", done.err);
        assert!(done.err.contains(&format!("`{name}` is not a file")), "{line}: {}", done.err);
    };
    for name in ["pipe", "folder", "/dev/zero"] {
        for (game, field) in [("base", "map"), ("two-player", "map"), ("boats", "scenario")] {
            refused(&format!("map show {game} {name}"), name);
            refused(&format!("map judge {game} {name}"), name);
            refused(&format!("simulate {game} --agents random --set {field}={name}"), name);
        }
        for game in GAMES {
            refused(&format!("rules {game} --rules {name}"), name);
        }
    }
    // A link to a file of one's own leads there.
    place.done("map deal base --seed 7 -o island.toml");
    std::os::unix::fs::symlink(place.path("island.toml"), place.path("link")).expect("a link");
    assert_eq!(place.done("map show base link"), place.done("map show base island.toml"));
}

#[test]
fn rules_are_those_of_a_table_that_the_map_is_for() {
    let place = Place::new();
    for (game, field, sizes) in [
        ("base", "map", &[3, 4, 5, 6][..]),
        ("two-player", "map", &[2]),
        ("boats", "scenario", &[3, 4]),
    ] {
        for players in sizes {
            let file = format!("{game}-{players}.toml");
            place.done(&format!("map deal {game} --players {players} --seed 7 -o {file}"));
            let text = place.done(&format!("rules {game} --set {field}={file}"));
            let rules: toml::Table = text.parse().expect("a rule set");
            assert_eq!(rules[field].as_str(), Some(place.read(&file).as_str()), "{file}");
            place.write("rules.toml", format!("{field} = \"{file}\"\n"));
            assert_eq!(place.done(&format!("rules {game} --rules rules.toml")), text, "{file}");
        }
    }
    // Of a map that no table fits, all reasons are told, each once.
    let sea = place.read("base-4.toml").replacen("wool:", "sea:", 1);
    place.write("sea.toml", sea);
    place.refused("rules base --set map=sea.toml", &["`sea:", "is no hex"]);
    place.write("short.toml", "map = \"\"\"\nwool:12\n\"\"\"\n");
    let parts = ["with 6 players: ", "3-4-5-6-5-4-3; with 4 players: ", "3-4-5-4-3"];
    place.refused("rules base --set map=short.toml", &parts);
    let done = place.call("rules base --set points_to_win=no");
    assert!(!done.err.contains("with 6 players"), "{}", done.err);
}

#[test]
fn values_of_the_wrong_kind_are_refused_in_words() {
    let place = Place::new();
    for (game, rules, due) in [
        ("base", "tokens = true", "`tokens`: `true` is no word"),
        ("base", "tokens = []", "`tokens`: `[]` is no word"),
        ("two-player", "map = 3", "`map`: `3` is no word"),
        ("boats", "route.when = []", "`route.when`: `[]` is no word"),
        ("struggle", "build.types = 5", "`build.types`: `5` is no word"),
        ("struggle", "[market]\nsame = \"yes\"", "`market.same`: `\"yes\"` is no true or false"),
        ("on-the-road", "side = false", "`side`: `false` is no word"),
        ("on-the-road", "points_to_win = 7.5", "`points_to_win`: `7.5` is no whole number"),
    ] {
        place.write("rules.toml", rules);
        let line = format!("rules {game} --rules rules.toml");
        place.refused(&line, &["rules.toml", due]);
        let err = place.call(&line).err;
        for part in ["unit variant", "element", "invalid type"] {
            assert!(!err.contains(part), "{err}");
        }
    }
    for game in GAMES {
        hostile_record(&place, game);
        let record = place.read(&format!("{game}.jsonl"));
        let header = record.lines().next().expect("a header");
        for (line, due) in [("[]", "a list"), (" [1,2,3,4]", "a list"), ("3", "expected an object")]
        {
            for text in [format!("{line}\n"), format!("{header}\n{line}\n")] {
                place.write("bad.jsonl", text);
                for command in ["explain", "replay", "replay --check"] {
                    let line = format!("{command} bad.jsonl");
                    place.refused(&line, &["bad.jsonl", due]);
                    let err = place.call(&line).err;
                    assert!(!err.contains("Marks") && !err.contains("element"), "{err}");
                }
            }
        }
    }
}

#[test]
fn one_of_a_thing_is_no_plural() {
    let place = Place::new();
    for game in GAMES {
        let line = format!("simulate {game} --players 1");
        place.refused(&line, &["1 player can't play"]);
        place.refused(&format!("simulate {game} --players 1 --agents a,b"), &["for 1 player;"]);
    }
    let line = "simulate on-the-road --agents random --matches 1 --set turns_max=6";
    let said = place.done(&format!("{line} --out run"));
    assert!(said.contains(": 1 match in 1 block, seed"), "{said}");
    assert!(place.done("status run").contains("complete, 1 block\n"));
    assert!(place.done("verify run").contains("1 of 1 block replayed"));
}

#[test]
fn settings_out_of_range_are_named_with_their_range() {
    let place = Place::new();
    for game in ["base", "two-player", "boats"] {
        for (flags, part) in [
            ("--certify 60", "--certify: 60 is not in 1,000 to 1,000,000,000"),
            ("--maps 100 --finalists 200", "--finalists: 200 is not in 1 to 16"),
            ("--finalists 0", "--finalists: 0 is not in 1 to 16"),
            ("--maps 5000", "--maps: 5,000 is not in 1 to 4,096"),
            ("--maps 16 --matches 10 --certify 100", "--certify: 100 is not in"),
            ("--fair 0pp", "`0pp` is no margin: they lie above 0pp and below 100pp"),
            ("--fair 100pp", "`100pp` is no margin"),
            ("--fair -1pp", "`-1pp` is no margin"),
        ] {
            place.refused(&format!("map make {game} {flags}"), &[part]);
        }
        let twice = format!("map judge {game} --first 3,3");
        place.refused(&twice, &["--first 3 is given twice"]);
    }
    for game in ["on-the-road", "struggle"] {
        for command in ["deal", "show", "judge", "make"] {
            let line = format!("map {command} {game}");
            place.refused(&line, &["has no map; these have: base, two-player, boats"]);
        }
    }
    for (hypotheses, due) in [
        ("--win0 5pp --win1 1pp", "the hypotheses 5 pp and 1 pp are no pair: the smaller first"),
        ("--elo0 20 --elo1 10", "the hypotheses 20 and 10 Elo are no pair: the smaller first"),
    ] {
        place.refused(&format!("compare base greedy random {hypotheses}"), &[due]);
    }
    place.write("empty.toml", "map = \"\"\n");
    place.refused("map show base empty.toml", &["the rows of the map have no hexes; they can"]);
    place.write("x.jsonl", "");
    let number = "a record holds one match: leave out `0.0`";
    place.refused("replay x.jsonl 0.0", &["`x.jsonl` is no directory of a run", number]);
    place.refused("replay - 0.0", &[number]);
    place.refused("replay none 0.0", &["No such file"]);
    let done = place.call("explain x.jsonl --decision -1");
    assert!(
        done.err.contains("'-1'") && done.err.contains("a whole number from 0"),
        "{}",
        done.err
    );
}
