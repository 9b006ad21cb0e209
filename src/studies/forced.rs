//! What an option of a choice does: at the first such decision of a match the position is played on once
//! with each option, on common chance streams.

use crate::report::described::CHOICES;
use crate::report::table::COMPARISON;
use crate::report::table::Row;
use crate::report::table::Table;
use crate::sim::counts::forced::Forced;
use crate::sim::counts::resampled::Resampled;
use crate::stats::bootstrap;
use crate::stats::bootstrap::REPLICATES;
use crate::stats::jackknife::Estimate;
use crate::stats::jackknife::Method;
use crate::studies::reading::ALPHA;
use crate::studies::reading::Compared;
use crate::studies::reading::Judged;
use crate::studies::reading::Reading;
use crate::studies::reading::View;
use crate::studies::reading::adjusted;

/// One section of a run.
#[derive(Debug, Clone)]
pub struct Section<'a> {
    /// The sums.
    pub reading: Reading<'a>,
    /// The counting.
    pub count: Forced,
    /// The same positions under random weights, if they were counted.
    pub resampled: Option<(Reading<'a>, Resampled)>,
    /// Who plays.
    pub level: String,
    /// Names of the options.
    pub options: Vec<&'static str>,
    /// Effects up to this count as balanced.
    pub margin: f64,
}

impl Section<'_> {
    /// The share of wins with an option less the mean share over all options.
    fn effect(&self, option: usize, wins: usize, positions: usize) -> Option<Estimate> {
        let share =
            |view: &View<'_>, option| view.ratio(self.count.option(option) + wins, positions);
        let options = self.count.options as f64;
        let all = self.reading.all();
        let alone = |other: usize| {
            let rate = share(&all, other)?;
            let weight = f64::from(u8::from(other == option)) - 1.0 / options;
            Some(weight * weight * rate * (1.0 - rate))
        };
        let alone: Option<f64> = (0..self.count.options).map(alone).sum();
        let of = |view: View<'_>| {
            let all: Option<f64> = (0..self.count.options).map(|other| share(&view, other)).sum();
            Some(share(&view, option)? - all? / options)
        };
        self.reading.difference(of, alone, all.get(positions))
    }

    /// The effects of all options, in their order.
    pub fn effects(&self) -> Vec<Option<Estimate>> {
        let of = |option| self.effect(option, Forced::WINS, Forced::POSITIONS);
        (0..self.count.options).map(of).collect()
    }

    /// Positions that were played on with every option.
    pub fn positions(&self) -> u64 {
        self.reading.sum(Forced::POSITIONS)
    }

    /// Blocks in which so many positions lie: a block has one, but for several line-ups.
    pub fn blocks_of(&self, positions: u64) -> u64 {
        positions.min(self.reading.grouped.blocks())
    }

    /// The effects with what is to be said of each.
    pub fn judged_effects(&self) -> Vec<Judged> {
        let of = |(option, effect): (usize, Option<Estimate>)| {
            let effect = effect?;
            let verdict = self.reading.verdict(&effect, self.margin, self.count.options)?;
            Some((self.options[option].to_owned(), effect, verdict))
        };
        self.effects().into_iter().enumerate().filter_map(of).collect()
    }

    fn rows(&self) -> Vec<Compared> {
        let mut rows = Vec::new();
        for option in 0..self.count.options {
            let played_on = self.effect(option, Forced::WINS_PLAYED_ON, Forced::PLAYED_ON);
            let effect = self.effect(option, Forced::WINS, Forced::POSITIONS);
            let n = self.reading.sum(Forced::PLAYED_ON);
            rows.push(self.judged(option, "effect", effect, self.positions()));
            rows.push(self.judged(option, "effect_played_on", played_on, n));
        }
        for option in 0..self.count.options {
            for (metric, counter, below) in [
                ("win_rate", Forced::WINS, Forced::POSITIONS),
                ("win_rate_played_on", Forced::WINS_PLAYED_ON, Forced::PLAYED_ON),
                ("at_once_share", Forced::AT_ONCE, Forced::POSITIONS),
                ("wanted_share", Forced::WANTED, Forced::POSITIONS),
            ] {
                let at = self.count.option(option) + counter;
                let things = self.reading.sum(below);
                let share = self.reading.share_among(|view| view.ratio(at, below), things);
                rows.push(self.plain(self.options[option], metric, share, things));
            }
            let turns = self.count.option(option) + Forced::TURNS;
            let turns = self.reading.mean(|view| view.ratio(turns, Forced::POSITIONS));
            rows.push(self.plain(self.options[option], "turns_mean", turns, self.positions()));
        }
        let parts = [Forced::POSITIONS, Forced::ABSENT, Forced::CLOSED, Forced::FAILED];
        let matches = parts.iter().map(|&part| self.reading.sum(part)).sum();
        let names = ["position_share", "absent_share", "closed_share", "failed_share"];
        for (metric, counter) in names.into_iter().zip(parts) {
            let share = self.reading.share(|view| {
                let all: f64 = parts.iter().map(|&part| view.get(part)).sum();
                (all > 0.0).then(|| view.get(counter) / all)
            });
            rows.push(self.plain("", metric, share, matches));
        }
        rows.extend(self.resampled_rows());
        rows
    }

    /// Which option is best, and how far the best is from the worst: no smooth functions of sums, so
    /// their uncertainty is that of the replicates. A watched run has none.
    fn resampled_rows(&self) -> Vec<Compared> {
        let Some((reading, count)) = &self.resampled else { return Vec::new() };
        let rates = |replicate: usize| -> Option<Vec<f64>> {
            let positions = reading.sum(count.positions(replicate)) as f64;
            let wins = |option| reading.sum(count.wins(replicate, option)) as f64;
            let rate = |option| wins(option) / positions;
            (positions > 0.0).then(|| (0..count.options).map(rate).collect())
        };
        let all: Vec<Vec<f64>> = (0..REPLICATES).filter_map(rates).collect();
        let positions = self.positions() as f64;
        if reading.watched || positions < 1.0 || all.is_empty() {
            return Vec::new();
        }
        let mut rows = Vec::new();
        for option in 0..self.count.options {
            let best = all.iter().filter(|rates| largest(rates) <= rates[option]).count();
            let share = Estimate {
                value: best as f64 / all.len() as f64,
                se: None,
                interval: None,
                method: Method::None,
            };
            rows.push(self.plain(
                self.options[option],
                "best_share",
                Some(share),
                self.positions(),
            ));
        }
        let wins = |option| self.reading.sum(self.count.option(option) + Forced::WINS) as f64;
        let observed: Vec<f64> =
            (0..self.count.options).map(|option| wins(option) / positions).collect();
        let mut spreads: Vec<f64> = all.iter().map(|rates| spread(rates)).collect();
        let interval = bootstrap::percentile_interval(&mut spreads, ALPHA);
        let spread = Estimate {
            value: spread(&observed),
            se: Some(deviation(&spreads)),
            interval,
            method: Method::PoissonBootstrap,
        };
        rows.push(self.plain("", "spread", Some(spread), self.positions()));
        rows
    }

    fn plain(
        &self,
        option: &str,
        metric: &'static str,
        estimate: Option<Estimate>,
        n: u64,
    ) -> Compared {
        let keys = vec![self.level.clone(), option.to_owned()];
        let row = Row { keys, metric, estimate, blocks: self.blocks_of(n), n, more: Vec::new() };
        Compared { row, p_value: None, verdict: String::new() }
    }

    fn judged(
        &self,
        option: usize,
        metric: &'static str,
        effect: Option<Estimate>,
        n: u64,
    ) -> Compared {
        let verdict = effect
            .and_then(|effect| self.reading.verdict(&effect, self.margin, self.count.options))
            .map_or(String::new(), |verdict| verdict.describe(self.margin));
        let p_value = self.reading.p_value(effect.as_ref());
        let plain = self.plain(self.options[option], metric, effect, n);
        Compared { p_value, verdict, ..plain }
    }
}

fn largest(rates: &[f64]) -> f64 {
    rates.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn spread(rates: &[f64]) -> f64 {
    largest(rates) - rates.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The standard deviation of replicates.
fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    libm::sqrt(squares / (n - 1.0).max(1.0))
}

/// The table of some sections.
pub fn table(sections: &[Section<'_>], blocks: u64) -> Table {
    let rows = adjusted(sections.iter().flat_map(Section::rows).collect());
    Table { name: CHOICES.0, keys: CHOICES.1, more: &COMPARISON, blocks, rows }
}
