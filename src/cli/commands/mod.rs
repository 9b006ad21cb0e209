//! What the command line does: one file for each command. These read files and clocks; nothing below them does.

pub(crate) mod adapt;
pub(crate) mod choose;
pub mod run;
pub(crate) mod summary;
pub(crate) mod simulate;
pub(crate) mod compare;
pub(crate) mod tournament;
pub(crate) mod balance;
pub(crate) mod sweep;
pub(crate) mod luck;
pub(crate) mod diagnose;
pub(crate) mod reliability;
pub(crate) mod learn;
pub(crate) mod levels;
pub(crate) mod tune;
pub(crate) mod solve;
pub(crate) mod map;
pub(crate) mod runs;
pub(crate) mod status;
pub(crate) mod report;
pub(crate) mod verify;
pub(crate) mod threads;
pub(crate) mod replay;
pub(crate) mod explain;
pub(crate) mod explain_text;
pub(crate) mod export;
pub(crate) mod bench;
pub(crate) mod inspect;
pub(crate) mod manual;
pub(crate) mod progress;
pub mod interrupt;
pub mod host;
pub(crate) mod guest;
pub(crate) mod play;
pub(crate) mod page;
pub(crate) mod watch;
pub(crate) mod guests;
pub(crate) mod check_agent;
pub mod program;
pub mod embedded;
pub mod open;
pub mod vector;
pub mod process;

use crate::cli::commands::run::Output;
use crate::cli::{Cli, Command};
use anyhow::Result;

/// Calls a command, and returns what it says.
///
/// # Errors
/// What keeps the command from doing what it was asked to.
pub fn call(cli: &Cli) -> Result<Output> {
    let text = match &cli.command {
        Command::Simulate(args) => return simulate::run(args),
        Command::Compare(args) => return compare::run(args),
        Command::Tournament(args) => return tournament::run(args),
        Command::Balance(args) => return balance::run(args),
        Command::Sweep(args) => return sweep::sweep(args),
        Command::Sensitivity(args) => return sweep::sensitivity(args),
        Command::Luck(args) => return luck::run(args),
        Command::Diagnose(args) => return diagnose::run(args),
        Command::Reliability(args) => return reliability::run(args),
        Command::Learn(args) => return learn::run(args),
        Command::Levels(args) => return levels::run(args),
        Command::Tune(args) => return tune::run(args),
        Command::Solve(args) => return solve::run(args),
        Command::Map(args) => return map::run(args),
        Command::Resume(args) => return runs::resume(args),
        Command::Merge(args) => return runs::merge(args),
        Command::Status(args) => return Ok(status::run(args)),
        Command::Analyze(args) => return runs::analyze(args),
        Command::Report(args) => return report::run(args),
        Command::Verify(args) => return verify::run(args),
        Command::Bench(args) => return bench::run(args),
        Command::Replay(args) => return replay::run(args),
        Command::Explain(args) => return explain::run(args),
        Command::Export(args) => return export::run(args),
        Command::Play(args) => return play::run(args),
        Command::Watch(args) => return watch::run(args),
        Command::Guest(args) => return guest::run(args),
        Command::CheckAgent(args) => return check_agent::run(args),
        Command::Games => inspect::games(),
        Command::Agents { game, full } => inspect::agents(game, *full)?,
        Command::Rules(args) => inspect::rules(args)?,
        Command::Schema { file } => inspect::schema(file.as_deref())?,
        Command::Completions { shell } => manual::completions(*shell)?,
        Command::Man { out: Some(directory), .. } => manual::pages(directory)?,
        Command::Man { command, .. } => manual::page(command.as_deref())?,
    };
    Ok(Output::new(text, 0))
}
