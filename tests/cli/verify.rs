//! `verify`: fresh runs of every kind pass; whatever was altered is named.

use crate::support::{Place, all_cases, flipped, some};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// One run of each kind.
const RUNS: [&str; 13] = [
    "simulate on-the-road --agents builder,random --matches 120",
    "simulate on-the-road --agents builder,random --matches 60 --rows csv",
    "simulate on-the-road --agents mcts:iterations=5,random --matches 12 --rows zst",
    "compare on-the-road builder random",
    "compare on-the-road --rules-b points_to_win=6 --agents builder --matches 200",
    "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 60",
    "sweep on-the-road --param haste --values 0..1/2 --agents heuristic,greedy --blocks 12",
    "sensitivity on-the-road --agents builder --blocks 10",
    "luck on-the-road --agents builder,random,random --repeats 2 --blocks 20",
    "compare on-the-road builder random --less-luck --matches 48",
    "reliability on-the-road --agents builder,heuristic --judges mcts,mcts:fog=2 --matches 60",
    "diagnose on-the-road --levels random,builder --blocks 12",
    "map judge base --players 3 --agent random --free 1 --pairs 1 --blocks 3",
];

/// Calls `verify`, which must find a fault and name it.
fn differs(place: &Place, run: &str, part: &str) {
    let done = place.call(&format!("verify {run} --sample 1m"));
    assert!(matches!(done.code, Some(1 | 2)), "{run}: {part}: {done:?}");
    assert!(!done.err.contains("panicked"), "{}", done.err);
    let said = format!("{}{}", done.out, done.err);
    assert!(said.contains(part), "no `{part}` in {said}");
}

#[test]
fn fresh_runs_of_every_kind_are_the_same_again() {
    for line in some(&RUNS) {
        let place = Place::new();
        place.done(&format!("{line} --quiet --out out"));
        let said = place.done("verify out");
        assert!(said.starts_with("Verified: ") && said.contains("all tables match"), "{said}");
        let all = place.manifest("out")["played"]["blocks"].to_string();
        let said = place.done("verify out --sample 1m --threads 3");
        assert!(said.contains(&format!("{all} of {all} blocks")), "{said}");
        let said = place.done("verify out --sample 3 --seed 9");
        assert!(said.contains(&format!(" of {all} blocks")), "{said}");
    }
}

/// Files of a run in states that they should not be in: the file, what was in it, and what is, unless it is gone. By
/// default each file in one of them, others for other runs, and none that an earlier run of the command had.
fn alterations(
    run: usize,
    files: &BTreeMap<String, Vec<u8>>,
    seen: &mut BTreeSet<(&'static str, String)>,
) -> Vec<(String, Vec<u8>, Option<Vec<u8>>)> {
    let mut all = Vec::new();
    let command = RUNS[run].split(' ').next().expect("a command");
    for (number, (name, bytes)) in files.iter().enumerate() {
        if !seen.insert((command, name.clone())) && !all_cases() {
            continue;
        }
        let shorter = bytes[..bytes.len() - 1].to_vec();
        let mut states = vec![Some(flipped(bytes)), Some(shorter), Some(Vec::new()), None];
        // Bytes after the frame are not part of the sums.
        if name != "sums.bin" {
            states.push(Some([bytes.as_slice(), b"1234"].concat()));
        }
        if !all_cases() {
            states = vec![states.swap_remove((run + number) % states.len())];
        }
        all.extend(states.into_iter().map(|altered| (name.clone(), bytes.clone(), altered)));
    }
    all
}

#[test]
fn every_altered_file_is_named() {
    let mut seen = BTreeSet::new();
    for (run, line) in RUNS.iter().enumerate() {
        let place = Place::new();
        place.done(&format!("{line} --quiet --out out"));
        for (name, bytes, altered) in alterations(run, &place.files("out"), &mut seen) {
            let path = place.path(&format!("out/{name}"));
            match &altered {
                Some(altered) => fs::write(&path, altered).expect("a file of the test"),
                None => fs::remove_file(&path).expect("a file"),
            }
            let is_lost = altered.is_none() && name == "sums.bin";
            differs(&place, "out", if is_lost { "no saved sums" } else { &name });
            fs::write(&path, &bytes).expect("a file of the test");
        }
        place.done("verify out");
    }
}

#[test]
fn blocks_that_come_out_otherwise_are_named() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder,random --matches 200 --quiet --out out");
    // Digests and sums of another seed do not make this run theirs.
    place.alter("out", "/seed", json!(2));
    differs(&place, "out", "sums.bin");
}

#[test]
fn stopped_runs_and_parts_are_verified_as_far_as_they_went() {
    let place = Place::new();
    let line = "simulate on-the-road --agents builder,random --matches 200 --quiet --rows csv";
    place.done(&format!("{line} --shard 2/3 --out part"));
    let said = place.done("verify part --sample 1m");
    assert!(
        said.contains("33 of 33 blocks") && said.contains("; there are no tables yet.\n"),
        "{said}"
    );
    assert!(said.contains("\nSums are those of the matches in 33 of 33 groups.\n"), "{said}");
    let rows = fs::read(place.path("part/matches.csv")).expect("rows");
    place.write("part/matches.csv", &rows[1..]);
    differs(&place, "part", "matches.csv");
}

#[test]
fn runs_that_cannot_be_had_again_are_refused() {
    let place = Place::new();
    place.done("simulate on-the-road --agents mcts:time_ms=1,random --matches 4 --quiet --out out");
    place.refused("verify out", &["`out`", "searches by time"]);
    place.refused("verify absent", &["absent", "No such file"]);
    place.done("simulate on-the-road --agents builder --matches 4 --quiet --out plain");
    for (words, part) in [
        ("--sample 0", "`0`"),
        ("--sample many", "`many`"),
        ("--threads 0", "`0`"),
        ("--seed -1", "-1"),
    ] {
        place.refused(&format!("verify plain {words}"), &[part]);
    }
}

#[test]
fn a_run_of_another_build_is_told_apart() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder --matches 20 --quiet --out out");
    place.alter("out", "/build", json!("0123456789abcdef"));
    // The name of the design holds the build, so its sums are not those of this manifest.
    differs(&place, "out", "sums.bin");
}

/// Sums with one more of some counter, `from` the end: a number of one byte, which is no length of a run of zeros.
fn with_more(packed: &[u8], from: usize) -> Option<Vec<u8>> {
    type Head = ([u8; 8], u64, [u64; 4], [u64; 2], usize);
    let mut bytes = zstd::decode_all(packed).expect("sums");
    let (head, rest) = postcard::take_from_bytes::<Head>(&bytes).expect("sums");
    let (start, length) = (bytes.len() - rest.len(), head.4);
    let is_number = |at: &usize| {
        let [before, byte] = [bytes[at - 1], bytes[*at]];
        (1..0x80).contains(&before) && (1..0x7f).contains(&byte)
    };
    let at = (start + 1..start + length).rev().filter(is_number).nth(from)?;
    bytes[at] += 1;
    Some(zstd::encode_all(&bytes[..], 1).expect("zstd"))
}

/// Sums that were altered alone, with tables that were made of them.
#[test]
fn sums_that_are_not_those_of_the_matches_are_named() {
    let place = Place::new();
    // So few chunks that each is a group of the sums.
    place.done("simulate on-the-road --agents builder,random --matches 120 --quiet --out out");
    let packed = fs::read(place.path("out/sums.bin")).expect("sums");
    let mut forged = 0;
    for from in 0..40 {
        let Some(more) = with_more(&packed, from) else { break };
        place.write("out/sums.bin", more);
        // Where it is a number that the manifest has, too, that is noticed.
        if place.call("analyze out --quiet").code == Some(0) {
            let done = place.call("verify out");
            assert_eq!(done.code, Some(1), "{}{}", done.out, done.err);
            assert!(done.out.contains("sums.bin has other sums of group "), "{}", done.out);
            forged += 1;
        }
    }
    assert!(forged > 0);
    place.write("out/sums.bin", packed);
    place.done("analyze out --quiet");
    place.done("verify out");
    // Where no group fits into the sample, whoever reads it is told.
    place.done("simulate on-the-road --agents random --matches 1800 --quiet --out large");
    let said = place.done("verify large --sample 4");
    let words = "Not compared: the run's sums with its matches; none of their ";
    let (_, rest) = said.split_once(words).unwrap_or_else(|| panic!("{said}"));
    let (_, enough) = rest.split_once("(`--sample ").expect("a sample that is large enough");
    let enough = enough.split('`').next().expect("a number");
    let said = place.done(&format!("verify large --sample {enough}"));
    assert!(said.contains("Sums are those of the matches in 1 of "), "{said}");
}
