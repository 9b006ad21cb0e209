//! What a change of rules does to the figures of `diagnose`: each one's difference between both rule sets. Its interval is
//! made from those of both sides (Zou and Donner, 2008), as if their deals were not common, so that it is rather too wide;
//! it holds for all differences together, since those of both sides do.

use crate::lab::questions::studies::diagnose::findings::{FINDINGS, JOINT, NEUTRAL};
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::format::number;
use crate::lab::report::metric::Metric;
use crate::lab::report::metric::differences;
use crate::lab::report::table::{Column, More, Row, Table};
use crate::stats::jackknife::{Estimate, Method};

const fn column(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: "number", about }
}

/// What a change does.
pub const CHANGES: TableSchema = TableSchema {
    name: "changes",
    keys: &[text("of", "as in findings.csv")],
    more: &[
        column("rank", "place among what surely differs, the largest first; empty if it does not"),
        column("changed", "the figure in the changed rules"),
        column("base", "the same in the game's own rules"),
        column(
            "size",
            "the near end of the interval, in halves of the neutral range of findings.csv",
        ),
    ],
    metrics: &DIFFERENCES,
};

const DIFFERENCES: [Metric; FINDINGS.metrics.len()] = {
    let mut all = [FINDINGS.metrics[0]; FINDINGS.metrics.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = FINDINGS.metrics[at];
        at += 1;
    }
    differences(all)
};

/// Differences of the findings of two rule sets.
pub fn table(changed: &Table, base: &Table) -> Table {
    let mut rows: Vec<(Row, Option<f64>)> = Vec::new();
    for row in &changed.rows {
        let keys: Vec<&str> = row.keys.iter().map(String::as_str).collect();
        rows.extend(base.find(&keys, row.metric).and_then(|other| difference(row, other)));
    }
    rows.sort_by(|a, b| b.1.unwrap_or(0.0).total_cmp(&a.1.unwrap_or(0.0)));
    let ranked = |(at, (row, size)): (usize, (Row, Option<f64>))| {
        let More::Cells(mut cells) = row.more else { return row };
        cells.insert(0, size.map_or(String::new(), |_| (at + 1).to_string()));
        Row { more: More::Cells(cells), ..row }
    };
    CHANGES.table(changed.blocks, rows.into_iter().enumerate().map(ranked).collect())
}

/// The row of a difference, and how large it surely is.
fn difference(row: &Row, other: &Row) -> Option<(Row, Option<f64>)> {
    let end = |row: &Row, at: usize| row.own(at).parse::<f64>().ok();
    let (a, b) = (row.estimate?, other.estimate?);
    let value = a.value - b.value;
    let ends = |row: &Row| JOINT.map(|at| end(row, at));
    let interval = match (ends(row), ends(other)) {
        ([Some(lo), Some(hi)], [Some(below), Some(above)]) => {
            let wide = |one: f64, other: f64| libm::sqrt(one * one + other * other);
            let low = value - wide(a.value - lo, above - b.value);
            Some((low, value + wide(hi - a.value, b.value - below)))
        }
        _ => None,
    };
    let near = interval.map(|(lo, hi)| if lo > 0.0 { lo } else { (-hi).max(0.0) });
    let width = match NEUTRAL.map(|at| end(row, at)) {
        [Some(lo), Some(hi)] => (hi - lo) / 2.0,
        [None, Some(hi)] => hi,
        [Some(lo), None] => (1.0 - lo) / 2.0,
        [None, None] => return None,
    };
    let size = near.filter(|&near| near > 0.0).map(|near| near / width);
    let method = if interval.is_some() { Method::JackknifeMover } else { Method::TooFew };
    let estimate = Some(Estimate { value, se: None, interval, method });
    let cells = [Some(a.value), Some(b.value), size].map(number).to_vec();
    let blocks = row.blocks.min(other.blocks);
    let (n, more) = (row.n.min(other.n), More::Cells(cells));
    Some((Row { estimate, blocks, n, more, ..row.clone() }, size))
}
