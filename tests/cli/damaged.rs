//! Damaged remains of a stopped run: `resume` names the damage, leaves everything as it is, and plays nothing
//! on top of it.

use crate::support::{Guard, Place, length, wait_until};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;

const LINE: &str =
    "simulate on-the-road --agents builder,random --matches 300 --rows csv --quiet --out out";

/// A place with a run that was killed after 40 chunks, under `from.partial`.
fn killed(line: &str) -> Place {
    let place = Place::new();
    let mut child = place.start(&format!("{line} --save-every 0"));
    wait_until(&mut child, || length(&place.path("out.partial/digests.bin")) >= 4 * 40);
    child.kill().expect("it can be killed");
    child.wait().expect("a child");
    fs::rename(place.path("out.partial"), place.path("from.partial")).expect("a rename");
    place
}

/// All files of a directory, the manifest and the lock included.
fn all(place: &Place, directory: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = place.files(directory);
    for name in ["manifest.json", "lock"] {
        if let Ok(bytes) = fs::read(place.path(directory).join(name)) {
            files.insert(name.to_owned(), bytes);
        }
    }
    files
}

/// `resume` refuses what is left after a change, names `parts`, and changes nothing: under its temporary
/// name, and published.
fn refuses(place: &Place, parts: &[&str], change: &dyn Fn(&str)) {
    for directory in ["out.partial", "out"] {
        place.copy("from.partial", directory);
        change(directory);
        if directory == "out" {
            fs::remove_file(place.path("out/lock")).expect("the lock");
        }
        let before = all(place, directory);
        place.refused("resume out", &[&["out"], parts].concat());
        assert!(all(place, directory) == before, "{parts:?}: {directory} is not what it was");
        fs::remove_dir_all(place.path(directory)).expect("the run");
    }
}

#[test]
fn damaged_files_are_refused_and_left_in_place() {
    let place = killed(LINE);
    for name in ["sums.bin", "digests.bin", "matches.csv"] {
        let bytes = fs::read(place.path("from.partial").join(name)).expect("a file");
        let write = |bytes: &[u8]| {
            let bytes = bytes.to_vec();
            refuses(&place, &[name], &|run| place.write(&format!("{run}/{name}"), &bytes));
        };
        // What was saved is no longer than the file; of sums, every byte was.
        let middle = if name == "sums.bin" { bytes.len() } else { 100 };
        for length in [0, 1, middle / 2, middle - 1] {
            write(&bytes[..length]);
        }
        for at in [9, middle / 2, middle - 1] {
            // Several bytes: a single bit of a compressed file may point at another copy of the same.
            let mut flipped = bytes.clone();
            flipped[at..].iter_mut().take(8).for_each(|byte| *byte = !*byte);
            write(&flipped);
        }
    }
    for name in ["digests.bin", "matches.csv"] {
        refuses(&place, &[name, "No such file"], &|run| {
            fs::remove_file(place.path(run).join(name)).expect("a file");
        });
    }
}

#[test]
fn a_manifest_that_does_not_fit_is_refused_and_left_in_place() {
    let place = killed(LINE);
    for (at, value, part) in [
        ("/build", json!("0123456789abcdef"), "another build"),
        ("/schema_version", json!(1), "schema version 1"),
        ("/schema_version", json!("two"), "not a manifest"),
        ("/seed", json!(2), "sums.bin"),
        ("/seed", json!("one"), "not a manifest"),
        ("/version", json!("0.0.1"), "belongs to another run"),
        ("/rules/points_to_win", json!(6), "belongs to another run"),
        ("/agents/0/name", json!("somebody"), "belongs to another run"),
        ("/agents/0/kind", json!("drifter"), "belongs to another run"),
        ("/plan/blocks", json!(30), "belongs to another run"),
        ("/plan/chunk", json!(2), "belongs to another run"),
        ("/question/rows", json!("zst"), "belongs to another run"),
        ("/question", json!({ "kind": "rules" }), "sums.bin"),
        ("/question", json!({ "kind": "guess" }), "not a manifest"),
        ("/plan/shard", json!({ "part": 2, "parts": 2 }), "do not fit the manifest's plan"),
        ("/plan/shard", json!({ "part": 1, "parts": 150 }), "do not fit the manifest's plan"),
        ("/require", json!(["seats.win_rate.max < "]), "threshold"),
    ] {
        refuses(&place, &[part], &|run| place.alter(run, at, value.clone()));
    }
    for text in ["", "{}", "nonsense"] {
        refuses(&place, &["manifest.json"], &|run| {
            place.write(&format!("{run}/manifest.json"), text);
        });
    }
}

#[test]
fn what_came_after_the_saved_point_is_thrown_away() {
    let place = killed(LINE);
    place.done(&LINE.replace("--out out", "--out whole"));
    for (name, garbage) in
        [("matches.csv", "half a li"), ("digests.bin", "xyz"), ("sums.bin.new", "half")]
    {
        place.copy("from.partial", "out.partial");
        let mut bytes = fs::read(place.path("out.partial").join(name)).unwrap_or_default();
        bytes.extend_from_slice(garbage.as_bytes());
        place.write(&format!("out.partial/{name}"), bytes);
        place.done("resume out --quiet");
        place.same("out", "whole");
        fs::remove_dir_all(place.path("out")).expect("the run");
    }
}

#[test]
fn packed_rows_that_are_damaged_are_refused() {
    let place = killed(&LINE.replace("--rows csv", "--rows zst"));
    let plain = fs::read(place.path("from.partial/matches.csv")).expect("the rows");
    fs::remove_file(place.path("from.partial/matches.csv")).expect("the rows");
    let packed = |bytes: &[u8]| zstd::encode_all(bytes, 3).expect("zstd");
    let mut other = plain.clone();
    other[300] ^= 1;
    let whole = packed(&plain);
    for bytes in [packed(&other), packed(&plain[..300]), whole[..99].to_vec(), vec![7; 99], vec![]]
    {
        refuses(&place, &["matches.csv"], &|run| {
            place.write(&format!("{run}/matches.csv.zst"), &bytes);
        });
    }
    refuses(&place, &["matches.csv", "No such file"], &|_| ());
}

#[test]
fn where_a_process_writes_no_other_does() {
    let place = Place::new();
    let line = "simulate on-the-road --agents random --matches 900m --quiet";
    let mut guard = Guard(place.start(&format!("{line} --out out --save-every 0")));
    wait_until(&mut guard.0, || length(&place.path("out.partial/sums.bin")) > 0);
    let partial = ["`out.partial`", "is writing there"];
    place.refused("resume out", &partial);
    place.refused("resume out.partial", &["`out.partial`", "without `.partial`"]);
    place.refused(&format!("{line} --out out"), &["`out.partial`", "is being written"]);
    place.refused(&format!("{line} --out out --force"), &["`out.partial`", "is being written"]);
    assert!(guard.0.try_wait().expect("a child").is_none(), "it goes on");
    let before = length(&place.path("out.partial/digests.bin"));
    wait_until(&mut guard.0, || length(&place.path("out.partial/digests.bin")) > before);
    drop(guard);
    place.refused("resume out.partial", &["`out.partial`", "without `.partial`"]);
}

#[test]
fn nothing_and_complete_runs_are_told_apart() {
    let place = Place::new();
    for run in ["out", "deep/er/out", "."] {
        place.refused(&format!("resume {run}"), &[]);
    }
    place.refused("resume out", &["out/manifest.json", "No such file"]);
    place.refused("resume ..", &["../manifest.json", "No such file"]);
    place.refused("resume", &["<RUN>"]);
    fs::create_dir(place.path("empty")).expect("a directory");
    place.refused("resume empty", &["empty/manifest.json", "No such file"]);
    place.write("file", "mine");
    place.refused("resume file", &["`file`", "is not a directory"]);
    fs::create_dir(place.path("left.partial")).expect("a directory");
    place.refused("resume left", &["left.partial/manifest.json", "No such file"]);
    place.done(LINE);
    let before = all(&place, "out");
    assert_eq!(place.done("resume out"), "`out` is complete; nothing to play.\n");
    assert_eq!(place.done("resume out --quiet"), "");
    assert_eq!(place.done("resume out/"), "`out/` is complete; nothing to play.\n");
    assert!(all(&place, "out") == before);
    place.refused("resume out --threads 0", &["1 to 1024"]);
}
