//! A process: it parses its command line, calls, prints the output or what went wrong, and gives the exit code.

use crate::cli::Cli;
use crate::cli::commands::guests::{self, faults, guard, shared};
use crate::cli::commands::run::Output;
use crate::cli::commands::{self, host, interrupt, process};
use crate::cli::misused;
use crate::cli::plain::plain;
use crate::cli::values::joined;
use crate::lab::questions::catalogue::Catalogue;
use crate::words::shortened::shortened;
use clap::Parser;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// The exit code of wrong usage.
pub const USAGE: u8 = 2;

/// The exit code of a broken invariant: a fault of this program.
const BROKEN: u8 = 3;

/// The exit code of a guest that failed.
const GUEST_FAILED: u8 = 5;

/// The whole program: reads the command line, and calls what it names. A program around the library calls it with games,
/// agents and studies of its own in the catalogue.
pub fn program(catalogue: Catalogue) -> ExitCode {
    run(catalogue, std::env::args_os().collect()).into()
}

/// The same by words, the name of the program first; returns the exit code.
pub fn run(catalogue: Catalogue, words: Vec<OsString>) -> u8 {
    if words.get(1).is_some_and(|word| word == guard::COMMAND) {
        guard::stand(std::io::stdin().lock());
        return 0;
    }
    host::offer(catalogue);
    process::called_by(&words);
    interrupt::limits_are_errors();
    let words = joined(words);
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return refused(&misused::with_tip(error, &words)),
    };
    let said = answer(&cli);
    let written = std::io::stdout().write_all(said.text.as_bytes());
    let _ = std::io::stderr().write_all(said.err.as_bytes());
    code(written, said.code)
}

/// What a command says, or why it failed, as a terminal may show it.
pub fn answer(cli: &Cli) -> Output {
    host::allow_all_programs(cli.allow_exec);
    // A panic is a broken invariant; its message has been printed by now.
    let called = std::panic::catch_unwind(|| commands::call(cli));
    // In another process a match may stand open meanwhile; and how many share a process is said by each run anew.
    guests::dismiss(process::is_for_text());
    shared::share(1);
    let fault = faults::take();
    let Ok(result) = called else {
        return Output::new(String::new(), BROKEN);
    };
    let Some(report) = fault else { return said(result) };
    // An error has come of the failure, and says less of it.
    let said = result.map_or_else(|_| Output::new(String::new(), 0), |output| said(Ok(output)));
    let err = said.err + &plain(&format!("fairhaven: {report}\n"));
    Output { err, code: GUEST_FAILED, ..said }
}

/// What a command says, or why it failed.
fn said(result: anyhow::Result<Output>) -> Output {
    match result {
        Ok(output) => {
            let text = if output.is_coloured { output.text } else { plain(&output.text) };
            Output { text, err: plain(&output.err), ..Output::new(String::new(), output.code) }
        }
        Err(error) => {
            Output::failed(format!("{}\n", shortened(&format!("fairhaven: {error:#}"))), USAGE)
        }
    }
}

/// The exit code of what was to be printed, unless it could not be. A reader that has closed the pipe, such as `head`,
/// is not an error.
fn code(written: std::io::Result<()>, code: u8) -> u8 {
    // The rest of a line may still wait to be written.
    match written.and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(std::io::stderr(), "fairhaven: standard output: {error}");
            USAGE
        }
        _ => code,
    }
}

/// What `clap` says of a command line that it refuses, or help that was asked for.
fn refused(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        return code(error.print(), 0);
    }
    let text = misused::text(error);
    if text == error.render().to_string() {
        error.exit();
    }
    let _ = write!(std::io::stderr(), "{text}");
    USAGE
}
