//! The files of a run: which they are, and how they move and go together, without anything else that lies
//! beside them.

use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::files;
use crate::lab::report::manifest::MANIFEST_MAX;
use crate::lab::store::choice_log::CHOICES;
use crate::lab::store::chunk_log::CHUNKS;
use crate::lab::store::faults::FAULTS;
use crate::lab::store::stage_log::{STAGES, WAVE};
use serde::Deserialize;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What is asked and what was played.
pub const MANIFEST: &str = "manifest.json";
/// The lock's file.
pub const LOCK: &str = "lock";
/// An empty file: the run replaces the one that stands at its path.
pub const REPLACES: &str = "replaces";
/// An empty file: the run is put together from others, and nothing was played in it.
pub const MERGES: &str = "merges";
/// The temporary directory inside of a path that can't be renamed onto.
pub const INSIDE: &str = "run.partial";
/// Where the run that another replaces lies in it until that one is in its place.
pub const OLD: &str = "replaced.partial";
/// Files that have such names in no directory but a run's.
const OWN: [&str; 10] =
    [MANIFEST, "sums.bin", "digests.bin", CHUNKS, CHOICES, STAGES, WAVE, LOCK, REPLACES, MERGES];
/// Others that a run has beside its tables, whose names somebody else may use.
const OTHERS: [&str; 2] = ["matches.csv.zst", FAULTS];

/// What all manifests have, those of earlier versions too.
#[derive(Deserialize)]
struct Known {
    #[serde(rename = "schema_version")]
    _schema_version: u32,
    #[serde(rename = "command")]
    _command: Vec<String>,
    #[serde(rename = "question")]
    _question: Value,
    #[serde(default)]
    files: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
}

/// Whether a file has this name in no directory but a run's. Tables, and what searches find, may have names that others
/// use, too: those of a run are listed in its manifest.
pub fn is_bookkeeping(name: &str) -> bool {
    OWN.contains(&name)
}

/// Whether a file of this name is one that runs write: what `--force` may replace. It depends on the questions that are
/// asked.
pub fn is_of_a_run(catalogue: &Catalogue, name: &Path) -> bool {
    let Some(name) = name.to_str() else { return false };
    let name = name.strip_suffix(".new").unwrap_or(name);
    let table =
        |name: &str| name == "matches" || catalogue.tables().iter().any(|table| table.name == name);
    let is_table = name.strip_suffix(".csv").is_some_and(table);
    OWN.contains(&name) || OTHERS.contains(&name) || is_table || catalogue.is_file(name)
}

/// The files of a run in a directory, the manifest last.
fn known(catalogue: &Catalogue, directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = PathBuf::from(entry?.file_name());
        let is_mark = [LOCK, REPLACES, MERGES].map(OsStr::new).contains(&name.as_os_str());
        if is_of_a_run(catalogue, &name) && !is_mark {
            names.push(name);
        }
    }
    names.sort();
    names.sort_by_key(|name| name.as_os_str() == MANIFEST);
    Ok(names)
}

/// Moves the files of a run into the directory above, over nothing that is there: the manifest comes last,
/// so that it stands beside whole files.
///
/// # Errors
/// If something of the same name is there; nothing has moved then. Or what the system says.
pub fn move_up(catalogue: &Catalogue, from: &Path, to: &Path) -> io::Result<()> {
    let names = known(catalogue, from)?;
    check_free(&names, to)?;
    for name in names {
        if name.as_os_str() == MANIFEST {
            files::sync_directory(to)?;
        }
        files::rename_onto_nothing(&from.join(&name), &to.join(&name))?;
    }
    files::sync_directory(to)
}

/// The other way round: the manifest goes first. Tables and the like that its manifest does not list are not its own.
///
/// # Errors
/// If something of the same name is there; nothing has moved then. Or what the system says.
pub fn move_down(catalogue: &Catalogue, from: &Path, to: &Path) -> io::Result<()> {
    let listed = [from, to].map(|place| listed(place).unwrap_or_default()).concat();
    let mut names = known(catalogue, from)?;
    names.retain(|name| {
        let name = name.to_string_lossy();
        is_bookkeeping(&name) || listed.contains(&name.into_owned())
    });
    check_free(&names, to)?;
    for name in names.iter().rev() {
        files::rename_onto_nothing(&from.join(name), &to.join(name))?;
    }
    files::sync_directory(to)
}

/// The tables and rows that the manifest of a directory lists, whatever its version; `None` if it can't be read.
pub fn listed(directory: &Path) -> Option<Vec<String>> {
    let mut text = String::new();
    let file = files::open(&directory.join(MANIFEST)).ok()?;
    file.take(MANIFEST_MAX as u64).read_to_string(&mut text).ok()?;
    let known = serde_json::from_str::<Known>(&text).ok()?;
    Some(known.files.into_iter().map(|file| file.name).collect())
}

fn check_free(names: &[PathBuf], place: &Path) -> io::Result<()> {
    match names.iter().find(|name| fs::symlink_metadata(place.join(name)).is_ok()) {
        None => Ok(()),
        Some(name) => Err(io::Error::new(
            ErrorKind::AlreadyExists,
            format!(
                "`{}` is in the way of the run's; move it, and `fairhaven resume` can go on",
                name.display()
            ),
        )),
    }
}

/// Removes the files of a run, the manifest first: what is left then is no run.
///
/// # Errors
/// What the system says.
pub fn remove_known(catalogue: &Catalogue, directory: &Path) -> io::Result<()> {
    for name in known(catalogue, directory)?.iter().rev() {
        remove_if_there(&directory.join(name))?;
    }
    Ok(())
}

/// The same, the manifest last: as long as something is left, it says whose that is.
///
/// # Errors
/// What the system says.
pub fn remove_known_first_to_last(catalogue: &Catalogue, directory: &Path) -> io::Result<()> {
    known(catalogue, directory)?.iter().try_for_each(|name| remove_if_there(&directory.join(name)))
}

/// Removes a run's directory; what else lies in it stays.
///
/// # Errors
/// What the system says.
pub fn remove_run(catalogue: &Catalogue, directory: &Path) -> io::Result<()> {
    remove_known(catalogue, directory)?;
    for mark in [REPLACES, MERGES, LOCK] {
        remove_if_there(&directory.join(mark))?;
    }
    match fs::remove_dir(directory) {
        Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
        other => other,
    }
}

/// Removes a file, if it is there.
///
/// # Errors
/// What the system says.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
