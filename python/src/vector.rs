//! Matches side by side, in arrays of NumPy: other threads go on while they are played.
//!
//! Arrays belong to the caller, and are lent exclusively for the length of a call. Actions are copied before the first
//! match is played; nothing of an array is read meanwhile.

use crate::open::said;
use fairhaven::cli::commands::vector::{self, By, Ended, Seen, Told, VectorOpening, result_of};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadwriteArray2};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Matches side by side. Seats count from 1.
#[pyclass(frozen)]
pub struct Vector {
    matches: Mutex<vector::Vector>,
    /// The process that made it: its threads are in no other one.
    process: u32,
}

/// A match that has ended: its place, the number of its deal, who decided last outside, who has won, why it ended, points
/// and the turn, what each seat outside saw at the end, and the record.
type Over<'py> =
    (usize, u64, u8, u8, &'static str, Vec<u8>, u16, Bound<'py, PyArray1<i16>>, String);

/// An array that observations are put into.
enum Lent<'py> {
    Nothing,
    Short(PyReadwriteArray2<'py, i16>),
    Float(PyReadwriteArray2<'py, f32>),
}

impl<'py> Lent<'py> {
    fn of(array: Option<Bound<'py, PyAny>>) -> PyResult<Lent<'py>> {
        let Some(array) = array else { return Ok(Lent::Nothing) };
        if let Ok(array) = array.cast::<PyArray2<i16>>() {
            return Ok(Lent::Short(array.try_readwrite()?));
        }
        match array.cast::<PyArray2<f32>>() {
            Ok(array) => Ok(Lent::Float(array.try_readwrite()?)),
            Err(_) => {
                Err(PyTypeError::new_err("observations are int16 or float32, in two dimensions"))
            }
        }
    }

    fn seen(&mut self) -> PyResult<Seen<'_>> {
        Ok(match self {
            Lent::Nothing => Seen::Nowhere,
            Lent::Short(array) => Seen::Short(array.as_slice_mut()?),
            Lent::Float(array) => Seen::Float(array.as_slice_mut()?),
        })
    }
}

/// What a call writes: observations, masks, seats and deals, each in an array of the caller.
type Arrays<'py> = (
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyArray2<i8>>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u64>>,
);

fn by(place: bool) -> By {
    if place { By::Place } else { By::Number }
}

impl Vector {
    fn matches(&self) -> PyResult<MutexGuard<'_, vector::Vector>> {
        if self.process != process::id() {
            let reason =
                "this process was forked from the one that made these matches; make them here";
            return Err(PyRuntimeError::new_err(reason));
        }
        Ok(self.matches.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Plays while the arrays are lent.
    fn play<'py, R: Send>(
        &self,
        py: Python<'py>,
        (seen, masks, seats, deals): Arrays<'py>,
        play: impl FnOnce(&mut vector::Vector, Told<'_>) -> anyhow::Result<R> + Send,
    ) -> PyResult<R> {
        let mut seen = Lent::of(seen)?;
        let seen = seen.seen()?;
        let mut masks = masks.map(|masks| masks.try_readwrite()).transpose()?;
        let masks = masks.as_mut().map(|masks| masks.as_slice_mut()).transpose()?;
        let (mut seats, mut deals) = (seats.try_readwrite()?, deals.try_readwrite()?);
        let (seats, deals) = (seats.as_slice_mut()?, deals.as_slice_mut()?);
        let told = Told { seen, masks: masks.unwrap_or_default(), seats, deals };
        py.detach(|| said(play(&mut *self.matches()?, told)))
    }
}

#[pymethods]
impl Vector {
    /// Matches that are dealt at the first reset.
    #[new]
    #[pyo3(signature = (game, sets, rules, matches, seats, agents, players, seed, offers, records, threads))]
    #[allow(
        clippy::too_many_arguments,
        clippy::needless_pass_by_value,
        reason = "the words of `vector_env`, which Python hands over"
    )]
    fn new(
        py: Python<'_>,
        game: String,
        sets: Vec<String>,
        rules: Option<PathBuf>,
        matches: usize,
        seats: Option<Vec<u8>>,
        agents: &str,
        players: Option<u8>,
        seed: u64,
        offers: bool,
        records: bool,
        threads: Option<usize>,
    ) -> PyResult<Vector> {
        let seats = seats.as_deref();
        let opening = VectorOpening {
            game,
            rules,
            sets,
            matches,
            seats,
            agents,
            players,
            seed,
            offers,
            records,
            threads,
        };
        let matches = said(py.detach(|| vector::Vector::new(opening)))?;
        Ok(Vector { matches: Mutex::new(matches), process: process::id() })
    }

    /// What the arrays hold, as JSON.
    fn described(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| Ok(self.matches()?.described()))
    }

    /// Deals all matches anew.
    fn reset<'py>(&self, py: Python<'py>, seed: Option<u64>, arrays: Arrays<'py>) -> PyResult<()> {
        self.play(py, arrays, |matches, told| matches.reset(seed, told))
    }

    /// Takes an action in each match, but for -1, and tells which matches have ended.
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyArray1<i32>>,
        place: bool,
        arrays: Arrays<'py>,
    ) -> PyResult<Vec<Over<'py>>> {
        let actions = actions.try_readonly()?.as_array().to_vec();
        let ended =
            self.play(py, arrays, |matches, told| matches.step(&actions, by(place), told))?;
        Ok(ended.into_iter().map(|ended| over(py, ended)).collect())
    }

    /// What may be done in each match: where each list begins, numbers, and columns one behind the other.
    #[allow(clippy::type_complexity, reason = "three arrays")]
    fn lists<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i16>>)>
    {
        let lists = py.detach(|| Ok::<_, PyErr>(self.matches()?.lists()))?;
        let array = |starts: Vec<i64>| starts.into_pyarray(py);
        let numbers = lists.numbers.into_pyarray(py);
        Ok((array(lists.starts), numbers, lists.columns.into_pyarray(py)))
    }

    /// A legal action for each match.
    fn sample<'py>(&self, py: Python<'py>, place: bool) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let actions = py.detach(|| Ok::<_, PyErr>(self.matches()?.sample(by(place))))?;
        Ok(actions.into_pyarray(py))
    }

    /// What an outside seat of a match sees.
    fn seen<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        seat: u8,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let seen = py.detach(|| said(self.matches()?.seen(place, seat)))?;
        Ok(seen.into_pyarray(py))
    }

    /// The record of a match so far.
    fn record(&self, py: Python<'_>, place: usize) -> PyResult<String> {
        py.detach(|| Ok(self.matches()?.record(place).to_owned()))
    }
}

fn over(py: Python<'_>, ended: Ended) -> Over<'_> {
    let (points, winner) = result_of(&ended);
    let Ended { place, deal, seat, outcome, turns, seen, record } = ended;
    let points = points[..usize::from(outcome.seats)].to_vec();
    let seen = seen.into_pyarray(py);
    (place, deal, seat.number(), winner, outcome.end.name(), points, turns, seen, record)
}
