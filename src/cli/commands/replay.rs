//! `replay`: plays one match of a run again and prints it, checks a recorded match, or compares another
//! program's matches with our rules.

use crate::cli::commands::choose;
use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::run::Output;
use crate::cli::runs::{RecordForm, Replay};
use crate::conformance::catanatron;
use crate::lab::read::again::{Again, MatchId};
use crate::sim::records::error::LINE_MAX;
use crate::sim::records::{self, Form};
use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// The exit code for a record that breaks a rule.
const BROKEN_RULE: u8 = 2;

/// Runs the command.
///
/// # Errors
/// If the run, the match or the record can't be read, or the record breaks a rule.
pub fn run(args: &Replay) -> Result<Output> {
    let run = &args.run;
    let id = match (&args.id, args.check) {
        (None, true) => return check(run, args.format.unwrap_or(RecordForm::Jsonl)),
        (None, false) if run.is_dir() => {
            bail!("name a match of `{}`, such as 0.0", run.display())
        }
        (id, _) => id,
    };
    let form = match args.format {
        None | Some(RecordForm::Text) => Form::Text,
        Some(RecordForm::Jsonl) => Form::JsonLines,
        Some(RecordForm::Questions) => Form::Questions,
        Some(RecordForm::Catanatron) => bail!("--format catanatron is for --check only"),
    };
    let Some(id) = id else { return printed(run, form) };
    let is_record = run == Path::new("-") || run.exists() && !run.is_dir();
    ensure!(
        !is_record,
        "`{}` is no directory of a run; a record holds one match: leave out `{id}`",
        run.display()
    );
    let id = MatchId::parse(id)?;
    let record = || -> Result<Output> {
        let again = Again::of(catalogue(), run)?;
        let text = again.record(id, form, &WATCH)?;
        Ok(Output { err: again.caution(), ..Output::new(text, 0) })
    };
    record().with_context(|| format!("run `{}`", run.display()))
}

/// Prints a record from a file, a pipe or standard input, if it keeps the rules to its end.
fn printed(path: &Path, form: Form) -> Result<Output> {
    let named = || format!("record `{}`", path.display());
    let (game, mut reader) = game_of(reader(path)?).with_context(named)?;
    let text = catalogue().game(&game)?.retold(&mut reader, form).with_context(named)?;
    Ok(Output::new(text, 0))
}

/// Checks a record from a file, a pipe or standard input; it is never in memory as a whole.
fn check(path: &Path, format: RecordForm) -> Result<Output> {
    let read = match format {
        RecordForm::Text | RecordForm::Questions => {
            bail!("--check takes --format jsonl or catanatron, not text or questions")
        }
        RecordForm::Jsonl => check_own,
        RecordForm::Catanatron => conform,
    };
    read(reader(path)?).with_context(|| format!("record `{}`", path.display()))
}

/// What a user names to be read: a file, a pipe, or - for standard input.
///
/// # Errors
/// If it can't be read.
pub fn reader(path: &Path) -> Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    let file = File::open(path).with_context(|| format!("can't read `{}`", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

/// The game of a record of ours, which its first line says, and the whole record.
///
/// # Errors
/// If the first line is no header.
pub fn game_of(mut reader: Box<dyn BufRead>) -> Result<(String, impl BufRead)> {
    let mut first = Vec::new();
    reader.by_ref().take(LINE_MAX as u64 + 2).read_until(b'\n', &mut first)?;
    let game = records::check::peek_game(first.as_slice())?;
    Ok((game, Cursor::new(first).chain(reader)))
}

/// Checks a record of ours.
fn check_own(reader: Box<dyn BufRead>) -> Result<Output> {
    let (game, reader) = game_of(reader)?;
    referee(&game, reader)
}

/// Replays matches of another program. What the known differences don't explain is printed after the table.
fn conform(reader: Box<dyn BufRead>) -> Result<Output> {
    let agreement = catanatron::check(reader)?;
    Ok(Output::new(agreement.to_string(), if agreement.unexplained == 0 { 0 } else { BROKEN_RULE }))
}

fn referee(game: &str, mut reader: impl BufRead) -> Result<Output> {
    let checked = catalogue().game(game)?.check_record(&mut reader)?;
    let text = format!(
        "The record keeps the rules: {} decisions and {} chance events in {} turns.\n{}",
        checked.decisions,
        checked.chance_events,
        checked.turns,
        choose::unofficial_line(checked.unofficial),
    );
    Ok(Output::new(text, 0))
}
