//! Opening what a user or a run names as a file: a plain file and nothing else. A pipe may have no other end to wait for,
//! and a device has none.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// What becomes of a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// It leads to the file: who typed its name may have put it there.
    Followed,
    /// It is refused: the name may stand in a run of somebody else.
    Refused,
}

/// Why a file is not opened, as a sentence goes on from its name.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoFile {
    /// A link where none is followed.
    #[error("is a symbolic link, not a file")]
    Link,
    /// A directory, a pipe, a device.
    #[error("is not a file")]
    Other,
    /// What the system says.
    #[error("can't be read: {0}")]
    Unreadable(#[from] io::Error),
}

/// Opens a plain file without waiting, as `lab::report::files` does.
pub(crate) fn opened(path: &Path, links: Links) -> Result<File, NoFile> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let mut how = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    if links == Links::Refused {
        how |= OFlags::NOFOLLOW;
    }
    let file = match openat(CWD, path, how, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(error) => {
            // Which error a link or a socket gives differs between systems.
            let found = match links {
                Links::Followed => fs::metadata(path)?,
                Links::Refused => fs::symlink_metadata(path)?,
            };
            return Err(match found.file_type() {
                kind if kind.is_symlink() => NoFile::Link,
                kind if kind.is_file() => NoFile::Unreadable(error.into()),
                _ => NoFile::Other,
            });
        }
    };
    if file.metadata()?.is_file() { Ok(file) } else { Err(NoFile::Other) }
}
