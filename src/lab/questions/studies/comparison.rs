//! `compare.csv`: A against B, by a sequential test of the score of blocks, and a confidence sequence.

use crate::lab::questions::studies::controlled::{Controlled, INTENDED_BLOCKS};
use crate::lab::questions::studies::estimator::{ALPHA, Estimator, SectionSums};
use crate::lab::questions::studies::study::BLOCKS_BEFORE_STOP;
use crate::lab::report::comparison::{Comparison, DuelFinding, Finding};
use crate::lab::report::described::{TableSchema, integer, text};
use crate::lab::report::format::percentage_points;
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{COMPARISON, More, Row, Table};
use crate::sim::batch::Totals;
use crate::sim::counts::duel::DuelCount;
use crate::sim::looks::{Look, Looks};
use crate::stats::betting::{self, Side};
use crate::stats::elo;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Method};
use crate::stats::mean_test::MeanTest;
use crate::stats::sequential::Decision;

/// Two agents.
pub const COMPARE: TableSchema = TableSchema {
    name: "compare",
    keys: &[text("agent", "A, B, or A - B")],
    more: &COMPARISON,
    metrics: &[
        Metric::share("win_share", "share of matches that a seat of this agent wins"),
        Metric::share(
            "win_rate_alone",
            "share of matches won alone against several of the other agent",
        ),
        Metric::difference(
            "win_difference",
            "win share of A minus that of B; biased where the test accepted a difference, which the interval \
             allows for",
        ),
        Metric::number("elo", "the same in Elo: each seat wins in proportion to 10^(elo/400)"),
        Metric::number("llr", "log-likelihood ratio of the two hypotheses of the test"),
        Metric::number(
            "log_wealth_above",
            "log of the wealth of a bet that the difference is above the null's",
        ),
        Metric::number("log_wealth_below", "the same of a bet that it is below the alternative's"),
        Metric::number("score_variance", "variance of a block's score, in wins squared"),
        Metric::number("score_variance_unpaired", "the same if each match had a deal of its own"),
        Metric::number("matches_unpaired", "matches that would have been as good without pairing"),
        Metric::difference(
            "win_difference_less_luck",
            "`win_difference` minus what A and B owe to draws and rolls, as a judge sees it: the same on average, \
             with less variance (`--less-luck`)",
        ),
        Metric::difference(
            "luck",
            "what A owes to luck minus what B does, in shares of matches; 0 on average",
        ),
        Metric::number(
            "luck_coefficient",
            "how much of the luck is taken from the difference; 1 if the judge were perfect",
        ),
        Metric::number(
            "variance_left",
            "variance of a block's score less luck by that of its score",
        ),
        Metric::number(
            "matches_saved",
            "share of the matches that less luck saves at the same certainty: 1 - `variance_left`",
        ),
    ],
};

/// How a comparison came to where it is.
pub const PATH: TableSchema = TableSchema {
    name: "path",
    keys: &[integer(
        "look",
        "the look at the data, from 1; all of the first 64, then 32 of each doubling",
    )],
    more: &[],
    metrics: &[
        Metric::difference("win_difference", "as in `compare.csv`, at this look"),
        Metric::number("llr", "likewise"),
        Metric::number("log_wealth_above", "likewise"),
        Metric::number("log_wealth_below", "likewise"),
    ],
};

/// The comparison of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct DuelTest {
    /// The counting.
    pub duel: DuelCount,
    /// Differences of shares, and error rates.
    pub test: MeanTest,
    /// The run stops when the interval of the difference is no wider than this to either side, instead of
    /// where the test says.
    pub until: Option<f64>,
    /// Whether A and B are the same agent: the design then fixes every difference at 0.
    pub same: bool,
}

impl DuelTest {
    /// Scores, from −m to m for m matches of a block.
    fn scores(&self) -> impl Iterator<Item = i64> + use<> {
        let most = i64::try_from(self.duel.matches()).expect("few matches");
        -most..=most
    }

    fn counts(&self, estimator: Estimator<'_>) -> Vec<u64> {
        self.scores().map(|score| estimator.sum(self.duel.score(score))).collect()
    }

    /// The score of a block by its number of matches: a difference of shares.
    fn values(&self) -> Vec<f64> {
        self.scores().map(|score| score as f64 / self.duel.matches() as f64).collect()
    }

    fn interval(&self, estimator: Estimator<'_>) -> (f64, f64) {
        betting::interval(&self.values(), &self.counts(estimator), ALPHA)
    }

    /// Where the comparison stood at each look that was kept, and at the last.
    pub fn path(&self, totals: &Totals) -> Table {
        let offset = Estimator::first(totals, true).offset;
        let kept = totals.looks.as_ref().map_or(&[][..], Looks::all);
        let mut looks = kept.to_vec();
        let last = totals.chunks.end;
        if totals.open.is_none() && kept.last().is_none_or(|look| look.number < last) {
            looks.push(Look::new(last, &totals.grouped));
        }
        looks.retain(|look| look.blocks > 0);
        let rows = looks.iter().flat_map(|look| self.at_look(look, &look.sums[offset..]));
        PATH.table(totals.blocks(), rows.collect())
    }

    /// The rows of a look, whose sums are these.
    fn at_look(&self, look: &Look, sums: &[u64]) -> Vec<Row> {
        let counts: Vec<u64> = self.scores().map(|score| sums[self.duel.score(score)]).collect();
        let values = self.values();
        let seen = values.iter().zip(&counts).map(|(value, &count)| value * count as f64);
        let difference = seen.sum::<f64>() / look.blocks as f64;
        let difference = if self.same {
            Estimate::fixed(difference)
        } else {
            let interval = Some(betting::interval(&values, &counts, ALPHA));
            Estimate { value: difference, se: None, interval, method: Method::BettingSequence }
        };
        let mut all = vec![("win_difference", difference)];
        all.extend(self.evidence(&counts).map(|(metric, value)| {
            (metric, Estimate { value, se: None, interval: None, method: Method::None })
        }));
        let n = look.blocks * self.duel.matches() as u64;
        let keys = || vec![look.number.to_string()];
        let row = |(metric, estimate)| Row::new(keys(), metric, Some(estimate), look.blocks, n);
        all.into_iter().map(row).collect()
    }

    /// The interval of the difference; less luck, if luck was judged and there are blocks enough.
    fn narrowest(&self, estimator: Estimator<'_>) -> (f64, f64) {
        let plain = self.interval(estimator);
        if !self.duel.has_luck() || estimator.grouped.blocks() < BLOCKS_BEFORE_STOP {
            return plain;
        }
        let less = Controlled { duel: &self.duel, estimator }.difference();
        let less =
            less.and_then(|less| less.interval).filter(|(lo, hi)| hi - lo < plain.1 - plain.0);
        less.unwrap_or(plain)
    }

    /// Why the run may stop now; `None` if it may not.
    pub fn stop(&self, estimator: Estimator<'_>) -> Option<String> {
        if self.same {
            return Some("A and B are the same agent".to_owned());
        }
        if let Some(width) = self.until {
            let (lo, hi) = self.narrowest(estimator);
            let narrow = (hi - lo) / 2.0 <= width;
            let width = percentage_points(width);
            return narrow.then(|| format!("the interval of the difference is within ±{width}"));
        }
        let MeanTest { mean0, mean1, .. } = self.test;
        let (accepted, rejected) = match self.test.decide(&self.values(), &self.counts(estimator)) {
            Decision::Continue => return None,
            Decision::AcceptNull => (mean0, mean1),
            Decision::AcceptAlternative => (mean1, mean0),
        };
        let [accepted, rejected] = [accepted, rejected].map(percentage_points);
        let verdict = self.finding(estimator).words();
        Some(format!("{verdict}: the test accepts a difference of {accepted} against {rejected}"))
    }

    /// Who is stronger, as far as can be said. Either the test rejects a difference, or the interval lies on
    /// one side of 0.
    pub fn finding(&self, estimator: Estimator<'_>) -> DuelFinding {
        if self.same {
            return DuelFinding::Same;
        }
        let MeanTest { mean0, mean1, .. } = self.test;
        let decision = if self.until.is_some() {
            Decision::Continue
        } else {
            self.test.decide(&self.values(), &self.counts(estimator))
        };
        let (lo, hi) = self.interval(estimator);
        match decision {
            Decision::AcceptAlternative if mean0 >= 0.0 => DuelFinding::AStronger(mean0),
            Decision::AcceptNull if mean1 <= 0.0 => DuelFinding::BStronger(-mean1),
            _ if lo > 0.0 => DuelFinding::AStronger(0.0),
            _ if hi < 0.0 => DuelFinding::BStronger(0.0),
            Decision::AcceptAlternative => DuelFinding::ANotWeaker(-mean0),
            Decision::AcceptNull => DuelFinding::ANotStronger(mean1),
            Decision::Continue => DuelFinding::Undecided,
        }
    }

    /// The table.
    pub fn table(&self, estimator: Estimator<'_>) -> Table {
        let blocks = estimator.grouped.blocks();
        let matches = blocks * self.duel.matches() as u64;
        let mut rows = Vec::new();
        let difference = self.difference(estimator);
        for (side, agent) in ["A", "B"].into_iter().enumerate() {
            let share = self.share(estimator, side, difference);
            rows.push(row(agent, "win_share", share, (blocks, matches)));
        }
        for (side, agent) in ["A", "B"].into_iter().enumerate() {
            let alone = self.alone(side);
            if !alone.is_empty() {
                let rate = share(estimator, |view| self.rate_alone(&view, &alone, side));
                let rate = if self.same && self.all_won(estimator) {
                    rate.map(|rate| Estimate::fixed(rate.value))
                } else {
                    rate
                };
                let n = blocks * alone.len() as u64;
                rows.push(row(agent, "win_rate_alone", rate, (blocks, n)));
            }
        }
        let finding = Finding::Duel(self.finding(estimator));
        let mut found = row("A - B", "win_difference", difference, (blocks, matches));
        found.more = More::Comparison(Comparison::finding(finding));
        rows.push(found);
        let mut more = |metric, estimate| {
            rows.push(row("A - B", metric, estimate, (blocks, matches)));
        };
        more("elo", difference.and_then(|difference| self.elo(difference)));
        for (metric, value) in self.evidence(&self.counts(estimator)) {
            let alone = Estimate { value, se: None, interval: None, method: Method::None };
            more(metric, (blocks > 0).then_some(alone));
        }
        // A score lies between −m and m, so its variance is at most m² (T. Popoviciu, 1935), and that of each
        // of m matches at most 1.
        let most = self.duel.matches() as f64;
        let variance = match estimator.positive(|view| self.variance(&view)) {
            Some(variance) if self.same => Some(Estimate::fixed(variance.value)),
            variance => variance.map(|variance| at_most(variance, most * most)),
        };
        more("score_variance", variance);
        let unpaired = estimator.positive(|view| self.variance_unpaired(&view));
        more("score_variance_unpaired", unpaired.map(|variance| at_most(variance, most)));
        let cost = estimator.positive(|view| {
            let paired = self.variance(&view).filter(|&variance| variance > 0.0)?;
            Some(self.variance_unpaired(&view)? / paired * matches as f64)
        });
        more("matches_unpaired", cost);
        if self.duel.has_luck() && !self.same {
            let row = |metric, estimate| row("A - B", metric, estimate, (blocks, matches));
            rows.extend(Controlled { duel: &self.duel, estimator }.rows(row));
        }
        COMPARE.table(blocks, rows)
    }

    /// Where the test stands: the likelihood ratio and the wealth of both bets, as logarithms.
    fn evidence(&self, counts: &[u64]) -> [(&'static str, f64); 3] {
        let values = self.values();
        let wealth = |bound, side| betting::log_wealth(&values, counts, bound, side);
        [
            ("llr", self.test.llr(&values, counts)),
            ("log_wealth_above", wealth(self.test.mean0, Side::Above)),
            ("log_wealth_below", wealth(self.test.mean1, Side::Below)),
        ]
    }

    /// The matches of a block in which a side has one seat against several.
    fn alone(&self, side: usize) -> Vec<usize> {
        let is_alone =
            |&at: &usize| self.duel.seats(at, side) == 1 && self.duel.seats(at, 1 - side) > 1;
        (0..self.duel.matches()).filter(is_alone).collect()
    }

    fn rate_alone(&self, view: &SectionSums<'_>, alone: &[usize], side: usize) -> Option<f64> {
        let wins: f64 = alone.iter().map(|&at| view.get(self.duel.wins(at, side))).sum();
        let matches = self.blocks(view) * alone.len() as f64;
        (matches > 0.0).then(|| wins / matches)
    }

    /// Whether every match had a winner.
    fn all_won(&self, estimator: Estimator<'_>) -> bool {
        let matches = self.duel.matches();
        let wins = |at| estimator.sum(self.duel.wins(at, 0)) + estimator.sum(self.duel.wins(at, 1));
        let wins: u64 = (0..matches).map(wins).sum();
        wins == estimator.grouped.blocks() * matches as u64
    }

    /// The share of a side. Where every match had a winner, both shares sum to 1 and the difference d says it
    /// all: A's share is (1 + d)/2, B's (1 − d)/2.
    fn share(
        &self,
        estimator: Estimator<'_>,
        side: usize,
        difference: Option<Estimate>,
    ) -> Option<Estimate> {
        let share = share(estimator, |view| self.win_share(&view, side))?;
        if !self.all_won(estimator) {
            return Some(share);
        }
        if self.same {
            return Some(Estimate::fixed(share.value));
        }
        let (lo, hi) = difference?.interval?;
        let (lo, hi) = if side == 0 { (lo, hi) } else { (-hi, -lo) };
        let interval = Some((f64::midpoint(1.0, lo), f64::midpoint(1.0, hi)));
        Some(Estimate { value: share.value, se: None, interval, method: Method::Transformed })
    }

    /// The share of matches that a seat of a side wins.
    fn win_share(&self, view: &SectionSums<'_>, side: usize) -> Option<f64> {
        let matches = self.duel.matches();
        let wins: f64 = (0..matches).map(|at| view.get(self.duel.wins(at, side))).sum();
        let played = self.blocks(view) * matches as f64;
        (played > 0.0).then(|| wins / played)
    }

    fn blocks(&self, view: &SectionSums<'_>) -> f64 {
        self.scores().map(|score| view.get(self.duel.score(score))).sum()
    }

    /// The difference with its standard error, and a confidence sequence by betting.
    fn difference(&self, estimator: Estimator<'_>) -> Option<Estimate> {
        let difference =
            estimator.mean(|view| Some(self.win_share(&view, 0)? - self.win_share(&view, 1)?))?;
        if self.same {
            return Some(Estimate::fixed(difference.value));
        }
        let interval = Some(self.interval(estimator));
        Some(Estimate { interval, method: Method::BettingSequence, ..difference })
    }

    fn elo(&self, difference: Estimate) -> Option<Estimate> {
        if self.same {
            return Some(Estimate::fixed(0.0));
        }
        let seats = |at| (self.duel.seats(at, 0), self.duel.seats(at, 1));
        let line_ups: Vec<(usize, usize)> = (0..self.duel.matches()).map(seats).collect();
        let elo = |difference| elo::elo_of_difference(difference, &line_ups);
        let interval = difference.interval.and_then(|(lo, hi)| Some((elo(lo)?, elo(hi)?)));
        let method = if interval.is_some() { Method::Transformed } else { Method::None };
        Some(Estimate { value: elo(difference.value)?, se: None, interval, method })
    }

    /// The variance of a block's score.
    fn variance(&self, view: &SectionSums<'_>) -> Option<f64> {
        let blocks = self.blocks(view);
        let mean = |power: i32| -> f64 {
            let term = |score: i64| view.get(self.duel.score(score)) * (score as f64).powi(power);
            self.scores().map(term).sum::<f64>() / blocks
        };
        (blocks > 0.0).then(|| mean(2) - mean(1) * mean(1))
    }

    /// The variance of the score if the matches of a block were independent: the sum of their variances, each
    /// of 1 where A wins, −1 where B wins, 0 where nobody does.
    fn variance_unpaired(&self, view: &SectionSums<'_>) -> Option<f64> {
        let blocks = self.blocks(view);
        let variance = |at: usize| {
            let [a, b] = [0, 1].map(|side| view.get(self.duel.wins(at, side)) / blocks);
            a + b - (a - b) * (a - b)
        };
        (blocks > 0.0).then(|| (0..self.duel.matches()).map(variance).sum())
    }
}

/// A share, with Wilson's interval for all looks together.
fn share(
    estimator: Estimator<'_>,
    of: impl Fn(SectionSums<'_>) -> Option<f64>,
) -> Option<Estimate> {
    let half = estimator.sequence(ALPHA, INTENDED_BLOCKS);
    estimator.sequence_share(of, Held::EVERYWHERE, half)
}

/// An estimate of something that has a largest value: its interval ends there.
fn at_most(estimate: Estimate, most: f64) -> Estimate {
    let interval = estimate.interval.map(|(lo, hi)| (lo, hi.min(most)));
    Estimate { interval, ..estimate }
}

fn row(
    agent: &str,
    metric: &'static str,
    estimate: Option<Estimate>,
    (blocks, n): (u64, u64),
) -> Row {
    let keys = vec![agent.to_owned()];
    Row::new(keys, metric, estimate, blocks, n)
}
