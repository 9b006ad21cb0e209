//! `compare` of rules, `sweep` and `sensitivity`: what a change does, and whether it is clear.

use crate::lab::report::answer::{
    Answer, ROWS_MAX, Sentence, Tone, header, is_clear, measure, more, next, strength, table, unit,
};
use crate::lab::report::figures::{self, cell};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};

/// The most differences that a sentence names.
const NAMED: usize = 3;

fn rows<'a>(tables: &'a [Table], name: &str) -> &'a [Row] {
    table(tables, name).map_or(&[][..], |table| &table.rows)
}

/// A difference in words: `turns 4.00 (3.24 to 4.76)`.
fn words(row: &Row) -> String {
    let (metric, of) = (row.metric, row.keys.last().map_or("", String::as_str));
    format!("{} {}", measure(metric, of), cell(Some(row), unit(metric, true)))
}

/// How many of the differences are clear, and the first of them.
fn clearest(what: &str, effects: &[&Row], name: impl Fn(&Row) -> String) -> Sentence {
    let clear: Vec<&&Row> = effects.iter().filter(|row| is_clear(row)).collect();
    let all = effects.len();
    if clear.is_empty() {
        let rates = effects.iter().filter(|row| row.metric == "win_rate");
        let size = |row: &Row| row.estimate.map_or(0.0, |effect| effect.value.abs());
        let largest = rates.max_by(|a, b| size(a).total_cmp(&size(b)));
        let largest = largest
            .map_or(String::new(), |row| format!("; the largest on a win rate: {}", name(row)));
        let text = format!("{what}: none of {all} differences is clear (5 %, adjusted){largest}.");
        return Sentence::new(Tone::Open, text);
    }
    let named: Vec<String> = clear.iter().take(NAMED).map(|row| name(row)).collect();
    let text = format!(
        "{what}: {} of {all} differences {} clear (5 %, adjusted), above all {}.",
        clear.len(),
        if clear.len() == 1 { "is" } else { "are" },
        named.join("; ")
    );
    Sentence::new(Tone::Yes, text)
}

fn finish(manifest: &Manifest, first: Sentence, grid: Grid) -> Answer {
    let longer = if first.tone == Tone::Open { next::longer(manifest) } else { None };
    let next = longer.map(|command| format!("Narrower intervals:\n  {command}"));
    Answer { sentences: vec![first], grid, next: next.into_iter().collect() }
}

/// Two rule sets.
pub(super) fn rules(manifest: &Manifest, tables: &[Table]) -> Answer {
    let effects: Vec<&Row> = rows(tables, "effects").iter().collect();
    let mut strongest = effects.clone();
    strongest.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let [a, b] = [0, 1].map(|at| manifest.variants.get(at).map_or("", |variant| &variant.name));
    let set = |name: &str| name.replacen(": ", " (", 1) + ")";
    let first = if manifest.same_rules() {
        let text = format!(
            "{} and {} are the same rule set: every difference is 0 by design.",
            set(a),
            set(b)
        );
        Sentence::new(Tone::Plain, text)
    } else {
        clearest(&format!("{} against {}", set(b), set(a)), &strongest, words)
    };
    let level = |variant: &str, row: &Row| {
        let found = table(tables, "variants")
            .and_then(|table| table.find(&[&row.keys[0], variant, &row.keys[3]], row.metric));
        let estimate = found.and_then(|row| row.estimate);
        estimate
            .map_or("–".to_owned(), |estimate| figures::value(&estimate, unit(row.metric, false)))
    };
    let cells = |row: &&Row| {
        vec![
            measure(row.metric, &row.keys[3]),
            level(a, row),
            level(b, row),
            cell(Some(row), unit(row.metric, true)),
            more(row, 1).to_owned(),
        ]
    };
    let grid = Grid {
        title: "Rules".to_owned(),
        header: header(&["measure", "A", "B", "B less A (95 %)", "p (Holm)"]),
        rows: effects.iter().map(cells).collect(),
    };
    finish(manifest, first, grid)
}

/// A field or a parameter over its values.
pub(super) fn sweep(manifest: &Manifest, tables: &[Table], of: &str, values: &[String]) -> Answer {
    let mut effects: Vec<&Row> = rows(tables, "effects").iter().collect();
    effects.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let name = |row: &Row| format!("{} {}", row.keys[2], words(row));
    let base = values.first().map_or("", String::as_str);
    let first = clearest(&format!("Against {of}={base}"), &effects, name);
    let variants = rows(tables, "variants");
    let mut names: Vec<&str> = Vec::new();
    let mut columns: Vec<(&str, &str)> = Vec::new();
    for row in variants {
        if !names.contains(&row.keys[1].as_str()) {
            names.push(&row.keys[1]);
        }
        let column = (row.metric, row.keys[2].as_str());
        if names.len() == 1 && column.0 != "no_winner_share" {
            columns.push(column);
        }
    }
    // The first role comes first; if one agent plays all seats, the first seat does.
    columns.sort_by_key(|(metric, of)| (*metric != "win_rate", of.starts_with("seat")));
    let rates = columns.iter().filter(|(metric, _)| *metric == "win_rate").take(1);
    let others = columns.iter().filter(|(metric, _)| *metric != "win_rate").take(1);
    let columns: Vec<&(&str, &str)> = rates.chain(others).collect();
    let cells = |name: &&str| {
        let of_column = |(metric, of): &&(&str, &str)| {
            let found = variants
                .iter()
                .find(|row| row.keys[1] == **name && row.metric == *metric && row.keys[2] == *of);
            cell(found, unit(metric, false))
        };
        std::iter::once((*name).to_owned()).chain(columns.iter().map(of_column)).collect()
    };
    let titles = columns.iter().map(|(metric, of)| measure(metric, of) + " (95 %)");
    let grid = Grid {
        title: "Values".to_owned(),
        header: std::iter::once("value".to_owned()).chain(titles).collect(),
        rows: names.iter().take(ROWS_MAX).map(cells).collect(),
    };
    finish(manifest, first, grid)
}

/// Every default, moved by a step: the changes that matter most.
pub(super) fn sensitivity(manifest: &Manifest, tables: &[Table]) -> Answer {
    let all = rows(tables, "sensitivity");
    let ranked: Vec<&Row> = all.iter().filter(|row| row.metric == "effect_sd").collect();
    let effect = |row: &Row| all.iter().find(|of| of.metric == "effect" && of.keys == row.keys);
    let shown = |row: &Row| cell(effect(row), unit(&row.keys[2], true));
    let name = |row: &Row| {
        format!("{} moves {} by {}", row.keys[1], measure(&row.keys[2], &row.keys[3]), shown(row))
    };
    let first = clearest("Defaults moved by a step", &ranked, name);
    let cells = |row: &&Row| {
        vec![
            row.keys[0].clone(),
            row.keys[1].clone(),
            measure(&row.keys[2], &row.keys[3]),
            shown(row),
            more(row, 1).to_owned(),
        ]
    };
    let grid = Grid {
        title: "What matters most".to_owned(),
        header: header(&["rank", "change", "moves", "by (95 %)", "p (Holm)"]),
        rows: ranked.iter().take(ROWS_MAX).map(cells).collect(),
    };
    finish(manifest, first, grid)
}
