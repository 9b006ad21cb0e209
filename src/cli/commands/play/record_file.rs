//! The file in which the record of a match is kept while it is played: it has every decision as soon as it is taken.

use crate::lab::report::files;
use crate::lab::store::quoted::quoted;
use anyhow::{Context, Result, ensure};
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The largest record that is taken up: far above that of any match.
const BYTES_MAX: u64 = 64 << 20;

/// Names that are tried for a file that nobody named.
const NAMES_MAX: u32 = 10_000;

/// A record that grows.
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// Bytes of the record that are in it.
    kept: usize,
    /// Bytes that are in it: a line may have been cut off.
    length: usize,
}

impl RecordFile {
    /// A new file; what is there already is left alone.
    ///
    /// # Errors
    /// If there is something of that name, or it can't be made.
    pub fn begin(path: &Path) -> Result<RecordFile> {
        let file = File::create_new(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists if path.is_dir() => {
                anyhow::anyhow!("`{}` is a directory; name a file", path.display())
            }
            ErrorKind::AlreadyExists => anyhow::anyhow!(
                "there is `{0}` already; name another file with --out, or take its match up with --resume {1}",
                path.display(),
                quoted(path)
            ),
            _ => anyhow::Error::new(error).context(format!("can't make `{}`", path.display())),
        })?;
        RecordFile::locked(path, file)
    }

    /// A new file under the first of some names that nothing has; `names` is given numbers from 1.
    ///
    /// # Errors
    /// If none is free, or it can't be made.
    pub fn begin_free(names: impl Fn(u32) -> PathBuf) -> Result<(u32, RecordFile)> {
        for number in 1..=NAMES_MAX {
            let path = names(number);
            match File::create_new(&path) {
                Ok(file) => return Ok((number, RecordFile::locked(&path, file)?)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("can't make `{}`", path.display()));
                }
            }
        }
        anyhow::bail!("no name such as `{}` is free; name a file with --out", names(1).display())
    }

    /// The file of a match that is taken up, and what is in it.
    ///
    /// # Errors
    /// If it is no plain file of text, or larger than any record, or somebody plays on it.
    pub fn take_up(path: &Path) -> Result<(RecordFile, String)> {
        let named = || format!("record `{}`", path.display());
        let found = files::found(path).with_context(named)?;
        ensure!(found.len() <= BYTES_MAX, "{} is larger than any record of a match", named());
        let file = files::open_or_create(path).with_context(named)?;
        let mut this = RecordFile::locked(path, file)?;
        this.file.seek(SeekFrom::Start(0)).with_context(named)?;
        let mut bytes = Vec::new();
        (&this.file).take(BYTES_MAX + 1).read_to_end(&mut bytes).with_context(named)?;
        let text =
            String::from_utf8(bytes).ok().with_context(|| format!("{} is no text", named()))?;
        (this.kept, this.length) = (text.rfind('\n').map_or(0, |end| end + 1), text.len());
        Ok((this, text))
    }

    fn locked(path: &Path, file: File) -> Result<RecordFile> {
        // Where files can't be locked, nobody is kept out.
        let taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        ensure!(!taken, "somebody plays the match of `{}` now", path.display());
        Ok(RecordFile { path: path.to_owned(), file, kept: 0, length: 0 })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Brings the file up to the record: what is new is added, and what was taken back, or cut off within a line, is
    /// removed. One of the two begins as the other, up to its last whole line.
    ///
    /// # Errors
    /// What the system says.
    pub fn keep(&mut self, record: &str) -> Result<()> {
        let named = || format!("record `{}`", self.path.display());
        let start = self.kept.min(record.len());
        if self.length > start {
            self.file.set_len(start as u64).with_context(named)?;
        }
        self.file.seek(SeekFrom::Start(start as u64)).with_context(named)?;
        self.file.write_all(&record.as_bytes()[start..]).with_context(named)?;
        (self.kept, self.length) = (record.len(), record.len());
        Ok(())
    }
}
