//! How tables are described: key columns, metrics, and what they mean. Each table's description stands beside the
//! code that writes it; here are what they share, and the tables of `simulate`. Schemas, thresholds and
//! `reports/README.md` are made from the descriptions or compared with them.

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
    /// The metrics with their meanings.
    pub metrics: &'static [(&'static str, &'static str)],
}

impl Described {
    /// The table with these rows.
    ///
    /// # Panics
    /// If a row has a metric that is not described.
    pub fn table(&self, blocks: u64, rows: Vec<Row>) -> Table {
        let known = |row: &Row| self.metrics.iter().any(|(metric, _)| *metric == row.metric);
        assert!(rows.iter().all(known), "every metric of {} is described", self.name);
        Table { name: self.name, keys: self.keys, more: self.more, blocks, rows }
    }
}

const AGENT: Column = text("agent", "the agent as given on the command line");
const SEAT: Column = integer("seat", "place in turn order, from 1; seat 1 starts");

/// Who plays.
pub const LEVEL: Column = text("level", "who plays: the line-up's agents");
/// What a metric is about.
pub const OF: Column = text("of", "the seat or the agent that it is about; empty: the match");

/// What should be rare.
pub const ANOMALIES: Described = Described {
    name: "anomalies",
    keys: &[
        text("anomaly", "turn_limit, standstill, dominated_action, agent_failure or choice_closed"),
        text("first_match", "the first match with it, for replay; empty if none"),
    ],
    more: &[],
    metrics: &[("count", "how often, exact"), ("per_match", "times a match")],
};

/// The tables of estimates of `simulate`.
pub const TABLES: &[Described] = &[
    Described {
        name: "agents",
        keys: &[AGENT],
        more: &[],
        metrics: &[
            ("win_rate", "share of its seats that won; matches without a winner count as lost"),
            ("wins", "number of wins, exact"),
            ("rank_mean", "mean rank, 1 for the winner; ties share the mean rank"),
            ("points_mean", "mean points at the end"),
            ("decisions_mean", "decisions in a match and seat, forced ones included"),
            ("iterations_mean", "search iterations in a match and seat"),
        ],
    },
    Described {
        name: "seats",
        keys: &[SEAT, AGENT],
        more: &[],
        metrics: &[
            ("win_rate", "share of matches won from this seat"),
            (
                "advantage",
                "win rate minus 1/players, with the same interval; among several agents the strength of this one in this seat, not the seat's worth",
            ),
            ("points_mean", "mean points at the end"),
            ("rank_mean", "mean rank"),
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
            ("mean", "mean length of a match"),
            ("quantile_5", "the least length that 5 % of matches do not exceed"),
            ("quantile_25", "the same for 25 %"),
            ("median", "the same for 50 %"),
            ("quantile_75", "the same for 75 %"),
            (
                "quantile_95",
                "the same for 95 %; decisions are the first of 8 numbers, up to 7 too low",
            ),
            ("share", "share of matches of this length"),
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
            ("offered_turns", "own turns in a match and seat in which it could be taken"),
            ("taken_mean", "times taken in a match and seat (events: drawn by the seat)"),
            ("taker_share", "share of seats that took it at least once"),
            (
                "turn_mean",
                "turn of a single player in which it was first taken, all players' turns counted",
            ),
            ("round_mean", "the same in rounds: that turn divided by the number of players"),
            ("held_share", "share of seats that have it at the end"),
            ("win_rate_with", "win rate of seats that took it; descriptive, not a cause"),
            ("win_rate_without", "win rate of seats that did not"),
            ("lift", "win rate with minus win rate without; descriptive"),
            ("win_rate_held", "win rate of seats that have it at the end"),
            ("lift_held", "win rate held minus that of seats that do not have it; descriptive"),
            (
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
            ("drawn", "cards that come from the pile or the bank for nothing in return"),
            ("spent", "cards paid for what is built or bought"),
            ("substituted", "the part of spent that stands in for other kinds"),
            ("bank_given", "cards given to the bank in exchange for others"),
            ("bank_received", "cards received from the bank for those"),
            ("traded", "cards traded between players, both directions"),
            ("passed", "cards that go to another player without a trade"),
            ("discarded", "cards given up to the Robber"),
            ("held", "cards in all hands at the end of a turn"),
        ],
    },
    Described {
        name: "decisions",
        keys: &[text("decision", "what is decided")],
        more: &[],
        metrics: &[
            ("per_match", "decisions of this kind in a match"),
            ("legal_mean", "actions to choose from, after the agent's filter"),
            ("forced_share", "share with one action only"),
        ],
    },
    Described {
        name: "tension",
        keys: &[integer("turn", "turn of a single player, from 1")],
        more: &[],
        metrics: &[
            ("alive_share", "share of matches that reach the end of this turn"),
            ("led_share", "share of those in which one seat has the most points"),
            ("leader_wins", "share of the led ones that the leader wins"),
            ("lead_changed", "share in which the sole leader is another than the last one"),
            ("comeback", "share whose later winner is at least two points behind"),
        ],
    },
    ANOMALIES,
];
