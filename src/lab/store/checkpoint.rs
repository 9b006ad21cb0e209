//! Keeps a run on disk while it is played: digests grow, and rows or the sums of chunks, and every few seconds the sums up to
//! there are saved. When it is killed, at most those seconds are played again.

use crate::core::outside::LostMatches;
use crate::core::watch::Watch;
use crate::lab::report::files::{sync_directory, sync_parent};
use crate::lab::report::manifest::RowForm;
use crate::lab::report::rows::{self, ROWS, rows_name};
use crate::lab::report::sums::{self, DIGESTS, FileDigest, Saved};
use crate::lab::store::append_log::AppendLog;
use crate::lab::store::chunk_log::{self, ByChunk, CHUNKS};
use crate::lab::store::faults;
use crate::sim::batch::{Chunking, MergedPiece, Totals};
use anyhow::{Context, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a run keeps besides its sums and digests.
#[derive(Debug, Clone)]
pub enum RunLog {
    Nothing,
    /// A row for each match, in this form at the end, below this header.
    Rows(RowForm, Vec<u8>),
    /// The sums of each chunk, for whoever looks at them later.
    Chunks,
}

impl RunLog {
    /// The file that grows besides the digests.
    fn name(&self) -> Option<&'static str> {
        match self {
            RunLog::Nothing => None,
            RunLog::Rows(..) => Some(ROWS),
            RunLog::Chunks => Some(CHUNKS),
        }
    }

    /// Takes totals apart, if it is chunks that are kept.
    fn by_chunk(&self, totals: &Totals) -> Option<ByChunk> {
        matches!(self, RunLog::Chunks).then(|| ByChunk::behind(totals))
    }
}

/// The files of a run that is being played.
pub struct Checkpoint {
    directory: PathBuf,
    design: u64,
    besides: Option<AppendLog>,
    by_chunk: Option<ByChunk>,
    digests: AppendLog,
    /// Matches that guests have lost by failing, and the plan that their blocks belong to.
    faults: Option<(LostMatches, Chunking)>,
    saved: Duration,
    timing: Saving,
}

/// When sums are saved.
#[derive(Debug, Clone)]
pub struct Saving {
    /// The clock.
    pub watch: Watch,
    /// Time between two saved states.
    pub every: Duration,
}

impl Checkpoint {
    /// New files of a run that begins with these totals.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn create(
        directory: &Path,
        kept: &RunLog,
        begun: &Saved,
        timing: Saving,
    ) -> Result<Checkpoint> {
        let create = |name: &str| {
            let path = directory.join(name);
            AppendLog::create(&path).with_context(|| format!("writing `{}`", path.display()))
        };
        let digests = create(DIGESTS)?;
        let mut besides = kept.name().map(create).transpose()?;
        if let (Some(file), RunLog::Rows(_, header)) = (&mut besides, kept) {
            file.add(header)?;
        }
        // The sums will be found only if the names of what they speak of are on the disk.
        sync_names(directory)?;
        Ok(Checkpoint {
            directory: directory.to_owned(),
            design: begun.design,
            besides,
            by_chunk: kept.by_chunk(&begun.totals),
            digests,
            faults: None,
            saved: timing.watch.now(),
            timing,
        })
    }

    /// The files of a run that stopped. They are all checked before one is changed.
    ///
    /// # Errors
    /// If they don't hold what the run wrote.
    pub fn reopen(
        directory: &Path,
        kept: &RunLog,
        saved: &Saved,
        timing: Saving,
    ) -> Result<Checkpoint> {
        saved.digests.check(&directory.join(DIGESTS))?;
        match kept {
            RunLog::Nothing => (),
            RunLog::Rows(form, _) => plain_rows(directory, *form, saved.rows)?,
            RunLog::Chunks => saved.rows.check(&directory.join(CHUNKS))?,
        }
        let reopen = |name: &str, grown| {
            let path = directory.join(name);
            AppendLog::reopen(&path, grown).with_context(|| format!("`{}`", path.display()))
        };
        let checkpoint = Checkpoint {
            directory: directory.to_owned(),
            design: saved.design,
            besides: kept.name().map(|name| reopen(name, saved.rows)).transpose()?,
            by_chunk: kept.by_chunk(&saved.totals),
            digests: reopen(DIGESTS, saved.digests)?,
            faults: None,
            saved: timing.watch.now(),
            timing,
        };
        // Rows that were packed have a new file.
        sync_names(directory)?;
        Ok(checkpoint)
    }

    /// The same for a run in which guests may lose by failing: what was lost is saved with the rest.
    #[must_use]
    pub fn noting_faults(self, lost: &LostMatches, plan: Chunking) -> Checkpoint {
        Checkpoint { faults: Some((LostMatches::clone(lost), plan)), ..self }
    }

    /// Keeps blocks that were just added to the totals, and says whether all that was played is on the disk now.
    ///
    /// # Errors
    /// If it can't be written; what was saved before is untouched.
    pub fn add(&mut self, totals: &Totals, step: &MergedPiece<'_>) -> io::Result<bool> {
        match (&mut self.besides, &mut self.by_chunk) {
            (Some(chunks), Some(by_chunk)) if step.digest.is_some() => {
                chunks.add(&chunk_log::bytes(&by_chunk.next(totals)))?;
            }
            (Some(rows), None) => rows.add(step.rows)?,
            _ => (),
        }
        if let Some(digest) = step.digest {
            self.digests.add(&digest.to_le_bytes())?;
        }
        let saves = self.timing.watch.now().saturating_sub(self.saved) >= self.timing.every;
        if saves {
            self.save(totals)?;
        }
        Ok(saves)
    }

    fn save(&mut self, totals: &Totals) -> io::Result<()> {
        // What the sums say must be on disk before they are.
        let rows = self.besides.as_mut().map_or(Ok(FileDigest::EMPTY), AppendLog::flush)?;
        let digests = self.digests.flush()?;
        if let Some((lost, plan)) = &self.faults {
            let next = totals.next_block(plan);
            faults::save(&self.directory, lost, next).map_err(io::Error::other)?;
            sync_directory(&self.directory)?;
        }
        sums::write(&self.directory, self.design, totals, [rows, digests])?;
        sync_directory(&self.directory)?;
        self.saved = self.timing.watch.now();
        Ok(())
    }

    /// Saves everything for good.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn finish(mut self, totals: &Totals) -> Result<()> {
        self.save(totals).with_context(|| format!("writing `{}`", self.directory.display()))
    }
}

/// Syncs the names of a run's files, and its own.
fn sync_names(directory: &Path) -> Result<()> {
    sync_directory(directory)
        .and_then(|()| sync_parent(directory))
        .with_context(|| format!("writing `{}`", directory.display()))
}

/// Makes sure that the rows are there, plain and as they were saved. A process that was killed while it
/// packed or unpacked them has left both files, of which one is whole.
fn plain_rows(directory: &Path, form: RowForm, grown: FileDigest) -> Result<()> {
    let (plain, packed) = (directory.join(ROWS), directory.join(rows_name(form)));
    let found = grown.check(&plain);
    if found.is_ok() || form == RowForm::Csv || !packed.exists() {
        return Ok(found?);
    }
    let unpacked = rows::unpack(directory, grown.bytes)
        .with_context(|| format!("`{}`", packed.display()))
        .and_then(|()| Ok(grown.check(&plain)?));
    if unpacked.is_err() {
        let _ = fs::remove_file(&plain);
    }
    unpacked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::outside::LostMatch;
    use std::sync::{Arc, Mutex};

    #[test]
    fn what_sums_count_is_on_the_disk_before_they_are() {
        let place = tempfile::tempdir().unwrap();
        let lost_match = |block| LostMatch {
            id: (block, 0),
            seat: 1,
            guest: "bot".to_owned(),
            reason: "it is silent".to_owned(),
        };
        let lost: LostMatches = Arc::new(Mutex::new(vec![lost_match(3), lost_match(9)]));
        let plan = Chunking { blocks: 20, chunk: 1 };
        let mut totals = Totals::new(1, 0, 0);
        let none = FileDigest::EMPTY;
        let begun = Saved { design: 7, totals: totals.clone(), rows: none, digests: none };
        let saving = Saving { watch: Watch::none(), every: Duration::MAX };
        let checkpoint = Checkpoint::create(place.path(), &RunLog::Nothing, &begun, saving);
        let checkpoint = checkpoint.unwrap().noting_faults(&lost, plan);
        // The sums can't be written.
        fs::create_dir(place.path().join("sums.bin.new")).unwrap();
        totals.chunks.end = 5;
        checkpoint.finish(&totals).unwrap_err();
        assert!(!place.path().join("sums.bin").exists());
        let kept = faults::read(place.path(), 20).unwrap();
        assert_eq!(kept, [lost_match(3)], "of blocks that the sums count");
        // Whoever goes on from sums that count fewer blocks plays that one again.
        assert_eq!(faults::read(place.path(), 3).unwrap(), []);
    }
}
