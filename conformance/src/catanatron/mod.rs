//! Matches of base CATAN that were recorded from Catanatron (github.com/bcollazo/catanatron).
//!
//! The format and the known differences are described in `docs/conformance.md`. They are known from the notes
//! that came with such records and from reading that program's public source; none of its code is in ours. A
//! reader trusts nothing in a file: a line may hold anything, and is either compared or refused with its line,
//! step and field.

pub mod choice;
pub mod differences;
pub mod ending;
pub mod exec;
pub mod field;
pub mod island;
pub mod lists;
pub mod luck;
pub mod position;
pub mod record;
pub mod replay;
pub mod roads;
pub mod states;
#[cfg(test)]
mod tests;
pub mod trade;
pub mod trouble;
pub mod words;

use crate::catanatron::differences::{Agreement, Place, Unexplained};
use crate::catanatron::field::{Field, Malformed, part};
use crate::catanatron::record::Record;
use crate::catanatron::replay::{Replay, Setting};
use crate::catanatron::trouble::Trouble;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::sim::play::follower::Follower;
use crate::sim::records::error::shown;
use std::io::{BufRead, Read};

/// The name that each line gives to the format.
pub const FORMAT: &str = "catanatron-replay/1";

/// The most bytes of a line; the longest recorded match has 3 million.
pub const LINE_MAX: usize = 16 << 20;

/// A line that can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}{}: {reason}", place.map(|place| format!(", {place}")).unwrap_or_default())]
pub struct BadRecord {
    /// The line, from 1.
    pub line: u64,
    /// Where in the match, if it is one.
    pub place: Option<Place>,
    /// What is wrong.
    pub reason: String,
}

/// Replays all matches of a file, one a line; never more than one line is in memory.
///
/// # Errors
/// The first line that can't be read. A match that can be read but has something that neither the rules nor
/// the known differences explain is counted, and its replay ends there.
pub fn check(mut reader: impl BufRead) -> Result<Agreement, BadRecord> {
    let mut agreement = Agreement::default();
    let mut text = Vec::new();
    for line in 1.. {
        let bad = |reason: String| BadRecord { line, place: None, reason };
        text.clear();
        let mut limited = (&mut reader).take(LINE_MAX as u64 + 1);
        let read = limited.read_until(b'\n', &mut text);
        read.map_err(|error| bad(format!("can't be read: {}", shown(&error.to_string()))))?;
        if text.is_empty() {
            break;
        }
        if text.len() > LINE_MAX {
            return Err(bad(format!("longer than {LINE_MAX} bytes")));
        }
        let text =
            std::str::from_utf8(&text).map_err(|error| bad(format!("not UTF-8: {error}")))?;
        replay(text, line, None, &mut agreement, |_| {})?;
    }
    if agreement.matches == 0 {
        return Err(BadRecord { line: 1, place: None, reason: "there is no match".to_owned() });
    }
    Ok(agreement)
}

/// Replays one match, a line of a file, and follows what a seat knows. `each` is shown the position and the
/// seat's knowledge before the first step and after each. While the other program takes discards or answers
/// one by one in its own order, the position waits for the last of them.
///
/// # Errors
/// If the line can't be read, or if nobody has that seat.
pub fn follow(
    text: &str,
    seat: Seat,
    each: impl FnMut(&Follower<Base>),
) -> Result<Agreement, BadRecord> {
    let mut agreement = Agreement::default();
    replay(text, 1, Some(seat), &mut agreement, each)?;
    Ok(agreement)
}

/// Replays one match and adds it to the others.
fn replay(
    text: &str,
    line: u64,
    seat: Option<Seat>,
    agreement: &mut Agreement,
    each: impl FnMut(&Follower<Base>),
) -> Result<(), BadRecord> {
    let record = Record::parse(text).map_err(|error| {
        let reason = shown(&error.to_string());
        BadRecord { line, place: None, reason }
    })?;
    let bad = |place, malformed: &Malformed| {
        let reason = malformed.to_string();
        BadRecord { line, place: Some(place), reason }
    };
    let mut replay = set_up(&record, seat).map_err(|error| bad(Place::Setting, &error))?;
    let (place, result) = run(&mut replay, &record, each);
    agreement.add(&replay.compared());
    match result {
        Ok(()) => {
            agreement.finish(&replay.met);
            Ok(())
        }
        Err(Trouble::Malformed(malformed)) => Err(bad(place, &malformed)),
        Err(Trouble::Mismatch(mismatch)) => {
            agreement.leave(Unexplained { line, place, mismatch });
            Ok(())
        }
    }
}

/// Takes all steps; returns how far it got, and what stopped it.
fn run(
    replay: &mut Replay,
    record: &Record<'_>,
    mut each: impl FnMut(&Follower<Base>),
) -> (Place, Result<(), Trouble>) {
    let mut result = compare_start(replay, record);
    if result.is_err() {
        return (Place::Start, result);
    }
    each(&replay.at.follower);
    let read = record.each_step(|step| {
        let step = part("steps", step).map_err(Trouble::Malformed);
        result = step.and_then(|step| replay.step(Field::new("steps", &step)));
        if result.is_ok() {
            each(&replay.at.follower);
        }
        result.is_ok()
    });
    if let Err(error) = read {
        let reason = shown(&error.to_string());
        return (Place::End, Err(Malformed { name: "steps", reason }.into()));
    }
    if result.is_err() {
        return (Place::Step(replay.steps), result);
    }
    (Place::End, finish(replay, record))
}

/// The position before the first step.
fn set_up(record: &Record<'_>, seat: Option<Seat>) -> Result<Replay, Malformed> {
    let format = part("format", record.format)?;
    if format.as_str() != Some(FORMAT) {
        return Err(Field::new("format", &format).bad(&format!("\"{FORMAT}\"")));
    }
    let (config, seats) = (part("config", record.config)?, part("seats", record.seats)?);
    let (map, robber) = (part("map", record.map)?, part("robber", record.robber)?);
    let deck = part("dev_deck_top_last", record.dev_deck_top_last)?;
    let setting = Setting {
        config: Field::new("config", &config),
        seats: Field::new("seats", &seats),
        map: Field::new("map", &map),
        deck: Field::new("dev_deck_top_last", &deck),
        robber: Field::new("robber", &robber),
    };
    Replay::new(&setting, seat)
}

fn compare_start(replay: &mut Replay, record: &Record<'_>) -> Result<(), Trouble> {
    let start = part("start", record.start)?;
    replay.compare_states(Field::new("start", &start))
}

fn finish(replay: &Replay, record: &Record<'_>) -> Result<(), Trouble> {
    let (winner, turns) = (part("winner", record.winner)?, part("turns", record.turns)?);
    replay.finish(Field::new("winner", &winner), Field::new("turns", &turns))
}
