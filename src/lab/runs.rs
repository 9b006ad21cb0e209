//! Existing runs: resumed, merged from parts, or with their tables rebuilt.

use crate::lab::asked::{self, Asked};
use crate::lab::caller::Caller;
use crate::lab::directory::{self, Directory, is_unfinished};
use crate::lab::job::{Job, job};
use crate::lab::report::files::{self, replace, sync_directory};
use crate::lab::report::manifest::{
    BUILD, FileEntry, MANIFEST_MAX, Manifest, Played, RowForm, SCHEMA_VERSION, Shard, Wall,
};
use crate::lab::report::sums::{DIGESTS, Grown, Saved, Shape};
use crate::lab::report::table::Table;
use crate::lab::rows::{self, ROWS};
use crate::lab::run::{self, Finished, Settings};
use crate::lab::stage_log::STAGES;
use crate::lab::{limits, search_run};
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The version of a manifest, whatever else is in it.
#[derive(Deserialize)]
struct Versioned {
    schema_version: u32,
}

/// Reads the manifest of a directory.
///
/// # Errors
/// If there is none, or it is of another schema.
pub fn manifest_of(directory: &Path) -> Result<Manifest> {
    let path = directory.join("manifest.json");
    let unreadable = || format!("can't read `{}`", path.display());
    let mut text = String::new();
    let file = files::open(&path).with_context(unreadable)?;
    file.take(MANIFEST_MAX as u64 + 1).read_to_string(&mut text).with_context(unreadable)?;
    ensure!(text.len() <= MANIFEST_MAX, "`{}` is too large", path.display());
    let no_manifest = || format!("`{}` is not a manifest", path.display());
    let Versioned { schema_version } = serde_json::from_str(&text).with_context(no_manifest)?;
    ensure!(
        schema_version == SCHEMA_VERSION,
        "`{}` has schema version {schema_version}; this program reads {SCHEMA_VERSION}, and plays the run \
         again by the `command` in it",
        path.display()
    );
    let mut manifest: Manifest = serde_json::from_str(&text).with_context(no_manifest)?;
    let asked = asked::read(&manifest.question).with_context(no_manifest)?;
    manifest.check_sums().map_err(|reason| anyhow!("`{}` {reason}", path.display()))?;
    limits::check(&asked, &manifest).with_context(|| format!("`{}`", path.display()))?;
    Ok(manifest)
}

/// Whether this program may resume or join a run.
///
/// # Errors
/// If it is of another build.
pub fn same_build(manifest: &Manifest) -> Result<()> {
    ensure!(
        manifest.build == BUILD,
        "it was played by another build of the program ({}, this is {BUILD}); resume it with that one",
        manifest.build
    );
    Ok(())
}

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
    let named = || format!("run `{}`", run.display());
    if !is_unfinished(run)? {
        let manifest = manifest_of(run)?;
        if manifest.played.complete {
            return complete(run, manifest).map(Resumed::Complete);
        }
        same_build(&manifest).with_context(named)?;
    }
    let directory = Directory::take_over(run)?;
    let manifest = manifest_of(directory.partial())?;
    same_build(&manifest).with_context(named)?;
    let abandoned_by = directory.abandoned_by();
    let finished = play_on(manifest, directory, caller).with_context(named)?;
    Ok(Resumed::Played { finished: Box::new(finished), abandoned_by })
}

/// A run that has nothing left to play: its tables are rebuilt if they are not what the run wrote. Returns the
/// names of those files.
fn complete(run: &Path, manifest: Manifest) -> Result<Vec<String>> {
    directory::tidy(run)?;
    let name = run.display();
    let damaged: Vec<String> = manifest
        .files
        .iter()
        .filter(|file| !is_there(run, file))
        .map(|file| file.name.clone())
        .collect();
    let is_source = |name: &&String| name.starts_with("matches.") || *name == STAGES;
    if let Some(lost) = damaged.iter().find(is_source) {
        bail!("`{name}` is complete, but {lost} is not what the run wrote; play it again");
    }
    if !damaged.is_empty() {
        rebuild(manifest, run).with_context(|| format!("run `{name}`"))?;
    }
    Ok(damaged)
}

/// Whether a run's file is there as its manifest says.
pub fn is_there(run: &Path, file: &FileEntry) -> bool {
    let plain = Path::new(&file.name).file_name() == Some(file.name.as_ref());
    let path = run.join(&file.name);
    let long = fs::metadata(&path).is_ok_and(|found| found.len() == file.bytes);
    plain && long && Grown::of(&path).is_ok_and(|found| format!("{:016x}", found.hash) == file.hash)
}

fn play_on(manifest: Manifest, directory: Directory, caller: Caller<'_>) -> Result<Finished> {
    if let Asked::Search(search) = asked::read(&manifest.question)? {
        return search_run::resume(search, manifest, directory, caller);
    }
    let mut job = job(manifest)?;
    run::requirements(&job.study.described(), &job.manifest)?;
    let saved = Saved::read(directory.partial(), run::shape_of(&job)?)?;
    if let Some(saved) = &saved {
        fits_plan(saved, &job)?;
    }
    job.directory = Some(directory);
    job.play_on(saved, caller)
}

/// Whether saved sums can belong to this plan.
fn fits_plan(saved: &Saved, job: &Job) -> Result<()> {
    let manifest = &job.manifest;
    let (chunks, all) = (&saved.totals.chunks, manifest.plan.chunks());
    let plan = manifest.plan.plan();
    let blocks = plan.blocks_of(chunks.clone());
    let next = plan.blocks_of(chunks.end..chunks.end.saturating_add(1));
    let open = saved.totals.open.as_ref().map_or(0, |open| open.blocks);
    let whole = saved.totals.blocks().checked_sub(open);
    let fits = saved.rows.bytes <= rows::most(job.study.rows(), manifest, saved.totals.blocks())
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
pub fn saved_of(directory: &Path, job: &Job) -> Result<Saved> {
    let shape = Shape { design: job.manifest.design_hash(), ..run::shape_of(job)? };
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
pub fn analyze(run: &Path, require: &[String]) -> Result<Finished> {
    let mut manifest = manifest_of_whole(run)?;
    if !require.is_empty() {
        manifest.require = require.to_vec();
    }
    rebuild(manifest, run).with_context(|| format!("run `{}`", run.display()))
}

/// A run as its sums or its log have it, with its tables. Nothing is written.
///
/// # Errors
/// If it is a part, or its sums can't be read.
pub fn recalled(run: &Path) -> Result<Finished> {
    let manifest = manifest_of_whole(run)?;
    let recalled = match asked::read(&manifest.question)? {
        Asked::Search(search) => search_run::recalled(search, manifest, run),
        Asked::Study(_) => recall(manifest, run),
    };
    recalled.with_context(|| format!("run `{}`", run.display()))
}

/// The manifest of a run that is no part.
fn manifest_of_whole(run: &Path) -> Result<Manifest> {
    let manifest = manifest_of(run)?;
    let name = run.display();
    ensure!(
        !manifest.is_part(),
        "`{name}` is a part, which has no tables; `fairhaven merge` joins parts"
    );
    Ok(manifest)
}

/// Puts tables into a run's directory, and their entries into its manifest.
fn replace_tables(run: &Path, tables: &[Table]) -> Result<()> {
    let mut manifest = manifest_of(run)?;
    let mut files = run::write_tables(run, tables)?;
    let rows = manifest.files.iter().filter(|file| file.name.starts_with(ROWS));
    files.extend(rows.cloned());
    if manifest.files != files {
        manifest.files = files;
        let path = run.join("manifest.json");
        replace(&path, manifest.to_json().as_bytes())
            .with_context(|| format!("writing `{}`", path.display()))?;
    }
    Ok(sync_directory(run)?)
}

/// Makes the tables of a run from its sums, or from its log, and puts them into its directory.
fn rebuild(manifest: Manifest, run: &Path) -> Result<Finished> {
    if let Asked::Search(search) = asked::read(&manifest.question)? {
        return search_run::rebuild(search, manifest, run);
    }
    let finished = recall(manifest, run)?;
    replace_tables(run, &finished.tables)?;
    Ok(finished)
}

/// Makes the tables of a study from its sums.
fn recall(manifest: Manifest, run: &Path) -> Result<Finished> {
    let job = job(manifest)?;
    run::requirements(&job.study.described(), &job.manifest)?;
    let saved = saved_of(run, &job)?;
    let tables = job.tables(&saved.totals)?;
    let judged = run::judge(&job.study.described(), &job.manifest, &tables)?;
    Ok(Finished {
        manifest: job.manifest,
        asked: Asked::Study(job.study),
        tables,
        judged,
        path: Some(run.to_owned()),
    })
}

/// Joins parts into one run. Of the settings, where it goes and its thresholds count.
///
/// # Errors
/// If a part is missing, given twice, of another run, of another build, or not complete.
pub fn merge(parts: &[PathBuf], settings: &Settings, command: Vec<String>) -> Result<Finished> {
    let parts = parts_of(parts)?;
    let out = settings.out.as_deref().context("parts are merged into a directory")?;
    let (_, first) = &parts[0];
    let mut manifest = first.clone();
    manifest.plan.shard = None;
    manifest.command = command;
    manifest.require.clone_from(&settings.require);
    manifest.wall = Wall::default();
    manifest.played = Played::default();
    run::requirements(&asked::read(&manifest.question)?.described(), &manifest)?;
    for (_, part) in &parts {
        manifest.wall.add(part.wall.wall_s, &part.wall.thinking_s, part.wall.threads);
    }
    let directory = Directory::prepare_again(out, settings.force, |left| {
        manifest_of(left).is_ok_and(|left| left.design_hash() == manifest.design_hash())
    })?;
    let paths: Vec<PathBuf> = parts.into_iter().map(|(path, _)| path).collect();
    join(job(manifest)?, &paths, directory)
}

/// The parts in their order, with their manifests.
fn parts_of(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Manifest)>> {
    let mut parts: Vec<(PathBuf, Manifest)> = Vec::new();
    for path in paths {
        parts.push((path.clone(), manifest_of(path)?));
    }
    for (path, manifest) in &parts {
        let name = path.display();
        ensure!(
            manifest.plan.shard.is_some(),
            "`{name}` is no part: it was played without --shard"
        );
        same_build(manifest).with_context(|| format!("part `{name}`"))?;
        ensure!(
            manifest.played.complete,
            "part `{name}` is not complete; `fairhaven resume {name}`"
        );
        ensure!(
            manifest.design_hash() == parts[0].1.design_hash(),
            "`{name}` and `{}` are parts of different runs",
            parts[0].0.display()
        );
    }
    parts.sort_by_key(|(_, manifest)| manifest.plan.shard.map(|shard| shard.part));
    check_parts(&parts)?;
    Ok(parts)
}

/// Each part once, and all of them.
fn check_parts(parts: &[(PathBuf, Manifest)]) -> Result<()> {
    let shards: Vec<Shard> = parts.iter().filter_map(|(_, part)| part.plan.shard).collect();
    let all = shards[0].parts;
    for (at, shard) in shards.iter().enumerate() {
        let name = parts[at].0.display();
        ensure!(shard.parts == all, "`{name}` is part {shard}, others are of {all}");
        if let Some(before) = at.checked_sub(1).filter(|&before| shards[before] == *shard) {
            bail!("`{}` and `{name}` are both part {shard}", parts[before].0.display());
        }
    }
    let there: BTreeSet<u64> = shards.iter().map(|shard| shard.part).collect();
    let missing: Vec<String> = (1..=all)
        .filter(|part| !there.contains(part))
        .take(9)
        .map(|part| Shard { part, parts: all }.to_string())
        .collect();
    ensure!(missing.is_empty(), "parts are missing: {}", missing.join(", "));
    Ok(())
}

fn join(mut job: Job, paths: &[PathBuf], directory: Directory) -> Result<Finished> {
    let row_form = job.study.rows();
    let mut joined: Option<Saved> = None;
    let mut digests = files::create(&directory.file(DIGESTS))?;
    let mut all_rows = row_form.map(|_| files::create(&directory.file(ROWS))).transpose()?;
    for path in paths {
        let part = self::job(manifest_of(path)?)?;
        let saved = saved_of(path, &part).with_context(|| format!("part `{}`", path.display()))?;
        saved.digests.check_whole(&path.join(DIGESTS))?;
        let mut all = joined.as_ref().map_or(Grown::EMPTY, |all| all.digests);
        append_digests(&path.join(DIGESTS), saved.digests.bytes, &mut digests, &mut all)?;
        let mut grown = joined.as_ref().map_or(Grown::EMPTY, |all| all.rows);
        if let (Some(out), Some(form)) = (&mut all_rows, row_form) {
            grown = append_rows(path, form, &saved, out, grown)?;
        }
        joined = Some(match joined {
            None => Saved { rows: grown, ..saved },
            Some(mut whole) => {
                whole.totals.append(&saved.totals);
                Saved { rows: grown, digests: all, ..whole }
            }
        });
    }
    let joined = joined.context("there are parts")?;
    for file in [Some(&digests), all_rows.as_ref()].into_iter().flatten() {
        file.sync_all()?;
    }
    joined.write(directory.partial())?;
    job.directory = Some(directory);
    job.finish(&joined.totals, None)
}

/// Adds the digests of a part behind those of the parts before it.
fn append_digests(path: &Path, bytes: u64, out: &mut File, all: &mut Grown) -> Result<()> {
    let mut file = files::open(path)?.take(bytes);
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        out.write_all(&buffer[..count])?;
        *all = all.with(&buffer[..count]);
    }
}

/// Appends the rows of a part to those of the parts before it; the header is written once.
fn append_rows(
    path: &Path,
    form: RowForm,
    saved: &Saved,
    out: &mut File,
    mut grown: Grown,
) -> Result<Grown> {
    let mut header = grown != Grown::EMPTY;
    let read = rows::read(path, form, saved.rows.bytes, &mut |mut part| {
        if header {
            let end = part.iter().position(|&byte| byte == b'\n');
            part = end.map_or(&[], |end| &part[end + 1..]);
            header = end.is_none();
        }
        grown = grown.with(part);
        out.write_all(part)
    })?;
    ensure!(read == saved.rows, "{}", rows::damaged(path, form));
    Ok(grown)
}
