//! Plays the stages of a search on all cores, or reads from its log what came of them.

use crate::lab::caller::Progress;
use crate::lab::rules::changed;
use crate::lab::searches;
use crate::lab::searches::search::{Halt, LessonStage, NetStage, Stage, StageSums, Stages};
use crate::lab::stage_log::{Due, Log};
use crate::sim::agents::mcts::Watch;
use crate::sim::any_game::{LoadedGame, Seated, TrialsPlan};
use crate::sim::batch::{self, Flow, MergedPiece, Outside, Totals};
use crate::sim::experiment::{BlockSums, Experiment, Worker};
use crate::sim::learn::Standing;
use crate::sim::learn_net::NetStanding;
use crate::sim::timing::Timing;
use crate::sim::trials::{self, ANOMALIES, Section};
use crate::stats::jackknife::Grouped;
use anyhow::{Context as _, Result, ensure};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::time::Duration;

/// The most agents of a stage.
pub const AGENTS_MAX: usize = 64;
/// The most matches of a block of a stage.
const MATCHES_MAX: usize = 1 << 12;
/// The most decisions of a match: far more than any has.
const DECISIONS_MAX: u64 = 1 << 24;

/// What is said of a log that was forged.
const IMPOSSIBLE: &str = "the log holds sums that no matches have";

/// What stages are played with.
#[derive(Clone, Copy)]
pub struct Table<'a> {
    /// The game.
    pub game: &'a dyn LoadedGame,
    /// What searching agents ask of the outside.
    pub watch: Watch,
    /// The time that they think, for [`AGENTS_MAX`] agents.
    pub timing: &'a Timing,
}

/// Whoever plays the stages of one search.
pub struct StagePlayer<'a> {
    /// What they are played with.
    pub table: Table<'a>,
    /// Hears how far the search is.
    pub progress: &'a mut dyn Progress,
    /// The log of the search.
    pub log: Log,
    /// Time between two moments at which the log is on the disk.
    pub save_every: Duration,
    /// Chunks, by their places in the log, that are played again and compared with it.
    pub again: BTreeSet<u64>,
    /// What has been played or read.
    pub counted: Counted,
    /// Whether anything was played that the log did not have.
    pub has_played: bool,
    saved: Duration,
    standing: String,
}

/// What a search has played, or read from its log.
#[derive(Debug, Clone)]
pub struct Counted {
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

/// An experiment of which the runner plays the blocks behind some others: it counts from 0.
struct Behind<'a> {
    experiment: Box<dyn Experiment + 'a>,
    first: u64,
}

struct BehindWorker<'a> {
    worker: Box<dyn Worker + 'a>,
    first: u64,
}

impl Experiment for Behind<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(BehindWorker { worker: self.experiment.worker(), first: self.first })
    }

    fn width(&self) -> usize {
        self.experiment.width()
    }

    fn anomalies(&self) -> usize {
        self.experiment.anomalies()
    }
}

impl Worker for BehindWorker<'_> {
    fn play(&mut self, blocks: Range<u64>) -> BlockSums {
        self.worker.play(self.first + blocks.start..self.first + blocks.end)
    }
}

impl<'a> Table<'a> {
    /// The experiment of a stage, whose blocks count from 0.
    ///
    /// # Errors
    /// If one of its rule sets can't be played with.
    fn experiment<'b>(self, stage: &'b Stage) -> Result<Behind<'b>>
    where
        'a: 'b,
    {
        let Table { game, watch, timing } = self;
        let games = self.games(stage)?;
        let mut games: Vec<&dyn LoadedGame> = games.iter().map(|game| &**game).collect();
        if games.is_empty() {
            games.push(game);
        }
        let seated = Seated { agents: &stage.agents, watch, timing: Some(timing) };
        let count = stage.count();
        let sections = vec![Section { matches: 0..stage.matches.len(), count }];
        let plan = TrialsPlan::plain(stage.seed, stage.matches.clone(), sections);
        let experiment = game.game_type().trials(&games, seated, plan);
        Ok(Behind { experiment, first: stage.blocks.start })
    }

    /// The rule sets of a stage; none if it has the run's own alone.
    fn games(self, stage: &Stage) -> Result<Vec<Box<dyn LoadedGame>>> {
        let game = self.game;
        let load = |changes: &Vec<String>| {
            changed(game.game_type(), game.rules(), changes, game.players())
        };
        stage.changes.iter().map(load).collect()
    }

    /// Whether a stage can be played. A forged manifest may have its search ask for anything.
    fn check(self, stage: &Stage) -> Result<()> {
        let players = usize::from(self.game.players());
        let agents = stage.agents.len();
        let seats = |seats: &[usize]| seats.len() == players && seats.iter().all(|&at| at < agents);
        let plain = |plan: &trials::MatchPlan| {
            plan.variant < stage.changes.len().max(1) && plan.forced.is_none()
        };
        let fits = (1..=AGENTS_MAX).contains(&agents)
            && (1..=MATCHES_MAX).contains(&stage.matches.len())
            && stage.blocks.start < stage.blocks.end
            && stage.matches.iter().all(|plan| plain(plan) && seats(&plan.seats));
        ensure!(fits, "the search asks for matches that can't be played");
        for game in self.games(stage)? {
            game.check_agents(&stage.agents)?;
        }
        Ok(self.game.check_agents(&stage.agents)?)
    }

    /// Plays some chunks of a stage again, and says what differs.
    ///
    /// # Errors
    /// If one of its rule sets can't be played with.
    fn compare(self, stage: &Stage, chunks: &[(u64, Vec<u64>)]) -> Result<Vec<String>> {
        let (experiment, plan) = (self.experiment(stage)?, stage.chunking());
        let differs = |worker: &mut Box<dyn Worker + '_>, (chunk, sums): &(u64, Vec<u64>)| {
            let blocks = plan.blocks_of(*chunk..chunk + 1);
            let played = worker.play(blocks.clone());
            (played.sums != *sums).then(|| {
                let (first, last) = (blocks.start, blocks.end - 1);
                format!("{}: blocks {first} to {last} of the stage differ", stage.what)
            })
        };
        let found = chunks.par_iter().map_init(|| experiment.worker(), differs);
        Ok(found.collect::<Vec<_>>().into_iter().flatten().collect())
    }
}

/// A session of a course of learning, which leads it from where it stands to another standing.
trait Lesson {
    type Standing;

    /// What it is about, for whoever watches.
    fn what(&self) -> &str;

    /// The line of the log that is due: what every experiment counts, then where the course stands.
    fn due(&self) -> Due;

    /// Matches of the course before it.
    fn first(&self) -> u64;

    /// Plays it, and returns its line and where the course then stands; nothing if it was stopped.
    fn play(&self, table: Table<'_>) -> Result<Option<(Vec<u64>, Self::Standing)>>;

    /// Where a course stands by its words, if that is behind this session.
    fn read(&self, words: &[u64]) -> Option<Self::Standing>;
}

impl Lesson for LessonStage<'_> {
    type Standing = Standing;

    fn what(&self) -> &str {
        self.what
    }

    fn due(&self) -> Due {
        let width = trials::COMMON + self.standing.words().len();
        Due { stage: self.name(), chunk: 0, blocks: self.matches(), width }
    }

    fn first(&self) -> u64 {
        self.standing.played
    }

    fn play(&self, table: Table<'_>) -> Result<Option<(Vec<u64>, Standing)>> {
        let LessonStage { from, course, standing, .. } = self;
        let session = table.game.session(from, course, standing, table.watch.stopped)?;
        let line = |counts: &[u64], standing: &Standing| [counts, &standing.words()].concat();
        Ok(session.map(|session| (line(&session.counts, &session.standing), session.standing)))
    }

    fn read(&self, words: &[u64]) -> Option<Standing> {
        let read = self.standing.read(words)?;
        (read.played == self.standing.played + self.matches()).then_some(read)
    }
}

impl Lesson for NetStage<'_> {
    type Standing = NetStanding;

    fn what(&self) -> &str {
        self.what
    }

    fn due(&self) -> Due {
        let width = trials::COMMON + self.standing.words().len();
        Due { stage: self.name(), chunk: 0, blocks: self.matches(), width }
    }

    fn first(&self) -> u64 {
        self.standing.played
    }

    fn play(&self, table: Table<'_>) -> Result<Option<(Vec<u64>, NetStanding)>> {
        let NetStage { from, course, standing, .. } = self;
        let session = table.game.net_session(from, course, standing, table.watch)?;
        let line = |counts: &[u64], standing: &NetStanding| [counts, &standing.words()].concat();
        Ok(session.map(|session| (line(&session.counts, &session.standing), session.standing)))
    }

    fn read(&self, words: &[u64]) -> Option<NetStanding> {
        let read = self.standing.read(words)?;
        (read.played == self.standing.played + self.matches()).then_some(read)
    }
}

impl Counted {
    fn new() -> Counted {
        let sums = Grouped::new(trials::COMMON);
        Counted { sums, chunks: 0, matches: 0, again: 0, faults: Vec::new() }
    }

    /// Adds a chunk whose blocks have some matches each.
    fn add(&mut self, matches: usize, due: Due, sums: &[u64]) {
        self.sums.add(self.chunks, due.blocks, &sums[..trials::COMMON]);
        self.chunks += 1;
        self.matches += due.blocks * matches as u64;
    }
}

impl<'a> StagePlayer<'a> {
    /// Before the first stage.
    pub fn new(table: Table<'a>, progress: &'a mut dyn Progress, log: Log) -> StagePlayer<'a> {
        StagePlayer {
            table,
            progress,
            log,
            save_every: Duration::ZERO,
            again: BTreeSet::new(),
            counted: Counted::new(),
            has_played: false,
            saved: (table.watch.now)(),
            standing: String::new(),
        }
    }

    /// Reads what the log has of a stage.
    fn recall(&mut self, stage: &Stage, totals: &mut Totals) -> Result<()> {
        let mut again: Vec<(u64, Vec<u64>)> = Vec::new();
        while totals.chunks.end < stage.chunking().chunks() {
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

    /// Reads a session of learning from the log, or plays and logs it.
    fn attend<L: Lesson>(&mut self, lesson: &L) -> Result<L::Standing, Halt> {
        self.stand(lesson.what());
        let due = lesson.due();
        if let Some(sums) = self.log.next(due)? {
            return Ok(self.recall_lesson(lesson, due, &sums)?);
        }
        self.log.ensure_grows()?;
        self.has_played = true;
        let played = lesson.play(self.table)?;
        let (sums, standing) = played.ok_or(Halt::Stopped)?;
        self.counted.add(1, due, &sums);
        self.log.add(due, &sums)?;
        let now = (self.table.watch.now)();
        if now.saturating_sub(self.saved) >= self.save_every {
            self.log.sync()?;
            self.saved = now;
        }
        self.progress.set(self.counted.matches, &|| Some(self.standing.clone()));
        Ok(standing)
    }

    /// Reads a session of learning from its line of the log.
    fn recall_lesson<L: Lesson>(
        &mut self,
        lesson: &L,
        due: Due,
        sums: &[u64],
    ) -> Result<L::Standing> {
        let (common, words) = sums.split_at(trials::COMMON);
        let read = lesson.read(words).filter(|_| is_common(1, due, common));
        let read = read.context(IMPOSSIBLE)?;
        if self.again.contains(&self.counted.chunks) {
            self.counted.again += due.blocks;
            if lesson.play(self.table)?.is_none_or(|(played, _)| played != sums) {
                let first = lesson.first();
                let last = first + due.blocks - 1;
                let fault = format!("learning: matches {first} to {last} differ");
                self.counted.faults.push(fault);
            }
        }
        self.counted.add(1, due, sums);
        Ok(read)
    }

    /// Plays what the log does not have of a stage, and logs it.
    fn play_on(&mut self, stage: &Stage, totals: &mut Totals) -> Result<()> {
        self.log.ensure_grows()?;
        self.has_played = true;
        let experiment = self.table.experiment(stage)?;
        let StagePlayer { table, progress, log, save_every, counted, saved, standing, .. } = self;
        let Watch { now, stopped, .. } = table.watch;
        let (plan, width) = (stage.chunking(), totals.grouped.width());
        let sum = |totals: &Totals| -> Vec<u64> {
            (0..width).map(|counter| totals.grouped.sum(counter)).collect()
        };
        let (mut before, mut fault) = (sum(totals), None);
        let mut after = |totals: &Totals, step: &MergedPiece<'_>| {
            if step.digest.is_none() {
                return Ok(Flow::On);
            }
            let all = sum(totals);
            let sums: Vec<u64> =
                all.iter().zip(&before).map(|(all, before)| all - before).collect();
            let due = due(stage, totals.chunks.end - 1, width);
            counted.add(stage.matches.len(), due, &sums);
            before = all;
            let mut kept = log.add(due, &sums);
            if kept.is_ok() && now().saturating_sub(*saved) >= *save_every {
                kept = log.sync();
                *saved = now();
            }
            progress.set(counted.matches, &|| Some(standing.clone()));
            kept.map(|()| Flow::On).map_err(|error| {
                fault = Some(error);
                io::Error::other("the log")
            })
        };
        let outside = Outside { stop: &stopped, after: &mut after, now, pool: None };
        let played = batch::run(&experiment, &plan, totals, plan.chunks(), outside);
        match fault {
            Some(error) => Err(error),
            None => played.context("playing a stage"),
        }
    }
}

/// The chunk of a stage that comes next.
fn due(stage: &Stage, chunk: u64, width: usize) -> Due {
    let blocks = stage.chunking().blocks_of(chunk..chunk + 1);
    Due { stage: stage.name(), chunk, blocks: blocks.end - blocks.start, width }
}

/// Whether matches can have these sums. What is added up here is then far from overflowing.
fn is_possible(stage: &Stage, due: Due, sums: &[u64]) -> bool {
    let (common, counts) = sums.split_at(trials::COMMON);
    // With restricted seats turns are added up, and a turn has a decision.
    let most = match stage.counted {
        searches::search::Counted::Restricted(_) => DECISIONS_MAX,
        _ => 1,
    };
    let most = due.blocks.saturating_mul(most);
    is_common(stage.matches.len(), due, common) && counts.iter().all(|&count| count <= most)
}

/// The same of what every experiment counts.
fn is_common(matches: usize, due: Due, common: &[u64]) -> bool {
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
        self.stand(&stage.what);
        let width = trials::COMMON + stage.count().width();
        let mut totals = Totals::new(width, ANOMALIES.len(), 0);
        self.recall(stage, &mut totals)?;
        if totals.chunks.end < stage.chunking().chunks() {
            self.play_on(stage, &mut totals)?;
        }
        if totals.chunks.end < stage.chunking().chunks() {
            return Err(Halt::Stopped);
        }
        Ok(StageSums::new(stage, totals.grouped))
    }

    fn learn(&mut self, lesson: &LessonStage<'_>) -> Result<Standing, Halt> {
        self.attend(lesson)
    }

    fn learn_net(&mut self, lesson: &NetStage<'_>) -> Result<NetStanding, Halt> {
        self.attend(lesson)
    }

    fn stand(&mut self, standing: &str) {
        standing.clone_into(&mut self.standing);
    }
}
