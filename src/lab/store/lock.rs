//! A lock on a run's directory: a file with the number of the process that writes there. The system frees
//! the lock of a process that is gone, so what is left of one is told from one that is held.

use crate::lab::report::files;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// A lock that this process holds until it is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
    abandoned_by: Option<u32>,
}

/// A process number has ten digits at most.
const DIGITS: u64 = 10;

/// How often a lock is tried that others have for a moment.
const TRIES: usize = 10_000;

/// How often that is done again for who writes for longer: a second or so in all.
const WAITS: u32 = 200;

impl Lock {
    /// Takes the lock, whose file is made if it is not there.
    ///
    /// # Errors
    /// Says who holds it, or what can't be written.
    pub fn take(path: &Path) -> Result<Lock, String> {
        // Whoever held it may have put the directory in its place, and this file with it.
        Lock::tried(path)?.ok_or_else(|| "another process has just finished there".to_owned())
    }

    /// The same for a directory that stays in its place: whoever held it removes its file at the end, for which this waits
    /// a little.
    ///
    /// # Errors
    /// Says who holds it, or what can't be written.
    pub fn take_in_place(path: &Path) -> Result<Lock, String> {
        for _ in 0..WAITS {
            if let Ok(Some(lock)) = Lock::tried(path) {
                return Ok(lock);
            }
        }
        Lock::take(path)
    }

    /// Takes it, unless the file has gone from its place meanwhile.
    fn tried(path: &Path) -> Result<Option<Lock>, String> {
        let io = |error: io::Error| error.to_string();
        let opened = files::open_or_create(path);
        let mut file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput => format!("its `lock` {error}"),
            _ => io(error),
        })?;
        if !is_taken(&file) {
            let holder = read(&mut file)
                .map_or("another process".to_owned(), |process| format!("process {process}"));
            return Err(format!("{holder} is writing there"));
        }
        if !is_same(&file, path) {
            return Ok(None);
        }
        let abandoned_by = read(&mut file).filter(|&process| process != std::process::id());
        if let Err(error) = write(&file, std::process::id()) {
            // Where there is no room for a number, nobody needs an empty file.
            let _ = fs::remove_file(path);
            return Err(io(error));
        }
        Ok(Some(Lock { file, path: path.to_owned(), abandoned_by }))
    }

    /// The process that holds the lock of a path; nothing if none does.
    pub fn holder(path: &Path) -> Option<u32> {
        let mut file = files::open(path).ok()?;
        let free = file.try_lock_shared().is_ok();
        if free { None } else { read(&mut file) }
    }

    /// The process that held it and is gone without letting it go.
    pub fn abandoned_by(&self) -> Option<u32> {
        self.abandoned_by
    }

    /// The lock after its directory was renamed.
    pub fn moved(self, path: &Path) -> Lock {
        Lock { path: path.to_owned(), ..self }
    }

    /// Leaves what was taken over as it was found: the process that is gone is named again.
    pub fn release(&self, path: &Path) {
        match self.abandoned_by {
            Some(process) if is_same(&self.file, path) => {
                let _ = write(&self.file, process);
            }
            _ => self.remove_at(path),
        }
    }

    /// Removes the file.
    pub fn remove(&self) {
        self.remove_at(&self.path);
    }

    /// Removes the file where it lies now, if it is this one.
    pub fn remove_at(&self, path: &Path) {
        if is_same(&self.file, path) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Takes the lock of a file. Whoever asks for its holder has it for a moment, so it is tried more than once.
fn is_taken(file: &File) -> bool {
    let mut attempts = (0..TRIES).map(|_| file.try_lock().is_ok());
    attempts.any(|taken| {
        thread::yield_now();
        taken
    })
}

fn write(mut file: &File, process: u32) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    write!(file, "{process}")
}

fn read(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(DIGITS).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Whether an open file is the one that lies at a path.
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let name = |found: fs::Metadata| (found.dev(), found.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(there)) => name(open) == name(there),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_names_its_holder() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("lock");
        let held = Lock::take(&path).unwrap();
        assert_eq!((Lock::holder(&path), held.abandoned_by()), (Some(std::process::id()), None));
        let refused = Lock::take(&path).unwrap_err();
        assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
        drop(held);
        assert_eq!(Lock::holder(&path), None);
    }

    #[test]
    fn what_a_process_that_is_gone_has_left_is_told() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("lock");
        fs::write(&path, "4000000000").unwrap();
        assert_eq!(Lock::holder(&path), None);
        let taken = Lock::take(&path).unwrap();
        assert_eq!(taken.abandoned_by(), Some(4_000_000_000));
        taken.remove();
        assert!(!path.exists());
        // Not one that somebody else has made since.
        fs::write(&path, "1").unwrap();
        taken.remove();
        assert!(path.exists());
    }

    #[test]
    fn other_texts_name_nobody() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("lock");
        for text in ["", "x", "-1", "99999999999999999999", "\u{0}"] {
            fs::write(&path, text).unwrap();
            assert_eq!(Lock::take(&path).unwrap().abandoned_by(), None, "{text:?}");
        }
    }
}
