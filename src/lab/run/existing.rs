//! Existing runs: resumed, or with their tables rebuilt.

use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::files;
use crate::lab::report::manifest::{BUILD, FileEntry, Manifest};
use crate::lab::report::rows::{self, ROWS};
use crate::lab::report::sums::{FileDigest, Saved, Shape};
use crate::lab::report::table::Table;
use crate::lab::run::caller::Caller;
use crate::lab::run::job::{Job, job, job_of_sums};
use crate::lab::run::search_run;
use crate::lab::run::study_run;
use crate::lab::run::{self, Finished};
use crate::lab::store::chunk_log;
use crate::lab::store::directory::{self, Directory, is_unfinished};
use crate::lab::store::faults::FAULTS;
use crate::lab::store::manifests::{manifest_of, same_build};
use crate::lab::store::stage_log::STAGES;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;

/// The result of resuming a run.
#[derive(Debug)]
pub enum Resumed {
    /// There was nothing left to play; these of its files were not as the run wrote them, and were rebuilt.
    Complete(Vec<String>),
    /// It was resumed.
    Played {
        /// How it ended.
        finished: Box<Finished>,
        /// The process that was writing it and is gone, if one was.
        abandoned_by: Option<u32>,
    },
}

/// Resumes a run.
///
/// # Errors
/// If there is nothing to resume, or what is there is damaged.
pub fn resume(run: &Path, caller: Caller<'_>) -> Result<Resumed> {
    let (named, catalogue) = (|| format!("run `{}`", run.display()), caller.catalogue);
    if !is_unfinished(run)? {
        let manifest = manifest_of(catalogue, run)?;
        if manifest.played.complete {
            return complete(catalogue, run, manifest).map(Resumed::Complete);
        }
        same_build(&manifest).with_context(named)?;
    }
    let directory = Directory::take_over(catalogue, run)?;
    let manifest = manifest_of(catalogue, directory.partial())?;
    same_build(&manifest).with_context(named)?;
    let abandoned_by = directory.abandoned_by();
    let finished = play_on(manifest, directory, caller).with_context(named)?;
    Ok(Resumed::Played { finished: Box::new(finished), abandoned_by })
}

/// A run that has nothing left to play: its tables are rebuilt if they are not what the run wrote. Returns the
/// names of those files.
fn complete(catalogue: &Catalogue, run: &Path, manifest: Manifest) -> Result<Vec<String>> {
    directory::tidy(catalogue, run)?;
    let name = run.display();
    let damaged: Vec<String> = manifest
        .files
        .iter()
        .filter(|file| !is_there(run, file))
        .map(|file| file.name.clone())
        .collect();
    let is_source =
        |name: &&String| name.starts_with("matches.") || *name == STAGES || *name == FAULTS;
    if let Some(lost) = damaged.iter().find(is_source) {
        bail!("`{name}` is complete, but {lost} is not what the run wrote; play it again");
    }
    if !damaged.is_empty() {
        rebuild(catalogue, manifest, run).with_context(|| format!("run `{name}`"))?;
    }
    Ok(damaged)
}

/// Whether a run's file is there as its manifest says.
pub fn is_there(run: &Path, file: &FileEntry) -> bool {
    let plain = Path::new(&file.name).file_name() == Some(file.name.as_ref());
    let path = run.join(&file.name);
    let long = files::found(&path).is_ok_and(|found| found.len() == file.bytes);
    plain
        && long
        && FileDigest::of(&path).is_ok_and(|found| format!("{:016x}", found.hash) == file.hash)
}

fn play_on(manifest: Manifest, directory: Directory<'_>, caller: Caller<'_>) -> Result<Finished> {
    if let Asked::Search(search) = caller.catalogue.question(&manifest.question)? {
        return search_run::resume(search, manifest, directory, caller);
    }
    let mut job = job(caller.catalogue, manifest)?;
    run::requirements(&job.study.described(), &job.manifest)?;
    let saved = Saved::read(directory.partial(), study_run::shape_of(&job)?)?;
    if let Some(saved) = &saved {
        fits_plan(saved, &job)?;
    }
    job.directory = Some(directory);
    job.play_on(saved, caller)
}

/// Whether saved sums can belong to this plan.
fn fits_plan(saved: &Saved, job: &Job<'_>) -> Result<()> {
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
        rows::most(job.study.rows(), manifest, saved.totals.blocks())
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
pub fn saved_of(directory: &Path, job: &Job<'_>) -> Result<Saved> {
    let shape = Shape { design: job.manifest.design_hash(), ..study_run::shape_of(job)? };
    let saved = Saved::read(directory, shape)?;
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

/// Rebuilds the tables of a run; `require` replaces its thresholds, if it names any.
///
/// # Errors
/// If its sums can't be read or the tables can't be written.
pub fn analyze(catalogue: &Catalogue, run: &Path, require: &[String]) -> Result<Finished> {
    let mut manifest = manifest_of_whole(catalogue, run)?;
    if !require.is_empty() {
        manifest.require = require.to_vec();
    }
    rebuild(catalogue, manifest, run).with_context(|| format!("run `{}`", run.display()))
}

/// A run as its sums or its log have it, with its tables. Nothing is written.
///
/// # Errors
/// If it is a part, or its sums can't be read.
pub fn recalled(catalogue: &Catalogue, run: &Path) -> Result<Finished> {
    let manifest = manifest_of_whole(catalogue, run)?;
    let recalled = match catalogue.question(&manifest.question)? {
        Asked::Search(search) => search_run::recalled(catalogue, search, manifest, run),
        Asked::Study(_) => recall(catalogue, manifest, run),
    };
    recalled.with_context(|| format!("run `{}`", run.display()))
}

/// The manifest of a run that is no part.
fn manifest_of_whole(catalogue: &Catalogue, run: &Path) -> Result<Manifest> {
    let manifest = manifest_of(catalogue, run)?;
    let name = run.display();
    ensure!(
        !manifest.is_part(),
        "`{name}` is a part, which has no tables; `fairhaven merge` joins parts"
    );
    Ok(manifest)
}

/// Puts tables into a run's directory, and their entries into its manifest.
fn replace_tables(catalogue: &Catalogue, run: &Path, tables: &[Table]) -> Result<()> {
    let mut manifest = manifest_of(catalogue, run)?;
    let mut files = run::write_tables(run, tables)?;
    let is_kept = |file: &&FileEntry| file.name.starts_with(ROWS) || file.name == FAULTS;
    let rows = manifest.files.iter().filter(is_kept);
    files.extend(rows.cloned());
    run::list_again(run, &mut manifest, files)
}

/// Makes the tables of a run from its sums, or from its log, and puts them into its directory.
fn rebuild(catalogue: &Catalogue, manifest: Manifest, run: &Path) -> Result<Finished> {
    if let Asked::Search(search) = catalogue.question(&manifest.question)? {
        return search_run::rebuild(catalogue, search, manifest, run);
    }
    let finished = recall(catalogue, manifest, run)?;
    replace_tables(catalogue, run, &finished.tables)?;
    Ok(finished)
}

/// Makes the tables of a study from its sums.
fn recall(catalogue: &Catalogue, manifest: Manifest, run: &Path) -> Result<Finished> {
    let mut job = job_of_sums(catalogue, manifest)?;
    run::requirements(&job.study.described(), &job.manifest)?;
    let saved = saved_of(run, &job)?;
    let tables = job.tables(&saved.totals)?;
    let judged = run::judge(&job.study.described(), &job.manifest, &tables)?;
    Ok(Finished {
        manifest: job.manifest,
        asked: Asked::Study(job.study),
        game: job.games.swap_remove(0),
        tables,
        judged,
        path: Some(run.to_owned()),
    })
}
