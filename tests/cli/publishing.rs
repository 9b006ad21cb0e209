//! Where a run's result goes: never over anything that this run did not write, on the disk for good, and with
//! files that are what the manifest says.

use crate::support::{Guard, PROGRAM, Place, all_cases, go_on, halt_when, length, wait_until};
use serde_json::json;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A run that goes on until it is let go: it takes a second or more where each of its chunks is saved. By default with
/// fewer chunks.
fn long() -> String {
    let matches = if all_cases() { "20k" } else { "1k" };
    format!("simulate on-the-road --agents random --matches {matches} --quiet")
}

const SHORT: &str = "simulate on-the-road --agents builder,random --matches 40 --quiet";

/// Starts a run, does something in the midst of it, and waits for its end.
fn meanwhile(place: &Place, line: &str, act: impl Fn()) -> (Option<i32>, String) {
    let mut child = place.start(&format!("{line} --save-every 0"));
    halt_when(&mut child, || length(&place.path("out.partial/sums.bin")) > 0);
    act();
    go_on(&child);
    let output = child.wait_with_output().expect("a child");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A directory of the user's with a thesis in it.
fn thesis(place: &Place) {
    fs::create_dir_all(place.path("out")).expect("a directory");
    place.write("out/thesis.txt", "mine");
}

#[test]
fn what_has_come_to_the_place_meanwhile_stays_and_the_result_goes_elsewhere() {
    let place = Place::new();
    let (code, said) = meanwhile(&place, &format!("{} --out out", long()), || thesis(&place));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("is written and lies in `out.2`"), "{said}");
    assert_eq!(place.names(), ["out", "out.2"]);
    assert_eq!(place.read("out/thesis.txt"), "mine");
    assert_eq!(place.manifest("out.2")["played"]["complete"], true);
    place.done("verify out.2 --sample 1");
    assert_eq!(place.done("resume out.2"), "`out.2` is complete; nothing to play.\n");
}

#[test]
fn a_resumed_run_keeps_off_other_things_as_well() {
    let place = Place::new();
    let mut guard = Guard(place.start(&format!("{} --out out --save-every 0", long())));
    halt_when(&mut guard.0, || length(&place.path("out.partial/sums.bin")) > 0);
    drop(guard);
    let (code, said) = meanwhile(&place, "resume out --quiet", || thesis(&place));
    assert_eq!(code, Some(2), "{said}");
    assert_eq!(place.names(), ["out", "out.2"]);
    assert_eq!(place.read("out/thesis.txt"), "mine");
}

#[test]
fn an_empty_directory_is_filled_and_an_earlier_run_replaced_by_force_only() {
    let place = Place::new();
    fs::create_dir(place.path("out")).expect("a directory");
    place.done(&format!("{SHORT} --out out"));
    place.refused(&format!("{SHORT} --out out"), &["`out`", "--force"]);
    place.done(&format!("{SHORT} --seed 2 --out out --force"));
    assert_eq!(
        (place.manifest("out")["seed"].clone(), place.names()),
        (json!(2), vec!["out".into()])
    );
    thesis(&place);
    place.refused(&format!("{SHORT} --out out --force"), &["`thesis.txt`", "--force"]);
    fs::remove_file(place.path("out/thesis.txt")).expect("a file");
    // It comes while the run that is to replace the earlier one is played.
    let (code, said) =
        meanwhile(&place, &format!("{} --out out --force", long()), || thesis(&place));
    assert_eq!(code, Some(2), "{said}");
    assert_eq!(
        (place.names(), place.manifest("out")["seed"].clone()),
        (vec!["out".into(), "out.2".into()], json!(2))
    );
    assert_eq!(place.read("out/thesis.txt"), "mine");
}

#[test]
fn tables_that_are_not_what_the_run_wrote_are_rebuilt() {
    let place = Place::new();
    place.done(&format!("{SHORT} --out out"));
    place.copy("out", "whole");
    for command in ["resume out", "analyze out"] {
        // As a power cut leaves a file that was not synced; a lost one; a changed one.
        place.write("out/agents.csv", "");
        fs::remove_file(place.path("out/seats.csv")).expect("a table");
        let cards = place.read("out/cards.csv").replace('1', "2");
        place.write("out/cards.csv", cards);
        let said = place.done(command);
        if command.starts_with("resume") {
            assert!(said.contains("agents.csv, seats.csv, cards.csv"), "{said}");
        }
        place.same("out", "whole");
        assert_eq!(place.read("out/manifest.json"), place.read("whole/manifest.json"));
        place.done("verify out --sample 1");
    }
    place.done(&format!("{SHORT} --rows csv --out rows"));
    place.write("rows/matches.csv", "");
    place.refused("resume rows", &["matches.csv", "play it again"]);
}

#[test]
fn a_manifest_that_was_edited_is_refused_by_every_command() {
    let place = Place::new();
    place.done(&format!("{SHORT} --shard 1/1 --out run"));
    place.copy("run", "whole");
    for (at, value) in [
        ("/played/complete", json!(false)),
        ("/played/blocks", json!(19)),
        ("/rules/points_to_win", json!(5)),
        ("/wall/wall_s", json!(0.5)),
        ("/command", json!(["fairhaven"])),
        ("/files", json!([{ "name": "cards.csv", "bytes": 1, "hash": "" }])),
        ("/seed", json!(2)),
    ] {
        for line in ["replay run 0.0", "verify run", "merge run --out all", "resume run"] {
            place.edit("run", at, value.clone());
            place.refused(line, &["run/manifest.json", "checksum"]);
            place.copy("whole", "run");
        }
    }
    // Rules that the hash of the rules does not fit, by somebody who knows of one checksum only.
    let mut manifest = place.manifest("run");
    manifest["rules"]["points_to_win"] = json!(5);
    manifest["checksum"] = json!("");
    manifest["checksum"] = json!(fairhaven::lab::report::hash::hash(&manifest.to_string()));
    place.write("run/manifest.json", manifest.to_string());
    place.refused("replay run 0.0", &["rules_hash"]);
}

#[test]
fn a_run_that_says_it_is_complete_must_be() {
    let place = Place::new();
    let mut guard = Guard(place.start(&format!("{} --shard 1/2 --out out --save-every 0", long())));
    halt_when(&mut guard.0, || length(&place.path("out.partial/sums.bin")) > 0);
    drop(guard);
    fs::rename(place.path("out.partial"), place.path("out")).expect("a directory");
    place.alter("out", "/played/complete", json!(true));
    for line in ["verify out", "merge out --out all"] {
        let done = place.call(line);
        assert!(matches!(done.code, Some(1 | 2)), "{line}: {:?}", done.code);
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("panicked") && !said.contains("Verified"), "{line}: {said}");
    }
}

#[test]
fn a_lock_names_its_process_and_one_that_is_gone() {
    let place = Place::new();
    let mut guard = Guard(place.start(&format!("{} --out out --save-every 0", long())));
    halt_when(&mut guard.0, || length(&place.path("out.partial/sums.bin")) > 0);
    let process = guard.0.id();
    place.refused("resume out", &[&format!("process {process} is writing there")]);
    drop(guard);
    place.refused(
        &format!("{} --out out", long()),
        &["left behind", "is gone", "fairhaven resume out"],
    );
    let said = place.done("resume out");
    assert!(
        said.starts_with(&format!("Process {process}, which was writing the run, is gone")),
        "{said}"
    );
    assert!(!place.path("out/lock").exists());
}

#[test]
fn links_to_directories_are_followed_and_links_to_nothing_refused() {
    let place = Place::new();
    fs::create_dir(place.path("disk")).expect("a directory");
    std::os::unix::fs::symlink("disk", place.path("out")).expect("a link");
    std::os::unix::fs::symlink("nowhere", place.path("dangling")).expect("a link");
    place.done(&format!("{SHORT} --out out"));
    assert!(place.path("out").is_symlink() && place.path("disk/manifest.json").exists());
    place.refused(&format!("{SHORT} --out dangling"), &["`dangling`", "link to nothing"]);
    place.write("file", "mine");
    place.refused(&format!("{SHORT} --out file"), &["`file`", "not a directory"]);
}

#[test]
fn the_directory_that_the_command_stands_in_is_filled_from_inside() {
    let place = Place::new();
    fs::create_dir(place.path("volume")).expect("a directory");
    let here = |line: &str| {
        let words = line.split_whitespace();
        std::process::Command::new(PROGRAM)
            .current_dir(place.path("volume"))
            .args(words)
            .output()
            .expect("the program starts")
    };
    let inode = |place: &Place| fs::metadata(place.path("volume")).expect("a directory").ino();
    let before = inode(&place);
    assert_eq!(here(&format!("{SHORT} --out .")).status.code(), Some(0));
    assert_eq!(inode(&place), before, "whoever stands in it still does");
    place.done(&format!("{SHORT} --out whole"));
    place.same("volume", "whole");
    assert_eq!(here(&format!("{SHORT} --out . --force --seed 3")).status.code(), Some(0));
    assert_eq!(place.manifest("volume")["seed"], 3);
}

/// Starts a run inside of the directory that it stands in, and kills it once it has saved.
fn killed_inside(place: &Place, line: &str) {
    let words = line.split_whitespace();
    let mut guard = Guard(
        std::process::Command::new(PROGRAM)
            .current_dir(place.path("volume"))
            .args(words)
            .args(["--save-every", "0", "--out", "."])
            .spawn()
            .expect("the program starts"),
    );
    halt_when(&mut guard.0, || length(&place.path("volume/run.partial/sums.bin")) > 0);
}

/// The program in that directory.
fn inside(place: &Place, line: &str) -> (Option<i32>, String) {
    let output = std::process::Command::new(PROGRAM)
        .current_dir(place.path("volume"))
        .args(line.split_whitespace())
        .output()
        .expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_run_inside_that_replaces_another_is_resumed_after_a_kill() {
    let place = Place::new();
    place.done(&format!("{} --out whole", long()));
    fs::create_dir(place.path("volume")).expect("a directory");
    assert_eq!(inside(&place, &format!("{SHORT} --rows csv --out .")).0, Some(0));
    killed_inside(&place, &format!("{} --force", long()));
    assert!(place.path("volume/manifest.json").exists(), "the earlier run stands");
    let (code, said) = inside(&place, "resume . --quiet");
    assert_eq!(code, Some(0), "{said}");
    place.same("volume", "whole");
}

#[test]
fn files_that_come_to_a_run_inside_are_not_taken_for_its_own() {
    let place = Place::new();
    place.done(&format!("{} --out whole", long()));
    fs::create_dir(place.path("volume")).expect("a directory");
    killed_inside(&place, &long());
    place.write("volume/seats.csv", "mine");
    for _ in 0..2 {
        let (code, said) = inside(&place, "resume . --quiet");
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("`seats.csv` is in the way"), "{said}");
        assert_eq!(place.read("volume/seats.csv"), "mine");
        assert!(!place.path("volume/agents.csv").exists(), "nothing has moved");
    }
    fs::remove_file(place.path("volume/seats.csv")).expect("a file");
    let (code, said) = inside(&place, "resume . --quiet");
    assert_eq!(code, Some(0), "{said}");
    place.same("volume", "whole");
}

#[test]
fn what_a_killed_merge_has_left_is_merged_again() {
    let place = Place::new();
    for part in [1, 2] {
        place.done(&format!("{SHORT} --rows csv --shard {part}/2 --out part-{part}"));
    }
    place.done("merge part-1 part-2 --out whole");
    // Killed before its manifest, and before its directory was renamed.
    for lost in [&["manifest.json", "sums.bin"] as &[&str], &[]] {
        place.copy("whole", "out.partial");
        place.write("out.partial/lock", "4000000000");
        place.write("out.partial/merges", "");
        for name in lost {
            fs::remove_file(place.path("out.partial").join(name)).expect("a file");
        }
        place.done("merge part-1 part-2 --out out --quiet");
        place.same("out", "whole");
        fs::remove_dir_all(place.path("out")).expect("the run");
    }
    // Killed at once, and another run begun in its place: that one is not made of others.
    fs::create_dir(place.path("out.partial")).expect("a directory");
    for name in ["lock", "merges", "replaces"] {
        place.write(&format!("out.partial/{name}"), "4000000000");
    }
    let line = format!("{SHORT} --rows csv --save-every 0 --threads 1").replace("40", "400k");
    let mut guard = Guard(place.start(&format!("{line} --out out")));
    wait_until(&mut guard.0, || place.path("out.partial/sums.bin").exists());
    drop(guard);
    for mark in ["merges", "replaces"] {
        assert!(!place.path("out.partial").join(mark).exists(), "{mark}");
    }
    // A merge that is refused to be resumed can be made again.
    fs::remove_dir_all(place.path("out.partial")).expect("a run");
    place.copy("whole", "out.partial");
    place.write("out.partial/merges", "");
    place.alter("out.partial", "/build", json!("0123456789abcdef"));
    place.refused("resume out", &["another build"]);
    assert!(place.path("out.partial/merges").exists());
}

#[test]
fn a_run_is_not_replaced_while_somebody_writes_in_it() {
    let place = Place::new();
    place.done(&format!("{SHORT} --out out"));
    place.done(&format!("{SHORT} --seed 9 --out other"));
    let lock = fs::File::create(place.path("out/lock")).expect("a file");
    lock.lock().expect("nobody else has it");
    let line = format!("{SHORT} --seed 9 --out out --force");
    let done = place.call(&line);
    assert_eq!(done.code, Some(2), "{}", done.err);
    for part in ["can't be put there", "is writing there", "`fairhaven resume out` goes on"] {
        assert!(done.err.contains(part), "{}", done.err);
    }
    assert_eq!(place.names(), ["other", "out", "out.partial"]);
    place.copy("out", "copy");
    let held = fs::File::create(place.path("copy/lock")).expect("a file");
    held.lock().expect("nobody else has it");
    place.done("resume copy");
    assert!(place.path("copy/lock").exists(), "a lock that is held is left alone");
    fs::remove_dir_all(place.path("copy")).expect("a run");
    drop(lock);
    place.done("resume out --quiet");
    place.same("out", "other");
    assert_eq!(place.names(), ["other", "out"]);
}

#[test]
fn names_that_are_not_text_are_names() {
    let place = Place::new();
    let name = Path::new(std::ffi::OsStr::from_bytes(b"out-\xff"));
    let output = std::process::Command::new(PROGRAM)
        .current_dir(place.root())
        .args(SHORT.split_whitespace())
        .arg("--out")
        .arg(name)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(place.root().join(name).join("manifest.json").exists());
}

/// What lies under a run's temporary name may be somebody else's.
#[test]
fn a_directory_is_not_a_runs_by_its_name() {
    let place = Place::new();
    fs::create_dir(place.path("out.partial")).expect("a directory");
    place.write("out.partial/seats.csv", "mine");
    place.refused(&format!("{SHORT} --out out"), &["`out.partial`", "no run has written"]);
    assert_eq!(place.read("out.partial/seats.csv"), "mine");
    // Those of a run have its lock from the beginning.
    place.write("out.partial/lock", "4000000000");
    place.done(&format!("{SHORT} --out out"));
    assert_eq!(place.names(), ["out"]);
}

/// A run was begun in the place of another, and killed before it had a manifest: the other one is as it was.
#[test]
fn a_run_beside_what_never_began_is_resumed() {
    let place = Place::new();
    place.done(&format!("{SHORT} --out whole"));
    place.copy("whole", "out");
    fs::create_dir(place.path("out.partial")).expect("a directory");
    place.write("out.partial/lock", "4000000000");
    assert_eq!(place.done("resume out"), "`out` is complete; nothing to play.\n");
    place.alter("out", "/played/complete", json!(false));
    place.done("resume out --quiet");
    place.same("out", "whole");
    assert_eq!(place.names(), ["out", "whole"]);
}

#[test]
fn what_comes_to_a_run_that_is_replaced_inside_stays() {
    let place = Place::new();
    place.done(&format!("{} --out whole", long()));
    fs::create_dir(place.path("volume")).expect("a directory");
    assert_eq!(inside(&place, &format!("{SHORT} --out .")).0, Some(0));
    killed_inside(&place, &format!("{} --force", long()));
    // A table that the earlier run did not write.
    place.write("volume/compare.csv", "mine");
    let (code, said) = inside(&place, "resume . --quiet");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("`compare.csv`, which no run has written"), "{said}");
    assert_eq!(place.read("volume/compare.csv"), "mine");
    assert!(place.path("volume/manifest.json").exists(), "nor is the earlier run gone");
    fs::remove_file(place.path("volume/compare.csv")).expect("a file");
    assert_eq!(inside(&place, "resume . --quiet").0, Some(0));
    place.same("volume", "whole");
}

/// A process that was killed before its manifest was written has left a lock, after a power cut an empty one.
#[test]
fn what_a_run_left_without_a_manifest_stays_its_own() {
    for lock in ["", "4000000000"] {
        let place = Place::new();
        fs::create_dir(place.path("out.partial")).expect("a directory");
        place.write("out.partial/lock", lock);
        place.write("out.partial/digests.bin", "");
        place.refused("resume out", &["manifest.json"]);
        place.done(&format!("{SHORT} --out out"));
        assert_eq!(place.names(), ["out"]);
    }
}
