//! Variants, compared with the first one. A block plays every variant once in each rotation, on the same chance
//! streams. Its sums by variant and metric, their squares, and their products with those of the first
//! variant give paired differences and their variances.

use crate::core::types::seat::Seat;
use crate::sim::match_summary::MatchSummary;
use crate::sim::trials::{Count, MatchPlan, Trial};

/// What is compared: small whole numbers that a match has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Wins of a seat, from 0.
    SeatWins(usize),
    /// Wins of a role: of one agent of the line-up, in whichever seats it sits.
    RoleWins(usize),
    /// Matches without a winner.
    NoWinner,
    /// Turns of matches that someone won, counted by player: one that nobody wins may be stopped at twenty times the
    /// usual length.
    Turns,
    /// The same, to be divided by the number of players. It has no counters of its own.
    Rounds,
    /// Points of all seats.
    Points,
    /// Lead changes.
    LeadChanges,
    /// Matches whose winner had been behind.
    Comebacks,
}

impl Metric {
    /// Whether it has no largest value, so that a rare match may have many times the usual one.
    pub fn has_long_tail(self) -> bool {
        matches!(self, Metric::Turns | Metric::Rounds | Metric::LeadChanges)
    }
}

/// The counting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedCount {
    /// Seats at the table.
    pub players: usize,
    /// Agents of the line-up: how many roles there are.
    pub roles: usize,
    /// Variants, the first one included.
    pub variants: usize,
    /// The role in each seat of each match of one variant.
    pub rotations: Vec<Vec<usize>>,
}

impl PairedCount {
    /// Counters of a variant before its metrics: matches that ended, and those that someone won.
    const MATCHES: usize = 0;
    const WON: usize = 1;
    const HEAD: usize = 2;
    /// Sums of a metric.
    pub const SUM: usize = 0;
    /// Sums of squares of a block's sum.
    pub const SQUARE: usize = 1;
    /// Sums of products of a block's sum with that of the first variant.
    pub const PRODUCT: usize = 2;
    const METRIC_WIDTH: usize = 3;

    /// The metrics, in the order of their counters.
    pub fn metrics(&self) -> Vec<Metric> {
        let seats = (0..self.players).map(Metric::SeatWins);
        let roles = (0..self.roles).map(Metric::RoleWins);
        let others = [
            Metric::NoWinner,
            Metric::Turns,
            Metric::Points,
            Metric::LeadChanges,
            Metric::Comebacks,
        ];
        seats.chain(roles).chain(others).collect()
    }

    fn metric_count(&self) -> usize {
        self.players + self.roles + 5
    }

    fn variant_width(&self) -> usize {
        PairedCount::HEAD + self.metric_count() * PairedCount::METRIC_WIDTH
    }

    /// The counter of matches of a variant.
    pub fn matches(&self, variant: usize) -> usize {
        variant * self.variant_width() + PairedCount::MATCHES
    }

    /// The counter of the matches that a metric is a mean over.
    pub fn matches_of(&self, variant: usize, metric: Metric) -> usize {
        let of_won = matches!(metric, Metric::Turns | Metric::Rounds);
        self.matches(variant) + if of_won { PairedCount::WON } else { 0 }
    }

    /// The counters of a metric, by its place in [`PairedCount::metrics`].
    pub fn metric(&self, variant: usize, metric: usize) -> usize {
        variant * self.variant_width() + PairedCount::HEAD + metric * PairedCount::METRIC_WIDTH
    }

    fn value(&self, metric: Metric, rotation: usize, summary: &MatchSummary) -> u64 {
        let winner = summary.winner.map(Seat::idx);
        match metric {
            Metric::SeatWins(seat) => u64::from(winner == Some(seat)),
            Metric::RoleWins(role) => {
                u64::from(winner.is_some_and(|seat| self.rotations[rotation][seat] == role))
            }
            Metric::NoWinner => u64::from(winner.is_none()),
            Metric::Turns | Metric::Rounds => {
                if winner.is_some() {
                    u64::from(summary.turns)
                } else {
                    0
                }
            }
            Metric::Points => summary.points.iter().map(|&points| u64::from(points)).sum(),
            Metric::LeadChanges => u64::from(summary.lead_changes),
            Metric::Comebacks => u64::from(summary.comeback),
        }
    }

    /// The sum of a metric over the matches of one variant in one block.
    fn block_sum(&self, metric: Metric, trials: &[Trial]) -> u64 {
        let value = |(rotation, trial): (usize, &Trial)| match trial {
            Trial::Ended(summary) => self.value(metric, rotation, summary),
            _ => 0,
        };
        trials.iter().enumerate().map(value).sum()
    }
}

impl Count for PairedCount {
    fn width(&self) -> usize {
        self.variants * self.variant_width()
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        for (variant, trials) in trials.chunks(self.rotations.len()).enumerate() {
            let ended = trials.iter().filter(|trial| matches!(trial, Trial::Ended(_))).count();
            let is_won = |trial: &&Trial| matches!(trial, Trial::Ended(it) if it.winner.is_some());
            sums[self.matches(variant)] += ended as u64;
            sums[self.matches(variant) + PairedCount::WON] +=
                trials.iter().filter(is_won).count() as u64;
        }
        for (at, metric) in self.metrics().into_iter().enumerate() {
            let mut first = None;
            for (variant, trials) in trials.chunks(self.rotations.len()).enumerate() {
                let value = self.block_sum(metric, trials);
                let counter = self.metric(variant, at);
                sums[counter + PairedCount::SUM] += value;
                sums[counter + PairedCount::SQUARE] += value * value;
                sums[counter + PairedCount::PRODUCT] += value * *first.get_or_insert(value);
            }
        }
    }
}

/// The matches of a block: each variant in each rotation.
pub fn matches(variants: impl Iterator<Item = (usize, Vec<Vec<usize>>)>) -> Vec<MatchPlan> {
    let of = |(variant, rotations): (usize, Vec<Vec<usize>>)| {
        rotations.into_iter().map(move |seats| MatchPlan::plain(variant, seats))
    };
    variants.flat_map(of).collect()
}
