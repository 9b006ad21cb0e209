//! Plays the stages of a search on all cores, or reads from its log what came of them.

use crate::lab::questions::searches;
use crate::lab::questions::searches::search::{CourseStage, Halt, Stage, StageSums, Stages};
use crate::lab::report::manifest::{Shard, Wave};
use crate::lab::run::caller::Progress;
use crate::lab::run::session::play_blocks;
use crate::lab::run::stage_table::{StageContext, Taught};
use crate::lab::store::chunk_log::ByChunk;
use crate::lab::store::stage_log::{ExpectedChunk, Log, WAVE};
use crate::sim::batch::{Flow, MergedPiece, Totals};
use crate::sim::course::{CourseState, Learner, Session};
use crate::sim::learn::{WeightCourse, WeightState};
use crate::sim::learn_net::{NetCourse, NetState};
use crate::sim::trials::{self, ANOMALIES};
use crate::stats::jackknife::Grouped;
use anyhow::{Context as _, Result, ensure};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

/// The most decisions of a match: far more than any has.
const DECISIONS_MAX: u64 = 1 << 24;

/// What is said of a log that was forged.
const IMPOSSIBLE: &str = "the log holds sums that no matches have";

/// Whoever plays the stages of one search.
pub struct StagePlayer<'a> {
    /// What they are played with.
    pub table: StageContext<'a>,
    /// Hears how far the search is.
    pub progress: &'a mut dyn Progress,
    /// The log of the search.
    pub log: Log,
    /// Time between two moments at which the log is on the disk.
    pub save_every: Duration,
    /// What comes behind the end of the log.
    pub behind: AfterLog,
    /// Whether a part has played all of its share.
    pub share_is_done: bool,
    /// Chunks, by their places in the log, that are played again and compared with it.
    pub again: BTreeSet<u64>,
    /// What has been played or read.
    pub counted: PlayedStages,
    /// Whether anything was played that the log did not have.
    pub has_played: bool,
    saved: Duration,
    standing: String,
}

/// What comes behind the end of the log.
pub enum AfterLog {
    /// The stages that follow are played here.
    Played,
    /// A part of the next wave is played, and logged apart.
    Part(Share),
    /// The parts of the next wave were played elsewhere: their chunks are put into the log.
    Parts(Vec<Share>),
}

/// A part of a wave of a search. The wave is what is left of the stage that is due, or the first blocks of that.
pub struct Share {
    /// Where its log lies.
    pub directory: PathBuf,
    /// How many blocks the wave has at most.
    pub wave: Wave,
    /// Which part of it this is; all of it, if there is none.
    pub shard: Option<Shard>,
}

impl Share {
    /// Its chunks of a stage of which the first ones were played.
    fn chunks(&self, stage: &Stage, first: u64) -> Range<u64> {
        let plan = stage.chunking();
        let most = self.wave.blocks.div_ceil(plan.chunk);
        let all = first..first.saturating_add(most).min(plan.chunks());
        self.shard.map_or(all.clone(), |shard| shard.of(all))
    }
}

/// What a search has played, or read from its log.
#[derive(Debug, Clone)]
pub struct PlayedStages {
    /// What every experiment counts.
    pub sums: Grouped,
    /// Chunks of all stages.
    pub chunks: u64,
    /// Matches, those in which an agent failed included.
    pub matches: u64,
    /// Blocks that were played again.
    pub again: u64,
    /// What differs where chunks were played again.
    pub faults: Vec<String>,
}

impl PlayedStages {
    fn new() -> PlayedStages {
        let sums = Grouped::new(trials::COMMON);
        PlayedStages { sums, chunks: 0, matches: 0, again: 0, faults: Vec::new() }
    }

    /// Adds a chunk whose blocks have some matches each.
    fn add(&mut self, matches: usize, due: ExpectedChunk, sums: &[u64]) {
        self.sums.add(self.chunks, due.blocks, &sums[..trials::COMMON]);
        self.chunks += 1;
        self.matches += due.blocks * matches as u64;
    }
}

impl<'a> StagePlayer<'a> {
    /// Before the first stage.
    pub fn new(
        table: StageContext<'a>,
        progress: &'a mut dyn Progress,
        log: Log,
    ) -> StagePlayer<'a> {
        StagePlayer {
            table,
            progress,
            log,
            save_every: Duration::ZERO,
            behind: AfterLog::Played,
            share_is_done: false,
            again: BTreeSet::new(),
            counted: PlayedStages::new(),
            has_played: false,
            saved: table.watch.now(),
            standing: String::new(),
        }
    }

    /// Reads what the log has of a stage, up to a chunk.
    fn recall(&mut self, stage: &Stage, totals: &mut Totals, end: u64) -> Result<()> {
        let mut again: Vec<(u64, Vec<u64>)> = Vec::new();
        while totals.chunks.end < end {
            let due = due(stage, totals.chunks.end, totals.grouped.width());
            let Some(sums) = self.log.next(due)? else { break };
            ensure!(is_possible(stage, due, &sums), IMPOSSIBLE);
            if self.again.contains(&self.counted.chunks) {
                self.counted.again += due.blocks;
                again.push((due.chunk, sums.clone()));
            }
            totals.grouped.add(due.chunk, due.blocks, &sums);
            totals.chunks.end += 1;
            self.counted.add(stage.matches.len(), due, &sums);
        }
        if !again.is_empty() {
            self.counted.faults.extend(self.table.compare(stage, &again)?);
        }
        Ok(())
    }

    /// Reads a session of learning from the log, or plays and logs it. Its line has what every experiment counts, then
    /// where the course stands.
    fn run_session<C: Taught>(
        &mut self,
        stage: &CourseStage<'_, C>,
    ) -> Result<CourseState<C::Learner>, Halt> {
        self.set_status(stage.what);
        let width = trials::COMMON + stage.state.encode().len();
        let due = ExpectedChunk { stage: stage.name(), chunk: 0, blocks: stage.matches(), width };
        if let Some(sums) = self.log.next(due)? {
            return Ok(self.recall_session(stage, due, &sums)?);
        }
        self.ensure_plays_on()?;
        self.has_played = true;
        self.begin_choices(due.stage)?;
        let session = C::session(stage, self.table)?.ok_or(Halt::Stopped)?;
        let sums = line(&session);
        self.counted.add(1, due, &sums);
        self.log.add(due, &sums)?;
        let now = self.table.watch.now();
        if now.saturating_sub(self.saved) >= self.save_every {
            self.log.sync()?;
            self.saved = now;
        }
        self.progress.set(self.counted.matches, &|| Some(self.standing.clone()));
        Ok(session.state)
    }

    /// Makes the choices of searches that are kept those of this stage: what came of others is on the
    /// disk.
    fn begin_choices(&mut self, stage: u64) -> Result<()> {
        let Some(choices) = self.table.timing.choices() else { return Ok(()) };
        if choices.has_other_than(stage) {
            self.log.sync()?;
        }
        choices.begin_stage(stage);
        Ok(())
    }

    /// Whether sessions of learning may be played where the log ends.
    fn ensure_plays_on(&self) -> Result<()> {
        ensure!(matches!(self.behind, AfterLog::Played), "learning can't be cut into parts");
        self.log.ensure_grows()
    }

    /// Reads a session of learning from its line of the log.
    fn recall_session<C: Taught>(
        &mut self,
        stage: &CourseStage<'_, C>,
        due: ExpectedChunk,
        sums: &[u64],
    ) -> Result<CourseState<C::Learner>> {
        let (common, words) = sums.split_at(trials::COMMON);
        let first = stage.state.played;
        let read = stage
            .state
            .decode(words)
            .filter(|read| read.played == first + due.blocks && is_common(1, due, common));
        let read = read.context(IMPOSSIBLE)?;
        if self.again.contains(&self.counted.chunks) {
            self.counted.again += due.blocks;
            if C::session(stage, self.table)?.is_none_or(|session| line(&session) != sums) {
                let last = first + due.blocks - 1;
                let fault = format!("learning: matches {first} to {last} differ");
                self.counted.faults.push(fault);
            }
        }
        self.counted.add(1, due, sums);
        Ok(read)
    }

    /// What comes behind the end of the log, which is where these totals are.
    fn go_on(&mut self, stage: &Stage, totals: &mut Totals) -> Result<()> {
        match &mut self.behind {
            AfterLog::Played => self.play_on(stage, totals, stage.chunking().chunks()),
            AfterLog::Part(share) => {
                let chunks = share.chunks(stage, totals.chunks.end);
                self.log = Log::resume(&share.directory, WAVE, self.log.hash())?;
                self.counted = PlayedStages::new();
                let mut own = Totals::new(totals.grouped.width(), ANOMALIES.len(), chunks.start);
                self.recall(stage, &mut own, chunks.end)?;
                if own.chunks.end < chunks.end {
                    self.play_on(stage, &mut own, chunks.end)?;
                }
                self.share_is_done = own.chunks.end == chunks.end;
                Ok(())
            }
            AfterLog::Parts(shares) => {
                let shares = std::mem::take(shares);
                let (first, hash) = (totals.chunks.end, self.log.hash());
                shares.iter().try_for_each(|share| {
                    self.import_part(stage, totals, share.chunks(stage, first), (share, hash))
                })
            }
        }
    }

    /// Puts the chunks of a part that was played elsewhere into the log, which ended with a hash before the wave.
    fn import_part(
        &mut self,
        stage: &Stage,
        totals: &mut Totals,
        chunks: Range<u64>,
        (share, hash): (&Share, u64),
    ) -> Result<()> {
        let mut log = Log::read(&share.directory, WAVE, hash)?;
        for chunk in chunks {
            let due = due(stage, chunk, totals.grouped.width());
            let ended = || format!("part `{}` has too few chunks", share.directory.display());
            let sums = log.next(due)?.with_context(ended)?;
            ensure!(is_possible(stage, due, &sums), IMPOSSIBLE);
            self.log.add(due, &sums)?;
            totals.grouped.add(due.chunk, due.blocks, &sums);
            totals.chunks.end += 1;
            self.counted.add(stage.matches.len(), due, &sums);
        }
        log.end()
    }

    /// Plays what the log does not have of a stage, up to a chunk, and logs it.
    fn play_on(&mut self, stage: &Stage, totals: &mut Totals, end: u64) -> Result<()> {
        self.log.ensure_grows()?;
        self.has_played = true;
        self.begin_choices(stage.name())?;
        let experiment = self.table.experiment(stage)?;
        let StagePlayer { table, progress, log, save_every, counted, saved, standing, .. } = self;
        let StageContext { watch, timing, .. } = *table;
        let (plan, width) = (stage.chunking(), totals.grouped.width());
        let mut by_chunk = ByChunk::behind(totals);
        let mut after = |totals: &Totals, step: &MergedPiece<'_>| {
            if step.digest.is_none() {
                return Ok(Flow::On);
            }
            let sums = by_chunk.next(totals);
            let due = due(stage, totals.chunks.end - 1, width);
            counted.add(stage.matches.len(), due, &sums);
            log.add(due, &sums)?;
            if watch.now().saturating_sub(*saved) >= *save_every {
                log.sync()?;
                *saved = watch.now();
                if let Some(choices) = timing.choices() {
                    choices.forget_before(stage.blocks.start + totals.next_block(&plan));
                }
            }
            progress.set(counted.matches, &|| Some(standing.clone()));
            Ok(Flow::On)
        };
        play_blocks(&experiment, &plan, totals, end, (watch, timing), &mut after)
    }
}

/// A session's line of the log.
fn line<L: Learner>(session: &Session<L>) -> Vec<u64> {
    [&session.counts[..], &session.state.encode()].concat()
}

/// The chunk of a stage that comes next.
fn due(stage: &Stage, chunk: u64, width: usize) -> ExpectedChunk {
    let blocks = stage.chunking().blocks_of(chunk..chunk + 1);
    ExpectedChunk { stage: stage.name(), chunk, blocks: blocks.end - blocks.start, width }
}

/// Whether matches can have these sums. What is added up here is then far from overflowing.
fn is_possible(stage: &Stage, due: ExpectedChunk, sums: &[u64]) -> bool {
    let (common, counts) = sums.split_at(trials::COMMON);
    // With restricted seats, and of whole matches, turns are added up, and a turn has a decision.
    let most = match stage.counted {
        searches::search::Metric::Restricted(_) | searches::search::Metric::Whole => DECISIONS_MAX,
        _ => 1,
    };
    let most = due.blocks.saturating_mul(most);
    is_common(stage.matches.len(), due, common) && counts.iter().all(|&count| count <= most)
}

/// The same of what every experiment counts.
fn is_common(matches: usize, due: ExpectedChunk, common: &[u64]) -> bool {
    let matches = due.blocks.saturating_mul(matches as u64);
    let anomalies = &common[trials::ANOMALY..trials::ANOMALY + ANOMALIES.len()];
    common[trials::BLOCKS] == due.blocks
        && common[trials::MATCHES] <= matches
        && common[trials::DECISIONS] <= matches.saturating_mul(DECISIONS_MAX)
        && anomalies.iter().all(|&count| count <= matches)
}

impl Stages for StagePlayer<'_> {
    fn play(&mut self, stage: &Stage) -> Result<StageSums, Halt> {
        self.table.check(stage)?;
        self.set_status(&stage.what);
        let width = trials::COMMON + stage.count().width();
        let mut totals = Totals::new(width, ANOMALIES.len(), 0);
        self.recall(stage, &mut totals, stage.chunking().chunks())?;
        if totals.chunks.end < stage.chunking().chunks() {
            self.go_on(stage, &mut totals)?;
        }
        if totals.chunks.end < stage.chunking().chunks() {
            return Err(Halt::Stopped);
        }
        Ok(StageSums::new(stage, totals.grouped))
    }

    fn learn(&mut self, stage: &CourseStage<'_, WeightCourse>) -> Result<WeightState, Halt> {
        self.run_session(stage)
    }

    fn learn_net(&mut self, stage: &CourseStage<'_, NetCourse>) -> Result<NetState, Halt> {
        self.run_session(stage)
    }

    fn set_status(&mut self, standing: &str) {
        standing.clone_into(&mut self.standing);
    }
}
