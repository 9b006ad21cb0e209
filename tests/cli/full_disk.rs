//! A full disk: the run ends, saying what is wrong and how to resume. Once there is room it ends with the
//! same bytes. A limit on the size of files stands in for the disk: it needs no privileges, and a write that
//! fails is a write that fails.

use crate::support::{Done, PROGRAM, Place};
use std::process::Command;

/// Calls the program with a limit on the size of files, in KiB.
fn cramped(place: &Place, kib: u32, line: &str) -> Done {
    // The signal would kill; ignored, the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -f {kib}; exec {PROGRAM} {line}");
    let output = Command::new("bash")
        .current_dir(place.root())
        .args(["-c", &script])
        .output()
        .expect("`bash` can be called");
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The call fails because the disk is full, and says how to resume.
fn fails(place: &Place, kib: u32, line: &str) {
    let done = cramped(place, kib, line);
    assert_eq!(done.code, Some(2), "{line}: {}", done.err);
    assert_eq!(done.out, "");
    for part in ["can't be written", "once that is mended, `fairhaven resume out`", "too large"] {
        assert!(done.err.contains(part), "no `{part}` in {}", done.err);
    }
    assert!(!done.err.contains("panicked"), "{}", done.err);
    assert_eq!(place.names(), ["out.partial"]);
}

/// A run fails at each limit, one after the other, and completes once there is room.
fn ends_once_there_is_room(line: &str, limits: &[u32]) {
    let place = Place::new();
    let line = format!("{line} --quiet");
    fails(&place, limits[0], &format!("{line} --out out --save-every 0"));
    for limit in &limits[1..] {
        fails(&place, *limit, "resume out --quiet --save-every 0");
    }
    place.done("resume out --quiet");
    place.done(&format!("{line} --out whole"));
    assert_eq!(place.names(), ["out", "whole"]);
    place.same("out", "whole");
}

#[test]
fn rows_that_find_no_room_are_gone_on_with() {
    let line = "simulate on-the-road --agents builder,random --matches 1000";
    ends_once_there_is_room(&format!("{line} --rows csv"), &[30, 45, 60]);
    ends_once_there_is_room(&format!("{line} --rows zst"), &[30, 60]);
}

#[test]
fn sums_that_find_no_room_are_gone_on_with() {
    // The sums grow with what was seen: up to 50 KiB, more than any table.
    let line = "simulate on-the-road --agents builder,random --matches 500";
    ends_once_there_is_room(line, &[8, 16, 24]);
}

#[test]
fn tables_that_find_no_room_are_written_later() {
    // Sums of 11 KiB, a table of 100 KiB.
    let line = "sensitivity on-the-road --agents builder --blocks 20";
    ends_once_there_is_room(line, &[32, 64, 32]);
}

#[test]
fn a_run_without_room_for_its_manifest_leaves_nothing() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder,random --matches 500 --out out";
    let done = cramped(&place, 1, line);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.err);
    assert!(done.err.contains("writing `out.partial/manifest.json"), "{}", done.err);
    assert!(place.names().is_empty(), "{:?}", place.names());
}

#[test]
fn a_merge_without_room_leaves_the_parts_and_nothing_else() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder,random --matches 1000 --rows csv --quiet";
    for part in ["1", "2"] {
        place.done(&format!("{line} --shard {part}/2 --out part-{part}"));
    }
    let done = cramped(&place, 60, "merge part-1 part-2 --out out");
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.err);
    assert!(done.err.contains("too large"), "{}", done.err);
    assert!(!done.err.contains("resume"), "{}", done.err);
    assert_eq!(place.names(), ["part-1", "part-2"]);
    place.done("merge part-1 part-2 --out out --quiet");
    place.done(&format!("{line} --out whole"));
    place.same("out", "whole");
}
