//! `tournament`: the same bytes on any number of threads and in parts, agents that join later, and what is refused.

use crate::studies::described_and_same;
use crate::support::{Place, records, wait_until};
use serde_json::json;

const LINE: &str = "tournament on-the-road builder random drifter --players 3 --seed 5";

/// A number of a table.
fn cell(place: &Place, run: &str, table: &str, keys: &[&str], metric: &str) -> Option<f64> {
    let rows = records(&place.tables(run)[table]);
    let at = rows[0].iter().position(|name| name == "metric").expect("a column");
    let row = rows.iter().find(|row| row[..at] == *keys && row[at] == metric).expect("a row");
    row[at + 1].parse().ok()
}

#[test]
fn a_tournament_rates_its_agents_and_says_how_balanced_it_is() {
    let place = Place::new();
    let said = described_and_same(&place, &format!("{LINE} --blocks 150"), 5);
    let said = said.replace('\n', " ");
    assert!(said.starts_with("builder is the strongest: "), "{said}");
    assert!(said.contains("(builder is 0)") && said.contains("A block has 6 line-ups."), "{said}");
    let elo = |agent| cell(&place, "out", "ratings.csv", &[agent], "elo").expect("a rating");
    let (builder, random, drifter) = (elo("builder"), elo("random"), elo("drifter"));
    assert!(builder.abs() < 1e-9 && random < -100.0 && drifter < -100.0, "{random} {drifter}");
    let design = |keys: &[&str], metric| cell(&place, "out", "design.csv", keys, metric);
    assert_eq!(design(&["random", ""], "seat_least"), Some(2.0));
    assert_eq!(design(&["", ""], "together_least"), Some(6.0));
    assert_eq!(design(&["builder", "random"], "after"), Some(3.0));
    // What one wins of the matches that either won, the other does not.
    let share = |keys: [&str; 2]| cell(&place, "out", "crosstable.csv", &keys, "win_share");
    let both = [["builder", "random"], ["random", "builder"]].map(|keys| share(keys).expect("one"));
    assert!((both[0] + both[1] - 1.0).abs() < 2e-6 && both[0] > 0.6, "{both:?}");
}

#[test]
fn parts_of_a_tournament_make_the_whole_and_it_is_verified() {
    let place = Place::new();
    let line = format!("{LINE} --blocks 80 --threads 2");
    place.done(&format!("{line} --out whole"));
    for part in 1..=3 {
        place.done(&format!("{line} --shard {part}/3 --out part{part}"));
    }
    place.done("merge part2 part3 part1 --out merged");
    place.same("merged", "whole");
    place.done("verify whole --sample 30");
    place.done("analyze whole --require ratings[agent=random].elo<ratings[agent=builder].elo");
    let failed = place.call("analyze whole --require ratings[agent=random].elo.hi>0");
    assert_eq!(failed.code, Some(1), "{}", failed.out);
}

#[test]
fn agents_that_join_later_leave_the_bytes_that_they_would_have_left_from_the_start() {
    let place = Place::new();
    place.done(&format!("{LINE} --blocks 70 --out three"));
    place.done("tournament on-the-road --onto three --add greedy --threads 1 --out four");
    place.done("tournament on-the-road --onto four --add skilled --threads 2 --out five");
    let line = LINE.replace("drifter", "drifter greedy skilled");
    place.done(&format!("{line} --blocks 70 --out whole"));
    // Digests and sums, too; `greedy` is the anchor as soon as it plays.
    place.same("five", "whole");
    place.done("tournament on-the-road --onto three --add greedy --add skilled --out both");
    place.same("both", "whole");
    place.done("verify five --sample 20");
    assert_eq!(cell(&place, "five", "ratings.csv", &["greedy"], "elo"), Some(0.0));
}

#[test]
fn an_interrupted_addition_is_resumed_and_joined() {
    let place = Place::new();
    let slow = "mcts:iterations=5";
    place.done(&format!("{LINE} --blocks 24 --out three"));
    let all = LINE.replace("drifter", &format!("drifter {slow}"));
    place.done(&format!("{all} --blocks 24 --out whole"));
    let line = format!("tournament on-the-road --onto three --add {slow} --out new --save-every 0");
    let mut child = place.start(&line);
    wait_until(&mut child, || place.path("new.partial").join("sums.bin").exists());
    child.kill().expect("a process");
    child.wait().expect("a process");
    // Played to the end, and not joined: the earlier run is not where it was.
    std::fs::rename(place.path("three"), place.path("moved")).expect("a rename");
    let said = place.call("resume new");
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("`fairhaven merge OLD new --out DIR` joins them"), "{}", said.err);
    std::fs::rename(place.path("moved"), place.path("three")).expect("a rename");
    let said = place.call("status new");
    assert!(said.out.contains("`fairhaven resume new` joins them"), "{}", said.out);
    assert_eq!(said.code, Some(4), "the tournament is not there yet");
    assert_eq!(place.manifest("new")["question"]["onto"], json!(6));
    let names: Vec<String> = place.files("new").into_keys().collect();
    assert_eq!(names, ["digests.bin", "sums.bin"]);
    place.refused("analyze new", &["`new` is a part"]);
    place.refused("merge new three whole --out no", &["is no part"]);
    place.refused("merge whole new --out no", &["do not belong together"]);
    place.done("merge new three --out joined");
    place.same("joined", "whole");
    place.done("verify new --sample 4");
    place.done("resume new --quiet");
    place.same("new", "whole");
    assert_eq!(place.done("resume new"), "`new` is complete; nothing to play.\n");
}

#[test]
fn who_cannot_join_is_told_why() {
    let place = Place::new();
    place.done(&format!("{LINE} --blocks 8 --out three"));
    place.done("tournament on-the-road builder random --players 3 --blocks 4 --out two");
    place.done(
        "tournament on-the-road builder random drifter --players 2 --gauntlet --blocks 4 --out one",
    );
    place.done("tournament on-the-road builder random --players 2 --until ci=400elo --blocks 256 --out seen");
    place.done("simulate on-the-road --agents builder --matches 4 --out plain");
    for (words, parts) in [
        ("--onto three --add random --out no", &["`random` is named twice"][..]),
        ("--onto three --add greedy --out no --require chairs.x<1", &["no table `chairs`"]),
        ("--onto two --add drifter --out no", &["`two`", "2 agents for 3 seats"]),
        ("--onto one --add greedy --out no", &["`one`", "gauntlet"]),
        ("--onto seen --add greedy --out no", &["`seen`", "stopped by what it saw"]),
        ("--onto plain --add greedy --out no", &["`plain` is no tournament", "simulate"]),
        ("--onto nowhere --add greedy --out no", &["nowhere"]),
        ("--onto three --add greedy", &["--out"]),
        ("--onto three --add greedy --out ./three --force", &["`three` is what is added to"]),
        ("--onto three --out no", &["--add"]),
        ("--add greedy --out no", &["AGENT"]),
        ("--onto three --add greedy --out no --blocks 5", &["--blocks"]),
        ("--onto three --add greedy --out no --set side=b", &["--set"]),
        ("--onto three --add greedy --out no --seed 6", &["--seed"]),
        ("--onto three --add oracle --out no", &["--allow-oracle"]),
        ("--onto three --add greedy --out three", &["three"]),
    ] {
        place.refused(&format!("tournament on-the-road {words}"), parts);
    }
    place.refused(
        "tournament base --onto three --add greedy --out no",
        &["of on-the-road, not of base"],
    );
    place.edit("three", "/seed", json!(6));
    place.refused("tournament on-the-road --onto three --add greedy --out no", &["checksum"]);
}

#[test]
fn wrong_tournaments_are_refused() {
    let place = Place::new();
    for (words, parts) in [
        ("", &["AGENT"][..]),
        ("builder", &["two agents"]),
        ("builder builder", &["`builder` is named twice"]),
        ("builder nobody", &["no agent `nobody`"]),
        ("builder random --anchor greedy", &["no agent `greedy`"]),
        ("builder random --players 5", &["5 players", "2 to 4"]),
        ("builder oracle", &["--allow-oracle"]),
        ("builder random --until 20", &["ci=20elo"]),
        ("builder random --until ci=20", &["ci=20elo"]),
        ("builder random --until ci=0elo", &["ever that narrow"]),
        ("builder random --until ci=infelo", &["ever that narrow"]),
        ("builder random --until ci=20elo --shard 1/2", &["--shard"]),
        ("builder random --blocks none", &["`none`"]),
        ("builder random --require ratings.strength>0", &["strength"]),
    ] {
        place.refused(&format!("tournament on-the-road {words} --out out"), parts);
    }
    let many: Vec<String> = (0..65).map(|at| format!("heuristic:haste=0.{at:02}")).collect();
    let line = format!("tournament on-the-road {} --out out", many.join(" "));
    place.refused(&line, &["65 agents", "64 are the most"]);
}

#[test]
fn a_watched_tournament_stops_when_every_rating_is_known_well_enough() {
    let place = Place::new();
    let said = place.done(
        "tournament on-the-road builder random drifter --players 3 --until ci=60elo --out out --threads 2",
    );
    assert!(said.contains("the interval of every rating is within ±60 Elo"), "{said}");
    let rows = records(&place.tables("out")["ratings.csv"]);
    let elo = rows.iter().filter(|row| row[1] == "elo" && row[8] == "asymptotic_sequence");
    let widths: Vec<f64> = elo
        .map(|row| {
            (row[7].parse::<f64>().expect("an end") - row[6].parse::<f64>().expect("one")) / 2.0
        })
        .collect();
    assert!(widths.len() == 2 && widths.iter().all(|&half| half <= 60.0), "{widths:?}");
}

/// An agent that never loses has no rating, and nobody else is called the strongest; nor is a way of playing measured
/// by whoever comes next.
#[test]
fn nobody_is_the_strongest_beside_an_agent_that_never_lost() {
    let place = Place::new();
    let agents = "levels/two-player/novice levels/two-player/newcomer heuristic";
    let said = place.done(&format!("tournament two-player {agents} --blocks 10 --out out"));
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("but heuristic won against a rated agent and can't be rated."), "{said}");
    assert!(!said.contains("novice is the strongest"), "{said}");
}

/// An agent that never wins has no rating, and the others keep theirs.
#[test]
fn an_agent_without_a_win_has_an_empty_cell() {
    let place = Place::new();
    let said = place.done(
        "tournament on-the-road heuristic skilled random --players 2 --anchor skilled --blocks 3 --out out",
    );
    assert!(said.contains("No rating: random."), "{said}");
    let rows = records(&place.tables("out")["ratings.csv"]);
    let row = rows.iter().find(|row| row[0] == "random" && row[1] == "elo").expect("a row");
    assert_eq!((row[2].as_str(), row[8].as_str()), ("", "no_maximum"));
    assert!(cell(&place, "out", "ratings.csv", &["heuristic"], "elo").is_some());
}
