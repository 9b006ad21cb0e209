//! What the stages of a search are played with: their experiments, and the sessions of a course of learning.

use crate::core::watch::Watch;
use crate::lab::questions::searches::search::{CourseStage, Lesson, Stage};
use crate::lab::setup::rules::changed;
use crate::sim::any_game::{LoadedGame, Seated, TrialsPlan};
use crate::sim::course::Session;
use crate::sim::experiment::{BlockSums, Experiment, Worker};
use crate::sim::learn::{Softmax, WeightCourse};
use crate::sim::learn_net::{NetCourse, NetLearner};
use crate::sim::timing::Timing;
use crate::sim::trials::{self, Section};
use anyhow::{Context as _, Result, ensure};
use rayon::prelude::*;
use std::ops::Range;

/// The most agents of a stage.
pub const AGENTS_MAX: usize = 64;
/// The most matches of a block of a stage.
const MATCHES_MAX: usize = 1 << 12;

/// What stages are played with.
#[derive(Clone, Copy)]
pub struct StageContext<'a> {
    pub game: &'a dyn LoadedGame,
    /// What searching agents ask of the outside.
    pub watch: &'a Watch,
    /// The time that they think, for [`AGENTS_MAX`] agents.
    pub timing: &'a Timing,
}

/// An experiment of which the runner plays the blocks behind some others: it counts from 0.
pub struct OffsetExperiment<'a> {
    experiment: Box<dyn Experiment + 'a>,
    first: u64,
}

struct OffsetWorker<'a> {
    worker: Box<dyn Worker + 'a>,
    first: u64,
}

impl Experiment for OffsetExperiment<'_> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(OffsetWorker { worker: self.experiment.worker(), first: self.first })
    }

    fn width(&self) -> usize {
        self.experiment.width()
    }

    fn anomalies(&self) -> usize {
        self.experiment.anomalies()
    }
}

impl Worker for OffsetWorker<'_> {
    fn play(&mut self, blocks: Range<u64>) -> BlockSums {
        self.worker.play(self.first + blocks.start..self.first + blocks.end)
    }
}

impl<'a> StageContext<'a> {
    /// The experiment of a stage, whose blocks count from 0.
    ///
    /// # Errors
    /// If one of its rule sets can't be played with.
    pub fn experiment<'b>(self, stage: &'b Stage) -> Result<OffsetExperiment<'b>>
    where
        'a: 'b,
    {
        let StageContext { game, watch, timing } = self;
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
        Ok(OffsetExperiment { experiment, first: stage.blocks.start })
    }

    /// The rule sets of a stage; none if it has the run's own alone.
    fn games(self, stage: &Stage) -> Result<Vec<Box<dyn LoadedGame>>> {
        let game = self.game;
        let load = |changes: &Vec<String>| {
            changed(game.game_type(), game.rules(), changes, game.players())
        };
        stage.changes.iter().map(load).collect()
    }

    /// Makes sure that a stage can be played. A forged manifest may have its search ask for anything.
    ///
    /// # Errors
    /// If it can't.
    pub fn check(self, stage: &Stage) -> Result<()> {
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
    pub fn compare(self, stage: &Stage, chunks: &[(u64, Vec<u64>)]) -> Result<Vec<String>> {
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

/// A course whose sessions are played at a table.
pub trait Taught: Lesson {
    /// Plays a session; nothing comes of one that was stopped.
    ///
    /// # Errors
    /// If the agent can't learn.
    fn session(
        stage: &CourseStage<'_, Self>,
        table: StageContext<'_>,
    ) -> Result<Option<Session<Self::Learner>>>
    where
        Self: Sized;
}

impl Taught for WeightCourse {
    fn session(
        stage: &CourseStage<'_, WeightCourse>,
        table: StageContext<'_>,
    ) -> Result<Option<Session<Softmax>>> {
        let CourseStage { from, course, state, .. } = stage;
        let learner = table.game.weight_learner().context("the game has no weights to learn")?;
        Ok(learner.session(from, course, state, table.watch)?)
    }
}

impl Taught for NetCourse {
    fn session(
        stage: &CourseStage<'_, NetCourse>,
        table: StageContext<'_>,
    ) -> Result<Option<Session<NetLearner>>> {
        let CourseStage { from, course, state, .. } = stage;
        let learner = table.game.net_learner().context("the game has no net to learn")?;
        Ok(learner.session(from, course, state, table.watch, table.timing.choices())?)
    }
}
