//! A match with seats outside: it is advanced to the next decision that Python takes, told in the messages of
//! `docs/protocol.md`, and answered.

use fairhaven::cli::commands::host::{WATCH, catalogue};
use fairhaven::cli::commands::{choose, run};
use fairhaven::cli::running::RuleChoice;
use fairhaven::core::types::seat::Seat;
use fairhaven::lab::setup::line_up;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::guests::open_match::{self, OpenPlan};
use fairhaven::sim::guests::protocol::Want;
use fairhaven::sim::guests::seating::{self, full_name, named, names_of, seat_of};
use fairhaven::sim::records::line::{Header, MatchSeed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A match with seats outside.
#[pyclass(frozen)]
pub struct OpenMatch {
    open: Mutex<Box<dyn open_match::OpenMatch>>,
}

impl OpenMatch {
    fn open(&self) -> MutexGuard<'_, Box<dyn open_match::OpenMatch>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reason why something is refused, as Python's error.
fn refused(reason: &impl ToString) -> PyErr {
    PyValueError::new_err(reason.to_string())
}

/// What outside seats want to be told, by the protocol's words.
fn wanted(words: &[String]) -> Result<Vec<Want>, serde_json::Error> {
    words.iter().map(|word| serde_json::from_value(word.as_str().into())).collect()
}

/// Deals a match: `seats` (from 1) are outside, `agents` sit in the others.
fn deal(
    rules: &RuleChoice,
    (seats, agents): (&[u8], &str),
    players: Option<u8>,
    master: u64,
    wants: &[String],
) -> anyhow::Result<OpenMatch> {
    let outside = seats.iter().map(|seat| seat_of(*seat)).collect::<Result<Vec<_>, _>>()?;
    let game = choose::game(rules, choose::players(rules, players)?)?;
    let read = |name: &str| line_up::agent(&full_name(&rules.game, name));
    let table = (&outside[..], game.players());
    let seated = seating::seats(&named(agents), table, read)?;
    let granted: Vec<AgentSpec> = seated.iter().flatten().cloned().collect();
    run::grant(&granted);
    let seed = MatchSeed { master, block: 0, match_idx: 0 };
    let open = game.open_match(OpenPlan {
        agents: &seated,
        header: Header::new(names_of(&seated), Some(seed)),
        seed,
        watch: &WATCH,
        wants: wanted(wants)?,
    })?;
    Ok(OpenMatch { open: Mutex::new(open) })
}

#[pymethods]
impl OpenMatch {
    /// Deals a match.
    #[new]
    #[pyo3(signature = (game, sets, rules, seats, agents, players, seed, wants))]
    #[allow(
        clippy::too_many_arguments,
        clippy::needless_pass_by_value,
        reason = "the words of `play`, which Python hands over"
    )]
    fn new(
        game: String,
        sets: Vec<String>,
        rules: Option<PathBuf>,
        seats: Vec<u8>,
        agents: &str,
        players: Option<u8>,
        seed: u64,
        wants: Vec<String>,
    ) -> PyResult<OpenMatch> {
        let rules = RuleChoice { game, rules, sets };
        deal(&rules, (&seats, agents), players, seed, &wants)
            .map_err(|error| refused(&format!("{error:#}")))
    }

    /// Plays to the next decision outside, and gives its seat, from 1; nothing once the match is over.
    fn advance(&self, py: Python<'_>) -> PyResult<Option<u8>> {
        let asked = py.detach(|| self.open().advance()).map_err(|reason| refused(&reason))?;
        Ok(asked.map(Seat::number))
    }

    /// The lines for a seat since the last call.
    fn tell(&self, py: Python<'_>, seat: u8) -> PyResult<String> {
        let seat = seat_of(seat).map_err(|reason| refused(&reason))?;
        Ok(py.detach(|| self.open().tell(seat)))
    }

    /// The answer of a seat to the question that it was told last: a line of the protocol.
    fn answer(&self, seat: u8, line: &str) -> PyResult<()> {
        self.open()
            .answer(seat_of(seat).map_err(|reason| refused(&reason))?, line)
            .map_err(|reason| refused(&reason))
    }

    /// The record so far: whole lines.
    fn record(&self) -> String {
        self.open().record().to_owned()
    }
}

/// The names of the games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    catalogue().games.iter().map(|game| game.facts().name).collect()
}

/// Gives a strategy, as TOML, a name by which it plays in this process.
///
/// # Errors
/// If an agent of ours is called so.
#[pyfunction]
pub fn name_strategy(name: &str, text: String) -> PyResult<()> {
    line_up::name_strategy(name, text).map_err(|error| refused(&error))
}
