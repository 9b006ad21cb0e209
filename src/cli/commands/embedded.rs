//! The program within another process, such as Python's, which hears signals itself, and gets what is said as text; and
//! matches in which that process decides for some seats.

use crate::cli::Cli;
use crate::cli::commands::guests::faults;
use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::program::{self, USAGE};
use crate::cli::commands::run::{self, Output};
use crate::cli::commands::{choose, interrupt, process, threads};
use crate::cli::running::RuleChoice;
use crate::cli::values::joined;
use crate::lab::setup::line_up;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::guests::open_match::{OpenMatch, OpenPlan};
use crate::sim::guests::protocol::Want;
use crate::sim::guests::seating::{self, full_name, named, names_of, seat_of};
use crate::sim::records::line::{Header, MatchSeed};
use crate::words::shortened::shortened;
use anyhow::Result;
use clap::Parser;
use std::ffi::OsString;
use std::iter;
use std::path::PathBuf;
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
    let cli = match Cli::try_parse_from(joined(words)) {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    match threads::pool(threads) {
        Ok(pool) => pool.install(|| program::answer(&cli)),
        Err(error) => {
            Output { text: String::new(), err: format!("fairhaven: {error:#}\n"), code: USAGE }
        }
    }
}

/// What the parser says of words that it refuses, or help that was asked for.
fn misused(error: &clap::Error) -> Output {
    let said = error.render().to_string();
    if error.use_stderr() {
        return Output { text: String::new(), err: shortened(&said), code: USAGE };
    }
    Output::new(said, 0)
}

/// A match with seats outside.
pub struct Opening<'a> {
    /// The game.
    pub game: String,
    /// A file with fields of the rule set.
    pub rules: Option<PathBuf>,
    /// Fields of the rule set, as `field=value`.
    pub sets: Vec<String>,
    /// The seats outside, from 1.
    pub seats: &'a [u8],
    /// Who sits in the others: one for all, or one for each, with commas between them.
    pub agents: &'a str,
    /// Players at the table; the game's usual number if not given.
    pub players: Option<u8>,
    /// The master seed.
    pub seed: u64,
    /// What outside seats are told besides the legal list.
    pub wants: Vec<Want>,
}

/// Deals a match.
///
/// # Errors
/// If the rules can't be played with, or somebody can't be seated.
pub fn open(opening: Opening<'_>) -> Result<Box<dyn OpenMatch>> {
    let Opening { game, rules, sets, seats, agents, players, seed, wants } = opening;
    let rules = RuleChoice { game, rules, sets };
    let outside = seats.iter().map(|seat| seat_of(*seat)).collect::<Result<Vec<_>, _>>()?;
    let game = choose::game(&rules, choose::players(&rules, players)?)?;
    let read = |name: &str| line_up::agent(&full_name(&rules.game, name));
    let seated = seating::seats(&named(agents), (&outside, game.players()), read)?;
    let granted: Vec<AgentSpec> = seated.iter().flatten().cloned().collect();
    run::grant(&granted);
    let seed = MatchSeed { master: seed, block: 0, match_idx: 0 };
    Ok(game.open_match(OpenPlan {
        agents: &seated,
        header: Header::new(names_of(&seated), Some(seed)),
        seed,
        watch: &WATCH,
        wants,
    })?)
}

/// Gives a strategy, as TOML, a name by which it plays in this process.
///
/// # Errors
/// If an agent of ours is called so.
pub fn name_strategy(name: &str, text: String) -> Result<()> {
    line_up::name_strategy(&catalogue().games, name, text)
}
