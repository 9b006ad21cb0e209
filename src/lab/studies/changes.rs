//! The answer of studies of changes: what each change does, and whether it is clear.

use crate::lab::report::answer::{Answer, Sentence, Tone, measure, table, unit};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::lab::studies::joint::{is_clear, joint_cell};
use crate::lab::studies::next;
use crate::lab::studies::study::Study;

/// The most differences that a sentence names.
const NAMED: usize = 3;

/// The rows of a table; none if it is not there.
pub fn rows<'a>(tables: &'a [Table], name: &str) -> &'a [Row] {
    table(tables, name).map_or(&[][..], |table| &table.rows)
}

/// A difference, one of a family, in words: `turns 4.00 (3.24 to 4.76)`.
pub fn words(row: &Row, family: usize) -> String {
    let (metric, of) = (row.metric, row.keys.last().map_or("", String::as_str));
    format!("{} {}", measure(metric, of), joint_cell(row, unit(metric, true), family))
}

/// How many of the differences are clear, and the first of them. `name` says one with the interval that it has among
/// all: it was picked from them.
pub fn clearest(what: &str, effects: &[&Row], name: impl Fn(&Row, usize) -> String) -> Sentence {
    let all = effects.len();
    let name = |row: &Row| name(row, all);
    let clear: Vec<&&Row> = effects.iter().filter(|row| is_clear(row, all)).collect();
    if clear.is_empty() {
        let rates = effects.iter().filter(|row| row.metric == "win_rate");
        let size = |row: &Row| row.estimate.map_or(0.0, |effect| effect.value.abs());
        let largest = rates.max_by(|a, b| size(a).total_cmp(&size(b)));
        let largest = largest
            .map_or(String::new(), |row| format!("; the largest on a win rate: {}", name(row)));
        let text =
            format!("{what}: none of {all} differences is clear (5 %, adjusted for all){largest}.");
        return Sentence::new(Tone::Open, text);
    }
    let named: Vec<String> = clear.iter().take(NAMED).map(|row| name(row)).collect();
    let text = format!(
        "{what}: {} of {all} differences {} clear (5 %, adjusted for all), above all {}.",
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
