//! What is said of a match when it is over: luck, mistakes, and where it turned, for the person's seat.

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::play::line::Terminal;
use crate::core::types::seat::Seat;
use crate::lab::store::quoted::quoted;
use crate::sim::explain::verdict::{how_judged, verdict};
use anyhow::Result;
use std::io::BufRead;
use std::path::Path;

/// Says how the match of a record went for a seat, in three lines, and what says more.
///
/// # Errors
/// If the record is none, or nobody listens.
pub fn say(
    game: &str,
    record: &mut dyn BufRead,
    seat_and_path: (Seat, &Path),
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    for line in lines(game, record, seat_and_path)? {
        terminal.say(&line)?;
    }
    Ok(())
}

/// How the match of a record went for a seat, in three lines, and what says more.
///
/// # Errors
/// If the record is none.
pub fn lines(
    game: &str,
    record: &mut dyn BufRead,
    (seat, path): (Seat, &Path),
) -> Result<Vec<String>> {
    let (played, _) = catalogue().game(game)?.recorded(record)?;
    let mut lines = verdict(&*played, seat, &WATCH)?.to_vec();
    lines.push(format!("{} More: fairhaven explain {} --mistakes", how_judged(), quoted(path)));
    Ok(lines)
}
