//! A table of estimates: key columns, a metric, its value and its uncertainty. Long and tidy: one row per
//! number, so that header and rows can't drift apart.

use crate::lab::report::comparison::{Comparison, Finding, Place};
use crate::lab::report::format::number;
use crate::lab::report::metric::{Metric, Unit, unit};
use crate::stats::jackknife::Estimate;
use std::borrow::Cow;

/// A column of some file: its name, its JSON type and what it means.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The header.
    pub name: &'static str,
    /// `string`, `integer` or `number`.
    pub kind: &'static str,
    /// What it means, with its unit.
    pub about: &'static str,
}

const fn column(name: &'static str, kind: &'static str, about: &'static str) -> Column {
    Column { name, kind, about }
}

/// The columns that every table of estimates ends with.
pub const ESTIMATE: [Column; 8] = [
    column("metric", "string", "what is estimated; the meanings stand with each table"),
    column("estimate", "number", "the estimate; empty where nothing was seen"),
    column(
        "n_blocks",
        "integer",
        "blocks that hold at least one of the n things: the unit of independence",
    ),
    column("n", "integer", "how many things the metric is a share or a mean of"),
    column("se", "number", "standard error over blocks (delete-a-group jackknife)"),
    column("ci95_lo", "number", "lower end of the 95 % interval"),
    column("ci95_hi", "number", "upper end of the 95 % interval"),
    column("ci_method", "string", "how the interval was made; docs/statistics.md has the formulas"),
];

/// Further columns of tables that compare.
pub const COMPARISON: [Column; 3] = [
    column(
        "p_value",
        "string",
        "two-sided p-value of no difference, or <1e-6; empty in watched runs",
    ),
    column("p_holm", "string", "the same adjusted for all comparisons of the table (Holm)"),
    column("verdict", "string", "what the interval says of the margin; empty where none is asked"),
];

/// Further columns of tables with verdicts: those of a comparison, then the interval that the verdict used.
pub const JUDGED: [Column; 6] = [
    COMPARISON[0],
    COMPARISON[1],
    COMPARISON[2],
    column("verdict_lo", "number", "lower end of the interval that the verdict used"),
    column("verdict_hi", "number", "upper end of that interval"),
    column("verdict_level", "number", "its level; docs/statistics.md says which is used when"),
];

/// One number.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Values of the key columns.
    pub keys: Vec<String>,
    /// The metric.
    pub metric: &'static str,
    /// The estimate, if there is anything to estimate.
    pub estimate: Option<Estimate>,
    /// Blocks that it rests on: those with at least one of the things that `n` counts.
    pub blocks: u64,
    /// How many things it is a share or a mean of.
    pub n: u64,
    /// What stands in the further columns, if the table has any.
    pub more: More,
}

/// What stands in the columns after those of the estimate.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum More {
    /// Nothing.
    #[default]
    Nothing,
    /// What is said of the estimate: [`COMPARISON`] or [`JUDGED`].
    Comparison(Comparison),
    /// Columns of the table's own.
    Cells(Vec<String>),
}

impl Row {
    /// A row with nothing in the further columns.
    pub fn new(
        keys: Vec<String>,
        metric: &'static str,
        estimate: Option<Estimate>,
        blocks: u64,
        n: u64,
    ) -> Row {
        Row { keys, metric, estimate, blocks, n, more: More::Nothing }
    }

    /// The row, without its interval if too little was seen for one.
    pub fn known_if(self, is_known: bool) -> Row {
        let estimate = self.estimate.map(|it| if is_known { it } else { it.bare() });
        Row { estimate, ..self }
    }

    /// What is said of the estimate.
    pub fn comparison(&self) -> Option<&Comparison> {
        match &self.more {
            More::Comparison(comparison) => Some(comparison),
            More::Nothing | More::Cells(_) => None,
        }
    }

    /// What was found about the estimate.
    pub fn finding(&self) -> Option<&Finding> {
        self.comparison()?.finding.as_ref()
    }

    /// Where an effect lies by the margin; nothing if it was not judged by one.
    pub fn place(&self) -> Option<Place> {
        self.finding()?.place()
    }

    /// The adjusted p-value as tables have it; empty if there is none.
    pub fn adjusted(&self) -> String {
        self.comparison().map_or(String::new(), Comparison::adjusted)
    }

    /// A cell of the table's own columns; empty if it has none.
    pub fn own(&self, at: usize) -> &str {
        match &self.more {
            More::Cells(cells) => cells.get(at).map_or("", String::as_str),
            More::Nothing | More::Comparison(_) => "",
        }
    }
}

/// All numbers of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The file's name without its ending.
    pub name: &'static str,
    /// Headers of the key columns.
    pub keys: &'static [Column],
    /// Columns after those of the estimate: none, [`COMPARISON`] or [`JUDGED`].
    pub more: &'static [Column],
    /// What is estimated.
    pub metrics: &'static [Metric],
    /// Blocks of the run.
    pub blocks: u64,
    /// The rows in a stable order.
    pub rows: Vec<Row>,
}

impl PartialEq for Column {
    fn eq(&self, other: &Column) -> bool {
        self.name == other.name
    }
}

impl Table {
    /// The table as CSV.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_csv(&self, out: impl std::io::Write) -> csv::Result<()> {
        let mut writer = csv::WriterBuilder::new().from_writer(out);
        writer.write_record(self.columns().map(|column| column.name))?;
        for row in &self.rows {
            writer.write_record(self.record(row).iter().map(|text| cell(text).into_owned()))?;
        }
        writer.flush()?;
        Ok(())
    }

    /// The columns in order.
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> {
        self.keys.iter().chain(&ESTIMATE).chain(self.more)
    }

    /// The cells of a row, one for each of the columns.
    pub fn record(&self, row: &Row) -> Vec<String> {
        let mut record = row.keys.clone();
        record.push(row.metric.to_owned());
        let is_difference = self.unit(row.metric) == Unit::Difference;
        let possible = |estimate: Estimate| {
            let interval = estimate.interval.map(in_reach).filter(|_| is_difference);
            Estimate { interval: interval.or(estimate.interval), ..estimate }
        };
        let [value, se, lo, hi] = numbers(row.estimate.map(possible).as_ref());
        let method = row.estimate.map_or("", |estimate| estimate.method.name());
        record.push(value);
        record.push(row.blocks.to_string());
        record.push(row.n.to_string());
        record.extend([se, lo, hi]);
        record.push(method.to_owned());
        match &row.more {
            More::Nothing => {}
            More::Comparison(said) if is_difference => {
                let interval = said.interval.map(in_reach);
                record.extend(Comparison { interval, ..said.clone() }.cells());
            }
            More::Comparison(comparison) => record.extend(comparison.cells()),
            More::Cells(cells) => record.extend(cells.iter().cloned()),
        }
        // Tables that only compare have no column for the interval of a finding.
        record.resize(self.columns().count(), String::new());
        record
    }

    /// What the numbers of a metric measure.
    pub fn unit(&self, metric: &str) -> Unit {
        unit(self.metrics, metric)
    }

    /// The row with these keys and this metric.
    pub fn find(&self, keys: &[&str], metric: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.metric == metric && row.keys == keys)
    }
}

/// A cell of CSV that no spreadsheet takes for a formula: names of others may begin with what begins one, and then get an
/// apostrophe. Numbers, fractions and the like stay, since nothing can be called with them.
pub fn cell(text: &str) -> Cow<'_, str> {
    let number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || "+-.,/:eE %".contains(c));
    let formula = match text.chars().next() {
        Some('=' | '@' | '\t' | '\r') => true,
        Some('+' | '-') => !number(text),
        _ => false,
    };
    if formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// An interval of a difference of shares: none is beyond 1.
fn in_reach((lo, hi): (f64, f64)) -> (f64, f64) {
    (lo.clamp(-1.0, 1.0), hi.clamp(-1.0, 1.0))
}

fn numbers(estimate: Option<&Estimate>) -> [String; 4] {
    let Some(estimate) = estimate else { return Default::default() };
    let (lo, hi) = estimate.interval.unzip();
    [Some(estimate.value), estimate.se, lo, hi].map(number)
}

/// A number as a table has it: with six decimals.
pub fn rounded(value: f64) -> f64 {
    number(Some(value)).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::jackknife::Method;

    #[test]
    fn what_is_missing_is_empty_and_never_zero() {
        const KEYS: [Column; 1] = [column("agent", "string", "who")];
        let table = Table {
            name: "t",
            keys: &KEYS,
            more: &[],
            metrics: &[],
            blocks: 3,
            rows: vec![
                Row::new(vec!["a,b".into()], "win_rate", None, 0, 0),
                Row::new(
                    vec!["c".into()],
                    "win_rate",
                    Some(Estimate { value: 0.25, se: None, interval: None, method: Method::None }),
                    3,
                    4,
                ),
            ],
        };
        let mut out = Vec::new();
        table.write_csv(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "agent,metric,estimate,n_blocks,n,se,ci95_lo,ci95_hi,ci_method");
        assert_eq!(lines[1], "\"a,b\",win_rate,,0,0,,,,");
        assert_eq!(lines[2], "c,win_rate,0.25,3,4,,,,");
    }
}
