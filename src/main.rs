//! The command line: parses, calls, prints the output or what went wrong, and sets the exit code.

use clap::Parser;
use fairhaven::cli::Cli;
use fairhaven::cli::commands::{self, interrupt};
use fairhaven::cli::plain::plain;
use fairhaven::cli::values::joined;
use fairhaven::words::shortened::shortened;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// The exit code of wrong usage.
const USAGE: u8 = 2;

/// The exit code of a broken invariant: a fault of this program.
const BROKEN: u8 = 3;

fn main() -> ExitCode {
    interrupt::limits_are_errors();
    let cli = match Cli::try_parse_from(joined(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    // A panic is a broken invariant; its message has been printed by now.
    let Ok(result) = std::panic::catch_unwind(|| commands::call(&cli)) else {
        return ExitCode::from(BROKEN);
    };
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
