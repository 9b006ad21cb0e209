//! What is asked of the world outside while matches are played: the time, whether to stop, and threads. It is handed
//! down from above, to each run its own, so that two runs of a process can be stopped apart.

use crate::core::outside::{Invitation, Line};
use rayon::{ScopeFifo, ThreadPool};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Whoever has matches played: a program, or a part of one. Asked from all threads.
pub trait Host: Send + Sync {
    /// Time since some fixed moment. Searches with a time budget read it, and who measures or saves from time to time;
    /// a clock that stands still is as good for all others.
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    /// Whether what is being played is no longer needed: a search then ends at once with what it has, and the match
    /// is thrown away. Once true, it stays so until the run has ended.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Reaches a guest. Called once for each thread that plays, and each agent in it.
    ///
    /// # Errors
    /// If it can't be reached, or may not be.
    fn invite(&self, _invitation: &Invitation) -> Result<Box<dyn Line>, String> {
        Err("nobody here can reach programs outside".to_owned())
    }

    /// A guest has failed, in words of some lines. What is being played is then of no use, and [`Host::is_stopped`] should
    /// say so.
    fn guest_failed(&self, _report: &str) {}
}

/// No clock, and nobody who stops anything.
impl Host for () {}

/// The host of a run, and the threads that it gives to it.
#[derive(Clone)]
pub struct Watch {
    host: Arc<dyn Host>,
    think_threads: usize,
    pool: Option<Arc<ThreadPool>>,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Watch { think_threads, pool, .. } = self;
        f.debug_struct("Watch")
            .field("think_threads", think_threads)
            .field("pool", pool)
            .finish_non_exhaustive()
    }
}

impl Watch {
    /// A host that gives one thread to each decision, and to the run those of rayon's pool for the process.
    pub fn new(host: impl Host + 'static) -> Watch {
        Watch { host: Arc::new(host), think_threads: 1, pool: None }
    }

    /// A clock that stands still, and nobody who stops anything.
    pub fn none() -> Watch {
        Watch::new(())
    }

    /// The same, with threads on which the trees of one decision grow, at least 1.
    #[must_use]
    pub fn with_think_threads(self, think_threads: usize) -> Watch {
        Watch { think_threads: think_threads.max(1), ..self }
    }

    /// The same, with a pool of threads for the run. Its threads must not call the run: they would wait for themselves.
    #[must_use]
    pub fn with_pool(self, pool: Arc<ThreadPool>) -> Watch {
        Watch { pool: Some(pool), ..self }
    }

    /// Time since some fixed moment.
    pub fn now(&self) -> Duration {
        self.host.now()
    }

    /// Whether what is being played is no longer needed.
    pub fn is_stopped(&self) -> bool {
        self.host.is_stopped()
    }

    /// Reaches a guest.
    ///
    /// # Errors
    /// If it can't be reached, or may not be.
    pub fn invite(&self, invitation: &Invitation) -> Result<Box<dyn Line>, String> {
        self.host.invite(invitation)
    }

    /// A guest has failed.
    pub fn guest_failed(&self, report: &str) {
        self.host.guest_failed(report);
    }

    /// Threads on which the trees of one decision grow.
    pub fn think_threads(&self) -> usize {
        self.think_threads
    }

    /// Threads on which blocks are played.
    pub fn threads(&self) -> usize {
        self.pool
            .as_ref()
            .map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Runs work in a scope of these threads; this thread waits.
    pub fn in_scope<'scope, R>(&self, work: impl FnOnce(&ScopeFifo<'scope>) -> R) -> R {
        match &self.pool {
            Some(pool) => pool.in_place_scope_fifo(work),
            None => rayon::in_place_scope_fifo(work),
        }
    }

    /// Runs work on these threads, where its parallel iterators stay.
    pub fn on_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}
