//! Many blocks on all cores. Chunks of blocks are played in any order and merged in theirs, so the sums and
//! the rows are the same for any number of threads, and for any point at which a run was broken off.

use crate::sim::experiment::Experiment;
use crate::sim::experiment::MatchId;
use crate::sim::experiment::Part;
use crate::stats::jackknife::Grouped;
use rayon::ScopeFifo;
use rayon::ThreadPool;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::sync::mpsc;

/// How many blocks, and how they are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Blocks in all.
    pub blocks: u64,
    /// Blocks that are played at a stretch and counted together; from the plan, never from the threads.
    pub chunk: u64,
}

impl Plan {
    /// A chunk size for so many blocks: small enough for a quick stop, large enough to be cheap.
    pub fn chunk_for(blocks: u64) -> u64 {
        (blocks / 1024).clamp(1, 256)
    }

    /// Chunks in all.
    pub fn chunks(&self) -> u64 {
        self.blocks.div_ceil(self.chunk)
    }

    /// The blocks of some chunks.
    pub fn blocks_of(&self, chunks: Range<u64>) -> Range<u64> {
        let first = chunks.start.saturating_mul(self.chunk).min(self.blocks);
        first..chunks.end.saturating_mul(self.chunk).min(self.blocks)
    }
}

/// What has been played: the chunks of a range, without gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// The chunks that were played.
    pub chunks: Range<u64>,
    /// Sums by group.
    pub grouped: Grouped,
    /// The first match of each anomaly.
    pub firsts: Vec<Option<MatchId>>,
}

impl Totals {
    /// Nothing yet, of the chunks from `first` on.
    pub fn new(width: usize, anomalies: usize, first: u64) -> Totals {
        let firsts = vec![None; anomalies];
        Totals { chunks: first..first, grouped: Grouped::new(width), firsts }
    }

    /// Blocks played.
    pub fn blocks(&self) -> u64 {
        self.grouped.blocks()
    }

    fn add(&mut self, plan: &Plan, part: &Part) {
        let chunk = self.chunks.end;
        let blocks = plan.blocks_of(chunk..chunk + 1);
        self.grouped.add(chunk, blocks.end - blocks.start, &part.sums);
        self.note_firsts(&part.firsts);
        self.chunks.end += 1;
    }

    /// Adds the chunks that come right behind these.
    ///
    /// # Panics
    /// If they don't.
    pub fn append(&mut self, next: &Totals) {
        assert_eq!(self.chunks.end, next.chunks.start, "parts are merged in order");
        self.grouped.merge(&next.grouped);
        self.note_firsts(&next.firsts);
        self.chunks.end = next.chunks.end;
    }

    fn note_firsts(&mut self, found: &[Option<MatchId>]) {
        for (first, &found) in self.firsts.iter_mut().zip(found) {
            *first = first.or(found);
        }
    }
}

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// It does.
    On,
    /// It has seen enough.
    Stop,
}

/// What a batch needs from outside.
pub struct Outside<'a> {
    /// Whether to stop early: asked before each chunk, from all threads.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Sees each chunk in order, after it was added; its error ends the batch.
    pub after: &'a mut dyn FnMut(&Totals, &Part) -> io::Result<Flow>,
    /// The threads to play on; those of the process if nothing is given. Never a pool that this thread
    /// belongs to, since it waits.
    pub pool: Option<&'a ThreadPool>,
}

/// Chunks a thread that may wait for an earlier one: few, so that memory does not grow with the run.
const CHUNKS_AHEAD: u64 = 8;

/// Plays on from where `totals` ends, up to chunk number `end`.
///
/// # Errors
/// What `after` comes back with.
pub fn run<E: Experiment>(
    experiment: &E,
    plan: &Plan,
    totals: &mut Totals,
    end: u64,
    outside: Outside<'_>,
) -> io::Result<()> {
    let Outside { stop, after, pool } = outside;
    let idle: Mutex<Vec<E::Worker>> = Mutex::new(Vec::new());
    let enough = AtomicBool::new(false);
    let play = |chunk: u64| {
        if enough.load(Ordering::Relaxed) || stop() {
            return None;
        }
        let waiting = idle.lock().expect("no worker panics with the list").pop();
        let mut worker = waiting.unwrap_or_else(|| experiment.worker());
        let part = experiment.play(&mut worker, plan.blocks_of(chunk..chunk + 1));
        idle.lock().expect("no worker panics with the list").push(worker);
        Some(part)
    };
    let threads = pool.map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads);
    let (send, receive) = mpsc::channel();
    let mut next = totals.chunks.end;
    let mut early: BTreeMap<u64, Option<Part>> = BTreeMap::new();
    in_scope(pool, |scope| {
        while totals.chunks.end < end {
            while next < end.min(totals.chunks.end + CHUNKS_AHEAD * threads as u64) {
                let (send, play, chunk) = (send.clone(), &play, next);
                scope.spawn_fifo(move |_| {
                    let played = catch_unwind(AssertUnwindSafe(|| play(chunk)));
                    // Nobody listens any more once the run has ended.
                    let _ = send.send((chunk, played));
                });
                next += 1;
            }
            let (chunk, played) = receive.recv().expect("this thread can send, too");
            early.insert(chunk, played.unwrap_or_else(|panic| resume_unwind(panic)));
            while let Some(part) = early.remove(&totals.chunks.end) {
                let Some(part) = part else { return Ok(()) };
                totals.add(plan, &part);
                let flow = after(totals, &part);
                if !matches!(flow, Ok(Flow::On)) {
                    enough.store(true, Ordering::Relaxed);
                    return flow.map(|_| ());
                }
            }
        }
        Ok(())
    })
}

/// A scope on a pool of threads, or on those of the process.
fn in_scope<'scope, R>(pool: Option<&ThreadPool>, work: impl FnOnce(&ScopeFifo<'scope>) -> R) -> R {
    match pool {
        Some(pool) => pool.in_place_scope_fifo(work),
        None => rayon::in_place_scope_fifo(work),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts its blocks and the sum of their numbers.
    struct Sum;

    impl Experiment for Sum {
        type Worker = ();

        fn worker(&self) {}

        fn width(&self) -> usize {
            2
        }

        fn anomalies(&self) -> usize {
            1
        }

        fn play(&self, (): &mut (), blocks: Range<u64>) -> Part {
            let rows = blocks.clone().map(|block| (block % 251) as u8).collect();
            let sums = vec![blocks.clone().count() as u64, blocks.clone().sum()];
            let first = blocks.clone().find(|block| block % 5 == 4).map(|block| (block, 0));
            Part { sums, firsts: vec![first], rows }
        }
    }

    #[allow(clippy::unnecessary_wraps, reason = "what a run expects")]
    fn on(_: &Totals, _: &Part) -> io::Result<Flow> {
        Ok(Flow::On)
    }

    fn played(plan: &Plan, chunks: Range<u64>) -> Totals {
        let mut totals = Totals::new(2, 1, chunks.start);
        let outside = Outside { stop: &|| false, after: &mut on, pool: None };
        run(&Sum, plan, &mut totals, chunks.end, outside).unwrap();
        totals
    }

    #[test]
    fn chunks_are_merged_in_order_and_parts_make_the_whole() {
        let plan = Plan { blocks: 1003, chunk: 10 };
        let whole = played(&plan, 0..plan.chunks());
        assert_eq!((whole.grouped.sum(0), whole.grouped.sum(1)), (1003, 1003 * 1002 / 2));
        assert_eq!(whole.firsts, [Some((4, 0))]);
        let mut merged = played(&plan, 0..33);
        merged.append(&played(&plan, 33..60));
        merged.append(&played(&plan, 60..101));
        assert_eq!(merged, whole);
    }

    #[test]
    fn rows_come_in_order_and_a_stop_throws_away_what_lies_beyond() {
        let plan = Plan { blocks: 1000, chunk: 3 };
        let mut rows = Vec::new();
        let mut totals = Totals::new(2, 1, 0);
        let mut after = |totals: &Totals, part: &Part| {
            rows.extend_from_slice(&part.rows);
            Ok(if totals.blocks() >= 60 { Flow::Stop } else { Flow::On })
        };
        let outside = Outside { stop: &|| false, after: &mut after, pool: None };
        run(&Sum, &plan, &mut totals, plan.chunks(), outside).unwrap();
        assert_eq!(rows, (0..60).collect::<Vec<u8>>());
        assert_eq!(totals, played(&plan, 0..20));
    }

    #[test]
    fn an_error_ends_the_run() {
        let plan = Plan { blocks: 1000, chunk: 1 };
        let mut totals = Totals::new(2, 1, 0);
        let mut after = |totals: &Totals, _: &Part| {
            if totals.blocks() < 7 { Ok(Flow::On) } else { Err(io::Error::other("full")) }
        };
        let outside = Outside { stop: &|| false, after: &mut after, pool: None };
        assert!(run(&Sum, &plan, &mut totals, plan.chunks(), outside).is_err());
        assert_eq!(totals.blocks(), 7);
    }

    #[test]
    #[should_panic(expected = "broken")]
    fn a_panic_of_a_worker_is_a_panic_of_the_run() {
        struct Broken;
        impl Experiment for Broken {
            type Worker = ();
            fn worker(&self) {}
            fn width(&self) -> usize {
                0
            }
            fn anomalies(&self) -> usize {
                0
            }
            fn play(&self, (): &mut (), _: Range<u64>) -> Part {
                panic!("broken")
            }
        }
        let outside = Outside { stop: &|| false, after: &mut on, pool: None };
        let plan = Plan { blocks: 9, chunk: 1 };
        let _ = run(&Broken, &plan, &mut Totals::new(0, 0, 0), 9, outside);
    }
}
