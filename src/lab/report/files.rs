//! Files that are on the disk when a function returns, and renames that replace nothing.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writes a file under another name, syncs it, and puts it in its place: what is there is the old file or the
/// new one at any moment. The name itself is on the disk after [`sync_directory`].
///
/// # Errors
/// If it can't be written; what was in the place is then untouched.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = newer(path);
    let written = create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    if written.is_err() {
        // Where there is no room, half a file takes room that is needed.
        let _ = fs::remove_file(&new);
    }
    written?;
    fs::rename(&new, path)
}

/// The name under which a file is written before it takes its place.
fn newer(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// Removes a file that [`replace`] has written, if it is there, and what a killed process has left of a newer one.
///
/// # Errors
/// What the system says.
pub fn remove_replaced(path: &Path) -> io::Result<()> {
    for name in [path, &newer(path)] {
        match fs::remove_file(name) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Creates a file in the place of whatever has the name; what a link there points to is not touched.
///
/// # Errors
/// If a directory has the name, or what the system says.
pub fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::create_new(path),
    }
}

/// What a file of a run is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Reading,
    /// Reading and writing, where it ends.
    AppendLog,
    /// The same for a file that is made if it is not there.
    Locking,
}

/// Opens a file of a run for reading, but nothing that has only its name: a link leads to somebody else's file, and
/// pipes and devices have no end, or keep a reader waiting for ever.
///
/// # Errors
/// If it is no plain file, or what the system says.
pub fn open(path: &Path) -> io::Result<File> {
    opened(path, For::Reading)
}

/// The same for writing where so many bytes of it end; whatever came after is cut off.
///
/// # Errors
/// If it is no plain file, or one that has other names too, or what the system says.
pub fn open_to_grow(path: &Path, bytes: u64) -> io::Result<File> {
    let mut file = opened(path, For::AppendLog)?;
    file.set_len(bytes)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

/// The same for a file that is made if it is not there.
///
/// # Errors
/// If it is no plain file, or one that has other names too, or what the system says.
pub fn open_or_create(path: &Path) -> io::Result<File> {
    opened(path, For::Locking)
}

/// Length and times of a file of a run, without opening it.
///
/// # Errors
/// If it is no plain file, or what the system says.
pub fn found(path: &Path) -> io::Result<fs::Metadata> {
    let found = fs::symlink_metadata(path)?;
    check_kind(&found)?;
    Ok(found)
}

/// The one place where files of a run are opened that exist already. The system itself refuses a link, so that none can
/// be put there in between; a pipe is opened without waiting for its other end, and then refused.
fn opened(path: &Path, purpose: For) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let how = match purpose {
        For::Reading => OFlags::RDONLY,
        For::AppendLog => OFlags::RDWR,
        For::Locking => OFlags::RDWR | OFlags::CREATE,
    };
    let how = how | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(CWD, path, how, Mode::from_raw_mode(0o666)) {
        Ok(file) => File::from(file),
        // Which error a link, a socket or a directory gives differs between systems.
        Err(error) => {
            found(path)?;
            return Err(error.into());
        }
    };
    let metadata = file.metadata()?;
    check_kind(&metadata)?;
    if purpose != For::Reading && has_other_names(&metadata) {
        // What is written here would be written there.
        return Err(refused("has another name too (a hard link); put a copy in its place"));
    }
    Ok(file)
}

fn has_other_names(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.nlink() > 1
}

fn check_kind(found: &fs::Metadata) -> io::Result<()> {
    match found.file_type() {
        kind if kind.is_file() => Ok(()),
        kind if kind.is_symlink() => Err(refused("is a symbolic link, not a file of the run")),
        _ => Err(refused("is not a file")),
    }
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, reason)
}

/// The most bytes that this many may have when they are compressed; what does not compress grows a little.
pub const fn packed_most(bytes: u64) -> u64 {
    bytes.saturating_add(bytes / 128).saturating_add(1024)
}

/// Syncs the names in a directory.
///
/// # Errors
/// If the directory can't be opened, or the disk fails.
pub fn sync_directory(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        // Some file systems sync names by themselves, and refuse to be asked.
        Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
        other => other,
    }
}

/// Syncs the name of a file or directory.
///
/// # Errors
/// If the directory above it can't be opened, or the disk fails.
pub fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    sync_directory(parent.unwrap_or(Path::new(".")))
}

/// Renames a file or a directory, unless something has the name already; the system decides that in one step.
///
/// # Errors
/// `AlreadyExists` if something is there, or what the system says.
pub fn rename_onto_nothing(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags};
        use rustix::io::Errno;
        match rustix::fs::renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // The file system knows no such rename.
            Err(Errno::INVAL | Errno::NOSYS) => {}
            other => return Ok(other?),
        }
    }
    rename_by_steps(from, to)
}

/// The same where the system has no such rename: a directory is put onto an empty one that was made for it,
/// a file gets a second name, and loses its first.
fn rename_by_steps(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir(to)?;
        return fs::rename(from, to);
    }
    fs::hard_link(from, to)?;
    fs::remove_file(from)
}

/// Runs `take` with the first free name `PATH.2`, `PATH.3`, …
///
/// # Errors
/// The error of `take`, or that too many names are taken.
pub fn free_name<T>(
    path: &Path,
    take: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(T, PathBuf)> {
    const TRIES: u32 = 1000;
    let name = path.file_name().unwrap_or_default();
    for number in 2..TRIES {
        let mut free = name.to_owned();
        free.push(format!(".{number}"));
        let free = path.with_file_name(free);
        match take(&free) {
            Ok(taken) => return Ok((taken, free)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_replaced_by_a_rename() {
        type Rename = fn(&Path, &Path) -> io::Result<()>;
        for rename in [rename_onto_nothing as Rename, rename_by_steps] {
            let place = tempfile::tempdir().unwrap();
            let at = |name: &str| place.path().join(name);
            fs::write(at("a"), "a").unwrap();
            fs::write(at("b"), "b").unwrap();
            fs::create_dir(at("c")).unwrap();
            fs::write(at("c").join("inner"), "inner").unwrap();
            fs::create_dir(at("d")).unwrap();
            for (from, to) in [("a", "b"), ("c", "d"), ("c", "a"), ("a", "c")] {
                let error = rename(&at(from), &at(to)).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::AlreadyExists, "{from} to {to}");
            }
            rename(&at("a"), &at("e")).unwrap();
            rename(&at("c"), &at("f")).unwrap();
            let read = |path: PathBuf| fs::read_to_string(path).unwrap();
            assert_eq!((read(at("e")), read(at("b"))), ("a".to_owned(), "b".to_owned()));
            assert_eq!(read(at("f").join("inner")), "inner");
            assert!(!at("a").exists() && !at("c").exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_not_written_through() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at("thesis.txt"), "mine").unwrap();
        for name in ["table.csv", "table.csv.new", "rows"] {
            std::os::unix::fs::symlink(at("thesis.txt"), at(name)).unwrap();
        }
        replace(&at("table.csv"), b"one").unwrap();
        create(&at("rows")).unwrap().write_all(b"two").unwrap();
        let read = |name: &str| fs::read_to_string(at(name)).unwrap();
        assert_eq!((read("table.csv"), read("rows")), ("one".to_owned(), "two".to_owned()));
        assert_eq!(read("thesis.txt"), "mine");
        for name in ["link", "pipe", "gone"] {
            let _ = fs::remove_file(at(name));
        }
        std::os::unix::fs::symlink(at("thesis.txt"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nothing"), at("gone")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            at("pipe"),
            rustix::fs::FileType::Fifo,
            0o600.into(),
            0,
        )
        .unwrap();
        for name in [".", "link", "pipe", "gone"] {
            for open in [open, |path: &Path| open_to_grow(path, 0), open_or_create] {
                assert_eq!(open(&at(name)).unwrap_err().kind(), ErrorKind::InvalidInput, "{name}");
            }
        }
        assert!(!at("nothing").exists());
        // What has another name as well is read, but not written.
        fs::hard_link(at("thesis.txt"), at("hard")).unwrap();
        open(&at("hard")).unwrap();
        open_to_grow(&at("hard"), 0).unwrap_err();
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("table.csv");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        sync_directory(place.path()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
