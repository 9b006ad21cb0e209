//! Waves of a sequential run: played as parts that don't look, and merged, it stops where one machine
//! stops, with the same bytes.

use crate::guests::as_a_guest;
use crate::support::{Guard, PROGRAM, Place, flipped, length, some, third, wait_until};
use fairhaven::lab::report::manifest::BUILD;
use serde_json::json;
use std::fs;

/// Stops after 20 blocks, at its fifth look.
const LINE: &str = "compare on-the-road builder random --quiet";

/// The exit code of waves that don't decide their run yet.
const UNDECIDED: Option<i32> = Some(4);

/// Plays a wave as a number of parts, and returns their directories.
fn wave(place: &Place, line: &str, (number, blocks): (u64, u64), parts: u64) -> Vec<String> {
    let played = (1..=parts).map(|part| {
        let out = format!("wave-{number}-of-{blocks}-part-{part}-of-{parts}");
        let wave = format!("--wave {number} --wave-blocks {blocks} --shard {part}/{parts}");
        place.done(&format!("{line} {wave} --out {out}"));
        out
    });
    played.collect()
}

/// Plays and merges waves until the run is decided, and returns how many there were.
fn in_waves(place: &Place, line: &str, blocks: u64, parts: u64) -> u64 {
    let mut so_far = "";
    for number in 1.. {
        let mut all = wave(place, line, (number, blocks), parts);
        all.reverse();
        let merged =
            place.call(&format!("merge {} {so_far} --out run --force --quiet", all.join(" ")));
        so_far = "run";
        if merged.code == Some(0) {
            assert_eq!(merged.err, "");
            return number;
        }
        assert_eq!(merged.code, UNDECIDED, "{}", merged.err);
        let next = format!("next: --wave {} --wave-blocks {blocks}\n", number + 1);
        assert_eq!(merged.err, next);
        assert_eq!(place.manifest("run")["played"]["complete"], false);
    }
    unreachable!()
}

/// A guest is asked on each machine as on one.
#[test]
fn guests_play_in_parts_and_waves() {
    let place = Place::new();
    as_a_guest(&place, "on-the-road", "heuristic");
    let matches = third(60);
    let line = format!(
        "simulate on-the-road --agents us.toml,random,random --matches {matches} --seed 3 --quiet"
    );
    for part in 1..=3 {
        place.done(&format!("{line} --shard {part}/3 --out part{part}"));
    }
    place.done("merge part1 part2 part3 --quiet --out merged");
    place.done(&format!("{line} --out whole"));
    place.same("merged", "whole");
    let line = "compare on-the-road us.toml random --seed 3 --until ci=25pp --look 4 --quiet";
    place.done(&format!("{line} --out alone"));
    in_waves(&place, line, 12, 2);
    place.same("run", "alone");
    assert!(place.done("verify run --allow-exec").starts_with("Verified:"));
}

/// A run in waves of some blocks and parts is that of one machine, and has some number of waves.
fn as_alone(line: &str, cuts: &[(u64, u64, u64)]) {
    for &(blocks, parts, waves) in cuts {
        let place = Place::new();
        place.done(&format!("{line} --out alone"));
        assert_eq!(in_waves(&place, line, blocks, parts), waves, "{line}");
        place.same("run", "alone");
        assert!(place.done("verify run").starts_with("Verified:"));
    }
}

#[test]
fn a_test_decides_where_it_decides_on_one_machine() {
    // Two looks a wave and odd parts, one part a wave with a look in each, more parts than looks, one large wave.
    as_alone(LINE, &some(&[(7, 3, 3), (1, 1, 5), (50, 4, 1), (12, 9, 2)]));
}

#[test]
fn a_run_that_never_stops_ends_with_its_plan() {
    as_alone(&format!("{LINE} --matches 66 --look 3"), &[(6, 2, 2), (100, 3, 1)]);
}

#[test]
fn intervals_are_as_narrow_as_on_one_machine() {
    let balance = "balance on-the-road --factor metropolis.cost.wool=3,2 --levels builder";
    let tournament = "tournament on-the-road builder random greedy --players 3";
    for (line, cut) in some(&[
        (format!("{LINE} --until ci=20pp --less-luck --look 10"), (30, 4, 2)),
        (format!("{balance} --until ci=8pp --quiet"), (100, 3, 7)),
        (format!("{tournament} --until ci=150elo --quiet"), (90, 2, 4)),
    ]) {
        as_alone(&line, &[cut]);
    }
}

#[test]
fn the_run_so_far_is_one_that_can_be_resumed() {
    let place = Place::new();
    place.done(&format!("{LINE} --out alone"));
    let parts = wave(&place, LINE, (1, 8), 2).join(" ");
    let merged = place.call(&format!("merge {parts} --out run"));
    assert_eq!(merged.code, UNDECIDED, "{}", merged.err);
    assert!(merged.out.contains("fairhaven resume run"), "{}", merged.out);
    assert_eq!(place.manifest("run")["played"]["blocks"], 8);
    place.copy("run", "other");
    place.done("resume run --quiet");
    place.same("run", "alone");
    // Waves may change their size and parts, and may begin before the run so far ends.
    let parts = wave(&place, LINE, (1, 30), 4).join(" ");
    place.done(&format!("merge other {parts} --out other --force --quiet"));
    place.same("other", "alone");
}

#[test]
fn a_part_that_was_killed_is_resumed() {
    let place = Place::new();
    let line = format!("{LINE} --wave 2 --wave-blocks 2000 --shard 1/2 --threads 1");
    place.done(&format!("{line} --out part"));
    let mut guard = Guard(place.start(&format!("{line} --out killed --save-every 0")));
    let log = place.path("killed.partial/chunks.bin");
    wait_until(&mut guard.0, || length(&log) > 400);
    guard.0.kill().expect("it can be killed");
    guard.0.wait().expect("it has ended");
    let merged = place.call("merge killed --out run");
    assert_eq!(merged.code, Some(2));
    assert!(
        merged.err.contains("`killed` is not complete; `fairhaven resume killed`"),
        "{}",
        merged.err
    );
    place.done("resume killed --quiet");
    place.same("killed", "part");
}

#[test]
fn what_was_delivered_twice_counts_once() {
    let place = Place::new();
    place.done(&format!("{LINE} --out alone"));
    let first = wave(&place, LINE, (1, 8), 2);
    let second = wave(&place, LINE, (2, 8), 3);
    place.copy(&second[1], "again");
    // Waves that were played ahead, one part of them twice, and then all once more.
    let third = wave(&place, LINE, (3, 8), 2);
    let parts = [first.clone(), second.clone(), third].concat().join(" ");
    let merged = place.call(&format!("merge again {parts} --out ahead"));
    assert_eq!(merged.code, Some(0), "{}", merged.err);
    let said = format!(
        "`again` and `{}` are both part 2/3 of wave 2, and the same: merged once\n",
        second[1]
    );
    assert_eq!(merged.err, said);
    place.same("ahead", "alone");
    let merge = |parts: &[String], so_far: &str| {
        place.call(&format!("merge {} {so_far} --out run --force", parts.join(" ")))
    };
    assert_eq!(merge(&first, "").code, UNDECIDED);
    // A merge that is done again, since nobody saw that it was done.
    let again = merge(&first, "run");
    assert_eq!(again.code, UNDECIDED);
    let said = "2 parts hold what `run` has already: left out\nnext: --wave 2 --wave-blocks 8\n";
    assert_eq!(again.err, said);
    assert_eq!(place.manifest("run")["played"]["blocks"], 8);
    assert_eq!(merge(&[first, second.clone()].concat(), "run").code, UNDECIDED);
    let third = wave(&place, LINE, (3, 8), 1);
    assert_eq!(merge(&third, "run").code, Some(0));
    place.same("run", "alone");
    assert_eq!(merge(&third, "run").code, Some(0));
    place.same("run", "alone");
}

#[test]
fn missing_parts_and_waves_are_named() {
    let place = Place::new();
    let first = wave(&place, LINE, (1, 8), 4);
    let second = wave(&place, LINE, (2, 8), 2);
    let merge = |parts: &[&String], rest: &str| {
        let parts: Vec<&str> = parts.iter().map(|part| part.as_str()).collect();
        format!("merge {} {rest} --out out", parts.join(" "))
    };
    // Of four parts of two looks, the first and the third have none.
    place.refused(&merge(&[&first[0], &first[3]], ""), &["missing: part 2/4 of wave 1"]);
    place.refused(&merge(&[&first[1], &first[2]], ""), &["missing: part 4/4 of wave 1"]);
    place.refused(&merge(&[&second[0], &second[1]], ""), &["blocks 0 to 7, before", "are missing"]);
    place.refused(&merge(&[&second[0]], ""), &["missing: part 2/2 of wave 2"]);
    place.done(&format!("{LINE} --wave 4 --wave-blocks 8 --out fourth"));
    let all: Vec<&String> = first.iter().chain(&second).collect();
    place.refused(&merge(&all, "fourth"), &["blocks 16 to 23, before", "`fourth`, are missing"]);
    // Nothing beyond the stop is needed.
    place.done(&format!("{LINE} --wave 1 --wave-blocks 20 --out whole"));
    place.done(&format!("merge whole fourth {} --out run --quiet", second[1]));
    place.done(&format!("{LINE} --out alone"));
    place.same("run", "alone");
    place.refused("merge run alone fourth --out out", &["`run`", "`alone`", "both the run so far"]);
    place.refused("merge run --out out", &["`run` is no part"]);
    place.done(&format!(
        "{} --shard 1/1 --wave 1 --wave-blocks 9 --out foreign",
        LINE.replace("builder", "greedy")
    ));
    place.refused("merge foreign fourth --out out", &["`fourth`", "`foreign`", "different runs"]);
}

#[test]
fn a_damaged_part_of_a_wave_is_refused_by_name() {
    let place = Place::new();
    let parts = wave(&place, LINE, (1, 30), 2);
    let line = format!("merge {} bad --out all", parts[0]);
    for name in ["chunks.bin", "digests.bin", "sums.bin", "manifest.json"] {
        let bytes = fs::read(place.path(&format!("{}/{name}", parts[0]))).expect("a file");
        let flipped = flipped(&bytes);
        for damaged in [&bytes[..bytes.len() / 2], &bytes[..0], &flipped] {
            place.copy(&parts[0], "first");
            place.write(&format!("first/{name}"), damaged);
            place.refused(&format!("merge first {} --out all", parts[1]), &["first", name]);
        }
    }
    place.copy(&parts[0], "first");
    fs::remove_file(place.path("first/chunks.bin")).expect("a file");
    place.refused(&format!("merge first {} --out all", parts[1]), &["first/chunks.bin"]);
    place.copy(&parts[0], "bad");
    place.alter("bad", "/build", json!("0123456789abcdef"));
    place.refused(&line, &["part `bad`", "another build", "0123456789abcdef", BUILD]);
    for (at, value, part) in [
        ("/plan/wave/number", json!(0), "out of range"),
        ("/plan/wave/blocks", json!(0), "out of range"),
        ("/plan/shard/parts", json!(0), "out of range"),
        ("/plan/shard/part", json!(7), "manifest: shard 7/2 is out of range"),
        ("/plan/shard/parts", json!(u64::MAX), "out of range"),
        ("/plan/wave/number", json!(u64::MAX), "bad"),
        ("/plan/wave/blocks", json!(u64::MAX), "bad"),
        ("/plan/wave/number", json!(2), "missing: part 2/2 of wave 2"),
        ("/played/complete", json!(false), "not complete"),
        ("/seed", json!(10), "belongs to another run"),
    ] {
        place.copy(&parts[0], "bad");
        place.alter("bad", at, value);
        place.refused("merge bad --out all", &[part]);
    }
}

#[test]
fn words_that_are_no_wave_are_refused() {
    let place = Place::new();
    for (words, parts) in [
        ("--wave 1", &["--wave-blocks"] as &[&str]),
        ("--wave-blocks 9", &["--wave"]),
        ("--wave 0 --wave-blocks 9", &["--wave"]),
        ("--wave -1 --wave-blocks 9", &["--wave"]),
        ("--wave 1 --wave-blocks 0", &["--wave-blocks"]),
        ("--wave 1 --wave-blocks 9 --shard 3/2", &["3/2"]),
        ("--wave 3 --wave-blocks 6 --matches 66", &["no wave 3", "11 blocks have 2 waves"]),
        ("--wave 1000000000000 --wave-blocks 1000000000000", &["no wave 1000000000000"]),
        ("--shard 1/2", &["a sequential run", "--wave K"]),
        ("--wave 1 --wave-blocks 9 --require compare.llr<2", &["a part has no tables", "merge"]),
    ] {
        place.refused(&format!("{LINE} {words} --out out"), parts);
    }
    place.refused(&format!("{LINE} --wave 1 --wave-blocks 9"), &["--out"]);
    let simulate = "simulate on-the-road --agents builder --matches 9";
    let wave = "--wave 1 --wave-blocks 9 --out out";
    place.refused(&format!("{simulate} {wave}"), &["waves are for sequential runs", "--shard"]);
    place.refused(&format!("learn base {wave}"), &["cut into parts"]);
    let done = std::process::Command::new(PROGRAM).args(["compare", "--help"]).output();
    let help = String::from_utf8(done.expect("it starts").stdout).expect("UTF-8");
    assert!(help.contains("--wave-blocks <BLOCKS>"), "{help}");
}

/// What a run has played alone since its waves were merged is in none of them.
#[test]
fn what_was_played_since_a_merge_is_not_merged_away() {
    let place = Place::new();
    let line =
        "compare on-the-road greedy greedy:lapse=0.02 --win1 10pp --look 1 --matches 12k --quiet";
    let merge = format!("merge {} --out run --quiet", wave(&place, line, (1, 8), 1)[0]);
    assert_eq!(place.call(&merge).code, UNDECIDED);
    // A threshold that holds so far may fail in the end.
    let judged = place.call("analyze run --require compare.win_difference<1 --quiet");
    assert_eq!(judged.code, Some(130), "{}", judged.err);
    assert!(judged.err.contains("not complete"), "{}", judged.err);
    let mut guard = Guard(place.start("resume run --quiet --save-every 0 --threads 1"));
    wait_until(&mut guard.0, || length(&place.path("run.partial/digests.bin")) > 4 * 16);
    drop(guard);
    place.refused(&merge, &["`run.partial`", "left behind", "`fairhaven resume run`"]);
    place.done("resume run --quiet");
    place.done(&format!("{line} --out whole"));
    place.same("run", "whole");
    // The same where it was stopped, resumed, and killed before it had saved anything more.
    std::fs::remove_dir_all(place.path("run")).expect("a run");
    assert_eq!(place.call(&merge).code, UNDECIDED);
    std::fs::rename(place.path("run"), place.path("run.partial")).expect("a run");
    place.write("run.partial/lock", "4000000000");
    place.refused(&merge, &["`run.partial`", "left behind", "`fairhaven resume run`"]);
    // A merge that is killed leaves its mark, and is made again.
    place.write("run.partial/merges", "");
    assert_eq!(place.call(&merge).code, UNDECIDED);
    place.done("resume run --quiet");
    place.same("run", "whole");
}
