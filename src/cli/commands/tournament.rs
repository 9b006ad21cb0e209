//! `tournament`: agents rated by who wins at common tables.

use crate::cli::Tournament;
use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::lab::line_up::agent;
use crate::lab::studies::tournament;
use anyhow::Result;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Tournament) -> Result<Output> {
    let game = choose::game(&args.rules, args.players)?;
    let agents = args.agents.iter().map(|name| agent(name)).collect::<Result<Vec<_>>>()?;
    let study = tournament::Tournament {
        anchor: args.anchor.clone(),
        gauntlet: args.gauntlet,
        until: args.until,
    };
    let design = study.design(agents, args.players, args.blocks)?;
    run::start(&args.running, &*game, design)
}
