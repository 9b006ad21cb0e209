//! How far runs and parts are, also those that are being played, and what is missing of a whole. Nothing is written,
//! and no clock is read: the remaining time is estimated from the times that runs have noted, and from those of their files.

use crate::lab::divide::addition;
use crate::lab::divide::parts::part_name;
use crate::lab::divide::saved::saved_blocks;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::files;
use crate::lab::report::manifest::{Manifest, Shard, Wave, chunks_of};
use crate::lab::report::sums::SUMS;
use crate::lab::store::directory;
use crate::lab::store::lock::Lock;
use crate::lab::store::manifests::manifest_of;
use crate::lab::store::replaced;
use crate::lab::store::run_files::LOCK;
use crate::lab::store::stage_log;
use crate::sim::batch::Chunking;
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Everything was played.
    Complete,
    /// This process plays it; on shared storage it may be one of another machine.
    Written(u32),
    /// Nobody plays it: it was interrupted or killed, or waits for its next wave.
    Stopped,
}

/// How far a run or a part is.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Its directory, as `--out` names it.
    pub path: PathBuf,
    /// The name of the design: the same for all parts of a run.
    pub design: u64,
    /// What is played: command, game, seed.
    pub title: String,
    /// The hash of the sources that play it.
    pub build: String,
    pub wave: Option<Wave>,
    /// The part that it is.
    pub shard: Option<Shard>,
    /// Blocks and chunks of the whole run.
    pub plan: Chunking,
    /// What it is doing.
    pub state: State,
    /// Blocks that were played and saved.
    pub blocks: u64,
    /// Blocks that it has; the most of them, if it may stop by itself.
    pub all: u64,
    /// Whether it may stop by itself.
    pub at_most: bool,
    /// Whether it is a search, which finds out as it goes what it plays.
    pub is_search: bool,
    /// Whether programs outside play in it, which `resume` starts only where that is allowed.
    pub has_guests: bool,
    /// Blocks a second, if anything is known of that.
    pub rate: Option<f64>,
    /// What is left to do although all was played, because a process is gone.
    pub left: Option<Left>,
}

/// What `resume` finishes where nothing is left to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// The run that it replaced lies in its directory, to be removed.
    Replaced,
    /// It is to be joined with the tournament that it adds to.
    Joining,
}

/// The parts of a run, or of a wave of it, that was cut into some number.
#[derive(Debug, Clone)]
pub struct Set {
    /// What is played.
    pub title: String,
    /// The name of the design.
    pub design: u64,
    pub wave: Option<Wave>,
    /// Into how many parts it was cut.
    pub parts: u64,
    /// The parts that are complete, that are being played, and that were stopped.
    pub counts: [u64; 3],
    /// Those of which there is nothing yet, as ranges.
    pub missing: Vec<(u64, u64)>,
    /// Blocks that were played.
    pub blocks: u64,
    /// Blocks that there are.
    pub all: u64,
    /// Blocks a second of one part.
    pub rate: Option<f64>,
}

/// What is to be known of some directories.
#[derive(Debug, Default)]
pub struct Status {
    /// Runs and parts, in the order in which they were named.
    pub runs: Vec<Progress>,
    /// The runs, or waves of them, that were cut into parts.
    pub sets: Vec<Set>,
    /// What can't be read, in words.
    pub faults: Vec<String>,
}

/// How far the runs of some directories are. A directory that is no run is looked through for runs.
pub fn status(catalogue: &Catalogue, paths: &[PathBuf]) -> Status {
    let mut status = Status::default();
    let mut seen = BTreeSet::new();
    for path in paths {
        let found = match places(path) {
            Ok(found) => found,
            Err(error) => {
                status.faults.push(format!("{error:#}"));
                continue;
            }
        };
        for place in found {
            if !seen.insert(place.clone()) {
                continue;
            }
            // A run may be put in its place while somebody looks.
            match progress(catalogue, &place).or_else(|_| progress(catalogue, &place)) {
                Ok(progress) => status.runs.push(progress),
                Err(error) => status.faults.push(format!("`{}`: {error:#}", place.display())),
            }
        }
    }
    status.sets = sets(&status.runs);
    status
}

impl Status {
    /// Whether everything is there and complete.
    pub fn is_complete(&self) -> bool {
        // A whole run that is complete no longer needs its parts.
        let complete =
            |run: &Progress| run.state == State::Complete && run.left != Some(Left::Joining);
        let whole = |design| {
            let whole = |run: &Progress| run.design == design && run.is_whole();
            self.runs.iter().any(|run| whole(run) && complete(run))
        };
        let done = |run: &Progress| complete(run) || !run.is_whole() && whole(run.design);
        let there = |set: &Set| set.missing.is_empty() || whole(set.design);
        self.faults.is_empty() && self.runs.iter().all(done) && self.sets.iter().all(there)
    }
}

impl Progress {
    /// Whether it is no part.
    pub fn is_whole(&self) -> bool {
        self.wave.is_none() && self.shard.is_none()
    }

    /// Which part it is, in words.
    pub fn part(&self) -> String {
        part_name(self.wave, self.shard)
    }

    /// Seconds until it has played all of its blocks, at the pace so far.
    pub fn left_s(&self) -> Option<f64> {
        if self.state == State::Complete {
            return None;
        }
        Some((self.all - self.blocks.min(self.all)) as f64 / self.rate?)
    }
}

impl Set {
    /// Seconds of one part after the other that are left.
    pub fn left_s(&self) -> Option<f64> {
        Some((self.all - self.blocks.min(self.all)) as f64 / self.rate?).filter(|&left| left > 0.0)
    }
}

/// The temporary name's ending.
const PARTIAL: &str = "partial";

/// The runs at a path: itself, or those in it.
fn places(path: &Path) -> Result<Vec<PathBuf>> {
    if let Some(run) = run_at(path) {
        return Ok(vec![run]);
    }
    let unreadable = || format!("can't read `{}`", path.display());
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(path).with_context(unreadable)? {
        found.extend(run_at(&entry.with_context(unreadable)?.path()));
    }
    ensure!(!found.is_empty(), "`{}` holds no run", path.display());
    Ok(found.into_iter().collect())
}

/// The run at a path, by the name that it has or will have.
fn run_at(path: &Path) -> Option<PathBuf> {
    let named = path.extension() == Some(OsStr::new(PARTIAL));
    let path = if named { path.with_extension("") } else { path.to_owned() };
    let is_run = |place: &Path| place.join("manifest.json").exists();
    let partial = || directory::partial_of(&path).ok().flatten();
    (is_run(&path) || partial().is_some_and(|partial| is_run(&partial))).then_some(path)
}

fn progress(catalogue: &Catalogue, path: &Path) -> Result<Progress> {
    let partial = directory::partial_of(path)?;
    let partial = partial.filter(|partial| partial.join("manifest.json").exists());
    let place = partial.as_deref().unwrap_or(path);
    let manifest = manifest_of(catalogue, place)?;
    let asked = catalogue.question(&manifest.question)?;
    let plan = manifest.plan.plan();
    let (wave, shard) = (manifest.plan.wave, manifest.plan.shard);
    let own = match wave.filter(|_| asked.is_search()) {
        // A wave is what is left of a stage, or so many blocks of it.
        Some(wave) => {
            0..wave.blocks.min(plan.blocks).div_ceil(shard.map_or(1, |shard| shard.parts))
        }
        None => plan.blocks_of(manifest.plan.chunks()),
    };
    let complete = partial.is_none() && manifest.played.complete;
    let holder = partial.as_deref().and_then(|partial| Lock::holder(&partial.join(LOCK)));
    let state = match holder {
        _ if complete => State::Complete,
        Some(process) => State::Written(process),
        None => State::Stopped,
    };
    let is_search = asked.is_search();
    let at_most = is_search || asked.is_sequential() && wave.is_none();
    let blocks =
        if complete { manifest.played.blocks } else { saved_blocks(place, &asked, &manifest)? };
    let all = if complete { blocks } else { own.end - own.start };
    let rate = rate(place, &asked, &manifest, blocks);
    let left = if replaced::is_left(path) {
        Some(Left::Replaced)
    } else {
        addition::waiting(catalogue, path).map(|_| Left::Joining)
    };
    let title = format!("{} {}, seed {}", asked.command(), manifest.game, manifest.seed);
    Ok(Progress {
        path: path.to_owned(),
        design: manifest.design_hash(),
        title,
        has_guests: manifest.has_guests(),
        build: manifest.build,
        wave,
        shard,
        plan,
        state,
        blocks,
        all,
        at_most,
        is_search,
        rate,
        left: left.filter(|_| complete),
    })
}

/// Blocks a second: of the sessions that have ended, or else from the first file of this one to the last.
fn rate(place: &Path, asked: &Asked, manifest: &Manifest, blocks: u64) -> Option<f64> {
    let ended = manifest.wall.wall_s;
    let sound = |rate: &f64| rate.is_finite() && *rate > 0.0;
    if ended > 0.0 {
        return Some(manifest.played.blocks as f64 / ended).filter(sound);
    }
    let last = if asked.is_search() { stage_log::growing(manifest) } else { SUMS };
    let time = |name: &str| files::found(&place.join(name)).ok()?.modified().ok();
    let spent = time(last)?.duration_since(time("manifest.json")?).ok()?;
    Some(blocks as f64 / spent.as_secs_f64()).filter(sound)
}

/// The sets that parts belong to.
fn sets(runs: &[Progress]) -> Vec<Set> {
    type Key = (u64, Option<Wave>, u64);
    let mut parts: BTreeMap<Key, BTreeMap<u64, &Progress>> = BTreeMap::new();
    for run in runs.iter().filter(|run| !run.is_whole()) {
        let Shard { part, parts: all } = run.shard.unwrap_or(Shard { part: 1, parts: 1 });
        let set = parts.entry((run.design, run.wave, all)).or_default();
        // Of a part that is there twice, what is further counts.
        let known = set.entry(part).or_insert(run);
        if known.blocks < run.blocks {
            *known = run;
        }
    }
    parts.into_iter().filter_map(|((_, wave, all), set)| set_of(wave, all, &set)).collect()
}

fn set_of(wave: Option<Wave>, parts: u64, set: &BTreeMap<u64, &Progress>) -> Option<Set> {
    let first = set.values().next()?;
    let plan = &first.plan;
    let mut counts = [0; 3];
    let (mut blocks, mut seconds, mut timed) = (0, 0.0, 0.0);
    for run in set.values() {
        let at = match run.state {
            State::Complete => 0,
            State::Written(_) => 1,
            State::Stopped => 2,
        };
        counts[at] += 1;
        blocks += run.blocks;
        if let Some(rate) = run.rate {
            timed += run.blocks as f64;
            seconds += run.blocks as f64 / rate;
        }
    }
    let mut missing: Vec<(u64, u64)> = Vec::new();
    for part in (1..=parts).filter(|part| !set.contains_key(part)) {
        match missing.last_mut().filter(|last| last.1 + 1 == part) {
            Some(last) => last.1 = part,
            None => missing.push((part, part)),
        }
    }
    let whole = plan.blocks_of(chunks_of(plan, wave, None));
    let all: u64 = set.values().map(|run| run.all).sum();
    // Of a search, only what its parts say is known.
    let all = if first.is_search { all } else { whole.end - whole.start };
    Some(Set {
        title: first.title.clone(),
        design: first.design,
        wave,
        parts,
        counts,
        missing,
        blocks,
        all,
        rate: Some(timed / seconds).filter(|rate| rate.is_finite() && *rate > 0.0),
    })
}
