//! What is asked of the world outside while matches are played: the time, whether to stop, and threads. It is handed
//! down from above, to each run its own, so that two runs of a process can be stopped apart.

use crate::core::outside::{Invitation, Line, LostMatches};
use rayon::{ScopeFifo, ThreadPool, Yield};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, OnceLock};
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

    /// Reaches a guest for matches of a game, of which it is told by a line. Called once for each thread that plays,
    /// and each agent in it.
    ///
    /// # Errors
    /// If it can't be reached, or may not be.
    fn invite(&self, _invitation: &Invitation, _game: &[u8]) -> Result<Box<dyn Line>, String> {
        Err("nobody here can reach programs outside".to_owned())
    }

    /// Threads for matches that wait for guests, so many for each that plays: as many matches then share a program.
    /// Nothing where a host has none to give.
    fn waiting_threads(&self, _at_once: usize) -> Option<Arc<ThreadPool>> {
        None
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
    /// Where matches are noted that guests lose by failing; nothing where a failure stops what is played.
    lost: Option<LostMatches>,
    /// Whether a match of this run has no result because its guest failed in another one.
    spoiled: Option<Arc<AtomicBool>>,
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
        Watch { host: Arc::new(host), think_threads: 1, pool: None, lost: None, spoiled: None }
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

    /// The same for a run in which a guest that fails has lost its match, which is noted.
    #[must_use]
    pub fn noting_lost(self, lost: LostMatches) -> Watch {
        Watch { lost: Some(lost), ..self }
    }

    /// The same for one run, which can be spoiled apart from others of this host.
    #[must_use]
    pub fn of_a_run(self) -> Watch {
        Watch { spoiled: Some(Arc::default()), ..self }
    }

    /// Where matches are noted that guests lose by failing; nothing where a failure stops what is played.
    pub fn lost(&self) -> Option<&LostMatches> {
        self.lost.as_ref()
    }

    /// Time since some fixed moment.
    pub fn now(&self) -> Duration {
        self.host.now()
    }

    /// Whether what is being played is no longer needed.
    pub fn is_stopped(&self) -> bool {
        let spoiled = || self.spoiled.as_ref().is_some_and(|it| it.load(Ordering::Relaxed));
        self.is_called_off() || spoiled()
    }

    /// Whether the host has stopped it.
    pub fn is_called_off(&self) -> bool {
        self.host.is_stopped()
    }

    /// A match of this run has no result, because its guest has failed in another one. That one will say why; until it has,
    /// the host may not stop anything yet, and what this thread has played would be counted.
    pub fn spoil(&self) {
        if let Some(spoiled) = &self.spoiled {
            spoiled.store(true, Ordering::Relaxed);
        }
    }

    /// Reaches a guest.
    ///
    /// # Errors
    /// If it can't be reached, or may not be.
    pub fn invite(&self, invitation: &Invitation, game: &[u8]) -> Result<Box<dyn Line>, String> {
        self.host.invite(invitation, game)
    }

    /// The same for a run of which guests play so many matches at once on each of their processes.
    #[must_use]
    pub fn waiting_for_guests(self, at_once: usize) -> Watch {
        match self.host.waiting_threads(at_once).filter(|_| at_once > 1) {
            Some(pool) => self.with_pool(pool),
            None => self,
        }
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

    /// Runs work on these threads, where [`each`] and parallel iterators stay.
    pub fn on_threads<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

/// Tasks with these numbers, on the threads of the pool that calls; each thread makes a worker and takes the
/// next number that is left. Results stand in the order of the numbers. One loop for all tasks: rayon's own iterators would be compiled
/// anew for each game.
pub fn each<W, T: Send + Sync>(
    numbers: Range<u64>,
    worker: impl Fn() -> W + Sync,
    task: impl Fn(&mut W, u64) -> T + Sync,
) -> Vec<T> {
    let count = usize::try_from(numbers.end.saturating_sub(numbers.start)).expect("so many fit");
    let results: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
    share_out(count, &|next| {
        let Some(mut place) = next() else { return };
        let mut worker = worker();
        loop {
            // Nobody else has this place, so it is empty.
            let _ = results[place].set(task(&mut worker, numbers.start + place as u64));
            let Some(following) = next() else { return };
            place = following;
        }
    });
    results.into_iter().map(|result| result.into_inner().expect("each place was taken")).collect()
}

/// What a thread does with the source of places that all share.
type Share<'a> = dyn Fn(&dyn Fn() -> Option<usize>) + Sync + 'a;

/// Calls `share` on as many threads as there are, at most one a place.
fn share_out(count: usize, share: &Share<'_>) {
    let taken = AtomicUsize::new(0);
    let next = || Some(taken.fetch_add(1, Ordering::Relaxed)).filter(|&place| place < count);
    rayon::scope_fifo(|scope| {
        for _ in 0..rayon::current_num_threads().min(count) {
            scope.spawn_fifo(|_| share(&next));
        }
    });
}

/// The next of what is sent. A thread of the pool that plays does its part meanwhile: it may be the only one.
pub fn awaited<T>(receive: &Receiver<T>) -> T {
    loop {
        if let Ok(piece) = receive.try_recv() {
            return piece;
        }
        if rayon::yield_now() != Some(Yield::Executed) {
            return receive.recv().expect("this thread can send, too");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    #[test]
    fn each_number_is_taken_once_and_results_stand_in_order() {
        let workers = Mutex::new(BTreeSet::new());
        let worker = || {
            let mut workers = workers.lock().expect("no thread has panicked");
            let number = workers.len();
            workers.insert(number);
            number
        };
        let squares = each(7..1007, worker, |_, number| number * number);
        assert_eq!(squares, (7..1007).map(|number| number * number).collect::<Vec<_>>());
        let made = workers.into_inner().expect("no thread has panicked").len();
        assert!((1..=rayon::current_num_threads()).contains(&made));
        assert!(each(3..3, || (), |(), number| number).is_empty());
    }

    #[test]
    fn tasks_may_have_tasks_of_their_own() {
        let inner = |(): &mut (), number: u64| each(0..number, || (), |(), i| i).len() as u64;
        assert_eq!(each(0..50, || (), inner), (0..50).collect::<Vec<_>>());
    }
}
