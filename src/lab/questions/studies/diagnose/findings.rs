//! What stands out: each figure of `diagnose` that has a neutral range, with an interval that holds together with those of
//! all others (Bonferroni). It stands out if that interval lies wholly beyond the range; the farthest comes first.

use crate::lab::questions::studies::diagnose::tables::{
    KINGMAKING, LEADS, PACE, PRICES, SKILL, STEP, Sources, WAYS,
};
use crate::lab::questions::studies::joint::joint;
use crate::lab::report::answer::table as found;
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::format::number;
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{Column, More, Row, Table};
use crate::sim::diagnosis::count::DesignCount;
use crate::sim::layout::Layout;

const fn column(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: "number", about }
}

/// What stands out.
pub const FINDINGS: TableSchema = TableSchema {
    name: "findings",
    keys: &[text("of", "what the figure is about; the metric says which figure it is")],
    more: &[
        column("rank", "place among what stands out, the farthest first; empty if it does not"),
        column("neutral_lo", "lower end of the neutral range; empty if there is none"),
        column("neutral_hi", "upper end of the neutral range; empty if there is none"),
        column("joint_lo", "lower end of the interval that holds for all figures together"),
        column("joint_hi", "upper end of that interval"),
        column(
            "distance",
            "how far its near end lies from the middle of the neutral range, in ranges",
        ),
    ],
    metrics: &[
        Metric::share("seat_share", "share of matches with a winner that the seat wins"),
        Metric::share("used_share", "share of seats that take the card at least once"),
        Metric::share("spent_share", "share of all resource cards paid that are paid for the card"),
        Metric::difference(
            "worth",
            "what its buyers win more than who stood alike, for a card paid",
        ),
        Metric::difference("lift_matched", "what its takers win more than who stood alike"),
        Metric::share("winner_share", "share of the winners' points from the source"),
        Metric::share("leader_wins", "share of matches that the leader at half of the turns wins"),
        Metric::difference("choice_effect", "how often a loser's choice decides which other wins"),
        Metric::share("win_share", "share of matches that the level wins against the one below"),
        Metric::share("dead_share", "share of turns without a choice"),
        Metric::share("idle_share", "share of turns in which nothing is paid for"),
        Metric::share("long_share", "share of matches with more than twice the median of turns"),
        Metric::share("unfinished_share", "share of matches without a winner"),
    ],
};

/// Places of the columns behind the estimate.
pub const RANK: usize = 0;
/// The ends of the neutral range.
pub const NEUTRAL: [usize; 2] = [1, 2];
/// The ends of the interval that holds for all figures together.
pub const JOINT: [usize; 2] = [3, 4];

/// What counts as neutral of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Neutral {
    lo: Option<f64>,
    hi: Option<f64>,
    /// Distances are measured from here.
    middle: f64,
}

impl Neutral {
    const fn within(lo: f64, hi: f64) -> Neutral {
        Neutral { lo: Some(lo), hi: Some(hi), middle: f64::midpoint(lo, hi) }
    }

    const fn at_most(hi: f64) -> Neutral {
        Neutral { lo: None, hi: Some(hi), middle: 0.0 }
    }

    /// At `none` the distance is 2.
    const fn at_least(lo: f64, none: f64) -> Neutral {
        Neutral { lo: Some(lo), hi: None, middle: 2.0 * lo - none }
    }

    /// How far an interval lies beyond the range, in units of it: above 1 if all of it does.
    fn distance(self, (lo, hi): (f64, f64)) -> Option<f64> {
        let far = |near: f64, end: f64| (near - self.middle) / (end - self.middle);
        let above = self.hi.filter(|&end| lo > end).map(|end| far(lo, end));
        above.or_else(|| self.lo.filter(|&end| hi < end).map(|end| far(hi, end)))
    }
}

/// A seat wins this much more or less than an even share at most.
const SEAT: f64 = 0.03;
/// A card is taken by so many seats at least.
const USED: f64 = 0.02;
/// Of all cards paid, each thing that is bought gets so many times an even share at most.
const SPENT: f64 = 3.0;
/// And so much, where few things are bought.
const SPENT_MOST: f64 = 0.75;
/// A matched lift is compared with nobody where nearly all seats take the card: it is a figure up to this share of takers.
const MATCHED: f64 = 0.95;
/// What buyers win more for a card paid, as a part of an even share of wins.
const WORTH: (f64, f64) = (-0.04, 0.16);
/// What takers of things that cost nothing win more.
const LIFT: (f64, f64) = (-0.15, 0.25);
/// The winners' points come from one source at most to this share.
const SOURCE: f64 = 0.6;
/// The leader at half of the turns wins at least so much more than an even share, and at most this share.
const LEADER: (f64, f64) = (0.1, 0.8);
/// A loser's choice decides in so many matches.
const CHOICE: f64 = 0.05;
/// Turns without a choice.
const DEAD: f64 = 0.1;
/// Turns in which nothing is paid for.
const IDLE: f64 = 0.75;
/// Matches of more than twice the median of turns: that of the 95th percentile.
const LONG: f64 = 0.05;
/// Matches without a winner.
const UNFINISHED: f64 = 0.01;

/// A figure with its neutral range.
struct Figure {
    row: Row,
    neutral: Neutral,
}

/// The table, those that stand out first.
pub fn table(sources: &Sources<'_>, tables: &[Table]) -> Table {
    let figures = figures(sources, tables);
    let with_interval = |of: &&Figure| of.row.estimate.is_some_and(|of| of.interval.is_some());
    let family = figures.iter().filter(with_interval).count();
    let judge = |figure: Figure| {
        let ends = joint(&figure.row, family).and_then(|of| of.interval);
        let distance = ends.and_then(|ends| figure.neutral.distance(ends));
        (figure, ends, distance)
    };
    let mut judged: Vec<_> = figures.into_iter().map(judge).collect();
    judged.sort_by(|a, b| b.2.unwrap_or(0.0).total_cmp(&a.2.unwrap_or(0.0)));
    let mut rows = Vec::new();
    for (at, (Figure { row, neutral }, ends, distance)) in judged.into_iter().enumerate() {
        let (lo, hi) = ends.unzip();
        let rank = distance.map_or(String::new(), |_| (at + 1).to_string());
        let numbers = [neutral.lo, neutral.hi, lo, hi, distance].map(number);
        let cells = std::iter::once(rank).chain(numbers).collect();
        rows.push(Row { more: More::Cells(cells), ..row });
    }
    FINDINGS.table(sources.design.grouped.blocks(), rows)
}

fn figures(sources: &Sources<'_>, tables: &[Table]) -> Vec<Figure> {
    let even = 1.0 / f64::from(sources.plan.players);
    let main = sources.simulated.agents[0].as_str();
    let mut figures = Vec::new();
    let mut add = |metric: &'static str, of: &str, row: Option<&Row>, neutral: Neutral| {
        let Some(row) = row.filter(|row| row.estimate.is_some()) else { return };
        figures.push(Figure {
            row: Row { keys: vec![of.to_owned()], metric, ..row.clone() },
            neutral,
        });
    };
    let rows = |name: &str, metric: &'static str| -> Vec<&Row> {
        let all = found(tables, name).map_or(&[][..], |table| &table.rows);
        all.iter().filter(|row| row.metric == metric).collect()
    };
    for row in sources.seat_shares() {
        let of = row.keys[0].clone();
        add("seat_share", &of, Some(&row), Neutral::within(even - SEAT, even + SEAT));
    }
    let mut rarer = Vec::new();
    for card in options(sources) {
        let name = sources.simulated.names.cards[card];
        let find = |metric| found(tables, "cards")?.find(&[main, name], metric);
        let takers = find("taker_share");
        add("used_share", name, takers, Neutral::at_least(USED, 0.0));
        let takers = takers.and_then(|row| row.estimate);
        let has_others = takers.is_some_and(|takers| takers.value <= MATCHED);
        if has_others {
            rarer.push(name);
        }
        let bought = sources.design.sum(sources.count.card(card) + DesignCount::BOUGHT) > 0;
        if has_others && !bought {
            add("lift_matched", name, find("lift_matched"), Neutral::within(LIFT.0, LIFT.1));
        }
    }
    let spent = rows(PRICES.name, "spent_share");
    let even_spent = 1.0 / spent.len().max(1) as f64;
    for row in &spent {
        let neutral = Neutral::at_most((SPENT * even_spent).min(SPENT_MOST));
        add("spent_share", &row.keys[0], Some(row), neutral);
    }
    let compared = |row: &&Row| rarer.contains(&row.keys[0].as_str());
    for row in rows(PRICES.name, "worth").into_iter().filter(compared) {
        add("worth", &row.keys[0], Some(row), Neutral::within(WORTH.0 * even, WORTH.1 * even));
    }
    for row in rows(WAYS.name, "winner_share") {
        add("winner_share", &row.keys[0], Some(row), Neutral::at_most(SOURCE));
    }
    let one = |name: &str, keys: &[&str], metric| found(tables, name)?.find(keys, metric);
    let half = one(LEADS.name, &["half"], "leader_wins");
    add("leader_wins", "half", half, Neutral::within(even + LEADER.0, LEADER.1));
    let choice = one(KINGMAKING.name, &["match"], "choice_effect");
    add("choice_effect", "losers", choice, Neutral::at_most(CHOICE));
    for row in rows(SKILL.name, "win_share") {
        let of = format!("{} against {}", row.keys[0], row.keys[1]);
        add("win_share", &of, Some(row), Neutral::at_least(STEP, 0.5));
    }
    for (metric, most) in [
        ("dead_share", DEAD),
        ("idle_share", IDLE),
        ("long_share", LONG),
        ("unfinished_share", UNFINISHED),
    ] {
        add(metric, "matches", one(PACE.name, &["all"], metric), Neutral::at_most(most));
    }
    figures
}

/// Rows of cards that a seat may decide to take: those that have risk sets, were open to somebody, or were bought.
fn options(sources: &Sources<'_>) -> Vec<usize> {
    let Sources { simulated, design, count, .. } = sources;
    let is_option = |&card: &usize| {
        let at = simulated.layout.card(0, card);
        let is_event = simulated.names.events.contains(&simulated.names.cards[card]);
        let is_matched = simulated.layout.matched() >> card & 1 == 1;
        !is_event
            && (is_matched
                || simulated.grouped.sum(at + Layout::CARD_OFFERED) > 0
                || design.sum(count.card(card) + DesignCount::BOUGHT) > 0)
    };
    (0..count.cards).filter(is_option).collect()
}
