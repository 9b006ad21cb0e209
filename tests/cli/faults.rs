//! `simulate` when something is wrong: the message names the value and what would be right.

use crate::support::Place;

#[test]
fn wrong_words_are_named_with_what_would_be_right() {
    let place = Place::new();
    for (words, parts) in [
        ("checkers", &["no game `checkers`", "on-the-road"] as &[&str]),
        ("on-the-road --agents nobody", &["no agent `nobody`", "heuristic", "skilled"]),
        ("on-the-road --agents heuristic,,random", &["no agent ``", "heuristic"]),
        ("on-the-road --agents heuristic:hast=1", &["no parameter `hast`", "haste"]),
        ("on-the-road --agents heuristic:haste=much", &["haste", "much"]),
        ("on-the-road --agents heuristic:haste", &["`haste`", "key=value"]),
        ("on-the-road --agents random:haste=1", &["`random`", "no parameters", "`haste`"]),
        ("on-the-road --agents mcts:iterations=-1", &["iterations", "-1"]),
        (
            "on-the-road --agents mcts:iterations=99999999",
            &["`iterations` is 99999999", "10000000"],
        ),
        ("on-the-road --agents mcts:iterations=0", &["iterations", "time_ms"]),
        ("on-the-road --agents mcts:rollout=slow", &["slow", "quick"]),
        ("on-the-road --agents oracle:iterations=5", &["oracle", "--allow-oracle"]),
        ("otr", &["no game `otr`", "did you mean `on-the-road`?"]),
        ("on-the-road --agents heuristc", &["no agent `heuristc`", "did you mean `heuristic`?"]),
        ("on-the-road --agents heuristic:hasty=1", &["did you mean `haste`?"]),
        (
            "on-the-road --agents heuristic:knight_love=1e99",
            &["`knight_love`", "-100 to 100", "in cards"],
        ),
        ("on-the-road --agents heuristic:haste=nan", &["`haste` is NaN", "-100 to 100"]),
        ("on-the-road --agents heuristic:haste=-inf", &["`haste` is -inf", "-100 to 100"]),
        ("on-the-road --agents heuristic:fog=2", &["`fog` does nothing", "searches"]),
        ("on-the-road --matches 0", &["`0`", "10^12"]),
        ("on-the-road --matches many", &["`many`", "1.5k", "--matches"]),
        ("on-the-road --matches 1.2345k", &["`1.2345k`", "1.5k", "20,000"]),
        ("on-the-road --matches -5", &["`-5` is not a whole number"]),
        ("on-the-road --matches 99999999m", &["99999999m", "10^12"]),
        ("on-the-road --matches 99999999999999999999", &["99999999999999999999", "10^12"]),
        ("on-the-road --set side=c", &["`c`", "`a`", "`b`", "`mixed`"]),
        ("on-the-road --set side", &["`side`", "field=value"]),
        ("on-the-road --set sides=b", &["no rule set field `sides`", "did you mean `side`?"]),
        ("on-the-road --set hand_limit=8", &["did you mean `robber.hand_limit`?"]),
        ("on-the-road --set metropolis.cost.gold=1", &["metropolis.cost.gold", "metropolis.cost"]),
        ("on-the-road --set metropolis.cost.wool=99", &["`metropolis.cost.wool`", "99", "0 to 14"]),
        ("on-the-road --set metropolis.cost.wool=-1", &["-1"]),
        ("on-the-road --set points_to_win=high", &["points_to_win", "high", "whole number"]),
        ("on-the-road --set points_to_win=1", &["`points_to_win`", "1 is not in 2 to 40"]),
        ("on-the-road --set turns_max=0", &["`turns_max`", "0 is not in 1 to 1000"]),
        ("on-the-road --players 5", &["5 players", "2 to 4"]),
        ("on-the-road --players 1", &["1 player can't", "2 to 4"]),
        ("on-the-road --players 0", &["0 players", "2 to 4"]),
        ("on-the-road --players many", &["many", "--players"]),
        ("on-the-road --players 999", &["999", "--players"]),
        ("on-the-road --agents random,random --players 4", &["2 agents for 4 players"]),
        ("on-the-road --agents random,random,random,random,random", &["5 players", "2 to 4"]),
        ("on-the-road --seed -1", &["`-1`", "0 to 2^64-1"]),
        ("on-the-road --seed 18446744073709551616", &["18446744073709551616", "--seed"]),
        ("on-the-road --threads 0", &["`0`", "1 to 1024", "--threads"]),
        ("on-the-road --threads 4096", &["`4096`", "1 to 1024", "--threads"]),
        ("on-the-road --rows xml", &["xml", "csv", "zst"]),
        ("on-the-road --format html", &["html", "markdown"]),
    ] {
        place.refused(&format!("simulate {words} --out out"), parts);
    }
    place.refused("simulate on-the-road --matches 10 --rows csv", &["--rows", "--out"]);
    place.refused("simulate", &["<GAME>"]);
}

#[test]
fn several_faults_of_a_rule_set_are_named_at_once() {
    let place = Place::new();
    let line = "simulate on-the-road --set points_to_win=99 --set hand_start=50 --out out";
    place.refused(line, &["`points_to_win`", "2 to 40", "`hand_start`", "0 to 10"]);
}

/// Files that are not what they should be.
fn bad_files(place: &Place, whole: &str) -> Vec<(&'static str, &'static str)> {
    place.write("cut.toml", &whole[..=whole.rfind('=').expect("a field")]);
    place.write("binary.toml", [0xff, 0xfe, 0x00, 0x80]);
    place.write("zeros.toml", [0; 64]);
    place.write("other.toml", "colour = \"red\"\n");
    place.write("huge.toml", vec![b'#'; 2 << 20]);
    std::fs::create_dir(place.path("folder.toml")).expect("a folder");
    vec![
        ("cut.toml", "line"),
        ("binary.toml", "UTF-8"),
        ("zeros.toml", "line 1"),
        ("other.toml", "colour"),
        ("huge.toml", "1 MiB"),
        ("folder.toml", ""),
        ("absent.toml", "No such file"),
    ]
}

#[test]
fn a_rules_file_that_is_none_is_refused() {
    let place = Place::new();
    let whole = place.done("rules on-the-road");
    for (file, part) in bad_files(&place, &whole) {
        place.refused(&format!("simulate on-the-road --rules {file} --out out"), &[file, part]);
        place.refused(&format!("rules on-the-road --rules {file}"), &[file, part]);
    }
    place.write("wide.toml", "points_to_win = 300\n");
    place.refused("simulate on-the-road --rules wide.toml --out out", &["wide.toml", "300"]);
}

#[test]
fn an_agent_file_that_is_none_is_refused() {
    let place = Place::new();
    let whole =
        "kind = \"heuristic\"\nabout = \"\"\nprovenance = \"\"\n[parameters]\nhaste = 0.1\n";
    for (file, part) in bad_files(&place, whole) {
        let line = format!("simulate on-the-road --agents {file} --out out");
        place.refused(&line, &[file, part]);
    }
    place.write("kind.toml", whole.replace("heuristic", "wizard"));
    place.write("key.toml", whole.replace("haste", "hurry"));
    place.write("short.toml", "kind = \"heuristic\"\n");
    for (file, part) in
        [("kind.toml", "`wizard`"), ("key.toml", "`hurry`"), ("short.toml", "`about`")]
    {
        place.refused(&format!("simulate on-the-road --agents {file} --out out"), &[file, part]);
    }
}

#[test]
fn a_place_that_cannot_be_written_to_is_refused_before_the_first_match() {
    let place = Place::new();
    // More matches than could ever be played.
    let line = "simulate on-the-road --matches 1000000m --agents random --out";
    std::fs::create_dir(place.path("full")).unwrap();
    place.write("full/notes.txt", "mine");
    place.write("file", "mine");
    place.refused(&format!("{line} full"), &["`full`", "not empty", "--force"]);
    place.refused(&format!("{line} full --force"), &["`full`", "manifest.json"]);
    place.refused(&format!("{line} file"), &["`file`"]);
    place.refused(&format!("{line} file/run"), &["`file/run`"]);
    place.refused(&format!("{line} file/deeper/run"), &["`file/deeper/run`"]);
    place.refused(&format!("{line} .."), &["is not empty"]);
    assert_eq!(place.read("full/notes.txt"), "mine");
    assert_eq!(place.read("file"), "mine");
}
