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
pub struct Described {
    /// The file's name without its ending.
    pub name: &'static str,
    /// The key columns.
    pub keys: &'static [Column],
    /// Columns behind those of the estimate: none, those of a comparison, or those of a verdict.
    pub more: &'static [Column],
    /// The metrics.
    pub metrics: &'static [Metric],
}

impl Described {
    /// The table with these rows.
    ///
    /// # Panics
    /// If a row has a metric that is not described.
    pub fn table(&self, blocks: u64, rows: Vec<Row>) -> Table {
        let known = |row: &Row| self.metrics.iter().any(|metric| metric.name == row.metric);
        assert!(rows.iter().all(known), "every metric of {} is described", self.name);
        let Described { name, keys, more, metrics } = *self;
        Table { name, keys, more, metrics, blocks, rows }
    }
}

const AGENT: Column = text("agent", "the agent as given on the command line");
const SEAT: Column = integer("seat", "place in turn order, from 1; seat 1 starts");

/// Who plays.
pub const LEVEL: Column = text("level", "who plays: the line-up's agents");
/// What a metric is about.
pub const OF: Column = text("of", "the seat or the agent that it is about; empty: the match");

/// The metrics in which variants of a match are compared.
pub const COMPARED: [Metric; 7] = [
    Metric::share("win_rate", "share of matches that the seat or the agent wins"),
    Metric::share("no_winner_share", "share of matches without a winner"),
    Metric::mean(TURNS, "turns of single players in a match"),
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
pub const ANOMALIES: Described = Described {
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

/// The tables of estimates of `simulate`.
pub const TABLES: &[Described] = &[
    Described {
        name: "agents",
        keys: &[AGENT],
        more: &[],
        metrics: &[
            Metric::share(
                "win_rate",
                "share of its seats that won; matches without a winner count as lost",
            ),
            Metric::mean("wins", "number of wins, exact"),
            Metric::mean("rank_mean", "mean rank, 1 for the winner; ties share the mean rank"),
            Metric::mean("points_mean", "mean points at the end"),
            Metric::mean("decisions_mean", "decisions in a match and seat, forced ones included"),
            Metric::mean("iterations_mean", "search iterations in a match and seat"),
        ],
    },
    Described {
        name: "seats",
        keys: &[SEAT, AGENT],
        more: &[],
        metrics: &[
            Metric::share("win_rate", "share of matches won from this seat"),
            Metric::difference(
                "advantage",
                "win rate minus 1/players, with the same interval; among several agents the strength of this one in this seat, not the seat's worth",
            ),
            Metric::mean("points_mean", "mean points at the end"),
            Metric::mean("rank_mean", "mean rank"),
        ],
    },
    Described {
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
            Metric::mean("mean", "mean length of a match"),
            Metric::mean("quantile_5", "the least length that 5 % of matches do not exceed"),
            Metric::mean("quantile_25", "the same for 25 %"),
            Metric::mean("median", "the same for 50 %"),
            Metric::mean("quantile_75", "the same for 75 %"),
            Metric::mean(
                "quantile_95",
                "the same for 95 %; decisions are the first of 8 numbers, up to 7 too low",
            ),
            Metric::share("share", "share of matches of this length"),
        ],
    },
    Described {
        name: "cards",
        keys: &[
            AGENT,
            text("card", "a metropolis side, a building kind, a bonus card or an event"),
        ],
        more: &[],
        metrics: &[
            Metric::number(
                "offered_turns",
                "own turns in a match and seat in which it could be taken",
            ),
            Metric::mean(
                "taken_mean",
                "times taken in a match and seat (events: drawn by the seat)",
            ),
            Metric::share("taker_share", "share of seats that took it at least once"),
            Metric::mean(
                "turn_mean",
                "turn of a single player in which it was first taken, all players' turns counted",
            ),
            Metric::mean(
                "round_mean",
                "the same in rounds: that turn divided by the number of players",
            ),
            Metric::share("held_share", "share of seats that have it at the end"),
            Metric::share(
                "win_rate_with",
                "win rate of seats that took it; descriptive, not a cause",
            ),
            Metric::share("win_rate_without", "win rate of seats that did not"),
            Metric::difference("lift", "win rate with minus win rate without; descriptive"),
            Metric::share("win_rate_held", "win rate of seats that have it at the end"),
            Metric::difference(
                "lift_held",
                "win rate held minus that of seats that do not have it; descriptive",
            ),
            Metric::difference(
                "lift_matched",
                "win rate of takers minus that of seats that stood alike and had not taken it by then",
            ),
        ],
    },
    Described {
        name: "economy",
        keys: &[
            text("resource", "brick, lumber, wool, grain or ore"),
            text("turns", "band of turns of single players; the last is open"),
        ],
        more: &[],
        metrics: &[
            Metric::mean(
                "drawn",
                "cards that come from the pile or the bank for nothing in return",
            ),
            Metric::mean("spent", "cards paid for what is built or bought"),
            Metric::mean("substituted", "the part of spent that stands in for other kinds"),
            Metric::mean("bank_given", "cards given to the bank in exchange for others"),
            Metric::mean("bank_received", "cards received from the bank for those"),
            Metric::mean("traded", "cards traded between players, both directions"),
            Metric::mean("passed", "cards that go to another player without a trade"),
            Metric::mean("discarded", "cards given up to the Robber"),
            Metric::mean("held", "cards in all hands at the end of a turn"),
        ],
    },
    Described {
        name: "decisions",
        keys: &[text("decision", "what is decided")],
        more: &[],
        metrics: &[
            Metric::mean("per_match", "decisions of this kind in a match"),
            Metric::mean("legal_mean", "actions to choose from, after the agent's filter"),
            Metric::share("forced_share", "share with one action only"),
        ],
    },
    Described {
        name: "tension",
        keys: &[integer("turn", "turn of a single player, from 1")],
        more: &[],
        metrics: &[
            Metric::share("alive_share", "share of matches that reach the end of this turn"),
            Metric::share("led_share", "share of those in which one seat has the most points"),
            Metric::share("leader_wins", "share of the led ones that the leader wins"),
            Metric::share(
                "lead_changed",
                "share in which the sole leader is another than the last one",
            ),
            Metric::share("comeback", "share whose later winner is at least two points behind"),
        ],
    },
    ANOMALIES,
];
