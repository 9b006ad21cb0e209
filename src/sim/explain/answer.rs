//! What is asked about a decision, and what is answered.

use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::explain::features::Difference;
use crate::stats::replicates::Mean;
use serde::Serialize;

/// How an agent is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The agent.
    pub agent: &'a AgentSpec,
    /// What searches ask of the outside.
    pub watch: &'a Watch,
    /// Where their random numbers come from.
    pub seed: u64,
    /// Independent searches, at least 2.
    pub searches: u32,
}

/// Which decisions of a match are judged.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    /// Those of this seat, or of all.
    pub seat: Option<Seat>,
    /// So many at most, evenly spread over the match; at least 1.
    pub most: usize,
}

impl Scope {
    /// All.
    pub const ALL: Scope = Scope { seat: None, most: usize::MAX };
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
