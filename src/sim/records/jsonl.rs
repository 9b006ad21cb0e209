//! Writes a match as JSON Lines while it is played. Format: `docs/records.md`.

use crate::core::chance::ChanceEvent;
use crate::core::game::Game;
use crate::core::record::{Decision, Recorder};
use crate::core::seed::Stream;
use crate::sim::records::line::{ChanceLine, DecisionLine, EndLine, Header, HeaderLine};
use serde::Serialize;

/// A listener that writes the record of one match.
#[derive(Debug, Clone)]
pub struct JsonlRecorder {
    header: Header,
    /// Chance events whose turn is not known yet.
    waiting: Vec<ChanceEvent>,
    bytes: Vec<u8>,
}

impl JsonlRecorder {
    /// The record of a match that is about to be dealt.
    pub fn new(header: Header) -> JsonlRecorder {
        JsonlRecorder { header, waiting: Vec::new(), bytes: Vec::new() }
    }

    /// The record: one line for each chance event or decision, each ended by a line feed.
    pub fn into_string(self) -> String {
        String::from_utf8(self.bytes).expect("JSON is text")
    }

    fn line(&mut self, line: &impl Serialize) {
        serde_json::to_writer(&mut self.bytes, line).expect("a vector takes any line");
        self.bytes.push(b'\n');
    }

    fn chance_lines<G: Game>(&mut self, game: &G, after: &G::State) {
        for event in std::mem::take(&mut self.waiting) {
            self.line(&ChanceLine::of::<G>(event, turn_of(event, game, after)));
        }
    }
}

/// The turn of an event that led to the position `after`: events of the deal come before the first turn;
/// all others that an action causes come after the turn that it may begin.
pub(super) fn turn_of<G: Game>(event: ChanceEvent, game: &G, after: &G::State) -> u16 {
    if event.luck.stream == Stream::Deal { 0 } else { game.turn_number(after) }
}

impl<G: Game> Recorder<G> for JsonlRecorder {
    fn on_chance(&mut self, event: ChanceEvent) {
        self.waiting.push(event);
    }

    fn on_start(&mut self, game: &G, state: &G::State) {
        self.line(&HeaderLine::of(game, &self.header));
        self.chance_lines(game, state);
    }

    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        self.line(&DecisionLine::of(game, decision.before, decision.seat, decision.action));
    }

    fn on_applied(&mut self, game: &G, _action: G::Action, state: &G::State) {
        self.chance_lines(game, state);
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.line(&EndLine::of(&game.outcome(state), game.turn_number(state)));
    }
}
