//! Waves: how a run that decides as it goes is played by several machines. A wave is some blocks, played as parts that
//! decide nothing; whoever merges them decides as one machine would have. So the run is the one of a single machine,
//! byte for byte. What was merged is a run that was interrupted behind the last wave: the next wave is merged with it,
//! or `resume` plays on alone.
//!
//! Of a study, a wave is some blocks of its plan. Their chunks are taken in order, with a look after each; where that
//! stops, the rest is thrown away. A search is a function of its log: where the log ends, it asks for a stage, and what
//! is left of that stage is a wave. Its parts have the log so far beside their own chunks. These are put into the log, in
//! order, and the search is asked again.

use crate::lab::divide::parts::{Part, check_wave, missing_of_waves, without_copies};
use crate::lab::report::files;
use crate::lab::report::manifest::{Manifest, Played, Wall, Wave};
use crate::lab::report::sums::{DIGESTS, FileDigest, Saved};
use crate::lab::run::Finished;
use crate::lab::run::search_run::SearchJob;
use crate::lab::run::stages::Share;
use crate::lab::run::study_run::{StudyJob, saved_of};
use crate::lab::store::append_log::AppendLog;
use crate::lab::store::chunk_log::{CHUNKS, Chunks};
use crate::lab::store::directory::Directory;
use crate::lab::store::quoted::quoted;
use crate::lab::store::stage_log::{STAGES, WAVE, digest_of};
use crate::sim::batch::{Chunking, Totals};
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A study that is merged wave by wave.
struct WaveMerge<'a> {
    job: StudyJob<'a>,
    plan: Chunking,
    totals: Totals,
    digests: AppendLog,
    /// Why it stops, once it does.
    stopped: Option<String>,
}

/// What came of it: the run, the wave that comes next, and what a reader should know of the parts.
pub type Joined = (Finished, Option<Wave>, Vec<String>);

/// Adds parts of waves to the study so far, or begins it with them. The parts are in the order of their blocks.
///
/// # Errors
/// If blocks are missing that the run needs, or a part is damaged.
pub fn join_study<'a>(
    job: StudyJob<'a>,
    merged_run: Option<(PathBuf, Manifest)>,
    parts: &[Part],
    directory: Directory<'a>,
) -> Result<Joined> {
    let digests = AppendLog::create(&directory.file(DIGESTS))?;
    let mut said = Vec::new();
    let mut run = WaveMerge::begin(job, merged_run.as_ref(), digests)?;
    let first = run.totals.chunks.end;
    let mut old = 0;
    for part in parts {
        let chunks = part.chunks(&run.plan);
        if chunks.end <= run.totals.chunks.end {
            old += u64::from(!chunks.is_empty() && chunks.end <= first);
        } else if run.stopped.is_none() {
            run.ensure_no_gap(parts, part)?;
            run.add(part)?;
        }
    }
    if let Some((path, _)) = merged_run {
        said.extend(left_out(old, &path));
    }
    if run.stopped.is_none() {
        let missing = missing_of_waves(parts, &run.plan, run.totals.chunks.end);
        ensure!(missing.is_empty(), "parts are missing: {}", missing.join(", "));
    }
    let (finished, next) = run.end(parts, directory)?;
    Ok((finished, next, said))
}

/// What is said of parts that are no longer needed.
fn left_out(old: u64, run: &Path) -> Option<String> {
    let verb = if old == 1 { "part holds" } else { "parts hold" };
    (old > 0).then(|| format!("{old} {verb} what `{}` has already: left out", run.display()))
}

/// Adds the parts of a wave to the search so far, or begins it with them, and asks it again.
///
/// # Errors
/// If parts are missing, damaged, of different waves, or don't follow the search so far, or the whole can't be written.
pub fn join_search<'a>(
    mut job: SearchJob<'a>,
    merged_run: Option<(PathBuf, Manifest)>,
    mut parts: Vec<Part>,
    directory: Directory<'a>,
) -> Result<Joined> {
    let own = |part: &Part| digest_of(&part.path, WAVE);
    let mut said = without_copies(&mut parts, |one, other| Ok(own(one)? == own(other)?))?;
    let begun = merged_run.is_some();
    let (run, wall) = match merged_run {
        Some((path, manifest)) => (path, manifest.wall),
        None => (parts.first().context("there are parts")?.path.clone(), Wall::default()),
    };
    let log = digest_of(&run, STAGES)?;
    let wave = parts.iter().filter_map(|part| part.wave).max();
    let (mut next, mut old) = (Vec::new(), 0);
    for part in parts {
        let before = digest_of(&part.path, STAGES)?;
        if before == log {
            next.push(part);
            continue;
        }
        let shorter = before.bytes < log.bytes && before.check(&run.join(STAGES)).is_ok();
        ensure!(
            begun && shorter,
            "`{}` does not follow `{}`: it was played after another run so far",
            part.path.display(),
            run.display()
        );
        old += 1;
    }
    check_wave(&next)?;
    said.extend(left_out(old, &run));
    let mut copy = AppendLog::create(&directory.file(STAGES))?;
    copy.append(&run.join(STAGES), log)?;
    copy.flush()?;
    job.manifest.wall = wall;
    for part in &next {
        job.manifest.wall.add(&part.wall);
    }
    let share = |part: Part| {
        let wave = part.wave.context("a part of a wave")?;
        Ok(Share { directory: part.path, wave, shard: part.shard })
    };
    let finished = job.join(directory, next.into_iter().map(share).collect::<Result<_>>()?)?;
    let is_open = !finished.manifest.played.complete;
    let next = |wave: Wave| Wave { number: wave.number.saturating_add(1), ..wave };
    Ok((finished, wave.filter(|_| is_open).map(next), said))
}

impl<'a> WaveMerge<'a> {
    fn begin(
        mut job: StudyJob<'a>,
        merged_run: Option<&(PathBuf, Manifest)>,
        mut digests: AppendLog,
    ) -> Result<WaveMerge<'a>> {
        let plan = job.manifest.plan.plan();
        let Some((path, manifest)) = merged_run else {
            let totals = job.no_sums()?.totals;
            return Ok(WaveMerge { job, plan, totals, digests, stopped: None });
        };
        let name = path.display();
        job.manifest.played.clone_from(&manifest.played);
        let saved = saved_of(path, &job).with_context(|| format!("run `{name}`"))?;
        job.manifest.played = Played::default();
        job.manifest.wall.clone_from(&manifest.wall);
        ensure!(
            saved.totals.open.is_none(),
            "`{name}` was interrupted between two looks; `fairhaven resume {}` plays it on alone",
            quoted(path)
        );
        digests.append(&path.join(DIGESTS), saved.digests)?;
        let (totals, stopped) = (saved.totals, manifest.played.stopped.clone());
        Ok(WaveMerge { job, plan, totals, digests, stopped })
    }

    fn ensure_no_gap(&self, parts: &[Part], next: &Part) -> Result<()> {
        let (end, start) = (self.totals.chunks.end, next.chunks(&self.plan).start);
        if start <= end {
            return Ok(());
        }
        let missing = missing_of_waves(parts, &self.plan, end);
        ensure!(missing.is_empty(), "parts are missing: {}", missing.join(", "));
        let blocks = self.plan.blocks_of(end..start);
        let name = next.path.display();
        bail!(
            "blocks {} to {}, before those of `{name}`, are missing: name the run so far, or the waves \
             that have them",
            blocks.start,
            blocks.end - 1
        )
    }

    /// Adds the chunks of a part that the run does not have yet, and looks after each, until the run stops.
    fn add(&mut self, part: &Part) -> Result<()> {
        let saved = part.saved(&mut self.job)?;
        let range = saved.totals.chunks.clone();
        saved.digests.check_whole(&part.path.join(DIGESTS))?;
        let path = part.path.join(CHUNKS);
        let mut chunks = Chunks::open(&path, &saved)?;
        let mut digests = BufReader::new(files::open(&part.path.join(DIGESTS))?);
        let first = self.totals.chunks.end;
        digests.seek(SeekFrom::Start(4 * (first - range.start)))?;
        for chunk in range.clone() {
            let sums = chunks.read()?;
            if chunk < first {
                continue;
            }
            let mut digest = [0; 4];
            digests.read_exact(&mut digest)?;
            self.digests.add(&digest)?;
            let blocks = self.plan.blocks_of(chunk..chunk + 1);
            self.totals.grouped.add(chunk, blocks.end - blocks.start, &sums);
            self.totals.end_chunk();
            self.stopped = self.job.question.stop(&self.job.manifest, &self.totals);
            if self.stopped.is_some() {
                break;
            }
        }
        let whole = self.totals.chunks.end == range.end;
        let end = self.plan.blocks_of(0..self.totals.chunks.end).end;
        for (mine, found) in self.totals.firsts.iter_mut().zip(&saved.totals.firsts) {
            *mine = mine.or(found.filter(|&(block, _)| block < end));
        }
        self.job.manifest.wall.add(&part.wall);
        if whole { Ok(chunks.end()?) } else { Ok(()) }
    }

    /// Writes the run, and says which wave comes next.
    fn end(mut self, parts: &[Part], directory: Directory<'a>) -> Result<(Finished, Option<Wave>)> {
        let WaveMerge { ref totals, plan, .. } = self;
        let open = self.stopped.is_none() && totals.chunks.end < plan.chunks();
        let next = parts.last().and_then(|part| part.wave).filter(|_| open);
        let next = next.and_then(|wave| {
            let each = wave.blocks.div_ceil(plan.chunk);
            let whole = totals.chunks.end % each == 0;
            whole.then_some(Wave { number: totals.chunks.end / each + 1, ..wave })
        });
        let design = self.job.manifest.design_hash();
        let (rows, digests) = (FileDigest::EMPTY, self.digests.flush()?);
        let saved = Saved { design, totals: self.totals, rows, digests };
        saved.write(directory.partial())?;
        self.job.directory = Some(directory);
        let outcome = self.job.outcome(&saved.totals, self.stopped)?;
        let finished = self.job.finish(outcome)?;
        Ok((finished, next))
    }
}
