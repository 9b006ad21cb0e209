//! The answer of studies of changes: what each change does, and whether it is clear.

use crate::lab::questions::studies::joint::{holds_no_0, is_clear, joint_cell};
use crate::lab::questions::studies::next;
use crate::lab::questions::studies::study::Study;
use crate::lab::report::answer::{Answer, Sentence, Tone, measured, table};
use crate::lab::report::described::{DIFFERENCES, ROUNDS, TURNS};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::unit;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};

/// The most differences that a sentence names.
const NAMED: usize = 3;

/// The rows of a table; none if it is not there.
pub fn rows<'a>(tables: &'a [Table], name: &str) -> &'a [Row] {
    table(tables, name).map_or(&[][..], |table| &table.rows)
}

/// The rows of differences that are comparisons of their own: rounds are turns in another unit.
pub fn compared(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| row.metric != ROUNDS).collect()
}

/// The same rows, and behind those of turns what they are in rounds, from among the rows of their table.
pub fn with_rounds<'a>(rows: &'a [Row], chosen: &[&'a Row]) -> Vec<&'a Row> {
    let both = |row: &&'a Row| std::iter::once(*row).chain(in_rounds(rows, row));
    chosen.iter().flat_map(both).collect()
}

/// What a difference in turns is in rounds.
fn in_rounds<'a>(rows: &'a [Row], row: &Row) -> Option<&'a Row> {
    let beside = |other: &&Row| other.metric == ROUNDS && other.keys == row.keys;
    rows.iter().find(beside).filter(|_| row.metric == TURNS)
}

/// A difference, one of a family, in words: `win rate, seat 1 4.00 pp (3.24 to 4.76)`. One of turns has that in rounds
/// beside it, from among the rows of its table.
pub fn words(rows: &[Row], row: &Row, family: usize) -> String {
    let of = row.keys.last().map_or("", String::as_str);
    let said = |row: &Row| {
        format!(
            "{} {}",
            measured(row.metric, of),
            joint_cell(row, unit(&DIFFERENCES, row.metric), family)
        )
    };
    match in_rounds(rows, row) {
        Some(rounds) => {
            let unit = unit(&DIFFERENCES, rounds.metric);
            format!("{}, in rounds {}", said(row), joint_cell(rounds, unit, family))
        }
        None => said(row),
    }
}

/// How many of the differences are clear, and the first of them. `name` says one with the interval that it has among
/// all: it was picked from them.
pub fn clearest(what: &str, effects: &[&Row], name: impl Fn(&Row, usize) -> String) -> Sentence {
    clearest_among(what, effects, effects.len(), name)
}

/// The same, where they are some of a family: those of one level of play.
pub fn clearest_among(
    what: &str,
    effects: &[&Row],
    family: usize,
    name: impl Fn(&Row, usize) -> String,
) -> Sentence {
    let all = effects.len();
    let name = |row: &Row| name(row, family);
    let adjusted =
        if family > all { "5 %, adjusted for all levels" } else { "5 %, adjusted for all" };
    let clear: Vec<&Row> = effects.iter().copied().filter(|row| is_clear(row, family)).collect();
    if clear.is_empty() {
        let rates = effects.iter().filter(|row| row.metric == "win_rate");
        let size = |row: &Row| row.estimate.map_or(0.0, |effect| effect.value.abs());
        let largest = rates.max_by(|a, b| size(a).total_cmp(&size(b)));
        let largest = largest
            .map_or(String::new(), |row| format!("; the largest on a win rate: {}", name(row)));
        let text = format!("{what}: none of {all} differences is clear ({adjusted}){largest}.");
        return Sentence::new(Tone::Open, text);
    }
    // Holm may call a difference clear although its interval among all holds 0. It counts, but is named only if no other
    // can be.
    let (mut named, others): (Vec<&Row>, Vec<&Row>) =
        clear.iter().copied().partition(|row| holds_no_0(row, family));
    if named.is_empty() {
        named = others;
    }
    let named: Vec<String> = named.into_iter().take(NAMED).map(name).collect();
    let text = format!(
        "{what}: {} of {all} differences {} clear ({adjusted}), above all {}.",
        clear.len(),
        if clear.len() == 1 { "is" } else { "are" },
        named.join("; ")
    );
    Sentence::new(Tone::Yes, text)
}

/// The answer; if it is open, with the command that would tell more.
pub fn finish(study: &dyn Study, manifest: &Manifest, first: Sentence, grid: Grid) -> Answer {
    let longer = if first.tone == Tone::Open { next::longer(study, manifest) } else { None };
    let next = longer.map(|command| format!("Narrower intervals:\n  {command}"));
    Answer { sentences: vec![first], grid, next: next.into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::report::comparison::Comparison;
    use crate::lab::report::table::More;
    use crate::stats::jackknife::{Estimate, Method};

    /// Holm tests the weaker one at 5 %, so it is clear; its interval among both is of 97.5 % and holds 0.
    #[test]
    fn what_is_named_has_an_interval_without_0() {
        let row = |of: &str, value: f64, p_value: f64| {
            let interval = Some((value - 0.02, value + 0.02));
            let method = Method::JackknifeT;
            let estimate = Some(Estimate { value, se: Some(0.01), interval, method });
            let said = Comparison { p_holm: Some(p_value), ..Comparison::default() };
            let row = Row::new(vec![of.to_owned()], "win_rate", estimate, 400, 400);
            Row { more: More::Comparison(said), ..row }
        };
        let rows = [row("near", 0.021, 0.04), row("far", 0.05, 0.001)];
        let of = |row: &Row, family: usize| words(&[], row, family);
        let said = clearest("A change", &[&rows[0], &rows[1]], of).text;
        assert!(said.starts_with("A change: 2 of 2 differences are clear"), "{said}");
        assert!(said.contains("far 5.0 pp") && !said.contains("near"), "{said}");
    }
}
