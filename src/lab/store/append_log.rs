//! A file that only grows. How long it is, and the hash of its bytes, say later whether it is what was written.

use crate::lab::report::files;
use crate::lab::report::sums::FileDigest;
use anyhow::Result;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// A file that only grows.
pub struct AppendLog {
    file: BufWriter<File>,
    grown: FileDigest,
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
    ///
    /// # Errors
    /// If it can't be written.
    pub fn reopen(path: &Path, grown: FileDigest) -> io::Result<AppendLog> {
        Ok(AppendLog { file: BufWriter::new(files::open_to_grow(path, grown.bytes)?), grown })
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
