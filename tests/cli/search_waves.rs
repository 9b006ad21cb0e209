//! Waves of searches: several machines play what the search asks for next, and its log is that of one machine.

use crate::support::{Place, sealed, some};
use serde_json::json;
use std::fs;

/// A short search, of 22 stages.
const LINE: &str =
    "tune on-the-road greedy:lapse=1 --param lapse=0..1 --players 3 --matches 960 --quiet";

/// The exit code of a search that asks for more.
const OPEN: Option<i32> = Some(4);

/// Plays a wave as a number of parts, and returns their directories.
fn wave(place: &Place, line: &str, (number, blocks): (u64, u64), parts: u64) -> Vec<String> {
    let after = if number > 1 { "--after run" } else { "" };
    let played = (1..=parts).map(|part| {
        let out = format!("wave-{number}-part-{part}");
        let wave = format!("--wave {number} --wave-blocks {blocks} --shard {part}/{parts} {after}");
        place.done(&format!("{line} {wave} --out {out}"));
        out
    });
    played.collect()
}

/// A search in waves is that of one machine.
fn as_alone(line: &str, blocks: u64, parts: u64, code: i32) {
    let place = Place::new();
    assert_eq!(place.call(&format!("{line} --out alone")).code, Some(code));
    let mut so_far = "";
    for number in 1..2000 {
        let mut all = wave(&place, line, (number, blocks), parts);
        all.reverse();
        let merge = format!("merge {so_far} {} --out run --force --quiet", all.join(" "));
        let merged = place.call(&merge);
        so_far = "run";
        if merged.code == OPEN {
            let next = format!("next: --wave {} --wave-blocks {blocks} --after run\n", number + 1);
            assert_eq!(merged.err, next);
            continue;
        }
        assert_eq!(merged.code, Some(code), "{}", merged.err);
        break;
    }
    place.same("run", "alone");
    assert!(place.done("verify run").starts_with("Verified:"));
}

#[test]
fn a_search_in_waves_is_that_of_one_machine() {
    // A wave may be a piece of a stage, and have more parts than chunks.
    for (matches, blocks, parts) in some(&[(240, 3, 4), (960, 1000, 3), (960, 5, 1)]) {
        let matches = format!("--matches {matches}");
        as_alone(&LINE.replace("--matches 960", &matches), blocks, parts, 0);
    }
}

#[test]
fn every_search_goes_in_waves() {
    as_alone(
        "levels on-the-road --agent greedy --param lapse=0.4..0.6 --against greedy --players 3 --rates 20 --tolerance 20pp \
         --quiet",
        10_000,
        1,
        0,
    );
    as_alone(
        "solve on-the-road --set side=b --players 3 --choice metropolis --blocks 8 --finalists 1 --certify 30 \
         --fields metropolis.knights.extra.wool=-1..0,metropolis.roads.extra.ore=0..1 --agent greedy --quiet",
        60,
        2,
        1,
    );
    let place = Place::new();
    for (line, part) in [
        ("learn struggle --players 2 --matches 80", "learning can't be cut into parts"),
        ("learn base --net --matches 80", "learning can't be cut into parts"),
    ] {
        place.refused(&format!("{line} --wave 1 --wave-blocks 9 --out out"), &[part]);
    }
}

/// What a part that was killed has left: a torn log.
fn killed(place: &Place, part: &str, out: &str, bytes: usize) {
    place.copy(part, &format!("{out}.partial"));
    let log = fs::read(place.path(&format!("{part}/wave.jsonl"))).expect("a log");
    place.write(&format!("{out}.partial/wave.jsonl"), &log[..bytes]);
    let mut manifest = place.manifest(part);
    for field in ["blocks", "matches", "decisions", "failures"] {
        manifest["played"][field] = json!(0);
    }
    manifest["played"]["complete"] = json!(false);
    place.write(&format!("{out}.partial/manifest.json"), sealed(manifest));
}

#[test]
fn a_part_is_resumed_from_its_log() {
    let place = Place::new();
    wave(&place, LINE, (1, 1000), 1);
    assert_eq!(place.call("merge wave-1-part-1 --out run --quiet").code, OPEN);
    let parts = wave(&place, LINE, (2, 1000), 2);
    let whole = fs::metadata(place.path(&format!("{}/wave.jsonl", parts[1]))).expect("a log").len();
    let whole = usize::try_from(whole).expect("a small file");
    assert!(whole > 500);
    // The run so far may be gone by then.
    fs::rename(place.path("run"), place.path("other")).expect("renamed");
    for bytes in [0, 9, whole / 2, whole - 1, whole] {
        killed(&place, &parts[1], "again", bytes);
        let told = place.call("status again");
        assert_eq!(told.code, OPEN, "{}", told.err);
        assert!(told.out.contains("part 2/2 of wave 2: stopped, "), "{}", told.out);
        place.done("resume again --quiet");
        place.same("again", &parts[1]);
        fs::remove_dir_all(place.path("again")).expect("a part");
    }
}

#[test]
fn parts_that_do_not_follow_are_refused_and_old_ones_left_out() {
    let place = Place::new();
    let first = wave(&place, LINE, (1, 1000), 2);
    place.copy(&first[0], "copy");
    let merged = place.call(&format!("merge copy {} --out run --quiet", first.join(" ")));
    assert_eq!(merged.code, OPEN, "{}", merged.err);
    place.copy("run", "after-1");
    let second = wave(&place, LINE, (2, 1000), 2);
    place.refused(&format!("merge run {} --out out", second[0]), &["missing: part 2/2 of wave 2"]);
    place.refused(
        &format!("merge run {} wave-1-part-1 --out out", second[0]),
        &["missing: part 2/2 of wave 2"],
    );
    let second = second.join(" ");
    assert_eq!(place.call(&format!("merge run {second} --out run --force --quiet")).code, OPEN);
    place.copy("run", "after-2");
    // Once more, with the parts of both waves.
    let first = first.join(" ");
    let again = place.call(&format!("merge run {first} {second} copy --out run --force"));
    assert_eq!(again.code, OPEN, "{}", again.err);
    for said in ["are both part 1/2 of wave 1", "4 parts hold what `run` has already: left out"] {
        assert!(again.err.contains(said), "{}", again.err);
    }
    assert!(
        again.err.ends_with("next: --wave 3 --wave-blocks 1000 --after run\n"),
        "{}",
        again.err
    );
    place.same("run", "after-2");
    place.refused(
        &format!("merge {first} {second} --out out"),
        &["`wave-2-part-1` does not follow `wave-1-part-1`"],
    );
    place.done(&format!("{LINE} --wave 3 --wave-blocks 1000 --after run --out third"));
    place.refused("merge after-1 third --out out", &["`third` does not follow `after-1`"]);
    place.done(&format!("{LINE} --out alone"));
    place.refused(
        &format!("{LINE} --wave 9 --wave-blocks 9 --after alone --out out"),
        &["`alone` is complete"],
    );
    place.refused(
        &format!("{LINE} --seed 2 --wave 3 --wave-blocks 9 --after run --out out"),
        &["`run` is not what was played of this run"],
    );
    place.refused(&format!("{LINE} --wave 2 --wave-blocks 9 --out out"), &["--after"]);
    // A wave that is no longer needed changes nothing.
    place.done("merge alone third --out all --quiet");
    place.same("all", "alone");
    // What was merged is an interrupted search.
    place.done("resume run --quiet");
    place.same("run", "alone");
}

#[test]
fn a_damaged_part_of_a_search_is_refused_by_name() {
    let place = Place::new();
    let parts = wave(&place, LINE, (1, 1000), 2);
    let merge = format!("merge bad {} --out all", parts[1]);
    for name in ["wave.jsonl", "stages.jsonl"] {
        let bytes = fs::read(place.path(&format!("{}/{name}", parts[0]))).expect("a file");
        let longer = [&bytes[..], b"{}\n"].concat();
        let mut damaged = vec![longer];
        if !bytes.is_empty() {
            let mut flipped = bytes.clone();
            flipped[bytes.len() / 2] ^= 1;
            damaged.extend([bytes[..bytes.len() / 2].to_vec(), Vec::new(), flipped]);
        }
        for damaged in damaged {
            place.copy(&parts[0], "bad");
            place.write(&format!("bad/{name}"), &damaged);
            place.refused(&merge, &["bad"]);
        }
        place.copy(&parts[0], "bad");
        fs::remove_file(place.path(&format!("bad/{name}"))).expect("a file");
        place.refused(&merge, &["bad", name]);
    }
    // The chunks of its neighbour.
    place.copy(&parts[1], "bad");
    place.alter("bad", "/plan/shard/part", json!(1));
    place.refused(&merge, &["bad/wave.jsonl", "another stage"]);
    for (at, value) in [
        ("/build", json!("0123456789abcdef")),
        ("/plan/wave/blocks", json!(0)),
        ("/plan/wave/blocks", json!(7)),
        ("/plan/shard/parts", json!(3)),
        ("/played/complete", json!(false)),
    ] {
        place.copy(&parts[0], "bad");
        place.alter("bad", at, value);
        place.refused(&merge, &["bad"]);
    }
}
