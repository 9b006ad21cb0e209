//! `guest`: one of our agents plays at the table of another program.

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::run::Output;
use crate::cli::outside::{Dialect, Guest};
use crate::conformance::catanatron::exec::guest::Visitor;
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
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    match args.dialect {
        Dialect::Fairhaven => game.visit(&agent, &WATCH, &mut input, &mut output)?,
        Dialect::Catanatron => {
            ensure!(args.game == "base", "the dialect catanatron is for base, not {}", args.game);
            Visitor::new(&agent, &WATCH).visit(&mut input, &mut output)?;
        }
    }
    Ok(Output::new(String::new(), 0))
}
