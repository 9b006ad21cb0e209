//! `play`: a person sits down at a table, at a terminal or through a pipe. What is told and what may be done comes from
//! the match (`sim::guests::in_words`); here lines are read and printed, and the record is kept.

pub mod line;
pub mod record_file;
pub mod screen;
pub mod session;
pub mod setup;
pub mod verdict;

use crate::cli::commands::play::line::Terminal;
use crate::cli::commands::play::record_file::RecordFile;
use crate::cli::commands::play::session::{Ending, Session};
use crate::cli::commands::play::setup::Seated;
use crate::cli::commands::run::Output;
use crate::cli::commands::{page, replay, threads};
use crate::cli::outside::Play;
use anyhow::{Result, ensure};
use std::io::{ErrorKind, IsTerminal};

/// Runs the command: it speaks on standard output itself, line by line, as `guest` does.
///
/// # Errors
/// If there is no such game, agent or record, or the record can't be written.
pub fn run(args: &Play) -> Result<Output> {
    threads::start(None)?;
    ensure!(
        args.page || (args.serving.port.is_none() && !args.serving.no_open),
        "--port and --no-open are for --page"
    );
    let stdin = std::io::stdin();
    let echoes = !stdin.is_terminal();
    let (mut input, mut output) = (stdin.lock(), std::io::stdout().lock());
    let mut terminal = Terminal::new(&mut input, &mut output, echoes);
    if args.page {
        return match seated(args, &mut terminal)? {
            Some((seated, file)) => page::play(seated, file, &args.serving, &mut terminal),
            None => Ok(Output::new(String::new(), 0)),
        };
    }
    match sit(args, &mut terminal) {
        // Whoever listened has gone: that is the end of a match like any other.
        Err(error) if is_gone(&error) => Ok(Output::new(String::new(), 0)),
        ended => ended.map(|()| Output::new(String::new(), 0)),
    }
}

fn is_gone(error: &anyhow::Error) -> bool {
    let found = error.downcast_ref::<std::io::Error>();
    found.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// From the first question to the end of the match, or until the person leaves.
fn sit(args: &Play, terminal: &mut Terminal<'_>) -> Result<()> {
    let Some((seated, file)) = seated(args, terminal)? else { return Ok(()) };
    let mut session = Session::new(seated, file);
    if let Ending::Over(seat) = session.play(terminal)? {
        terminal.say("")?;
        let (game, mut reader) = replay::game_of(Box::new(session.record()))?;
        verdict::say(&game, &mut reader, (seat, session.path()), terminal)?;
    }
    Ok(())
}

/// A match that begins or goes on, and the file of its record; nothing if the input ends at a question.
fn seated(args: &Play, terminal: &mut Terminal<'_>) -> Result<Option<(Seated, RecordFile)>> {
    if let Some(path) = &args.resume {
        let (file, record) = RecordFile::take_up(path)?;
        return Ok(Some((setup::again(args, &record, file.path())?, file)));
    }
    let Some(asked) = setup::ask(args, terminal)? else { return Ok(None) };
    let (choice, file) = setup::with_file(asked)?;
    Ok(Some((setup::deal(&choice)?, file)))
}
