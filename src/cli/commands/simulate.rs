//! `simulate`: a line-up plays each deal in each distinct rotation.

use crate::cli::Simulate;
use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::lab::questions::studies::simulate;
use anyhow::{Result, ensure};

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Simulate) -> Result<Output> {
    let (line_up, game) = choose::line_up(&args.rules, &args.agents, args.players)?;
    ensure!(
        args.rows.is_none() || args.running.out.is_some(),
        "--rows writes into a directory; name one with --out"
    );
    let design = simulate::Simulate { rows: args.rows }.design(line_up, args.matches);
    let planned = design.blocks * design.matches.len() as u64;
    let said = run::start(&args.running, &*game, design)?;
    if args.running.printing.format.is_for_programs() {
        return Ok(said);
    }
    Ok(rounded(said, args.matches, planned))
}

/// Says that a count was rounded up, if it was and the command is not quiet.
pub fn rounded(said: Output, asked: u64, planned: u64) -> Output {
    if said.text.is_empty() || asked == planned {
        return said;
    }
    let text = format!(
        "{}\nRounded up from {asked} to {planned} matches: whole blocks.\n",
        said.text.trim_end_matches('\n')
    );
    Output { text, ..said }
}
