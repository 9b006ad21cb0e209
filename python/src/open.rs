//! A match with seats outside: it is advanced to the next decision that Python takes, told in the messages of
//! `docs/protocol.md`, and answered.

use fairhaven::cli::commands::embedded::{self, Opening};
use fairhaven::core::types::seat::Seat;
use fairhaven::registry::Games;
use fairhaven::sim::guests::open_match;
use fairhaven::sim::guests::protocol::Want;
use fairhaven::sim::guests::seating::seat_of;
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
        py: Python<'_>,
        game: String,
        sets: Vec<String>,
        rules: Option<PathBuf>,
        seats: Vec<u8>,
        agents: &str,
        players: Option<u8>,
        seed: u64,
        wants: Vec<String>,
    ) -> PyResult<OpenMatch> {
        let wants = wanted(&wants).map_err(|error| refused(&error))?;
        let seats = &seats;
        let opening = Opening { game, rules, sets, seats, agents, players, seed, wants };
        let open = py
            .detach(|| embedded::open(opening))
            .map_err(|error| refused(&format!("{error:#}")))?;
        Ok(OpenMatch { open: Mutex::new(open) })
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
    fn answer(&self, py: Python<'_>, seat: u8, line: &str) -> PyResult<()> {
        let seat = seat_of(seat).map_err(|reason| refused(&reason))?;
        py.detach(|| self.open().answer(seat, line)).map_err(|reason| refused(&reason))
    }

    /// The record so far: whole lines.
    fn record(&self, py: Python<'_>) -> String {
        py.detach(|| self.open().record().to_owned())
    }
}

/// The names of the games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    Games::standard().iter().map(|game| game.facts().name).collect()
}

/// Gives a strategy, as TOML, a name by which it plays in this process.
///
/// # Errors
/// If an agent of ours is called so.
#[pyfunction]
pub fn name_strategy(name: &str, text: String) -> PyResult<()> {
    embedded::name_strategy(name, text).map_err(|error| refused(&error))
}
