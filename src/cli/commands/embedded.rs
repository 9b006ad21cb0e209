//! The program within another process, such as Python's, which hears signals itself, and gets what is said as text.

use crate::cli::Cli;
use crate::cli::commands::guests::faults;
use crate::cli::commands::host::catalogue;
use crate::cli::commands::program::{self, USAGE};
use crate::cli::commands::run::Output;
use crate::cli::commands::{interrupt, process, threads};
use crate::cli::misused;
use crate::cli::values::joined;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::setup::line_up;
use anyhow::Result;
use clap::Parser;
use std::ffi::OsString;
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Held by the call in progress: signals, faults of guests and words belong to the process.
static CALL: Mutex<()> = Mutex::new(());

/// Calls the program by the words of a command line, without its own name, and returns what it would print and its exit
/// code. `threads` play, as many as there are cores if not given, and are gone when it returns. One call is made after the
/// other; once it has `begun`, another thread stops it by [`interrupt::press`], and [`process::played`] is about it.
pub fn call(words: Vec<String>, threads: Option<usize>, begun: &AtomicBool) -> Output {
    let _one = CALL.lock().unwrap_or_else(PoisonError::into_inner);
    process::call_for_text();
    interrupt::leave_signals();
    // What an open match has met is not about this call.
    faults::take();
    begun.store(true, Ordering::SeqCst);
    let output = called(words, threads);
    interrupt::release();
    output
}

fn called(words: Vec<String>, threads: Option<usize>) -> Output {
    let words: Vec<OsString> =
        iter::once("fairhaven".to_owned()).chain(words).map(OsString::from).collect();
    process::called_by(&words);
    let words = joined(words);
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return refused(&misused::with_tip(error, &words)),
    };
    match threads::pool(threads) {
        Ok(pool) => pool.install(|| program::answer(&cli)),
        Err(error) => Output::failed(format!("fairhaven: {error:#}\n"), USAGE),
    }
}

/// What the parser says of words that it refuses, or help that was asked for.
fn refused(error: &clap::Error) -> Output {
    if error.use_stderr() {
        return Output::failed(misused::text(error), USAGE);
    }
    Output::new(error.render().to_string(), 0)
}

/// The whole program by the words of a command line, without its own name: it prints, hears signals, and returns the exit
/// code.
pub fn main(words: Vec<OsString>) -> u8 {
    let words = iter::once("fairhaven".into()).chain(words).collect();
    program::run(Catalogue::standard(), words)
}

/// The names of the games.
pub fn games() -> Vec<&'static str> {
    catalogue().games.names()
}

/// Gives a strategy, as TOML, a name by which it plays in this process.
///
/// # Errors
/// If an agent of ours is called so.
pub fn name_strategy(name: &str, text: String) -> Result<()> {
    line_up::name_strategy(&catalogue().games, name, text)
}
