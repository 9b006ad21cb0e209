//! The course of a study: open the directory, play from wherever the run stands, save sums as it goes, make tables,
//! judge thresholds, publish.

use crate::core::outside::{LostMatch, LostMatches};
use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::studies::study::{Counters, Design};
use crate::lab::report::files::sync_directory;
use crate::lab::report::manifest::{PlanEntry, Played, RowForm, Variant, Wall};
use crate::lab::report::rows;
use crate::lab::report::sums::{Saved, Shape};
use crate::lab::report::table::Table;
use crate::lab::run::caller::{Begun, Caller, Progress};
use crate::lab::run::job::{Job, job};
use crate::lab::run::welcome::{seated, welcome};
use crate::lab::run::{
    Finished, Planned, Settings, checked, entries, judge, keeper, prepared, unfinished,
    write_manifest, write_tables,
};
use crate::lab::setup::rules;
use crate::lab::store::checkpoint::{Checkpoint, RunLog, Saving};
use crate::lab::store::directory::Directory;
use crate::lab::store::faults;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::{self, Flow, MergedPiece, Outside, Totals};
use crate::sim::choices::Choices;
use crate::sim::experiment::Experiment;
use crate::sim::timing::Timing;
use anyhow::{Context, Result, bail, ensure};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Starts a study: every mistake shows here, before the first match.
///
/// # Errors
/// If the design can't be played, the thresholds name nothing, or the output can't be written.
pub fn start(
    game: &dyn LoadedGame,
    design: Design,
    settings: &Settings,
    caller: Caller<'_>,
) -> Result<Finished> {
    let Design { study, variants, agents, matches, blocks, chunk } = design;
    let Settings { shard, wave, fault_share, .. } = *settings;
    if let Some(share) = fault_share {
        ensure!(
            (0.0..1.0).contains(&share),
            "the share of faults is {share}; it must be in 0 to 1"
        );
        ensure!(
            agents.iter().any(AgentSpec::is_guest),
            "only programs outside fail; none of the agents is one"
        );
        ensure!(
            shard.is_none() && wave.is_none() && !study.spec().is_addition(),
            "a run in which a guest may lose by failing is played in one piece"
        );
    }
    let plan = PlanEntry { blocks, chunk, wave, shard, matches_of_a_block: matches };
    let agents = entries(game, &agents, &caller.watch)?;
    let variants = variants.into_iter().map(|Variant { name, changes }| {
        Ok(Variant { name, changes: rules::with_files(game.game_type(), &changes)? })
    });
    let variants = variants.collect::<Result<_>>()?;
    let planned = Planned { question: study.spec(), variants, agents, plan };
    let mut job = job(caller.catalogue, checked(game, planned, settings, &caller)?)?;
    job.directory = prepared(caller.catalogue, settings, &job.manifest)?;
    if let Some(directory) = &mut job.directory {
        directory.keep();
    }
    job.play_on(None, caller)
}

/// The shape of a job's sums, if they fit into memory.
///
/// # Errors
/// If the plan does not fit the question, forces something that is not an option, or has too much to count.
pub fn shape_of(job: &Job<'_>) -> Result<Shape> {
    let choices = job.facts().choices;
    let choice = job.study.forced_choice(choices).map_err(anyhow::Error::msg)?;
    let options = choice.map_or(0, |forced| choices[forced.choice].options.len());
    let matches = &job.manifest.plan.matches_of_a_block;
    let forced = matches.iter().filter_map(|entry| entry.forced).max();
    if let Some(forced) = forced.filter(|&forced| forced >= options) {
        bail!("option {forced} is forced; the question has a choice of {options}");
    }
    let shape = job.shape()?;
    ensure!(shape.is_bearable(), "a plan with {} counters is too large", shape.width);
    Ok(shape)
}

impl Job<'_> {
    /// Plays from the start or from saved sums, and saves the state regularly.
    ///
    /// # Errors
    /// If the output can't be written, or what was written is damaged.
    pub fn play_on(mut self, saved: Option<Saved>, caller: Caller<'_>) -> Result<Finished> {
        let shape = shape_of(&self)?;
        let Caller { watch, progress, save_every, .. } = caller;
        welcome(&*self.games[0], &mut self.manifest.agents, &watch)?;
        let threads = watch.threads();
        let watch = match self.manifest.fault_share {
            // A process that failed is the loss of one match only.
            Some(_) => watch.noting_lost(self.lost(saved.as_ref())?),
            None => seated(&self.manifest.agents, &watch),
        };
        let choices = self.directory.as_ref().map(|_| Arc::new(Choices::new(&watch)));
        let timing = Timing::new(self.agents.len(), &watch).keeping(choices.clone());
        let saving = Saving { watch: watch.clone(), every: save_every };
        let first = self.manifest.plan.chunks().start;
        let totals = match &saved {
            Some(saved) => saved.totals.clone(),
            None => Totals::new(shape.width, shape.anomalies, first).keeping_looks(shape.looks),
        };
        let start = watch.now();
        // First of all: Ctrl-C has to be answered before there is a file of saved matches.
        progress.begin(&self.begun(&totals, &timing, watch.threads(), save_every));
        let keeper = keeper(self.directory.as_ref(), &self.manifest, choices.as_ref(), &saving)?;
        let kept = self.kept();
        let checkpoint = match (&self.directory, saved) {
            (None, _) => None,
            (Some(directory), Some(saved)) => {
                Some(Checkpoint::reopen(directory.partial(), &kept, &saved, saving)?)
            }
            (Some(directory), None) => {
                let begun = (shape.design, &totals);
                Some(Checkpoint::create(directory.partial(), &kept, begun, saving)?)
            }
        };
        if let Some(directory) = &mut self.directory {
            directory.keep();
        }
        let played = {
            let experiment = self.experiment(&watch, Some(&timing))?;
            let choices = choices.as_deref();
            let playing =
                Playing { job: &self, totals, checkpoint, choices, progress, watch: &watch };
            playing.finish(&*experiment)
        };
        let (totals, checkpoint, stopped) = played.map_err(|error| self.unfinished(error))?;
        let wall_s = watch.now().saturating_sub(start).as_secs_f64();
        let session = Wall { wall_s, thinking_s: timing.seconds(), threads };
        self.manifest.wall.add(&session);
        if let Some(checkpoint) = checkpoint {
            checkpoint.finish(&totals).map_err(|error| self.unfinished(error))?;
        }
        if let (Some(keeper), Some(choices)) = (keeper, choices) {
            choices.forget_before(totals.next_block(&self.manifest.plan.plan()));
            keeper.check()?;
            let done = self.played(&totals, stopped.clone()).complete;
            keeper.end(done).map_err(|error| self.unfinished(error))?;
        }
        if let (Some(lost), Some(directory)) = (watch.lost(), &self.directory) {
            let next = totals.next_block(&self.manifest.plan.plan());
            self.faults = Some(faults::save(directory.partial(), lost, next)?);
        }
        self.finish(&totals, stopped)
    }

    /// Where matches are noted that guests lose by failing, with those of earlier sessions.
    fn lost(&self, saved: Option<&Saved>) -> Result<LostMatches> {
        let next = saved.map_or(0, |saved| saved.totals.next_block(&self.manifest.plan.plan()));
        let directory = self.directory.as_ref();
        let earlier = directory.map(|directory| faults::read(directory.partial(), next));
        Ok(Arc::new(Mutex::new(earlier.transpose()?.unwrap_or_default())))
    }

    fn unfinished(&self, error: anyhow::Error) -> anyhow::Error {
        unfinished(self.directory.as_ref(), error)
    }

    /// What a caller hears of the run at its beginning. A thread has one chunk in progress.
    fn begun(
        &self,
        totals: &Totals,
        timing: &Timing,
        threads: usize,
        save_every: Duration,
    ) -> Begun<'_> {
        let plan = &self.manifest.plan;
        let per_block = plan.matches_of_a_block.len() as u64;
        let blocks = (plan.chunk * threads as u64).min(plan.blocks);
        Begun {
            matches: self.matches(),
            played: totals.blocks() * per_block,
            in_progress: blocks * per_block,
            decisions: timing.decisions(),
            watched: self.looks(),
            directory: self.directory.as_ref().map(Directory::path),
            save_every,
        }
    }

    /// The matches of this run's part of the plan.
    fn matches(&self) -> u64 {
        let plan = &self.manifest.plan;
        let blocks = plan.plan().blocks_of(plan.chunks());
        (blocks.end - blocks.start) * plan.matches_of_a_block.len() as u64
    }

    /// What the run keeps besides its sums and digests.
    fn kept(&self) -> RunLog {
        match self.study.rows() {
            Some(form) => {
                let sources = self.facts().names.sources;
                RunLog::Rows(form, rows::header(self.manifest.players, sources))
            }
            None if self.manifest.plan.wave.is_some() => RunLog::Chunks,
            None => RunLog::Nothing,
        }
    }

    /// Whether the run looks at its data as it goes. Parts of a wave leave that to whoever merges them.
    pub fn looks(&self) -> bool {
        self.study.is_sequential() && self.manifest.plan.wave.is_none()
    }

    /// Whether the run stops by itself with these sums.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn stops(&self, totals: &Totals) -> Result<bool> {
        if !self.looks() || totals.blocks() == 0 || totals.open.is_some() {
            return Ok(false);
        }
        Ok(self.study.stop(&self.manifest, totals).is_some())
    }

    /// Tables, manifest, thresholds.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn finish(mut self, totals: &Totals, stopped: Option<String>) -> Result<Finished> {
        self.manifest.played = self.played(totals, stopped);
        let is_part = self.manifest.is_part();
        // Blocks of a part are too few for the whole run's intervals, or lack matches.
        let tables = if is_part { Vec::new() } else { self.tables(totals)? };
        self.write(&tables).map_err(|error| self.unfinished(error))?;
        let path = self.directory.as_ref().map(|directory| directory.path().to_owned());
        if let Some(directory) = self.directory.take() {
            directory.publish()?;
        }
        // What was played is kept, whether or not the thresholds hold.
        let is_judged = self.manifest.played.complete && !is_part;
        let judged = if is_judged {
            judge(&self.study.described(), &self.manifest, &tables)?
        } else {
            vec![]
        };
        let (manifest, asked, game) =
            (self.manifest, Asked::Study(self.study), self.games.swap_remove(0));
        Ok(Finished { manifest, asked, game, tables, judged, path })
    }

    /// Writes tables and manifest into the directory, if there is one. The manifest comes last: once it says
    /// that the run is complete, everything else is on the disk.
    fn write(&mut self, tables: &[Table]) -> Result<()> {
        self.manifest.files = Vec::new();
        let Some(directory) = &self.directory else { return Ok(()) };
        self.manifest.files = write_tables(directory.partial(), tables)?;
        if let Some(form) = self.study.rows() {
            if form == RowForm::Zst {
                rows::pack(directory.partial()).context("writing matches.csv.zst")?;
            }
            self.manifest.files.push(rows::entry(directory.partial(), form)?);
        }
        self.manifest.files.extend(self.faults.take());
        sync_directory(directory.partial())?;
        write_manifest(directory, &self.manifest)
    }

    /// Stops a run in which guests have lost a larger share of all matches than its manifest allows; of those that were
    /// played, if it has stopped by itself.
    fn judge_faults(&self, totals: &Totals, stopped: bool, watch: &Watch) {
        let Some(share) = self.manifest.fault_share else { return };
        let failures = self.played(totals, None).failures;
        let per_block = self.manifest.plan.matches_of_a_block.len() as u64;
        let matches = if stopped { totals.blocks() * per_block } else { self.matches() };
        if failures as f64 > share * matches as f64 {
            let lost = watch.lost().map(|lost| lost.lock().expect("nobody panics with it").clone());
            let last = lost.as_ref().and_then(|lost| lost.last());
            let last =
                last.map_or(String::new(), |LostMatch { id: (block, number), reason, .. }| {
                    format!("; the last in match {block}.{number}: {reason}")
                });
            watch.guest_failed(&format!(
                "guests have failed in {failures} of the run's {matches} matches, more than \
                 `--fault-share` allows{last}"
            ));
        }
    }

    /// What has been played.
    pub fn played(&self, totals: &Totals, stopped: Option<String>) -> Played {
        let complete = stopped.is_some() || totals.chunks.end == self.manifest.plan.chunks().end;
        let sum = |counter| totals.grouped.sum(counter);
        let Counters { matches, decisions, failures } = self.study.counters(&self.context());
        Played {
            complete,
            stopped,
            blocks: totals.blocks(),
            matches: sum(matches),
            decisions: sum(decisions),
            failures: sum(failures),
        }
    }
}

/// A run that is being played.
struct Playing<'a> {
    job: &'a Job<'a>,
    totals: Totals,
    checkpoint: Option<Checkpoint>,
    choices: Option<&'a Choices>,
    progress: &'a mut dyn Progress,
    watch: &'a Watch,
}

/// What was played, its files, and why it stopped.
type Ended = (Totals, Option<Checkpoint>, Option<String>);

impl Playing<'_> {
    fn finish(self, experiment: &dyn Experiment) -> Result<Ended> {
        let Playing { job, mut totals, mut checkpoint, choices, progress, watch } = self;
        let manifest = &job.manifest;
        let plan = manifest.plan.plan();
        let study = Some(&job.study).filter(|_| job.looks());
        let per_block = manifest.plan.matches_of_a_block.len() as u64;
        let look = |totals: &Totals| study.and_then(|study| study.stop(manifest, totals));
        // A run that was killed right after its last look has nothing more to play.
        let looked = totals.blocks() > 0 && totals.open.is_none();
        let mut stopped = if looked { look(&totals) } else { None };
        let end = if stopped.is_some() { totals.chunks.end } else { manifest.plan.chunks().end };
        let mut after = |totals: &Totals, step: &MergedPiece<'_>| {
            let standing = || study.and_then(|study| study.standing(manifest, totals));
            progress.set(totals.blocks() * per_block, &standing);
            if let Some(checkpoint) = &mut checkpoint {
                let saved = checkpoint.add(totals, step)?;
                if let (Some(lost), true, Some(directory)) = (watch.lost(), saved, &job.directory) {
                    let place = directory.partial();
                    faults::save(place, lost, totals.next_block(&plan))
                        .map_err(io::Error::other)?;
                }
                if let Some(choices) = choices.filter(|_| saved) {
                    choices.forget_before(totals.next_block(&plan));
                }
            }
            if step.digest.is_some() {
                stopped = look(totals);
            }
            job.judge_faults(totals, stopped.is_some(), watch);
            Ok(if stopped.is_some() { Flow::Stop } else { Flow::On })
        };
        let is_over = || choices.is_some_and(Choices::is_over);
        let outside = Outside { is_over: &is_over, ..Outside::new(watch, &mut after) };
        batch::run(experiment, &plan, &mut totals, end, outside).context("writing the run")?;
        progress.end();
        Ok((totals, checkpoint, stopped))
    }
}
