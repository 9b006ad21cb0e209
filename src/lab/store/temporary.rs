//! The temporary name of a run, under which it is written: where it lies, and what a process has left there.

use crate::lab::store::run_files::{INSIDE, LOCK, MANIFEST};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Where the temporary directory lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Beside the path: it is renamed at the end.
    Beside,
    /// Inside of the path: its files move up at the end.
    Inside,
}

/// The temporary name beside a path; nothing if the path has no name of its own, such as `/`, or if the process
/// stands in it: whoever called it there would be left in a directory that is gone.
pub fn beside(path: &Path) -> Option<PathBuf> {
    let stands_in = |path: PathBuf| std::env::current_dir().is_ok_and(|at| at.starts_with(path));
    if fs::canonicalize(path).is_ok_and(stands_in) {
        return None;
    }
    let mut name = path.file_name()?.to_owned();
    name.push(".partial");
    Some(path.with_file_name(name))
}

/// What a run for this path has left under its temporary name, if it has.
pub fn unfinished(path: &Path) -> Option<(PathBuf, Place)> {
    // A link leads to somebody else's directory.
    let is_own = |place: &PathBuf| fs::symlink_metadata(place).is_ok_and(|found| found.is_dir());
    if let Some(partial) = beside(path).filter(is_own) {
        return Some((partial, Place::Beside));
    }
    let inside = path.join(INSIDE);
    // If its manifest has moved up, all is done except the removal.
    let published = path.join("manifest.json").exists() && !inside.join("manifest.json").exists();
    (is_own(&inside) && !published).then_some((inside, Place::Inside))
}

/// Whether what lies under a temporary name is of use to nobody: a run had no manifest yet when it was killed. What has
/// no lock either was put there by somebody else.
pub fn is_useless(partial: &Path) -> bool {
    let empty = || fs::read_dir(partial).is_ok_and(|mut entries| entries.next().is_none());
    !partial.join(MANIFEST).exists() && (partial.join(LOCK).exists() || empty())
}

/// What can be resumed of it: a run that was begun in the place of another, and has no manifest yet, leaves that one
/// as it is.
pub fn resumable(path: &Path) -> Option<(PathBuf, Place)> {
    let is_run = |directory: &Path| directory.join(MANIFEST).exists();
    unfinished(path).filter(|(partial, _)| is_run(partial) || !is_run(path))
}

/// Whether the path is where another file system begins, onto which nothing can be renamed.
#[cfg(target_os = "linux")]
pub fn is_mount_point(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags};
    let found = rustix::fs::statx(CWD, path, AtFlags::empty(), StatxFlags::BASIC_STATS);
    found.is_ok_and(|found| {
        (found.stx_attributes & found.stx_attributes_mask).contains(StatxAttributes::MOUNT_ROOT)
    })
}

#[cfg(not(target_os = "linux"))]
pub fn is_mount_point(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).map(|found| found.dev()).ok();
    device(path) != device(&path.join(".."))
}

/// Makes a temporary directory, which must not be there yet.
///
/// # Errors
/// If it is, or what the system says.
pub fn make(partial: &Path) -> io::Result<()> {
    if let Some(parent) = partial.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::create_dir(partial)
}

/// Makes the temporary directory inside of a path; an empty one may be left of a run that was killed at its end.
///
/// # Errors
/// What the system says.
pub fn make_inside(path: &Path) -> io::Result<()> {
    match fs::create_dir(path.join(INSIDE)) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}
