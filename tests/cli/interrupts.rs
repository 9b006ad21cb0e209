//! Ctrl-C: what is being played is finished, the tables are whole, and the exit code says so. The tests
//! wait for events, never for times.

use crate::support::PROGRAM;
use crate::support::Place;
use crate::support::records;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

/// Starts a run with rows in `out`, and interrupts it once the first rows are on the disk.
fn interrupt(place: &Place, line: &str) {
    let child = Command::new(PROGRAM)
        .current_dir(place.root())
        .args(line.split_whitespace())
        .args(["--rows", "csv", "--out", "out"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the program starts");
    let rows = place.path("out.partial/matches.csv");
    while std::fs::metadata(&rows).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    press_ctrl_c(&child);
    let output = child.wait_with_output().expect("a child");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(!err.contains("panicked"), "{err}");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.contains("Interrupted"), "{said}");
    assert_eq!(place.names(), ["out"], "nothing half-written");
}

fn press_ctrl_c(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("`kill` can be called").success());
}

#[test]
fn an_interrupted_run_leaves_whole_tables_of_the_blocks_played() {
    let place = Place::new();
    interrupt(&place, "simulate on-the-road --agents heuristic --matches 1m --seed 5");
    let manifest = place.manifest("out");
    assert_eq!(manifest["played"]["complete"], false);
    let blocks = manifest["played"]["blocks"].as_u64().expect("a number");
    assert!(blocks > 0 && blocks < 1_000_000, "{blocks} blocks");
    assert_eq!(manifest["played"]["matches"], blocks);
    let chunk = manifest["plan"]["chunk"].as_u64().expect("a number");
    assert_eq!(blocks % chunk, 0, "whole chunks");
    for (name, bytes) in place.tables("out") {
        let rows = records(&bytes);
        if name == "matches.csv" {
            assert_eq!(rows.len() as u64, 1 + blocks);
            let numbers = rows[1..].iter().map(|row| row[0].parse::<u64>().expect("a block"));
            assert!(numbers.eq(0..blocks), "the first blocks, in order");
            continue;
        }
        let at = rows[0].iter().position(|column| column == "n_blocks").expect("a column");
        assert!(rows.len() > 1 && rows[1..].iter().all(|row| row[at] == blocks.to_string()));
    }
    place.done("replay out 0.0");
    place.refused(&format!("replay out {blocks}.0"), &["no block"]);
}

#[test]
fn an_interrupted_run_equals_a_run_of_so_many_blocks() {
    // Up to 2047 blocks, a chunk is one block, whatever the plan.
    let place = Place::new();
    let line = "simulate on-the-road --agents mcts:iterations=40,builder --set side=b --seed 6";
    interrupt(&place, &format!("{line} --matches 4k"));
    let manifest = place.manifest("out");
    assert_eq!(manifest["plan"]["chunk"], 1);
    let matches = manifest["played"]["matches"].as_u64().expect("a number");
    assert!(matches < 4000, "interrupted too late");
    place.done(&format!("{line} --matches {matches} --rows csv --quiet --out again"));
    assert_eq!(place.manifest("again")["played"]["complete"], true);
    assert_eq!(place.tables("out"), place.tables("again"));
}
