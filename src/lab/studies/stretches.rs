//! The stretches of a block's matches: which of them answer what, and how they are counted.

use crate::lab::report::manifest::{Estimand, Manifest, Question};
use crate::sim::counts::duel::Duel;
use crate::sim::counts::forced::Forced;
use crate::sim::counts::paired::Paired;
use crate::sim::counts::resampled::Resampled;
use crate::sim::counts::restricted::Restricted;
use crate::sim::trials::{Count, MatchPlan};
use std::ops::Range;

/// What one stretch of a block's matches is for.
pub enum Kind {
    /// Two agents.
    Duel(Duel),
    /// A choice that is forced.
    Forced(Forced),
    /// The same matches, weighted at random.
    Resampled(Resampled),
    /// Seats with one option only.
    Restricted(Restricted),
    /// Variants, and what their differences estimate.
    Paired(Paired, &'static str),
}

impl Kind {
    /// The counting.
    pub fn count(&self) -> &dyn Count {
        match self {
            Kind::Duel(count) => count,
            Kind::Forced(count) => count,
            Kind::Resampled(count) => count,
            Kind::Restricted(count) => count,
            Kind::Paired(count, _) => count,
        }
    }

    /// The counting, for an experiment to own.
    pub fn boxed(&self) -> Box<dyn Count> {
        match self {
            Kind::Duel(count) => Box::new(count.clone()),
            Kind::Forced(count) => Box::new(count.clone()),
            Kind::Resampled(count) => Box::new(count.clone()),
            Kind::Restricted(count) => Box::new(count.clone()),
            Kind::Paired(count, _) => Box::new(count.clone()),
        }
    }
}

/// A stretch of a block's matches.
pub struct Stretch {
    /// The matches.
    pub matches: Range<usize>,
    /// How they are counted.
    pub kind: Kind,
    /// Who plays.
    pub level: String,
    /// Names of the variants.
    pub variants: Vec<String>,
    /// Names of the roles.
    pub roles: Vec<String>,
}

/// The stretches of a manifest's plan.
///
/// # Errors
/// If the plan does not fit the question.
pub fn stretches(manifest: &Manifest, options: usize) -> Result<Vec<Stretch>, String> {
    let names = manifest.agent_names();
    let matches = &manifest.plan.matches_of_a_block;
    let stretch = |matches: Range<usize>, kind, level: &str| Stretch {
        matches,
        kind,
        level: level.to_owned(),
        variants: manifest.variants.iter().map(|variant| variant.name.clone()).collect(),
        roles: names.clone(),
    };
    Ok(match &manifest.question {
        Question::Simulate { .. } => Vec::new(),
        Question::Duel { .. } => {
            let duel = Duel::of(matches).ok_or("the manifest's plan does not fit its question")?;
            vec![stretch(0..matches.len(), Kind::Duel(duel), &names.join(" / "))]
        }
        Question::Balance { estimands, .. } => {
            let per_level = matches.len() / names.len().max(1);
            let levels = names.iter().enumerate();
            let of = |(at, name): (usize, &String)| {
                level(manifest, estimands, (at * per_level, name), options)
            };
            levels.flat_map(of).collect()
        }
        question => vec![one_paired(manifest, question, stretch)?],
    })
}

/// The stretches of one level of play of a choice: all its forced matches, then all of each variant, then all
/// with a restricted seat.
fn level(
    manifest: &Manifest,
    estimands: &[Estimand],
    (mut start, level): (usize, &str),
    options: usize,
) -> Vec<Stretch> {
    let players = usize::from(manifest.players);
    let mut kinds = Vec::new();
    if estimands.contains(&Estimand::Forced) {
        kinds.push((options, Kind::Forced(Forced { options, rotations: 1 })));
        kinds.push((options, Kind::Resampled(Resampled { options, seed: manifest.seed })));
    }
    // The run's own rule set, then one without each option; those of restricted seats come behind.
    let names = manifest.variants.iter().map(|variant| variant.name.clone());
    let variants: Vec<String> = names.take(options + 1).collect();
    if estimands.contains(&Estimand::Removed) {
        let (variants, rotations) = (variants.len(), vec![vec![0; players]]);
        let paired = Paired { players, roles: 1, variants, rotations };
        kinds.push((variants, Kind::Paired(paired, "removed")));
    }
    if estimands.contains(&Estimand::Restricted) {
        let restricted = Restricted { options, players };
        kinds.push((options * players, Kind::Restricted(restricted)));
    }
    let mut all: Vec<Stretch> = Vec::new();
    for (count, kind) in kinds {
        // The same forced matches are counted twice.
        if matches!(kind, Kind::Resampled(_)) {
            start -= count;
        }
        let (level, roles, variants) = (level.to_owned(), vec![level.to_owned()], variants.clone());
        all.push(Stretch { matches: start..start + count, kind, level, variants, roles });
        start += count;
    }
    all
}

/// The only stretch of a question about variants.
fn one_paired(
    manifest: &Manifest,
    question: &Question,
    stretch: impl Fn(Range<usize>, Kind, &str) -> Stretch,
) -> Result<Stretch, String> {
    let matches = &manifest.plan.matches_of_a_block;
    let names = manifest.agent_names();
    // A swept parameter makes an agent of its own for each value: all of them play the first role.
    let swept = matches!(question, Question::Sweep { .. }) && manifest.variants.len() == 1;
    let (variants, values) = match question {
        Question::Sweep { values, of } if swept => {
            let name = |value: &String| format!("{of}={value}");
            (values.len(), Some(values.iter().map(name).collect::<Vec<_>>()))
        }
        _ => (manifest.variants.len(), None),
    };
    let per_variant = matches.len() / variants.max(1);
    if per_variant == 0 || matches.len() != per_variant * variants {
        return Err("the manifest's plan does not fit its variants".to_owned());
    }
    let extra = if swept { variants - 1 } else { 0 };
    if names.len() <= extra {
        return Err("the manifest has too few agents".to_owned());
    }
    // Agents 0 to `extra` are the values of the first role; those behind them are the others.
    let role = |agent: usize| agent.saturating_sub(extra);
    let rotations = matches[..per_variant]
        .iter()
        .map(|plan: &MatchPlan| plan.seats.iter().map(|&agent| role(agent)).collect())
        .collect();
    let mut roles: Vec<String> = names[extra..].to_vec();
    if let Some(value) = values.iter().flatten().next() {
        // The first role goes by the agent's name without the value, which is the variant's name.
        let bare = names[0].strip_suffix(&format!(":{value}"));
        bare.unwrap_or(&names[0]).clone_into(&mut roles[0]);
    }
    let paired =
        Paired { players: usize::from(manifest.players), roles: roles.len(), variants, rotations };
    let estimand = match question {
        Question::Rules => "rules",
        Question::Sweep { .. } => "sweep",
        Question::Sensitivity => "sensitivity",
        _ => "factorial",
    };
    let level = roles.join(" / ");
    let kind = Kind::Paired(paired, estimand);
    let plain = stretch(0..matches.len(), kind, &level);
    let variants = values.unwrap_or_else(|| plain.variants.clone());
    Ok(Stretch { variants, roles, ..plain })
}
