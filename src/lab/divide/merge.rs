//! Parts become one run: their sums, digests and rows are added in the order of their blocks, one part after the
//! other, so that memory does not grow with their number.

use crate::lab::divide::parts::{self, Part, PartSet, check_all_there, without_copies};
use crate::lab::divide::saved::is_of_design;
use crate::lab::divide::waves;
use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::manifest::{RowForm, Wave};
use crate::lab::report::rows::{self, ROWS};
use crate::lab::report::sums::{DIGESTS, FileDigest, Saved};
use crate::lab::run::job::job;
use crate::lab::run::study_run::StudyJob;
use crate::lab::run::{self, Finished, Settings};
use crate::lab::store::append_log::AppendLog;
use crate::lab::store::directory::Directory;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Parts that were merged.
#[derive(Debug)]
pub struct Merged {
    /// The run; not complete if its waves so far don't decide it.
    pub finished: Finished,
    /// What a reader should know of the parts, such as that one came twice.
    pub said: Vec<String>,
    /// The wave that comes next, if the run is not complete.
    pub next: Option<Wave>,
}

/// Joins parts into one run. Of the settings, where it goes and its thresholds count.
///
/// # Errors
/// If a part is missing, of another run, of another build, not complete or damaged, or two of the same part differ.
pub fn merge(
    catalogue: &Catalogue,
    paths: &[PathBuf],
    settings: &Settings,
    command: Vec<String>,
) -> Result<Merged> {
    let PartSet { mut whole, merged_run, mut parts } = parts::read(catalogue, paths)?;
    let out = settings.out.as_deref().context("parts are merged into a directory")?;
    whole.command = command;
    whole.require.clone_from(&settings.require);
    let asked = catalogue.question(&whole.question)?;
    run::requirements(&asked.described(), &whole)?;
    let design = whole.design_hash();
    let prepare = || {
        Directory::prepare_merge(catalogue, out, settings.force, &|left| {
            is_of_design(catalogue, left, design)
        })
    };
    let study = match asked {
        Asked::Study(study) => study,
        Asked::Search(search) => {
            let job = job(catalogue, search, whole)?;
            let (finished, next, said) = waves::join_search(job, merged_run, parts, prepare()?)?;
            return Ok(Merged { finished, said, next });
        }
    };
    let mut job = job(catalogue, study, whole)?;
    let in_waves = merged_run.is_some() || parts.iter().any(|part| part.wave.is_some());
    if !in_waves {
        check_all_there(&parts)?;
    }
    let mut said =
        without_copies(
            &mut parts,
            |one, other| Ok(one.saved(&mut job)? == other.saved(&mut job)?),
        )?;
    let (finished, next) = if in_waves {
        let (finished, next, more) = waves::join_study(job, merged_run, &parts, prepare()?)?;
        said.extend(more);
        (finished, next)
    } else {
        (join(job, &parts, prepare()?)?, None)
    };
    Ok(Merged { finished, said, next })
}

fn join<'a>(mut job: StudyJob<'a>, parts: &[Part], directory: Directory<'a>) -> Result<Finished> {
    let row_form = job.question.rows();
    let mut joined: Option<Saved> = None;
    let mut digests = AppendLog::create(&directory.file(DIGESTS))?;
    let mut all_rows = row_form.map(|_| AppendLog::create(&directory.file(ROWS))).transpose()?;
    for (at, part) in parts.iter().enumerate() {
        let saved = part.saved(&mut job)?;
        digests.append(&part.path.join(DIGESTS), saved.digests)?;
        if let (Some(rows), Some(form)) = (&mut all_rows, row_form) {
            append_rows(&part.path, form, saved.rows, rows, at > 0)?;
        }
        match &mut joined {
            None => joined = Some(saved),
            Some(whole) => whole.totals.append(&saved.totals),
        }
        job.manifest.wall.add(&part.wall);
    }
    let mut joined = joined.context("there are parts")?;
    joined.digests = digests.flush()?;
    joined.rows = all_rows.map_or(Ok(FileDigest::EMPTY), |mut rows| rows.flush())?;
    joined.write(directory.partial())?;
    job.directory = Some(directory);
    let outcome = job.outcome(&joined.totals, None)?;
    job.finish(outcome)
}

/// Adds the rows of a part behind those of the parts before it; the header is written once.
fn append_rows(
    path: &Path,
    form: RowForm,
    grown: FileDigest,
    all: &mut AppendLog,
    mut header: bool,
) -> Result<()> {
    let read = rows::read(path, form, grown.bytes, &mut |mut part| {
        if header {
            let end = part.iter().position(|&byte| byte == b'\n');
            part = end.map_or(&[], |end| &part[end + 1..]);
            header = end.is_none();
        }
        all.add(part)
    })?;
    ensure!(read == grown, "{}", rows::damaged(path, form));
    Ok(())
}
