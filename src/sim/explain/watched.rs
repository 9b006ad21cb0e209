//! A match for those who watch it, as JSON: every position by the eyes of one seat or of all, what happened before it, and
//! each seat's chance to win. Format: `docs/page.md`.

use crate::core::game::Turn;
use crate::core::opinion::{Judge, Opinion};
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::described::raw;
use crate::sim::explain::history::MatchHistory;
use crate::sim::foresight::Foresight;
use crate::sim::play::step_text::{StepText, step_text};
use crate::sim::records::line::{ChanceLine, EndLine};
use serde::Serialize;
use serde_json::value::RawValue;
use std::fmt::Write;

/// A match.
#[derive(Serialize)]
struct Watched {
    players: u8,
    /// Whose eyes; nobody's if all cards are open.
    eyes: Option<Seat>,
    outcome: Option<EndLine>,
    /// The deal, then each decision.
    steps: Vec<WatchedStep>,
}

/// What happened, and the position after it.
#[derive(Serialize)]
struct WatchedStep {
    #[serde(flatten)]
    told: StepText,
    /// The turn of the position.
    now: u16,
    /// What is asked in it.
    phase: &'static str,
    /// The same, in words for people.
    question: String,
    /// Who is asked.
    asked: Option<Seat>,
    /// The position in words.
    lines: Vec<String>,
    /// What the seat sees, or what each seat does, as in `docs/views.md`.
    views: Vec<Box<RawValue>>,
}

/// A match as one JSON object, by the eyes of a seat, or with all cards open.
pub fn watched<G: Wording>(game: &G, taken: &MatchHistory<G>, eyes: Option<Seat>) -> String {
    let steps = (0..=taken.decisions().len()).map(|number| step(game, taken, number, eyes));
    let last = taken.last();
    let is_over = game.turn(last) == Turn::Over;
    let outcome = is_over.then(|| EndLine::of(&game.outcome(last), game.turn_number(last)));
    let watched = Watched { players: game.players(), eyes, outcome, steps: steps.collect() };
    serde_json::to_string(&watched).expect("it has names for keys")
}

fn step<G: Wording>(
    game: &G,
    taken: &MatchHistory<G>,
    number: usize,
    eyes: Option<Seat>,
) -> WatchedStep {
    let happened = taken.step(number);
    let after = happened.after;
    let asked = match game.turn(after) {
        Turn::Decide(seat) => Some(seat),
        Turn::Over => None,
    };
    let seats = Seat::all(game.players()).filter(|seat| eyes.is_none_or(|eyes| eyes == *seat));
    let views: Vec<_> = seats.map(|seat| game.view(after, seat)).collect();
    let told = match eyes {
        Some(seat) => step_text(game, &happened, seat),
        None => open_text(game, taken, number),
    };
    // With all cards open, hands are drawn from the views; the words are those of the first seat, its hand aside.
    let hand = usize::from(eyes.is_none());
    WatchedStep {
        told,
        now: game.turn_number(after),
        phase: game.phase_name(after),
        question: game.question(&views[0]),
        asked,
        lines: game.table_words(&views[0]).into_iter().skip(hand).collect(),
        views: views.iter().map(|view| raw(|out| game.write_view(view, out))).collect(),
    }
}

/// What happened in one step, with nothing hidden: the action, and all that luck brought.
fn open_text<G: Wording>(game: &G, taken: &MatchHistory<G>, number: usize) -> StepText {
    let happened = taken.step(number);
    let turn = happened.action.map_or(0, |(before, _)| game.turn_number(before));
    let decided = number.checked_sub(1).map(|number| taken.decisions()[number]);
    let mut words =
        decided.map_or(String::new(), |(seat, action)| format!("Seat {seat}: {action}."));
    for event in happened.chance {
        let ChanceLine { chance, seat, result, .. } = ChanceLine::of::<G>(*event, turn);
        let whose = seat.map_or(String::new(), |seat| format!(" for seat {seat}"));
        let (chance, result) = (chance.replace('_', " "), result.replace('_', " "));
        let blank = if words.is_empty() { "" } else { " " };
        let _ = write!(words, "{blank}{chance}{whose}: {result}.");
    }
    let actor = decided.map(|(seat, _)| seat);
    StepText { turn, actor, words, opens: String::new(), only: false, offer: false, closes: false }
}

/// Each seat's chance to win after the deal and after each decision, by the game's planner, which sees all cards: 0 to 1,
/// by position, then seat. The last position of a match that is over has who won.
pub fn chances<G: Opinion>(game: &G, taken: &MatchHistory<G>) -> Vec<Vec<f32>> {
    let mut judge = Foresight::new(game);
    let players = usize::from(game.players());
    let mut chances =
        |number: usize| judge.win_probabilities(game, taken.step(number).after)[..players].to_vec();
    (0..=taken.decisions().len()).map(&mut chances).collect()
}
