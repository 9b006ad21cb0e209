//! Files of a run that are far larger than its design lets them be: sparse, packed, or of endless kinds. Each
//! command answers within ten seconds of computing and 1 GiB, and leaves room on the disk.

use crate::support::{Place, sealed, some};
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::Write;

const HUGE: u64 = 4 << 30;

/// A complete run and its parts, and the same run when it was killed half-way.
fn runs(rows: &str) -> Place {
    let place = Place::new();
    let line = format!("simulate on-the-road --agents builder,random --matches 40 --rows {rows}");
    place.done(&format!("{line} --quiet --out run"));
    place.done(&format!("{line} --quiet --out half --shard 1/2"));
    place.done(&format!("{line} --quiet --out rest --shard 2/2"));
    place.copy("half", "stopped.partial");
    let mut manifest = place.manifest("half");
    manifest["plan"]["shard"] = Value::Null;
    manifest["played"]["complete"] = json!(false);
    manifest["files"] = json!([]);
    place.write("stopped.partial/manifest.json", sealed(manifest));
    place
}

/// All commands on a run, each of which must answer by exit code 0, 1 or 2 and write nothing large.
fn answered(place: &Place, what: &str) {
    for line in [
        "verify run",
        "analyze run --quiet",
        "replay run 0.0",
        "resume run --quiet",
        "merge half rest --out all --quiet",
        "verify stopped.partial",
        "analyze stopped.partial --quiet",
        "resume stopped --quiet",
    ] {
        let done = place.bounded(line);
        let code = done.code.expect("it was not killed");
        assert!([0, 1, 2].contains(&code), "{what}: {line}: {code}\n{}", done.err);
        assert!(!done.err.contains("panicked"), "{what}: {line}\n{}", done.err);
        assert!(done.err.len() < 3000, "{what}: {line}");
        if line.starts_with("verify run") {
            assert_ne!(code, 0, "{what}: it is noticed");
        }
    }
}

#[test]
fn sparse_files_are_answered_without_reading_them() {
    let files = [
        ("csv", "sums.bin"),
        ("csv", "digests.bin"),
        ("csv", "matches.csv"),
        ("csv", "seats.csv"),
        ("zst", "matches.csv.zst"),
    ];
    // As it is but for its length, and of nothing but zeros.
    let cases: Vec<_> = files.iter().flat_map(|file| [(file, false), (file, true)]).collect();
    for ((rows, name), empty) in some(&cases) {
        let place = runs(rows);
        for run in ["run", "half", "stopped.partial"] {
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(empty);
            let file = options.open(place.path(run).join(name)).expect("a file");
            file.set_len(HUGE).expect("a sparse file");
        }
        if *name == "seats.csv" {
            // Somebody's manifest says that this is how long the table is.
            place.alter("run", "/files/0/bytes", json!(HUGE));
        }
        answered(&place, &format!("{rows}: {name}"));
    }
}

#[test]
fn packed_rows_of_any_size_are_unpacked_no_further_than_they_were_saved() {
    let place = runs("zst");
    // 100 GB: a frame of 1 GB of zeros, a hundred times.
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    let zeros = vec![0; 1 << 20];
    for _ in 0..1000 {
        encoder.write_all(&zeros).expect("memory");
    }
    let frame = encoder.finish().expect("a frame");
    let bomb = frame.repeat(100);
    for run in ["run", "half", "stopped.partial"] {
        place.write(&format!("{run}/matches.csv.zst"), &bomb);
    }
    std::fs::remove_file(place.path("stopped.partial/matches.csv")).unwrap_or_default();
    answered(&place, "a bomb");
    for name in place.names() {
        let Ok(entries) = std::fs::read_dir(place.path(&name)) else { continue };
        for entry in entries {
            let length = entry.expect("an entry").metadata().expect("its length").len();
            assert!(length < 8 << 20, "{name} has a file of {length} bytes");
        }
    }
    // One skippable frame that says it has 4 GiB, in a sparse file of that length.
    let mut file = File::create(place.path("run/sums.bin")).expect("a file");
    file.write_all(&[0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff]).expect("a header");
    file.set_len(HUGE).expect("a sparse file");
    let done = place.bounded("analyze run");
    assert!(done.code == Some(2) && done.err.contains("sums.bin"), "{}", done.err);
}

#[test]
fn a_manifest_is_refused_by_its_length_and_costs_little_if_it_is_short() {
    let place = runs("csv");
    let manifest = place.read("run/manifest.json");
    let filled = |bytes: usize| {
        let many = "{\"a\":1},".repeat(bytes / 8);
        manifest.replace("\"rules\": {", &format!("\"rules\": {{ \"x\": [{many}1],"))
    };
    for bytes in some(&[15 << 20, 3 << 20]) {
        for run in ["run", "half", "stopped.partial"] {
            place.write(&format!("{run}/manifest.json"), filled(bytes));
        }
        for line in some(&[
            "verify run",
            "analyze run",
            "replay run 0.0",
            "resume run",
            "merge half rest --out all",
            "resume stopped",
        ]) {
            let done = place.bounded(line);
            assert_eq!(done.code, Some(2), "{bytes}: {line}\n{}", done.err);
        }
    }
    // The same with checksums that fit.
    let filled: Value = serde_json::from_str(&filled(3 << 20)).expect("JSON");
    place.write("run/manifest.json", sealed(filled));
    for line in some(&["verify run", "analyze run", "replay run 0.0", "resume run"]) {
        let done = place.bounded(line);
        assert_eq!(done.code, Some(2), "{line}\n{}", done.err);
    }
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_links_in_a_run_are_no_files_of_it() {
    use std::os::unix::fs::symlink;
    use std::process::Command;
    let names = ["manifest.json", "sums.bin", "digests.bin", "matches.csv", "seats.csv"];
    let kinds = ["pipe", "device", "directory", "link"];
    let cases: Vec<_> = names.iter().flat_map(|name| kinds.map(|kind| (name, kind))).collect();
    for (name, kind) in some(&cases) {
        let place = runs("csv");
        place.write("thesis.txt", "mine");
        for run in ["run", "half", "stopped.partial"] {
            let path = place.path(run).join(name);
            let _ = std::fs::remove_file(&path);
            match kind {
                "pipe" => {
                    let made = Command::new("mkfifo").arg(&path).status();
                    assert!(made.expect("`mkfifo` can be called").success());
                }
                "device" => symlink("/dev/zero", &path).expect("a link"),
                "directory" => std::fs::create_dir(&path).expect("a directory"),
                _ => symlink(place.path("thesis.txt"), &path).expect("a link"),
            }
        }
        answered(&place, &format!("{name} is a {kind}"));
        assert_eq!(place.read("thesis.txt"), "mine", "{name} is a {kind}");
    }
}
