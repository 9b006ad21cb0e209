//! Do the files of a run agree with its sums and digests, and do its blocks give the same again?

use crate::core::seed::{BlockSeed, Stream};
use crate::core::watch::Watch;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::searches::search::Found;
use crate::lab::report::files;
use crate::lab::report::manifest::{BUILD, FileEntry, Manifest};
use crate::lab::report::rows;
use crate::lab::report::sums::{DIGESTS, Saved};
use crate::lab::run::existing::is_there;
use crate::lab::run::job::job;
use crate::lab::run::search_run::SearchJob;
use crate::lab::run::study_run::{StudyJob, saved_of};
use crate::lab::store::chunk_log::CHUNKS;
use crate::lab::store::manifests::manifest_of;
use crate::sim::batch::Chunking;
use crate::sim::experiment::{Experiment, Worker};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// The result of playing a sample of a run again.
#[derive(Debug)]
pub struct Verified {
    /// What differs, in words; nothing if all is the same.
    pub faults: Vec<String>,
    /// Blocks that were played again.
    pub blocks: u64,
    /// Blocks that the run has.
    pub all: u64,
    /// Whether the run has tables: a part has none.
    pub has_tables: bool,
    /// Why the run's settings are unofficial, if they are.
    pub unofficial: Option<&'static str>,
}

/// How much of a run is played again.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Blocks.
    pub blocks: u64,
    /// Seed of the choice.
    pub seed: u64,
}

/// Plays a random sample of a run again.
///
/// # Errors
/// If the run can't be read, or can't be had again.
pub fn verify(
    catalogue: &Catalogue,
    run: &Path,
    sample: Sample,
    watch: &Watch,
) -> Result<Verified> {
    let manifest = manifest_of(catalogue, run)?;
    play(catalogue, run, manifest, (sample, watch))
        .with_context(|| format!("run `{}`", run.display()))
}

fn play(
    catalogue: &Catalogue,
    run: &Path,
    manifest: Manifest,
    (sample, watch): (Sample, &Watch),
) -> Result<Verified> {
    let is_same_build = manifest.build == BUILD;
    ensure!(
        manifest.agents.iter().all(|agent| agent.reproducible),
        "an agent searches by time or answers otherwise when it is asked again, so that no match can be had \
         again"
    );
    ensure!(
        manifest.fault_share.is_none() || manifest.played.failures == 0,
        "guests have failed in matches of the run, which can't be had again"
    );
    let mut verified = match catalogue.question(&manifest.question)? {
        Asked::Study(study) => of_study(run, &job(catalogue, study, manifest)?, (sample, watch)),
        Asked::Search(search) => {
            of_search(run, &job(catalogue, search, manifest)?, (sample, watch))
        }
    }?;
    if !is_same_build {
        for fault in &mut verified.faults {
            fault.push_str(" (the run is of another build)");
        }
    }
    Ok(verified)
}

/// Plays a random sample of a study's chunks again, and compares its files with its sums.
fn of_study(run: &Path, job: &StudyJob<'_>, (sample, watch): (Sample, &Watch)) -> Result<Verified> {
    let saved = saved_of(run, job)?;
    let mut faults = other_files(run, job, &saved)?;
    let found = job.outcome(&saved.totals, None)?.found;
    faults.extend(other_found(run, &found, "sums give")?);
    let Range { start, end } = saved.totals.chunks;
    let wanted = sample.blocks.div_ceil(job.manifest.plan.chunk);
    let drawn = sample.draw(job.manifest.seed, end - start, wanted);
    let chunks: Vec<u64> = drawn.into_iter().map(|at| start + at).collect();
    let digests = digests_of(run, &chunks, saved.totals.chunks.start)?;
    let plan = job.manifest.plan.plan();
    let played = play_again(&*job.experiment(watch, None)?, plan, &chunks);
    ensure!(!watch.is_stopped(), "stopped before all blocks were played again");
    for ((chunk, digest), kept) in chunks.iter().zip(&played).zip(&digests) {
        if digest != kept {
            let blocks = plan.blocks_of(*chunk..chunk + 1);
            faults.push(format!("blocks {} to {} differ", blocks.start, blocks.end - 1));
        }
    }
    let length = |&chunk: &u64| {
        let blocks = plan.blocks_of(chunk..chunk + 1);
        blocks.end - blocks.start
    };
    Ok(Verified {
        faults,
        blocks: chunks.iter().map(length).sum(),
        all: saved.totals.blocks(),
        has_tables: !found.tables.is_empty(),
        unofficial: job.games[0].unofficial(),
    })
}

impl Sample {
    /// Draws so many of all chunks without repetition.
    fn draw(self, master: u64, all: u64, wanted: u64) -> BTreeSet<u64> {
        let [all, wanted] =
            [all, wanted.min(all)].map(|count| usize::try_from(count).expect("64 bits"));
        let mut rng = BlockSeed::new(self.seed, master).stream(Stream::Study, None, 0);
        let chosen = rand::seq::index::sample(&mut rng, all, wanted);
        chosen.into_iter().map(|at| at as u64).collect()
    }
}

/// The digests of chunks that are played again.
fn play_again(experiment: &dyn Experiment, plan: Chunking, chunks: &[u64]) -> Vec<u32> {
    let play = |worker: &mut Box<dyn Worker + '_>, &chunk: &u64| {
        experiment.digest(&worker.play(plan.blocks_of(chunk..chunk + 1)))
    };
    chunks.par_iter().map_init(|| experiment.worker(), play).collect()
}

/// The digests of some chunks of a run that begins with chunk `first`.
fn digests_of(run: &Path, chunks: &[u64], first: u64) -> Result<Vec<u32>> {
    let path = run.join(DIGESTS);
    let mut file =
        files::open(&path).with_context(|| format!("can't read `{}`", path.display()))?;
    let mut digest = |chunk: &u64| -> io::Result<u32> {
        let mut bytes = [0; 4];
        file.seek(SeekFrom::Start((chunk - first) * 4))?;
        file.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    };
    let all: io::Result<Vec<u32>> = chunks.iter().map(&mut digest).collect();
    all.with_context(|| format!("`{}` is damaged: it is too short", path.display()))
}

/// Digests and rows that differ from what the run wrote.
fn other_files(path: &Path, job: &StudyJob<'_>, saved: &Saved) -> Result<Vec<String>> {
    let digests = saved.digests.check_whole(&path.join(DIGESTS));
    let mut faults: Vec<String> = digests.err().iter().map(ToString::to_string).collect();
    if job.manifest.plan.wave.is_some() {
        let chunks = saved.rows.check_whole(&path.join(CHUNKS));
        faults.extend(chunks.err().iter().map(ToString::to_string));
    }
    if let Some(form) = job.question.rows() {
        let read = rows::read(path, form, saved.rows.bytes, &mut |_| Ok(()))?;
        if read != saved.rows {
            faults.push(rows::damaged(path, form));
        }
    }
    Ok(faults)
}

/// Tables and further files that differ from what sums or a log give.
fn other_found(run: &Path, Found { tables, files }: &Found, source: &str) -> Result<Vec<String>> {
    let mut due = Vec::new();
    for table in tables {
        let mut bytes = Vec::new();
        table.write_csv(&mut bytes)?;
        due.push(FileEntry::of(format!("{}.csv", table.name), &bytes));
    }
    let further = files.iter().map(|file| FileEntry::of(file.name.clone(), file.text.as_bytes()));
    due.extend(further);
    due.retain(|file| !is_there(run, file));
    Ok(due.iter().map(|file| format!("{} is not what the {source}", file.name)).collect())
}

/// Plays a random sample of a search's chunks again, and compares its tables and files with its log.
fn of_search(
    run: &Path,
    job: &SearchJob<'_>,
    (sample, watch): (Sample, &Watch),
) -> Result<Verified> {
    let (found, counted) = job.recall(run, BTreeSet::new(), watch)?;
    // The sample should be large enough, whatever its chunks.
    let blocks = u128::from(counted.sums.blocks().max(1));
    let wanted = (u128::from(sample.blocks) * u128::from(counted.chunks)).div_ceil(blocks);
    let wanted = u64::try_from(wanted).unwrap_or(u64::MAX);
    let chunks = sample.draw(job.manifest.seed, counted.chunks, wanted);
    let (_, again) = job.recall(run, chunks, watch)?;
    let mut faults = again.faults;
    faults.extend(other_found(run, &found, "log gives")?);
    let unofficial = job.games[0].unofficial();
    let (blocks, all) = (again.again, again.sums.blocks());
    Ok(Verified { faults, blocks, all, has_tables: !found.tables.is_empty(), unofficial })
}
