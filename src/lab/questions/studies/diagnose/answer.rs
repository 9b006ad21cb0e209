//! What `diagnose` says at its end: what stands out, the farthest first, and what to try.

use crate::lab::questions::studies::diagnose::changes::CHANGES;
use crate::lab::questions::studies::diagnose::findings::FINDINGS;
use crate::lab::questions::studies::diagnose::levers::proposals;
use crate::lab::questions::studies::diagnose::words::{self, findings};
use crate::lab::report::answer::{Answer, ROWS_MAX, Sentence, Tone, table};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::table::{Row, Table};

/// The answer.
pub fn answer(manifest: &Manifest, tables: &[Table]) -> Answer {
    let found = findings(tables);
    let rows = table(tables, FINDINGS.name).map_or(&[][..], |table| &table.rows);
    let all = rows.len();
    let together = "the intervals hold for all of them together (95 %)";
    let first = match &found[..] {
        [] if !rows.iter().any(has_interval) => Sentence::new(
            Tone::Open,
            format!(
                "So few blocks say nothing of any of the {all} figures: too little was seen of each. --blocks plays more."
            ),
        ),
        [] => Sentence::new(
            Tone::Open,
            format!(
                "Nothing stands out: of {all} figures none is shown to lie beyond its neutral range; {together}."
            ),
        ),
        [first, ..] => Sentence::new(
            Tone::No,
            format!(
                "{} of {all} figures {} out, above all that {}: {}, where {} is neutral; {together}.",
                found.len(),
                if found.len() == 1 { "stands" } else { "stand" },
                first.said(),
                first.figure(),
                first.neutral()
            ),
        ),
    };
    let mut sentences = vec![first];
    sentences.extend(change(tables));
    let next = proposals(manifest, &found);
    let next = (!next.is_empty())
        .then(|| format!("Changes to try, of which nothing is claimed:\n  {}", next.join("\n  ")));
    let grid = words::changes_grid(tables, ROWS_MAX);
    let grid = grid.unwrap_or_else(|| words::grid(tables, ROWS_MAX));
    Answer { sentences, grid, next: next.into_iter().collect() }
}

fn has_interval(row: &Row) -> bool {
    row.estimate.is_some_and(|of| of.interval.is_some())
}

/// What a change of rules does, if one was asked about.
fn change(tables: &[Table]) -> Option<Sentence> {
    let all = table(tables, CHANGES.name)?.rows.len();
    let grid = words::changes_grid(tables, usize::MAX)?;
    let Some(first) = grid.rows.first() else {
        let text =
            format!("Against the game's own rules none of {all} figures is shown to differ.");
        return Some(Sentence::new(Tone::Open, text));
    };
    let text = format!(
        "Against the game's own rules {} of {all} figures {}, above all {}: {}; the intervals hold for all of them together.",
        grid.rows.len(),
        if grid.rows.len() == 1 { "differs" } else { "differ" },
        first[0],
        first[1]
    );
    Some(Sentence::new(Tone::Yes, text))
}
