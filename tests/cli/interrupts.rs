//! Ctrl-C: what was played is saved, the tables are whole, and the exit code says so. The tests wait for
//! events, never for times.

use crate::searches::{killed, whole};
use crate::support::{Guard, Place, length, records, some, wait_until};
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::run::caller::{Begun, Caller, Progress};
use fairhaven::lab::run::existing::resume;
use fairhaven::registry::Games;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command};
use std::time::Duration;

/// Starts or resumes a run with rows in `out`, and interrupts it once more chunks are on disk.
fn interrupt(place: &Place, line: &str) {
    let digests = place.path("out.partial/digests.bin");
    let had = length(&place.path("out/digests.bin"));
    let mut child = place.start(&format!("{line} --save-every 0"));
    wait_until(&mut child, || length(&digests) > had);
    press_ctrl_c(&child);
    let output = child.wait_with_output().expect("a child");
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(!err.contains("panicked"), "{err}");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(err.contains("in progress; press Ctrl-C again to stop at once.\n"), "{err}");
    // Where there is no summary, the exit code is explained on standard error.
    let explained = if line.contains("--quiet") { &err } else { &said };
    assert!(explained.contains("Interrupted"), "{explained}");
    assert!(explained.contains("fairhaven resume out\n"), "{explained}");
    assert_eq!(said.is_empty(), line.contains("--quiet"), "{said}");
    assert!(!place.path("out.partial").exists(), "nothing half-written");
    assert!(!place.path("out/lock").exists());
}

/// Reads what a process says on standard error up to a line with some words.
fn read_until(child: &mut Child, words: &str) -> BufReader<ChildStderr> {
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains(words) {
        line.clear();
        assert!(err.read_line(&mut line).expect("UTF-8") > 0, "it ended without `{words}`");
    }
    err
}

fn press_ctrl_c(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("`kill` can be called").success());
}

#[test]
fn an_interrupted_run_leaves_whole_tables_of_the_blocks_played() {
    let place = Place::new();
    interrupt(
        &place,
        "simulate on-the-road --agents heuristic --matches 1m --seed 5 --rows csv --out out",
    );
    let manifest = place.manifest("out");
    assert_eq!(manifest["played"]["complete"], false);
    let blocks = manifest["played"]["blocks"].as_u64().expect("a number");
    assert!(blocks > 0 && blocks < 1_000_000, "{blocks} blocks");
    assert_eq!(manifest["played"]["matches"], blocks);
    for (name, bytes) in place.tables("out") {
        let rows = records(&bytes);
        if name == "matches.csv" {
            assert_eq!(rows.len() as u64, 1 + blocks);
            let numbers = rows[1..].iter().map(|row| row[0].parse::<u64>().expect("a block"));
            assert!(numbers.eq(0..blocks), "the first blocks, in order");
            continue;
        }
        let at = rows[0].iter().position(|column| column == "n_blocks").expect("a column");
        // A row may rest on fewer blocks than were played, and some row of each table rests on all.
        let counted = rows[1..].iter().map(|row| row[at].parse::<u64>().expect("a number"));
        assert_eq!(counted.max(), Some(blocks), "{name}");
    }
    place.done("replay out 0.0");
    place.refused(&format!("replay out {blocks}.0"), &["no block"]);
}

#[test]
fn an_interrupted_run_equals_a_run_of_so_many_blocks() {
    // Up to 2047 blocks, a chunk is one block, whatever the plan.
    let place = Place::new();
    let line = "simulate on-the-road --agents mcts:iterations=40,builder --set side=b --seed 6";
    interrupt(&place, &format!("{line} --matches 4k --rows csv --out out"));
    let manifest = place.manifest("out");
    assert_eq!(manifest["plan"]["chunk"], 1);
    let matches = manifest["played"]["matches"].as_u64().expect("a number");
    assert!(matches < 4000, "interrupted too late");
    place.done(&format!("{line} --matches {matches} --rows csv --quiet --out again"));
    assert_eq!(place.manifest("again")["played"]["complete"], true);
    assert_eq!(place.tables("out"), place.tables("again"));
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_goes_on() {
    let games = Games::standard();
    for (name, rows) in some(&games.names()).into_iter().zip(["csv", "zst"].into_iter().cycle()) {
        let place = Place::new();
        let facts = games.get(name).expect("a game").facts();
        let players = facts.players.end().min(&3);
        let line = format!(
            "simulate {name} --agents heuristic --players {players} --set turns_max=20 --matches 300 --rows {rows}"
        );
        place.done(&format!("{line} --quiet --out whole"));
        interrupt(&place, &format!("{line} --out out"));
        let blocks = |place: &Place| place.manifest("out")["played"]["blocks"].as_u64();
        let first = blocks(&place);
        interrupt(&place, "resume out --threads 1");
        assert!(blocks(&place) > first, "it has gone on");
        let said = place.done("resume out");
        assert!(said.contains("300 matches in 300 blocks"), "{said}");
        place.same("out", "whole");
        let said = place.done("resume out");
        assert_eq!(said, "`out` is complete; nothing to play.\n");
        place.same("out", "whole");
    }
}

#[test]
fn an_interrupted_tournament_is_resumed() {
    let place = Place::new();
    let line = "tournament on-the-road heuristic greedy builder random --players 3 --blocks 120";
    place.done(&format!("{line} --quiet --out whole"));
    interrupt(&place, &format!("{line} --out out"));
    let blocks = place.manifest("out")["played"]["blocks"].as_u64().expect("a number");
    assert!((1..120).contains(&blocks), "{blocks} blocks");
    place.done("resume out --quiet");
    place.same("out", "whole");
}

#[test]
fn an_interrupted_part_is_gone_on_with_and_merged() {
    let place = Place::new();
    let line = "simulate on-the-road --agents heuristic --matches 500 --rows csv --quiet";
    place.done(&format!("{line} --shard 2/2 --out two"));
    interrupt(&place, &format!("{line} --shard 1/2 --out out"));
    place.refused(
        "merge out two --out all",
        &["part `out` is not complete", "fairhaven resume out"],
    );
    place.done("resume out --quiet");
    place.done("merge two out --quiet --out all");
    place.done(&format!("{line} --out whole"));
    place.same("all", "whole");
}

#[test]
fn a_search_that_would_take_hours_is_dropped_at_once() {
    let place = Place::new();
    let line = "simulate on-the-road --agents mcts:iterations=10000000 --matches 20 --threads 2";
    let mut child = Guard(place.start(&format!("{line} --out out")));
    wait_until(&mut child.0, || place.path("out.partial/digests.bin").exists());
    press_ctrl_c(&child.0);
    // Without it, a block would take hours.
    let mut err = read_until(&mut child.0, "Dropping ");
    assert_eq!(child.0.wait().expect("a child").code(), Some(130));
    let mut rest = String::new();
    err.read_to_string(&mut rest).expect("UTF-8");
    assert!(!rest.contains("panicked"), "{rest}");
    assert_eq!(place.names(), ["out"]);
    assert_eq!(place.manifest("out")["played"]["blocks"], 0);
}

#[test]
fn pressing_on_ends_it_and_leaves_a_run_that_can_be_resumed() {
    let place = Place::new();
    let line = "simulate on-the-road --agents heuristic --matches 2k --rows csv --quiet";
    let mut child = Guard(place.start(&format!("{line} --out out --save-every 0")));
    wait_until(&mut child.0, || length(&place.path("out.partial/sums.bin")) > 0);
    let code = loop {
        press_ctrl_c(&child.0);
        if let Some(status) = child.0.try_wait().expect("a child") {
            break status.code();
        }
    };
    assert_eq!(code, Some(130));
    place.done("resume out --quiet");
    place.done(&format!("{line} --out whole"));
    place.same("out", "whole");
}

/// Who hears that the last match has been played, and looks how long a file is then.
struct AtTheEnd {
    file: PathBuf,
    found: Option<u64>,
}

impl Progress for AtTheEnd {
    fn begin(&mut self, _: &Begun<'_>) {}

    fn set(&mut self, _: u64, _: &dyn Fn() -> Option<String>) {}

    fn end(&mut self) {
        self.found = Some(length(&self.file));
    }
}

/// From then on a press of Ctrl-C ends the process at once, and says that what was played is kept.
#[test]
fn all_that_was_played_is_saved_before_its_end_is_told() {
    let catalogue = Catalogue::standard();
    let place = whole();
    killed(&place, 0);
    let line = "simulate on-the-road --agents random --matches 400 --quiet --save-every 1000";
    let mut child = Guard(place.start(&format!("{line} --out study")));
    wait_until(&mut child.0, || place.path("study.partial/digests.bin").exists());
    drop(child);
    if !place.path("study.partial").exists() {
        return; // It was too quick to be killed.
    }
    let log = length(&place.path("whole/stages.jsonl"));
    for (run, name, due) in [("study", "digests.bin", 4 * 400), ("out", "stages.jsonl", log)] {
        let file = place.path(&format!("{run}.partial/{name}"));
        let mut progress = AtTheEnd { file, found: None };
        let caller = Caller {
            catalogue: &catalogue,
            watch: Watch::none(),
            progress: &mut progress,
            save_every: Duration::MAX,
            command: Vec::new(),
        };
        resume(&place.path(run), caller).expect("a run to resume");
        assert_eq!(progress.found, Some(due), "{run}");
    }
}
