//! Writes a match as JSON Lines while it is played. Format: `docs/records.md`.

use crate::core::chance::ChanceEvent;
use crate::core::record::{Decision, Recorder};
use crate::core::wording::Wording;
use crate::sim::records::line::{ChanceLine, DecisionLine, EndLine, Header, HeaderLine};
use serde::Serialize;

/// A listener that writes the record of one match.
#[derive(Debug, Clone)]
pub struct JsonlRecorder {
    header: Header,
    /// The turn that began last, 0 before the first.
    turn: u16,
    /// Lines of the deal until it is done: the header comes before them.
    dealt: Option<Vec<ChanceLine>>,
    bytes: Vec<u8>,
}

/// A place in a record that is being written, after its deal.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    turn: u16,
    /// Bytes before it.
    length: usize,
}

impl JsonlRecorder {
    /// The record of a match that is about to be dealt.
    pub fn new(header: Header) -> JsonlRecorder {
        JsonlRecorder { header, turn: 0, dealt: Some(Vec::new()), bytes: Vec::new() }
    }

    /// The record: one line for each chance event or decision, each ended by a line feed.
    pub fn into_string(self) -> String {
        String::from_utf8(self.bytes).expect("JSON is text")
    }

    /// The record so far.
    ///
    /// # Panics
    /// Never: JSON is text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes).expect("JSON is text")
    }

    /// How far the record goes.
    pub fn mark(&self) -> Mark {
        Mark { turn: self.turn, length: self.bytes.len() }
    }

    /// Takes back what was written since.
    pub fn rewind(&mut self, mark: Mark) {
        self.turn = mark.turn;
        self.bytes.truncate(mark.length);
    }

    fn line(&mut self, line: &impl Serialize) {
        serde_json::to_writer(&mut self.bytes, line).expect("a vector takes any line");
        self.bytes.push(b'\n');
    }
}

impl<G: Wording> Recorder<G> for JsonlRecorder {
    fn on_turn(&mut self, turn: u16) {
        self.turn = turn;
    }

    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        let line = ChanceLine::of::<G>(event, self.turn);
        match &mut self.dealt {
            Some(dealt) => dealt.push(line),
            None => self.line(&line),
        }
    }

    fn on_start(&mut self, game: &G, _state: &G::State) {
        self.line(&HeaderLine::of(game, &self.header));
        for line in self.dealt.take().into_iter().flatten() {
            self.line(&line);
        }
    }

    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        self.line(&DecisionLine::of(game, decision.before, decision.seat, decision.action));
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.line(&EndLine::of(&game.outcome(state), game.turn_number(state)));
    }
}
