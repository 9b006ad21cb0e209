//! The directory of a run: checked before the first match, filled under a temporary name, then renamed.
//! What a killed run leaves behind keeps its temporary name and can be resumed.

use std::fs;
use std::fs::File;
use std::path::Path;
use std::path::PathBuf;

/// A directory that can't be written to.
#[derive(Debug, thiserror::Error)]
#[error("output directory `{}`: {reason}", path.display())]
pub struct BadDirectory {
    path: PathBuf,
    reason: String,
}

/// A directory that is being filled.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    partial: PathBuf,
    /// Held while a process writes.
    lock: File,
    otherwise: Otherwise,
}

/// What happens to the temporary directory if nothing is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Otherwise {
    /// Its content is of no use.
    Remove,
    /// It was published before and has not been changed.
    PutBack,
    /// It can be resumed.
    Leave,
}

const LOCK: &str = "lock";

/// The temporary name.
///
/// # Errors
/// If the path has no name, such as `..`.
pub fn partial_of(path: &Path) -> Result<PathBuf, BadDirectory> {
    let nameless = || BadDirectory { path: path.to_owned(), reason: "has no name".to_owned() };
    let mut name = path.file_name().ok_or_else(nameless)?.to_owned();
    name.push(".partial");
    Ok(path.with_file_name(name))
}

impl Directory {
    /// Prepares `path`: it must be absent or empty, or `force` replaces it at the end.
    ///
    /// # Errors
    /// If it holds something, or can't be made.
    pub fn prepare(path: &Path, force: bool) -> Result<Directory, BadDirectory> {
        let bad = |reason: String| BadDirectory { path: path.to_owned(), reason };
        if path.exists() {
            let mut entries = fs::read_dir(path).map_err(|error| bad(error.to_string()))?;
            let empty = entries.next().is_none();
            if !empty && !force {
                let reason = "is not empty; choose another or replace it with --force";
                return Err(bad(reason.to_owned()));
            }
            if !empty && !path.join("manifest.json").exists() {
                let reason = "holds no manifest.json, so --force does not replace it";
                return Err(bad(reason.to_owned()));
            }
        }
        let partial = partial_of(path)?;
        if partial.exists() {
            let reason = format!(
                "is being written, or was left behind: `fairhaven resume {}` goes on with it; to \
                 start anew, remove it",
                path.display()
            );
            return Err(BadDirectory { path: partial, reason });
        }
        fs::create_dir_all(&partial).map_err(|error| bad(error.to_string()))?;
        let lock = lock(&partial)?;
        Ok(Directory { path: path.to_owned(), partial, lock, otherwise: Otherwise::Remove })
    }

    /// Reopens what a run has left: under its temporary name, or published before it was complete.
    ///
    /// # Errors
    /// If there is neither, or a process is writing there.
    pub fn take_up(path: &Path) -> Result<Directory, BadDirectory> {
        let bad = |reason: String| BadDirectory { path: path.to_owned(), reason };
        let partial = partial_of(path)?;
        if partial.exists() {
            let lock = lock(&partial)?;
            let otherwise = Otherwise::Leave;
            return Ok(Directory { path: path.to_owned(), partial, lock, otherwise });
        }
        if !path.join("manifest.json").exists() {
            return Err(bad("holds no manifest.json; nothing to go on with".to_owned()));
        }
        if path.join(LOCK).exists() {
            let reason = "is a run in the making; name the run without `.partial`";
            return Err(bad(reason.to_owned()));
        }
        let lock = lock(path)?;
        fs::rename(path, &partial).map_err(|error| bad(error.to_string()))?;
        Ok(Directory { path: path.to_owned(), partial, lock, otherwise: Otherwise::PutBack })
    }

    /// Where the run will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is while it is being filled.
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// A file of the directory, while it is being filled.
    pub fn file(&self, name: &str) -> PathBuf {
        self.partial.join(name)
    }

    /// From now on, its content can be resumed.
    pub fn keep(&mut self) {
        self.otherwise = Otherwise::Leave;
    }

    /// Whether its content can be resumed.
    pub fn is_kept(&self) -> bool {
        self.otherwise == Otherwise::Leave
    }

    /// Puts the directory in its place.
    ///
    /// # Errors
    /// If it can't be renamed.
    pub fn publish(mut self) -> Result<(), BadDirectory> {
        let bad = |error: std::io::Error| BadDirectory {
            path: self.path.clone(),
            reason: error.to_string(),
        };
        fs::remove_file(self.partial.join(LOCK)).map_err(bad)?;
        if self.path.exists() {
            fs::remove_dir_all(&self.path).map_err(bad)?;
        }
        fs::rename(&self.partial, &self.path).map_err(bad)?;
        self.otherwise = Otherwise::Leave;
        Ok(())
    }
}

impl Drop for Directory {
    /// Removes a directory of no use, and puts back one that was reopened but not changed.
    fn drop(&mut self) {
        match self.otherwise {
            Otherwise::Remove => {
                let _ = fs::remove_dir_all(&self.partial);
            }
            Otherwise::PutBack => {
                let _ = fs::remove_file(self.partial.join(LOCK));
                let _ = fs::rename(&self.partial, &self.path);
            }
            Otherwise::Leave => {}
        }
        let _ = self.lock.unlock();
    }
}

/// Locks a directory for this process.
fn lock(place: &Path) -> Result<File, BadDirectory> {
    let bad = |reason: String| BadDirectory { path: place.to_owned(), reason };
    let lock = File::create(place.join(LOCK)).map_err(|error| bad(error.to_string()))?;
    let busy = |_| bad("another process is writing there".to_owned());
    lock.try_lock().map_err(busy)?;
    Ok(lock)
}
