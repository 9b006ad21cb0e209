//! How tables are described: key columns, metrics, and what they mean. Each table's description stands beside the
//! code that writes it; here are what they share, and the tables of `simulate`. Schemas, thresholds and
//! `reports/README.md` are made from the descriptions or compared with them.

use crate::lab::report::metric::{Metric, differences};
use crate::lab::report::table::{Column, Row, Table};

/// A column of text.
pub const fn text(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: "string", about }
}

/// A column of whole numbers.
pub const fn integer(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: "integer", about }
}

/// A table of estimates: what its file, its columns and its metrics are called, and what they mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TableSchema {
    /// The file's name without its ending.
    pub name: &'static str,
    /// The key columns.
    pub keys: &'static [Column],
    /// Columns behind those of the estimate: none, those of a comparison, or those of a verdict.
    pub more: &'static [Column],
    /// The metrics.
    pub metrics: &'static [Metric],
}

impl TableSchema {
    /// The table with these rows.
    ///
    /// # Panics
    /// If a row has a metric that is not described.
    pub fn table(&self, blocks: u64, rows: Vec<Row>) -> Table {
        let known = |row: &Row| self.metrics.iter().any(|metric| metric.name == row.metric);
        assert!(rows.iter().all(known), "every metric of {} is described", self.name);
        let TableSchema { name, keys, more, metrics } = *self;
        Table { name, keys, more, metrics, blocks, rows }
    }
}

/// An agent.
pub(super) const AGENT: Column = text("agent", "the agent as given on the command line");
/// A seat.
pub(super) const SEAT: Column = integer("seat", "place in turn order, from 1; seat 1 starts");

/// Who plays.
pub const LEVEL: Column = text(
    "level",
    "who plays: the line-up's agents; `adapted to B`: the first agent under rules A, the last under rules B",
);
/// What a metric is about.
pub const OF: Column = text("of", "the seat or the agent that it is about; empty: the match");

/// The metrics in which variants of a match are compared.
pub const COMPARED: [Metric; 7] = [
    Metric::share("win_rate", "share of matches that the seat or the agent wins"),
    Metric::share("no_winner_share", "share of matches without a winner"),
    Metric::mean(TURNS, "turns of single players in a match that someone won"),
    Metric::mean(ROUNDS, "the same in rounds: turns divided by the number of players"),
    Metric::mean("points_mean", "points of a seat at the end"),
    Metric::mean("lead_changes_mean", "times in a match that another seat comes to lead alone"),
    Metric::share("comeback_share", "share of matches whose winner had been two points behind"),
];

/// The same as differences between two variants.
pub const DIFFERENCES: [Metric; 7] = differences(COMPARED);

/// The metric of turns.
pub const TURNS: &str = "turns_mean";

/// The metric of rounds. With as many players everywhere it is that of turns in another unit: it stands beside it, and is
/// no comparison of its own.
pub const ROUNDS: &str = "rounds_mean";

/// What should be rare.
pub const ANOMALIES: TableSchema = TableSchema {
    name: "anomalies",
    keys: &[
        text("anomaly", "turn_limit, standstill, dominated_action, agent_failure or choice_closed"),
        text("first_match", "the first match with it, for replay; empty if none"),
    ],
    more: &[],
    metrics: &[
        Metric::mean("count", "how often, exact"),
        Metric::mean("per_match", "times a match"),
    ],
};
