//! The parts of a run before they are merged: whether they belong together, which came twice, which are missing.

use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::manifest::{Manifest, Played, Shard, Wall, Wave, chunks_of};
use crate::lab::report::sums::Saved;
use crate::lab::run::study_run::{StudyJob, saved_of};
use crate::lab::store::directory::is_unfinished;
use crate::lab::store::manifests::{manifest_of, same_build};
use crate::lab::store::quoted::quoted;
use crate::sim::batch::Chunking;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How many missing parts are named.
const NAMED: usize = 9;

/// A part as its manifest has it. What it shares with all others is left out: there may be thousands.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its directory.
    pub path: PathBuf,
    pub wave: Option<Wave>,
    /// Which part it is; a wave that was played by one machine is one.
    pub shard: Option<Shard>,
    /// What was played.
    pub played: Played,
    /// How long that took.
    pub wall: Wall,
}

/// Everything that is to be merged.
#[derive(Debug)]
pub struct PartSet {
    /// The manifest of the whole run, as if nothing had been played.
    pub whole: Manifest,
    /// The run so far: what came of earlier waves.
    pub merged_run: Option<(PathBuf, Manifest)>,
    /// The parts in the order of their blocks.
    pub parts: Vec<Part>,
}

impl Part {
    pub fn chunks(&self, plan: &Chunking) -> Range<u64> {
        chunks_of(plan, self.wave, self.shard)
    }

    /// Which part it is, in words.
    pub fn name(&self) -> String {
        part_name(self.wave, self.shard)
    }

    /// Its sums. The job is that of the whole run, whose manifest is a part's for a moment: all else is the same, and
    /// games and agents are not made once more for each of thousands of parts.
    ///
    /// # Errors
    /// If there are none, or they are damaged or belong to something else.
    pub fn saved(&self, job: &mut StudyJob<'_>) -> Result<Saved> {
        let Part { path, wave, shard, played, .. } = self;
        (job.manifest.plan.wave, job.manifest.plan.shard) = (*wave, *shard);
        job.manifest.played.clone_from(played);
        let saved = saved_of(path, job).with_context(|| format!("part `{}`", path.display()));
        (job.manifest.plan.wave, job.manifest.plan.shard) = (None, None);
        job.manifest.played = Played::default();
        saved
    }
}

/// A part in words.
pub fn part_name(wave: Option<Wave>, shard: Option<Shard>) -> String {
    let part = shard.map(|shard| format!("part {shard}"));
    match (part, wave) {
        (Some(part), None) => part,
        (Some(part), Some(wave)) => format!("{part} of wave {}", wave.number),
        (None, Some(wave)) => format!("wave {}", wave.number),
        (None, None) => "the whole run".to_owned(),
    }
}

/// Reads the manifests of parts, and of the run so far.
///
/// # Errors
/// If one can't be read, is no part, not complete, of another run, or of another build.
pub fn read(catalogue: &Catalogue, paths: &[PathBuf]) -> Result<PartSet> {
    let first = paths.first().context("there are no parts")?;
    let mut whole: Option<(Manifest, u64)> = None;
    let mut merged_run: Option<(PathBuf, Manifest)> = None;
    let mut parts = Vec::new();
    for path in paths {
        let manifest = delivered(catalogue, path)?;
        let name = path.display();
        same_build(&manifest).with_context(|| format!("part `{name}`"))?;
        let design = manifest.design_hash();
        if let Some((_, other)) = &whole {
            let other_run = || format!("`{name}` and `{}` are of different runs", first.display());
            ensure!(design == *other, "{}", other_run());
        } else {
            let mut manifest = manifest.clone();
            (manifest.plan.wave, manifest.plan.shard) = (None, None);
            (manifest.played, manifest.wall) = (Played::default(), Wall::default());
            manifest.files = Vec::new();
            whole = Some((manifest, design));
        }
        if manifest.plan.is_part() {
            parts.push(part(path, manifest)?);
        } else if let Some((other, _)) = &merged_run {
            bail!("`{}` and `{name}` are both the run so far; name one of them", other.display());
        } else {
            check_merged_run(catalogue, path, &manifest)?;
            merged_run = Some((path.clone(), manifest));
        }
    }
    let (whole, _) = whole.context("there are no parts")?;
    ensure!(!parts.is_empty(), "`{}` is no part: it was played without --shard", first.display());
    let plan = whole.plan.plan();
    let is_search = catalogue.question(&whole.question)?.is_search();
    parts.sort_by_key(|part| {
        // The blocks of a search are not known before it asks for them.
        let Range { start, end } = match part.wave {
            Some(wave) if is_search => wave.number..wave.number,
            Some(_) => part.chunks(&plan),
            None => 0..0,
        };
        (start, end, part.shard.map(|shard| shard.part))
    });
    Ok(PartSet { whole, merged_run, parts })
}

/// The manifest of what was delivered; of a part that is still played, the name that it will have is enough.
fn delivered(catalogue: &Catalogue, path: &Path) -> Result<Manifest> {
    let manifest = manifest_of(catalogue, path);
    let unfinished = || is_unfinished(path).unwrap_or(false);
    if manifest.is_err() && !path.join("manifest.json").exists() && unfinished() {
        bail!("part `{}` is not complete; `fairhaven resume {}`", path.display(), quoted(path));
    }
    manifest
}

fn part(path: &Path, manifest: Manifest) -> Result<Part> {
    let name = path.display();
    ensure!(
        manifest.played.complete,
        "part `{name}` is not complete; `fairhaven resume {}`",
        quoted(path)
    );
    let Manifest { plan, played, wall, .. } = manifest;
    Ok(Part { path: path.to_owned(), wave: plan.wave, shard: plan.shard, played, wall })
}

/// Whether a run can be one that waves are added to.
fn check_merged_run(catalogue: &Catalogue, path: &Path, manifest: &Manifest) -> Result<()> {
    let in_waves = catalogue.question(&manifest.question)?.has_waves();
    ensure!(
        in_waves && !manifest.is_part(),
        "`{}` is no part: it was played without --shard",
        path.display()
    );
    Ok(())
}

/// Leaves one of each part that was delivered more than once, and says which went.
///
/// # Errors
/// If two of the same part differ.
pub fn without_copies(
    parts: &mut Vec<Part>,
    mut are_same: impl FnMut(&Part, &Part) -> Result<bool>,
) -> Result<Vec<String>> {
    let mut said = Vec::new();
    let mut kept: Vec<Part> = Vec::new();
    for part in parts.drain(..) {
        let same = |other: &&Part| (other.wave, other.shard) == (part.wave, part.shard);
        let Some(other) = kept.last().filter(same) else {
            kept.push(part);
            continue;
        };
        let (path, name) = (part.path.display(), part.name());
        let both = format!("`{}` and `{path}` are both {name}", other.path.display());
        ensure!(are_same(other, &part)?, "{both}, and differ; name only the correct one");
        said.push(format!("{both}, and the same: merged once"));
    }
    *parts = kept;
    Ok(said)
}

/// Whether the parts of a run that was cut once are all there.
///
/// # Errors
/// Names those that are missing.
pub fn check_all_there(parts: &[Part]) -> Result<()> {
    let shard = |part: &Part| part.shard.filter(|_| part.wave.is_none());
    let shards: Vec<Shard> = parts.iter().filter_map(shard).collect();
    let odd = parts.iter().find(|part| shard(part).is_none());
    ensure!(odd.is_none(), "parts of waves and of a run without waves are of different runs");
    let all = shards[0].parts;
    for (part, shard) in parts.iter().zip(&shards) {
        let name = part.path.display();
        ensure!(shard.parts == all, "`{name}` is part {shard}, others are of {all}");
    }
    ensure_none_missing(None, all, shards.iter().map(|shard| shard.part))
}

/// Makes sure that all parts of a run, or of a wave of it, are there; of many that are missing, the first are named.
fn ensure_none_missing(
    wave: Option<Wave>,
    parts: u64,
    there: impl Iterator<Item = u64>,
) -> Result<()> {
    let there: BTreeSet<u64> = there.collect();
    let missing = (1..=parts).filter(|part| !there.contains(part)).take(NAMED);
    let named = |part| match (Shard { part, parts }, wave) {
        (shard, None) => shard.to_string(),
        (shard, wave) => part_name(wave, Some(shard)),
    };
    let missing: Vec<String> = missing.map(named).collect();
    ensure!(missing.is_empty(), "parts are missing: {}", missing.join(", "));
    Ok(())
}

/// The parts of the waves that were delivered in part which are missing, if their chunks are needed: those behind
/// `from`. Of many, the first are named.
pub fn missing_of_waves(parts: &[Part], plan: &Chunking, from: u64) -> Vec<String> {
    let key = |part: &Part| Some((part.wave?, part.shard?));
    let there: BTreeSet<(Wave, Shard)> = parts.iter().filter_map(key).collect();
    let waves: BTreeSet<(Wave, u64)> =
        there.iter().map(|(wave, shard)| (*wave, shard.parts)).collect();
    let all = waves
        .into_iter()
        .flat_map(|(wave, parts)| (1..=parts).map(move |part| (wave, Shard { part, parts })));
    let needed = |&(wave, shard): &(Wave, Shard)| {
        let chunks = chunks_of(plan, Some(wave), Some(shard));
        !chunks.is_empty() && chunks.end > from && !there.contains(&(wave, shard))
    };
    let named = all.filter(needed).take(NAMED);
    named.map(|(wave, shard)| part_name(Some(wave), Some(shard))).collect()
}

/// Whether parts are those of one wave, and all there.
///
/// # Errors
/// Names what is of another wave, or missing.
pub fn check_wave(parts: &[Part]) -> Result<()> {
    let Some(first) = parts.first() else { return Ok(()) };
    let all = |part: &Part| part.shard.map_or(1, |shard| shard.parts);
    for part in parts {
        let same = (part.wave, all(part)) == (first.wave, all(first));
        let (one, other) = (first.path.display(), part.path.display());
        ensure!(same, "`{one}` and `{other}` are of different waves, or of one that was cut twice");
    }
    let there = parts.iter().map(|part| part.shard.map_or(1, |shard| shard.part));
    ensure_none_missing(first.wave, all(first), there)
}
