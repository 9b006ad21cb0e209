//! `luck`: how much of a result is skill, seat, deal and luck.

use crate::cli::Luck;
use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::lab::questions::studies::luck;
use anyhow::Result;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Luck) -> Result<Output> {
    let (line_up, game) = choose::line_up(&args.rules, &args.agents, args.players)?;
    let design = luck::Luck::design(line_up, usize::from(args.repeats), args.blocks);
    run::start(&args.running, &*game, design)
}
