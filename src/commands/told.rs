//! What a run prints when it ends: who played what, how far it went, the tables that answer its question.

use crate::cli::SummaryForm;
use crate::report::manifest::Manifest;
use crate::report::manifest::Question;
use crate::report::summary;
use crate::report::summary::Style;
use crate::report::table::Table;
use std::fmt::Write as _;
use std::path::Path;

/// The summary.
pub fn summary(
    manifest: &Manifest,
    tables: &[Table],
    judged: &[(String, bool)],
    format: SummaryForm,
    path: Option<&Path>,
) -> String {
    let style = match format {
        SummaryForm::Text => Style::Text,
        SummaryForm::Markdown => Style::Markdown,
    };
    let mut text = head(manifest, path);
    let is_part = manifest.plan.shard.is_some();
    let grids = match manifest.question {
        _ if is_part => Vec::new(),
        Question::Simulate { .. } => summary::grids(tables),
        // The curve of a sweep is its levels; elsewhere the differences say it all.
        Question::Sweep { .. } => summary::study_grids(tables, &["pairing"]),
        Question::Sensitivity => summary::study_grids(tables, &["variants", "effects", "pairing"]),
        _ => summary::study_grids(tables, &["variants", "pairing"]),
    };
    if let Some(note) = pairing_note(tables) {
        let _ = writeln!(text, "{note}");
    }
    for grid in grids {
        text.push('\n');
        text.push_str(&grid.render(style));
    }
    if !judged.is_empty() {
        text.push_str("\nThresholds\n\n");
    }
    for (line, _) in judged {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// What was played, and everything that a reader must know before the tables.
fn head(manifest: &Manifest, path: Option<&Path>) -> String {
    let Manifest { played, wall, .. } = manifest;
    let rate = played.matches as f64 / wall.wall_s.max(1e-9);
    let mut text = format!(
        "{}, {} players, {} matches in {} blocks, seed {}: {:.1} s on {} threads, {rate:.0} matches/s\n",
        manifest.game,
        manifest.players,
        played.matches,
        played.blocks,
        manifest.seed,
        wall.wall_s,
        wall.threads,
    );
    if let Some(reason) = &manifest.unofficial {
        let _ = writeln!(text, "Unofficial: {reason}.");
    }
    if let Some(shard) = manifest.plan.shard {
        let _ = writeln!(text, "Part {shard}: `fairhaven merge` joins the parts and makes tables.");
    }
    if let Some(reason) = &played.stopped {
        let _ = writeln!(text, "Stopped by itself: {reason}.");
    } else if manifest.is_watched() && played.complete {
        let _ = writeln!(text, "Undecided: all blocks of the plan were played.");
    }
    if !played.complete {
        let _ = writeln!(text, "Interrupted: the tables hold the blocks that were played.");
        if let Some(path) = path {
            let _ = writeln!(text, "To go on: fairhaven resume {}", path.display());
        }
    }
    if manifest.agents.iter().any(|agent| !agent.reproducible) {
        let _ = writeln!(text, "Not reproducible: an agent searches by time.");
    }
    if matches!(manifest.question, Question::Duel { .. })
        && manifest.agents[0].hash == manifest.agents[1].hash
    {
        let _ = writeln!(text, "A and B are the same agent: their matches are the same, too.");
    }
    if let Some(note) = tuned_note(manifest) {
        let _ = writeln!(text, "{note}");
    }
    text
}

/// Whether the agents were tuned for the rules that are compared: they were not.
fn tuned_note(manifest: &Manifest) -> Option<String> {
    let changed = manifest.variants.iter().any(|variant| !variant.changes.is_empty());
    changed.then(|| {
        "Agents: not tuned for the changed rules; they read costs and targets from the rule set, \
         their weights stay as they are."
            .to_owned()
    })
}

/// What a comparison of agents would have cost without common deals.
fn pairing_note(tables: &[Table]) -> Option<String> {
    let compare = tables.iter().find(|table| table.name == "compare")?;
    let cost = compare.rows.iter().find(|row| row.metric == "matches_unpaired")?;
    let unpaired = cost.estimate?.value;
    Some(format!(
        "Without common deals, as much certainty would have taken about {unpaired:.0} matches; with \
         them it took {}.",
        cost.n
    ))
}
