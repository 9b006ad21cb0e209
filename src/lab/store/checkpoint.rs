//! Keeps a run on disk while it is played: digests grow, and rows or the sums of chunks, and every few seconds the sums up to
//! there are saved. When it is killed, at most those seconds are played again.

use crate::core::watch::Watch;
use crate::lab::report::files::{self, sync_directory, sync_parent};
use crate::lab::report::manifest::RowForm;
use crate::lab::report::rows::{self, ROWS, rows_name};
use crate::lab::report::sums::{self, BadSums, DIGESTS, FileDigest, Saved};
use crate::lab::store::chunk_log::{ByChunk, CHUNKS};
use crate::sim::batch::{MergedPiece, Totals};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that only grows.
pub struct AppendLog {
    file: BufWriter<File>,
    grown: FileDigest,
}

/// What grows besides the digests.
enum ExtraLog {
    /// [`ROWS`].
    Rows(AppendLog),
    /// [`CHUNKS`].
    Chunks(AppendLog, ByChunk),
}

/// What a run keeps besides its sums and digests.
#[derive(Debug, Clone)]
pub enum RunLog {
    /// Nothing.
    Nothing,
    /// A row for each match, in this form at the end, below this header.
    Rows(RowForm, Vec<u8>),
    /// The sums of each chunk, for whoever looks at them later.
    Chunks,
}

/// The files of a run that is being played.
pub struct Checkpoint {
    directory: PathBuf,
    design: u64,
    besides: Option<ExtraLog>,
    digests: AppendLog,
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

impl AppendLog {
    /// An empty file.
    ///
    /// # Errors
    /// If it can't be made.
    pub fn create(path: &Path) -> io::Result<AppendLog> {
        Ok(AppendLog { file: BufWriter::new(files::create(path)?), grown: FileDigest::EMPTY })
    }

    /// Reopens a checked file at its saved length; whatever came after is discarded.
    fn reopen(path: &Path, grown: FileDigest) -> Result<AppendLog, BadSums> {
        let file = files::open_to_grow(path, grown.bytes)
            .map_err(|error| BadSums::new(path, error.to_string()))?;
        Ok(AppendLog { file: BufWriter::new(file), grown })
    }

    /// Adds bytes.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.grown = self.grown.with(bytes);
        self.file.write_all(bytes)
    }

    /// Adds the bytes of another file, which must be what they were.
    ///
    /// # Errors
    /// If they are not, or can't be added.
    pub fn append(&mut self, path: &Path, grown: FileDigest) -> Result<()> {
        grown.check_whole(path)?;
        let mut file = files::open(path)?.take(grown.bytes);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                return Ok(());
            }
            self.add(&buffer[..count])?;
        }
    }

    /// Flushes and syncs the file, and returns its digest.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn flush(&mut self) -> io::Result<FileDigest> {
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        Ok(self.grown)
    }
}

impl Checkpoint {
    /// New files of a run that begins with these totals.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn create(
        directory: &Path,
        kept: &RunLog,
        (design, totals): (u64, &Totals),
        timing: Saving,
    ) -> Result<Checkpoint> {
        let create = |name: &str| {
            let path = directory.join(name);
            AppendLog::create(&path).with_context(|| format!("writing `{}`", path.display()))
        };
        let mut checkpoint = Checkpoint {
            directory: directory.to_owned(),
            design,
            besides: None,
            digests: create(DIGESTS)?,
            saved: timing.watch.now(),
            timing,
        };
        checkpoint.besides = match kept {
            RunLog::Nothing => None,
            RunLog::Rows(_, header) => {
                let mut file = create(ROWS)?;
                file.add(header)?;
                Some(ExtraLog::Rows(file))
            }
            RunLog::Chunks => Some(ExtraLog::Chunks(create(CHUNKS)?, ByChunk::behind(totals))),
        };
        // The sums will be found only if the names of what they speak of are on the disk.
        sync_directory(directory)
            .and_then(|()| sync_parent(directory))
            .with_context(|| format!("writing `{}`", directory.display()))?;
        Ok(checkpoint)
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
        let reopen = |name: &str| AppendLog::reopen(&directory.join(name), saved.rows);
        let besides = match kept {
            RunLog::Nothing => None,
            RunLog::Rows(..) => Some(ExtraLog::Rows(reopen(ROWS)?)),
            RunLog::Chunks => {
                Some(ExtraLog::Chunks(reopen(CHUNKS)?, ByChunk::behind(&saved.totals)))
            }
        };
        let digests = AppendLog::reopen(&directory.join(DIGESTS), saved.digests)?;
        let (directory, design) = (directory.to_owned(), saved.design);
        Ok(Checkpoint { directory, design, besides, digests, saved: timing.watch.now(), timing })
    }

    /// Keeps blocks that were just added to the totals, and says whether all that was played is on the disk now.
    ///
    /// # Errors
    /// If it can't be written; what was saved before is untouched.
    pub fn add(&mut self, totals: &Totals, step: &MergedPiece<'_>) -> io::Result<bool> {
        match &mut self.besides {
            Some(ExtraLog::Rows(rows)) => rows.add(step.rows)?,
            Some(ExtraLog::Chunks(chunks, by_chunk)) if step.digest.is_some() => {
                chunks.add(&by_chunk.next(totals))?;
            }
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
        let rows = match &mut self.besides {
            None => FileDigest::EMPTY,
            Some(ExtraLog::Rows(file) | ExtraLog::Chunks(file, _)) => file.flush()?,
        };
        let digests = self.digests.flush()?;
        sums::write(&self.directory, self.design, totals, [rows, digests])?;
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
