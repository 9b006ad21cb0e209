//! Waves of a search. A search is a function of its log: where the log ends, it asks for a stage, and what is left of
//! that stage is a wave. Its parts have the log so far beside their own chunks; whoever merges them puts the chunks
//! into the log, in order, and asks the search again. So the log is that of one machine, byte for byte.

use crate::lab::divide::parts::{Part, check_wave, without_copies};
use crate::lab::report::manifest::{Manifest, Wall, Wave};
use crate::lab::report::sums::FileDigest;
use crate::lab::run::Finished;
use crate::lab::run::search_run::SearchJob;
use crate::lab::run::stages::Share;
use crate::lab::store::checkpoint::AppendLog;
use crate::lab::store::directory::Directory;
use crate::lab::store::stage_log::{STAGES, WAVE, digest_of};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;

/// A search that waits for the parts of a wave.
pub struct PendingWave {
    /// Where its log lies: in the run so far, or in a part.
    log: PathBuf,
    /// The log.
    grown: FileDigest,
    /// How long it took so far.
    wall: Wall,
    /// The parts, in order.
    parts: Vec<Part>,
    /// The last wave of all parts, also of those that are in the log already.
    wave: Option<Wave>,
}

impl PendingWave {
    /// The parts that come next, and what a reader should know of the others.
    ///
    /// # Errors
    /// If parts are missing, are of different waves, or don't follow the run so far.
    pub fn new(
        merged_run: Option<(PathBuf, Manifest)>,
        mut parts: Vec<Part>,
    ) -> Result<(PendingWave, Vec<String>)> {
        let own = |part: &Part| digest_of(&part.path, WAVE);
        let mut said = without_copies(&mut parts, |one, other| Ok(own(one)? == own(other)?))?;
        let first = parts.first().map(|part| part.path.clone());
        let begun = merged_run.is_some();
        let (log, wall) = match merged_run {
            Some((path, manifest)) => (path, manifest.wall),
            None => (first.context("there are parts")?, Wall::default()),
        };
        let grown = digest_of(&log, STAGES)?;
        let wave = parts.iter().filter_map(|part| part.wave).max();
        let mut next = Vec::new();
        let mut old = 0;
        for part in parts {
            let before = digest_of(&part.path, STAGES)?;
            if before == grown {
                next.push(part);
                continue;
            }
            let shorter = before.bytes < grown.bytes && before.check(&log.join(STAGES)).is_ok();
            ensure!(
                begun && shorter,
                "`{}` does not follow `{}`: it was played after another run so far",
                part.path.display(),
                log.display()
            );
            old += 1;
        }
        check_wave(&next)?;
        if old > 0 {
            let verb = if old == 1 { "part holds" } else { "parts hold" };
            said.push(format!("{old} {verb} what `{}` has already: left out", log.display()));
        }
        Ok((PendingWave { log, grown, wall, parts: next, wave }, said))
    }

    /// Puts the parts into the log, and asks the search again; and says which wave comes next.
    ///
    /// # Errors
    /// If a part is damaged, or the whole can't be written.
    pub fn join<'a>(
        self,
        mut job: SearchJob<'a>,
        directory: Directory<'a>,
    ) -> Result<(Finished, Option<Wave>)> {
        let mut copy = AppendLog::create(&directory.file(STAGES))?;
        copy.append(&self.log.join(STAGES), self.grown)?;
        copy.flush()?;
        job.manifest.wall = self.wall;
        for part in &self.parts {
            job.manifest.wall.add(&part.wall);
        }
        let share = |part: Part| {
            let wave = part.wave.context("a part of a wave")?;
            Ok(Share { directory: part.path, wave, shard: part.shard })
        };
        let parts = self.parts.into_iter().map(share).collect::<Result<_>>()?;
        let finished = job.join(directory, parts)?;
        let open = !finished.manifest.played.complete;
        let next = |wave: Wave| Wave { number: wave.number.saturating_add(1), ..wave };
        Ok((finished, self.wave.filter(|_| open).map(next)))
    }
}
