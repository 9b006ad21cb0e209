//! What surrounds the program: signals, limits of the system, terminals and spreadsheets that obey what they are given.

use crate::support::{Done, Guard, PROGRAM, Place, length, sealed, wait_until};
use serde_json::json;
use std::fs::{self, File};
use std::process::{Child, Command, Stdio};

const LONG: &str = "simulate on-the-road --agents heuristic --matches 1m --seed 5 --quiet --out out --save-every 0";

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("`kill` can be called").success());
}

fn begun(place: &Place, child: &mut Child) {
    wait_until(child, || length(&place.path("out.partial/digests.bin")) > 0);
}

#[test]
fn what_ends_a_session_is_ctrl_c() {
    for name in ["-TERM", "-HUP"] {
        let place = Place::new();
        // Whoever runs this test may have been started with `nohup`.
        let mut command = Command::new("env");
        command.current_dir(place.root()).args(["--default-signal=HUP", PROGRAM]);
        let child = command.args(LONG.split(' ')).stderr(Stdio::piped()).spawn();
        let mut child = Guard(child.expect("it starts"));
        begun(&place, &mut child.0);
        signal(&child.0, name);
        if name == "-HUP" {
            // A terminal that is closed may say so twice.
            signal(&child.0, name);
        }
        assert_eq!(child.0.wait().expect("a child").code(), Some(130), "{name}");
        assert_eq!(place.names(), ["out"], "{name}");
        assert!(place.manifest("out")["played"]["blocks"].as_u64() > Some(0), "{name}");
    }
}

#[test]
fn a_run_that_is_to_outlive_its_terminal_does() {
    let place = Place::new();
    let script = format!("trap '' HUP; exec '{PROGRAM}' {LONG}");
    let mut command = Command::new("bash");
    command.current_dir(place.root()).args(["-c", &script]).stderr(Stdio::piped());
    let mut child = Guard(command.spawn().expect("it starts"));
    begun(&place, &mut child.0);
    signal(&child.0, "-HUP");
    let had = length(&place.path("out.partial/digests.bin"));
    wait_until(&mut child.0, || length(&place.path("out.partial/digests.bin")) > had);
    signal(&child.0, "-TERM");
    assert_eq!(child.0.wait().expect("a child").code(), Some(130));
}

#[test]
fn an_export_that_is_stopped_leaves_nothing() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder --matches 3k --rows csv --quiet --out out");
    for what in ["--threads 1", "--rows"] {
        let mut child = Guard(place.start(&format!("export out {what} -o file.jsonl --quiet")));
        while !place.path("file.jsonl.partial").exists()
            && child.0.try_wait().expect("a child").is_none()
        {
            std::thread::yield_now();
        }
        // Rows may have been written by then.
        let ended = child.0.try_wait().expect("a child");
        let code = ended.unwrap_or_else(|| {
            signal(&child.0, "-TERM");
            child.0.wait().expect("a child")
        });
        let code = code.code();
        assert!(code == Some(130) || what == "--rows" && code == Some(0), "{what}: {code:?}");
        let _ = fs::remove_file(place.path("file.jsonl"));
        assert_eq!(place.names(), ["out"], "{what}");
    }
}

#[test]
fn rows_that_are_not_those_of_the_run_are_not_exported() {
    let place = Place::new();
    place.done("simulate on-the-road --agents builder --matches 20 --rows csv --quiet --out out");
    let rows = place.read("out/matches.csv");
    // A row more, a changed digit, and a file of many zeros, which takes no room.
    let last = rows.trim_end().lines().last().expect("a row");
    let changed = rows.replacen(",1,", ",2,", 1);
    assert_ne!(changed, rows);
    for text in [format!("{rows}{last}\n"), changed] {
        place.write("out/matches.csv", text);
        place.refused("export out --rows -o file.jsonl", &["matches.csv", "is damaged"]);
    }
    let file = File::create(place.path("out/matches.csv")).expect("a file");
    file.set_len(8 << 30).expect("a length");
    place.refused("export out --rows -o file.jsonl", &["matches.csv", "is damaged"]);
    place.write("out/matches.csv", rows);
    assert_eq!(place.done("export out --rows -o file.jsonl"), "20 rows in file.jsonl\n");
}

/// Calls the program behind some words of bash.
fn behind(place: &Place, before: &str, line: &str) -> Done {
    let mut command = Command::new("bash");
    command.current_dir(place.root());
    Done::of(command.args(["-c", &format!("{before} exec '{PROGRAM}' {line}")]))
}

#[test]
fn limits_of_the_system_are_errors() {
    let place = Place::new();
    let rows = "simulate on-the-road --agents random --matches 400 --rows csv --quiet --out out";
    let done = behind(&place, "ulimit -f 8;", rows);
    assert_eq!(done.code, Some(2), "{}", done.err);
    assert!(done.err.contains("File too large"), "{}", done.err);
    let done = behind(&place, "", "--help >/dev/full");
    assert_eq!(done.code, Some(2));
    assert!(done.err.contains("standard output"), "{}", done.err);
    // No thread of this size can be started; progress is not shown then.
    let line = "simulate on-the-road --agents builder --matches 4 --threads 1 --format csv";
    let few = behind(&place, "export RUST_MIN_STACK=1000000000000000;", line);
    assert_eq!((few.code, few.out), (Some(0), place.done(line)), "{}", few.err);
    // The same of threads that think: others think for them.
    let trees = "simulate on-the-road --agents mcts:iterations=40:trees=2 --matches 1 --threads 1 \
                 --format csv";
    let line = format!("{trees} --think-threads 2");
    let few = behind(&place, "export RUST_MIN_STACK=1000000000000000;", &line);
    assert_eq!((few.code, few.out), (Some(0), place.done(trees)), "{}", few.err);
}

#[test]
fn terminals_obey_no_names_and_shells_read_paths_as_they_are() {
    let place = Place::new();
    fs::copy("strategies/warlord.toml", place.path("e\u{1b}[2J.toml")).expect("a strategy");
    let words = ["simulate", "on-the-road", "--agents", "e\u{1b}[2J.toml", "--matches", "2"];
    let refused = Done::of(Command::new(PROGRAM).current_dir(place.root()).args(words));
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("control characters"), "{}", refused.err);
    place.done("simulate on-the-road --agents builder --matches 8 --quiet --out out");
    for (at, value) in [("/agents/0/name", json!("\u{1b}[2J")), ("/game", json!("a\u{9b}2J"))] {
        place.copy("out", "bad");
        place.alter("bad", at, value);
        for line in ["status bad", "analyze bad", "replay bad 0.0"] {
            let done = place.call(line);
            assert_eq!(done.code, Some(2), "{line}");
            assert!(!(done.out + &done.err).contains(['\u{1b}', '\u{9b}']), "{line}");
        }
    }
    let odd = place.path("it's\u{1b}[2J mine");
    crate::support::copy(&place.path("out"), &odd);
    let mut manifest = place.manifest("out");
    manifest["played"]["complete"] = json!(false);
    fs::write(odd.join("manifest.json"), sealed(manifest)).expect("a file");
    let mut status = Command::new(PROGRAM);
    let said = Done::of(status.current_dir(place.root()).arg("status").arg("it's\u{1b}[2J mine"));
    assert!(said.out.contains(r"`fairhaven resume $'it\'s\033[2J mine'`"), "{}", said.out);
    assert!(!said.out.contains('\u{1b}'), "{}", said.out);
}

#[test]
fn a_name_in_a_table_is_no_formula() {
    let place = Place::new();
    fs::copy("strategies/warlord.toml", place.path("=1+1.toml")).expect("a strategy");
    place.done(
        "simulate on-the-road --agents =1+1.toml,builder --matches 4 --rows csv --quiet --out out",
    );
    for name in ["agents.csv", "matches.csv"] {
        let text = place.read(&format!("out/{name}"));
        assert!(text.contains(",'=1+1.toml,") || text.contains("\n'=1+1.toml,"), "{name}: {text}");
        assert!(!text.contains(",=") && !text.contains("\n="), "{name}");
    }
    assert!(place.done("analyze out --format csv").contains(",'=1+1.toml,"));
    place.done("verify out --sample 4");
    place.done("export out --rows -o rows.jsonl");
}

#[test]
fn what_a_death_leaves_of_a_replacement_or_an_addition_is_explained_and_finished() {
    let place = Place::new();
    let line = "tournament on-the-road builder random drifter --players 3 --blocks 6 --quiet";
    place.done(&format!("{line} --out old"));
    place.done(&format!("{line} --seed 2 --out new"));
    // The old run lies in the new one until all of its files are gone.
    crate::support::copy(&place.path("old"), &place.path("new/replaced.partial"));
    fs::remove_file(place.path("new/replaced.partial/manifest.json")).expect("a file");
    let said = place.call("status new");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("`fairhaven resume new` removes that"), "{}", said.out);
    place.done("resume new --quiet");
    assert!(!place.path("new/replaced.partial").exists());
    // Set aside, and not yet replaced.
    fs::rename(place.path("new"), place.path("new.partial")).expect("a rename");
    place.write("new.partial/replaces", "");
    crate::support::copy(&place.path("old"), &place.path("new.partial/replaced.partial"));
    assert_eq!(place.call("status new").code, Some(4));
    place.done("resume new --quiet");
    assert_eq!(place.names(), ["new", "old"]);
    assert!(!place.path("new/replaced.partial").exists());
    assert_eq!(place.manifest("new")["seed"], 2);
}
