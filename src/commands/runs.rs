//! Runs that are there already: `resume`, `merge`, `analyze` and `verify`.

use crate::chance::below;
use crate::cli::Analyze;
use crate::cli::Merge;
use crate::cli::Resume;
use crate::cli::SummaryForm;
use crate::cli::Verify;
use crate::commands::choose;
use crate::commands::job;
use crate::commands::job::Job;
use crate::commands::job::Telling;
use crate::commands::job::WithExperiment;
use crate::commands::keeper::ROWS;
use crate::commands::run;
use crate::commands::run::Said;
use crate::commands::told;
use crate::registry::Playable;
use crate::registry::Visitor;
use crate::registry::with_game;
use crate::report::directory::Directory;
use crate::report::directory::partial_of;
use crate::report::manifest::BUILD;
use crate::report::manifest::Manifest;
use crate::report::manifest::Played;
use crate::report::manifest::RowForm;
use crate::report::manifest::SCHEMA_VERSION;
use crate::report::manifest::Shard;
use crate::report::manifest::Wall;
use crate::report::sums::DIGESTS;
use crate::report::sums::Grown;
use crate::report::sums::Saved;
use crate::report::sums::Shape;
use crate::report::sums::replace;
use crate::seed::BlockSeed;
use crate::seed::Stream;
use crate::sim::experiment::Experiment;
use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use anyhow::ensure;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::io::Read;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

/// Largest manifest that is read: of many variants and agents.
const MANIFEST_MAX: u64 = 16 << 20;

/// Reads the manifest of a directory.
///
/// # Errors
/// If there is none, or it is of another schema.
pub fn manifest_of(directory: &Path) -> Result<Manifest> {
    let path = directory.join("manifest.json");
    let unreadable = || format!("can't read `{}`", path.display());
    let mut text = String::new();
    let file = File::open(&path).with_context(unreadable)?;
    file.take(MANIFEST_MAX + 1).read_to_string(&mut text).with_context(unreadable)?;
    ensure!(text.len() as u64 <= MANIFEST_MAX, "`{}` is too large", path.display());
    let value: serde_json::Value = serde_json::from_str(&text)
        .with_context(|| format!("`{}` is no manifest", path.display()))?;
    let version = &value["schema_version"];
    ensure!(
        *version == SCHEMA_VERSION,
        "`{}` has schema version {version}; this program reads {SCHEMA_VERSION}",
        path.display()
    );
    serde_json::from_value(value).with_context(|| format!("`{}` is no manifest", path.display()))
}

/// Makes the job of a manifest and does something with it.
trait WithJob {
    fn with<G: Playable>(self, job: Job<G>) -> Result<Said>;
}

struct Made<W> {
    manifest: Manifest,
    telling: Telling,
    with: W,
}

impl<W: WithJob> Visitor for Made<W> {
    type Out = Result<Said>;

    fn visit<G: Playable>(self) -> Result<Said> {
        let Made { manifest, telling, with } = self;
        let game: G = choose::make(manifest.rules.clone(), manifest.players)?;
        with.with(job::job(manifest, &game, telling)?)
    }
}

fn with_job<W: WithJob>(manifest: Manifest, telling: Telling, with: W) -> Result<Said> {
    let game = manifest.game.clone();
    let made = with_game(&game, Made { manifest, telling, with });
    made.unwrap_or_else(|| Err(choose::no_such_game(&game)))
}

fn same_build(manifest: &Manifest) -> Result<()> {
    ensure!(
        manifest.build == BUILD,
        "it was played by another build of the program ({}, this is {BUILD}); go on with that one",
        manifest.build
    );
    Ok(())
}

/// Goes on with a run.
///
/// # Errors
/// If there is nothing to go on with, or what is there is damaged.
pub fn resume(args: &Resume) -> Result<Said> {
    run::set_threads(args.threads)?;
    let telling = Telling { quiet: args.quiet, format: args.format };
    let named = || format!("run `{}`", args.run.display());
    let partial = partial_of(&args.run)?;
    if !partial.exists() {
        let manifest = manifest_of(&args.run)?;
        if manifest.played.complete {
            let text = format!("`{}` is complete; nothing to play.\n", args.run.display());
            return Ok(Said { text: if args.quiet { String::new() } else { text }, code: 0 });
        }
        same_build(&manifest).with_context(named)?;
    }
    let mut directory = Directory::take_up(&args.run)?;
    directory.keep();
    let manifest = manifest_of(directory.partial())?;
    same_build(&manifest).with_context(named)?;
    with_job(manifest, telling, GoOn { directory }).with_context(named)
}

struct GoOn {
    directory: Directory,
}

impl WithJob for GoOn {
    fn with<G: Playable>(self, mut job: Job<G>) -> Result<Said> {
        let saved = Saved::read(self.directory.partial(), job.shape()?)?;
        if let Some(saved) = &saved {
            fits_plan(saved, &job.manifest)?;
        }
        job.directory = Some(self.directory);
        job.play_on(saved)
    }
}

/// Whether saved sums can be of this plan.
fn fits_plan(saved: &Saved, manifest: &Manifest) -> Result<()> {
    let (chunks, all) = (&saved.totals.chunks, manifest.plan.chunks());
    let blocks = manifest.plan.plan().blocks_of(chunks.clone());
    let fits = chunks.start == all.start
        && chunks.end <= all.end
        && saved.totals.blocks() == blocks.end - blocks.start
        && saved.digests.bytes == 4 * (chunks.end - chunks.start);
    ensure!(fits, "the saved sums do not fit the manifest's plan");
    Ok(())
}

/// The sums of a run that has some.
fn saved_of<G: Playable>(directory: &Path, job: &Job<G>) -> Result<Saved> {
    let shape = Shape { design: job.manifest.design(), ..job.shape()? };
    let saved = Saved::read(directory, shape)?;
    let saved = saved.with_context(|| format!("`{}` has no saved sums", directory.display()))?;
    fits_plan(&saved, &job.manifest)?;
    Ok(saved)
}

/// Makes the tables of a run anew.
///
/// # Errors
/// If its sums can't be read or the tables not written.
pub fn analyze(args: &Analyze) -> Result<Said> {
    let mut manifest = manifest_of(&args.run)?;
    if !args.require.is_empty() {
        manifest.require.clone_from(&args.require);
    }
    let telling = Telling { quiet: args.quiet, format: args.format };
    with_job(manifest, telling, Anew { path: args.run.clone() })
        .with_context(|| format!("run `{}`", args.run.display()))
}

struct Anew {
    path: PathBuf,
}

impl WithJob for Anew {
    fn with<G: Playable>(self, job: Job<G>) -> Result<Said> {
        run::requirements(&job.manifest)?;
        let saved = saved_of(&self.path, &job)?;
        let tables = job.tables(&saved.totals)?;
        let judged = run::judge(&job.manifest, &tables)?;
        for table in &tables {
            let mut bytes = Vec::new();
            table.write_csv(&mut bytes)?;
            let path = self.path.join(format!("{}.csv", table.name));
            replace(&path, &bytes).with_context(|| format!("writing `{}`", path.display()))?;
        }
        let Telling { quiet, format } = job.telling;
        let told = || told::summary(&job.manifest, &tables, &judged, format, Some(&self.path));
        let text = if quiet { String::new() } else { told() };
        Ok(Said { text, code: u8::from(judged.iter().any(|(_, holds)| !holds)) })
    }
}

/// Joins parts.
///
/// # Errors
/// If a part is missing, doubled, of another run, of another build, or not complete.
pub fn merge(args: &Merge) -> Result<Said> {
    let parts = parts_of(&args.parts)?;
    let (_, first) = &parts[0];
    let mut manifest = first.clone();
    manifest.plan.shard = None;
    manifest.command = std::env::args().collect();
    manifest.require.clone_from(&args.require);
    manifest.wall = Wall::default();
    manifest.played = Played::default();
    run::requirements(&manifest)?;
    for (_, part) in &parts {
        manifest.wall.add(part.wall.wall_s, &part.wall.thinking_s, part.wall.threads);
    }
    let directory = Directory::prepare(&args.out, args.force)?;
    let telling = Telling { quiet: args.quiet, format: args.format };
    let paths = parts.into_iter().map(|(path, _)| path).collect();
    with_job(manifest, telling, Join { paths, directory: Some(directory) })
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
            manifest.design() == parts[0].1.design(),
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

struct Join {
    paths: Vec<PathBuf>,
    directory: Option<Directory>,
}

impl WithJob for Join {
    fn with<G: Playable>(mut self, mut job: Job<G>) -> Result<Said> {
        let directory = self.directory.take().context("it was made before")?;
        let row_form = job::row_form(&job.manifest.question);
        let mut joined: Option<Saved> = None;
        let mut digests = File::create(directory.file(DIGESTS))?;
        let mut all_rows = row_form.map(|_| File::create(directory.file(ROWS))).transpose()?;
        for path in &self.paths {
            let manifest = manifest_of(path)?;
            let part: Job<G> = job::job(manifest, &job.games[0], job.telling)?;
            let saved =
                saved_of(path, &part).with_context(|| format!("part `{}`", path.display()))?;
            saved.digests.check(&path.join(DIGESTS))?;
            let bytes = fs::read(path.join(DIGESTS))?;
            digests.write_all(&bytes)?;
            let mut grown = joined.as_ref().map_or(Grown::EMPTY, |all| all.rows);
            if let (Some(out), Some(form)) = (&mut all_rows, row_form) {
                grown = append_rows(path, form, &saved, out, grown)?;
            }
            joined = Some(match joined {
                None => Saved { rows: grown, ..saved },
                Some(mut all) => {
                    all.totals.append(&saved.totals);
                    all.digests = all.digests.with(&bytes);
                    Saved { rows: grown, ..all }
                }
            });
        }
        let joined = joined.context("there are parts")?;
        digests.sync_all()?;
        joined.write(directory.partial())?;
        job.directory = Some(directory);
        job.finish(&joined.totals, None)
    }
}

/// Adds the rows of a part behind those of the parts before it; the header comes once.
fn append_rows(
    path: &Path,
    form: RowForm,
    saved: &Saved,
    out: &mut File,
    mut grown: Grown,
) -> Result<Grown> {
    let place = path.join(job::rows_name(form));
    let damaged = || format!("`{}`", place.display());
    let file = File::open(&place).with_context(damaged)?;
    let mut bytes: Box<dyn Read> = match form {
        RowForm::Csv => Box::new(file),
        RowForm::Zst => Box::new(zstd::Decoder::new(file).with_context(damaged)?),
    };
    let mut read = Grown::EMPTY;
    let mut header = grown != Grown::EMPTY;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = bytes.read(&mut buffer).with_context(damaged)?;
        if count == 0 {
            break;
        }
        let mut part = &buffer[..count];
        read = read.with(part);
        if header {
            let end = part.iter().position(|&byte| byte == b'\n');
            part = end.map_or(&[], |end| &part[end + 1..]);
            header = end.is_none();
        }
        grown = grown.with(part);
        out.write_all(part)?;
    }
    ensure!(read == saved.rows, "{} is damaged: it does not hold what the run wrote", damaged());
    Ok(grown)
}

/// Plays a random sample of a run again.
///
/// # Errors
/// If the run can't be read.
pub fn verify(args: &Verify) -> Result<Said> {
    run::set_threads(args.threads)?;
    let manifest = manifest_of(&args.run)?;
    let telling = Telling { quiet: false, format: SummaryForm::Text };
    let again =
        Again { path: args.run.clone(), sample: choose::count(&args.sample)?, seed: args.seed };
    with_job(manifest, telling, again).with_context(|| format!("run `{}`", args.run.display()))
}

struct Again {
    path: PathBuf,
    sample: u64,
    seed: u64,
}

impl WithJob for Again {
    fn with<G: Playable>(self, job: Job<G>) -> Result<Said> {
        ensure!(
            job.manifest.agents.iter().all(|agent| agent.reproducible),
            "an agent searches by time, so that no match can be had again"
        );
        let saved = saved_of(&self.path, &job)?;
        saved.digests.check(&self.path.join(DIGESTS))?;
        let mut faults = other_tables(&self.path, &job, &saved)?;
        let chunks = self.chosen(&job, &saved);
        let digests = fs::read(self.path.join(DIGESTS))?;
        let plan = job.manifest.plan.plan();
        let played = job.with_experiment(None, PlayAgain { chunks: &chunks, plan })?;
        for (chunk, digest) in chunks.iter().zip(&played) {
            let at = usize::try_from(chunk - saved.totals.chunks.start)? * 4;
            if digests.get(at..at + 4) != Some(&digest.to_le_bytes()) {
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
        if faults.is_empty() {
            let all = saved.totals.blocks();
            let text =
                format!("The same: {blocks} of {all} blocks played again, and all tables.\n");
            return Ok(Said { text, code: 0 });
        }
        Ok(Said { text: faults.join("\n") + "\n", code: FAILED })
    }
}

/// The exit code of a run that is not what it says.
const FAILED: u8 = 1;

impl Again {
    /// Chunks drawn without repetition until the sample is large enough.
    fn chosen<G: Playable>(&self, job: &Job<G>, saved: &Saved) -> Vec<u64> {
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

struct PlayAgain<'a> {
    chunks: &'a [u64],
    plan: crate::sim::batch::Plan,
}

impl WithExperiment for PlayAgain<'_> {
    type Out = Vec<u32>;

    fn with<E: Experiment>(self, experiment: &E) -> Vec<u32> {
        let play = |worker: &mut E::Worker, &chunk: &u64| {
            experiment.play(worker, self.plan.blocks_of(chunk..chunk + 1)).digest()
        };
        self.chunks.par_iter().map_init(|| experiment.worker(), play).collect()
    }
}

/// Tables that are not what the sums give.
fn other_tables<G: Playable>(path: &Path, job: &Job<G>, saved: &Saved) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    if job.manifest.plan.shard.is_some() {
        return Ok(faults);
    }
    for table in job.tables(&saved.totals)? {
        let mut bytes = Vec::new();
        table.write_csv(&mut bytes)?;
        let name = format!("{}.csv", table.name);
        if fs::read(path.join(&name)).ok() != Some(bytes) {
            faults.push(format!("{name} is not what the sums give"));
        }
    }
    Ok(faults)
}
