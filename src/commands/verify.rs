//! `verify`: do the files of a run agree with its sums and digests, and do its blocks give the same again?

use crate::chance::below;
use crate::cli::Printing;
use crate::cli::SummaryForm;
use crate::cli::runs::Verify;
use crate::commands::choose;
use crate::commands::job::Job;
use crate::commands::job::job;
use crate::commands::job::row_form;
use crate::commands::rows;
use crate::commands::run::Said;
use crate::commands::runs::is_there;
use crate::commands::runs::manifest_of;
use crate::commands::runs::saved_of;
use crate::commands::threads;
use crate::report::files;
use crate::report::manifest::BUILD;
use crate::report::manifest::FileEntry;
use crate::report::manifest::Manifest;
use crate::report::sums::DIGESTS;
use crate::report::sums::Saved;
use crate::seed::BlockSeed;
use crate::seed::Stream;
use crate::sim::batch::Plan;
use crate::sim::experiment::Experiment;
use crate::sim::experiment::Worker;
use anyhow::Context;
use anyhow::Result;
use anyhow::ensure;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::path::Path;
use std::path::PathBuf;

/// Plays a random sample of a run again.
///
/// # Errors
/// If the run can't be read.
pub fn run(args: &Verify) -> Result<Said> {
    threads::start(args.threads)?;
    let manifest = manifest_of(&args.run)?;
    let printing = Printing { quiet: false, format: SummaryForm::Text, full: false };
    let again = Again { path: args.run.clone(), sample: args.sample, seed: args.seed };
    again.play(manifest, printing).with_context(|| format!("run `{}`", args.run.display()))
}

struct Again {
    path: PathBuf,
    sample: u64,
    seed: u64,
}

impl Again {
    fn play(self, manifest: Manifest, printing: Printing) -> Result<Said> {
        let job = job(manifest, printing)?;
        ensure!(
            job.manifest.agents.iter().all(|agent| agent.reproducible),
            "an agent searches by time, so that no match can be had again"
        );
        let saved = saved_of(&self.path, &job)?;
        let mut faults = other_files(&self.path, &job, &saved)?;
        faults.extend(other_tables(&self.path, &job, &saved)?);
        let chunks = self.chosen(&job, &saved);
        let digests = digests_of(&self.path, &chunks, saved.totals.chunks.start)?;
        let plan = job.manifest.plan.plan();
        let played = play_again(&*job.experiment(None)?, plan, &chunks);
        for ((chunk, digest), kept) in chunks.iter().zip(&played).zip(&digests) {
            if digest != kept {
                let blocks = plan.blocks_of(*chunk..chunk + 1);
                faults.push(format!("blocks {} to {} differ", blocks.start, blocks.end - 1));
            }
        }
        let blocks: u64 = chunks
            .iter()
            .map(|&chunk| {
                let blocks = plan.blocks_of(chunk..chunk + 1);
                blocks.end - blocks.start
            })
            .sum();
        if job.manifest.build != BUILD {
            for fault in &mut faults {
                fault.push_str(" (the run is of another build)");
            }
        }
        let mark = choose::unofficial_line(job.games[0].unofficial());
        if faults.is_empty() {
            let all = saved.totals.blocks();
            let text =
                format!("The same: {blocks} of {all} blocks played again, and all tables.\n{mark}");
            return Ok(Said::new(text, 0));
        }
        Ok(Said::new(format!("{}\n{mark}", faults.join("\n")), FAILED))
    }
}

/// The exit code of a run that differs.
const FAILED: u8 = 1;

impl Again {
    /// Chunks drawn without repetition until the sample is large enough.
    fn chosen(&self, job: &Job, saved: &Saved) -> Vec<u64> {
        let chunks = saved.totals.chunks.clone();
        let wanted = self.sample.div_ceil(job.manifest.plan.chunk).min(chunks.end - chunks.start);
        let mut rng = BlockSeed::new(self.seed, job.manifest.seed).stream(Stream::Study, None, 0);
        let mut chosen = BTreeSet::new();
        // R. Floyd's sampling (J. Bentley, Programming Pearls, CACM 30, 1987).
        for last in chunks.end - wanted..chunks.end {
            let span = u32::try_from(last - chunks.start + 1).unwrap_or(u32::MAX);
            let drawn = chunks.start + u64::from(below(&mut rng, span));
            chosen.insert(if chosen.contains(&drawn) { last } else { drawn });
        }
        chosen.into_iter().collect()
    }
}

/// The digests of chunks that are played again.
fn play_again(experiment: &dyn Experiment, plan: Plan, chunks: &[u64]) -> Vec<u32> {
    let play = |worker: &mut Box<dyn Worker + '_>, &chunk: &u64| {
        worker.play(plan.blocks_of(chunk..chunk + 1)).digest()
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
fn other_files(path: &Path, job: &Job, saved: &Saved) -> Result<Vec<String>> {
    let digests = saved.digests.check_whole(&path.join(DIGESTS));
    let mut faults: Vec<String> = digests.err().iter().map(ToString::to_string).collect();
    if let Some(form) = row_form(&job.manifest.question) {
        let read = rows::read(path, form, saved.rows.bytes, &mut |_| Ok(()))?;
        if read != saved.rows {
            faults.push(rows::damaged(path, form));
        }
    }
    Ok(faults)
}

/// Tables that differ from what the sums give.
fn other_tables(path: &Path, job: &Job, saved: &Saved) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    if job.manifest.plan.shard.is_some() {
        return Ok(faults);
    }
    for table in job.tables(&saved.totals)? {
        let mut bytes = Vec::new();
        table.write_csv(&mut bytes)?;
        let name = format!("{}.csv", table.name);
        if !is_there(path, &FileEntry::of(name.clone(), &bytes)) {
            faults.push(format!("{name} is not what the sums give"));
        }
    }
    Ok(faults)
}
