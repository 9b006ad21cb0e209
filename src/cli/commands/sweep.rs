//! `sweep` and `sensitivity`: a field or a parameter over a range, and every default by a step.

use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Said};
use crate::cli::{Sensitivity, Sweep};
use crate::lab::line_up::{LineUp, line_up};
use crate::lab::report::manifest::{Question, Variant};
use crate::lab::report::span;
use crate::lab::report::steps::{self, Step};
use crate::lab::rules;
use crate::lab::run::Design;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::batch::Plan;
use crate::sim::counts::paired;
use crate::sim::lineup::rotations;
use anyhow::{Context, Result, bail, ensure};

/// Runs `sweep`.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn sweep(args: &Sweep) -> Result<Said> {
    let line_up = line_up(&args.agents, args.players)?;
    let players = u8::try_from(line_up.seats.len()).context("too many seats")?;
    let game = choose::game(&args.rules, players)?;
    let values = span::values(&args.values).context("--values")?;
    let blocks = args.blocks;
    let design = match (&args.field, &args.param) {
        (Some(field), _) => {
            rules::ensure_not_set(&args.rules.sets, field).context("--field")?;
            over_field(field, values, line_up, blocks)
        }
        (None, Some(param)) => over_param(param, values, &line_up, blocks)?,
        (None, None) => bail!("name what moves with --field or --param"),
    };
    run::start(&args.running, &*game, design)
}

/// Runs `sensitivity`.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn sensitivity(args: &Sensitivity) -> Result<Said> {
    let line_up = line_up(&args.agents, args.players)?;
    let players = u8::try_from(line_up.seats.len()).context("too many seats")?;
    let game = choose::game(&args.rules, players)?;
    let (game_type, rules) = (game.game_type(), game.rules());
    let facts = game_type.facts();
    // A step that can't be played with is left out.
    let playable = |step: &Step| {
        let change = std::slice::from_ref(&step.change);
        rules::changed(game_type, rules.clone(), change, players).is_ok()
    };
    let steps = steps::steps(facts.fields, &rules, !args.all).into_iter().filter(playable);
    let changed =
        steps.map(|step| Variant { name: step.change.clone(), changes: vec![step.change] });
    let variants: Vec<Variant> = std::iter::once(Variant::base()).chain(changed).collect();
    ensure!(variants.len() > 1, "{} has no default that could be moved", facts.name);
    let blocks = args.blocks;
    let design = variants_of_rules(Question::Sensitivity, variants, line_up, blocks);
    run::start(&args.running, &*game, design)
}

fn over_field(field: &str, values: Vec<String>, line_up: LineUp, blocks: u64) -> Design {
    let variant = |value: &String| {
        let change = format!("{field}={value}");
        Variant { name: change.clone(), changes: vec![change] }
    };
    let variants: Vec<Variant> = values.iter().map(variant).collect();
    let question = Question::Sweep { of: field.to_owned(), values };
    variants_of_rules(question, variants, line_up, blocks)
}

/// Every variant of the rules in every rotation of a line-up.
fn variants_of_rules(
    question: Question,
    variants: Vec<Variant>,
    line_up: LineUp,
    blocks: u64,
) -> Design {
    let LineUp { agents, seats } = line_up;
    let rotations = rotations(&seats);
    let all = (0..variants.len()).map(|variant| (variant, rotations.clone()));
    let matches = paired::matches(all);
    let chunk = Plan::chunk_for(blocks);
    Design { question, variants, agents, matches, blocks, chunk }
}

/// The first agent of a line-up with one parameter at each of its values, in the same seats.
fn over_param(param: &str, values: Vec<String>, line_up: &LineUp, blocks: u64) -> Result<Design> {
    let (first, others) = line_up.agents.split_first().context("a line-up has agents")?;
    let moved = values.iter().map(|value| first.with(param, value));
    let mut agents: Vec<AgentSpec> = moved.collect::<Result<_, _>>().context("--param")?;
    agents.extend_from_slice(others);
    let extra = values.len() - 1;
    let rotations = rotations(&line_up.seats);
    let seated = |value: usize| -> Vec<Vec<usize>> {
        let seat = |agent: &usize| if *agent == 0 { value } else { agent + extra };
        rotations.iter().map(|seats| seats.iter().map(seat).collect()).collect()
    };
    let matches =
        (0..values.len()).flat_map(|value| paired::matches(std::iter::once((0, seated(value)))));
    Ok(Design {
        matches: matches.collect(),
        question: Question::Sweep { of: param.to_owned(), values },
        variants: vec![Variant::base()],
        agents,
        blocks,
        chunk: Plan::chunk_for(blocks),
    })
}
