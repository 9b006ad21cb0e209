//! A session of a run, from where it stands to its end or until it is stopped: what is around its matches, whatever is
//! asked.

use crate::core::outside::LostMatches;
use crate::core::watch::Watch;
use crate::lab::report::manifest::{Manifest, Wall};
use crate::lab::run::caller::{Begun, Caller, Progress};
use crate::lab::run::stage_table::AGENTS_MAX;
use crate::lab::run::welcome::{seated, welcome};
use crate::lab::store::checkpoint::Saving;
use crate::lab::store::choice_log::Keeper;
use crate::lab::store::directory::Directory;
use crate::lab::store::faults;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::{self, Chunking, Flow, MergedPiece, Outside, Totals};
use crate::sim::choices::Choices;
use crate::sim::experiment::Experiment;
use crate::sim::timing::Timing;
use anyhow::Result;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How far a run reaches, and how far it is.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// The agents whose thinking is timed; none where stages have agents of their own.
    pub agents: Option<usize>,
    /// Its blocks; if it may stop by itself, the most of them.
    pub blocks: u64,
    /// Blocks that were played before.
    pub played: u64,
    /// The number of the block that comes next.
    pub next: u64,
    /// Whether it may stop by itself.
    pub watched: bool,
}

/// A session of a run.
pub struct Session<'a> {
    /// The clock, and whether to stop, for agents of this run.
    pub watch: Watch,
    /// Hears how far the run is.
    pub progress: &'a mut dyn Progress,
    /// The time that agents think, and what those that search choose.
    pub timing: Timing,
    /// When it is saved.
    pub saving: Saving,
    extent: Extent,
    start: Duration,
    threads: usize,
    keeper: Option<Keeper>,
}

impl<'a> Session<'a> {
    /// Begins: programs outside are met, the caller hears how long it is, and choices of searches are saved.
    ///
    /// # Errors
    /// If a program can't be reached, or choices can't be read or written.
    pub fn begin(
        game: &dyn LoadedGame,
        manifest: &mut Manifest,
        directory: Option<&Directory<'_>>,
        extent: Extent,
        caller: Caller<'a>,
    ) -> Result<Session<'a>> {
        let Caller { watch, progress, save_every, .. } = caller;
        let watch = watch.of_a_run();
        welcome(game, &mut manifest.agents, &watch)?;
        let place = directory.map(Directory::partial);
        let threads = watch.threads();
        let watch = match manifest.fault_share {
            // A process that failed is the loss of one match only.
            Some(_) => watch.noting_lost(lost(place, extent.next)?),
            None => seated(&manifest.agents, &watch),
        };
        let choices = place.map(|_| Arc::new(Choices::new(&watch)));
        let agents = extent.agents.unwrap_or(AGENTS_MAX);
        let timing = Timing::new(agents, &watch).keeping(choices.clone());
        let saving = Saving { watch: watch.clone(), every: save_every };
        let start = watch.now();
        let per_block = manifest.plan.matches_of_a_block.len() as u64;
        let at_once = (manifest.plan.chunk * watch.threads() as u64).min(manifest.plan.blocks);
        // First of all: Ctrl-C has to be answered before there is a file of saved matches.
        progress.begin(&Begun {
            matches: extent.blocks.saturating_mul(per_block),
            played: extent.played * per_block,
            in_progress: at_once * per_block,
            decisions: timing.decisions(),
            watched: extent.watched,
            directory: directory.map(Directory::path),
            has_guests: manifest.has_guests(),
            save_every,
        });
        let keeper = match (place, &choices) {
            (Some(place), Some(choices)) => {
                Some(Keeper::start(place, manifest.design_hash(), choices, &saving)?)
            }
            _ => None,
        };
        Ok(Session { watch, progress, timing, saving, extent, start, threads, keeper })
    }

    /// Whether what searches had chosen fits the matches that were played since.
    ///
    /// # Errors
    /// If it doesn't.
    pub fn check(&self) -> Result<()> {
        self.keeper.as_ref().map_or(Ok(()), Keeper::check)
    }

    /// Ends: the time is added to the run's, and choices are saved, which a run that is complete no longer has.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn end(self, manifest: &mut Manifest, is_complete: bool) -> Result<()> {
        let wall_s = self.watch.now().saturating_sub(self.start).as_secs_f64();
        let thinking_s = self.extent.agents.map_or(Vec::new(), |_| self.timing.seconds());
        manifest.wall.add(&Wall { wall_s, thinking_s, threads: self.threads });
        self.keeper.map_or(Ok(()), |keeper| keeper.end(is_complete))
    }
}

/// Where matches are noted that guests lose by failing, with those of earlier sessions.
fn lost(place: Option<&Path>, next: u64) -> Result<LostMatches> {
    let earlier = place.map(|place| faults::read(place, next)).transpose()?;
    Ok(Arc::new(Mutex::new(earlier.unwrap_or_default())))
}

/// Plays blocks on all cores, from where totals end up to a chunk; `after` sees each step, in order.
///
/// # Errors
/// Returns the error of `after`.
pub fn play_blocks(
    experiment: &dyn Experiment,
    plan: &Chunking,
    totals: &mut Totals,
    end: u64,
    (watch, timing): (&Watch, &Timing),
    after: &mut dyn FnMut(&Totals, &MergedPiece<'_>) -> Result<Flow>,
) -> Result<()> {
    let mut fault = None;
    let mut noted = |totals: &Totals, step: &MergedPiece<'_>| {
        after(totals, step).map_err(|error| {
            fault = Some(error);
            io::Error::other("after a step")
        })
    };
    let is_over = || timing.choices().is_some_and(|choices| choices.is_over());
    let outside = Outside { is_over: &is_over, ..Outside::new(watch, &mut noted) };
    let played = batch::run(experiment, plan, totals, end, outside);
    fault.map_or(Ok(()), Err)?;
    Ok(played?)
}
