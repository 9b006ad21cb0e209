//! A match with seats outside, for Python: other threads go on while it plays.

use fairhaven::cli::commands::embedded;
use fairhaven::cli::commands::open::{Open, Opening};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A match with seats outside. Seats count from 1.
#[pyclass(frozen)]
pub struct OpenMatch {
    open: Mutex<Open>,
}

impl OpenMatch {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the program says, or its reason as an error of Python.
pub(crate) fn said<T>(result: anyhow::Result<T>) -> PyResult<T> {
    result.map_err(|error| PyValueError::new_err(format!("{error:#}")))
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
        let (seats, wants) = (&seats, &wants);
        let opening = Opening { game, rules, sets, seats, agents, players, seed, wants };
        let open = said(py.detach(|| Open::deal(opening)))?;
        Ok(OpenMatch { open: Mutex::new(open) })
    }

    /// Plays to the next decision outside, and gives its seat; nothing once the match is over.
    fn advance(&self, py: Python<'_>) -> PyResult<Option<u8>> {
        said(py.detach(|| self.open().advance()))
    }

    /// The lines for a seat since the last call.
    fn tell(&self, py: Python<'_>, seat: u8) -> PyResult<String> {
        said(py.detach(|| self.open().tell(seat)))
    }

    /// The answer of a seat to the question that it was told last: a line of the protocol.
    fn answer(&self, py: Python<'_>, seat: u8, line: &str) -> PyResult<()> {
        said(py.detach(|| self.open().answer(seat, line)))
    }

    /// The record so far: whole lines.
    fn record(&self, py: Python<'_>) -> String {
        py.detach(|| self.open().record().to_owned())
    }
}

/// The names of the games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    embedded::games()
}

/// Gives a strategy, as TOML, a name by which it plays in this process.
///
/// # Errors
/// If an agent of ours is called so.
#[pyfunction]
pub fn name_strategy(name: &str, text: String) -> PyResult<()> {
    said(embedded::name_strategy(name, text))
}
