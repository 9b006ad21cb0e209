//! Chance whose outcomes come from a record. The rules ask, the record answers.
//!
//! The rules can't stop at a fault in the middle of an action, so the first fault is kept, and from there
//! on a generator answers: loops of the rules that wait for an outcome then end.

use crate::core::chance::{Chance, ChanceEvent, PlainChance};
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::records::error::{RecordError, RecordFault, shown};
use crate::sim::records::line::ChanceLine;
use crate::sim::records::read::{LineKind, Lines};
use rand_pcg::Pcg32;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::BufRead;
use std::marker::PhantomData;

/// The luck of a recorded match of `G`.
#[derive(Debug)]
pub struct RecordedChance<'a, G, R> {
    lines: &'a mut Lines<R>,
    turn: u16,
    events: u64,
    fault: Option<RecordError>,
    /// Answers after a fault; its answers are never looked at.
    rest: Pcg32,
    game: PhantomData<G>,
}

impl<'a, G: Wording, R: BufRead> RecordedChance<'a, G, R> {
    /// Luck from the lines that follow, before the first turn.
    pub fn new(lines: &'a mut Lines<R>) -> RecordedChance<'a, G, R> {
        let rest = Pcg32::new(0, 0);
        RecordedChance { lines, turn: 0, events: 0, fault: None, rest, game: PhantomData }
    }

    /// The lines, for reading those that are not chance events.
    pub fn lines(&mut self) -> &mut Lines<R> {
        self.lines
    }

    /// Events that were read.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Passes on the first fault.
    ///
    /// # Errors
    /// If there was one.
    pub fn verdict(&mut self) -> Result<(), RecordError> {
        self.fault.take().map_or(Ok(()), Err)
    }

    /// The outcome of the next line, or `None` after a fault.
    fn outcome(&mut self, draw: G::Draw, possible: u64) -> Option<u8> {
        if self.fault.is_some() {
            return None;
        }
        match self.read(draw, possible) {
            Ok(outcome) => {
                self.events += 1;
                Some(outcome)
            }
            Err(fault) => {
                self.fault = Some(fault);
                None
            }
        }
    }

    fn read(&mut self, draw: G::Draw, possible: u64) -> Result<u8, RecordError> {
        let kind = self.lines.advance()?;
        if kind != LineKind::Chance {
            let due = event_name::<G>(draw);
            return Err(self.lines.fault(RecordFault::Misplaced { found: kind.name(), due }));
        }
        let line: ChanceLine = self.lines.parse()?;
        self.judge(&line, draw, possible).map_err(|fault| self.lines.fault(fault))
    }

    fn judge(&self, line: &ChanceLine, draw: G::Draw, possible: u64) -> Result<u8, RecordFault> {
        let quoted = |text: &String| format!("`{text}`");
        let seat = |seat: &Option<Seat>| seat.map_or("none".to_owned(), |seat| seat.to_string());
        RecordFault::unless_same("chance", &line.chance, &G::draw_name(draw).to_owned(), quoted)?;
        RecordFault::unless_same("turn", &line.turn, &self.turn, u16::to_string)?;
        RecordFault::unless_same("seat", &line.seat, &G::draw_seat(draw), seat)?;
        results::<G>(draw, possible)
            .find_map(|(outcome, word)| (word == line.result).then_some(outcome))
            .ok_or_else(|| RecordFault::Impossible {
                found: shown(&quoted(&line.result)),
                possible: words::<G>(draw, possible),
            })
    }
}

impl<G: Wording, R: BufRead> Chance<G::Draw> for RecordedChance<'_, G, R> {
    fn start_turn(&mut self, turn: u16) {
        self.turn = turn;
    }

    fn card(&mut self, draw: G::Draw, among: u64) -> u8 {
        let recorded = self.outcome(draw, among);
        recorded.unwrap_or_else(|| PlainChance(&mut self.rest).card(draw, among))
    }

    fn kind(&mut self, draw: G::Draw, counts: &[u8]) -> u8 {
        let left = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let recorded = self.outcome(draw, left.fold(0, |set, (idx, _)| set | 1 << idx));
        recorded.unwrap_or_else(|| PlainChance(&mut self.rest).kind(draw, counts))
    }
}

/// What is due, for messages.
fn event_name<G: Wording>(draw: G::Draw) -> String {
    let name = G::draw_name(draw);
    match G::draw_seat(draw) {
        Some(seat) => format!("chance event `{name}` of seat {seat}"),
        None => format!("chance event `{name}`"),
    }
}

/// The possible results of a draw with their words, the lowest first.
fn results<G: Wording>(
    draw: G::Draw,
    possible: u64,
) -> impl Iterator<Item = (u8, Cow<'static, str>)> {
    let outcomes = (0..64).filter(move |&outcome| possible >> outcome & 1 == 1);
    outcomes.map(move |outcome| (outcome, G::result_name(ChanceEvent { draw, outcome })))
}

/// The words of a set of outcomes.
fn words<G: Wording>(draw: G::Draw, possible: u64) -> String {
    let words: BTreeSet<_> = results::<G>(draw, possible).map(|(_, word)| word).collect();
    words.into_iter().collect::<Vec<_>>().join(", ")
}
