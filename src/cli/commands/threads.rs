//! How many threads play, and their start: where the system has no room for them, that is an error before the
//! first match.

use crate::words::numbers;
use anyhow::{Context, Result, anyhow};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::error::Error as _;
use std::sync::mpsc;
use std::{env, hint, io, thread};

/// The variable of the environment that counts where `--threads` is not given; rayon's own.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// The stack of a thread, as the standard library has it.
const STACK: usize = 2 << 20;

/// What a thread needs beside its stack: its signal stack at the start, buffers while it plays.
const BESIDE: usize = 1 << 20;

/// What is left free while threads start: for the stacks of the next one, and for what is noted about it. Only the
/// system has that much: a heap of the C library's allocator has 64 MiB, and stacks come from the system.
const SPARE: usize = 66 << 20;

/// What the program needs whatever the number of threads: sums, saved and being packed.
const COMMON: usize = 64 << 20;

/// Starts the threads of this process, unless it has some already, or the caller is one of a pool of its own.
///
/// # Errors
/// If the number is not 1 to 1024, or there is no room for them.
pub fn start(threads: Option<usize>) -> Result<()> {
    if rayon::current_thread_index().is_some() {
        return Ok(());
    }
    set_up(threads, |builder| {
        // An error of the system has a source; that there are threads has none.
        builder.spawn_handler(spawn).build_global().or_else(|error| match error.source() {
            Some(_) => Err(error),
            None => Ok(()),
        })
    })
}

/// A pool of threads beside those of the process.
///
/// # Errors
/// As [`start`].
pub fn pool(threads: Option<usize>) -> Result<ThreadPool> {
    set_up(threads, |builder| builder.spawn_handler(spawn).build())
}

/// Starts threads while the memory that they will need beside their stacks is set aside.
fn set_up<P>(
    threads: Option<usize>,
    start: impl FnOnce(ThreadPoolBuilder) -> Result<P, ThreadPoolBuildError>,
) -> Result<P> {
    let threads = number(threads)?;
    let started = || -> Result<P> {
        let mut aside: Vec<u8> = Vec::new();
        aside.try_reserve_exact(COMMON + threads * BESIDE)?;
        hint::black_box(&aside);
        start(ThreadPoolBuilder::new().num_threads(threads)).map_err(|error| anyhow!("{error}"))
    };
    started().with_context(|| format!("{threads} threads can't be started; try fewer (--threads)"))
}

/// The number that was asked for, else the environment's, else one for each core.
///
/// # Errors
/// If the environment's is not 1 to 1024.
pub fn number(threads: Option<usize>) -> Result<usize> {
    if let Some(threads) = threads {
        return Ok(threads);
    }
    let given = env::var_os(VARIABLE).filter(|given| !given.is_empty());
    match given {
        Some(given) => numbers::threads(&given.to_string_lossy()).context(VARIABLE),
        None => {
            Ok(thread::available_parallelism().map_or(1, usize::from).min(numbers::THREADS_MAX))
        }
    }
}

/// Whether the system has room for one more thread.
fn ensure_room() -> io::Result<()> {
    let mut room: Vec<u8> = Vec::new();
    room.try_reserve_exact(SPARE)?;
    // The compiler may leave out what is allocated for nothing.
    hint::black_box(&room);
    Ok(())
}

/// Starts one thread and waits until it runs. A thread that finds no room for its signal stack would end the
/// process, so room for both its stacks is looked for first, while no other thread starts.
fn spawn(worker: ThreadBuilder) -> io::Result<()> {
    ensure_room()?;
    let (runs, started) = mpsc::channel();
    thread::Builder::new().stack_size(STACK).spawn(move || {
        let _ = runs.send(());
        worker.run();
    })?;
    started.recv().map_err(io::Error::other)
}
