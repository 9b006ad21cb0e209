//! `sweep` and `sensitivity`: a field or a parameter over a range, and every default by a step.

use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::cli::{Sensitivity, Sweep};
use crate::lab::rules;
use crate::lab::studies::{sensitivity, sweep, sweep_values};
use anyhow::{Context, Result, bail};

/// Runs `sweep`.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn sweep(args: &Sweep) -> Result<Output> {
    let (line_up, game) = choose::line_up(&args.rules, &args.agents, args.players)?;
    let values = sweep_values::values(&args.values).context("--values")?;
    let over = |of: &String| sweep::Sweep { of: of.clone(), values };
    let design = match (&args.field, &args.param) {
        (Some(field), _) => {
            rules::ensure_not_set(&args.rules.sets, field).context("--field")?;
            over(field).over_field(line_up, args.blocks)
        }
        (None, Some(param)) => over(param).over_param(&line_up, args.blocks).context("--param")?,
        (None, None) => bail!("name what moves with --field or --param"),
    };
    run::start(&args.running, &*game, design)
}

/// Runs `sensitivity`.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn sensitivity(args: &Sensitivity) -> Result<Output> {
    let (line_up, game) = choose::line_up(&args.rules, &args.agents, args.players)?;
    let design = sensitivity::Sensitivity::design(&*game, line_up, args.all, args.blocks)?;
    run::start(&args.running, &*game, design)
}
