//! What a change of rules does at several levels of play: one sentence on whether it holds, intervals that hold for all
//! levels together, the same bytes from any part of a run, and no other bytes for who asks for one level.

use crate::support::{Place, records};
use fairhaven::registry::Games;

/// What a row of effects is about, in the columns of the file.
const LEVEL: usize = 0;
const ESTIMATE: usize = 5;
const LO: usize = 9;
const HI: usize = 10;

/// Text without its line breaks.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// A change that no level of play can miss: matches that are won with half of the points.
fn half(game: &str) -> &'static str {
    match game {
        "boats" => "points_to_win=7",
        "on-the-road" => "points_to_win=4",
        _ => "points_to_win=5",
    }
}

#[test]
fn a_change_that_nobody_can_miss_holds_at_all_levels_in_every_game() {
    let place = Place::new();
    for game in Games::standard().iter() {
        let name = game.facts().name;
        let line = format!("compare {name} --rules-b {} --agents greedy", half(name));
        let said = place.done(&format!("{line} --levels medium,random --matches 360 --out {name}"));
        let text = flat(&said);
        let (_, across) = text.split_once("Across three levels of play: ").expect("a sentence");
        let (holding, _) = across.split_once(" at all three levels").expect("something holds");
        assert!(holding.contains("turns of single players"), "{name}\n{said}");
        assert!(said.lines().count() <= 32, "{said}");
        let effects = records(&place.tables(name)["effects.csv"]);
        let (header, effects) = effects.split_first().expect("a header");
        let column = |of: &str| {
            header.iter().position(|name| name == of).unwrap_or_else(|| panic!("no {of}"))
        };
        assert_eq!((column("estimate"), column("ci95_lo"), column("ci95_hi")), (ESTIMATE, LO, HI));
        let joint = [column("verdict_lo"), column("verdict_hi"), column("verdict_level")];
        let levels = ["greedy".to_owned(), format!("levels/{name}/medium"), "random".to_owned()];
        for level in &levels {
            let rows: Vec<&Vec<String>> =
                effects.iter().filter(|row| row[LEVEL] == *level).collect();
            assert_eq!(rows.len(), effects.len() / 3, "{level}");
            for row in rows.iter().filter(|row| !row[joint[0]].is_empty()) {
                let number = |at: usize| row[at].parse::<f64>().expect("a number");
                assert!(
                    number(joint[0]) <= number(LO) && number(HI) <= number(joint[1]),
                    "{row:?}"
                );
                assert!(number(joint[2]) > 0.95, "{row:?}");
            }
            let turns = rows.iter().find(|row| row.iter().any(|cell| cell == "turns_mean"));
            let turns = turns.expect("turns")[ESTIMATE].parse::<f64>().expect("a number");
            assert!(turns < 0.0, "{level} {turns}");
        }
    }
}

/// Three levels; the first is a line-up of two agents where the question takes one.
const LINES: [&str; 3] = [
    "compare on-the-road --rules-b points_to_win=6 --agents builder,random,random --levels greedy,beginner --matches 300",
    "balance on-the-road --factor points_to_win=7,6 --levels random,builder --blocks 24",
    "balance on-the-road --choice metropolis --set side=b --levels random,builder --blocks 12",
];

#[test]
fn several_levels_are_the_same_from_any_part_of_a_run() {
    let place = Place::new();
    for line in LINES {
        place.done(&format!("{line} --quiet --force --out whole --threads 1"));
        place.done(&format!("{line} --quiet --force --out threads --threads 3"));
        place.same("whole", "threads");
        for part in [1, 2] {
            place.done(&format!("{line} --quiet --force --out part{part} --shard {part}/2"));
        }
        place.done("merge part1 part2 --quiet --force --out merged");
        assert_eq!(place.tables("whole"), place.tables("merged"), "{line}");
        let answer = place.done("analyze whole");
        assert!(flat(&answer).contains("levels of play: "), "{answer}");
        place.done("verify whole --sample 1000");
        place.done("report whole --force --output page.html");
        assert!(place.read("page.html").contains("levels of play: "), "{line}");
    }
}

#[test]
fn one_level_is_what_it_was_and_proposes_the_others() {
    let place = Place::new();
    let line = "compare on-the-road --rules-b points_to_win=4 --agents builder --matches 200";
    let said = place.done(&format!("{line} --out out"));
    let next = said.lines().find_map(|line| line.strip_prefix("  fairhaven ")).expect("a proposal");
    assert_eq!(next, format!("{line} --levels easy,hard"));
    assert!(!place.read("out/manifest.json").contains("\"levels\""), "no setting for one level");
    place.done(&format!("{next} --quiet"));
    // A game without levels of its own, or a run that has some, proposes none.
    let said = place.done(&format!("{line} --levels beginner"));
    assert!(!said.contains("people who play worse"), "{said}");
}

#[test]
fn levels_that_cannot_be_played_are_refused() {
    let place = Place::new();
    let line = "compare on-the-road --rules-b points_to_win=6 --matches 40";
    for (rest, parts) in [
        ("--levels nobody", &["no agent `nobody`"][..]),
        ("--levels greedy,greedy", &["`greedy` is named twice"]),
        ("--levels heuristic", &["`heuristic` plays already"]),
        ("--levels ,", &["--levels"]),
    ] {
        place.refused(&format!("{line} {rest}"), parts);
    }
    place.refused("compare on-the-road greedy random --levels beginner", &["--levels"]);
    place.done(&format!("{line} --levels greedy,random --quiet --out out"));
    for levels in [0_u64, 1, 3, 9, 1 << 40] {
        place.copy("out", "forged");
        place.alter("forged", "/question/levels", serde_json::json!(levels));
        place.refused("analyze forged", &["manifest"]);
        std::fs::remove_dir_all(place.path("forged")).expect("removed");
    }
}
