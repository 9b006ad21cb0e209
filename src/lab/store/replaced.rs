//! The run that `--force` replaces: which directories are one, and where it lies until the new one is in its place.
//!
//! A run is known by what is in its manifest, and its tables by that manifest's list: other files may have such names,
//! too. It is set aside *inside* the new run's directory, so that at any moment the two are one thing that has a name:
//! whoever dies in between leaves `DIR.partial`, or `DIR` with the old run in it, and `resume DIR` finishes both.

use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::files;
use crate::lab::store::lock::Lock;
use crate::lab::store::run_files::{
    INSIDE, LOCK, MANIFEST, OLD, is_bookkeeping, is_of_a_run, listed, remove_run,
};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What a new file system has of its own.
const LOST: &str = "lost+found";

/// Whether a path may become a run's: it is absent, empty, or `force` replaces an earlier run.
///
/// # Errors
/// Why it may not.
pub fn check(catalogue: &Catalogue, path: &Path, force: bool) -> Result<(), String> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let names = entries.map(|entry| Ok(PathBuf::from(entry?.file_name())));
    let mut names: Vec<PathBuf> =
        names.collect::<io::Result<_>>().map_err(|error| error.to_string())?;
    names.retain(|name| ![LOST, INSIDE, OLD].map(OsStr::new).contains(&name.as_os_str()));
    if names.is_empty() {
        return Ok(());
    }
    if !force {
        return Err("is not empty; choose another or replace it with --force".to_owned());
    }
    if fs::symlink_metadata(path.join(MANIFEST)).is_err() {
        return Err("holds no manifest.json, so --force does not replace it".to_owned());
    }
    let Some(listed) = listed(path) else {
        return Err(
            "holds a manifest.json that is not a run's, so --force does not replace it".to_owned()
        );
    };
    match names.iter().find(|name| !is_own(catalogue, path, name, &listed)) {
        None => Ok(()),
        Some(name) => Err(format!(
            "holds `{}`, which no run has written, so --force does not replace it; move it away first",
            name.display()
        )),
    }
}

/// Whether a file of a directory is one of its run: a plain one of such a name, and among tables and what searches find
/// one that is listed.
fn is_own(catalogue: &Catalogue, directory: &Path, name: &Path, listed: &[String]) -> bool {
    let known = || {
        let name = name.to_str().unwrap_or_default();
        let name = name.strip_suffix(".new").unwrap_or(name);
        is_bookkeeping(name) || listed.iter().any(|other| other == name)
    };
    is_of_a_run(catalogue, name) && known() && files::found(&directory.join(name)).is_ok()
}

/// Sets the earlier run at a path aside, into the directory of the new one. Says whether it did: not if there is none,
/// or if it is no longer a run alone.
///
/// # Errors
/// If somebody writes there, such as `analyze`, or what the system says.
pub fn set_aside(catalogue: &Catalogue, path: &Path, partial: &Path) -> io::Result<bool> {
    if fs::symlink_metadata(path.join(MANIFEST)).is_err() || check(catalogue, path, true).is_err() {
        return Ok(false);
    }
    let held = Lock::take(&path.join(LOCK)).map_err(io::Error::other)?;
    remove(catalogue, partial)
        .and_then(|()| files::rename_onto_nothing(path, &partial.join(OLD)))
        .inspect_err(|_| held.remove())?;
    Ok(true)
}

/// Whether an earlier run lies in a run's directory, because the process that replaced it is gone.
pub fn is_left(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(OLD)).is_ok_and(|found| found.is_dir())
}

/// Removes the earlier run that lies in a run's directory, if one does.
///
/// # Errors
/// What the system says.
pub fn remove(catalogue: &Catalogue, directory: &Path) -> io::Result<()> {
    if !is_left(directory) {
        return Ok(());
    }
    let old = directory.join(OLD);
    remove(catalogue, &old)?;
    remove_run(catalogue, &old)
}

/// Puts it back, because the new one can't take its place, unless something else has.
pub fn put_back(path: &Path, partial: &Path) {
    let _ = fs::remove_file(partial.join(OLD).join(LOCK));
    let _ = files::rename_onto_nothing(&partial.join(OLD), path);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: &str = r#"{"schema_version": 3, "command": ["fairhaven"], "question": {}, "files": [{"name": "seats.csv"}]}"#;

    #[test]
    fn a_run_is_known_by_its_manifest_and_its_tables_by_the_list_in_it() {
        let catalogue = Catalogue::standard();
        let place = tempfile::tempdir().unwrap();
        let out = place.path().join("out");
        fs::create_dir(&out).unwrap();
        check(&catalogue, &out, false).unwrap();
        let write = |name: &str, text: &str| fs::write(out.join(name), text).unwrap();
        for text in ["", "{}", "mine", "[1]", r#"{"schema_version": 4}"#] {
            write(MANIFEST, text);
            let reason = check(&catalogue, &out, true).unwrap_err();
            assert!(reason.contains("not a run's"), "{text}: {reason}");
        }
        write(MANIFEST, SOME);
        for name in ["seats.csv", "seats.csv.new", "sums.bin", "lock"] {
            write(name, "");
        }
        check(&catalogue, &out, true).unwrap();
        // A table of such a name that the run has not written, and what has the name but is no file.
        write("length.csv", "mine");
        assert!(check(&catalogue, &out, true).unwrap_err().contains("`length.csv`"));
        fs::remove_file(out.join("length.csv")).unwrap();
        write("net.toml", "mine");
        assert!(check(&catalogue, &out, true).unwrap_err().contains("`net.toml`"));
        fs::remove_file(out.join("net.toml")).unwrap();
        fs::create_dir(out.join("digests.bin")).unwrap();
        assert!(check(&catalogue, &out, true).unwrap_err().contains("`digests.bin`"));
    }

    #[test]
    fn what_is_replaced_has_a_name_until_it_is_gone() {
        let catalogue = Catalogue::standard();
        let place = tempfile::tempdir().unwrap();
        let (out, partial) = (place.path().join("out"), place.path().join("out.partial"));
        for directory in [&out, &partial] {
            fs::create_dir(directory).unwrap();
        }
        assert!(!set_aside(&catalogue, &out, &partial).unwrap(), "there is none");
        fs::write(out.join(MANIFEST), SOME).unwrap();
        assert!(set_aside(&catalogue, &out, &partial).unwrap());
        assert!(is_left(&partial) && !out.exists());
        put_back(&out, &partial);
        assert!(out.join(MANIFEST).exists() && !is_left(&partial));
        set_aside(&catalogue, &out, &partial).unwrap();
        remove(&catalogue, &partial).unwrap();
        assert_eq!(fs::read_dir(&partial).unwrap().count(), 0);
    }
}
