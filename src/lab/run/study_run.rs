//! A study is played: one plan of matches, from wherever its sums stand. They are saved as it goes, and what is found is
//! read from them.

use crate::core::outside::LostMatch;
use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::searches::search::Found;
use crate::lab::questions::studies::study::{Context, Counters, Study};
use crate::lab::report::manifest::{BUILD, FileEntry, Manifest, Played, RowForm};
use crate::lab::report::rows;
use crate::lab::report::sums::{FileDigest, Saved, Shape};
use crate::lab::report::table::Table;
use crate::lab::run::job::{self, Job, Outcome, Runnable};
use crate::lab::run::session::{Extent, Session, play_blocks};
use crate::lab::run::unfinished;
use crate::lab::setup::rules;
use crate::lab::store::checkpoint::{Checkpoint, RunLog};
use crate::lab::store::chunk_log;
use crate::lab::store::faults::FAULTS;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{Facts, Seated};
use crate::sim::batch::{Flow, MergedPiece, Totals};
use crate::sim::experiment::Experiment;
use crate::sim::timing::Timing;
use anyhow::{Context as _, Result, bail, ensure};
use std::path::Path;

/// The run of a study.
pub type StudyJob<'a> = Job<'a, dyn Study>;

/// The study of a manifest that can be played.
///
/// # Errors
/// If it is a search, or can't be played.
pub fn study_job(catalogue: &Catalogue, manifest: Manifest) -> Result<StudyJob<'_>> {
    let Asked::Study(study) = catalogue.question(&manifest.question)? else {
        bail!("it is a search: each of its stages has agents and deals of its own");
    };
    job::job(catalogue, study, manifest)
}

/// Where the run of a study stands.
pub enum Sums {
    /// Nothing is on the disk yet.
    New(Saved),
    /// This is.
    Saved(Saved),
}

impl Runnable for dyn Study {
    type State = Sums;

    fn asked(self: Box<dyn Study>) -> Asked {
        Asked::Study(self)
    }

    fn check(&self, manifest: &Manifest) -> Result<()> {
        let Manifest { variants, plan, agents, fault_share, .. } = manifest;
        for variant in variants {
            let players = rules::players_of(&variant.changes)?.0;
            ensure!(
                players.is_none() || self.seats_several_sizes(),
                "the manifest's question is about tables of one size"
            );
        }
        if let Some(wave) = plan.wave {
            let all = wave.all(&plan.plan());
            ensure!(
                wave.number <= all,
                "there is no wave {}: of {} blocks each, the run's {} blocks have {all} waves",
                wave.number,
                wave.blocks,
                plan.blocks
            );
        }
        let Some(share) = *fault_share else { return Ok(()) };
        ensure!(
            (0.0..1.0).contains(&share),
            "--fault-share is {share}; it must be at least 0 and below 1"
        );
        ensure!(
            agents.iter().any(|agent| AgentSpec::is_guest(&agent.spec())),
            "only programs outside fail; none of the agents is one"
        );
        ensure!(
            !manifest.is_part() && !manifest.question.is_addition(),
            "a run in which a guest may lose by failing is played in one piece"
        );
        Ok(())
    }

    fn begin(job: &StudyJob<'_>, _: Option<&Path>) -> Result<Sums> {
        Ok(Sums::New(job.no_sums()?))
    }

    fn reopen(job: &StudyJob<'_>, place: &Path) -> Result<Sums> {
        let Some(saved) = Saved::read(place, job.shape()?)? else {
            return Ok(Sums::New(job.no_sums()?));
        };
        fits_plan(&saved, job)?;
        Ok(Sums::Saved(saved))
    }

    fn extent(job: &StudyJob<'_>, state: &Sums) -> Extent {
        let (Sums::New(Saved { totals, .. }) | Sums::Saved(Saved { totals, .. })) = state;
        Extent {
            agents: Some(job.agents.len()),
            blocks: job.blocks(),
            played: totals.blocks(),
            next: totals.next_block(&job.manifest.plan.plan()),
            watched: job.looks(),
        }
    }

    fn play(job: &mut StudyJob<'_>, state: Sums, session: &mut Session<'_>) -> Result<Outcome> {
        let (kept, saving) = (job.kept(), session.saving.clone());
        let open = |place: &Path| match &state {
            Sums::New(saved) => Checkpoint::create(place, &kept, saved, saving),
            Sums::Saved(saved) => Checkpoint::reopen(place, &kept, saved, saving),
        };
        let checkpoint = job.directory.as_ref().map(|directory| open(directory.partial()));
        let checkpoint = checkpoint.transpose()?.map(|checkpoint| match session.watch.lost() {
            Some(lost) => checkpoint.noting_faults(lost, job.manifest.plan.plan()),
            None => checkpoint,
        });
        if let Some(directory) = &mut job.directory {
            directory.keep();
        }
        let (Sums::New(saved) | Sums::Saved(saved)) = state;
        let (totals, stopped) = job
            .play_sums(saved.totals, checkpoint, session)
            .map_err(|error| unfinished(job.directory.as_ref(), error))?;
        let next = totals.next_block(&job.manifest.plan.plan());
        if let Some(choices) = session.timing.choices() {
            choices.forget_before(next);
        }
        job.outcome(&totals, stopped)
    }

    fn recall(job: &StudyJob<'_>, run: &Path) -> Result<Found> {
        Ok(Found { tables: job.tables(&saved_of(run, job)?.totals)?, files: Vec::new() })
    }

    fn played_files(job: &StudyJob<'_>, place: &Path) -> Result<Vec<FileEntry>> {
        let mut files = Vec::new();
        if let Some(form) = job.question.rows() {
            if form == RowForm::Zst {
                rows::pack(place).context("writing matches.csv.zst")?;
            }
            files.push(FileEntry::at(place, rows::rows_name(form))?);
        }
        if job.manifest.fault_share.is_some() {
            files.push(FileEntry::at(place, FAULTS)?);
        }
        Ok(files)
    }
}

impl StudyJob<'_> {
    /// What is known of the game.
    pub fn facts(&self) -> Facts {
        self.games[0].game_type().facts()
    }

    /// Creates the experiment; `watch` is what searches ask, and the time that agents think is added up in
    /// `timing`.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn experiment<'a>(
        &'a self,
        watch: &'a Watch,
        timing: Option<&'a Timing>,
    ) -> Result<Box<dyn Experiment + 'a>> {
        let seated = Seated { agents: &self.agents, watch, timing };
        let experiment = self.question.experiment(&self.context(), &self.games, seated);
        experiment.map_err(anyhow::Error::msg)
    }

    /// What the study needs to know of its run.
    pub fn context(&self) -> Context<'_> {
        let Facts { choices, names, .. } = self.facts();
        let layout = self.games[0].layout(self.agents.len());
        Context { manifest: &self.manifest, choices, names, layout, games: &self.games }
    }

    /// The shape of this run's sums, if they fit into memory.
    ///
    /// # Errors
    /// If the plan does not fit the question, forces something that is not an option, or has too much to count.
    pub fn shape(&self) -> Result<Shape> {
        let choices = self.facts().choices;
        let choice = self.question.forced_choice(choices).map_err(anyhow::Error::msg)?;
        let options = choice.map_or(0, |forced| choices[forced.choice].options.len());
        let matches = &self.manifest.plan.matches_of_a_block;
        let forced = matches.iter().filter_map(|entry| entry.forced).max();
        if let Some(forced) = forced.filter(|&forced| forced >= options) {
            bail!("option {forced} is forced; the question has a choice of {options}");
        }
        let watch = Watch::none();
        let experiment = self.experiment(&watch, None)?;
        let (width, anomalies) = (experiment.width(), experiment.anomalies());
        let looks = self.question.keeps_looks() && self.looks();
        let shape = Shape { design: self.manifest.design_hash(), width, anomalies, looks };
        ensure!(shape.is_bearable(), "a plan with {width} counters is too large");
        Ok(shape)
    }

    /// Sums before the first block of this run.
    ///
    /// # Errors
    /// As [`StudyJob::shape`].
    pub fn no_sums(&self) -> Result<Saved> {
        let Shape { design, width, anomalies, looks } = self.shape()?;
        let first = self.manifest.plan.chunks().start;
        let totals = Totals::new(width, anomalies, first).keeping_looks(looks);
        Ok(Saved { design, totals, rows: FileDigest::EMPTY, digests: FileDigest::EMPTY })
    }

    /// The tables that sums allow.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn tables(&self, totals: &Totals) -> Result<Vec<Table>> {
        self.question.tables(&self.context(), totals).map_err(anyhow::Error::msg)
    }

    /// What the run keeps besides its sums and digests.
    fn kept(&self) -> RunLog {
        match self.question.rows() {
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
        self.question.is_sequential() && self.manifest.plan.wave.is_none()
    }

    /// Whether the run stops by itself with these sums.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn stops(&self, totals: &Totals) -> Result<bool> {
        if !self.looks() || totals.blocks() == 0 || totals.open.is_some() {
            return Ok(false);
        }
        Ok(self.question.stop(&self.manifest, totals).is_some())
    }

    /// Stops a run in which guests have lost a larger share of all matches than its manifest allows; of those that were
    /// played, if it has stopped by itself.
    fn judge_faults(&self, totals: &Totals, stopped: bool, watch: &Watch) {
        let Some(share) = self.manifest.fault_share else { return };
        let failures = self.played(totals, None).failures;
        let per_block = self.manifest.plan.matches_of_a_block.len() as u64;
        let blocks = if stopped { totals.blocks() } else { self.blocks() };
        let matches = blocks * per_block;
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
        let Counters { matches, decisions, failures } = self.question.counters(&self.context());
        Played {
            complete,
            stopped,
            blocks: totals.blocks(),
            matches: sum(matches),
            decisions: sum(decisions),
            failures: sum(failures),
        }
    }

    /// What these sums have found, and why they stopped the run, if they did.
    ///
    /// # Errors
    /// If the manifest's plan does not fit its question.
    pub fn outcome(&self, totals: &Totals, stopped: Option<String>) -> Result<Outcome> {
        let tables = if self.manifest.is_part() { Vec::new() } else { self.tables(totals)? };
        let found = Found { tables, files: Vec::new() };
        Ok(Outcome { played: self.played(totals, stopped), found })
    }

    /// The blocks of this run's part of the plan.
    fn blocks(&self) -> u64 {
        let plan = &self.manifest.plan;
        let blocks = plan.plan().blocks_of(plan.chunks());
        blocks.end - blocks.start
    }

    /// Plays until the plan is done, the study has seen enough, or the host stops it; returns the sums, and why they
    /// stopped it, if they did.
    fn play_sums(
        &self,
        mut totals: Totals,
        mut checkpoint: Option<Checkpoint>,
        session: &mut Session<'_>,
    ) -> Result<(Totals, Option<String>)> {
        let Session { watch, progress, timing, .. } = session;
        let experiment = self.experiment(watch, Some(timing))?;
        let manifest = &self.manifest;
        let plan = manifest.plan.plan();
        let study = Some(&self.question).filter(|_| self.looks());
        let per_block = manifest.plan.matches_of_a_block.len() as u64;
        let look = |totals: &Totals| study.and_then(|study| study.stop(manifest, totals));
        // A run that was killed right after its last look has nothing more to play.
        let looked = totals.blocks() > 0 && totals.open.is_none();
        let mut stopped = if looked { look(&totals) } else { None };
        let end = if stopped.is_some() { totals.chunks.end } else { manifest.plan.chunks().end };
        let mut after = |totals: &Totals, step: &MergedPiece<'_>| {
            let standing = || study.and_then(|study| study.standing(manifest, totals));
            progress.set(totals.blocks() * per_block, &standing);
            let saved = match &mut checkpoint {
                Some(checkpoint) => checkpoint.add(totals, step)?,
                None => false,
            };
            if let Some(choices) = timing.choices().filter(|_| saved) {
                choices.forget_before(totals.next_block(&plan));
            }
            if step.digest.is_some() {
                stopped = look(totals);
            }
            self.judge_faults(totals, stopped.is_some(), watch);
            Ok(if stopped.is_some() { Flow::Stop } else { Flow::On })
        };
        let outside = (&*watch, &*timing);
        play_blocks(&*experiment, &plan, &mut totals, end, outside, &mut after)
            .context("writing the run")?;
        let saved = checkpoint.map_or(Ok(()), |checkpoint| checkpoint.finish(&totals));
        // From here on Ctrl-C ends the process at once: all that was played is on the disk by now.
        progress.end();
        saved?;
        Ok((totals, stopped))
    }
}

/// Whether saved sums can belong to this plan.
fn fits_plan(saved: &Saved, job: &StudyJob<'_>) -> Result<()> {
    let manifest = &job.manifest;
    let (chunks, all) = (&saved.totals.chunks, manifest.plan.chunks());
    let plan = manifest.plan.plan();
    let blocks = plan.blocks_of(chunks.clone());
    let next = plan.blocks_of(chunks.end..chunks.end.saturating_add(1));
    let open = saved.totals.open.as_ref().map_or(0, |open| open.blocks);
    let whole = saved.totals.blocks().checked_sub(open);
    let most = if manifest.plan.wave.is_some() {
        chunk_log::most(saved.totals.grouped.width(), chunks.end.saturating_sub(chunks.start))
    } else {
        rows::most(job.question.rows(), manifest, saved.totals.blocks())
    };
    let fits = saved.rows.bytes <= most
        && chunks.start == all.start
        && chunks.end <= all.end
        && (open == 0 || chunks.end < all.end && open < next.end - next.start)
        && whole == Some(blocks.end - blocks.start)
        && saved.digests.bytes == 4 * (chunks.end - chunks.start);
    ensure!(fits, "the saved sums do not fit the manifest's plan");
    Ok(())
}

/// The sums of a run that has some.
///
/// # Errors
/// If there are none, or they are damaged or belong to something else.
pub fn saved_of(directory: &Path, job: &StudyJob<'_>) -> Result<Saved> {
    let saved = Saved::read(directory, job.shape()?)?;
    let saved = saved.with_context(|| format!("`{}` has no saved sums", directory.display()))?;
    fits_plan(&saved, job)?;
    let said = &job.manifest.played;
    let stops = job.stops(&saved.totals)?;
    ensure!(
        said.stopped.is_some() == stops || job.manifest.build != BUILD,
        "the manifest says that the run {}; by its saved sums it {}",
        if stops { "has not stopped" } else { "has stopped" },
        if stops { "has" } else { "has not" },
    );
    ensure!(
        *said == job.played(&saved.totals, said.stopped.clone()),
        "the manifest says that {} blocks were played{}; the saved sums hold {}",
        said.blocks,
        if said.complete { ", all there are" } else { "" },
        saved.totals.blocks()
    );
    Ok(saved)
}
