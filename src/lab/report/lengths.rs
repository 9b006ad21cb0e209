//! `length.csv`: how long matches are, as a mean, quantiles and a histogram; in turns, rounds and decisions.

use crate::lab::report::described::{TableSchema, integer, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{Row, Table};
use crate::lab::report::tables::Source;
use crate::sim::layout::{DECISION_BIN, DECISION_BINS, Layout};
use crate::stats::jackknife::{Estimate, Method};
use crate::stats::quantile::Quantile;

/// How long matches are.
pub const LENGTH: TableSchema = TableSchema {
    name: "length",
    keys: &[
        text("measure", "turns, rounds or decisions"),
        integer(
            "value",
            "turns of single players, or the first of 8 numbers of decisions; empty: all matches, and always for \
             rounds, which are turns divided by the number of players",
        ),
    ],
    more: &[],
    metrics: &[
        Metric::mean("mean", "mean length of a match that someone won"),
        Metric::mean("quantile_5", "the least length that 5 % of all matches do not exceed"),
        Metric::mean("quantile_25", "the same for 25 %"),
        Metric::mean("median", "the same for 50 %"),
        Metric::mean("quantile_75", "the same for 75 %"),
        Metric::mean(
            "quantile_95",
            "the same for 95 %; decisions are the first of 8 numbers, up to 7 too low",
        ),
        Metric::share("share", "share of matches of this length"),
    ],
};

/// The quantiles of a length, by their shares in per cent.
pub const QUANTILES: [(&str, u8); 5] = [
    ("quantile_5", 5),
    ("quantile_25", 25),
    ("median", 50),
    ("quantile_75", 75),
    ("quantile_95", 95),
];

/// A histogram among the counters.
struct Histogram {
    /// What is counted.
    measure: &'static str,
    /// The first counter; the others follow.
    first: usize,
    /// Number of counters.
    bins: usize,
    /// Values in a bin.
    step: u32,
    /// Whether the last bin holds everything longer.
    open: bool,
    /// The counter of the sum of the values of matches with a winner.
    sum: usize,
}

impl Source<'_> {
    pub(super) fn length_table(&self) -> Table {
        let turns = Histogram {
            measure: "turns",
            first: self.layout.length(0),
            bins: self.layout.turns_max() + 1,
            step: 1,
            open: false,
            sum: Layout::TURNS,
        };
        let decisions = Histogram {
            measure: "decisions",
            first: self.layout.decision_count(0),
            bins: DECISION_BINS,
            step: DECISION_BIN,
            open: true,
            sum: Layout::DECISIONS_WON,
        };
        let [turns, decisions] = [turns, decisions].map(|of| self.length_rows(&of));
        let rows = [&turns[..], &self.in_rounds(&turns), &decisions].concat();
        self.table(&LENGTH, rows)
    }

    /// Mean and quantiles of turns as rounds. A match may end within a round, so its rounds are no whole number, and have
    /// no histogram of their own.
    fn in_rounds(&self, turns: &[Row]) -> Vec<Row> {
        let whole = turns.iter().filter(|row| row.keys[1].is_empty());
        let of_rounds =
            |row: &Row| Row { keys: vec!["rounds".to_owned(), String::new()], ..row.clone() };
        whole.map(|row| self.rounds(&of_rounds(row), row.metric)).collect()
    }

    /// A row of turns in rounds: divided by the number of players.
    pub(super) fn rounds(&self, turns: &Row, metric: &'static str) -> Row {
        let estimate = turns.estimate.map(|turns| turns.scaled(1.0 / f64::from(self.players), 0.0));
        Row { metric, estimate, ..turns.clone() }
    }

    fn length_rows(&self, of: &Histogram) -> Vec<Row> {
        let keys = [of.measure, ""];
        let mut rows = vec![self.mean(&keys, ("mean", of.sum), self.matches_won())];
        let bins = of.first..of.first + of.bins;
        let quantiles = self.grouped.quantiles(bins, QUANTILES.map(|(_, percent)| percent));
        for ((metric, _), quantile) in QUANTILES.into_iter().zip(quantiles) {
            let estimate = quantile.and_then(|quantile| of.estimate(quantile));
            rows.push(self.row(&keys, metric, self.matches(), estimate));
        }
        let seen = (0..of.bins).filter(|bin| self.grouped.sum(of.first + bin) > 0);
        rows.extend(seen.map(|bin| {
            let value = of.value(bin).to_string();
            self.share_if_seen(&[of.measure, &value], ("share", of.first + bin))
        }));
        rows
    }
}

impl Histogram {
    /// A quantile as the first value of its bin; `None` in an open bin.
    fn estimate(&self, quantile: Quantile) -> Option<Estimate> {
        let known = |bin: usize| !self.open || bin + 1 < self.bins;
        let value = |bin: usize| f64::from(self.value(bin));
        let ends = quantile.interval.filter(|&(_, high)| known(high));
        let interval = ends.map(|(low, high)| (value(low), value(high)));
        let method = interval.map_or(Method::TooFew, |_| Method::Woodruff);
        known(quantile.at).then(|| Estimate {
            value: value(quantile.at),
            se: None,
            interval,
            method,
        })
    }

    /// The first value of a bin.
    fn value(&self, bin: usize) -> u32 {
        u32::try_from(bin).expect("few bins") * self.step
    }
}
