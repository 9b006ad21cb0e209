//! `export`: the decisions of a run's matches, to learn from, or its rows.

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::interrupt::INTERRUPTED;
use crate::cli::commands::progress::Shown;
use crate::cli::commands::run::Output;
use crate::cli::commands::threads;
use crate::cli::runs::Export;
use crate::lab::export::{decisions, rows};
use crate::lab::read::again::Again;
use crate::lab::read::rows::Rows;
use crate::lab::report::figures::grouped;
use anyhow::{Context, Result};

/// Runs the command.
///
/// # Errors
/// If the run can't be played again, or the file can't be written.
pub fn run(args: &Export) -> Result<Output> {
    if args.rows {
        return write_rows(args);
    }
    threads::start(args.threads)?;
    let named = || format!("run `{}`", args.run.display());
    let again = Again::of(catalogue(), &args.run).with_context(named)?;
    let every = usize::try_from(args.every).context("too many decisions")?;
    let asked = decisions::Export { file: &args.out, every, matches: args.matches };
    let mut shown = Shown::new(args.quiet);
    let Some(exported) =
        decisions::export(&again, asked, &WATCH, &mut shown).with_context(named)?
    else {
        return Ok(interrupted());
    };
    let text = format!(
        "{} decisions of {} matches in {}\n",
        grouped(exported.decisions),
        grouped(exported.matches),
        args.out.display()
    );
    let text = if args.quiet { String::new() } else { text };
    Ok(Output { err: again.caution(), ..Output::new(text, 0) })
}

fn interrupted() -> Output {
    let err = "Interrupted; nothing is kept\n".to_owned();
    Output::failed(err, INTERRUPTED)
}

fn write_rows(args: &Export) -> Result<Output> {
    let mut shown = Shown::new(true);
    let exported = Rows::of(catalogue(), &args.run)
        .and_then(|rows| rows::export(rows, &args.out, &WATCH, &mut shown));
    let Some(count) = exported.with_context(|| format!("run `{}`", args.run.display()))? else {
        return Ok(interrupted());
    };
    let text = format!("{} rows in {}\n", grouped(count), args.out.display());
    Ok(Output::new(if args.quiet { String::new() } else { text }, 0))
}
