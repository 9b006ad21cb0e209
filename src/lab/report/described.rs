//! The dictionary: every table of estimates with its key columns and metrics, and what they mean. The
//! tables, their schemas and `reports/README.md` are made from it or compared with it.

use crate::lab::report::table::{COMPARISON, Column, JUDGED};

const fn text(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: "string", about }
}

const fn integer(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: "integer", about }
}

const AGENT: Column = text("agent", "the agent as given on the command line");
const SEAT: Column = integer("seat", "place in turn order, from 1; seat 1 starts");

/// A file, its key columns, its metrics with their meanings.
pub type Described = (&'static str, &'static [Column], &'static [(&'static str, &'static str)]);

/// What should be rare.
pub const ANOMALIES: Described = (
    "anomalies",
    &[
        text("anomaly", "turn_limit, standstill, dominated_action, agent_failure or choice_closed"),
        text("first_match", "the first match with it, for replay; empty if none"),
    ],
    &[("count", "how often, exact"), ("per_match", "times a match")],
);

/// The tables of estimates of `simulate`.
pub const TABLES: &[Described] = &[
    (
        "agents",
        &[AGENT],
        &[
            ("win_rate", "share of its seats that won; matches without a winner count as lost"),
            ("wins", "number of wins, exact"),
            ("rank_mean", "mean rank, 1 for the winner; ties share the mean rank"),
            ("points_mean", "mean points at the end"),
            ("decisions_mean", "decisions in a match and seat, forced ones included"),
            ("iterations_mean", "search iterations in a match and seat"),
        ],
    ),
    (
        "seats",
        &[SEAT, AGENT],
        &[
            ("win_rate", "share of matches won from this seat"),
            (
                "advantage",
                "win rate less 1/players, with the same interval; among several agents the strength of this one in this seat, not the seat's worth",
            ),
            ("points_mean", "mean points at the end"),
            ("rank_mean", "mean rank"),
        ],
    ),
    (
        "length",
        &[
            text("measure", "turns or decisions"),
            integer(
                "value",
                "turns of single players, or the first of 8 numbers of decisions; empty: all matches",
            ),
        ],
        &[
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
    ),
    (
        "cards",
        &[AGENT, text("card", "a metropolis side, a building kind, a bonus card or an event")],
        &[
            ("offered_turns", "own turns in a match and seat in which it could be taken"),
            ("taken_mean", "times taken in a match and seat (events: drawn by the seat)"),
            ("taker_share", "share of seats that took it at least once"),
            ("turn_mean", "turn in which it was first taken"),
            ("held_share", "share of seats that have it at the end"),
            ("win_rate_with", "win rate of seats that took it; descriptive, not a cause"),
            ("win_rate_without", "win rate of seats that did not"),
            ("lift", "win rate with less win rate without; descriptive"),
            ("win_rate_held", "win rate of seats that have it at the end"),
            ("lift_held", "win rate held less that of seats that do not have it; descriptive"),
            (
                "lift_matched",
                "win rate of takers less that of seats that stood alike and had not taken it by then",
            ),
        ],
    ),
    (
        "economy",
        &[
            text("resource", "brick, lumber, wool, grain or ore"),
            text("turns", "band of turns; the last is open"),
        ],
        &[
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
    ),
    (
        "decisions",
        &[text("decision", "what is decided")],
        &[
            ("per_match", "decisions of this kind in a match"),
            ("legal_mean", "actions to choose from, after the agent's filter"),
            ("forced_share", "share with one action only"),
        ],
    ),
    (
        "tension",
        &[integer("turn", "turn of a single player, from 1")],
        &[
            ("alive_share", "share of matches that reach the end of this turn"),
            ("led_share", "share of those in which one seat has the most points"),
            ("leader_wins", "share of the led ones that the leader wins"),
            ("lead_changed", "share in which the sole leader is another than the last one"),
            ("comeback", "share whose later winner is at least two points behind"),
        ],
    ),
    ANOMALIES,
];

/// The agents at the table.
const LEVEL: Column = text("level", "who plays: the line-up's agents");
const VARIANT: Column = text("variant", "the rule set or the agent that is compared");
const OF: Column = text("of", "the seat or the agent that it is about; empty: the match");

/// The metrics that are compared.
pub const METRICS: &[(&str, &str)] = &[
    ("win_rate", "share of matches that the seat or the agent wins"),
    ("no_winner_share", "share of matches without a winner"),
    ("turns_mean", "turns of single players in a match"),
    ("points_mean", "points of a seat at the end"),
    ("lead_changes_mean", "times in a match that another seat comes to lead alone"),
    ("comeback_share", "share of matches whose winner had been two points behind"),
];

/// Levels by variant.
pub const VARIANTS: Described = ("variants", &[LEVEL, VARIANT, OF], METRICS);

/// Differences to the first variant.
pub const EFFECTS: Described = (
    "effects",
    &[LEVEL, text("estimand", "removed, rules, factorial, sweep or sensitivity"), VARIANT, OF],
    METRICS,
);

/// What common luck saves.
pub const PAIRING: Described = (
    "pairing",
    &[LEVEL, VARIANT, OF, text("measure", "a metric of effects.csv")],
    &[
        ("variance_paired", "variance of a match's difference to the first variant, same luck"),
        ("variance_unpaired", "the same if each variant had deals of its own"),
        ("saved", "share of the matches that common luck saves: 1 - paired / unpaired"),
    ],
);

/// Two agents.
pub const COMPARE: Described = (
    "compare",
    &[Column { name: "agent", kind: "string", about: "A, B, or A - B" }],
    &[
        ("win_share", "share of matches that a seat of this agent wins"),
        ("win_rate_alone", "share of matches won alone against several of the other agent"),
        (
            "win_difference",
            "win share of A less that of B; biased where the test accepted a difference, which the interval \
             allows for",
        ),
        ("elo", "the same in Elo: each seat wins in proportion to 10^(elo/400)"),
        ("llr", "log-likelihood ratio of the two hypotheses of the test"),
        ("log_wealth_above", "log of the wealth of a bet that the difference is above the null's"),
        ("log_wealth_below", "the same of a bet that it is below the alternative's"),
        ("score_variance", "variance of a block's score, in wins squared"),
        ("score_variance_unpaired", "the same if each match had a deal of its own"),
        ("matches_unpaired", "matches that would have been as good without pairing"),
    ],
);

/// A forced choice.
pub const CHOICES: Described = (
    "choices",
    &[LEVEL, text("option", "the option that is forced; empty: all of them")],
    &[
        ("effect", "win rate of who chooses, less the mean over the options (forced choice)"),
        ("effect_played_on", "the same where no option ends the match at once"),
        ("win_rate", "win rate of who chooses, with this option forced"),
        ("win_rate_played_on", "the same where no option ends the match at once"),
        ("at_once_share", "share of positions in which this very option ends the match"),
        ("wanted_share", "share of positions in which the agent wanted this option"),
        ("turns_mean", "turns of the match"),
        ("best_share", "share of bootstrap replicates in which this option wins most"),
        ("position_share", "share of matches with such a choice and all options open"),
        ("absent_share", "share of matches in which the choice never came"),
        ("closed_share", "share of matches whose choice lacked an option; not used"),
        (
            "failed_share",
            "share of matches that an agent broke off, with one option or more; not used",
        ),
    ],
);

/// Seats that may take one option only.
pub const RESTRICTED: Described = (
    "restricted",
    &[LEVEL, text("option", "the only option that one seat may take")],
    &[
        ("effect", "win rate of that seat, mean over seats, less the mean over the options"),
        ("win_rate", "win rate of that seat, mean over seats"),
        ("turns_mean", "turns of the match"),
    ],
);

/// The verdict on a choice.
pub const VERDICTS: Described = (
    "verdicts",
    &[
        text("level", "who plays; `all` for what holds at all levels together"),
        text("estimand", "forced, removed or restricted"),
        text("option", "the option that the verdict is of; empty: all of them"),
        text("largest", "where the figure is largest: an option, a variant and a seat, a level"),
    ],
    &[
        ("largest_effect", "the effect on a win rate that is largest in size"),
        ("largest_difference", "win rate with the best option less that with the worst"),
    ],
);

/// A factorial design.
pub const FACTORS: Described = (
    "factors",
    &[
        LEVEL,
        text("factor", "a field, or two with ` x ` between them for their interaction"),
        text("of", "the seat or the agent that it is about; empty: the match"),
    ],
    METRICS,
);

/// Every default, moved by a step.
pub const SENSITIVITY: Described = (
    "sensitivity",
    &[
        Column { name: "rank", kind: "integer", about: "1 for the change that matters most" },
        text("change", "the field and the value that is not our default"),
        text("measure", "the metric of effects.csv that it moves most, in standard deviations"),
        text("of", "the seat or the agent that it is about; empty: the match"),
    ],
    &[
        (
            "effect_sd",
            "the difference in standard deviations of one match; ranked by its interval's near end",
        ),
        ("effect", "the difference itself"),
    ],
);

/// All tables.
pub const ALL: &[&[Described]] = &[
    TABLES,
    &[COMPARE, VERDICTS, CHOICES, RESTRICTED, FACTORS, SENSITIVITY, VARIANTS, EFFECTS, PAIRING],
];

/// The further columns of a table: none, those of a comparison, or those of a verdict.
pub fn more(name: &str) -> &'static [Column] {
    match name {
        "compare" | "sensitivity" => &COMPARISON,
        "verdicts" | "choices" | "restricted" | "factors" | "effects" => &JUDGED,
        _ => &[],
    }
}

/// The table of a name.
pub fn described(name: &str) -> Option<&'static Described> {
    ALL.iter().copied().flatten().find(|(table, ..)| *table == name)
}
