//! The tables of `simulate`: all of them, and those of agents and seats.

use crate::core::measure::Names;
use crate::core::types::seat::Seat;
use crate::lab::report::cards::CARDS;
use crate::lab::report::course::{DECISIONS, ECONOMY, TENSION};
use crate::lab::report::described::{AGENT, ANOMALIES, SEAT, TableSchema};
use crate::lab::report::lengths::LENGTH;
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{Row, Table, rounded};
use crate::lab::report::tables::{Counted, Source, Things, anomaly_table};
use crate::sim::layout::Layout;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Sums};

/// How each agent does over all its seats.
const AGENTS: TableSchema = TableSchema {
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
        Metric::mean(
            "decisions_mean",
            "decisions in a seat of a match that someone won, forced ones included",
        ),
        Metric::mean("iterations_mean", "search iterations in a match and seat"),
    ],
};

/// How each agent does in each seat.
const SEATS: TableSchema = TableSchema {
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
};

/// The tables of estimates of `simulate`, each described beside the code that writes it.
pub const TABLES: &[TableSchema] =
    &[AGENTS, SEATS, LENGTH, CARDS, ECONOMY, DECISIONS, TENSION, ANOMALIES];

/// All tables of a run.
pub fn all(source: Source<'_>) -> Vec<Table> {
    let Names { cards, resources, bands, decisions, .. } = source.names;
    vec![
        source.agent_table(),
        source.seat_table(),
        source.length_table(),
        source.card_table(cards),
        source.economy_table(resources, bands),
        source.decision_table(decisions),
        source.tension_table(),
        anomaly_table(
            &Counted {
                grouped: source.grouped,
                first: source.layout.anomaly(0),
                matches: Layout::MATCHES,
                half: None,
            },
            &Layout::ANOMALIES,
            source.firsts,
        ),
    ]
}

/// Matches that a seat must not have won for its mean points to have an interval. With fewer, intervals of a
/// seat that wins 98 matches of 100 cover in 65 to 90 runs of 100.
const LOST_LEAST: u64 = 10;

impl Source<'_> {
    /// The mean points of seats whose wins are counted, too. Where nearly all are won, the mean rests on the few
    /// matches that were not, and on how badly those ended.
    fn points(&self, keys: &[&str], at: usize, of: Things) -> Row {
        let row = self.mean(keys, ("points_mean", at + Layout::POINTS), of);
        let lost = self.grouped.sum(of.counter).saturating_sub(self.grouped.sum(at + Layout::WINS));
        row.known_if(lost >= LOST_LEAST)
    }

    /// A mean rank. It lies from 1 to the number of players, so its interval is that of a share of the way.
    fn rank(&self, keys: &[&str], at: usize, of: Things) -> Row {
        let way = f64::from(self.players) - 1.0;
        let share = |sums: Sums<'_>| {
            let rank = sums.ratio(at + Layout::RANKS_DOUBLED, of.counter)? / 2.0;
            Some((rank - 1.0) / way)
        };
        let share = self.grouped.share_among(share, Held::by_blocks(of.blocks));
        self.row(keys, "rank_mean", of, share.map(|share| share.scaled(way, 1.0)))
    }

    /// Whether one agent sits in all seats: each match then has all ranks for it, and one win, if any.
    fn is_alone(&self) -> bool {
        self.agents.len() == 1
    }

    /// The win rate of an agent over all its seats. Where it is alone, only matches that nobody wins can
    /// move it.
    fn win_rate(&self, wins: usize, of: Things) -> Option<Estimate> {
        let seats = u64::from(self.players) * self.grouped.sum(Layout::MATCHES);
        // A guest that has lost matches by failing has more seats than those of matches with a result.
        if !self.is_alone() || self.grouped.sum(of.counter) != seats {
            let rate = |sums: Sums<'_>| sums.ratio(wins, of.counter);
            return self.grouped.share_among(rate, self.held(of));
        }
        let even = 1.0 / f64::from(self.players);
        if self.grouped.sum(Layout::WON) == self.grouped.sum(Layout::MATCHES) {
            return (of.blocks > 0).then(|| Estimate::fixed(even));
        }
        // Where every match was won the number is fixed, so this is the row of runs that saw one without a winner.
        let lost = |sums: Sums<'_>| {
            let won = sums.ratio(Layout::WON, Layout::MATCHES)?;
            Some(1.0 - won)
        };
        let lost = self.grouped.share_if_seen(lost, self.held(self.matches()))?;
        Some(lost.scaled(-even, even))
    }

    fn agent_table(&self) -> Table {
        let mut rows = Vec::new();
        for (agent, name) in self.agents.iter().enumerate() {
            let at = self.layout.agent(agent);
            let played = self.things(at + Layout::PLAYED, at + Layout::PLAYED_BLOCKS);
            let keys = [name.as_str()];
            let rate = self.win_rate(at + Layout::WINS, played);
            let seats = self.grouped.sum(played.counter) as f64;
            rows.push(self.row(&keys, "win_rate", played, rate));
            rows.push(self.row(&keys, "wins", played, rate.map(|rate| rate.scaled(seats, 0.0))));
            if self.is_alone() {
                let middle = f64::midpoint(1.0, f64::from(self.players));
                rows.push(self.fixed(&keys, "rank_mean", middle, played));
            } else {
                rows.push(self.rank(&keys, at, played));
            }
            rows.push(self.points(&keys, at, played));
            let decisions = at + Layout::AGENT_DECISIONS;
            let won = self.things(at + Layout::AGENT_WON, Layout::BLOCKS_WON);
            rows.push(self.mean(&keys, ("decisions_mean", decisions), won));
            let iterations = at + Layout::AGENT_ITERATIONS;
            rows.push(self.mean(&keys, ("iterations_mean", iterations), played));
        }
        self.table(&AGENTS, rows)
    }

    fn seat_table(&self) -> Table {
        let mut rows = Vec::new();
        for seat in Seat::all(self.players) {
            for (agent, name) in self.agents.iter().enumerate() {
                let at = self.layout.seat(agent, seat);
                let played = self.things(at + Layout::PLAYED, at + Layout::PLAYED_BLOCKS);
                let number = seat.to_string();
                let keys = [number.as_str(), name.as_str()];
                let even = 1.0 / f64::from(self.players);
                let rate = self.share(&keys, ("win_rate", at + Layout::WINS), played);
                let advantage = rate.estimate.map(|rate| less(rate, even));
                rows.push(rate);
                rows.push(self.row(&keys, "advantage", played, advantage));
                rows.push(self.points(&keys, at, played));
                rows.push(self.rank(&keys, at, played));
            }
        }
        self.table(&SEATS, rows)
    }
}

/// An estimate less a constant, as its row has it: what is printed is the difference of what is printed.
fn less(estimate: Estimate, constant: f64) -> Estimate {
    let of = |value: f64| rounded(value) - constant;
    let interval = estimate.interval.map(|(low, high)| (of(low), of(high)));
    Estimate { value: of(estimate.value), interval, ..estimate }
}
