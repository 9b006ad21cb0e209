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

/// Whoever names no agent asks for players, not for one agent; a named one plays alone, and so do seats, whose certificates
/// take long.
#[test]
fn three_levels_play_if_no_agent_is_named() {
    let place = Place::new();
    let levels = |game: &str| {
        let agents = place.manifest("out")["agents"].as_array().expect("agents").clone();
        let name = |agent: serde_json::Value| agent["name"].as_str().expect("a name").to_owned();
        let names: Vec<String> = agents.into_iter().map(name).collect();
        let level = format!("levels/{game}/");
        names.iter().map(|name| name.trim_start_matches(&level).to_owned()).collect::<Vec<String>>()
    };
    for game in Games::standard().iter() {
        let name = game.facts().name;
        let change = half(name);
        place.done(&format!(
            "compare {name} --rules-b {change} --matches 24 --quiet --force --out out"
        ));
        assert_eq!(levels(name), ["heuristic", "easy", "hard"]);
        let (field, low) = change.split_once('=').expect("a field");
        let factor = format!("balance {name} --factor {field}={low},6 --blocks 2");
        place.done(&format!("{factor} --quiet --force --out out"));
        assert_eq!(levels(name), ["easy", "hard", "heuristic"]);
    }
    let solve = "solve on-the-road --set side=b --choice metropolis --fields metropolis.roads.extra.brick=0..1 --blocks 2 \
                 --certify 2 --finalists 1 --quiet --force --out out";
    let seats = "solve on-the-road --target seats --fields hand_start=2..3 --blocks 2 --certify 2 --finalists 1 --quiet \
                 --force --out out";
    for (line, due) in [
        (solve.to_owned(), &["heuristic", "easy", "hard"][..]),
        (format!("{solve} --agent builder"), &["builder"]),
        (seats.to_owned(), &["heuristic"]),
        (format!("{seats} --levels easy"), &["heuristic", "easy"]),
        ("balance on-the-road --factor points_to_win=7,4 --levels builder --blocks 2 --quiet --force --out out".to_owned(), &["builder"]),
    ] {
        let done = place.call(&line);
        assert!(matches!(done.code, Some(0 | 1)), "{line}\n{}", done.err);
        assert_eq!(levels("on-the-road"), due, "{line}");
    }
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

#[test]
fn whoever_has_adapted_plays_rules_b_alone_in_every_game() {
    let place = Place::new();
    for game in Games::standard().iter() {
        let name = game.facts().name;
        let half = half(name);
        let line = format!("compare {name} --rules-b {half} --agents random --set turns_max=400");
        let said = place
            .done(&format!("{line} --adapted greedy --matches 120 --quiet --full --out {name}"));
        assert!(said.is_empty(), "{said}");
        let answer = flat(&place.done(&format!("analyze {name}")));
        assert!(
            answer.contains("With agents as they are and once they have adapted to B: "),
            "{answer}"
        );
        assert!(answer.contains("greedy stands for players who have adapted"), "{answer}");
        let variants = records(&place.tables(name)["variants.csv"]);
        let of = |level: &str, rules: &str| {
            let is_of = |row: &&Vec<String>| row[LEVEL] == level && row[1].starts_with(rules);
            let found = variants.iter().filter(is_of).map(|row| row[2..].to_vec());
            found.collect::<Vec<Vec<String>>>()
        };
        // The same deals and the same agents under A: the same matches. Under B who has adapted plays otherwise.
        assert!(of("random", "A").len() > 5, "{name}");
        assert_eq!(of("adapted to B", "A"), of("random", "A"), "{name}");
        assert_ne!(of("adapted to B", "B"), of("random", "B"), "{name}");
        // What greedy does under B where it plays all matches.
        place.done(&format!(
            "compare {name} --rules-a {half} --set turns_max=400 --agents greedy --matches 60 --quiet --force --out other"
        ));
        let turns = |rows: &[Vec<String>]| {
            let found = rows.iter().find(|row| row[1] == "turns_mean").expect("turns");
            found[2].parse::<f64>().expect("a number")
        };
        let alone = records(&place.tables("other")["variants.csv"]);
        let alone: Vec<Vec<String>> = alone
            .iter()
            .filter(|row| row[1].starts_with('A'))
            .map(|row| row[2..].to_vec())
            .collect();
        let adapted = turns(&of("adapted to B", "B"));
        assert!((turns(&alone) / adapted - 1.0).abs() < 0.3, "{name}: {adapted}");
    }
}

#[test]
fn an_agent_adapts_to_rules_b_before_they_are_compared() {
    let place = Place::new();
    let line =
        "compare on-the-road --rules-b points_to_win=4 --agents heuristic:lapse=0.6 --matches 200";
    let adapt = "--adapt lapse=0..0.9 --adapt-matches 2k";
    let said = place.call(&format!("{line} {adapt} --out out"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(flat(&said.out).contains("once they have adapted to B"), "{}", said.out);
    // What it costs is said before it is played.
    assert!(
        said.err.starts_with("First ") && said.err.contains("at most 4,000 matches"),
        "{}",
        said.err
    );
    let tuned = place.read("out-tuned/tuned.toml");
    assert!(
        tuned.contains("--set points_to_win=4") && tuned.contains("is stronger than"),
        "{tuned}"
    );
    let named = "--adapted out-tuned/tuned.toml --quiet --out named";
    place.done(&format!("{line} {named}"));
    assert_eq!(place.tables("out"), place.tables("named"));
    // Rules B by a file, which stands in place of the run's rules.
    place.write("b.toml", "points_to_win = 4\n");
    let by_file = line.replace("points_to_win=4", "b.toml");
    place.done(&format!("{by_file} {adapt} --quiet --out file"));
    assert_eq!(place.tables("out")["effects.csv"].len(), place.tables("file")["effects.csv"].len());
    // Nothing stronger is found: agents play as they are.
    let weights = "--adapt lapse=0..0.1 --adapt-matches 400 --quiet --out weak";
    place.done(&format!("{} {weights}", line.replace(":lapse=0.6", "")));
    assert!(!place.read("weak/manifest.json").contains("adapted\": true"), "nobody has");
    for (rest, parts) in [
        ("--adapted heuristic:lapse=0.6", &["plays already"][..]),
        ("--adapted nobody", &["no agent `nobody`"]),
        ("--adapt lapse=0..0.9", &["--out"]),
        ("--adapt lapse=0..0.9 --adapted greedy --out no", &["--adapt"]),
        ("--adapt nothing=0..0.9 --out no", &["--adapt", "nothing"]),
        ("--adapt lapse=0..0.9 --out no --shard 1/2", &["--shard"]),
        ("--adapt-matches 3k", &["--adapt"]),
    ] {
        place.refused(&format!("{line} {rest}"), parts);
    }
    let two = line.replace("heuristic:lapse=0.6", "greedy,random,random");
    place.refused(&format!("{two} --adapted builder"), &["name one agent"]);
    place.copy("out", "forged");
    place.alter("forged", "/question/adapted", serde_json::json!(false));
    place.refused("analyze forged", &["manifest"]);
}

/// `balance` judges the rules of the run: an agent that was tuned for them is a level more.
#[test]
fn an_agent_adapts_to_the_rules_before_they_are_balanced() {
    let place = Place::new();
    let rules =
        "balance on-the-road --set points_to_win=4 --factor robber.hand_limit=7,5 --blocks 20";
    let adapt = "--adapt lapse=0..0.9 --adapt-matches 2k";
    let agent = "heuristic:lapse=0.6";
    let said = place.call(&format!("{rules} --levels {agent} {adapt} --out out"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let first =
        format!("First {agent} adapts to these rules, as `tune` does: at most 4,000 matches");
    assert!(said.err.starts_with(&first), "{}", said.err);
    let tuned = place.read("out-tuned/tuned.toml");
    assert!(tuned.contains("--set points_to_win=4"), "{tuned}");
    place.done(&format!("{rules} --levels {agent},out-tuned/tuned.toml --quiet --out named"));
    assert_eq!(place.tables("out"), place.tables("named"));
    for (rest, part) in [
        ("--levels heuristic,greedy --adapt lapse=0..0.9 --out no", "one agent adapts"),
        ("--adapt lapse=0..0.9", "--out"),
        ("--adapt nothing=0..0.9 --out no", "nothing"),
        ("--adapt lapse=0..0.9 --out no --margin 0", "--margin"),
    ] {
        let refused = place.call(&format!("{rules} {rest}"));
        assert_eq!(refused.code, Some(2), "{rest}");
        assert!(refused.err.contains(part) && !refused.err.contains("First "), "{}", refused.err);
    }
    assert!(!place.path("no-tuned").exists(), "nothing is played before the words are read");
}

#[test]
fn who_has_adapted_is_the_same_from_any_part_of_a_run() {
    let place = Place::new();
    let line = "compare on-the-road --rules-b points_to_win=6 --agents random --levels builder \
                --adapted greedy --matches 300";
    place.done(&format!("{line} --quiet --out whole --threads 1"));
    for part in [1, 2] {
        place.done(&format!("{line} --quiet --out part{part} --shard {part}/2"));
    }
    place.done("merge part1 part2 --quiet --out merged");
    assert_eq!(place.tables("whole"), place.tables("merged"));
    place.done("verify whole --sample 1000");
    let answer = flat(&place.done("analyze whole"));
    assert!(answer.contains("Across two levels of play: "), "{answer}");
}

/// What a change of rules does is told from matches by the game's own rules, of all levels of play.
#[test]
fn a_diagnosis_against_the_base_rules_plays_these_too() {
    let place = Place::new();
    let line = "diagnose on-the-road --players 3 --levels random,builder --blocks 30 --quiet";
    place.done(&format!("{line} --out base"));
    place.done(&format!("{line} --set points_to_win=3 --against base-rules --out changed"));
    let tables = ["base", "changed"].map(|run| place.tables(run));
    let row = |run: usize, table: &str| {
        let rows = records(&tables[run][table]);
        let is_due = |row: &Vec<String>| row.iter().any(|cell| cell == "win_share");
        rows.into_iter().find(is_due).expect("a share")
    };
    let (own, both) = (row(0, "findings.csv"), row(1, "changes.csv"));
    let at = |table: &str, run: usize, name: &str| {
        let text = place.read(&format!("{}/{table}", ["base", "changed"][run]));
        let head = text.lines().next().expect("a head");
        head.split(',').position(|column| column == name).expect("a column")
    };
    let base = &both[at("changes.csv", 1, "base")];
    assert_eq!(base, &own[at("findings.csv", 0, "estimate")]);
    assert_ne!(base, &both[at("changes.csv", 1, "changed")]);
}
