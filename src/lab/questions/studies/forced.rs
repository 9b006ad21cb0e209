//! What an option of a choice does: at the first such decision of a match, play continues from the position once
//! with each option, on common chance streams.

use crate::lab::questions::studies::estimator::{Compared, Estimator, SectionSums, adjusted};
use crate::lab::questions::studies::rates::Rates;
use crate::lab::report::described::{LEVEL, TableSchema, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{JUDGED, Row, Table};
use crate::sim::counts::forced::ForcedCount;
use crate::sim::counts::resampled::ResampledCount;
use crate::stats::bootstrap::REPLICATES;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Method};

/// A forced choice.
pub const CHOICES: TableSchema = TableSchema {
    name: "choices",
    keys: &[LEVEL, text("option", "the option that is forced; empty: all of them")],
    more: &JUDGED,
    metrics: &[
        Metric::difference(
            "effect",
            "win rate of who chooses, minus the mean over the options (forced choice)",
        ),
        Metric::difference("effect_played_on", "the same where no option ends the match at once"),
        Metric::share("win_rate", "win rate of who chooses, with this option forced"),
        Metric::share("win_rate_played_on", "the same where no option ends the match at once"),
        Metric::share(
            "at_once_share",
            "share of positions in which this very option ends the match",
        ),
        Metric::share("wanted_share", "share of positions in which the agent wanted this option"),
        Metric::mean("turns_mean", "turns of single players in a match that someone won"),
        Metric::mean("rounds_mean", "the same in rounds: turns divided by the number of players"),
        Metric::share("best_share", "share of bootstrap replicates in which this option wins most"),
        Metric::share("position_share", "share of matches with such a choice and all options open"),
        Metric::share("absent_share", "share of matches in which the choice never came"),
        Metric::share("closed_share", "share of matches whose choice lacked an option; not used"),
        Metric::share(
            "failed_share",
            "share of matches that an agent broke off, with one option or more; not used",
        ),
    ],
};

/// One section of a run.
#[derive(Debug, Clone)]
pub struct ForcedEffects<'a> {
    /// The sums.
    pub estimator: Estimator<'a>,
    /// The counting.
    pub count: ForcedCount,
    /// The same positions under random weights, if they were counted.
    pub resampled: Option<(Estimator<'a>, ResampledCount)>,
    /// The level of play.
    pub level: String,
    /// Seats at the table.
    pub players: u8,
    /// Names of the options.
    pub options: Vec<String>,
    /// Effects up to this count as balanced.
    pub margin: f64,
}

/// The largest share of positions that may be closed to some option for a verdict to be given.
const CLOSED_MAX: f64 = 0.05;

impl<'a> ForcedEffects<'a> {
    /// Win rates by option in positions of some kind.
    fn rates_of(&self, wins: usize, positions: usize) -> Rates<'a> {
        let term = |option| vec![(self.count.option(option) + wins, positions)];
        Rates {
            estimator: self.estimator.resting_on(&[positions]),
            terms: (0..self.count.options).map(term).collect(),
            options: self.options.clone(),
            things: self.estimator.all().get(positions),
            held: self.held(self.estimator.sum(positions)),
            margin: self.margin,
            closed: self.closed().filter(|&closed| closed > CLOSED_MAX),
        }
    }

    /// Win rates by option.
    pub fn rates(&self) -> Rates<'a> {
        self.rates_of(ForcedCount::WINS, ForcedCount::POSITIONS)
    }

    /// The share of positions with such a choice in which some option was not open.
    fn closed(&self) -> Option<f64> {
        let all = self.estimator.all();
        let [open, closed] =
            [ForcedCount::POSITIONS, ForcedCount::CLOSED].map(|counter| all.get(counter));
        (open + closed > 0.0).then(|| closed / (open + closed))
    }

    /// Whether verdicts are withheld, since too many positions were left out.
    pub fn is_withheld(&self) -> bool {
        self.rates().closed.is_some()
    }

    /// Positions that were continued with every option.
    pub fn positions(&self) -> u64 {
        self.estimator.sum(ForcedCount::POSITIONS)
    }

    /// Blocks with this number of positions: one each, unless there are several line-ups.
    pub fn blocks_of(&self, positions: u64) -> u64 {
        positions.min(self.estimator.grouped.blocks())
    }

    /// A block has a position for each rotation of the line-up, or none.
    fn held(&self, positions: u64) -> Held {
        if self.count.rotations == 1 {
            Held::new(positions, self.blocks_of(positions))
        } else {
            Held::anywhere(positions)
        }
    }

    fn rows(&self) -> Vec<Compared> {
        let mut rows = Vec::new();
        let rates = self.rates();
        let played_on = self.rates_of(ForcedCount::WINS_PLAYED_ON, ForcedCount::PLAYED_ON);
        for option in 0..self.count.options {
            let n = self.estimator.sum(ForcedCount::PLAYED_ON);
            rows.push(self.judged(option, "effect", &rates, self.positions()));
            rows.push(self.judged(option, "effect_played_on", &played_on, n));
        }
        for option in 0..self.count.options {
            for (metric, counter, below) in [
                ("win_rate", ForcedCount::WINS, ForcedCount::POSITIONS),
                ("win_rate_played_on", ForcedCount::WINS_PLAYED_ON, ForcedCount::PLAYED_ON),
                ("at_once_share", ForcedCount::AT_ONCE, ForcedCount::POSITIONS),
                ("wanted_share", ForcedCount::WANTED, ForcedCount::POSITIONS),
            ] {
                let at = self.count.option(option) + counter;
                let things = self.estimator.sum(below);
                let share =
                    self.estimator.share_among(|view| view.ratio(at, below), self.held(things));
                rows.push(self.plain(&self.options[option], metric, share, things));
            }
            let at = self.count.option(option);
            let (turns, won) = (at + ForcedCount::TURNS, at + ForcedCount::WON);
            let turns = self.estimator.average(|view| view.ratio(turns, won));
            let rounds = turns.map(|turns| turns.scaled(1.0 / f64::from(self.players), 0.0));
            for (metric, length) in [("turns_mean", turns), ("rounds_mean", rounds)] {
                let things = self.estimator.sum(won);
                rows.push(self.plain(&self.options[option], metric, length, things));
            }
        }
        let parts =
            [ForcedCount::POSITIONS, ForcedCount::ABSENT, ForcedCount::CLOSED, ForcedCount::FAILED];
        let matches = parts.iter().map(|&part| self.estimator.sum(part)).sum();
        let names = ["position_share", "absent_share", "closed_share", "failed_share"];
        for (metric, counter) in names.into_iter().zip(parts) {
            let share = |view: SectionSums<'_>| {
                let all: f64 = parts.iter().map(|&part| view.get(part)).sum();
                (all > 0.0).then(|| view.get(counter) / all)
            };
            let share = self.estimator.share_among(share, self.held(matches));
            rows.push(self.plain("", metric, share, matches));
        }
        rows.extend(self.resampled_rows());
        rows
    }

    /// How often each option is best: no smooth function of sums, so it is estimated by replicates. A watched run
    /// has none.
    fn resampled_rows(&self) -> Vec<Compared> {
        let Some((estimator, count)) = &self.resampled else { return Vec::new() };
        let rates = |replicate: usize| -> Option<Vec<f64>> {
            let positions = estimator.sum(count.positions(replicate)) as f64;
            let wins = |option| estimator.sum(count.wins(replicate, option)) as f64;
            let rate = |option| wins(option) / positions;
            (positions > 0.0).then(|| (0..count.options).map(rate).collect())
        };
        let all: Vec<Vec<f64>> = (0..REPLICATES).filter_map(rates).collect();
        if estimator.watched || self.positions() == 0 || all.is_empty() {
            return Vec::new();
        }
        let row = |option: usize| {
            let best = all.iter().filter(|rates| largest(rates) <= rates[option]).count();
            let value = best as f64 / all.len() as f64;
            let share = Estimate { value, se: None, interval: None, method: Method::None };
            self.plain(&self.options[option], "best_share", Some(share), self.positions())
        };
        (0..self.count.options).map(row).collect()
    }

    fn plain(
        &self,
        option: &str,
        metric: &'static str,
        estimate: Option<Estimate>,
        n: u64,
    ) -> Compared {
        let keys = vec![self.level.clone(), option.to_owned()];
        let row = Row::new(keys, metric, estimate, self.blocks_of(n), n);
        Compared { row, p_value: None, judgement: None }
    }

    fn judged(&self, option: usize, metric: &'static str, rates: &Rates<'_>, n: u64) -> Compared {
        let effect = rates.effect(option);
        let judgement = effect.map(|effect| rates.judge(&effect, self.count.options));
        let p_value = rates.estimator.p_value(effect.as_ref());
        let plain = self.plain(&self.options[option], metric, effect, n);
        Compared { p_value, judgement, ..plain }
    }
}

fn largest(rates: &[f64]) -> f64 {
    rates.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The table of some sections.
pub fn table(sections: &[ForcedEffects<'_>], blocks: u64) -> Table {
    let rows = adjusted(sections.iter().flat_map(ForcedEffects::rows).collect());
    CHOICES.table(blocks, rows)
}
