//! `status`: how far runs and parts are, what is missing, and how long it will take.

use crate::cli::commands::host::catalogue;
use crate::cli::commands::interrupt::resume_command;
use crate::cli::commands::progress::duration;
use crate::cli::commands::run::Output;
use crate::cli::commands::runs::UNDECIDED;
use crate::cli::runs::Status as Args;
use crate::lab::divide::status::{self, Left, Progress, Set, State, Status};
use crate::lab::report::figures::{fixed, grouped};
use crate::lab::store::quoted::quoted;
use crate::words::lists::plural;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The exit code of directories that can't be read.
const UNREADABLE: u8 = 2;

/// How many ranges of missing parts are printed.
const RANGES: usize = 9;

/// Says how far runs are. What can't be read is said beside what can.
pub fn run(args: &Args) -> Output {
    let found = status::status(catalogue(), &args.runs);
    let code = match (found.faults.is_empty(), found.is_complete()) {
        (false, _) => UNREADABLE,
        (true, false) => UNDECIDED,
        (true, true) => 0,
    };
    let err = found.faults.iter().flat_map(|fault| ["fairhaven: ", fault, "\n"]).collect();
    let text = if args.json { format!("{:#}\n", machine(&found)) } else { text(&found) };
    Output { err, ..Output::new(text, code) }
}

/// A line for each run, but for parts that are complete; and lines for each set of parts.
fn text(found: &Status) -> String {
    let mut text = String::new();
    for run in &found.runs {
        if run.is_whole() || run.state != State::Complete || run.left.is_some() {
            text.push_str(&line(run));
        }
    }
    for set in &found.sets {
        text.push_str(&paragraph(set));
    }
    text
}

/// How a run stands.
fn line(run: &Progress) -> String {
    let (path, resume) = (quoted(&run.path), resume_command(&run.path, run.has_guests));
    let what = if run.is_whole() { run.title.clone() } else { run.part() };
    let most = if run.at_most && run.state != State::Complete { "at most " } else { "" };
    let blocks = format!(
        "{} of {most}{} {}",
        grouped(run.blocks),
        grouped(run.all),
        plural(run.all, "block")
    );
    let mut line = format!("{path}: {what}: ");
    let left = || run.left_s().map_or(String::new(), |left| format!(", {} left", duration(left)));
    let _ = match run.state {
        State::Complete => {
            let left =
                run.left.map_or(String::new(), |left| format!("; {}", to_finish(left, &resume)));
            let unit = plural(run.blocks, "block");
            writeln!(line, "complete, {} {unit}{left}", grouped(run.blocks))
        }
        State::Written(process) => {
            writeln!(line, "running (process {process}): {blocks}{}", left())
        }
        State::Stopped => {
            writeln!(line, "stopped, {blocks}{}; `{resume}`", left())
        }
    };
    line
}

/// What a process that is gone has left to do.
fn to_finish(left: Left, resume: &str) -> String {
    match left {
        Left::Replaced => {
            format!("the run that it replaced is still in it: `{resume}` removes that")
        }
        Left::Joining => format!("new line-ups alone: `{resume}` joins them to the tournament"),
    }
}

/// How the parts of a run or of a wave stand together.
fn paragraph(set: &Set) -> String {
    let wave = set.wave.map_or(String::new(), |wave| format!(", wave {}", wave.number));
    let [complete, played, stopped] = set.counts;
    let (parts, title) = (grouped(set.parts), &set.title);
    let share = fixed(100.0 * set.blocks as f64 / set.all.max(1) as f64, 1);
    let mut text = format!("{title}{wave}: {} of {parts} parts are complete", grouped(complete));
    for (count, what) in [(played, "being played"), (stopped, "stopped")] {
        if count > 0 {
            let _ = write!(text, ", {} {what}", grouped(count));
        }
    }
    let unit = plural(set.all, "block");
    let _ =
        writeln!(text, "\n  {} of {} {unit} ({share} %)", grouped(set.blocks), grouped(set.all));
    if !set.missing.is_empty() {
        let _ = writeln!(text, "  missing: part {}", ranges(&set.missing));
    }
    if let Some(left) = set.left_s() {
        let together = if played > 1 {
            format!("; by the {played} that are played now, {}", duration(left / played as f64))
        } else {
            String::new()
        };
        let _ = writeln!(text, "  left: {} for one part after the other{together}", duration(left));
    }
    text
}

/// Numbers as ranges: `3, 7 to 64`.
fn ranges(all: &[(u64, u64)]) -> String {
    let range = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let named: Vec<String> = all.iter().take(RANGES).map(range).collect();
    let more = if all.len() > RANGES { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

/// The same for programs.
fn machine(found: &Status) -> Value {
    let run = |run: &Progress| {
        let (state, process) = match run.state {
            State::Complete => ("complete", None),
            State::Written(process) => ("played", Some(process)),
            State::Stopped => ("stopped", None),
        };
        json!({
            "path": run.path.to_string_lossy(),
            "design": format!("{:016x}", run.design),
            "title": run.title,
            "build": run.build,
            "wave": run.wave,
            "shard": run.shard,
            "state": state,
            "process": process,
            "blocks": run.blocks,
            "blocks_all": run.all,
            "may_stop": run.at_most,
            "left_s": run.left_s(),
        })
    };
    let set = |set: &Set| {
        let [complete, played, stopped] = set.counts;
        json!({
            "design": format!("{:016x}", set.design),
            "title": set.title,
            "wave": set.wave,
            "parts": set.parts,
            "complete": complete,
            "played": played,
            "stopped": stopped,
            "missing": set.missing,
            "blocks": set.blocks,
            "blocks_all": set.all,
            "left_s": set.left_s(),
        })
    };
    json!({
        "complete": found.is_complete(),
        "runs": found.runs.iter().map(run).collect::<Vec<Value>>(),
        "sets": found.sets.iter().map(set).collect::<Vec<Value>>(),
        "faults": found.faults,
    })
}
