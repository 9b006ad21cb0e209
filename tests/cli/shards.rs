//! `--shard K/N` and `merge`: a run that is divided into parts and merged is the same run, byte for byte, and
//! parts that don't make a run are refused by name.

use crate::support::{Place, all_cases, flipped, some};
use fairhaven::registry::Games;
use serde_json::json;
use std::fs;

const LINE: &str = "simulate on-the-road --agents builder,random --matches 400 --seed 9 --quiet";

/// Plays all parts of a run, and returns their directories, the last parts first.
fn parts(place: &Place, line: &str, parts: usize) -> Vec<String> {
    let all = (1..=parts).rev().map(|part| {
        let out = format!("part-{part}-of-{parts}");
        place.done(&format!("{line} --shard {part}/{parts} --threads 1 --out {out}"));
        out
    });
    all.collect()
}

/// A run in one piece and in parts is the same.
fn merged_as_whole(line: &str, cuts: &[usize]) {
    let place = Place::new();
    place.done(&format!("{line} --out whole"));
    for &cut in cuts {
        let mut parts = parts(&place, line, cut);
        // In a scrambled order: the last ones first, every second one moved to the end.
        let (even, odd): (Vec<_>, Vec<_>) =
            parts.drain(..).enumerate().partition(|(at, _)| at % 2 == 0);
        let shuffled: Vec<String> = even.into_iter().chain(odd).map(|(_, part)| part).collect();
        let out = format!("merged-{cut}");
        place.done(&format!("merge {} --quiet --out {out}", shuffled.join(" ")));
        place.same(&out, "whole");
    }
}

#[test]
fn parts_of_a_run_with_rows_make_the_whole() {
    merged_as_whole(&format!("{LINE} --rows csv"), &some(&[7, 1, 64]));
}

#[test]
fn parts_of_a_run_of_every_game_make_the_whole() {
    for game in Games::standard().iter() {
        let facts = game.facts();
        let (name, players) = (facts.name, facts.players.end());
        let short = "--agents greedy --set turns_max=40 --quiet";
        merged_as_whole(
            &format!("simulate {name} {short} --players {players} --matches 40 --rows csv"),
            &some(&[7, 1]),
        );
        let rules = format!("--rules-b points_to_win=5 --players {}", players.min(&3));
        merged_as_whole(&format!("compare {name} {short} {rules} --matches 30"), &[3]);
    }
}

#[test]
fn parts_of_a_run_with_packed_rows_make_the_whole() {
    merged_as_whole(&format!("{LINE} --rows zst"), &[1, 7]);
}

#[test]
fn more_parts_than_blocks_make_the_whole() {
    let line = "simulate on-the-road --agents builder,random --matches 20 --rows csv --quiet";
    // Twice the blocks and more.
    let parts = if all_cases() { 64 } else { 24 };
    merged_as_whole(line, &[11, parts]);
}

#[test]
fn parts_of_chunks_of_several_blocks_make_the_whole() {
    let line = "simulate on-the-road --agents builder,random --matches 12346 --quiet";
    merged_as_whole(line, &[3, 5]);
}

#[test]
fn parts_of_studies_make_the_whole() {
    let agents = "--agents builder,random --quiet --matches 120";
    merged_as_whole(
        &format!("compare on-the-road --rules-b metropolis.cost.wool=2 {agents}"),
        &[1, 7],
    );
    let side = "--set side=b --levels builder --quiet --blocks 60";
    merged_as_whole(&format!("balance on-the-road --choice metropolis {side}"), &[1, 7]);
    merged_as_whole(
        &format!(
            "balance on-the-road --factor metropolis.cost.wool=3,2 --factor robber.hand_limit=7,5 {side}"
        ),
        &[7],
    );
    let agents = "--agents builder --quiet --blocks 30";
    merged_as_whole(
        &format!("sweep on-the-road --field metropolis.cost.wool --values 1..4 {agents}"),
        &[7],
    );
    merged_as_whole(&format!("sensitivity on-the-road {agents}"), &[2]);
    merged_as_whole(&format!("luck on-the-road {agents} --players 3 --repeats 2"), &[7]);
    merged_as_whole("reliability on-the-road --matches 40 --quiet", &[7]);
    merged_as_whole("diagnose on-the-road --levels random,builder --blocks 20 --quiet", &[7]);
    let map = "map judge two-player --agent random --free 1 --pairs 1 --blocks 7 --quiet";
    merged_as_whole(map, &[3]);
}

#[test]
fn a_part_has_no_tables_and_says_what_to_do() {
    let place = Place::new();
    let said = place.done(&LINE.replace("--quiet", "--shard 3/7 --rows csv --out part"));
    assert!(said.contains("Part 3/7: `fairhaven merge` joins the parts"), "{said}");
    assert!(place.files("part").keys().eq(["digests.bin", "matches.csv", "sums.bin"]));
    let manifest = place.manifest("part");
    assert_eq!(manifest["plan"]["shard"], json!({ "part": 3, "parts": 7 }));
    assert_eq!(manifest["played"]["complete"], true);
    // 200 chunks in 7 parts: the third are 57 to 84.
    assert_eq!(manifest["played"]["blocks"], 85 - 57);
    place.refused("analyze part", &["`part` is a part", "fairhaven merge"]);
    place.done("verify part");
    place.done("replay part 57.0");
    place.refused("replay part 56.0", &["no block 56", "57 to 84"]);
    assert_eq!(place.done("resume part"), "`part` is complete; nothing to play.\n");
}

#[test]
fn parts_that_do_not_make_a_run_are_refused_by_name() {
    let place = Place::new();
    let all = parts(&place, &format!("{LINE} --rows csv"), 4);
    let merge = |parts: &[&str]| format!("merge {} --out all", parts.join(" "));
    let [four, three, two, one] = [&all[0], &all[1], &all[2], &all[3]].map(String::as_str);
    place.refused(&merge(&[one, two, four]), &["missing: 3/4"]);
    place.refused(&merge(&[three]), &["missing: 1/4, 2/4, 4/4"]);
    let other = LINE.replace("--seed 9", "--seed 10");
    place.done(&format!("{other} --rows csv --shard 2/4 --out foreign"));
    place.refused(
        &merge(&[one, "foreign", three, four]),
        &["`foreign`", "`part-1-of-4`", "different runs"],
    );
    place.done(&format!("{LINE} --rows csv --shard 2/8 --out other"));
    place.refused(&merge(&[one, "other", three, four]), &["`other`", "2/8", "others are of 4"]);
    place.done(&format!("{LINE} --rows csv --out whole"));
    place.refused(&merge(&[one, "whole"]), &["`whole` is no part", "--shard"]);
    place.refused(&merge(&[one, "absent"]), &["absent/manifest.json", "No such file"]);
    place.refused("merge --out all", &["<PARTS>"]);
    place.refused("merge part-1-of-4", &["--out"]);
    place.refused(&format!("merge {} --out whole", all.join(" ")), &["`whole`", "--force"]);
    place.done(&format!("merge {} --out whole --force --quiet", all.join(" ")));
}

#[test]
fn a_part_that_was_delivered_twice_counts_once() {
    let place = Place::new();
    let line = format!("{LINE} --rows zst");
    place.done(&format!("{line} --out whole"));
    let all = parts(&place, &line, 4);
    place.copy(&all[2], "copy");
    let merged = place.call(&format!("merge {} copy {} --out merged", all.join(" "), all[0]));
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    let said = "`part-2-of-4` and `copy` are both part 2/4, and the same: merged once\n\
                `part-4-of-4` and `part-4-of-4` are both part 4/4, and the same: merged once\n";
    assert_eq!(merged.err, said);
    place.same("merged", "whole");
    // Not so if they differ, as those of agents that search by time do.
    let one = "simulate on-the-road --agents mcts:time_ms=1,random --matches 2 --quiet --shard 1/1";
    place.done(&format!("{one} --out one"));
    let mut other = String::new();
    for run in 0..9 {
        other = format!("other-{run}");
        place.done(&format!("{one} --out {other}"));
        if place.files("one") != place.files(&other) {
            break;
        }
    }
    place.refused(&format!("merge one {other} --out out"), &["both part 1/1", "differ", &other]);
}

#[test]
fn a_damaged_part_is_refused_by_name() {
    let place = Place::new();
    let mut all = parts(&place, &format!("{LINE} --rows csv"), 3);
    let whole = all[1].clone();
    all[1] = "bad".to_owned();
    let line = format!("merge {} --out all", all.join(" "));
    let read = |name: &str| fs::read(place.path(&format!("{whole}/{name}"))).expect("a file");
    for name in ["sums.bin", "digests.bin", "matches.csv"] {
        let bytes = read(name);
        let flipped = flipped(&bytes);
        let longer = [bytes.as_slice(), b"12345678"].concat();
        for damaged in [&bytes[..bytes.len() - 4], &bytes[..0], &flipped, &longer] {
            // Bytes after the frame are not part of the sums.
            if name == "sums.bin" && damaged.len() > bytes.len() {
                continue;
            }
            place.copy(&whole, "bad");
            place.write(&format!("bad/{name}"), damaged);
            place.refused(&line, &["bad", name]);
        }
        place.copy(&whole, "bad");
        fs::remove_file(place.path(&format!("bad/{name}"))).expect("a file");
        place.refused(&line, &["bad", if name == "sums.bin" { "no saved sums" } else { name }]);
    }
    for (at, value, part) in [
        ("/build", json!("0123456789abcdef"), "another build"),
        ("/schema_version", json!(1), "schema version 1"),
        ("/played/complete", json!(false), "not complete"),
        ("/seed", json!(10), "different runs"),
        ("/plan/shard/parts", json!(0), "shard 2/0 is out of range"),
        ("/plan/shard/parts", json!(1), "shard 2/1 is out of range"),
        ("/plan/shard/parts", json!(4), "others are of"),
    ] {
        place.copy(&whole, "bad");
        place.alter("bad", at, value);
        place.refused(&line, &["bad", part]);
    }
    for (part, words) in
        [(0, "shard 0/3 is out of range"), (1, "missing: 2/3"), (7, "shard 7/3 is out of range")]
    {
        place.copy(&whole, "bad");
        place.alter("bad", "/plan/shard/part", json!(part));
        place.refused(&line, &[words]);
    }
    // A part that says it is another's neighbour holds other blocks than its sums say.
    let swapped = all.clone();
    place.copy(&whole, "bad");
    place.copy(&swapped[0], "last");
    place.alter("bad", "/plan/shard/part", json!(3));
    place.alter("last", "/plan/shard/part", json!(2));
    place.refused(&format!("merge {} bad last --out all", all[2]), &["`last`", "do not fit"]);
    place.copy(&whole, "bad");
    place.done(&format!("{line} --quiet"));
}

#[test]
fn a_run_that_stops_by_itself_is_not_cut() {
    let place = Place::new();
    for line in [
        "compare on-the-road builder random",
        "balance on-the-road --choice metropolis --set side=b --until ci=1pp",
        "balance on-the-road --factor metropolis.cost.wool=3,2 --until ci=1pp",
    ] {
        place.refused(&format!("{line} --shard 1/2 --out out"), &["a sequential run", "--shard"]);
    }
}

#[test]
fn words_that_are_no_part_are_refused() {
    let place = Place::new();
    let part = "a part has no tables for --require";
    for (words, parts) in [
        ("--shard 0/4", &["0/4", "K must be 1 to N"] as &[&str]),
        ("--shard 5/4", &["5/4", "K must be 1 to N"]),
        ("--shard 1/0", &["1/0", "K must be 1 to N"]),
        ("--shard 1/1000001", &["1/1000001", "1000000"]),
        ("--shard x", &["x", "K/N", "3/64"]),
        ("--shard 1", &["K/N"]),
        ("--shard 1/2/3", &["1/2/3", "K/N"]),
        ("--shard -1/4", &["-1"]),
        ("--shard 1/99999999999999999999", &["K/N"]),
        ("--shard 1/2 --require seats.win_rate.max<2", &[part, "merge"]),
    ] {
        place.refused(&format!("{LINE} {words} --out out"), parts);
    }
    place.refused(&format!("{LINE} --shard 1/2"), &["--shard", "--out"]);
}
