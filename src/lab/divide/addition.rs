//! Agents that join a tournament later: only their line-ups are played, on the blocks of the old run, and the sums of
//! both are added. What results is what a run with all agents from the start gives, byte for byte.

use crate::lab::divide::saved::is_of_design;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::studies::study::Design;
use crate::lab::questions::studies::tournament::Tournament;
use crate::lab::report::files;
use crate::lab::report::manifest::{Manifest, ONTO, Played, Wall};
use crate::lab::report::sums::{DIGESTS, FileDigest, Saved};
use crate::lab::run::study_run::{StudyJob, saved_of, study_job};
use crate::lab::run::{self, Finished, Settings};
use crate::lab::store::directory::{self, Directory};
use crate::lab::store::manifests::{manifest_of, same_build};
use crate::lab::store::quoted::quoted;
use crate::lab::store::run_files::MANIFEST;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::Totals;
use crate::sim::experiment::MatchId;
use crate::sim::trials::BLOCKS;
use crate::stats::jackknife::{GROUPS, Grouped};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// What new agents play with those of an earlier run.
pub struct Addition {
    /// The game with the rules of that run.
    pub game: Box<dyn LoadedGame>,
    /// The new line-ups.
    pub design: Design,
    /// The master seed of that run.
    pub seed: u64,
}

/// The line-ups of new agents with those of a tournament, whose thresholds are `require` once it has them.
///
/// # Errors
/// If nobody can join it: it is no complete tournament of this build, or its line-ups depend on all agents. If a threshold
/// names nothing.
pub fn addition(
    catalogue: &Catalogue,
    earlier: &Path,
    new: &[AgentSpec],
    require: &[String],
) -> Result<Addition> {
    let manifest = manifest_of(catalogue, earlier)?;
    let name = earlier.display();
    let refused = || format!("nobody can join `{name}`");
    ensure!(
        manifest.question.kind == "tournament",
        "`{name}` is no tournament but a run of `{}`",
        manifest.question.kind
    );
    ensure!(
        !manifest.is_part(),
        "`{name}` is a part of a tournament; `fairhaven merge` joins parts"
    );
    ensure!(
        manifest.fault_share.is_none(),
        "nobody can join `{name}`: guests may lose matches in it by failing (--on-fault loss)"
    );
    same_build(&manifest).with_context(refused)?;
    ensure_complete(earlier, &manifest)?;
    let settings = Value::Object(manifest.question.settings.clone());
    let study: Tournament = serde_json::from_value(settings)?;
    let whole = Manifest { require: require.to_vec(), ..manifest.clone() };
    run::requirements(&catalogue.question(&whole.question)?.described(), &whole)?;
    let mut job = study_job(catalogue, manifest)?;
    // Its sums are read now, so that nothing is played in vain.
    let saved = saved_of(earlier, &job)?;
    saved.digests.check_whole(&earlier.join(DIGESTS))?;
    let game = job.games.swap_remove(0);
    let StudyJob { manifest, agents, .. } = job;
    let new = new.iter().map(|agent| game.settled(agent)).collect::<Result<_, _>>()?;
    let design = study
        .addition([agents, new], manifest.players, manifest.plan.blocks)
        .with_context(refused)?;
    Ok(Addition { game, design, seed: manifest.seed })
}

/// Whether some runs are a tournament and line-ups that are added to it: the number of the latter among the two.
///
/// # Errors
/// If a manifest can't be read.
pub fn place_of(catalogue: &Catalogue, runs: &[impl AsRef<Path>]) -> Result<Option<usize>> {
    let [one, other] = runs else { return Ok(None) };
    for (at, run) in [one, other].into_iter().enumerate() {
        if manifest_of(catalogue, run.as_ref())?.question.is_addition() {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn ensure_complete(run: &Path, manifest: &Manifest) -> Result<()> {
    let name = run.display();
    let complete = manifest.played.complete;
    ensure!(complete, "`{name}` is not complete; `fairhaven resume {}`", quoted(run));
    Ok(())
}

/// Line-ups that were played to join a tournament, and wait for it because their process is gone.
pub struct Waiting {
    /// The tournament, as the command named it.
    pub earlier: PathBuf,
    pub command: Vec<String>,
    /// Its thresholds, which are for the whole.
    pub require: Vec<String>,
}

/// What waits at a path to be joined; nothing if it is anything else.
pub fn waiting(catalogue: &Catalogue, run: &Path) -> Option<Waiting> {
    let partial = directory::partial_of(run).ok()?;
    let again = |partial: PathBuf| partial.join(MANIFEST).exists();
    if partial.is_some_and(again) {
        return None;
    }
    let manifest = manifest_of(catalogue, run).ok()?;
    let waits = manifest.played.complete && manifest.question.is_addition();
    let said = |flag: &str| words_after(&manifest.command, flag);
    let earlier = said("--onto").pop().filter(|_| waits && !manifest.plan.is_part())?;
    Some(Waiting { earlier: earlier.into(), require: said("--require"), command: manifest.command })
}

/// What follows a flag of a command line, however often it stands there.
fn words_after(command: &[String], flag: &str) -> Vec<String> {
    let after = |(at, word): (usize, &String)| match word.strip_prefix(flag)? {
        "" => command.get(at + 1).cloned(),
        rest => rest.strip_prefix('=').map(str::to_owned),
    };
    command.iter().enumerate().filter_map(after).collect()
}

/// Adds new line-ups to a tournament. Of the settings, where it goes and its thresholds count.
///
/// # Errors
/// If they do not belong together, one is not complete, or the whole can't be written.
pub fn join(
    catalogue: &Catalogue,
    earlier: &Path,
    new: &Path,
    settings: &Settings,
    command: Vec<String>,
) -> Result<Finished> {
    let runs =
        [earlier, new].map(|run| manifest_of(catalogue, run).map(|manifest| (run, manifest)));
    let [old, new] = runs;
    let (old, new) = (old?, new?);
    for (run, manifest) in [&old, &new] {
        let name = run.display();
        same_build(manifest).with_context(|| format!("run `{name}`"))?;
        ensure_complete(run, manifest)?;
    }
    let whole = whole_of(&old.1, &new.1, settings, command)
        .with_context(|| format!("`{}` and `{}`", old.0.display(), new.0.display()))?;
    run::requirements(&catalogue.question(&whole.question)?.described(), &whole)?;
    let first = old.1.plan.matches_of_a_block.len() as u64;
    let jobs = [(old.0, study_job(catalogue, old.1)?), (new.0, study_job(catalogue, new.1)?)];
    let [old, new] = &jobs;
    let [earlier, added] = [saved_of(old.0, &old.1)?, saved_of(new.0, &new.1)?];
    let mut whole = study_job(catalogue, whole)?;
    let shape = whole.shape()?;
    let totals = added_up(&earlier.totals, &added.totals, shape.width, first);
    let bytes = added_digests([(old.0, &earlier), (new.0, &added)])?;
    let out = settings.out.as_deref().context("they are joined into a directory")?;
    let directory = Directory::prepare_merge(catalogue, out, settings.force, &|left| {
        is_of_design(catalogue, left, whole.manifest.design_hash())
    })?;
    let mut file = files::create(&directory.file(DIGESTS))?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    let digests = FileDigest::EMPTY.with(&bytes);
    let saved = Saved { design: shape.design, totals, rows: FileDigest::EMPTY, digests };
    saved.write(directory.partial())?;
    whole.directory = Some(directory);
    let outcome = whole.outcome(&saved.totals, None)?;
    whole.finish(outcome)
}

/// The manifest of both together.
fn whole_of(
    old: &Manifest,
    new: &Manifest,
    settings: &Settings,
    command: Vec<String>,
) -> Result<Manifest> {
    ensure!(
        new.question.is_addition() && !old.is_part() && new.plan.shard.is_none(),
        "are not a tournament and new line-ups for it"
    );
    let mut whole = new.clone();
    whole.question.settings.insert(ONTO.to_owned(), Value::Null);
    whole.plan.matches_of_a_block =
        [&old.plan.matches_of_a_block[..], &new.plan.matches_of_a_block].concat();
    let mut begun = whole.clone();
    begun.agents.truncate(old.agents.len());
    begun.plan.matches_of_a_block.truncate(old.plan.matches_of_a_block.len());
    ensure!(
        new.agents.len() > old.agents.len() && begun.design_hash() == old.design_hash(),
        "do not belong together: other agents, rules, blocks, seed or anchor"
    );
    whole.command = command;
    whole.require.clone_from(&settings.require);
    whole.played = Played::default();
    whole.wall = Wall::default();
    for part in [old, new] {
        whole.wall.add(&part.wall);
    }
    Ok(whole)
}

/// The sums of the same blocks with more matches; the new ones' numbers begin with `first`.
fn added_up(earlier: &Totals, added: &Totals, width: usize, first: u64) -> Totals {
    let mut grouped = Grouped::new(width);
    for group in 0..GROUPS {
        let mut sums = earlier.grouped.group(group).to_vec();
        sums.resize(width, 0);
        let blocks = earlier.grouped.blocks_by_group()[group];
        grouped.add(group as u64, blocks, &sums);
        // They are the same blocks.
        let mut more = added.grouped.group(group).to_vec();
        more[BLOCKS] = 0;
        grouped.add(group as u64, 0, &more);
    }
    let later = |at: Option<MatchId>| at.map(|(block, number)| (block, number + first));
    let earliest = |(one, other): (&Option<MatchId>, &Option<MatchId>)| {
        [*one, later(*other)].into_iter().flatten().min()
    };
    let firsts = earlier.firsts.iter().zip(&added.firsts).map(earliest).collect();
    Totals { chunks: earlier.chunks.clone(), grouped, firsts, open: None, looks: None }
}

/// The digests of the same chunks with more matches: those of tournaments add up.
fn added_digests(runs: [(&Path, &Saved); 2]) -> Result<Vec<u8>> {
    let mut all: Vec<u32> = Vec::new();
    for (run, saved) in runs {
        let path = run.join(DIGESTS);
        saved.digests.check_whole(&path)?;
        let mut bytes = Vec::new();
        files::open(&path)?.take(saved.digests.bytes).read_to_end(&mut bytes)?;
        let digests = bytes
            .chunks_exact(4)
            .map(|digest| u32::from_le_bytes(digest.try_into().expect("four bytes")));
        all.resize(bytes.len() / 4, 0);
        for (sum, digest) in all.iter_mut().zip(digests) {
            *sum = sum.wrapping_add(digest);
        }
    }
    Ok(all.into_iter().flat_map(u32::to_le_bytes).collect())
}
