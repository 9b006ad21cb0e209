//! Why an agent chose: what an agent thinks of each legal action at a decision of a match, and what decisions cost by
//! the judgement of a search.
//!
//! An agent is asked as it would be in the match: it gets the observation of the seat that decided, with what that
//! seat remembers, and nothing else. A search is asked several times on independent streams of random numbers; the
//! intervals are those of its means over these searches. They say how sure the search is of its own values, not how
//! right these are.

pub mod features;
pub mod judge;
pub mod taken;
#[cfg(test)]
mod tests;

use crate::core::game::Game;
use crate::core::opinion::Opinion;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::sim::agents::mcts::Watch;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::explain::features::Difference;
use crate::sim::explain::judge::Asking;
use crate::sim::explain::taken::Taken;
use crate::sim::records::line::DecisionLine;
use crate::stats::replicates::Mean;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};

/// How an agent is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The agent.
    pub agent: &'a AgentSpec,
    /// What searches ask of the outside.
    pub watch: Watch,
    /// Where their random numbers come from.
    pub seed: u64,
    /// Independent searches, at least 2.
    pub searches: u32,
}

/// A decision of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decided {
    /// Its number in the match, from 0.
    pub decision: usize,
    /// The turn.
    pub turn: u16,
    /// Who decided.
    pub seat: Seat,
    /// What was asked, in a word of the game.
    pub phase: String,
    /// The length of the full legal list.
    pub legal: usize,
    /// What was done.
    pub action: String,
}

/// What an agent thinks of an action.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Considered {
    /// The action.
    pub action: String,
    /// The chance to win by it; nothing if it was never tried. A planner's has no interval.
    pub chance: Option<Mean>,
    /// Iterations that tried it, a search.
    pub visits: Option<f64>,
    /// The share of iterations that it would get before anything is known.
    pub prior: Option<f64>,
    /// Searches that chose it; of an agent that does not search, all or none.
    pub chosen: u32,
    /// Whether it is what was done in the match.
    pub done: bool,
}

/// What was done against what the agent would have done.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cost {
    /// What it would have done.
    pub better: String,
    /// The chance to win by that.
    pub better_chance: Mean,
    /// The chance to win by what was done.
    pub done_chance: Mean,
    /// The first less the second.
    pub cost: Mean,
    /// The same by search, on common streams of random numbers.
    #[serde(skip)]
    pub by_search: Vec<f64>,
}

/// What an agent thinks of a decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// The decision.
    pub decided: Decided,
    /// The actions that it thinks something of, what it would have done first. Empty if the agent has no opinions.
    pub actions: Vec<Considered>,
    /// Legal actions that it does not think of.
    pub others: usize,
    /// What was done against what it would have done, if they differ and the agent searches.
    pub cost: Option<Cost>,
    /// How its planner sees the two best actions, if it has one and the game has a lesson.
    pub difference: Option<Difference>,
}

/// What a search thinks that a decision cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The decision.
    pub decided: Decided,
    /// What it cost; nothing if the search would have done the same.
    pub cost: Option<Cost>,
}

/// A match of any game that has been played.
pub trait PlayedMatch: Send + Sync {
    /// Its decisions.
    fn decisions(&self) -> Vec<Decided>;

    /// What an agent thinks of a decision.
    ///
    /// # Errors
    /// If the agent can't be made.
    ///
    /// # Panics
    /// If there is no such decision.
    fn explain(&self, number: usize, question: Question<'_>) -> Result<Explained, BadAgent>;

    /// What a search thinks that the decisions cost, on all cores; those with one legal action are left out. Each that
    /// has been judged is counted in `progress`.
    ///
    /// # Errors
    /// If the agent can't be made.
    fn review(&self, question: Question<'_>, progress: &AtomicU64)
    -> Result<Vec<Judged>, BadAgent>;
}

/// A match that has been played, with its game.
#[derive(Debug)]
pub struct Played<G: Game> {
    /// The rules.
    pub game: G,
    /// The match.
    pub taken: Taken<G>,
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

impl<G: Opinion + Wording> PlayedMatch for Played<G> {
    fn decisions(&self) -> Vec<Decided> {
        (0..self.taken.decisions().len()).map(|number| self.decided(number)).collect()
    }

    fn explain(&self, number: usize, question: Question<'_>) -> Result<Explained, BadAgent> {
        question.agent.make(&self.game, question.watch)?;
        let asking = Asking::new(&self.game, self.taken.moment(&self.game, number), question);
        let thoughts = asking.thoughts();
        let cost = asking.cost(&thoughts);
        let difference = match thoughts.best_two() {
            Some(actions) if !question.agent.is_oracle() => asking.difference(actions),
            _ => None,
        };
        let (actions, others) = (thoughts.considered(), thoughts.others());
        Ok(Explained { decided: self.decided(number), actions, others, cost, difference })
    }

    fn review(
        &self,
        question: Question<'_>,
        progress: &AtomicU64,
    ) -> Result<Vec<Judged>, BadAgent> {
        question.agent.make(&self.game, question.watch)?;
        let open: Vec<Decided> =
            self.decisions().into_iter().filter(|decided| decided.legal > 1).collect();
        let judge = |decided: Decided| {
            let moment = self.taken.moment(&self.game, decided.decision);
            let asking = Asking::new(&self.game, moment, question);
            let cost = asking.cost(&asking.thoughts());
            progress.fetch_add(1, Ordering::Relaxed);
            Judged { decided, cost }
        };
        Ok(open.into_par_iter().map(judge).collect())
    }
}
