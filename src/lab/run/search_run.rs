//! The course of a search: open the directory, run the algorithm, which plays stages or gets them from the log, make
//! tables, judge thresholds, publish.

use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::searches::search::{
    Found, Halt, Search, SearchContext, SearchDesign, TextFile,
};
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::files::{replace, sync_directory};
use crate::lab::report::manifest::{FileEntry, Manifest, PlanEntry, Played, Wall};
use crate::lab::report::sums::FileDigest;
use crate::lab::report::table::Table;
use crate::lab::report::tables::anomaly_table;
use crate::lab::run::caller::{Begun, Caller};
use crate::lab::run::job::{add_nets, add_nets_that_are_there, check_agents, check_plan};
use crate::lab::run::stage_table;
use crate::lab::run::stages::{AfterLog, PlayedStages, Share, StagePlayer};
use crate::lab::run::welcome::{seated, welcome};
use crate::lab::run::{self, Finished, Settings, write_manifest, write_tables};
use crate::lab::store::checkpoint::{AppendLog, Saving};
use crate::lab::store::choice_log::Keeper;
use crate::lab::store::directory::Directory;
use crate::lab::store::quoted::quoted;
use crate::lab::store::stage_log::{Log, STAGES, digest_of};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::choices::Choices;
use crate::sim::timing::Timing;
use crate::sim::trials::{self, ANOMALIES};
use anyhow::{Context as _, Result, anyhow, ensure};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A search that can be run, from its beginning or from its log.
pub struct SearchJob<'a> {
    /// What is asked.
    pub search: Box<dyn Search>,
    /// What is played.
    pub manifest: Manifest,
    /// The game.
    pub game: Box<dyn LoadedGame>,
    directory: Option<Directory<'a>>,
}

/// Starts a search: every mistake shows here, before the first match.
///
/// # Errors
/// If it can't be played, the thresholds name nothing, or the output can't be written.
pub fn start(
    game: &dyn LoadedGame,
    design: SearchDesign,
    settings: &Settings,
    caller: Caller<'_>,
) -> Result<Finished> {
    ensure!(
        settings.fault_share.is_none(),
        "a search stops where a guest fails: matches that it lost so would decide what is played next"
    );
    let SearchDesign { search, agents, matches, blocks } = design;
    let Settings { shard, wave, .. } = *settings;
    let plan = PlanEntry { blocks, chunk: 1, wave, shard, matches_of_a_block: matches };
    let planned = run::Planned {
        question: search.spec(),
        variants: SearchDesign::variants(),
        agents: run::entries(game, &agents, &caller.watch)?,
        plan,
    };
    let manifest = run::checked(game, planned, settings, &caller)?;
    if let Some(wave) = wave {
        let known = wave.number == 1 || settings.after.is_some();
        ensure!(known, "a search goes on where it is: name the run so far with --after");
        ensure!(settings.out.is_some(), "a part of a wave is written into a directory");
    }
    let mut job = job(caller.catalogue, search, manifest)?;
    let mut log = Log::off();
    if let Some(mut directory) = run::prepared(caller.catalogue, settings, &job.manifest)? {
        let design = job.manifest.design_hash();
        log = match settings.wave {
            None => Log::create(directory.partial(), STAGES, design)?,
            Some(_) => merged_run(&directory, settings.after.as_deref(), design)?,
        };
        directory.keep();
        job.directory = Some(directory);
    }
    job.play_on(log, caller)
}

/// The log of the run so far, beside that of a part, which can so be resumed wherever it lies.
fn merged_run(directory: &Directory<'_>, after: Option<&Path>, design: u64) -> Result<Log> {
    let mut copy = AppendLog::create(&directory.file(STAGES))?;
    if let Some(run) = after {
        copy.append(&run.join(STAGES), digest_of(run, STAGES)?)?;
    }
    copy.flush()?;
    Log::read(directory.partial(), STAGES, design)
}

/// The search of a manifest: its game and agents are made once, so that mistakes show.
///
/// # Errors
/// If the game can't be loaded, an agent can't be made, or the plan is no search's.
pub fn job(
    catalogue: &Catalogue,
    search: Box<dyn Search>,
    mut manifest: Manifest,
) -> Result<SearchJob<'_>> {
    add_nets(&mut manifest.agents)?;
    made(catalogue, search, manifest)
}

fn made(
    catalogue: &Catalogue,
    search: Box<dyn Search>,
    manifest: Manifest,
) -> Result<SearchJob<'_>> {
    let game = catalogue.game(&manifest.game)?.load(manifest.rules.clone(), manifest.players)?;
    let agents: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
    check_agents(&*game, &agents)?;
    ensure!(
        manifest.variants == SearchDesign::variants(),
        "a search has one rule set; the manifest has others"
    );
    check_plan(&manifest, &[manifest.players])?;
    ensure!(
        manifest.plan.chunk == 1,
        "the stages of a search have chunks of their own; the manifest has others"
    );
    Ok(SearchJob { search, manifest, game, directory: None })
}

/// Resumes a search.
///
/// # Errors
/// If its log is damaged, or the output can't be written.
pub fn resume(
    search: Box<dyn Search>,
    manifest: Manifest,
    directory: Directory<'_>,
    caller: Caller<'_>,
) -> Result<Finished> {
    let mut job = job(caller.catalogue, search, manifest)?;
    run::requirements(&job.search.described(), &job.manifest)?;
    let design = job.manifest.design_hash();
    let log = match job.manifest.plan.wave {
        None => Log::resume(directory.partial(), STAGES, design)?,
        Some(_) => Log::read(directory.partial(), STAGES, design)?,
    };
    job.directory = Some(directory);
    job.play_on(log, caller)
}

/// Rebuilds the tables and files of a search from its log.
///
/// # Errors
/// If it has not ended, its log is damaged, or the files can't be written.
pub fn rebuild(
    catalogue: &Catalogue,
    search: Box<dyn Search>,
    manifest: Manifest,
    run: &Path,
) -> Result<Finished> {
    let (mut finished, files) = found(catalogue, search, manifest, run)?;
    let written = write_files(run, &finished.tables, &files)?;
    run::list_again(run, &mut finished.manifest, written)?;
    Ok(finished)
}

/// The tables of a search from its log. Nothing is written.
///
/// # Errors
/// If it has not ended, or its log is damaged.
pub fn recalled(
    catalogue: &Catalogue,
    search: Box<dyn Search>,
    manifest: Manifest,
    run: &Path,
) -> Result<Finished> {
    found(catalogue, search, manifest, run).map(|(finished, _)| finished)
}

/// The tables of a search from its log, and its further files.
fn found(
    catalogue: &Catalogue,
    search: Box<dyn Search>,
    mut manifest: Manifest,
    run: &Path,
) -> Result<(Finished, Vec<TextFile>)> {
    // Nothing is played, so that nets of agents may be gone.
    add_nets_that_are_there(&mut manifest.agents);
    let job = made(catalogue, search, manifest)?;
    let described = job.search.described();
    run::requirements(&described, &job.manifest)?;
    let (Found { tables, files }, _) = job.recall(run, BTreeSet::new(), &Watch::none())?;
    let judged = run::judge(&described, &job.manifest, &tables)?;
    let SearchJob { search, manifest, game, .. } = job;
    let (asked, path) = (Asked::Search(search), Some(run.to_owned()));
    Ok((Finished { manifest, asked, game, tables, judged, path }, files))
}

impl<'a> SearchJob<'a> {
    /// Runs the algorithm on the log alone, and returns what it found and what was played. Nothing is played but the
    /// chunks that are to be played again, by their places in the log.
    ///
    /// # Errors
    /// If the search has not ended, or its log is damaged.
    pub fn recall(
        &self,
        run: &Path,
        again: BTreeSet<u64>,
        watch: &Watch,
    ) -> Result<(Found, PlayedStages)> {
        ensure!(
            self.manifest.played.complete,
            "the search has not ended, so that it has no tables; `fairhaven resume {}` resumes it",
            quoted(run)
        );
        let log = Log::read(run, STAGES, self.manifest.design_hash())?;
        let timing = Timing::new(stage_table::AGENTS_MAX, watch);
        let table = stage_table::StageContext { game: &*self.game, watch, timing: &timing };
        let mut progress = ();
        let mut player = StagePlayer::new(table, &mut progress, log);
        player.again = again;
        let found = match self.search.search(self.context(), &mut player) {
            Ok(found) => found,
            Err(Halt::Stopped) => return Err(anyhow!("the search was stopped")),
            Err(Halt::Failed(error)) => return Err(error),
        };
        let StagePlayer { log, counted, .. } = player;
        log.end()?;
        let found = with_anomalies(found, &counted);
        let played = played(&counted, true);
        ensure!(
            self.manifest.played == played,
            "the manifest says that {} blocks were played; the log holds {}",
            self.manifest.played.blocks,
            played.blocks
        );
        Ok((found, counted))
    }

    fn context(&self) -> SearchContext<'_> {
        SearchContext { manifest: &self.manifest, game: &*self.game }
    }

    /// Runs the algorithm, which plays where the log ends.
    fn play_on(mut self, log: Log, caller: Caller<'_>) -> Result<Finished> {
        let Caller { watch, progress, save_every, .. } = caller;
        welcome(&*self.game, &mut self.manifest.agents, &watch)?;
        let threads = watch.threads();
        let watch = seated(&self.manifest.agents, &watch);
        let choices = self.directory.as_ref().map(|_| Arc::new(Choices::new(&watch)));
        let timing = Timing::new(stage_table::AGENTS_MAX, &watch).keeping(choices.clone());
        let start = watch.now();
        let per_block = self.manifest.plan.matches_of_a_block.len() as u64;
        progress.begin(&Begun {
            matches: self.manifest.plan.blocks.saturating_mul(per_block),
            played: 0,
            in_progress: per_block * watch.threads() as u64,
            decisions: timing.decisions(),
            watched: true,
            directory: self.directory.as_ref().map(Directory::path),
            save_every,
        });
        let saving = Saving { watch: watch.clone(), every: save_every };
        let (directory, manifest) = (self.directory.as_ref(), &self.manifest);
        let keeper = run::keeper(directory, manifest, choices.as_ref(), &saving)?;
        let table = stage_table::StageContext { game: &*self.game, watch: &watch, timing: &timing };
        let mut player = StagePlayer::new(table, progress, log);
        player.save_every = save_every;
        if let (Some(wave), Some(directory)) = (self.manifest.plan.wave, &self.directory) {
            let (directory, shard) = (directory.partial().to_owned(), self.manifest.plan.shard);
            player.behind = AfterLog::Part(Share { directory, wave, shard });
        }
        let found = self.search.search(self.context(), &mut player);
        let StagePlayer { progress, log, counted, has_played, share_is_done, .. } = player;
        progress.end();
        if let Some(directory) = self.directory.as_mut().filter(|_| has_played) {
            directory.keep();
        }
        let found = ended(found, log);
        keeper.as_ref().map_or(Ok(()), Keeper::check)?;
        let found = found.and_then(|found| {
            keeper.map_or(Ok(()), |keeper| keeper.end(found.is_some() || share_is_done))?;
            Ok(found)
        });
        let found = match found {
            Err(error) if has_played => Err(run::unfinished(self.directory.as_ref(), error)),
            other => other,
        }?;
        let wall_s = watch.now().saturating_sub(start).as_secs_f64();
        let session = Wall { wall_s, thinking_s: Vec::new(), threads };
        self.manifest.wall.add(&session);
        self.finish(found, &counted, share_is_done)
    }

    /// Runs the algorithm on the log of a directory and on what parts of a wave have behind it. If it asks for more,
    /// it is left there, as if it had been interrupted.
    ///
    /// # Errors
    /// If a part is damaged, or the whole can't be written.
    pub fn join(mut self, directory: Directory<'a>, parts: Vec<Share>) -> Result<Finished> {
        let log = Log::resume(directory.partial(), STAGES, self.manifest.design_hash())?;
        let watch = Watch::none();
        let timing = Timing::new(stage_table::AGENTS_MAX, &watch);
        let table = stage_table::StageContext { game: &*self.game, watch: &watch, timing: &timing };
        let mut progress = ();
        let mut player = StagePlayer::new(table, &mut progress, log);
        player.behind = AfterLog::Parts(parts);
        let found = self.search.search(self.context(), &mut player);
        let StagePlayer { log, counted, .. } = player;
        let found = ended(found, log)?;
        self.directory = Some(directory);
        self.finish(found, &counted, false)
    }

    /// Tables, manifest, thresholds; no tables of a search that was stopped, or of a part, which may be done.
    fn finish(
        mut self,
        found: Option<Found>,
        counted: &PlayedStages,
        done: bool,
    ) -> Result<Finished> {
        let ended = found.is_some();
        self.manifest.played = played(counted, ended || done);
        let found = found.map(|found| with_anomalies(found, counted)).unwrap_or_default();
        let Found { tables, files } = found;
        self.write(&tables, &files)
            .map_err(|error| run::unfinished(self.directory.as_ref(), error))?;
        let path = self.directory.as_ref().map(|directory| directory.path().to_owned());
        if let Some(directory) = self.directory.take() {
            directory.publish()?;
        }
        let described = self.search.described();
        let judged =
            if ended { run::judge(&described, &self.manifest, &tables)? } else { Vec::new() };
        let asked = Asked::Search(self.search);
        Ok(Finished { manifest: self.manifest, asked, game: self.game, tables, judged, path })
    }

    /// Writes everything into the directory, if there is one, the manifest last.
    fn write(&mut self, tables: &[Table], files: &[TextFile]) -> Result<()> {
        self.manifest.files = Vec::new();
        let Some(directory) = &mut self.directory else { return Ok(()) };
        directory.keep();
        if self.manifest.played.complete && !self.manifest.is_part() {
            self.manifest.files = write_files(directory.partial(), tables, files)?;
        }
        sync_directory(directory.partial())?;
        write_manifest(directory, &self.manifest)
    }
}

/// What was found, if the algorithm came to its end; its log is on the disk then.
fn ended(found: Result<Found, Halt>, mut log: Log) -> Result<Option<Found>> {
    match found {
        Ok(found) => log.end().map(|()| Some(found)),
        Err(Halt::Stopped) => log.sync().map(|()| None),
        Err(Halt::Failed(error)) => Err(error),
    }
}

/// What was found, with what should be rare.
fn with_anomalies(mut found: Found, counted: &PlayedStages) -> Found {
    let (first, matches) = (trials::ANOMALY, trials::MATCHES);
    found.tables.push(anomaly_table(&counted.sums, &ANOMALIES, first, matches, &[]));
    found
}

/// Writes tables and files, and returns their entries of the manifest, with that of the log.
fn write_files(directory: &Path, tables: &[Table], files: &[TextFile]) -> Result<Vec<FileEntry>> {
    let mut written = write_tables(directory, tables)?;
    for TextFile { name, text } in files {
        let path = directory.join(name);
        replace(&path, text.as_bytes()).with_context(|| format!("writing `{}`", path.display()))?;
        written.push(FileEntry::of(name.clone(), text.as_bytes()));
    }
    let FileDigest { bytes, hash } = FileDigest::of(&directory.join(STAGES))?;
    written.push(FileEntry { name: STAGES.to_owned(), bytes, hash: format!("{hash:016x}") });
    Ok(written)
}

fn played(counted: &PlayedStages, complete: bool) -> Played {
    let sum = |counter| counted.sums.sum(counter);
    Played {
        complete,
        stopped: None,
        blocks: counted.sums.blocks(),
        matches: sum(trials::MATCHES),
        decisions: sum(trials::DECISIONS),
        failures: sum(trials::ANOMALY + trials::FAILURE),
    }
}
