//! What decisions cost in win probability, by the judgement of a search, summed up by who took them.
//!
//! Of the matches of a run, intervals are those over its blocks: other matches would have had other decisions. Of one
//! match there are no others, and what is left is the noise of the search.

use crate::core::types::seat::Seat;
use crate::lab::read::again::MatchId;
use crate::sim::explain::answer::{Cost, Decided, Judged};
use crate::sim::explain::verdict;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Grouped};
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
    #[serde(flatten)]
    pub cost: Cost,
}

/// Mistakes by what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Sizes {
    /// Less than a percentage point.
    pub below_1pp: u64,
    /// One to five.
    pub from_1pp_to_5pp: u64,
    /// Five or more.
    pub from_5pp: u64,
}

/// All decisions of an agent, or of a seat of one match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Total {
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
    /// The share of decisions that were mistakes; the interval is that over blocks, of one match there is none.
    pub mistaken: Option<Mean>,
    /// Mistakes by what they cost.
    pub by_size: Sizes,
    /// What all its decisions cost a match; the interval is that over blocks, of one match that over searches.
    pub cost: Option<Mean>,
    /// Sums of costs by search.
    #[serde(skip)]
    sums: Vec<f64>,
    /// Sums by group of the blocks in which it sat; see the counters below.
    #[serde(skip)]
    by_block: Grouped,
    /// The last of these blocks.
    #[serde(skip)]
    last: Option<u64>,
}

/// What is counted by block: matches, decisions, mistakes, and costs in 10⁻⁹ of a win, those above 0 and those below.
const MATCHES: usize = 0;
const DECISIONS: usize = 1;
const MISTAKES: usize = 2;
const LOST: usize = 3;
const WON: usize = 4;
const WIDTH: usize = 5;

/// A cost of 1 in the unit of its sums.
const UNIT: f64 = 1e9;

/// What has been found in some matches.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Mistakes, the most expensive first.
    pub mistakes: Vec<Mistake>,
    /// Who made them, in the order in which they sit or were first met.
    pub totals: Vec<Total>,
    /// Blocks of the run that were looked at, in whole or in part.
    pub blocks: u64,
    /// The last of them.
    #[serde(skip)]
    last: Option<u64>,
    /// Whether one match is looked at, so that seats are told apart.
    #[serde(skip)]
    by_seat: bool,
    #[serde(skip)]
    searches: u32,
}

/// Where the searches that look into a match take their random numbers from.
pub fn seed_of(master: u64, id: Option<MatchId>) -> u64 {
    let MatchId { block, number } = id.unwrap_or(MatchId { block: 0, number: 0 });
    verdict::seed_of(master, block, number as u64)
}

impl Found {
    /// Nothing yet, by judges with a number of searches; seats are told apart in a single match.
    pub fn new(searches: u32, by_seat: bool) -> Found {
        let (mistakes, totals) = (Vec::new(), Vec::new());
        Found { mistakes, totals, blocks: 0, last: None, by_seat, searches }
    }

    /// Adds what was found in a match; `agents` are the names by seat. Matches of a block come one behind the other.
    pub fn add(&mut self, id: Option<MatchId>, agents: &[String], judged: Vec<Judged>) {
        let block = id.map_or(0, |id| id.block);
        if self.last != Some(block) {
            self.last = Some(block);
            self.blocks += 1;
        }
        for (seat, agent) in (0_u8..).map(Seat::new).zip(agents) {
            self.total(agent, seat).sit(block);
        }
        for Judged { decided, cost } in judged {
            let agent = agents[decided.seat.idx()].clone();
            let total = self.total(&agent, decided.seat);
            total.decisions += 1;
            total.count(DECISIONS, 1);
            let Some(cost) = cost else { continue };
            if total.add(&cost) {
                let of = id.map(|id| id.to_string());
                self.mistakes.push(Mistake { of, agent, decided, cost });
            }
        }
        self.mistakes.sort_by(|a, b| b.cost.cost.value.total_cmp(&a.cost.cost.value));
        let by_seat = self.by_seat;
        self.totals.iter_mut().for_each(|total| total.estimate(by_seat));
    }

    fn total(&mut self, agent: &str, seat: Seat) -> &mut Total {
        let seat = self.by_seat.then_some(seat);
        let is_it = |total: &Total| total.agent == agent && total.seat == seat;
        let at = self.totals.iter().position(is_it).unwrap_or_else(|| {
            self.totals.push(Total::new(agent.to_owned(), seat, self.searches));
            self.totals.len() - 1
        });
        &mut self.totals[at]
    }
}

impl Sizes {
    /// The count of those of a size.
    fn of(&mut self, cost: f64) -> &mut u64 {
        match cost {
            ..0.01 => &mut self.below_1pp,
            ..0.05 => &mut self.from_1pp_to_5pp,
            _ => &mut self.from_5pp,
        }
    }
}

impl Total {
    fn new(agent: String, seat: Option<Seat>, searches: u32) -> Total {
        Total {
            agent,
            seat,
            matches: 0,
            decisions: 0,
            others: 0,
            mistakes: 0,
            mistaken: None,
            by_size: Sizes::default(),
            cost: None,
            sums: vec![0.0; searches as usize],
            by_block: Grouped::new(WIDTH),
            last: None,
        }
    }

    /// Adds a match of a block.
    fn sit(&mut self, block: u64) {
        self.matches += 1;
        if self.last != Some(block) {
            self.last = Some(block);
            self.by_block.add(self.by_block.blocks(), 1, &[0; WIDTH]);
        }
        self.count(MATCHES, 1);
    }

    /// Counts something in the last block.
    fn count(&mut self, counter: usize, count: u64) {
        let mut sums = [0; WIDTH];
        sums[counter] = count;
        self.by_block.add(self.by_block.blocks() - 1, 0, &sums);
    }

    /// Adds a decision in which the search would have done something else, and says whether it was a mistake.
    fn add(&mut self, cost: &Cost) -> bool {
        self.others += 1;
        self.sums.iter_mut().zip(&cost.by_search).for_each(|(sum, cost)| *sum += cost);
        let value = cost.cost.value;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10^9")]
        let nanos = libm::round(value.abs() * UNIT) as u64;
        self.count(if value > 0.0 { LOST } else { WON }, nanos);
        let is_mistake = cost.cost.is_above_zero();
        if is_mistake {
            self.mistakes += 1;
            self.count(MISTAKES, 1);
            *self.by_size.of(value) += 1;
        }
        is_mistake
    }

    fn estimate(&mut self, by_seat: bool) {
        let over_blocks =
            |estimate: Estimate| Mean { value: estimate.value, interval: estimate.interval };
        let all = Held::anywhere(self.by_block.sum(DECISIONS));
        let mistaken = self.by_block.share_among(|sums| sums.ratio(MISTAKES, DECISIONS), all);
        let mistaken = mistaken.map(over_blocks);
        self.mistaken =
            if by_seat { mistaken.map(|mean| Mean { interval: None, ..mean }) } else { mistaken };
        self.cost = if by_seat {
            let by_match: Vec<f64> =
                self.sums.iter().map(|sum| sum / self.matches as f64).collect();
            Mean::of(&by_match)
        } else {
            let cost = self.by_block.mean(|sums| {
                let matches = sums.get(MATCHES);
                (matches > 0.0).then(|| (sums.get(LOST) - sums.get(WON)) / UNIT / matches)
            });
            cost.map(over_blocks)
        };
    }
}
