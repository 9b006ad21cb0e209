//! Threads that don't fit into memory, and complaints about very long input: short errors, never a panic.

use crate::support::{Done, PROGRAM, Place, all_cases, some};
use std::ffi::OsStr;
use std::process::Command;

/// Plays a few matches with limited memory, in KiB, and this number of threads by flag and by variable.
fn played(memory: u32, flag: Option<&str>, variable: Option<&str>) -> Done {
    let script = format!("ulimit -v {memory}; exec timeout -s KILL 60 \"$0\" \"$@\"");
    let mut command = Command::new("bash");
    command.args(["-c", &script, PROGRAM, "simulate", "on-the-road"]);
    command.args(["--agents", "random", "--matches", "40", "--quiet"]);
    command.args(flag.iter().flat_map(|threads| ["--threads", threads]));
    command.env_remove("RAYON_NUM_THREADS");
    command.envs(variable.map(|threads| ("RAYON_NUM_THREADS", threads)));
    let output = command.output().expect("`bash` can be called");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Done { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn threads_that_do_not_fit_into_memory_are_an_error() {
    // From what hardly starts the program to just under what 1024 stacks of 2 MiB need.
    for memory in [60_000, 100_000, 300_000, 1_048_576, 2_200_000, 2_600_000] {
        let done = played(memory, Some("1024"), None);
        assert_eq!(done.code, Some(2), "{memory}: {}", done.err);
        assert!(done.err.contains("1024 threads can't be started"), "{memory}: {}", done.err);
        assert!(!done.err.contains("panicked"), "{memory}: {}", done.err);
    }
    assert_eq!(played(1_048_576, Some("2"), None).code, Some(0));
    // The last of the stacks fits in, and the signal stack beside it does not: once every 2 MiB, for some KiB.
    let steps = (2_400_000..2_400_000 + 2048).step_by(8);
    for memory in steps.take(if all_cases() { 256 } else { 8 }) {
        let done = played(memory, Some("1024"), None);
        assert_eq!(done.code, Some(2), "{memory}: {}", done.err);
    }
}

#[test]
fn the_variable_of_threads_has_the_limits_of_the_flag() {
    for (threads, part) in [
        ("65536", "`65536` is not in 1 to 1024"),
        ("0", "`0` is not in 1 to 1024"),
        ("many", "`many` is not a whole number"),
    ] {
        let done = played(1_048_576, None, Some(threads));
        assert_eq!(done.code, Some(2), "{threads}: {}", done.err);
        let named = format!("RAYON_NUM_THREADS: {part}");
        assert!(done.err.contains(&named), "{threads}: {}", done.err);
        // What is asked for on the command line counts.
        assert_eq!(played(1_048_576, Some("2"), Some(threads)).code, Some(0), "{threads}");
    }
    for threads in ["2", ""] {
        assert_eq!(played(1_048_576, None, Some(threads)).code, Some(0), "{threads}");
    }
}

/// The lines of a match of the boats are tens of megabytes; what is kept of them is a few.
#[test]
fn an_export_keeps_little_of_a_long_match_in_memory() {
    let place = Place::new();
    place.done("simulate boats --agents random --set turns_max=200 --matches 4 --out run --quiet");
    let script = "ulimit -v 240000; exec timeout -s KILL 60 \"$0\" \"$@\"";
    let mut command = Command::new("bash");
    command.args(["-c", script, PROGRAM, "export", "run", "-o", "all.jsonl", "--quiet"]);
    command.args(["--matches", "1", "--threads", "1"]);
    let output = command.current_dir(place.path(".")).output().expect("`bash` can be called");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(place.read("all.jsonl").len() > 40_000_000);
}

/// The words are refused in a message of at most some lines.
fn refused_shortly(place: &Place, words: &[&str], part: &str) {
    let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    let done = place.bounded_words(&words);
    let start: String = done.err.chars().take(2000).collect();
    assert_eq!(done.code, Some(2), "{start}");
    assert!(done.err.contains(part), "no `{part}` in {start}");
    assert!(done.err.len() < 3000, "{} bytes: {start}", done.err.len());
}

#[test]
fn long_lines_are_not_echoed() {
    let place = Place::new();
    let long = "x".repeat(1_000_000);
    let arg = "y".repeat(100_000);
    let simulate = ["simulate", "on-the-road", "--matches", "40"];
    let refused = |more: &[&str], part: &str| {
        refused_shortly(&place, &[&simulate[..], more].concat(), part);
    };
    for text in some(&[
        format!("side = {long}"),
        format!("side = \"{long}\""),
        format!("{long} = 1"),
        format!("\"{long}\" = 1"),
        format!("[{long}"),
        "[a]\n".repeat(200_000),
        "a=[".repeat(300_000),
        "[".repeat(1_000_000),
        "a.".repeat(500_000) + "a = 1",
        format!("[{}a]", "a.".repeat(500_000)),
        format!("a = {}", "{a=".repeat(300_000)),
    ]) {
        place.write("long.toml", text);
        for flag in ["--rules", "--agents"] {
            refused(&[flag, "long.toml"], "long.toml");
        }
    }
    place.write("kind.toml", format!("kind = \"{long}\"\nabout = \"\"\nprovenance = \"\"\n"));
    refused(&["--agents", "kind.toml"], "no agent `xxx");
    for set in some(&[
        arg.clone(),
        format!("{arg}=1"),
        format!("side={arg}"),
        "[".repeat(100_000) + "=1",
        format!("side={}", "[".repeat(100_000)),
    ]) {
        refused(&["--set", &set], &set[..3]);
    }
    for (agents, part) in some(&[
        (arg.clone(), "yyy`; there are random"),
        (format!("heuristic:{arg}=1"), "heuristic:yyy"),
        (format!("heuristic:haste={arg}"), "haste"),
        (vec!["random"; 10_000].join(","), "too many agents"),
    ]) {
        refused(&["--agents", &agents], part);
    }
    refused(&["--require", &arg], "it has 100000 bytes; 4096 are the most");
    refused(&["--require", &arg[..4000]], "yyy");
    place.write("long.jsonl", format!("{{\"{long}\": 1}}"));
    for format in ["jsonl", "catanatron"] {
        let words = ["replay", "--check", "--format", format, "long.jsonl"];
        refused_shortly(&place, &words, "line 1");
    }
}

#[test]
fn long_words_are_not_echoed() {
    let place = Place::new();
    let arg = "y".repeat(100_000);
    let flags = ["--matches", "--seed", "--threads", "--players", "--shard", "--rows", "--nothing"];
    for flag in some(&flags) {
        let words = ["simulate", "on-the-road", "--matches", "40", flag, &arg];
        refused_shortly(&place, &words, flag);
    }
    for (words, part) in some::<(&[&str], &str)>(&[
        (&["simulate", &arg], "no game `yyy"),
        (&[&arg], "yyy"),
        (&["resume", &arg], "yyy"),
        (&["replay", "run", &arg], "yyy"),
        (&["schema", &arg], "yyy"),
    ]) {
        refused_shortly(&place, words, part);
    }
}

/// What a manifest holds is not echoed whole either, nor does it reach the terminal as it is.
#[test]
fn long_and_colourful_manifests_are_not_echoed() {
    let place = Place::new();
    place.done("simulate on-the-road --agents random --matches 40 --quiet --out run");
    let whole = place.read("run/manifest.json");
    let long = "x".repeat(1_000_000);
    for at in ["/game", "/agents/0/kind", "/variants/0/name", "/files/0/name", "/schema_version"] {
        place.alter("run", at, long.clone().into());
        for command in some(&["resume run", "analyze run", "verify run", "replay run 0.0"]) {
            let done = place.bounded(command);
            assert!(done.err.len() < 3000, "{at}: {command}: {} bytes", done.err.len());
            assert!([Some(0), Some(2)].contains(&done.code), "{at}: {command}");
        }
        place.write("run/manifest.json", &whole);
    }
    place.alter("run", "/game", "\u{1b}[2J\u{1b}]0;mine\u{7}".into());
    let done = place.bounded("analyze run");
    assert!(done.code == Some(2) && !done.err.contains('\u{1b}'), "{:?}", done.err);
}
