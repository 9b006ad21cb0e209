//! The directory of a run: checked before the first match, filled under a temporary name, synced, then put
//! in its place. Nothing that this program did not write is ever removed or replaced.
//!
//! * A run for `out/b` is written in `out/b.partial`, and renamed at the end. Renaming a directory succeeds
//!   only onto nothing or onto an empty directory, and the system decides that in one step. Where something
//!   else has come there meanwhile, the result goes to the first free name (`out/b.2`), and the command says
//!   so.
//! * Where nothing can or should be renamed onto the path (it is a mount point, its parent can't be written to,
//!   or the process stands in it), the run is written in `out/b/run.partial`, and its files move up one by one,
//!   the manifest last.
//! * A run that `--force` replaces is set aside into the new one's directory (`replaced.partial` in it), and removed once
//!   the new one is in its place.
//! * A file `lock` with the number of the process lies in the temporary directory, locked until the result is
//!   in its place. The system frees the lock of a process that is gone, so a leftover one is recognized.
//! * Two empty files there are marks: `replaces` of a run that `--force` puts in the place of another, `merges` of one that
//!   is put together from others and can be so again, until something is played in it.

use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::files::{self, free_name, sync_parent};
use crate::lab::store::lock::Lock;
use crate::lab::store::quoted::quoted;
use crate::lab::store::replaced;
use crate::lab::store::run_files::{
    INSIDE, LOCK, MANIFEST, MERGES, REPLACES, move_down, move_up, remove_if_there, remove_known,
    remove_known_first_to_last, remove_run,
};
use crate::lab::store::temporary::{
    Place, beside, is_mount_point, is_useless, make, make_inside, resumable, unfinished,
};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A directory that can't be written to.
#[derive(Debug, thiserror::Error)]
#[error("output directory `{}`: {reason}", path.display())]
pub struct BadDirectory {
    path: PathBuf,
    reason: String,
}

impl BadDirectory {
    fn new(path: &Path, reason: impl Into<String>) -> BadDirectory {
        BadDirectory { path: path.to_owned(), reason: reason.into() }
    }

    fn io(path: &Path, error: &io::Error) -> BadDirectory {
        BadDirectory::new(path, error.to_string())
    }
}

/// A run's directory while it is written.
#[derive(Debug)]
pub struct Directory<'a> {
    /// Whose files may be moved and removed.
    catalogue: &'a Catalogue,
    path: PathBuf,
    partial: PathBuf,
    place: Place,
    lock: Lock,
    otherwise: Otherwise,
    /// Whether a run that stands at the path gives way.
    replace: bool,
}

/// What becomes of the temporary directory where nothing is published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Otherwise {
    /// Nobody can use what is there.
    Remove,
    /// It was published before, and nothing has been changed.
    PutBack,
    /// A later command can resume it.
    Leave,
}

/// The path that is meant: where a symbolic link to a directory leads, and the same path otherwise.
///
/// # Errors
/// If it is a link to nothing, or something other than a directory.
pub fn resolved(path: &Path) -> Result<PathBuf, BadDirectory> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(path.to_owned()) };
    if !path.exists() {
        return Err(BadDirectory::new(path, "is a symbolic link to nothing"));
    }
    if !path.is_dir() {
        return Err(BadDirectory::new(path, "is not a directory"));
    }
    let same = found.is_dir() && path.file_name().is_some();
    if same {
        return Ok(path.to_owned());
    }
    fs::canonicalize(path).map_err(|error| BadDirectory::io(path, &error))
}

/// Whether a run for this path was left under its temporary name.
///
/// # Errors
/// If the path can't be a run's.
pub fn is_unfinished(path: &Path) -> Result<bool, BadDirectory> {
    Ok(partial_of(path)?.is_some())
}

/// What a run for this path has left under its temporary name, if it has.
///
/// # Errors
/// If the path can't be a run's.
pub fn partial_of(path: &Path) -> Result<Option<PathBuf>, BadDirectory> {
    Ok(resumable(&resolved(path)?).map(|(partial, _)| partial))
}

/// Whether `path` may become a run's: it is absent, empty, or `force` replaces an earlier run.
fn check_target(catalogue: &Catalogue, path: &Path, force: bool) -> Result<(), BadDirectory> {
    replaced::check(catalogue, path, force).map_err(|reason| BadDirectory::new(path, reason))
}

/// Removes what a process has left beside a complete run if it was killed right after it had published it.
///
/// # Errors
/// If it can't be removed.
pub fn tidy(catalogue: &Catalogue, path: &Path) -> Result<(), BadDirectory> {
    let path = resolved(path)?;
    let inside = path.join(INSIDE);
    let clear = |directory: &Path| {
        let lock = directory.join(LOCK);
        let held = if lock.exists() { Lock::take(&lock).map(Some) } else { Ok(None) };
        // Whoever writes there clears up itself.
        let Ok(held) = held else { return Ok(()) };
        let marks = [REPLACES, MERGES];
        let cleared = marks.iter().try_for_each(|name| remove_if_there(&directory.join(name)));
        held.iter().for_each(Lock::remove);
        cleared
    };
    let is_own = fs::symlink_metadata(&inside).is_ok_and(|found| found.is_dir());
    let cleared = clear(&path)
        .and_then(|()| if is_own { clear(&inside) } else { Ok(()) })
        .and_then(|()| replaced::remove(catalogue, &path));
    cleared.map_err(|error| BadDirectory::io(&path, &error))?;
    // Not if anything is left in it.
    let _ = fs::remove_dir(inside);
    Ok(())
}

impl<'a> Directory<'a> {
    /// Prepares `path`: it must be absent or empty, or `force` replaces an earlier run at the end.
    ///
    /// # Errors
    /// If it holds something, a run is being written there, or it can't be made.
    pub fn prepare(
        catalogue: &'a Catalogue,
        path: &Path,
        force: bool,
    ) -> Result<Directory<'a>, BadDirectory> {
        Directory::prepared(catalogue, path, force, None)
    }

    /// The same for a run that is put together from others: of what was left under the temporary name by such a command,
    /// and bears its mark still, `again` says whether this one makes it again from its beginning.
    ///
    /// # Errors
    /// If it holds something, a run is being written there, or it can't be made.
    pub fn prepare_merge(
        catalogue: &'a Catalogue,
        path: &Path,
        force: bool,
        again: &dyn Fn(&Path) -> bool,
    ) -> Result<Directory<'a>, BadDirectory> {
        Directory::prepared(catalogue, path, force, Some(again))
    }

    /// What a run has left without a manifest is of use to nobody, and made again in any case.
    fn prepared(
        catalogue: &'a Catalogue,
        path: &Path,
        force: bool,
        again: Option<&dyn Fn(&Path) -> bool>,
    ) -> Result<Directory<'a>, BadDirectory> {
        let again_of = |partial: &Path| {
            let is_merge = partial.join(MERGES).exists();
            is_merge && again.is_some_and(|again| again(partial))
        };
        let path = resolved(path)?;
        if let Some((partial, place)) = unfinished(&path) {
            let held = Lock::holder(&partial.join(LOCK)).is_some();
            if held || !(is_useless(&partial) || again_of(&partial)) {
                return Err(left_behind(&path, &partial));
            }
            let lock = lock(&partial)?;
            replaced::put_back(&path, &partial);
            check_target(catalogue, &path, force)
                .inspect_err(|_| lock.release(&partial.join(LOCK)))?;
            remove_known(catalogue, &partial)
                .map_err(|error| BadDirectory::io(&partial, &error))?;
            let otherwise = Otherwise::Remove;
            let directory =
                Directory { catalogue, path, partial, place, lock, otherwise, replace: force };
            return directory.marked(again.is_some());
        }
        check_target(catalogue, &path, force)?;
        let beside = beside(&path).filter(|_| !is_mount_point(&path));
        let made = match beside {
            Some(partial) => make(&partial).map(|()| (partial, Place::Beside)),
            None => Err(io::Error::other("it can't be renamed")),
        };
        let made = made.or_else(|error| {
            // Only the directory itself may be open to us, as a container's volume is.
            let inside = path.join(INSIDE);
            if path.is_dir() {
                make_inside(&path).map(|()| (inside, Place::Inside))
            } else {
                Err(error)
            }
        });
        let (partial, place) = made.map_err(|error| BadDirectory::io(&path, &error))?;
        let lock = lock(&partial).inspect_err(|_| {
            // Unless there is something in it.
            let _ = fs::remove_dir(&partial);
        })?;
        let otherwise = Otherwise::Remove;
        let directory =
            Directory { catalogue, path, partial, place, lock, otherwise, replace: force };
        directory.marked(again.is_some())
    }

    /// Notes for whoever takes this one over whether a run at the path is to be replaced, and whether nothing is played
    /// here. The marks of another command that died here go.
    fn marked(self, is_merge: bool) -> Result<Directory<'a>, BadDirectory> {
        let mark = |(mark, is_due)| {
            let path = self.partial.join(mark);
            if is_due { files::create(&path).map(|_| ()) } else { remove_if_there(&path) }
        };
        let marked = [(REPLACES, self.replace), (MERGES, is_merge)].into_iter().try_for_each(mark);
        marked
            .and_then(|()| files::sync_directory(&self.partial))
            .map_err(|error| BadDirectory::io(&self.partial, &error))?;
        Ok(self)
    }

    /// Takes over what a run has left: under its temporary name, or published before it was complete.
    ///
    /// # Errors
    /// If there is neither, or a process is writing there.
    pub fn take_over(catalogue: &'a Catalogue, path: &Path) -> Result<Directory<'a>, BadDirectory> {
        let path = resolved(path)?;
        if let Some((partial, place)) = resumable(&path) {
            let lock = lock(&partial)?;
            let (otherwise, replace) = (Otherwise::Leave, partial.join(REPLACES).exists());
            // It may have been killed while its files moved up, or down; what it replaces is not its own.
            if place == Place::Inside && !replace {
                move_down(catalogue, &path, &partial)
                    .map_err(|error| BadDirectory::io(&path, &error))?;
            }
            return Ok(Directory { catalogue, path, partial, place, lock, otherwise, replace });
        }
        if !path.join("manifest.json").exists() {
            return Err(BadDirectory::new(&path, "holds no manifest.json; nothing to resume"));
        }
        if path.extension().is_some_and(|extension| extension == "partial") {
            let reason = "is the temporary name of a run; name the run without `.partial`";
            return Err(BadDirectory::new(&path, reason));
        }
        Directory::reopen(catalogue, path)
    }

    /// Gives a published directory its temporary name again.
    fn reopen(catalogue: &'a Catalogue, path: PathBuf) -> Result<Directory<'a>, BadDirectory> {
        let bad = |error: io::Error| BadDirectory::io(&path, &error);
        if let Some((begun, Place::Beside)) = unfinished(&path).filter(|(it, _)| is_useless(it)) {
            let _held = self::lock(&begun)?;
            remove_run(catalogue, &begun).map_err(bad)?;
        }
        let lock = lock(&path)?;
        let renamed = beside(&path).filter(|_| !is_mount_point(&path)).and_then(|partial| {
            // Onto nothing: a run that was begun meanwhile has made its own.
            files::rename_onto_nothing(&path, &partial).ok().map(|()| partial)
        });
        let (partial, place, lock) = if let Some(partial) = renamed {
            let lock = lock.moved(&partial.join(LOCK));
            (partial, Place::Beside, lock)
        } else {
            let partial = path.join(INSIDE);
            make_inside(&path).map_err(bad)?;
            let inner = self::lock(&partial)?;
            lock.remove();
            move_down(catalogue, &path, &partial).map_err(bad)?;
            remove_if_there(&path.join(MERGES)).map_err(bad)?;
            (partial, Place::Inside, inner)
        };
        let otherwise = Otherwise::PutBack;
        Ok(Directory { catalogue, path, partial, place, lock, otherwise, replace: false })
    }

    /// Where the run will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it is while it is written.
    pub fn partial(&self) -> &Path {
        &self.partial
    }

    /// A file of the directory, while it is written.
    pub fn file(&self, name: &str) -> PathBuf {
        self.partial.join(name)
    }

    /// The process that was writing it and is gone, if one was.
    pub fn abandoned_by(&self) -> Option<u32> {
        self.lock.abandoned_by()
    }

    /// From now on something is played here that can't be put together again from others.
    ///
    /// # Errors
    /// If that can't be noted.
    pub fn plays(&self) -> Result<(), BadDirectory> {
        remove_if_there(&self.file(MERGES))
            .and_then(|()| files::sync_directory(&self.partial))
            .map_err(|error| BadDirectory::io(&self.partial, &error))
    }

    /// From now on a later command can resume what is there.
    pub fn keep(&mut self) {
        self.otherwise = Otherwise::Leave;
    }

    /// Whether a later command can resume what is there.
    pub fn is_kept(&self) -> bool {
        self.otherwise == Otherwise::Leave
    }

    /// Puts the directory in its place, for good: everything is on the disk when this returns. The lock is
    /// held until the result can be seen.
    ///
    /// # Errors
    /// If something else has come to that place meanwhile; the message says where the result is.
    pub fn publish(mut self) -> Result<(), BadDirectory> {
        self.otherwise = Otherwise::Leave;
        let io = |error: io::Error| BadDirectory::io(&self.path, &error);
        files::sync_directory(&self.partial).map_err(io)?;
        if self.place == Place::Inside {
            return self.publish_inside().map_err(io);
        }
        let aside = self.replace
            && replaced::set_aside(self.catalogue, &self.path, &self.partial)
                .map_err(|error| self.not_put_there(&error))?;
        match fs::rename(&self.partial, &self.path) {
            Ok(()) => {
                self.release_in(&self.path);
                sync_parent(&self.path).map_err(io)?;
                replaced::remove(self.catalogue, &self.path).map_err(io)?;
                // That it is gone, too.
                files::sync_directory(&self.path).map_err(io)
            }
            Err(error) => {
                if aside {
                    replaced::put_back(&self.path, &self.partial);
                }
                Err(self.publish_elsewhere(&error))
            }
        }
    }

    /// The result can be seen here now: it no longer needs its lock.
    fn release_in(&self, place: &Path) {
        for mark in [REPLACES, MERGES] {
            let _ = remove_if_there(&place.join(mark));
        }
        self.lock.remove_at(&place.join(LOCK));
    }

    /// The place is taken: the result goes to the first free name.
    fn publish_elsewhere(&self, error: &io::Error) -> BadDirectory {
        use ErrorKind::{AlreadyExists, DirectoryNotEmpty, NotADirectory};
        if !matches!(error.kind(), AlreadyExists | DirectoryNotEmpty | NotADirectory) {
            return self.not_put_there(error);
        }
        let found = free_name(&self.path, |free| files::rename_onto_nothing(&self.partial, free));
        let result = match &found {
            Ok(((), free)) => {
                self.release_in(free);
                free
            }
            Err(_) => &self.partial,
        };
        let _ = sync_parent(result);
        let reason = format!(
            "something else has come there meanwhile ({error}), and was left as it is; the run is \
             written and lies in `{}`",
            result.display()
        );
        BadDirectory::new(&self.path, reason)
    }

    fn not_put_there(&self, error: &io::Error) -> BadDirectory {
        BadDirectory::new(
            &self.path,
            format!("the run can't be put there ({error}); {}", self.next()),
        )
    }

    /// What to do once the run can be put in its place.
    fn next(&self) -> String {
        if self.file(MERGES).exists() {
            return format!("it lies in `{}`, and can be merged again", self.partial.display());
        }
        format!("`fairhaven resume {}` goes on with it", quoted(&self.path))
    }

    /// Moves the files up, the manifest last, so that a manifest stands beside whole files.
    fn publish_inside(&self) -> io::Result<()> {
        if self.replace {
            if self.path.join(MANIFEST).exists() {
                let held = Lock::take(&self.path.join(LOCK))
                    .map_err(|reason| io::Error::other(format!("{reason}; {}", self.next())))?;
                // Something else may have come there since the run began.
                let removed = replaced::check(self.catalogue, &self.path, true)
                    .map_err(io::Error::other)
                    .and_then(|()| remove_known_first_to_last(self.catalogue, &self.path));
                held.remove();
                removed?;
                files::sync_directory(&self.path)?;
            }
            // From now on what stands there is this run's.
            remove_if_there(&self.partial.join(REPLACES))?;
            files::sync_directory(&self.partial)?;
        }
        move_up(self.catalogue, &self.partial, &self.path)?;
        self.release_in(&self.partial);
        fs::remove_dir(&self.partial)?;
        files::sync_directory(&self.path)
    }
}

impl Drop for Directory<'_> {
    /// Leaves nothing that nobody can use, and nothing changed that was not resumed.
    fn drop(&mut self) {
        match self.otherwise {
            Otherwise::Remove => {
                let _ = remove_run(self.catalogue, &self.partial);
            }
            Otherwise::PutBack if self.place == Place::Inside => {
                let _ = self.publish_inside();
            }
            Otherwise::PutBack => {
                if files::rename_onto_nothing(&self.partial, &self.path).is_ok() {
                    self.lock.remove_at(&self.path.join(LOCK));
                }
            }
            // Without a manifest only its lock says that a run has left it.
            Otherwise::Leave if !self.partial.join(MANIFEST).exists() => {}
            Otherwise::Leave => self.lock.release(&self.partial.join(LOCK)),
        }
    }
}

/// Locks what lies in a directory for this process.
///
/// # Errors
/// If another process writes there, or nobody can.
pub fn lock(place: &Path) -> Result<Lock, BadDirectory> {
    Lock::take(&place.join(LOCK)).map_err(|reason| BadDirectory::new(place, reason))
}

/// The same for a run that stays in its place.
///
/// # Errors
/// If another process writes there, or nobody can.
pub fn lock_in_place(run: &Path) -> Result<Lock, BadDirectory> {
    Lock::take_in_place(&run.join(LOCK)).map_err(|reason| BadDirectory::new(run, reason))
}

fn left_behind(path: &Path, partial: &Path) -> BadDirectory {
    let said = match Lock::holder(&partial.join(LOCK)) {
        Some(process) => format!("is being written by process {process}"),
        None if !partial.join(MANIFEST).exists() => {
            "holds files that no run has written; move them away first".to_owned()
        }
        None => format!(
            "was left behind by a process that is gone: `fairhaven resume {}` resumes it; to start \
             over, remove it",
            quoted(path)
        ),
    };
    BadDirectory::new(partial, said)
}
