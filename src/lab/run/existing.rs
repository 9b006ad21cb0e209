//! Existing runs: resumed, or with their tables rebuilt.

use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::questions::searches::search::TextFile;
use crate::lab::report::files;
use crate::lab::report::manifest::{BUILD, FileEntry, Manifest};
use crate::lab::report::rows::ROWS;
use crate::lab::report::sums::FileDigest;
use crate::lab::run::caller::Caller;
use crate::lab::run::job::{job, job_to_read, write_found};
use crate::lab::run::{self, Finished};
use crate::lab::store::directory::{self, Directory, is_unfinished};
use crate::lab::store::faults::FAULTS;
use crate::lab::store::manifests::{manifest_of, same_build};
use crate::lab::store::stage_log::{self, STAGES};
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
        /// Bytes at the end of a search's log that were cut off, since there were zeros in them: a power cut leaves some.
        with_zeros: u64,
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
    let log = stage_log::growing(&manifest);
    let with_zeros = stage_log::kept(directory.partial(), log).with_context(named)?.with_zeros;
    let finished = play_on(manifest, directory, caller).with_context(named)?;
    Ok(Resumed::Played { finished: Box::new(finished), abandoned_by, with_zeros })
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
    if let Some(lost) = damaged.iter().find(|name| is_source(name)) {
        bail!("`{name}` is complete, but {lost} is not what the run wrote; play it again");
    }
    if !damaged.is_empty() {
        rebuild(catalogue, manifest, run).with_context(|| format!("run `{name}`"))?;
    }
    Ok(damaged)
}

/// Whether a listed file was written as the run was played, so that it can't be made from its sums or its log.
fn is_source(name: &str) -> bool {
    name.starts_with(ROWS) || name == STAGES || name == FAULTS
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
    let catalogue = caller.catalogue;
    match catalogue.question(&manifest.question)? {
        Asked::Study(study) => job(catalogue, study, manifest)?.resume(directory, caller),
        Asked::Search(search) => job(catalogue, search, manifest)?.resume(directory, caller),
    }
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
    let (finished, _) =
        recall(catalogue, manifest, run).with_context(|| format!("run `{}`", run.display()))?;
    Ok(finished)
}

/// What a complete run is to be judged by.
#[derive(Debug)]
pub enum ToJudge {
    /// It has no thresholds, and is no search.
    Nothing,
    /// Its tables and thresholds may be others than those of this build.
    OtherBuild,
    /// Its tables: they have to keep thresholds, or what a search was to find is in them.
    Run(Box<Finished>),
}

/// What a complete run is to be judged by. Nothing is written.
///
/// # Errors
/// If its sums or its log can't be read.
pub fn to_judge(catalogue: &Catalogue, run: &Path) -> Result<ToJudge> {
    let manifest = manifest_of(catalogue, run)?;
    let is_search = catalogue.question(&manifest.question)?.is_search();
    if manifest.is_part() || !is_search && manifest.require.is_empty() {
        return Ok(ToJudge::Nothing);
    }
    if manifest.build != BUILD {
        return Ok(ToJudge::OtherBuild);
    }
    Ok(ToJudge::Run(Box::new(recalled(catalogue, run)?)))
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

/// Makes the tables of a run from its sums, or from its log, and puts them into its directory, and their entries into
/// its manifest. Nobody else may write there meanwhile.
fn rebuild(catalogue: &Catalogue, manifest: Manifest, run: &Path) -> Result<Finished> {
    let lock = directory::lock_in_place(run)?;
    let rebuilt = rebuild_locked(catalogue, manifest, run);
    lock.remove();
    rebuilt
}

fn rebuild_locked(catalogue: &Catalogue, manifest: Manifest, run: &Path) -> Result<Finished> {
    let (finished, further) = recall(catalogue, manifest, run)?;
    // Thresholds that were only asked about now are not the run's.
    let mut manifest = manifest_of(catalogue, run)?;
    let mut files = write_found(run, &finished.tables, &further)?;
    files.extend(manifest.files.iter().filter(|file| is_source(&file.name)).cloned());
    run::list_again(run, &mut manifest, files)?;
    Ok(finished)
}

/// A run with the tables that its sums or its log give, and its further files.
fn recall(
    catalogue: &Catalogue,
    manifest: Manifest,
    run: &Path,
) -> Result<(Finished, Vec<TextFile>)> {
    match catalogue.question(&manifest.question)? {
        Asked::Study(study) => job_to_read(catalogue, study, manifest)?.recalled(run),
        Asked::Search(search) => job_to_read(catalogue, search, manifest)?.recalled(run),
    }
}
