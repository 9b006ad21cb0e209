//! Many blocks on all cores. Blocks are played in pieces, in any order, and merged in theirs, so the sums and
//! the rows are the same for any number of threads, and for any point at which a run was broken off.
//!
//! A chunk is what the plan counts together: it has a group of the jackknife and a digest, and a watched run
//! looks at its data after each. A piece is what a thread plays at a stretch: a chunk, or less of it where
//! agents are slow, so that a run can be saved and stopped soon. Pieces are cut by time, and leave no trace.

use crate::core::watch::{Watch, awaited};
use crate::sim::experiment::{ANOMALIES_MAX, BlockSums, Experiment, MatchId, Worker};
use crate::sim::looks::Looks;
use crate::stats::jackknife::Grouped;
use crate::stats::lists::at_most;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// How many blocks, and how they are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunking {
    /// Blocks in all.
    pub blocks: u64,
    /// Blocks that are played at a stretch and counted together; from the plan, never from the threads.
    pub chunk: u64,
}

impl Chunking {
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

/// What has been played: the chunks of a range, and the first blocks of the chunk behind them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// The chunks that were played whole.
    pub chunks: Range<u64>,
    /// Sums by group, the blocks of the chunk under way included.
    pub grouped: Grouped,
    /// The first match of each anomaly.
    #[serde(deserialize_with = "at_most::<ANOMALIES_MAX, _, _>")]
    pub firsts: Vec<Option<MatchId>>,
    /// The chunk under way, if some of its blocks were played.
    pub open: Option<Open>,
    /// What was seen on the way, if the run keeps it.
    pub looks: Option<Looks>,
}

/// The first blocks of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// How many they are, one at least.
    pub blocks: u64,
    /// What came of them, for the chunk's digest; without rows.
    pub played: BlockSums,
}

impl Totals {
    /// Nothing yet, of the chunks from `first` on.
    pub fn new(width: usize, anomalies: usize, first: u64) -> Totals {
        let firsts = vec![None; anomalies];
        let grouped = Grouped::new(width);
        Totals { chunks: first..first, grouped, firsts, open: None, looks: None }
    }

    /// The same, which keep looks if that is wanted.
    pub fn keeping_looks(self, keeps: bool) -> Totals {
        Totals { looks: keeps.then(Looks::default), ..self }
    }

    /// All blocks of a chunk were added.
    pub fn end_chunk(&mut self) {
        self.chunks.end += 1;
        if let Some(looks) = &mut self.looks {
            looks.note(self.chunks.end, &self.grouped);
        }
    }

    /// Blocks played.
    pub fn blocks(&self) -> u64 {
        self.grouped.blocks()
    }

    /// The number of the block behind all that was played.
    pub fn next_block(&self, plan: &Chunking) -> u64 {
        let first = plan.blocks_of(self.chunks.end..self.chunks.end + 1).start;
        first + self.open.as_ref().map_or(0, |open| open.blocks)
    }

    /// Adds the next blocks, all of one chunk. Returns the chunk's digest if they are its last.
    fn add(
        &mut self,
        plan: &Chunking,
        blocks: u64,
        played: &BlockSums,
        experiment: &dyn Experiment,
    ) -> Option<u32> {
        let chunk = self.chunks.end;
        self.grouped.add(chunk, blocks, &played.sums);
        self.note_firsts(&played.firsts);
        let all = plan.blocks_of(chunk..chunk + 1);
        if self.open.is_none() && blocks == all.end - all.start {
            self.end_chunk();
            return Some(experiment.digest(played));
        }
        let mut open = self.open.take().unwrap_or_else(|| Open {
            blocks: 0,
            played: BlockSums::new(played.sums.len(), played.firsts.len()),
        });
        open.blocks += blocks;
        open.played.append(played);
        if open.blocks < all.end - all.start {
            self.open = Some(open);
            return None;
        }
        self.end_chunk();
        Some(experiment.digest(&open.played))
    }

    /// Adds the chunks that come right behind these.
    ///
    /// # Panics
    /// If they don't.
    pub fn append(&mut self, next: &Totals) {
        assert_eq!(self.chunks.end, next.chunks.start, "parts are merged in order");
        assert_eq!(self.open, None, "parts are merged whole");
        self.grouped.merge(&next.grouped);
        self.note_firsts(&next.firsts);
        self.chunks.end = next.chunks.end;
        self.open.clone_from(&next.open);
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

/// Blocks that were just added to the totals.
#[derive(Debug, Clone, Copy)]
pub struct MergedPiece<'a> {
    /// Their rows.
    pub rows: &'a [u8],
    /// The digest of the chunk that they end, if they end one. Runs that watch their data look at it then.
    pub digest: Option<u32>,
}

/// What a batch needs from outside.
pub struct Outside<'a> {
    /// The host, which may stop the batch: asked before blocks are begun and after they were played, from all threads.
    /// What ends after it says so is thrown away, so experiments and searches may break off. By its clock, work is cut
    /// into pieces that take about a second each; no result depends on it.
    pub watch: &'a Watch,
    /// Another reason to stop, asked likewise.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Sees each step in order, after it was added; its error ends the batch.
    pub after: &'a mut dyn FnMut(&Totals, &MergedPiece<'_>) -> io::Result<Flow>,
}

impl<'a> Outside<'a> {
    /// A batch that the host alone may stop.
    pub fn new(
        watch: &'a Watch,
        after: &'a mut dyn FnMut(&Totals, &MergedPiece<'_>) -> io::Result<Flow>,
    ) -> Outside<'a> {
        Outside { watch, is_over: &|| false, after }
    }
}

/// Pieces a thread that may wait for an earlier one: few, so that memory does not grow with the run.
const PIECES_AHEAD: u64 = 8;

/// How long a thread works on one piece, if its blocks are short enough.
const PIECE: Duration = Duration::from_secs(1);

/// How many blocks the next piece has: from the time that the last ones took.
struct Pace<'a> {
    watch: &'a Watch,
    blocks: AtomicU64,
}

impl Pace<'_> {
    /// No more than the rest of the chunk, so that a chunk of a fast run is one piece.
    fn piece(&self, next: u64, plan: &Chunking) -> Range<u64> {
        let chunk = next / plan.chunk;
        let end = plan.blocks_of(chunk..chunk + 1).end;
        next..end.min(next + self.blocks.load(Ordering::Relaxed))
    }

    /// Plays, and takes the time. Pieces grow by eight times at most, since the first may be short by chance.
    fn timed<T>(&self, blocks: u64, play: impl FnOnce() -> T) -> T {
        let start = self.watch.now();
        let played = play();
        let spent = self.watch.now().saturating_sub(start).as_nanos().max(1);
        let fitting = PIECE.as_nanos().saturating_mul(u128::from(blocks)) / spent;
        let fitting = u64::try_from(fitting).unwrap_or(u64::MAX).clamp(1, 8 * blocks);
        self.blocks.store(fitting, Ordering::Relaxed);
        played
    }
}

/// A piece by its first block: how many blocks it has, and what came of them, if they were played.
type Piece = (u64, Option<BlockSums>);

/// Plays on from where `totals` ends, up to chunk number `end`.
///
/// # Errors
/// Returns the error of `after`.
pub fn run(
    experiment: &dyn Experiment,
    plan: &Chunking,
    totals: &mut Totals,
    end: u64,
    outside: Outside<'_>,
) -> io::Result<()> {
    let Outside { watch, is_over, after } = outside;
    let stop = || watch.is_stopped() || is_over();
    let idle: Mutex<Vec<Box<dyn Worker + '_>>> = Mutex::new(Vec::new());
    let enough = AtomicBool::new(false);
    let pace = Pace { watch, blocks: AtomicU64::new(1) };
    let play = |blocks: Range<u64>| {
        if enough.load(Ordering::Relaxed) || stop() {
            return None;
        }
        let waiting = idle.lock().expect("no worker panics with the list").pop();
        let mut worker = waiting.unwrap_or_else(|| experiment.worker());
        let length = blocks.end - blocks.start;
        let played = pace.timed(length, || worker.play(blocks));
        idle.lock().expect("no worker panics with the list").push(worker);
        (!stop()).then_some(played)
    };
    let threads = watch.threads();
    let (send, receive) = mpsc::channel();
    let last = plan.blocks_of(totals.chunks.end..end).end;
    let mut next = totals.next_block(plan);
    let mut under_way = 0;
    let mut early: BTreeMap<u64, Piece> = BTreeMap::new();
    watch.in_scope(|scope| {
        while totals.chunks.end < end {
            while next < last && under_way < PIECES_AHEAD * threads as u64 {
                let (send, play, blocks) = (send.clone(), &play, pace.piece(next, plan));
                next = blocks.end;
                under_way += 1;
                scope.spawn_fifo(move |_| {
                    let (start, length) = (blocks.start, blocks.end - blocks.start);
                    let played = catch_unwind(AssertUnwindSafe(|| play(blocks)));
                    // Nobody listens any more once the run has ended.
                    let _ = send.send((start, length, played));
                });
            }
            assert!(under_way > early.len() as u64, "the next piece is being played");
            let (start, length, played) = awaited(&receive);
            let played = played.unwrap_or_else(|panic| resume_unwind(panic));
            early.insert(start, (length, played));
            while let Some((blocks, played)) = early.remove(&totals.next_block(plan)) {
                under_way -= 1;
                let Some(played) = played else { return Ok(()) };
                let digest = totals.add(plan, blocks, &played, experiment);
                let flow = after(totals, &MergedPiece { rows: &played.rows, digest });
                if !matches!(flow, Ok(Flow::On)) {
                    enough.store(true, Ordering::Relaxed);
                    return flow.map(|_| ());
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::watch::Host;
    use std::sync::Arc;

    /// Counts its blocks and the sum of their numbers.
    struct Sum;

    impl Experiment for Sum {
        fn worker(&self) -> Box<dyn Worker + '_> {
            Box::new(Sum)
        }

        fn width(&self) -> usize {
            2
        }

        fn anomalies(&self) -> usize {
            1
        }
    }

    impl Worker for Sum {
        fn play(&mut self, blocks: Range<u64>) -> BlockSums {
            let rows = blocks.clone().map(|block| (block % 251) as u8).collect();
            let sums = vec![blocks.clone().count() as u64, blocks.clone().sum()];
            let first = blocks.clone().find(|block| block % 5 == 4).map(|block| (block, 0));
            BlockSums { sums, firsts: vec![first], rows }
        }
    }

    #[allow(clippy::unnecessary_wraps, reason = "what a run expects")]
    fn on(_: &Totals, _: &MergedPiece<'_>) -> io::Result<Flow> {
        Ok(Flow::On)
    }

    fn played(plan: &Chunking, chunks: Range<u64>) -> Totals {
        let mut totals = Totals::new(2, 1, chunks.start);
        run(&Sum, plan, &mut totals, chunks.end, Outside::new(&Watch::none(), &mut on)).unwrap();
        totals
    }

    /// Chunks of 30 blocks from 60 on, the last of 5: 7 blocks, then 23, then the last 5.
    #[test]
    fn the_next_block_lies_behind_all_that_was_played() {
        let plan = Chunking { blocks: 95, chunk: 30 };
        let mut totals = Totals::new(2, 1, 2);
        assert_eq!(totals.next_block(&plan), 60);
        for (blocks, next, ends) in [(60..67, 67, false), (67..90, 90, true), (90..95, 95, true)] {
            let count = blocks.end - blocks.start;
            let digest = totals.add(&plan, count, &Sum.play(blocks), &Sum);
            assert_eq!((totals.next_block(&plan), digest.is_some()), (next, ends));
        }
        assert_eq!((totals.chunks, totals.grouped.blocks()), (2..4, 35));
    }

    #[test]
    fn chunks_are_merged_in_order_and_parts_make_the_whole() {
        let plan = Chunking { blocks: 1003, chunk: 10 };
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
        let plan = Chunking { blocks: 1000, chunk: 3 };
        let mut rows = Vec::new();
        let mut totals = Totals::new(2, 1, 0);
        let mut after = |totals: &Totals, step: &MergedPiece<'_>| {
            rows.extend_from_slice(step.rows);
            let looks = step.digest.is_some();
            Ok(if looks && totals.blocks() >= 60 { Flow::Stop } else { Flow::On })
        };
        run(&Sum, &plan, &mut totals, plan.chunks(), Outside::new(&Watch::none(), &mut after))
            .unwrap();
        assert_eq!(rows, (0..60).collect::<Vec<u8>>());
        assert_eq!(totals, played(&plan, 0..20));
    }

    #[test]
    fn pieces_leave_no_trace() {
        /// A clock that runs so fast that a piece is one block.
        struct Fast(AtomicU64);
        impl Host for Fast {
            fn now(&self) -> Duration {
                Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
            }
        }
        let plan = Chunking { blocks: 1003, chunk: 100 };
        let play = |watch: &Watch| {
            let (mut digests, mut steps) = (Vec::new(), 0);
            let mut after = |_: &Totals, step: &MergedPiece<'_>| {
                digests.extend(step.digest);
                steps += 1;
                Ok(Flow::On)
            };
            let mut totals = Totals::new(2, 1, 0);
            let outside = Outside::new(watch, &mut after);
            run(&Sum, &plan, &mut totals, plan.chunks(), outside).unwrap();
            (totals, digests, steps)
        };
        let (slow, fast) = (play(&Watch::none()), play(&Watch::new(Fast(AtomicU64::new(0)))));
        assert_eq!((&slow.0, &slow.1), (&fast.0, &fast.1));
        assert_eq!((slow.1.len(), fast.2), (11, 1003));
        assert!(slow.2 < 500, "{} pieces", slow.2);
    }

    #[test]
    fn a_run_goes_on_in_the_midst_of_a_chunk() {
        let plan = Chunking { blocks: 95, chunk: 30 };
        let whole = played(&plan, 0..plan.chunks());
        for stop in 1..95 {
            let mut totals = Totals::new(2, 1, 0);
            let mut after = |totals: &Totals, _: &MergedPiece<'_>| {
                Ok(if totals.blocks() >= stop { Flow::Stop } else { Flow::On })
            };
            run(&Sum, &plan, &mut totals, plan.chunks(), Outside::new(&Watch::none(), &mut after))
                .unwrap();
            run(&Sum, &plan, &mut totals, plan.chunks(), Outside::new(&Watch::none(), &mut on))
                .unwrap();
            assert_eq!(totals, whole, "{stop}");
        }
    }

    /// Stops when it is told to.
    #[derive(Clone, Default)]
    struct Stop(Arc<AtomicBool>);
    impl Host for Stop {
        fn is_stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// The host stops it, or a guest that failed in another match has spoiled it.
    #[test]
    fn what_ends_after_the_stop_is_thrown_away() {
        let plan = Chunking { blocks: 50, chunk: 10 };
        for spoils in [false, true] {
            let stop = Stop::default();
            let watch = Watch::new(stop.clone()).of_a_run();
            let mut after = |totals: &Totals, _: &MergedPiece<'_>| {
                match totals.blocks() >= 20 {
                    true if spoils => watch.spoil(),
                    at_end => stop.0.store(at_end, Ordering::Relaxed),
                }
                Ok(Flow::On)
            };
            let mut totals = Totals::new(2, 1, 0);
            let outside = Outside::new(&watch, &mut after);
            run(&Sum, &plan, &mut totals, plan.chunks(), outside).unwrap();
            let blocks = totals.blocks();
            assert_eq!(totals.grouped.sum(1), (0..blocks).sum::<u64>(), "{blocks} without gaps");
            assert!(watch.is_stopped() && watch.is_called_off() != spoils);
        }
    }

    #[test]
    fn an_error_ends_the_run() {
        let plan = Chunking { blocks: 1000, chunk: 1 };
        let mut totals = Totals::new(2, 1, 0);
        let mut after = |totals: &Totals, _: &MergedPiece<'_>| {
            if totals.blocks() < 7 { Ok(Flow::On) } else { Err(io::Error::other("full")) }
        };
        let watch = Watch::none();
        let outside = Outside::new(&watch, &mut after);
        assert!(run(&Sum, &plan, &mut totals, plan.chunks(), outside).is_err());
        assert_eq!(totals.blocks(), 7);
    }

    #[test]
    #[should_panic(expected = "broken")]
    fn a_panic_of_a_worker_is_a_panic_of_the_run() {
        struct Broken;
        impl Experiment for Broken {
            fn worker(&self) -> Box<dyn Worker + '_> {
                Box::new(Broken)
            }
            fn width(&self) -> usize {
                0
            }
            fn anomalies(&self) -> usize {
                0
            }
        }
        impl Worker for Broken {
            fn play(&mut self, _: Range<u64>) -> BlockSums {
                panic!("broken")
            }
        }
        let plan = Chunking { blocks: 9, chunk: 1 };
        let _ = run(
            &Broken,
            &plan,
            &mut Totals::new(0, 0, 0),
            9,
            Outside::new(&Watch::none(), &mut on),
        );
    }
}
