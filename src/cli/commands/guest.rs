//! `guest`: one of our agents plays at the table of another program.

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::run::Output;
use crate::cli::outside::Guest;
use crate::lab::setup::line_up::agent;
use anyhow::{Result, ensure};

/// Runs the command: it speaks on standard output itself, line by line.
///
/// # Errors
/// If there is no such game or agent, or what the host says makes no sense.
pub fn run(args: &Guest) -> Result<Output> {
    let game = catalogue().game(&args.game)?;
    let agent = agent(&args.agent)?;
    ensure!(!agent.is_oracle(), "`oracle` sees all hands, which no host tells its guests");
    ensure!(!agent.is_guest(), "a guest can't bring a guest");
    game.visit(&agent, &WATCH, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())?;
    Ok(Output::new(String::new(), 0))
}
