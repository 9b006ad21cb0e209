//! Why an agent chose: what an agent thinks of each legal action at a decision of a match, and what decisions cost by
//! the judgement of a search.
//!
//! An agent is asked as it would be in the match: it gets the observation of the seat that decided, with what that
//! seat remembers, and nothing else. A search is asked several times on independent streams of random numbers; the
//! intervals are those of its means over these searches. They say how sure the search is of its own values, not how
//! right these are.

pub mod answer;
pub mod course;
pub mod examples;
pub mod features;
pub mod judge;
pub mod history;
pub mod verdict;
pub mod watched;
#[cfg(test)]
mod tests;

use crate::core::game::Game;
use crate::core::measure::Measure;
use crate::core::opinion::Opinion;
use crate::core::types::seat::Seat;
use crate::core::watch::{Watch, each};
use crate::core::wording::Wording;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::BadAgent;
use crate::sim::described::described;
use crate::sim::explain::answer::{Decided, Explained, Judged, Question, Scope};
use crate::sim::explain::course::Course;
use crate::sim::explain::examples::{Ending, Example, Sampling};
use crate::sim::explain::history::MatchHistory;
use crate::sim::explain::judge::Asking;
use crate::sim::records::line::DecisionLine;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A match of any game that has been played.
pub trait PlayedMatch: Send + Sync {
    /// Its decisions.
    fn decisions(&self) -> Vec<Decided>;

    /// The board with the numbers of its places, and the board before a decision; nothing for a game without one.
    ///
    /// # Panics
    /// If there is no such decision.
    fn boards(&self, number: usize) -> Vec<String>;

    /// Hands out what there is to learn from it, decision by decision, until it is stopped.
    ///
    /// # Panics
    /// If no decision is asked for.
    fn examples(&self, sampling: Sampling, watch: &Watch, each: &mut dyn FnMut(&Example));

    /// What became of it.
    fn ending(&self) -> Ending;

    /// What an agent thinks of a decision.
    ///
    /// # Errors
    /// If the agent can't be made.
    ///
    /// # Panics
    /// If there is no such decision.
    fn explain(&self, number: usize, question: Question<'_>) -> Result<Explained, BadAgent>;

    /// What a search thinks that some decisions cost, on all cores; those with one legal action are left out. Each that has
    /// been judged is counted in `progress`. Once it is stopped, it judges no more.
    ///
    /// # Errors
    /// If the agent can't be made.
    fn review(
        &self,
        of: Scope,
        question: Question<'_>,
        progress: &AtomicU64,
    ) -> Result<Vec<Judged>, BadAgent>;

    /// How the match went for a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    fn course(&self, seat: Seat) -> Course;

    /// The game, its rules, and the catalogue of words and places, as one JSON object.
    fn described(&self) -> String;

    /// The match for those who watch it, as one JSON object: by the eyes of a seat, or with all cards open.
    ///
    /// # Panics
    /// If there is no such seat.
    fn watched(&self, eyes: Option<Seat>) -> String;

    /// Each seat's chance to win after the deal and after each decision, by the game's planner: by position, then seat.
    fn chances(&self) -> Vec<Vec<f32>>;
}

/// A match that has been played, with its game.
#[derive(Debug)]
pub struct Played<G: Game> {
    /// The rules.
    pub game: G,
    /// Agents that were added to those of the game.
    pub added: Arc<[AddedAgent<G>]>,
    /// The match.
    pub taken: MatchHistory<G>,
}

impl<G: Opinion + Wording> Played<G> {
    fn decided(&self, number: usize) -> Decided {
        let (seat, action) = self.taken.decisions()[number];
        let line = DecisionLine::of(&self.game, self.taken.before(number), seat, action);
        Decided {
            decision: number,
            turn: line.turn,
            seat,
            phase: line.phase,
            legal: line.legal,
            action: action.to_string(),
        }
    }
}

impl<G: Opinion + Measure + Wording> PlayedMatch for Played<G> {
    fn decisions(&self) -> Vec<Decided> {
        (0..self.taken.decisions().len()).map(|number| self.decided(number)).collect()
    }

    fn boards(&self, number: usize) -> Vec<String> {
        let (seat, _) = self.taken.decisions()[number];
        let picture = self.game.picture(&self.game.view(self.taken.before(number), seat), &[]);
        self.game.places().into_iter().chain(picture).collect()
    }

    fn examples(&self, sampling: Sampling, watch: &Watch, each: &mut dyn FnMut(&Example)) {
        examples::examples(&self.game, &self.taken, sampling, watch, each);
    }

    fn ending(&self) -> Ending {
        let state = self.taken.last();
        Ending { outcome: self.game.outcome(state), turns: self.game.turn_number(state) }
    }

    fn explain(&self, number: usize, question: Question<'_>) -> Result<Explained, BadAgent> {
        question.agent.make_among(&self.game, &self.added, question.watch)?;
        let asking = Asking::new(&self.game, self.taken.moment(&self.game, number), question)
            .among(&self.added);
        let thoughts = question.watch.on_threads(|| asking.thoughts());
        let cost = asking.cost(&thoughts);
        let difference = match thoughts.best_two() {
            Some(actions) if !question.agent.is_oracle() => {
                question.watch.on_threads(|| asking.difference(actions))
            }
            _ => None,
        };
        let (actions, others) = (thoughts.considered(), thoughts.others());
        Ok(Explained { decided: self.decided(number), actions, others, cost, difference })
    }

    fn review(
        &self,
        of: Scope,
        question: Question<'_>,
        progress: &AtomicU64,
    ) -> Result<Vec<Judged>, BadAgent> {
        question.agent.make_among(&self.game, &self.added, question.watch)?;
        let is_judged = |decided: &Decided| {
            decided.legal > 1 && of.seat.is_none_or(|seat| seat == decided.seat)
        };
        let open: Vec<Decided> = self.decisions().into_iter().filter(is_judged).collect();
        let every = open.len().div_ceil(of.most).max(1);
        let open: Vec<Decided> = open.into_iter().step_by(every).collect();
        let judge = |(): &mut (), place: u64| {
            if question.watch.is_stopped() {
                return None;
            }
            let decided = open[usize::try_from(place).expect("a place in a list")].clone();
            let moment = self.taken.moment(&self.game, decided.decision);
            let asking = Asking::new(&self.game, moment, question).among(&self.added);
            let cost = asking.cost(&asking.thoughts());
            progress.fetch_add(1, Ordering::Relaxed);
            Some(Judged { decided, cost })
        };
        let judged = question.watch.on_threads(|| each(0..open.len() as u64, || (), judge));
        Ok(judged.into_iter().flatten().collect())
    }

    fn course(&self, seat: Seat) -> Course {
        course::course(&self.game, &self.taken, seat)
    }

    fn described(&self) -> String {
        described(&self.game)
    }

    fn watched(&self, eyes: Option<Seat>) -> String {
        watched::watched(&self.game, &self.taken, eyes)
    }

    fn chances(&self) -> Vec<Vec<f32>> {
        watched::chances(&self.game, &self.taken)
    }
}
