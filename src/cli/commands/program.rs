//! A process: it parses its command line, calls, prints the output or what went wrong, and gives the exit code.

use crate::cli::Cli;
use crate::cli::commands::guests::{self, faults, guard};
use crate::cli::commands::run::Output;
use crate::cli::commands::{self, host, interrupt};
use crate::cli::plain::plain;
use crate::cli::values::joined;
use crate::lab::questions::catalogue::Catalogue;
use crate::words::shortened::shortened;
use clap::Parser;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// The exit code of wrong usage.
const USAGE: u8 = 2;

/// The exit code of a broken invariant: a fault of this program.
const BROKEN: u8 = 3;

/// The exit code of a guest that failed.
const GUEST_FAILED: u8 = 5;

/// The whole program: reads the command line, and calls what it names. A program around the library calls it with games,
/// agents and studies of its own in the catalogue.
pub fn program(catalogue: Catalogue) -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|word| word == guard::COMMAND) {
        guard::stand(std::io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    host::offer(catalogue);
    interrupt::limits_are_errors();
    let cli = match Cli::try_parse_from(joined(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    if cli.allow_exec {
        host::allow_all_programs();
    }
    // A panic is a broken invariant; its message has been printed by now.
    let called = std::panic::catch_unwind(|| commands::call(&cli));
    guests::dismiss();
    let Ok(result) = called else {
        return ExitCode::from(BROKEN);
    };
    let Some(report) = faults::take() else { return said(result) };
    // An error has come of the failure, and says less of it.
    if result.is_ok() {
        said(result);
    }
    let _ = writeln!(std::io::stderr(), "{}", plain(&format!("fairhaven: {report}")));
    ExitCode::from(GUEST_FAILED)
}

/// Prints what a command says, or why it failed; the exit code.
fn said(result: anyhow::Result<Output>) -> ExitCode {
    match result {
        Ok(said) => {
            let written = std::io::stdout().write_all(plain(&said.text).as_bytes());
            let _ = std::io::stderr().write_all(plain(&said.err).as_bytes());
            code(written, said.code)
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{}", shortened(&format!("fairhaven: {error:#}")));
            ExitCode::from(USAGE)
        }
    }
}

/// The exit code of what was to be printed, unless it could not be. A reader that has closed the pipe, such as `head`,
/// is not an error.
fn code(written: std::io::Result<()>, code: u8) -> ExitCode {
    // The rest of a line may still wait to be written.
    match written.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "fairhaven: standard output: {error}");
            ExitCode::from(USAGE)
        }
        _ => ExitCode::from(code),
    }
}

/// What `clap` says of a command line that it refuses, or help that was asked for.
fn misused(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        return code(error.print(), 0);
    }
    let text = error.render().to_string();
    let short = shortened(&text);
    if short == text {
        error.exit();
    }
    let _ = write!(std::io::stderr(), "{short}");
    ExitCode::from(USAGE)
}
