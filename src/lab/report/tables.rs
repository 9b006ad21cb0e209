//! How tables of `simulate` are made from the sums of a run, row by row. `sim::layout` says what each counter means.

use crate::core::measure::Names;
use crate::lab::report::described::{ANOMALIES, TableSchema};
use crate::lab::report::table::{Row, Table};
use crate::sim::layout::Layout;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Grouped, Sums};

/// What the tables are made from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What the game has names for.
    pub names: Names,
    /// The sums.
    pub grouped: &'a Grouped,
    /// Their layout.
    pub layout: &'a Layout,
    /// Names of the distinct agents.
    pub agents: &'a [String],
    /// Seats at the table.
    pub players: u8,
    /// The first match of each anomaly.
    pub firsts: &'a [Option<(u64, u64)>],
}

/// A metric, and the counter that is its numerator.
pub(super) type Above = (&'static str, usize);

/// The things that a metric is a share or a mean of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Things {
    /// Their counter: the denominator.
    pub(super) counter: usize,
    /// Blocks with at least one of them.
    pub(super) blocks: u64,
}

impl Source<'_> {
    pub(super) fn table(&self, described: &TableSchema, rows: Vec<Row>) -> Table {
        described.table(self.grouped.blocks(), rows)
    }

    pub(super) fn row(
        &self,
        keys: &[&str],
        metric: &'static str,
        of: Things,
        estimate: Option<Estimate>,
    ) -> Row {
        let keys = keys.iter().map(|&key| key.to_owned()).collect();
        let n = self.grouped.sum(of.counter);
        // Blocks are counted for things of a kind, and some metrics leave out those of matches without a winner.
        Row::new(keys, metric, estimate, of.blocks.min(n), n)
    }

    /// How many of the things there are, and in how many blocks.
    pub(super) fn held(&self, of: Things) -> Held {
        Held::new(self.grouped.sum(of.counter), of.blocks)
    }

    /// Things that one counter counts, in the blocks that another counts.
    pub(super) fn things(&self, counter: usize, blocks: usize) -> Things {
        Things { counter, blocks: self.grouped.sum(blocks) }
    }

    pub(super) fn matches(&self) -> Things {
        self.things(Layout::MATCHES, Layout::BLOCKS_ENDED)
    }

    /// Those with a winner: what is a mean over matches rests on them, since one without may be stopped at twenty times
    /// the usual length.
    pub(super) fn matches_won(&self) -> Things {
        self.things(Layout::WON, Layout::BLOCKS_WON)
    }

    /// Blocks with a match that came to this turn: they are counted by the turns of their longest match.
    pub(super) fn blocks_from(&self, turn: usize) -> u64 {
        let of = |turns: usize| self.layout.longest(u16::try_from(turns).expect("a turn number"));
        let blocks = (turn..=self.layout.turns_max()).map(|turns| self.grouped.sum(of(turns)));
        blocks.fold(0, u64::saturating_add)
    }

    pub(super) fn share(&self, keys: &[&str], (metric, above): Above, of: Things) -> Row {
        let share = |sums: Sums<'_>| sums.ratio(above, of.counter);
        let estimate = self.grouped.share_among(share, self.held(of));
        self.row(keys, metric, of, estimate)
    }

    /// A share of all matches whose row is there only if it is above 0.
    pub(super) fn share_if_seen(&self, keys: &[&str], (metric, above): Above) -> Row {
        let (of, ratio) = (self.matches(), |sums: Sums<'_>| sums.ratio(above, Layout::MATCHES));
        let estimate = self.grouped.share_if_seen(ratio, self.held(of));
        self.row(keys, metric, of, estimate)
    }

    /// A share that the design of every block fixes.
    pub(super) fn fixed(&self, keys: &[&str], metric: &'static str, value: f64, of: Things) -> Row {
        let estimate = (of.blocks > 0).then(|| Estimate::fixed(value));
        self.row(keys, metric, of, estimate)
    }

    pub(super) fn mean(&self, keys: &[&str], (metric, above): Above, of: Things) -> Row {
        let estimate = self.grouped.average(|sums| sums.ratio(above, of.counter));
        self.row(keys, metric, of, estimate)
    }
}

/// Where anomalies are counted.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// The sums.
    pub grouped: &'a Grouped,
    /// The first of the counters, of which there is one for each anomaly.
    pub first: usize,
    /// The counter of matches.
    pub matches: usize,
    /// Half the width of an interval in standard errors, in a run that is watched.
    pub half: Option<f64>,
}

/// `anomalies.csv`, with the first match that had each anomaly.
pub fn anomaly_table(
    counted: &Counted<'_>,
    names: &[&str],
    firsts: &[Option<(u64, u64)>],
) -> Table {
    let Counted { grouped, first, matches, half } = *counted;
    let blocks = grouped.blocks();
    let n = grouped.sum(matches);
    let mut rows = Vec::new();
    for (kind, name) in names.iter().enumerate() {
        let id = firsts.get(kind).copied().flatten();
        let id = id.map_or(String::new(), |(block, number)| format!("{block}.{number}"));
        let row = |metric, estimate| {
            Row::new(vec![(*name).to_owned(), id.clone()], metric, estimate, blocks, n)
        };
        // Counter 0 is the number of blocks in every layout.
        let count = |sums: Sums<'_>| {
            let of = sums.get(Layout::BLOCKS);
            (of > 0.0).then(|| sums.get(first + kind) / of * blocks as f64)
        };
        let per_match = |sums: Sums<'_>| sums.ratio(first + kind, matches);
        rows.push(row("count", grouped.rate(count, 1.0, half)));
        rows.push(row("per_match", grouped.rate(per_match, 1.0 / n.max(1) as f64, half)));
    }
    ANOMALIES.table(blocks, rows)
}
