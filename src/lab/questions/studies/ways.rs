//! Is there more than one way to play? What a tournament of styles says: agents that do without some kinds of actions.

use crate::lab::questions::studies::joint::judged_cell;
use crate::lab::questions::studies::tournament_answer::{ranked, unplaced};
use crate::lab::report::answer::{Sentence, Tone};
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;
use crate::sim::agents::without::WITHOUT;

/// A style keeps up that wins at least this share of the matches that it or the strongest wins at one table.
const KEEPS_UP: f64 = 0.45;

/// The answer, if two or more styles play. A style is another way to play if its interval, among those of all pairs, says
/// that it keeps up with the strongest agent.
pub fn ways(manifest: &Manifest, ratings: &[Row], crosstable: &[Row]) -> Option<Sentence> {
    let styles = manifest.agents.iter().filter(|agent| agent.parameters.contains_key(WITHOUT));
    if styles.count() < 2 {
        return None;
    }
    let ranked = ranked(ratings);
    let (best, others) = ranked.split_first()?;
    let open = unplaced(ratings, crosstable);
    if !open.is_empty() {
        let text = format!(
            "Is there more than one way to play? Undecided. {} won against a rated agent and can't be rated, so it is \
             not known who is the strongest.",
            open.join(" and ")
        );
        return Some(Sentence::new(Tone::Open, text));
    }
    let share = |style: &String| {
        let is_it =
            |row: &&Row| row.metric == "win_share" && row.keys[0] == *style && row.keys[1] == *best;
        let row = crosstable.iter().find(is_it)?;
        Some((row, row.comparison()?.interval?))
    };
    let seen: Vec<(&Row, (f64, f64))> = others.iter().filter_map(share).collect();
    let shown = |row: &Row| format!("{} {}", row.keys[0], judged_cell(row, Unit::Share));
    let keep_up: Vec<String> =
        seen.iter().filter(|(_, (lo, _))| *lo >= KEEPS_UP).map(|(row, _)| shown(row)).collect();
    let may: Vec<String> = seen
        .iter()
        .filter(|(_, (lo, hi))| *lo < KEEPS_UP && *hi >= KEEPS_UP)
        .map(|(row, _)| shown(row))
        .collect();
    let rule = format!("{:.0} % of the matches that one of both wins", 100.0 * KEEPS_UP);
    let (tone, text) = if !keep_up.is_empty() {
        let text =
            format!("Yes. At least {rule} against {best}, the strongest: {}.", keep_up.join(", "));
        (Tone::Yes, text)
    } else if may.is_empty() && seen.len() == others.len() {
        let near = seen.iter().max_by(|a, b| a.1.1.total_cmp(&b.1.1)).map(|(row, _)| shown(row));
        let near = near.unwrap_or_default();
        let text = format!(
            "No. All others win less than {rule} against {best}, the strongest: at most {near}."
        );
        (Tone::No, text)
    } else {
        let text = format!(
            "Undecided. It takes {rule} against {best}, the strongest: {}.",
            may.join(", ")
        );
        (Tone::Open, text)
    };
    Some(Sentence::new(tone, format!("Is there more than one way to play? {text}")))
}
