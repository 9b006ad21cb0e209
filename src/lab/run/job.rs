//! A run, made from its manifest: a question, games, agents; and its course, whatever is asked: it is opened, played
//! from where it stands, written, published, and judged by its thresholds.

use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::question::{Design, Question};
use crate::lab::questions::searches::search::{Found, TextFile};
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::files::{replace, sync_directory};
use crate::lab::report::manifest::{FileEntry, Manifest, Played, Variant};
use crate::lab::report::table::Table;
use crate::lab::run::caller::Caller;
use crate::lab::run::session::{Extent, Session};
use crate::lab::run::{
    Finished, Settings, check_new, judge, manifest, prepared, requirements, unfinished,
    write_manifest, write_tables,
};
use crate::lab::setup::{nets, rules};
use crate::lab::store::directory::Directory;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::any_game::LoadedGame;
use crate::sim::trials::MatchPlan;
use anyhow::{Context as _, Result, ensure};
use std::path::Path;

/// A question as it is played: `dyn Study`, whose runs are saved as sums, or `dyn Search`, whose runs are saved as a log.
pub trait Runnable: Question {
    /// Where a run stands.
    type State;

    /// The question by how it is played.
    fn asked(self: Box<Self>) -> Asked;

    /// Makes sure that a manifest is one of this question.
    ///
    /// # Errors
    /// If it is not; manifests may be forged.
    fn check(&self, manifest: &Manifest) -> Result<()>;

    /// Where a run stands that begins, behind what was played of it before a wave.
    ///
    /// # Errors
    /// If it can't be played, or its log can't be written.
    fn begin(job: &Job<'_, Self>, after: Option<&Path>) -> Result<Self::State>;

    /// Where a run stands that was left in a directory.
    ///
    /// # Errors
    /// If what is there is damaged or belongs to something else.
    fn reopen(job: &Job<'_, Self>, place: &Path) -> Result<Self::State>;

    /// How far it reaches.
    fn extent(job: &Job<'_, Self>, state: &Self::State) -> Extent;

    /// Plays a run until it is complete or stopped; what was played is on the disk then.
    ///
    /// # Errors
    /// If that can't be written, or what was written is damaged.
    fn play(
        job: &mut Job<'_, Self>,
        state: Self::State,
        session: &mut Session<'_>,
    ) -> Result<Outcome>;

    /// What a run has found, from its sums or its log. Nothing is played.
    ///
    /// # Errors
    /// If these are damaged, or allow nothing.
    fn recall(job: &Job<'_, Self>, run: &Path) -> Result<Found>;

    /// The manifest's entries of files that were written as the run was played; they have their last form from now on.
    ///
    /// # Errors
    /// If they can't be read or written.
    fn played_files(job: &Job<'_, Self>, place: &Path) -> Result<Vec<FileEntry>>;
}

/// A run that can be played, from the start or from its saved state.
pub struct Job<'a, Q: ?Sized> {
    /// What is asked.
    pub question: Box<Q>,
    /// What is played.
    pub manifest: Manifest,
    /// The rules, by variant; the first are the run's own.
    pub games: Vec<Box<dyn LoadedGame>>,
    /// The agents.
    pub agents: Vec<AgentSpec>,
    /// Where it is written.
    pub directory: Option<Directory<'a>>,
}

/// What came of a session, or of parts that were joined.
pub struct Outcome {
    /// What has been played.
    pub played: Played,
    /// What was found by it; nothing by a part.
    pub found: Found,
}

/// Starts a run, and plays it to its end: every mistake shows here, before the first match.
///
/// # Errors
/// If the design can't be played, the thresholds name nothing, or the output can't be written.
pub fn start<Q: Runnable + ?Sized>(
    game: &dyn LoadedGame,
    design: Design<Q>,
    settings: &Settings,
    caller: Caller<'_>,
) -> Result<Finished> {
    let (question, manifest) = manifest(game, design, settings, &caller)?;
    check_new(caller.catalogue, &manifest, settings.after.as_deref())?;
    let mut job = job(caller.catalogue, question, manifest)?;
    job.directory = prepared(caller.catalogue, settings, &job.manifest)?;
    let state = Q::begin(&job, settings.after.as_deref())?;
    if let Some(directory) = &mut job.directory {
        directory.keep();
    }
    job.play_on(state, caller)
}

/// The run of a manifest: all games and agents are created once, so that mistakes show.
///
/// # Errors
/// If there is no such game, a rule set can't be played by, or an agent can't be made.
pub fn job<Q: Runnable + ?Sized>(
    catalogue: &Catalogue,
    question: Box<Q>,
    mut manifest: Manifest,
) -> Result<Job<'_, Q>> {
    add_nets(&mut manifest.agents)?;
    made(catalogue, question, manifest)
}

/// The same where nothing is played: nets of agents may be gone.
///
/// # Errors
/// As [`job`].
pub fn job_to_read<Q: Runnable + ?Sized>(
    catalogue: &Catalogue,
    question: Box<Q>,
    mut manifest: Manifest,
) -> Result<Job<'_, Q>> {
    add_nets_that_are_there(&mut manifest.agents);
    made(catalogue, question, manifest)
}

/// Reads the nets that agents of a run name.
///
/// # Errors
/// If one can't be read, or is not what it was.
pub fn add_nets(agents: &mut [AgentEntry]) -> Result<(), BadAgent> {
    for agent in agents {
        let spec = agent.spec();
        if spec.lacks_net() && spec.net_hash()?.is_none() {
            let reason = "the run does not have the hash of its net".to_owned();
            return Err(BadAgent { name: spec.name, reason });
        }
        agent.net = nets::with_net(spec)?.net;
    }
    Ok(())
}

/// The same, but agents stay without nets that can't be had: enough where nothing is played.
fn add_nets_that_are_there(agents: &mut [AgentEntry]) {
    for agent in agents {
        agent.net = nets::with_net(agent.spec()).ok().and_then(|agent| agent.net);
    }
}

fn made<Q: Runnable + ?Sized>(
    catalogue: &Catalogue,
    question: Box<Q>,
    manifest: Manifest,
) -> Result<Job<'_, Q>> {
    question.check(&manifest)?;
    let game = catalogue.game(&manifest.game)?;
    let base = game.load(manifest.rules.clone(), manifest.players)?.rules();
    let variant = |variant: &Variant| {
        let (players, changes) = rules::players_of(&variant.changes)?;
        let players = players.unwrap_or(manifest.players);
        let made = rules::changed(game, base.clone(), &changes, players);
        made.with_context(|| format!("variant `{}`", variant.name))
    };
    let games = manifest.variants.iter().map(variant).collect::<Result<Vec<_>>>()?;
    ensure!(!games.is_empty(), "the manifest has no rule sets");
    let agents: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
    for game in &games {
        check_agents(&**game, &agents)?;
    }
    let sizes: Vec<u8> = games.iter().map(|game| game.players()).collect();
    check_plan(&manifest, &sizes)?;
    Ok(Job { question, manifest, games, agents, directory: None })
}

/// Makes all agents once, but for those whose nets are not there.
fn check_agents(game: &dyn LoadedGame, agents: &[AgentSpec]) -> Result<(), BadAgent> {
    let whole: Vec<AgentSpec> = agents.iter().filter(|agent| !agent.lacks_net()).cloned().collect();
    game.check_agents(&whole)
}

/// A manifest may hold anything; what is played must fit. `sizes` are the players of each variant.
fn check_plan(manifest: &Manifest, sizes: &[u8]) -> Result<()> {
    let Manifest { plan, agents, players, .. } = manifest;
    let fits = |entry: &MatchPlan| {
        sizes.get(entry.variant).is_some_and(|&seats| entry.seats.len() == usize::from(seats))
            && entry.seats.iter().all(|&at| at < agents.len())
    };
    let matches = &plan.matches_of_a_block;
    ensure!(
        !matches.is_empty() && matches.iter().all(fits),
        "the manifest's plan does not fit its {} agents, {players} players",
        agents.len()
    );
    Ok(())
}

impl<'a, Q: Runnable + ?Sized> Job<'a, Q> {
    /// Plays on what was left in a directory.
    ///
    /// # Errors
    /// If the output can't be written, or what was written is damaged.
    pub fn resume(mut self, directory: Directory<'a>, caller: Caller<'_>) -> Result<Finished> {
        requirements(&self.question.described(), &self.manifest)?;
        let state = Q::reopen(&self, directory.partial())?;
        directory.plays()?;
        self.directory = Some(directory);
        self.play_on(state, caller)
    }

    fn play_on(mut self, state: Q::State, caller: Caller<'_>) -> Result<Finished> {
        let extent = Q::extent(&self, &state);
        let (game, directory) = (&*self.games[0], self.directory.as_ref());
        let mut session = Session::begin(game, &mut self.manifest, directory, extent, caller)?;
        let outcome = Q::play(&mut self, state, &mut session);
        session.check()?;
        let outcome = outcome?;
        session
            .end(&mut self.manifest, outcome.played.complete)
            .map_err(|error| unfinished(self.directory.as_ref(), error))?;
        self.finish(outcome)
    }

    /// Writes tables, files and manifest, puts the directory in its place, and judges thresholds.
    ///
    /// # Errors
    /// If something can't be written.
    pub fn finish(mut self, outcome: Outcome) -> Result<Finished> {
        let Outcome { played, found } = outcome;
        self.manifest.played = played;
        self.write(&found).map_err(|error| unfinished(self.directory.as_ref(), error))?;
        let path = self.directory.as_ref().map(|directory| directory.path().to_owned());
        if let Some(directory) = self.directory.take() {
            directory.publish()?;
        }
        // What was played is kept, whether or not the thresholds hold.
        let is_judged = self.manifest.played.complete && !self.manifest.is_part();
        let judged = if is_judged { self.judged(&found.tables)? } else { Vec::new() };
        let mut finished = self.finished(found.tables, judged);
        finished.path = path;
        Ok(finished)
    }

    /// Writes everything into the directory, if there is one. The manifest comes last: once it says that the run is
    /// complete, everything else is on the disk.
    fn write(&mut self, found: &Found) -> Result<()> {
        self.manifest.files = Vec::new();
        let Some(directory) = &self.directory else { return Ok(()) };
        let place = directory.partial();
        // Blocks of a part are too few for the whole run's intervals, or lack matches.
        let mut files = if self.manifest.is_part() {
            Vec::new()
        } else {
            write_found(place, &found.tables, &found.files)?
        };
        files.extend(Q::played_files(self, place)?);
        sync_directory(place)?;
        self.manifest.files = files;
        write_manifest(directory, &self.manifest)
    }

    /// The run with what its sums or its log give, and its further files. Nothing is written.
    ///
    /// # Errors
    /// If these are damaged.
    pub fn recalled(self, run: &Path) -> Result<(Finished, Vec<TextFile>)> {
        requirements(&self.question.described(), &self.manifest)?;
        let Found { tables, files } = Q::recall(&self, run)?;
        let judged = self.judged(&tables)?;
        let mut finished = self.finished(tables, judged);
        finished.path = Some(run.to_owned());
        Ok((finished, files))
    }

    fn judged(&self, tables: &[Table]) -> Result<Vec<(String, bool)>> {
        judge(&self.question.described(), &self.manifest, tables)
    }

    fn finished(mut self, tables: Vec<Table>, judged: Vec<(String, bool)>) -> Finished {
        let (asked, game) = (self.question.asked(), self.games.swap_remove(0));
        Finished { manifest: self.manifest, asked, game, tables, judged, path: None }
    }
}

/// Writes tables and further files into a directory, and returns their entries of the manifest.
///
/// # Errors
/// If one can't be written; what stood in its place is then untouched.
pub fn write_found(place: &Path, tables: &[Table], files: &[TextFile]) -> Result<Vec<FileEntry>> {
    let mut written = write_tables(place, tables)?;
    for TextFile { name, text } in files {
        let path = place.join(name);
        replace(&path, text.as_bytes()).with_context(|| format!("writing `{}`", path.display()))?;
        written.push(FileEntry::of(name.clone(), text.as_bytes()));
    }
    Ok(written)
}
