//! Each call to the file system in turn is the last one, or fails: what the command leaves is resumed, or made
//! again, to the same bytes, and what is not its own is untouched. `faults.c` makes the calls fail.
//!
//! `FAIRHAVEN_FILE_CALLS=all` tries every call. Without it, one in [`STRIDE`] is tried.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use crate::support::{Done, Guard, Left, PROGRAM, Place, copy};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Of so many calls, one is tried where not all are.
const STRIDE: usize = 47;

/// Error numbers of Linux: the disk fails, and it is full.
const EIO: &str = "5";
const ENOSPC: &str = "28";

/// The library that makes calls fail.
static FAULTS: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let place = tempfile::tempdir().expect("a temporary directory");
    let library = place.path().join("faults.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/faults.c");
    let built = Command::new("cc")
        .args(["-O1", "-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(source)
        .status();
    assert!(built.expect("a C compiler, as for building").success(), "{source}");
    (place, library)
});

/// A command that writes.
struct Case<'a> {
    /// Commands that come before it.
    before: &'a [&'a str],
    /// The call at which the last of these is killed, if it is.
    killed_at: Option<usize>,
    /// Where the command is called.
    stands_in: &'a str,
    line: &'a str,
    /// What takes up what it leaves: `resume`, or the same command.
    again: &'a str,
}

const RESUME: &str = "resume out --quiet";

impl<'a> Case<'a> {
    /// A study in a directory of its own.
    const fn of(line: &'a str) -> Case<'a> {
        Case { before: &[], killed_at: None, stands_in: "here", line, again: RESUME }
    }

    /// What stands there before the command.
    fn template(&self) -> Place {
        let place = Place::new();
        fs::create_dir_all(place.path(self.stands_in)).expect("a directory");
        place.write("here/thesis.txt", "mine");
        for (at, line) in self.before.iter().enumerate() {
            let last = at + 1 == self.before.len();
            match self.killed_at.filter(|_| last) {
                Some(call) => {
                    assert_eq!(self.faulty(&place, line, call, "die").1.code, None, "{line}");
                }
                None => assert_eq!(self.call(&place, line).code, Some(0), "{line}"),
            }
        }
        place
    }

    /// The same where no call fails.
    fn whole(&self) -> Left {
        let place = self.template();
        let done = self.call(&place, self.line);
        assert_eq!(done.code, Some(0), "{}: {}", self.line, done.err);
        place.left("here")
    }

    /// The command with a fault at one of its calls, then without. Returns the name of the call, if there were
    /// so many.
    fn with_fault(&self, template: &Place, whole: &Left, at: usize, fault: &str) -> Option<String> {
        let place = Place::new();
        copy(&template.path("here"), &place.path("here"));
        let (told, done) = self.faulty(&place, self.line, at, fault);
        let told = told?;
        let what = format!("{}: {fault} at call {at}, {told}", self.line);
        let dies = matches!(fault, "die" | "half");
        let codes: &[Option<i32>] = if dies { &[None] } else { &[Some(0), Some(2)] };
        assert!(codes.contains(&done.code), "{what}: {:?}\n{}", done.code, done.err);
        assert!(!done.err.contains("panicked"), "{what}: {}", done.err);
        assert_eq!(place.read("here/thesis.txt"), "mine", "{what}");
        // Resumed if there is something to resume, and otherwise called again.
        let mut said = done.err;
        for line in [self.again, self.line, RESUME] {
            if place.left("here") == *whole {
                break;
            }
            let done = self.call(&place, line);
            said = format!("{said}\n{line}: {:?} {}", done.code, done.err);
        }
        let found = place.left("here");
        let names = |left: &Left| left.keys().cloned().collect::<Vec<PathBuf>>();
        assert_eq!(names(&found), names(whole), "{what}\n{said}");
        for (name, bytes) in whole {
            assert!(found[name] == *bytes, "{what}: {} differs\n{said}", name.display());
        }
        Some(told)
    }

    fn command(&self, place: &Place, line: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(place.path(self.stands_in)).args(line.split_whitespace());
        command
    }

    fn call(&self, place: &Place, line: &str) -> Done {
        Done::of(&mut self.command(place, line))
    }

    /// The program with a fault at one of its calls, whose name is then in the file `told`.
    fn faulty_command(&self, place: &Place, line: &str, at: usize, fault: &str) -> Command {
        let mut command = self.command(place, line);
        command.env("LD_PRELOAD", &FAULTS.1).env("FAULT_TOLD", place.path("told"));
        command.env("FAULT_AT", at.to_string()).env("FAULT", fault);
        command
    }

    /// Calls it, and returns the name of the call that had the fault, if there were so many.
    fn faulty(&self, place: &Place, line: &str, at: usize, fault: &str) -> (Option<String>, Done) {
        let done = Done::of(&mut self.faulty_command(place, line, at, fault));
        (fs::read_to_string(place.path("told")).ok(), done)
    }

    /// The command is stopped at one of its calls; meanwhile another process wants to resume the run. Returns
    /// whether it was kept off, if there were so many calls.
    fn with_another(&self, template: &Place, whole: &Left, at: usize) -> Option<bool> {
        let place = Place::new();
        copy(&template.path("here"), &place.path("here"));
        let mut command = self.faulty_command(&place, self.line, at, "stop");
        let mut child = Guard(command.spawn().expect("the program starts"));
        while !place.path("told").exists() {
            if child.0.try_wait().expect("a child").is_some() {
                return None;
            }
            std::thread::yield_now();
        }
        let other = self.call(&place, "resume out");
        let what = format!("{} stopped at call {at}: {}", self.line, other.err);
        let known =
            ["is writing there", "just finished", "complete", "No such file", "nothing to resume"];
        let said = format!("{}{}", other.err, other.out);
        assert!(other.code == Some(0) || known.iter().any(|known| said.contains(known)), "{what}");
        let id = child.0.id().to_string();
        assert!(Command::new("kill").args(["-CONT", &id]).status().is_ok_and(|did| did.success()));
        let ended = child.0.wait().expect("a child");
        assert!(matches!(ended.code(), Some(0 | 2)), "{what}");
        for line in [self.again, self.line] {
            if place.left("here") != *whole {
                self.call(&place, line);
            }
        }
        let left = place.left("here");
        assert!(left.keys().eq(whole.keys()), "{what} {:?}", left.keys());
        assert!(left == *whole, "{what}");
        Some(other.code != Some(0) || other.out.contains("complete"))
    }

    /// Every call in turn, with each fault.
    fn hold(&self, faults: &[&str]) {
        let stride = stride();
        let (template, whole) = (self.template(), self.whole());
        assert!(whole != template.left("here"), "{} writes something", self.line);
        for (number, fault) in faults.iter().enumerate() {
            let first = if stride == 1 { 1 } else { 1 + 2 * number };
            let calls = (first..).step_by(stride);
            let tried = calls.map_while(|at| self.with_fault(&template, &whole, at, fault)).count();
            assert!(tried > 0, "{}: no call was reached", self.line);
        }
    }
}

fn stride() -> usize {
    let all = std::env::var("FAIRHAVEN_FILE_CALLS").is_ok_and(|which| which == "all");
    if all { 1 } else { STRIDE }
}

const ALL: [&str; 4] = ["die", "half", EIO, ENOSPC];

#[test]
fn a_simulation_with_packed_rows() {
    let line = "simulate on-the-road --agents builder,random --matches 8 --rows zst --quiet \
                --threads 1 --save-every 0 --out out";
    Case::of(line).hold(&ALL);
}

#[test]
fn a_run_that_is_resumed() {
    let simulate = "simulate on-the-road --agents builder,random --matches 8 --rows csv --quiet \
                    --threads 1 --save-every 0 --out out";
    let line = "resume out --quiet --threads 1 --save-every 0";
    Case { before: &[simulate], killed_at: Some(60), ..Case::of(line) }.hold(&ALL);
}

#[test]
fn a_run_that_replaces_another() {
    let before = "simulate on-the-road --agents random --matches 4 --quiet --out out";
    let line = "simulate on-the-road --agents builder,random --matches 4 --quiet --threads 1 \
                --force --out out";
    Case { before: &[before], ..Case::of(line) }.hold(&ALL);
}

#[test]
fn a_comparison() {
    let line = "compare on-the-road builder random --matches 24 --look 1 --quiet --threads 1 \
                --save-every 0 --out out";
    Case::of(line).hold(&ALL);
}

#[test]
fn a_study_of_a_choice() {
    let line = "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 2 \
                --quiet --threads 1 --save-every 0 --out out";
    Case::of(line).hold(&ALL);
}

#[test]
fn a_sweep() {
    let line = "sweep on-the-road --param haste --values 0..1/2 --agents heuristic,greedy --blocks 1 \
                --quiet --threads 1 --save-every 0 --out out";
    Case::of(line).hold(&ALL);
}

#[test]
fn a_merge() {
    let before = [
        "simulate on-the-road --agents builder,random --matches 8 --rows csv --quiet --shard 1/2 \
         --out part-1",
        "simulate on-the-road --agents builder,random --matches 8 --rows csv --quiet --shard 2/2 \
         --out part-2",
    ];
    let line = "merge part-1 part-2 --out out --quiet";
    Case { before: &before, again: line, ..Case::of(line) }.hold(&ALL);
}

#[test]
fn a_part_of_a_wave() {
    let line = "compare on-the-road builder random --look 1 --wave 2 --wave-blocks 2 --quiet --threads 1 \
                --save-every 0 --out out";
    Case::of(line).hold(&ALL);
}

#[test]
fn a_merge_of_waves() {
    let before = [
        "compare on-the-road builder random --matches 24 --look 1 --quiet --wave 1 --wave-blocks 2 --out wave-1",
        "compare on-the-road builder random --matches 24 --look 1 --quiet --wave 2 --wave-blocks 2 --out wave-2",
    ];
    let line = "merge wave-1 wave-2 --out out --quiet";
    Case { before: &before, again: line, ..Case::of(line) }.hold(&ALL);
}

#[test]
fn a_course_of_learning() {
    let line = "learn base --matches 1 --players 2 --quiet --threads 1 --save-every 0 --out out";
    Case::of(line).hold(&ALL);
}

#[test]
fn a_run_in_the_directory_that_the_process_stands_in() {
    let line = "simulate on-the-road --agents random --matches 4 --quiet --threads 1 --out .";
    Case { stands_in: "here/volume", again: "resume . --quiet", ..Case::of(line) }.hold(&ALL);
}

/// From the first file of saved matches on, whoever presses Ctrl-C gets an answer: the process is not simply gone.
#[test]
fn an_interrupt_at_any_call() {
    let line = "simulate on-the-road --agents builder,random --matches 8 --rows csv --quiet \
                --threads 1 --save-every 0 --out out";
    let case = Case::of(line);
    let (mut gone, mut answered) = (0, 0);
    for at in (1..).step_by(stride() / 9 + 1) {
        let place = case.template();
        let (Some(call), done) = case.faulty(&place, line, at, "press") else { break };
        if done.code.is_none() {
            gone += 1;
            let saves = place.path("here/out.partial/digests.bin").exists();
            assert!(!saves, "call {at}, {call}: {}", done.err);
        } else {
            answered += 1;
            assert!(matches!(done.code, Some(0 | 130)), "call {at}, {call}: {}", done.err);
        }
    }
    assert!(answered > gone, "{answered} answered, {gone} gone");
}

#[test]
fn two_processes_that_resume_one_run() {
    let simulate = "simulate on-the-road --agents builder,random --matches 8 --rows csv --quiet \
                    --threads 1 --save-every 0 --out out";
    let line = "resume out --quiet --threads 1 --save-every 0";
    let case = Case { before: &[simulate], killed_at: Some(60), ..Case::of(line) };
    let (template, whole) = (case.template(), case.whole());
    let tried = (1..).step_by(stride() / 4 + 1);
    let kept_off: Vec<bool> =
        tried.map_while(|at| case.with_another(&template, &whole, at)).collect();
    // From the moment that the lock is taken, until the result can be seen and after.
    let from = kept_off.iter().position(|kept_off| *kept_off).expect("it takes the lock");
    assert!(kept_off.len() > from + 2 && kept_off[from..].iter().all(|kept_off| *kept_off));
}
