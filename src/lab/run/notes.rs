//! What stands beside an answer, on the terminal and on pages: what was played, and all else that a reader must know.

use crate::lab::questions::asked::Asked;
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::figures::grouped;
use crate::lab::report::manifest::{Manifest, Variant, Wave};
use crate::lab::report::table::Table;
use crate::lab::run::Finished;
use crate::lab::setup::rules::players_of;
use crate::words::lists::plural;
use std::collections::BTreeSet;

/// What was played.
pub fn played(manifest: &Manifest, asked: &Asked) -> String {
    let Manifest { played, .. } = manifest;
    format!(
        "Played {}, {}: {} {} in {} {}, seed {}.",
        manifest.game,
        seated(manifest, asked),
        grouped(played.matches),
        plural(played.matches, "match"),
        grouped(played.blocks),
        plural(played.blocks, "block"),
        manifest.seed,
    )
}

/// How many sit at the table: `4 players`, or `3 and 4 players` where tables have several sizes.
pub fn seated(manifest: &Manifest, asked: &Asked) -> String {
    let mut sizes: Vec<u8> = Vec::new();
    let changed = manifest.variants.iter();
    let changed = changed.filter_map(|variant| players_of(&variant.changes).ok()?.0);
    let own = Some(manifest.players).filter(|_| changed.clone().next().is_none());
    for size in changed.chain(own).chain(asked.other_sizes()) {
        if !sizes.contains(&size) {
            sizes.push(size);
        }
    }
    let mut sizes: Vec<String> = sizes.iter().map(u8::to_string).collect();
    let last = sizes.pop().unwrap_or_default();
    let and = if sizes.is_empty() { "" } else { " and " };
    format!("{}{and}{last} players", sizes.join(", "))
}

/// Everything else that a reader must know; `resume` is the command that resumes the run.
pub fn notes(finished: &Finished, tables: &[Table], resume: Option<&str>) -> Vec<String> {
    let Finished { manifest, asked, .. } = finished;
    let Manifest { played, .. } = manifest;
    let mut notes = Vec::new();
    if let Some(reason) = &manifest.unofficial {
        notes.push(format!("Unofficial: {reason}."));
    }
    let part = manifest.plan.shard.map(|shard| format!("Part {shard}"));
    let part =
        match manifest.plan.wave {
            Some(Wave { number, .. }) => Some(part.map_or_else(
                || format!("Wave {number}"),
                |part| format!("{part} of wave {number}"),
            )),
            None => part,
        };
    if let Some(part) = part {
        notes.push(format!("{part}: `fairhaven merge` joins the parts and makes tables."));
    }
    if manifest.question.is_addition() {
        let text =
            "New line-ups alone: `fairhaven merge OLD NEW --out DIR` joins them to the old run.";
        notes.push(text.to_owned());
    }
    if let Some(reason) = &played.stopped {
        notes.push(format!("Stopped by itself: {reason}."));
    } else if let Some(open) = asked.undecided().filter(|_| played.complete) {
        notes.push(format!("All blocks of the plan were played: {open}."));
    }
    if !played.complete {
        let kept = match played.blocks {
            _ if asked.is_search() => "the search has found nothing yet",
            0 => "no block of matches was finished",
            _ => "the tables hold the blocks that were played",
        };
        notes.push(format!("Interrupted: {kept}."));
        notes.extend(resume.map(|command| format!("To resume: {command}")));
    }
    notes.extend(not_reproducible(manifest));
    notes.extend(unchecked(manifest));
    if manifest.fault_share.is_some() && played.failures > 0 {
        let written = manifest.files.iter().any(|file| file.name == "faults.csv");
        let each = if written { "`faults.csv` has each" } else { "with --out, each is listed" };
        let failures = grouped(played.failures);
        notes.push(format!(
            "Guests have lost {failures} {} by failing; {each}.",
            plural(played.failures, "match")
        ));
    }
    notes.extend(levels_note(manifest));
    notes.extend(asked.notes(tables));
    notes.extend(tuned_note(manifest, asked.has_adapted()));
    notes
}

/// Why matches can't be had again, if they can't.
fn not_reproducible(manifest: &Manifest) -> Option<String> {
    let mut others = manifest.agents.iter().filter(|agent| !agent.reproducible);
    let other = others.next()?;
    Some(match other.checked {
        Some(_) => format!("Not reproducible: asked again, {} answers otherwise.", other.name),
        None => "Not reproducible: an agent searches by time.".to_owned(),
    })
}

/// Which guests were not checked, if there are some.
fn unchecked(manifest: &Manifest) -> Option<String> {
    let agents = manifest.agents.iter();
    let open = agents.filter(|agent| agent.said.is_some() && agent.checked.is_none());
    let names: Vec<&str> = open.map(|agent| agent.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Not checked by `fairhaven check-agent`: {}; whether the matches can be had again is not known.",
            names.join(", ")
        )
    })
}

/// Which levels were measured at another table than this one.
fn levels_note(manifest: &Manifest) -> Option<String> {
    let strangers = manifest.agents.iter().filter_map(|agent| stranger(manifest, agent));
    let strangers: BTreeSet<String> = strangers.collect();
    let strangers: Vec<String> = strangers.into_iter().collect();
    (!strangers.is_empty()).then(|| {
        format!(
            "Measured at another table than this one: {}. What levels say of their strength need not hold here.",
            strangers.join(", ")
        )
    })
}

/// A level that was measured at another table, and what differs.
fn stranger(manifest: &Manifest, agent: &AgentEntry) -> Option<String> {
    let at = agent.measured_at.as_ref()?;
    let changed = manifest.variants.iter().any(|variant| !variant.changes.is_empty());
    let own = at.rules_hash.as_ref() == Some(&manifest.rules_hash) && !changed;
    let differs = if at.game != manifest.game {
        format!("a level of {}", at.game)
    } else if at.players != manifest.players {
        format!("for {} players", at.players)
    } else if !own {
        "with other rules".to_owned()
    } else {
        return None;
    };
    Some(format!("{} ({differs})", agent.name))
}

/// Whether the agents were tuned for the rules that are compared: they were not, but for the last one if it has adapted.
fn tuned_note(manifest: &Manifest, has_adapted: bool) -> Option<String> {
    let of_rules = |variant: &Variant| {
        players_of(&variant.changes).is_ok_and(|(_, changes)| !changes.is_empty())
    };
    let changed = manifest.variants.iter().any(of_rules);
    let adapted = manifest.agents.last().filter(|_| has_adapted);
    changed.then(|| match adapted {
        Some(agent) => format!(
            "Agents: {} stands for players who have adapted to the changed rules. The others were not tuned for them: \
             they read costs and targets from the rule set, but their weights are unchanged.",
            agent.name
        ),
        None => "Agents: not tuned for the changed rules; they read costs and targets from the rule set, \
                 but their weights are unchanged."
            .to_owned(),
    })
}
