//! What decisions cost in win probability, by the judgement of a search, summed up by who took them.

use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::lab::again::MatchId;
use crate::sim::explain::answer::{Cost, Decided, Judged};
use crate::stats::replicates::Mean;
use serde::Serialize;

/// A decision that costs something by the whole of its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mistake {
    /// The match, `BLOCK.MATCH`; none of a record.
    #[serde(rename = "match")]
    pub of: Option<String>,
    /// The agent that decided.
    pub agent: String,
    /// The decision.
    #[serde(flatten)]
    pub decided: Decided,
    /// What it cost.
    #[serde(flatten)]
    pub cost: Cost,
}

/// All decisions of an agent, or of a seat of one match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Total {
    /// The agent.
    pub agent: String,
    /// The seat, if one match is looked at.
    pub seat: Option<Seat>,
    /// Matches in which it sat, once for each of its seats.
    pub matches: u64,
    /// Decisions that were judged: those with a choice.
    pub decisions: u64,
    /// Those in which the search would have done something else.
    pub others: u64,
    /// Those of them whose cost is above 0 by the whole of its interval.
    pub mistakes: u64,
    /// What all its decisions cost a match.
    pub cost: Option<Mean>,
    /// Sums of costs by search.
    #[serde(skip)]
    sums: Vec<f64>,
}

/// What has been found in some matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Mistakes, the most expensive first.
    pub mistakes: Vec<Mistake>,
    /// Who made them, in the order in which they sit or were first met.
    pub totals: Vec<Total>,
    /// Whether one match is looked at, so that seats are told apart.
    #[serde(skip)]
    by_seat: bool,
    #[serde(skip)]
    searches: u32,
}

/// Where the searches that look into a match take their random numbers from.
pub fn seed_of(master: u64, id: Option<MatchId>) -> u64 {
    let MatchId { block, number } = id.unwrap_or(MatchId { block: 0, number: 0 });
    BlockSeed::new(BlockSeed::new(master, block).name(), number as u64).name()
}

impl Found {
    /// Nothing yet, by judges with a number of searches; seats are told apart in a single match.
    pub fn new(searches: u32, by_seat: bool) -> Found {
        Found { mistakes: Vec::new(), totals: Vec::new(), by_seat, searches }
    }

    /// Adds what was found in a match; `agents` are the names by seat.
    pub fn add(&mut self, id: Option<MatchId>, agents: &[String], judged: Vec<Judged>) {
        for (seat, agent) in (0_u8..).map(Seat::new).zip(agents) {
            self.total(agent, seat).matches += 1;
        }
        for Judged { decided, cost } in judged {
            let agent = agents[decided.seat.idx()].clone();
            let total = self.total(&agent, decided.seat);
            total.decisions += 1;
            let Some(cost) = cost else { continue };
            total.others += 1;
            total.sums.iter_mut().zip(&cost.by_search).for_each(|(sum, cost)| *sum += cost);
            if cost.cost.is_above_zero() {
                total.mistakes += 1;
                let of = id.map(|id| id.to_string());
                self.mistakes.push(Mistake { of, agent, decided, cost });
            }
        }
        self.mistakes.sort_by(|a, b| b.cost.cost.value.total_cmp(&a.cost.cost.value));
        for total in &mut self.totals {
            let by_match: Vec<f64> =
                total.sums.iter().map(|sum| sum / total.matches as f64).collect();
            total.cost = Mean::of(&by_match);
        }
    }

    fn total(&mut self, agent: &str, seat: Seat) -> &mut Total {
        let seat = self.by_seat.then_some(seat);
        let is_it = |total: &Total| total.agent == agent && total.seat == seat;
        let at = self.totals.iter().position(is_it).unwrap_or_else(|| {
            let agent = agent.to_owned();
            let (matches, decisions, others, mistakes, cost) = (0, 0, 0, 0, None);
            let sums = vec![0.0; self.searches as usize];
            self.totals.push(Total {
                agent,
                seat,
                matches,
                decisions,
                others,
                mistakes,
                cost,
                sums,
            });
            self.totals.len() - 1
        });
        &mut self.totals[at]
    }
}
