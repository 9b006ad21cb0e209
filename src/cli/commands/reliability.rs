//! `reliability`: whether chances to win come true.

use crate::cli::Reliability;
use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::cli::commands::simulate::rounded;
use crate::lab::questions::studies::reliability;
use anyhow::{Context, Result};

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Reliability) -> Result<Output> {
    let (line_up, game) = choose::line_up(&args.rules, &args.agents, args.players)?;
    let judges = args.judges.split(',').map(|name| choose::agent(&*game, name.trim()));
    let judges = judges.collect::<Result<Vec<_>>>().context("--judges")?;
    game.check_agents(&judges).context("--judges")?;
    let design =
        reliability::Reliability::design(&*game, line_up, judges, args.every, args.matches)?;
    let planned = design.blocks * design.matches.len() as u64;
    let said = run::start(&args.running, &*game, design)?;
    if args.running.printing.format.is_for_programs() {
        return Ok(said);
    }
    Ok(rounded(said, args.matches, planned))
}
