//! Writes what each decision of a match was: the legal list, what the seat saw, and what it chose. Format:
//! `docs/records.md`.

use crate::core::game::ActionFilter;
use crate::core::record::{Decision, Recorder};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::records::line::EndLine;
use serde::Serialize;
use serde_json::value::RawValue;

/// A listener that writes the questions of one match.
#[derive(Debug, Clone, Default)]
pub struct QuestionRecorder {
    bytes: Vec<u8>,
}

/// A decision, as whoever takes it is asked.
#[derive(Serialize)]
struct QuestionLine<'a, A> {
    /// The turn that is being played, from 1.
    turn: u16,
    /// Who is asked.
    seat: Seat,
    /// What is asked, a word of the game.
    phase: &'static str,
    /// The full legal list, in the game's order.
    legal: &'a [A],
    /// What the seat sees.
    view: &'a RawValue,
    /// What was chosen: in the list, or an offer that the rules allow.
    action: A,
}

impl QuestionRecorder {
    /// The questions, one a line, and how the match has ended.
    pub fn into_string(self) -> String {
        String::from_utf8(self.bytes).expect("JSON is text")
    }

    fn line(&mut self, line: &impl Serialize) {
        serde_json::to_writer(&mut self.bytes, line).expect("a vector takes any line");
        self.bytes.push(b'\n');
    }
}

impl<G: Wording> Recorder<G> for QuestionRecorder {
    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        let Decision { before, seat, action, .. } = *decision;
        let mut legal: Box<Actions<G::Action>> = Box::default();
        game.legal(before, ActionFilter::Full, &mut legal);
        let mut view = Vec::new();
        game.write_view(&game.view(before, seat), &mut view);
        let view = String::from_utf8(view).expect("JSON is text");
        let view: &RawValue = serde_json::from_str(&view).expect("a view is JSON");
        self.line(&QuestionLine {
            turn: game.turn_number(before),
            seat,
            phase: game.phase_name(before),
            legal: legal.as_slice(),
            view,
            action,
        });
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.line(&EndLine::of(&game.outcome(state), game.turn_number(state)));
    }
}
