//! Commands about existing runs: `resume`, `merge` and `analyze`.

use crate::cli::commands::host::catalogue;
use crate::cli::commands::interrupt::INTERRUPTED;
use crate::cli::commands::process::command_line;
use crate::cli::commands::progress::Shown;
use crate::cli::commands::run::{self, FAILED, Output, caller};
use crate::cli::commands::{summary, threads};
use crate::cli::runs::{Analyze, Merge, Resume};
use crate::lab::divide::addition::{self, Waiting};
use crate::lab::divide::merge::{self, Merged};
use crate::lab::report::figures::grouped;
use crate::lab::report::manifest::{BUILD, Wave};
use crate::lab::run::existing::{self, Resumed, ToJudge};
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
        Resumed::Complete(rebuilt) => complete(args, &rebuilt),
        Resumed::Played { finished, abandoned_by, with_zeros } => {
            let joined = joined(args)?;
            let mut said = joined.unwrap_or_else(|| Output::of(&finished, args.printing));
            if with_zeros > 0 && !silent {
                let text = format!(
                    "A power cut had left zeros at the end of the log: {} bytes were cut off.\n\n",
                    grouped(with_zeros)
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

/// What is said of a run that has nothing left to play; its process may have been killed before it has judged it.
fn complete(args: &Resume, rebuilt: &[String]) -> Result<Output> {
    let mut text = format!("`{}` is complete", args.run.display());
    if rebuilt.is_empty() {
        text.push_str("; nothing to play.\n");
    } else {
        let _ = writeln!(text, ". Not as the run wrote them, and rebuilt: {}", rebuilt.join(", "));
    }
    let analyze = format!("`fairhaven analyze {}`", quoted(&args.run));
    let (mut failing, mut has_found) = (String::new(), true);
    match existing::to_judge(catalogue(), &args.run)? {
        ToJudge::Nothing => (),
        ToJudge::OtherBuild => {
            let _ = writeln!(
                text,
                "It is of another build of the program: it was not judged; {analyze} judges it."
            );
        }
        ToJudge::Run(run) => {
            failing = run::failing(&run.judged);
            has_found = !run.asked.has_failed(&run.tables);
        }
    }
    if !has_found {
        let _ =
            writeln!(text, "It has not found all that was asked for; {analyze} shows its answer.");
    }
    let code = if failing.is_empty() && has_found { 0 } else { FAILED };
    Ok(if args.printing.is_silent() {
        Output::failed(failing, code)
    } else {
        Output::new(text + &failing, code)
    })
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
    let mut err = if printing.is_silent() { run::failing(judged) } else { String::new() };
    let open = !judged.is_empty() && !manifest.played.complete;
    if open {
        err.push_str(
            "The run is not complete: these thresholds are judged by the blocks so far.\n",
        );
    }
    let has_found = !finished.asked.has_failed(&finished.tables);
    let fails = !has_found || judged.iter().any(|(_, holds)| !holds);
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
