//! Thresholds that a run must keep, such as `seats.win_rate.max - seats.win_rate.min < 0.02`, decided on its
//! tables. They are about the estimates as they are; to be sure, ask for an end of an
//! interval, `.lo` or `.hi`. What happens when one fails is not decided here.

use crate::report::described::Described;
use crate::report::require_error::BadRequirement;
use crate::report::require_parse;
use crate::report::require_parse::Aggregate;
use crate::report::require_parse::Cell;
use crate::report::require_parse::Expression;
use crate::report::require_parse::Operator;
use crate::report::require_parse::Reference;
use crate::report::require_parse::Sign;
use crate::report::table::Row;
use crate::report::table::Table;
use crate::report::table::number;
use crate::words::nearest;
use std::fmt;
use std::fmt::Display;
use std::fmt::Formatter;

/// The most names, values or rows that a message lists.
const SHOWN_MAX: usize = 8;

/// A threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    text: String,
    left: Expression,
    sign: Sign,
    right: Expression,
}

/// The result of a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// Whether it holds.
    pub holds: bool,
    /// The left side; finite.
    pub left: f64,
    /// The right side; finite.
    pub right: f64,
}

impl Display for Requirement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Requirement {
    /// Reads a threshold; [`require_parse`] has the grammar.
    ///
    /// # Errors
    /// Says where it can't be read, and what is expected there.
    pub fn parse(text: &str) -> Result<Requirement, BadRequirement> {
        let text = text.trim();
        let (left, sign, right) = require_parse::parse(text)?;
        Ok(Requirement { text: text.to_owned(), left, sign, right })
    }

    /// Whether all tables, key columns and metrics that it names are among those that will be written.
    ///
    /// # Errors
    /// Names the first that is not, and those that there are.
    pub fn check_names(&self, known: &[Described]) -> Result<(), BadRequirement> {
        let mut references = Vec::new();
        collect(&self.left, &mut references);
        collect(&self.right, &mut references);
        references.into_iter().try_for_each(|reference| self.check_reference(reference, known))
    }

    /// Decides it on the tables of a run.
    ///
    /// # Errors
    /// If it names no row, several rows as one, or an empty cell, or divides by zero.
    pub fn evaluate(&self, tables: &[Table]) -> Result<Held, BadRequirement> {
        let left = self.value(&self.left, tables)?;
        let right = self.value(&self.right, tables)?;
        let holds = match self.sign {
            Sign::Less => left < right,
            Sign::LessOrEqual => left <= right,
            Sign::More => left > right,
            Sign::MoreOrEqual => left >= right,
        };
        Ok(Held { holds, left, right })
    }

    /// A line for people: whether it holds, the threshold, and both sides as numbers.
    pub fn describe(&self, held: Held) -> String {
        let word = if held.holds { "holds" } else { "FAILS" };
        let short = [held.left, held.right].map(|side| number(Some(side)));
        // Sides whose difference would not show are printed in full.
        let full = [held.left, held.right].map(|side| side.to_string());
        let [left, right] = if short[0] == short[1] { full } else { short };
        format!("{word}: {} ({left} {} {right})", self.text, self.sign.text())
    }

    fn check_reference(&self, of: &Reference, known: &[Described]) -> Result<(), BadRequirement> {
        let tables = known.iter().map(|(table, ..)| *table);
        let found = known.iter().find(|(table, ..)| *table == of.table);
        let Some((table, columns, metrics)) = found else {
            return Err(self.unknown("table", &of.table, tables));
        };
        let columns = columns.iter().map(|column| column.name);
        for (key, _) in &of.keys {
            self.among(&format!("key column of `{table}`"), key, columns.clone())?;
        }
        let metrics = metrics.iter().map(|(metric, _)| *metric);
        self.among(&format!("metric of `{table}`"), &of.metric, metrics)
    }

    fn among<'a>(
        &self,
        what: &str,
        name: &str,
        mut known: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<(), BadRequirement> {
        let all = known.clone();
        if known.any(|known| known == name) { Ok(()) } else { Err(self.unknown(what, name, all)) }
    }

    fn unknown<'a>(
        &self,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> BadRequirement {
        let known: Vec<&str> = known.collect();
        let complaint = nearest::unknown(what, name, &known);
        BadRequirement::Unknown { text: self.text.clone(), complaint }
    }

    fn value(&self, of: &Expression, tables: &[Table]) -> Result<f64, BadRequirement> {
        let value = match of {
            Expression::Number(number) => *number,
            Expression::Reference(reference) => self.look_up(reference, tables)?,
            Expression::Negative(inner) => -self.value(inner, tables)?,
            Expression::Absolute(inner) => self.value(inner, tables)?.abs(),
            Expression::Either(which, arguments) => {
                let [first, second] = arguments.as_ref();
                joined(*which, &[self.value(first, tables)?, self.value(second, tables)?])
            }
            Expression::Chain(first, more) => {
                let mut value = self.value(first, tables)?;
                for (operator, next) in more {
                    value = self.operate(value, *operator, self.value(next, tables)?)?;
                }
                value
            }
        };
        self.finite(value)
    }

    fn finite(&self, value: f64) -> Result<f64, BadRequirement> {
        if value.is_finite() { Ok(value) } else { Err(self.undefined("a number is not finite")) }
    }

    fn operate(&self, left: f64, by: Operator, right: f64) -> Result<f64, BadRequirement> {
        match by {
            Operator::Plus => Ok(left + right),
            Operator::Minus => Ok(left - right),
            Operator::Times => Ok(left * right),
            Operator::By if right == 0.0 => Err(self.undefined("a division by zero")),
            Operator::By => Ok(left / right),
        }
    }

    fn undefined(&self, what: &'static str) -> BadRequirement {
        BadRequirement::Undefined { text: self.text.clone(), what }
    }

    fn look_up(&self, of: &Reference, tables: &[Table]) -> Result<f64, BadRequirement> {
        let Some(table) = tables.iter().find(|table| table.name == of.table) else {
            let names = tables.iter().map(|table| table.name);
            return Err(self.unknown("table", &of.table, names));
        };
        let rows = self.rows(of, table)?;
        match (of.aggregate, rows.as_slice()) {
            (_, []) => Err(self.no_row(of, table)),
            (Some(Aggregate::Count), rows) => Ok(rows.len() as f64),
            (None, [row]) => self.cell(of, table, row),
            (None, rows) => Err(self.several(of, table, rows)),
            (Some(which), rows) => {
                let cells = rows.iter().map(|row| self.cell(of, table, row));
                Ok(joined(which, &cells.collect::<Result<Vec<f64>, _>>()?))
            }
        }
    }

    fn rows<'a>(&self, of: &Reference, table: &'a Table) -> Result<Vec<&'a Row>, BadRequirement> {
        let columns = table.keys.iter().map(|column| column.name);
        let mut rows: Vec<&Row> = table.rows.iter().filter(|row| row.metric == of.metric).collect();
        for (key, value) in &of.keys {
            self.among(&format!("key column of `{}`", table.name), key, columns.clone())?;
            let at = columns.clone().position(|column| column == key);
            rows.retain(|row| at.and_then(|at| row.keys.get(at)) == Some(value));
        }
        Ok(rows)
    }

    fn cell(&self, of: &Reference, table: &Table, row: &Row) -> Result<f64, BadRequirement> {
        let estimate = row.estimate.as_ref();
        let interval = estimate.and_then(|estimate| estimate.interval);
        let cell = match of.cell {
            Cell::Estimate => estimate.map(|estimate| estimate.value),
            Cell::Lo => interval.map(|(lo, _)| lo),
            Cell::Hi => interval.map(|(_, hi)| hi),
            Cell::Se => estimate.and_then(|estimate| estimate.se),
            Cell::N => Some(row.n as f64),
            Cell::NBlocks => Some(table.blocks as f64),
        };
        let missing = || BadRequirement::Missing {
            text: self.text.clone(),
            reference: of.text.clone(),
            column: of.cell.text(),
            row: keys_of(table, row),
        };
        self.finite(cell.ok_or_else(missing)?)
    }

    fn no_row(&self, of: &Reference, table: &Table) -> BadRequirement {
        let rows: Vec<&Row> = table.rows.iter().filter(|row| row.metric == of.metric).collect();
        let known = if rows.is_empty() {
            format!("`{}` has no row of the metric `{}`", table.name, of.metric)
        } else {
            let keys = table.keys.iter().enumerate();
            keys.map(|(at, column)| format!("{} is {}", column.name, values_of(&rows, at)))
                .collect::<Vec<String>>()
                .join("; ")
        };
        let (text, reference) = (self.text.clone(), of.text.clone());
        BadRequirement::NoRow { text, reference, known }
    }

    fn several(&self, of: &Reference, table: &Table, rows: &[&Row]) -> BadRequirement {
        let keys: Vec<String> = rows.iter().map(|row| keys_of(table, row)).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let (text, reference) = (self.text.clone(), of.text.clone());
        BadRequirement::SeveralRows { text, reference, count: rows.len(), rows: some(&keys, "; ") }
    }
}

fn collect<'a>(from: &'a Expression, into: &mut Vec<&'a Reference>) {
    match from {
        Expression::Number(_) => {}
        Expression::Reference(reference) => into.push(reference),
        Expression::Negative(inner) | Expression::Absolute(inner) => collect(inner, into),
        Expression::Either(_, arguments) => {
            for argument in arguments.as_ref() {
                collect(argument, into);
            }
        }
        Expression::Chain(first, more) => {
            collect(first, into);
            for (_, next) in more {
                collect(next, into);
            }
        }
    }
}

/// One number out of at least one.
fn joined(which: Aggregate, numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let numbers = numbers.iter().copied();
    match which {
        Aggregate::Max => numbers.fold(f64::NEG_INFINITY, f64::max),
        Aggregate::Min => numbers.fold(f64::INFINITY, f64::min),
        Aggregate::Mean => numbers.sum::<f64>() / count,
        Aggregate::Sum => numbers.sum(),
        Aggregate::Count => count,
    }
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
    use crate::report::described::TABLES;
    use crate::report::table::Column;
    use crate::stats::jackknife::Estimate;
    use crate::stats::jackknife::Method;

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
        Row { keys, metric, estimate, blocks: 50, n: 100, more: Vec::new() }
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
        [Table { name: "seats", keys: &KEYS, more: &[], blocks: 50, rows }]
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
