//! `status`: how far runs and parts are, and what is missing.

use crate::searches::{killed as killed_search, whole};
use crate::support::{Guard, Place, wait_until};
use serde_json::{Value, json};
use std::fs;
use std::time::Duration;

const LINE: &str = "simulate on-the-road --agents builder,random --matches 400 --seed 9 --quiet";

/// A run of many matches on one thread, saved at every chance.
const LONG: &str =
    "simulate on-the-road --agents builder,random --matches 40m --quiet --threads 1 --save-every 0";

/// The exit code of what is not complete.
const OPEN: Option<i32> = Some(4);

/// Whether a run has saved sums so long after its beginning that the times of its files differ.
fn has_a_pace(place: &Place, out: &str) -> bool {
    let time = |name: &str| {
        let path = place.path(&format!("{out}.partial/{name}"));
        fs::metadata(path).and_then(|found| found.modified()).ok()
    };
    let spent = || time("sums.bin")?.duration_since(time("manifest.json")?).ok();
    spent().is_some_and(|spent| spent > Duration::from_millis(50))
}

/// Plays a part for a moment, and kills it.
fn killed(place: &Place, words: &str, out: &str) {
    let mut guard = Guard(place.start(&format!("{LONG} {words} --out {out}")));
    wait_until(&mut guard.0, || has_a_pace(place, out));
    guard.0.kill().expect("it can be killed");
    guard.0.wait().expect("it has ended");
}

#[test]
fn a_complete_run_is_told_as_such() {
    let place = Place::new();
    place.done(&format!("{LINE} --out whole"));
    let due = "whole: simulate on-the-road, seed 9: complete, 200 blocks\n";
    assert_eq!(place.done("status whole"), due);
    // Found in its folder, and named twice.
    fs::create_dir(place.path("runs")).expect("a directory");
    fs::rename(place.path("whole"), place.path("runs/whole")).expect("renamed");
    let both = place.done("status runs runs/whole");
    assert_eq!(both, due.replace("whole:", "runs/whole:"));
}

#[test]
fn parts_that_are_missing_stopped_or_played_are_told() {
    let place = Place::new();
    place.done(
        &format!("{LONG} --matches 200 --shard 2/8 --out parts/two").replace("--matches 40m ", ""),
    );
    let status = place.call("status parts");
    assert_eq!(status.code, OPEN);
    let due = "simulate on-the-road, seed 1: 1 of 8 parts are complete\n  \
               13 of 100 blocks (13.0 %)\n  missing: part 1, 3 to 8\n";
    assert!(status.out.starts_with(due), "{}", status.out);
    assert!(status.out.contains("left: "), "{}", status.out);
    killed(&place, "--shard 1/3", "long/one");
    let mut guard = Guard(place.start(&format!("{LONG} --shard 2/3 --out long/two")));
    wait_until(&mut guard.0, || has_a_pace(&place, "long/two"));
    let process = guard.0.id();
    let status = place.call("status long");
    assert_eq!((status.code, status.err.as_str()), (OPEN, ""));
    for part in [
        "long/one: part 1/3: stopped, ",
        "of 6,666,496 blocks",
        "left; `fairhaven resume long/one`\n",
        &format!("long/two: part 2/3: running (process {process}): "),
        "simulate on-the-road, seed 1: 0 of 3 parts are complete, 1 being played, 1 stopped\n",
        "missing: part 3\n",
    ] {
        assert!(status.out.contains(part), "no `{part}` in\n{}", status.out);
    }
    let status = place.call("status long/one.partial --json");
    assert_eq!(status.code, OPEN);
    let told: Value = serde_json::from_str(&status.out).expect("JSON");
    let run = &told["runs"][0];
    assert_eq!((&run["path"], &run["state"]), (&json!("long/one"), &json!("stopped")));
    assert!(run["blocks"].as_u64().is_some_and(|blocks| blocks > 0), "{told}");
    assert!(run["left_s"].as_f64().is_some_and(|left| left > 0.0), "{told}");
    assert_eq!(told["sets"][0]["missing"], json!([[2, 3]]));
    assert_eq!(told["complete"], false);
}

#[test]
fn a_whole_that_is_complete_needs_no_parts() {
    let place = Place::new();
    for part in 1..=2 {
        place.done(&format!("{LINE} --shard {part}/2 --out all/{part}"));
    }
    let both = place.done("status all");
    assert!(both.contains("2 of 2 parts are complete\n  200 of 200 blocks (100.0 %)\n"), "{both}");
    place.done("merge all/1 all/2 --out all/whole --quiet");
    fs::remove_dir_all(place.path("all/1")).expect("a part");
    place.done("status all");
}

#[test]
fn waves_are_told_apart() {
    let place = Place::new();
    let line = "compare on-the-road builder random --quiet";
    place.done(&format!("{line} --wave 1 --wave-blocks 8 --out waves/one"));
    place.done(&format!("{line} --wave 2 --wave-blocks 8 --shard 2/2 --out waves/two"));
    assert_eq!(place.call("merge waves/one --out waves/run --quiet").code, OPEN);
    let status = place.call("status waves");
    assert_eq!(status.code, OPEN);
    for part in [
        "waves/run: compare on-the-road, seed 1: stopped, 8 of at most 1,666,667 blocks",
        "compare on-the-road, seed 1, wave 1: 1 of 1 parts are complete",
        "compare on-the-road, seed 1, wave 2: 1 of 2 parts are complete",
        "missing: part 1\n",
    ] {
        assert!(status.out.contains(part), "no `{part}` in\n{}", status.out);
    }
}

#[test]
fn a_search_is_told_by_its_log() {
    let place = whole();
    let told = place.done("status whole");
    assert!(told.starts_with("whole: levels on-the-road, seed 1: complete, "), "{told}");
    let log = place.read("whole/stages.jsonl");
    // Killed within its fourth line.
    let lines: Vec<&str> = log.lines().collect();
    let three: usize = lines[..3].iter().map(|line| line.len() + 1).sum();
    killed_search(&place, three + 9);
    let status = place.call("status out");
    let blocks =
        |line: &&str| serde_json::from_str::<Value>(line).expect("JSON")["blocks"].as_u64();
    let blocks: u64 = lines[..3].iter().filter_map(blocks).sum();
    assert_eq!(status.code, OPEN);
    let due = format!("out: levels on-the-road, seed 1: stopped, {blocks} of at most ");
    assert!(status.out.starts_with(&due), "{}", status.out);
    for log in ["{}\n", "x\n", "{\"blocks\":-1}\n"] {
        place.write("out.partial/stages.jsonl", log);
        let status = place.call("status out");
        assert_eq!(status.code, Some(2));
        assert!(status.err.contains("stages.jsonl` is damaged"), "{}", status.err);
    }
}

#[test]
fn what_can_t_be_read_is_named_beside_what_can() {
    let place = Place::new();
    place.done(&format!("{LINE} --shard 1/2 --out runs/sound"));
    place.copy("runs/sound", "runs/bad");
    place.edit("runs/bad", "/seed", json!(8));
    let status = place.call("status runs");
    assert_eq!(status.code, Some(2));
    assert!(status.err.contains("`runs/bad`") && status.err.contains("checksum"), "{}", status.err);
    assert!(status.out.contains("1 of 2 parts are complete"), "{}", status.out);
    for (at, value, words) in [
        ("/plan/shard/parts", json!(0), "shard 1/0 is out of range"),
        ("/plan/shard/part", json!(0), "shard 0/2 is out of range"),
        ("/plan/shard/parts", json!(u64::MAX), "is out of range"),
        ("/plan/chunk", json!(0), "the manifest's plan has no blocks"),
    ] {
        place.copy("runs/sound", "bad");
        place.alter("bad", at, value);
        let status = place.call("status bad");
        assert_eq!(status.code, Some(2), "{at}");
        assert!(status.err.contains("`bad`: `bad/manifest.json`: "), "{}", status.err);
        assert!(status.err.contains(words), "{at}: {}", status.err);
    }
    killed(&place, "--shard 1/3", "cut");
    let sums = fs::read(place.path("cut.partial/sums.bin")).expect("sums");
    for bytes in [&sums[..sums.len() / 2], b"", b"fairsum4"] {
        place.write("cut.partial/sums.bin", bytes);
        let status = place.call("status cut");
        assert_eq!(status.code, Some(2));
        assert!(
            status.err.contains("sums.bin") && status.err.contains("damaged"),
            "{}",
            status.err
        );
    }
    place.write("file", "");
    fs::create_dir(place.path("empty")).expect("a directory");
    for (words, part) in [("absent", "`absent`"), ("file", "`file`"), ("empty", "holds no run")] {
        let status = place.call(&format!("status {words}"));
        assert_eq!((status.code, status.out.as_str()), (Some(2), ""));
        assert!(status.err.contains(part) && !status.err.contains("panicked"), "{}", status.err);
    }
    place.refused("status", &["<DIR>"]);
}

#[test]
fn a_run_that_is_complete_says_nothing_of_its_like() {
    let place = Place::new();
    place.done(&format!("{LINE} --out whole"));
    place.copy("whole", "other");
    place.alter("other", "/played/complete", json!(false));
    for both in ["whole other", "other whole"] {
        let status = place.call(&format!("status {both}"));
        assert_eq!(status.code, OPEN, "{}", status.out);
    }
}
