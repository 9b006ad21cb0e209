//! Thresholds that a run must keep, such as `seats.win_rate.max - seats.win_rate.min < 0.02`, decided on its
//! tables. They are about the estimates as they are; to be sure, ask for an end of an
//! interval, `.lo` or `.hi`. What happens when one fails is not decided here.

use crate::lab::report::described::TableSchema;
use crate::lab::report::format::number;
use crate::lab::report::require_parse::{self, Expression, Reference, Sign};
use crate::lab::report::table::{Row, Table};
use crate::words::nearest;

/// The most values or rows that a message lists.
const SHOWN_MAX: usize = 8;

/// A threshold.
#[derive(Debug, Clone)]
pub struct Requirement {
    text: String,
    left: Expression,
    sign: Sign,
    right: Expression,
}

/// The result of a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    pub holds: bool,
    /// The left side; finite.
    pub left: f64,
    /// The right side; finite.
    pub right: f64,
}

/// A threshold that can't be read or can't be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("threshold `{text}`: {complaint}")]
pub struct BadRequirement {
    /// The threshold.
    pub text: String,
    /// What is wrong with its text, its names or the rows that it names, and what would be right.
    pub complaint: String,
}

impl Requirement {
    /// Reads a threshold; [`require_parse`] has the grammar.
    ///
    /// # Errors
    /// Says where it can't be read, and what is expected there.
    pub fn parse(text: &str) -> Result<Requirement, BadRequirement> {
        let text = text.trim().to_owned();
        match require_parse::parse(&text) {
            Ok((left, sign, right)) => Ok(Requirement { text, left, sign, right }),
            Err(complaint) => Err(BadRequirement { text, complaint }),
        }
    }

    /// Whether all tables, key columns and metrics that it names are among those that will be written.
    ///
    /// # Errors
    /// Names the first that is not, and those that there are.
    pub fn check_names(&self, known: &[TableSchema]) -> Result<(), BadRequirement> {
        let mut references = self.left.references();
        references.extend(self.right.references());
        let checked = references.iter().try_for_each(|reference| reference.check(known));
        checked.map_err(|complaint| self.bad(complaint))
    }

    /// Decides it on the tables of a run.
    ///
    /// # Errors
    /// If it names no row, several rows as one, or an empty cell, or divides by zero.
    pub fn evaluate(&self, tables: &[Table]) -> Result<Held, BadRequirement> {
        let value = |side: &Expression| side.value(tables).map_err(|complaint| self.bad(complaint));
        let (left, right) = (value(&self.left)?, value(&self.right)?);
        let (_, compare) = self.sign;
        Ok(Held { holds: compare(&left, &right), left, right })
    }

    /// A line for people: whether it holds, the threshold, and both sides as numbers.
    pub fn describe(&self, held: Held) -> String {
        let word = if held.holds { "holds" } else { "FAILS" };
        let short = [held.left, held.right].map(|side| number(Some(side)));
        // Sides whose difference would not show are printed in full.
        let full = [held.left, held.right].map(|side| side.to_string());
        let [left, right] = if short[0] == short[1] { full } else { short };
        format!("{word}: {} ({left} {} {right})", self.text, self.sign.0)
    }

    fn bad(&self, complaint: String) -> BadRequirement {
        BadRequirement { text: self.text.clone(), complaint }
    }
}

impl Expression {
    pub(crate) fn references(&self) -> Vec<&Reference> {
        match self {
            Expression::Number(_) => Vec::new(),
            Expression::Reference(reference) => vec![reference],
            Expression::Unary(_, of) => of.references(),
            Expression::Chain(first, more) => {
                let more = more.iter().flat_map(|(_, next)| next.references());
                first.references().into_iter().chain(more).collect()
            }
        }
    }

    fn value(&self, tables: &[Table]) -> Result<f64, String> {
        finite(match self {
            Expression::Number(number) => *number,
            Expression::Reference(reference) => reference.value(tables)?,
            Expression::Unary(function, of) => function(of.value(tables)?),
            Expression::Chain(first, more) => {
                let mut value = first.value(tables)?;
                for (operator, next) in more {
                    value = operator(value, next.value(tables)?);
                }
                value
            }
        })
    }
}

impl Reference {
    fn check(&self, known: &[TableSchema]) -> Result<(), String> {
        let TableSchema { name: table, keys: columns, metrics, .. } =
            known[find("table", &self.table, known.iter().map(|table| table.name))?];
        for (key, _) in &self.keys {
            let columns = columns.iter().map(|column| column.name);
            find(&format!("key column of `{table}`"), key, columns)?;
        }
        let metrics = metrics.iter().map(|metric| metric.name);
        find(&format!("metric of `{table}`"), &self.metric, metrics).map(drop)
    }

    fn value(&self, tables: &[Table]) -> Result<f64, String> {
        let table = &tables[find("table", &self.table, tables.iter().map(|table| table.name))?];
        let rows = self.rows(table)?;
        match (self.aggregate, rows.as_slice()) {
            (_, []) => Err(self.no_row(table)),
            // Rows are counted whether or not they have a number.
            (Some(("count", _)), rows) => Ok(rows.len() as f64),
            (None, [row]) => self.cell(table, row),
            (None, rows) => Err(self.several(table, rows)),
            (Some((_, join)), rows) => {
                let cells = rows.iter().map(|row| self.cell(table, row));
                Ok(join(&cells.collect::<Result<Vec<f64>, String>>()?))
            }
        }
    }

    fn rows<'a>(&self, table: &'a Table) -> Result<Vec<&'a Row>, String> {
        let mut rows: Vec<&Row> =
            table.rows.iter().filter(|row| row.metric == self.metric).collect();
        for (key, value) in &self.keys {
            let columns = table.keys.iter().map(|column| column.name);
            let at = find(&format!("key column of `{}`", table.name), key, columns)?;
            rows.retain(|row| row.keys.get(at) == Some(value));
        }
        Ok(rows)
    }

    fn cell(&self, table: &Table, row: &Row) -> Result<f64, String> {
        let (column, read) = self.column;
        finite(read(table, row).ok_or_else(|| {
            let row = keys_of(table, row);
            format!(
                "`{}` has no {column} in the row {row}: nothing was seen, or too few blocks",
                self.text
            )
        })?)
    }

    fn no_row(&self, table: &Table) -> String {
        let rows: Vec<&Row> = table.rows.iter().filter(|row| row.metric == self.metric).collect();
        let known = if rows.is_empty() {
            format!("`{}` has no row of the metric `{}`", table.name, self.metric)
        } else {
            let keys = table.keys.iter().enumerate();
            let keys = keys.map(|(at, key)| format!("{} is {}", key.name, values_of(&rows, at)));
            keys.collect::<Vec<String>>().join("; ")
        };
        format!("`{}` matches no row; {known}", self.text)
    }

    fn several(&self, table: &Table, rows: &[&Row]) -> String {
        let keys: Vec<String> = rows.iter().map(|row| keys_of(table, row)).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        format!(
            "`{}` matches {} rows ({}); name more keys, or end with .max, .min, .mean, .sum or .count",
            self.text,
            rows.len(),
            some(&keys, "; ")
        )
    }
}

fn finite(number: f64) -> Result<f64, String> {
    let complaint = "can't be decided: a division by zero, or a number that is not finite";
    if number.is_finite() { Ok(number) } else { Err(complaint.to_owned()) }
}

/// The position of a name among those that there are.
fn find<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Result<usize, String> {
    let known: Vec<&str> = known.collect();
    let found = known.iter().position(|known| *known == name);
    found.ok_or_else(|| nearest::unknown(what, name, &known))
}

fn keys_of(table: &Table, row: &Row) -> String {
    let pairs = table.keys.iter().zip(&row.keys);
    pairs.map(|(column, value)| format!("{}={value}", column.name)).collect::<Vec<_>>().join(", ")
}

/// The values of a key column, each once.
fn values_of(rows: &[&Row], column: usize) -> String {
    let mut values: Vec<&str> = Vec::new();
    for value in rows.iter().filter_map(|row| row.keys.get(column)) {
        if values.len() <= SHOWN_MAX && !values.contains(&value.as_str()) {
            values.push(value);
        }
    }
    some(&values, " or ")
}

/// The first ones, with a mark if there are more.
fn some(all: &[&str], between: &str) -> String {
    let more = if all.len() > SHOWN_MAX { " …" } else { "" };
    format!("{}{more}", all[..all.len().min(SHOWN_MAX)].join(between))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::report::simulated::TABLES;
    use crate::lab::report::table::Column;
    use crate::stats::jackknife::{Estimate, Method};

    const KEYS: [Column; 2] = [
        Column { name: "seat", kind: "integer", about: "" },
        Column { name: "agent", kind: "string", about: "" },
    ];

    fn row(seat: &str, agent: &str, metric: &'static str, value: Option<f64>) -> Row {
        let interval = value.map(|value| (value - 0.01, value + 0.01));
        let interval = interval.filter(|_| metric == "win_rate");
        let method = Method::None;
        let estimate = value.map(|value| Estimate { value, se: Some(0.005), interval, method });
        let keys = vec![seat.to_owned(), agent.to_owned()];
        Row::new(keys, metric, estimate, 50, 100)
    }

    fn seats() -> [Table; 1] {
        let rows = vec![
            row("1", "greedy", "win_rate", Some(0.30)),
            row("2", "mcts:iterations=100", "win_rate", Some(0.20)),
            row("3", "a, b]", "win_rate", Some(0.25)),
            row("1", "greedy", "rank_mean", Some(2.5)),
            row("1", "greedy", "points_mean", None),
            row("1", "greedy", "odd", Some(f64::NAN)),
            row("2", "greedy", "odd", Some(1.0)),
        ];
        [Table { name: "seats", keys: &KEYS, more: &[], metrics: &[], blocks: 50, rows }]
    }

    fn decide(text: &str) -> Result<Held, BadRequirement> {
        Requirement::parse(text)?.evaluate(&seats())
    }

    #[test]
    fn thresholds_are_decided_on_the_rows_they_name() {
        for (text, holds) in [
            ("seats.win_rate.max - seats.win_rate.min < 10.1pp", true),
            ("seats.win_rate.max-seats.win_rate.min<2%", false),
            ("seats[seat=1].win_rate >= 0.3", true),
            ("seats[seat=1].win_rate <= 0.3", true),
            ("seats[seat=1].win_rate > 0.3", false),
            ("seats[agent=mcts:iterations=100].win_rate < 0.21", true),
            ("seats[ agent = \"a, b]\" , seat=3 ].win_rate < 0.26", true),
            ("seats[seat=1].win_rate.lo > 0.28", true),
            ("seats[seat=1].win_rate.hi < 0.3", false),
            ("seats.win_rate.se.max <= 0.005", true),
            ("seats.win_rate.n.sum >= 300", true),
            ("seats[seat=1].rank_mean.n_blocks >= 50", true),
            ("seats.win_rate.count > 2", true),
            ("seats.points_mean.count > 0", true),
            ("abs(seats.win_rate.mean - 1/4) < 1e-9", true),
            ("abs(-max(1, 2)) * (1 + min(3, 4)) / 2 - -1 > 4.99", true),
            ("1 - 2 - 3 > -5", true),
        ] {
            let held = decide(text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(held.holds, holds, "{text}: {held:?}");
        }
    }

    #[test]
    fn what_cannot_be_decided_says_why() {
        for (text, part) in [
            ("length.share < 1", "no table `length`; there are seats"),
            (
                "seats[place=1].win_rate < 1",
                "no key column of `seats` `place`; there are seat, agent",
            ),
            ("seats.win_rate < 1", "matches 3 rows (seat=1, agent=greedy; seat=2,"),
            ("seats[seat=9].win_rate < 1", "matches no row; seat is 1 or 2 or 3; agent is greedy"),
            ("seats.wins.max < 1", "`seats` has no row of the metric `wins`"),
            ("seats[seat=1].points_mean < 1", "has no estimate in the row seat=1, agent=greedy"),
            ("seats[seat=1].rank_mean.lo < 1", "has no lo in the row"),
            ("seats.odd.max < 2", "not finite"),
            ("1 / (2 - 2) < 1", "division by zero"),
            ("1 / (1 / seats.win_rate.max / 0) < 1", "division by zero"),
            ("1e300 * 1e300 > 1", "not finite"),
        ] {
            let error = decide(text).unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(text), "{text}: {error}");
        }
    }

    #[test]
    fn names_are_checked_before_the_first_match() {
        let check = |text: &str| Requirement::parse(text).unwrap().check_names(TABLES);
        assert_eq!(check("abs(seats[seat=1].win_rate) + agents.wins.max / 2 < 1"), Ok(()));
        for (text, part) in [
            (
                "max(1, -seat.win_rate) < 1",
                "no table `seat`; did you mean `seats`? There are agents, seats, length",
            ),
            (
                "1 < 2 * (seats[sat=1].win_rate)",
                "no key column of `seats` `sat`; did you mean `seat`? There are seat,",
            ),
            ("seats.wins < 1", "no metric of `seats` `wins`; there are win_rate, advantage,"),
        ] {
            let error = check(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn the_line_for_people_has_both_sides() {
        let line = |text: &str| {
            let requirement = Requirement::parse(text).unwrap();
            requirement.describe(requirement.evaluate(&seats()).unwrap())
        };
        let text = " seats.win_rate.max - seats.win_rate.min < 0.2 ";
        assert_eq!(line(text), format!("holds: {} (0.1 < 0.2)", text.trim()));
        assert_eq!(
            line("seats.win_rate.max < 2pp"),
            "FAILS: seats.win_rate.max < 2pp (0.3 < 0.02)"
        );
        assert_eq!(line("1.00000001 < 1"), "FAILS: 1.00000001 < 1 (1.00000001 < 1)");
    }
}
