//! The command line: parses, calls, prints the output or what went wrong, and sets the exit code.

use anyhow::Result;
use clap::Parser;
use fairhaven::cli::Cli;
use fairhaven::cli::Command;
use fairhaven::commands::balance;
use fairhaven::commands::bench;
use fairhaven::commands::compare;
use fairhaven::commands::inspect;
use fairhaven::commands::learn;
use fairhaven::commands::manual;
use fairhaven::commands::replay;
use fairhaven::commands::run::Said;
use fairhaven::commands::runs;
use fairhaven::commands::simulate;
use fairhaven::commands::sweep;
use fairhaven::commands::verify;
use fairhaven::words::shortened::shortened;
use std::io::ErrorKind;
use std::io::Write;
use std::process::ExitCode;

/// The exit code of wrong usage.
const USAGE: u8 = 2;

/// The exit code of a broken invariant: a fault of this program.
const BROKEN: u8 = 3;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    // A panic is a broken invariant; its message has been printed by now.
    let Ok(result) = std::panic::catch_unwind(|| run(&cli)) else {
        return ExitCode::from(BROKEN);
    };
    match result {
        Ok(said) => {
            let written = std::io::stdout().write_all(said.text.as_bytes());
            let _ = std::io::stderr().write_all(said.err.as_bytes());
            // A reader that has closed the pipe, such as `head`, is not an error.
            match written {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    let _ = writeln!(std::io::stderr(), "fairhaven: standard output: {error}");
                    ExitCode::from(USAGE)
                }
                _ => ExitCode::from(said.code),
            }
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{}", shortened(&format!("fairhaven: {error:#}")));
            ExitCode::from(USAGE)
        }
    }
}

/// What `clap` says of a command line that it refuses, or help that was asked for.
fn misused(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    let short = shortened(&text);
    if !error.use_stderr() || short == text {
        error.exit();
    }
    let _ = write!(std::io::stderr(), "{short}");
    ExitCode::from(USAGE)
}

fn run(cli: &Cli) -> Result<Said> {
    let text = match &cli.command {
        Command::Simulate(args) => return simulate::run(args),
        Command::Compare(args) => return compare::run(args),
        Command::Balance(args) => return balance::run(args),
        Command::Sweep(args) => return sweep::sweep(args),
        Command::Sensitivity(args) => return sweep::sensitivity(args),
        Command::Learn(args) => learn::run(args)?,
        Command::Resume(args) => return runs::resume(args),
        Command::Merge(args) => return runs::merge(args),
        Command::Analyze(args) => return runs::analyze(args),
        Command::Verify(args) => return verify::run(args),
        Command::Bench(args) => return bench::run(args),
        Command::Replay(args) => return replay::run(args),
        Command::Games => inspect::games(),
        Command::Agents { game } => inspect::agents(game)?,
        Command::Rules(args) => inspect::rules(args)?,
        Command::Schema { file } => inspect::schema(file.as_deref())?,
        Command::Completions { shell } => manual::completions(*shell)?,
        Command::Man { out: Some(directory), .. } => manual::pages(directory)?,
        Command::Man { command, .. } => manual::page(command.as_deref())?,
    };
    Ok(Said::new(text, 0))
}
