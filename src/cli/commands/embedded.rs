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
use rayon::ThreadPool;
use std::ffi::OsString;
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Held by the call in progress: signals, faults of guests and words belong to the process. What the last call was played
/// by stays for the next one: threads that come and go each take a heap of the C library, and scatter what they keep over
/// all of these.
static CALL: Mutex<Option<Kept>> = Mutex::new(None);

/// The threads of the last call, and the process that has them: a forked one has none.
struct Kept {
    pool: ThreadPool,
    process: u32,
}

/// Calls the program by the words of a command line, without its own name, and returns what it would print and its exit
/// code. `threads` play, as many as there are cores if not given; they stay, idle, for the next call. One call is made
/// after the other; once it has `begun`, another thread stops it by [`interrupt::press`], and [`process::played`] is about
/// it.
pub fn call(words: Vec<String>, threads: Option<usize>, begun: &AtomicBool) -> Output {
    let mut kept = CALL.lock().unwrap_or_else(PoisonError::into_inner);
    process::call_for_text();
    interrupt::leave_signals();
    // What an open match has met is not about this call.
    faults::take();
    // Nor is a press that came as the last call ended.
    interrupt::release();
    begun.store(true, Ordering::SeqCst);
    let output = match pool(&mut kept, threads) {
        Ok(pool) => pool.install(|| called(words)),
        Err(error) => Output::failed(format!("fairhaven: {error:#}\n"), USAGE),
    };
    interrupt::release();
    output
}

/// The threads that were kept if they are as many, else new ones.
fn pool(kept: &mut Option<Kept>, threads: Option<usize>) -> Result<&ThreadPool> {
    let (process, wanted) = (std::process::id(), threads::number(threads)?);
    if kept.as_ref().is_some_and(|kept| kept.process != process) {
        // Threads of another process can't be told to end.
        std::mem::forget(kept.take());
    }
    let same = kept.take().filter(|kept| kept.pool.current_num_threads() == wanted);
    let pool = match same {
        Some(kept) => kept.pool,
        None => threads::pool(Some(wanted))?,
    };
    Ok(&kept.insert(Kept { pool, process }).pool)
}

fn called(words: Vec<String>) -> Output {
    let words: Vec<OsString> =
        iter::once("fairhaven".to_owned()).chain(words).map(OsString::from).collect();
    process::called_by(&words);
    let words = joined(words);
    let cli = match Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return refused(&misused::with_tip(error, &words)),
    };
    program::answer(&cli)
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
