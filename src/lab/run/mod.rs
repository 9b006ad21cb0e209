//! Runs: what is asked for and what comes of it, and what studies and searches have in common as they are played:
//! the manifest, the directory, tables and thresholds.

pub mod caller;
pub mod job;
pub(crate) mod session;
pub(crate) mod stage_table;
pub(crate) mod stages;
pub(crate) mod study_run;
pub(crate) mod search_run;
pub mod existing;
pub(crate) mod notes;
pub(crate) mod welcome;

use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::question::{Design, Question};
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::described::TableSchema;
use crate::lab::report::files::{replace, sync_directory};
use crate::lab::report::hash::hash;
use crate::lab::report::manifest::{
    BUILD, FileEntry, MANIFEST_MAX, Manifest, PlanEntry, Played, SCHEMA_VERSION, Shard, Variant,
    Wall, Wave,
};
use crate::lab::report::require::Requirement;
use crate::lab::report::table::Table;
use crate::lab::run::caller::Caller;
use crate::lab::run::welcome::welcome;
use crate::lab::setup::rules::with_files;
use crate::lab::store::directory::Directory;
use crate::lab::store::limits;
use crate::lab::store::manifests::check_merged_run;
use crate::lab::store::quoted::quoted;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use anyhow::{Context, Result, bail, ensure};
use std::fmt;
use std::path::{Path, PathBuf};

/// What a caller says about a run beside its design.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The master seed.
    pub seed: u64,
    /// The part of the plan that is played, if not all of it.
    pub shard: Option<Shard>,
    /// The wave that is played, of a run that may stop by itself.
    pub wave: Option<Wave>,
    /// What was played of the run so far, before that wave.
    pub after: Option<PathBuf>,
    /// The share of matches that guests may lose by failing, if a failure doesn't stop the run.
    pub fault_share: Option<f64>,
    /// Thresholds on the tables.
    pub require: Vec<String>,
    /// The directory for the tables, if they are written.
    pub out: Option<PathBuf>,
    /// Whether an earlier run in that directory is replaced.
    pub force: bool,
}

/// A run that has ended, or was stopped.
pub struct Finished {
    /// The manifest, which says what was played.
    pub manifest: Manifest,
    /// What was asked.
    pub asked: Asked,
    /// The game, by the run's own rules.
    pub game: Box<dyn LoadedGame>,
    /// The tables; none of a part.
    pub tables: Vec<Table>,
    /// The thresholds and whether they hold, in words.
    pub judged: Vec<(String, bool)>,
    /// Where it lies, if it was written.
    pub path: Option<PathBuf>,
}

impl fmt::Debug for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finished { manifest, judged, path, .. } = self;
        let mut shown = f.debug_struct("Finished");
        shown.field("manifest", manifest).field("judged", judged).field("path", path);
        shown.finish_non_exhaustive()
    }
}

/// Makes sure that a run that has not played yet can be played, and be divided as its manifest says.
///
/// # Errors
/// If it can't be divided so, asks for too much, or does not follow the run whose wave it plays.
pub fn check_new(catalogue: &Catalogue, manifest: &Manifest, after: Option<&Path>) -> Result<()> {
    let asked = catalogue.question(&manifest.question)?;
    if let Some(reason) = asked.why_not_divisible(&manifest.plan) {
        bail!("{reason}");
    }
    limits::check(catalogue, &asked, manifest)?;
    requirements(&asked.described(), manifest)?;
    after.map_or(Ok(()), |run| check_merged_run(catalogue, run, manifest))
}

/// The directory of a new run, with its manifest in it, if the run is written.
///
/// # Errors
/// If there is another run in its place, or it can't be written.
pub fn prepared<'a>(
    catalogue: &'a Catalogue,
    settings: &Settings,
    manifest: &Manifest,
) -> Result<Option<Directory<'a>>> {
    let Some(path) = &settings.out else { return Ok(None) };
    let directory = Directory::prepare(catalogue, path, settings.force)?;
    write_manifest(&directory, manifest)?;
    Ok(Some(directory))
}

/// The entries of agents: each with the parameters that tell it apart at this table, under the name that its study knows.
/// Programs outside are met.
///
/// # Errors
/// If one of these can't be reached.
fn entries(game: &dyn LoadedGame, agents: &[AgentSpec], watch: &Watch) -> Result<Vec<AgentEntry>> {
    let entry = |agent: &AgentSpec| {
        // One that can't be made is refused when it is.
        let settled = game.settled(agent).unwrap_or_else(|_| agent.clone());
        AgentEntry::new(&AgentSpec { name: agent.name.clone(), ..settled })
    };
    let mut entries: Vec<AgentEntry> = agents.iter().map(entry).collect();
    welcome(game, &mut entries, watch)?;
    Ok(entries)
}

/// The question of a planned run, and its manifest, as long as it has not played. Programs outside are met.
///
/// # Errors
/// If one of these can't be reached, or a file that a rule set names can't be read.
pub fn manifest<Q: Question + ?Sized>(
    game: &dyn LoadedGame,
    design: Design<Q>,
    settings: &Settings,
    caller: &Caller<'_>,
) -> Result<(Box<Q>, Manifest)> {
    let Design { question, variants, agents, matches, blocks, chunk } = design;
    let Settings { shard, wave, .. } = *settings;
    let plan = PlanEntry { blocks, chunk, wave, shard, matches_of_a_block: matches };
    let agents = entries(game, &agents, &caller.watch)?;
    let variants = variants.into_iter().map(|Variant { name, changes }| {
        Ok(Variant { name, changes: with_files(game.game_type(), &changes)? })
    });
    let rules = game.rules();
    let manifest = Manifest {
        schema_version: SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build: BUILD.to_owned(),
        command: caller.command.clone(),
        question: question.spec(),
        game: game.game_type().facts().name.to_owned(),
        players: game.players(),
        unofficial: game.unofficial().map(str::to_owned),
        rules_hash: hash(&rules.to_string()),
        rules,
        variants: variants.collect::<Result<_>>()?,
        agents,
        seed: settings.seed,
        generator: "PCG XSH RR 64/32 (pcg32), seeded by SplitMix64's finalizer".to_owned(),
        plan,
        fault_share: settings.fault_share,
        require: settings.require.clone(),
        played: Played::default(),
        wall: Wall::default(),
        files: Vec::new(),
        checksum: String::new(),
    };
    Ok((question, manifest))
}

/// The thresholds of a run, each of which must name something that the run will write.
///
/// # Errors
/// If one can't be read, or names nothing.
pub fn requirements(described: &[TableSchema], manifest: &Manifest) -> Result<Vec<Requirement>> {
    let parse = |text: &String| {
        let requirement = Requirement::parse(text)?;
        requirement.check_names(described)?;
        Ok(requirement)
    };
    let all: Result<Vec<Requirement>> = manifest.require.iter().map(parse).collect();
    let all = all?;
    ensure!(
        all.is_empty() || !manifest.is_part(),
        "a part has no tables for --require; give it to `merge`"
    );
    Ok(all)
}

/// Writes the manifest as it stands.
///
/// # Errors
/// If it can't be written.
pub fn write_manifest(directory: &Directory<'_>, manifest: &Manifest) -> Result<()> {
    let path = directory.file("manifest.json");
    let json = manifest.to_json();
    ensure!(
        json.len() <= MANIFEST_MAX,
        "the run's manifest has {} bytes, and may have {MANIFEST_MAX}: it has too many variants or \
         agents",
        json.len()
    );
    replace(&path, json.as_bytes()).with_context(|| format!("writing `{}`", path.display()))
}

/// Puts the entries of files that were made anew into the manifest of a run, if they differ from those in it.
///
/// # Errors
/// If it can't be written.
pub fn list_again(run: &Path, manifest: &mut Manifest, files: Vec<FileEntry>) -> Result<()> {
    if manifest.files != files {
        manifest.files = files;
        let path = run.join("manifest.json");
        replace(&path, manifest.to_json().as_bytes())
            .with_context(|| format!("writing `{}`", path.display()))?;
    }
    Ok(sync_directory(run)?)
}

/// Writes tables into a directory, and returns their entries of the manifest.
///
/// # Errors
/// If one can't be written; what stood in its place is then untouched.
pub fn write_tables(directory: &Path, tables: &[Table]) -> Result<Vec<FileEntry>> {
    let write = |table: &Table| {
        let name = format!("{}.csv", table.name);
        let mut bytes = Vec::new();
        table.write_csv(&mut bytes)?;
        let path = directory.join(&name);
        replace(&path, &bytes).with_context(|| format!("writing `{}`", path.display()))?;
        Ok(FileEntry::of(name, &bytes))
    };
    tables.iter().map(write).collect()
}

/// Whether each threshold holds, with a line that says so.
///
/// # Errors
/// If one can't be judged.
pub fn judge(
    described: &[TableSchema],
    manifest: &Manifest,
    tables: &[Table],
) -> Result<Vec<(String, bool)>> {
    let one = |requirement: &Requirement| {
        let held = requirement.evaluate(tables)?;
        Ok((requirement.describe(held), held.holds))
    };
    requirements(described, manifest)?.iter().map(one).collect()
}

/// Says how to resume a run that could not be written.
pub fn unfinished(directory: Option<&Directory<'_>>, error: anyhow::Error) -> anyhow::Error {
    let kept = directory.filter(|directory| directory.is_kept());
    let Some(directory) = kept else { return error };
    let path = quoted(directory.path());
    error.context(format!(
        "the run can't be written; once that is mended, `fairhaven resume {path}` resumes it"
    ))
}
