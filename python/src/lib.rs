//! The program as a module of Python: a call by words that returns what is said, the whole program, and matches with
//! seats outside.

pub mod open;
pub mod vector;

use fairhaven::cli::commands::{embedded, interrupt, process};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time between two looks at whether Ctrl-C was pressed.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Looks between two reports of how far a call is.
const TOLD_EVERY: u32 = 5;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::open::{OpenMatch, games, name_strategy};
    #[pymodule_export]
    use super::vector::Vector;
    use super::{Said, said};
    use fairhaven::cli::commands::{embedded, process};
    use pyo3::prelude::*;
    use std::ffi::OsString;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The interpreter, which is asked for another process of the program.
        let python: OsString = module.py().import("sys")?.getattr("executable")?.extract()?;
        process::share_heaps();
        process::embed([python, "-m".into(), "fairhaven".into()].into());
        Ok(())
    }

    /// Calls the program by words, and returns its exit code, what it says for standard output and for standard error, and
    /// whether Ctrl-C stopped it. `progress` hears of the matches played, and of those of the plan.
    #[pyfunction]
    #[pyo3(signature = (words, threads=None, progress=None))]
    fn call(
        py: Python<'_>,
        words: Vec<String>,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Said> {
        let progress = progress.map(Bound::unbind);
        py.detach(|| said(words, threads, progress.as_ref()))
    }

    /// The program itself: speaks on standard output and standard error, hears signals, and returns the exit code.
    #[pyfunction]
    fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| embedded::main(words))
    }
}

/// The exit code, what is said for standard output and for standard error, and whether Ctrl-C was pressed.
type Said = (u8, String, String, bool);

/// Calls the program on a thread of its own, while this one asks Python whether Ctrl-C was pressed.
fn said(
    words: Vec<String>,
    threads: Option<usize>,
    progress: Option<&Py<PyAny>>,
) -> PyResult<Said> {
    let (sender, receiver) = mpsc::channel();
    let begun = Arc::new(AtomicBool::new(false));
    let begins = Arc::clone(&begun);
    thread::Builder::new().name("fairhaven".to_owned()).spawn(move || {
        // Nobody listens any longer if Python ends.
        let _ = sender.send(embedded::call(words, threads, &begins));
    })?;
    let (mut raised, mut looks) = (None, 0_u32);
    let output = loop {
        match receiver.recv_timeout(LOOK_EVERY) {
            Ok(output) => break output,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the call has panicked"));
            }
            Err(RecvTimeoutError::Timeout) => looks += 1,
        }
        raised = raised.or_else(|| heard().err());
        // Until then another call is in progress.
        if !begun.load(Ordering::SeqCst) {
            continue;
        }
        if raised.is_none() && looks.is_multiple_of(TOLD_EVERY) {
            raised = progress.and_then(|progress| told(progress).err());
        }
        if raised.is_some() {
            interrupt::press();
        }
    };
    process::give_back_free_pages();
    raised = raised.or_else(|| progress.and_then(|progress| told(progress).err()));
    let is_press =
        |error: &PyErr| Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py));
    match raised {
        Some(error) if !is_press(&error) => Err(error),
        pressed => Ok((output.code, output.text, output.err, pressed.is_some())),
    }
}

/// Lets Python hear its signals: an error if Ctrl-C was pressed, or what another signal raises.
fn heard() -> PyResult<()> {
    Python::attach(|py| -> PyResult<()> { py.check_signals() })
}

/// Tells how far the call is, once it plays.
fn told(progress: &Py<PyAny>) -> PyResult<()> {
    match process::played() {
        (_, 0) => Ok(()),
        standing => Python::attach(|py| progress.call1(py, standing).map(drop)),
    }
}
