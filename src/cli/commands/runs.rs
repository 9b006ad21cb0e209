//! Commands about existing runs: `resume`, `merge` and `analyze`.

use crate::cli::commands::host::catalogue;
use crate::cli::commands::interrupt::INTERRUPTED;
use crate::cli::commands::process::command_line;
use crate::cli::commands::progress::Shown;
use crate::cli::commands::run::{FAILED, Output, caller, failing};
use crate::cli::commands::{summary, threads};
use crate::cli::runs::{Analyze, Merge, Resume};
use crate::lab::divide::addition::{self, Waiting};
use crate::lab::divide::merge::{self, Merged};
use crate::lab::report::manifest::{BUILD, Wave};
use crate::lab::run::existing::{self, Resumed};
use crate::lab::run::{Finished, Settings};
use crate::lab::store::quoted::quoted;
use anyhow::{Context, Result};
use std::fmt::Write as _;

/// Resumes a run.
///
/// # Errors
/// If there is nothing to resume, or what is there is damaged.
pub fn resume(args: &Resume) -> Result<Output> {
    threads::start(args.threads)?;
    let mut shown = Shown::new(args.printing.quiet);
    let silent = args.printing.is_silent();
    if let Some(joined) = joined(args)? {
        return Ok(joined);
    }
    match existing::resume(&args.run, caller(&mut shown, args.save_every))? {
        Resumed::Complete(rebuilt) => {
            let name = args.run.display();
            let text = if rebuilt.is_empty() {
                format!("`{name}` is complete; nothing to play.\n")
            } else {
                let rebuilt = rebuilt.join(", ");
                format!(
                    "`{name}` is complete. Not as the run wrote them, and rebuilt from its sums: {rebuilt}\n"
                )
            };
            // The process may have been killed before it has judged them.
            let judged = existing::to_judge(catalogue(), &args.run)?;
            let failing = judged.as_ref().map_or(String::new(), |run| failing(&run.judged));
            let has_failed = judged.is_some_and(|run| run.asked.has_failed(&run.tables));
            let found = if has_failed {
                let again = quoted(&args.run);
                format!(
                    "It has not found all that was asked for: `fairhaven analyze {again}` has its answer.\n"
                )
            } else {
                String::new()
            };
            let code = if failing.is_empty() && !has_failed { 0 } else { FAILED };
            Ok(if silent {
                Output::failed(failing, code)
            } else {
                Output::new(text + &found + &failing, code)
            })
        }
        Resumed::Played { finished, abandoned_by, with_zeros } => {
            let joined = joined(args)?;
            let mut said = joined.unwrap_or_else(|| Output::of(&finished, args.printing));
            if with_zeros > 0 && !silent {
                let text = format!(
                    "The end of the log had zeros in it, as a power cut leaves them: {with_zeros} bytes were cut off, and \
                     their matches were played again.\n\n"
                );
                said.text.insert_str(0, &text);
            }
            if let Some(process) = abandoned_by.filter(|_| !silent) {
                let text =
                    format!("Process {process}, which was writing the run, is gone; resumed.\n\n");
                said.text.insert_str(0, &text);
            }
            Ok(said)
        }
    }
}

/// Line-ups for a tournament that were played, and not joined with it because their process is gone.
fn joined(args: &Resume) -> Result<Option<Output>> {
    let Some(Waiting { earlier, command, require }) = addition::waiting(catalogue(), &args.run)
    else {
        return Ok(None);
    };
    let settings =
        Settings { out: Some(args.run.clone()), force: true, require, ..Settings::default() };
    let (old, new) = (quoted(&earlier), quoted(&args.run));
    let joined = addition::join(catalogue(), &earlier, &args.run, &settings, command).with_context(|| {
        format!(
            "all new line-ups in `{new}` have been played, but can't be joined with `{old}`; where it lies now, \
             `fairhaven merge OLD {new} --out DIR` joins them"
        )
    })?;
    Ok(Some(Output::of(&joined, args.printing)))
}

/// Rebuilds the tables of a run.
///
/// # Errors
/// If its sums can't be read or the tables can't be written.
pub fn analyze(args: &Analyze) -> Result<Output> {
    let finished = existing::analyze(catalogue(), &args.run, &args.require)?;
    let Finished { manifest, judged, .. } = &finished;
    let printing = args.printing;
    let shown = || summary::summary(&finished, printing);
    let mut text = if printing.quiet { String::new() } else { shown() };
    if !printing.is_silent() && manifest.build != BUILD {
        text.push_str(
            "\nThe sums are of another build of the program; the tables are of this one.\n",
        );
    }
    let mut err = if printing.is_silent() { failing(judged) } else { String::new() };
    let open = !judged.is_empty() && !manifest.played.complete;
    if open {
        err.push_str(
            "The run is not complete: these thresholds are judged by the blocks so far.\n",
        );
    }
    let fails = judged.iter().any(|(_, holds)| !holds);
    let code = match (fails, open) {
        (true, _) => FAILED,
        (false, true) => INTERRUPTED,
        (false, false) => 0,
    };
    Ok(Output { err, ..Output::coloured(text, code) })
}

/// The exit code of waves that don't decide their run yet.
pub const UNDECIDED: u8 = 4;

/// Joins parts.
///
/// # Errors
/// If a part is missing, of another run, of another build, not complete or damaged, or two of the same part differ.
pub fn merge(args: &Merge) -> Result<Output> {
    let settings = Settings {
        out: Some(args.out.clone()),
        force: args.force,
        require: args.require.clone(),
        ..Settings::default()
    };
    if let Some(new) = addition::place_of(catalogue(), &args.parts)? {
        let (earlier, new) = (&args.parts[1 - new], &args.parts[new]);
        let joined = addition::join(catalogue(), earlier, new, &settings, command_line())?;
        return Ok(Output::of(&joined, args.printing));
    }
    let Merged { finished, said, next } =
        merge::merge(catalogue(), &args.parts, &settings, command_line())?;
    let mut output = Output::of(&finished, args.printing);
    if !finished.manifest.played.complete {
        output.code = UNDECIDED;
        output.err = String::new();
    }
    if !args.printing.quiet {
        output.err.extend(said.into_iter().map(|line| line + "\n"));
    }
    if let Some(Wave { number, blocks }) = next {
        let is_search = finished.asked.is_search();
        let after =
            if is_search { format!(" --after {}", quoted(&args.out)) } else { String::new() };
        let _ = writeln!(output.err, "next: --wave {number} --wave-blocks {blocks}{after}");
    }
    Ok(output)
}
