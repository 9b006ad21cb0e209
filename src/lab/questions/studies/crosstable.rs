//! `crosstable.csv`: each agent against each other one, beside what the ratings expect, and the cycles that no rating
//! can express.

use crate::lab::questions::studies::estimator::{Compared, SectionSums, adjusted};
use crate::lab::questions::studies::rated::Rated;
use crate::lab::report::comparison::Finding;
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{JUDGED, More, Row, Table};
use crate::stats::held::Held;
use crate::stats::jackknife::Estimate;
use crate::stats::ratings::Ratings;
use std::collections::VecDeque;

/// Agents by pairs.
pub const CROSSTABLE: TableSchema = TableSchema {
    name: "crosstable",
    keys: &[text("agent", "an agent"), text("against", "another one at the same table")],
    more: &JUDGED,
    metrics: &[
        Metric::share(
            "win_share",
            "wins of the agent as a share of the matches at one table that it or the other won; the verdict holds together for all pairs",
        ),
        Metric::share("expected_share", "the same by their ratings and seats"),
        Metric::difference(
            "residual",
            "win_share minus expected_share; p_holm is adjusted for all pairs, each of which stands in two rows",
        ),
    ],
};

/// Below this, a residual and its standard error come of rounding: the design leaves it nothing to show, since the
/// ratings are free to fit this share.
const ROUNDING: f64 = 1e-7;

/// Expected wins of either agent below which a residual has no interval: its standard error rests on too few events.
/// For independent matches 5 are usual (W. Cochran, "Some methods for strengthening the common χ² tests", 1954);
/// those of a block are not.
const EXPECTED_MIN: f64 = 10.0;

/// `crosstable.csv`.
pub fn table(rated: &Rated<'_>) -> Table {
    let agents = rated.agents.len();
    let (mut shares, mut residuals) = (Vec::new(), Vec::new());
    for one in 0..agents {
        for other in (0..agents).filter(|&other| other != one) {
            let pair = Pair::new(rated, one, other);
            if !pair.wins.is_empty() {
                shares.push((pair.share_row(), pair.expected_row()));
                residuals.push(((one, other), pair.residual_row()));
            }
        }
    }
    // A pair's two rows are one comparison: only the first counts among those that are adjusted.
    let firsts = residuals.iter().filter(|((one, other), _)| one < other);
    let tested = adjusted(firsts.clone().map(|(_, row)| row.clone()).collect());
    let pairs: Vec<(usize, usize)> = firsts.map(|(pair, _)| *pair).collect();
    let mut rows = Vec::new();
    for ((share, expected), ((one, other), residual)) in shares.into_iter().zip(residuals) {
        let pair = (one.min(other), one.max(other));
        let known = pairs.iter().position(|known| *known == pair);
        let mut row = residual.row;
        let tested = known.and_then(|known| tested[known].comparison());
        if let (More::Comparison(said), Some(tested)) = (&mut row.more, tested) {
            (said.p_value, said.p_holm) = (tested.p_value, tested.p_holm);
        }
        rows.extend([share, expected, row]);
    }
    CROSSTABLE.table(rated.estimator.grouped.blocks(), rows)
}

/// Two agents, and the counters of their wins where both sit at the table.
struct Pair<'a> {
    rated: &'a Rated<'a>,
    one: usize,
    other: usize,
    /// By line-up, seat, and whether it is the first agent's.
    wins: Vec<(usize, usize, bool)>,
}

impl<'a> Pair<'a> {
    fn new(rated: &'a Rated<'a>, one: usize, other: usize) -> Pair<'a> {
        let mut wins = Vec::new();
        for (number, line_up) in rated.line_ups.iter().enumerate() {
            if line_up.contains(&one) && line_up.contains(&other) {
                for (seat, &agent) in line_up.iter().enumerate() {
                    if agent == one || agent == other {
                        wins.push((number, seat, agent == one));
                    }
                }
            }
        }
        Pair { rated, one, other, wins }
    }

    /// The share of the first agent, of something that each of the seats has.
    fn share(&self, of: impl Fn(usize, usize) -> f64) -> Option<f64> {
        let (mut first, mut both) = (0.0, 0.0);
        for &(number, seat, is_first) in &self.wins {
            let value = of(number, seat);
            both += value;
            first += if is_first { value } else { 0.0 };
        }
        (both > 0.0).then(|| first / both)
    }

    fn seen(&self, view: &SectionSums<'_>) -> Option<f64> {
        let count = self.rated.count();
        self.share(|number, seat| view.get(count.wins(number, seat)))
    }

    fn expected(&self, ratings: &Ratings) -> Option<f64> {
        ratings.strengths[self.one]?;
        ratings.strengths[self.other]?;
        self.share(|number, seat| ratings.expected[number][seat])
    }

    /// The expected wins of the agent that has fewer.
    fn expected_wins(&self, ratings: &Ratings) -> f64 {
        let wins = |of_first: bool| -> f64 {
            let of = self.wins.iter().filter(|(_, _, is_first)| *is_first == of_first);
            of.map(|&(number, seat, _)| ratings.expected[number][seat]).sum()
        };
        wins(true).min(wins(false))
    }

    fn row(&self, metric: &'static str, estimate: Option<Estimate>, more: More) -> Row {
        let names = [self.one, self.other].map(|agent| self.rated.agents[agent].clone());
        let (blocks, n) = (self.blocks(), self.won());
        Row { keys: names.to_vec(), metric, estimate, blocks, n, more }
    }

    /// The matches that one of both won.
    fn won(&self) -> u64 {
        let count = self.rated.count();
        let wins = self.wins.iter().map(|&(number, seat, _)| count.wins(number, seat));
        wins.map(|counter| self.rated.estimator.sum(counter)).sum()
    }

    /// The blocks that hold such a match, at most: which they are isn't counted, since agents may join later.
    fn blocks(&self) -> u64 {
        self.rated.estimator.grouped.blocks().min(self.won())
    }

    fn share_row(&self) -> Row {
        let Rated { estimator, .. } = self.rated;
        let seen = |view: SectionSums<'_>| self.seen(&view);
        let held = Held::anywhere(self.won());
        let joint = estimator.share_joint(seen, held, self.rated.joint_alpha());
        let joint = joint.and_then(|joint| joint.interval);
        let finding = joint.is_some_and(|(lo, _)| lo > 0.5).then_some(Finding::MoreThanHalf);
        let share = estimator.share_among(seen, held);
        self.row("win_share", share, self.rated.judged(finding, joint))
    }

    fn expected_row(&self) -> Row {
        let expected = self.rated.estimate_share(|ratings| self.expected(ratings));
        self.row("expected_share", expected.or(Some(Estimate::no_maximum())), More::Nothing)
    }

    fn residual_row(&self) -> Compared {
        let residual = self
            .rated
            .estimate_with(|ratings, view| Some(self.seen(view)? - self.expected(ratings)?));
        let is_none = |residual: &Estimate| {
            residual.value.abs() < ROUNDING && residual.se.is_some_and(|se| se < ROUNDING)
        };
        let expected = self.rated.estimate(|ratings| Some(self.expected_wins(ratings)));
        let few = expected.is_none_or(|expected| expected.value < EXPECTED_MIN);
        let residual = match residual {
            Some(residual) if is_none(&residual) => Estimate::fixed(0.0),
            Some(residual) if few => Estimate::without_interval(residual.value, residual.se),
            Some(residual) => residual,
            None => Estimate::no_maximum(),
        };
        let joint = self.rated.joint(&residual);
        let misfit = joint.is_some_and(|(lo, hi)| lo > 0.0 || hi < 0.0);
        let more = self.rated.judged(misfit.then_some(Finding::Misfit), joint);
        let p_value = self.rated.estimator.p_value(Some(&residual));
        Compared { row: self.row("residual", Some(residual), more), p_value, judgement: None }
    }
}

/// The strongest cycle of agents of which each surely wins more than half against the next: the one whose weakest
/// link is the strongest, of these a shortest one. Links are lower ends of `win_share`, by agent and against whom.
pub fn strongest_cycle(links: &[Vec<Option<f64>>]) -> Option<Vec<usize>> {
    let agents = links.len();
    let mut ends: Vec<f64> =
        links.iter().flatten().copied().flatten().filter(|&lo| lo > 0.5).collect();
    ends.sort_by(|a, b| b.total_cmp(a));
    ends.dedup();
    let shortest = |least: f64| {
        let cycles = (0..agents).filter_map(|start| cycle_from(links, start, least));
        cycles.min_by_key(Vec::len)
    };
    // The more links are taken in, the more cycles there are.
    let first = ends.partition_point(|&least| shortest(least).is_none());
    shortest(*ends.get(first)?)
}

/// A shortest cycle through an agent, of links that are strong enough.
fn cycle_from(links: &[Vec<Option<f64>>], start: usize, least: f64) -> Option<Vec<usize>> {
    let strong = |from: usize, to: usize| links[from][to].is_some_and(|lo| lo >= least);
    let mut before: Vec<Option<usize>> = vec![None; links.len()];
    let mut waiting = VecDeque::from([start]);
    while let Some(from) = waiting.pop_front() {
        if from != start && strong(from, start) {
            let mut cycle = vec![from];
            while let Some(previous) = before[cycle[cycle.len() - 1]] {
                cycle.push(previous);
            }
            cycle.reverse();
            return Some(cycle);
        }
        for (to, known) in before.iter_mut().enumerate() {
            if to != start && known.is_none() && strong(from, to) {
                *known = Some(from);
                waiting.push_back(to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(agents: usize, known: &[(usize, usize, f64)]) -> Vec<Vec<Option<f64>>> {
        let mut links = vec![vec![None; agents]; agents];
        for &(one, other, lo) in known {
            links[one][other] = Some(lo);
        }
        links
    }

    #[test]
    fn the_strongest_cycle_has_the_strongest_weakest_link() {
        let order = [(0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.95)];
        assert_eq!(strongest_cycle(&links(3, &order)), None);
        let three = [(0, 1, 0.6), (1, 2, 0.7), (2, 0, 0.55)];
        assert_eq!(strongest_cycle(&links(3, &three)), Some(vec![0, 1, 2]));
        // A longer one is stronger; a link at one half or below is none.
        let more = [(2, 3, 0.65), (3, 0, 0.61), (1, 0, 0.5)];
        let all = [&three[..], &more].concat();
        assert_eq!(strongest_cycle(&links(4, &all)), Some(vec![0, 1, 2, 3]));
        assert_eq!(strongest_cycle(&links(2, &[(0, 1, 0.5), (1, 0, 0.5)])), None);
        assert_eq!(strongest_cycle(&[]), None);
    }
}
