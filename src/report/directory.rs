//! The directory of a run: checked before the first match, filled under a temporary name, then renamed.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// A directory that can't be written to.
#[derive(Debug, thiserror::Error)]
#[error("output directory `{}`: {reason}", path.display())]
pub struct BadDirectory {
    path: PathBuf,
    reason: String,
}

/// A directory in the making.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    partial: PathBuf,
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
            if entries.next().is_some() && !force {
                let reason = "is not empty; choose another or replace it with --force";
                return Err(bad(reason.to_owned()));
            }
            let known = path.join("manifest.json").exists();
            let empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            if force && !known && !empty {
                let reason = "holds no manifest.json, so --force does not replace it";
                return Err(bad(reason.to_owned()));
            }
        }
        let mut name = path.file_name().ok_or_else(|| bad("has no name".to_owned()))?.to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        if partial.exists() {
            let reason = "is being written, or was left behind: remove it if no run is using it";
            return Err(BadDirectory { path: partial, reason: reason.to_owned() });
        }
        fs::create_dir_all(&partial).map_err(|error| bad(error.to_string()))?;
        Ok(Directory { path: path.to_owned(), partial })
    }

    /// A file of the directory, while it is in the making.
    pub fn file(&self, name: &str) -> PathBuf {
        self.partial.join(name)
    }

    /// Puts the directory in its place.
    ///
    /// # Errors
    /// If it can't be renamed.
    pub fn publish(self) -> Result<(), BadDirectory> {
        let bad = |error: std::io::Error| BadDirectory {
            path: self.path.clone(),
            reason: error.to_string(),
        };
        if self.path.exists() {
            fs::remove_dir_all(&self.path).map_err(bad)?;
        }
        fs::rename(&self.partial, &self.path).map_err(bad)
    }
}

impl Drop for Directory {
    /// Leaves nothing half-written: after `publish` there is nothing left to remove.
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.partial);
    }
}
