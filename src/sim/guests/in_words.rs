//! A match that is open to people, in words: what a door for people needs, without knowing which game it is. It knows no
//! terminal: nothing is printed or wrapped here.

use crate::core::agent::Agent;
use crate::core::guest::Asked;
use crate::core::opinion::Opinion;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::agents::added::AddedAgent;
use crate::sim::explain::answer::{Considered, Question};
use crate::sim::explain::history::DecisionPoint;
use crate::sim::explain::judge::Asking;
use crate::sim::guests::menu::Menu;
use crate::sim::guests::shown::Scene;
pub use crate::sim::guests::table_text::TableText;
use crate::sim::play::step_text::StepText;
use crate::sim::play::table::Table;
use std::collections::BTreeMap;

/// Who is asked by a person what to do.
pub const ADVISER: &str = "mcts:iterations=1000";
/// How often.
pub const ADVISER_SEARCHES: u32 = 4;
/// Where its random numbers come from: nothing of the match.
pub const ADVISER_SEED: u64 = 0xad_71ce;

/// The words of a match for those who sit outside. Seats are outside ones.
pub trait InWords {
    /// All that a seat was told of what happened: the deal, and a line for each decision.
    fn told(&self, seat: Seat) -> &[StepText];

    /// What a seat sees now.
    ///
    /// # Panics
    /// If the seat is not outside.
    fn table_text(&mut self, seat: Seat) -> TableText;

    /// How the game is played, for people who don't know it, a paragraph an entry.
    fn primer(&self) -> Vec<String>;

    /// The board with the numbers by which actions name its places; nothing for a game without one.
    fn places(&self) -> Option<String>;

    /// The turn, and what is asked.
    fn asked(&self) -> Asked;

    /// What a seat may do now; nothing if it is not asked.
    fn menu(&mut self, seat: Seat) -> Menu;

    /// Does what stands at a place of the game's list, from 0.
    ///
    /// # Errors
    /// If the seat is not asked, or there is no such place; nothing has changed then.
    fn choose(&mut self, seat: Seat, place: usize) -> Result<(), String>;

    /// Does an action that is written as records write it: one that the rules allow, listed or not.
    ///
    /// # Errors
    /// If it can't be read, the seat is not asked, or the rules forbid it; nothing has changed then.
    fn choose_written(&mut self, seat: Seat, action: &str) -> Result<(), String>;

    /// Takes back the seat's last choice, if nobody else has acted since, and nothing came up that it did not know.
    ///
    /// # Errors
    /// Says why not; nothing has changed then.
    fn take_back(&mut self, seat: Seat) -> Result<(), String>;

    /// What a page is sent of what a seat sees and may do now, as one JSON object (`docs/page.md`); of what happened, the
    /// steps from the `since`th.
    ///
    /// # Panics
    /// If the seat is not outside.
    fn shown(&mut self, seat: Seat, since: usize) -> String;

    /// The same but for what happened, to be kept while the match goes on.
    ///
    /// # Panics
    /// If the seat is not outside.
    fn scene(&mut self, seat: Seat) -> Scene;

    /// The game, its rules, and the catalogue of words and places, as one JSON object.
    fn described(&self) -> String;

    /// What an agent thinks of what a seat may do, by what the seat sees and remembers, what it would do first. The
    /// match's own luck is not touched.
    ///
    /// # Errors
    /// If the seat is not asked, or the agent can't be made or sees more than the seat.
    fn advice(&mut self, seat: Seat, question: Question<'_>) -> Result<Vec<Considered>, String>;
}

/// What an agent thinks of what a seat may do now.
///
/// # Errors
/// As [`InWords::advice`].
pub fn advice<G: Opinion + Wording, K: Agent<G>>(
    table: &mut Table<G, K>,
    added: &[AddedAgent<G>],
    seat: Seat,
    question: Question<'_>,
) -> Result<Vec<Considered>, String> {
    if table.awaits() != Some(seat) {
        return Err(format!("seat {seat} is not asked"));
    }
    if question.agent.is_oracle() {
        return Err("the oracle sees all hands, which the seat does not".to_owned());
    }
    let game: &G = table.game();
    question.agent.make_among(game, added, question.watch).map_err(|error| error.to_string())?;
    let game = game.clone();
    let done = table.legal()[0];
    let memory = table.observation(seat).memory.clone();
    let number = table.decision().into();
    let moment = DecisionPoint { state: table.state(), seat, done, memory, number };
    let asking = Asking::new(&game, moment, question).among(added);
    let mut considered = question.watch.on_threads(|| asking.thoughts()).considered();
    // In the words of the list, so that whoever reads finds them there.
    let legal = table.legal().clone();
    let observation = table.observation(seat);
    let mut words: BTreeMap<String, String> = legal
        .iter()
        .map(|action| (action.to_string(), game.action_words(&observation.view, *action)))
        .collect();
    for thought in &mut considered {
        if let Some(words) = words.remove(&thought.action) {
            thought.action = words;
        }
    }
    Ok(considered)
}
