//! `report`: a page with pictures of one or more runs. The runs are only read.

use crate::cli::commands::host::catalogue;
use crate::cli::commands::run::Output;
use crate::cli::runs::Report;
use crate::lab::page::{self, Page, RUNS_MAX};
use crate::lab::report::files::{create, rename_onto_nothing, replace};
use crate::lab::run::existing;
use anyhow::{Context as _, Result, bail, ensure};
use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Makes a page.
///
/// # Errors
/// If a run can't be read, a file is there already, or one can't be written.
pub fn run(args: &Report) -> Result<Output> {
    let count = args.runs.len();
    ensure!(count <= RUNS_MAX, "a page has {RUNS_MAX} runs at most; {count} were given");
    // A page that can't be written is no reason to read runs first.
    let known = args.output.as_deref().map(|path| free(path, args.force)).transpose()?;
    let finished = args
        .runs
        .iter()
        .map(|path| existing::recalled(catalogue(), path))
        .collect::<Result<Vec<_>>>()?;
    let Page { html, pictures } = page::page(&finished, args.title.as_deref())?;
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    if let Some(directory) = &args.svg {
        let cannot = || format!("can't make the directory `{}`", directory.display());
        fs::create_dir_all(directory).with_context(cannot)?;
        for (name, text) in pictures {
            files.push((free(&directory.join(name), args.force)?.to_owned(), text));
        }
    }
    files.extend(known.map(|path| (path.to_owned(), html)));
    let mut said = String::new();
    for (path, text) in &files {
        write(path, text, args.force)?;
        let _ = writeln!(said, "{}", path.display());
    }
    Ok(Output::new(said, 0))
}

/// The path, if nothing is there or it may be replaced.
///
/// # Errors
/// If it can't be written.
pub fn free(path: &Path, force: bool) -> Result<&Path> {
    let name = path.display();
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => bail!("`{name}` is a directory; name a file"),
        Ok(_) if !force => bail!("`{name}` is there already; add --force to replace it"),
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("can't write `{name}`"))
        }
        _ => Ok(path),
    }
}

/// Writes a file as a whole. Without `force` nothing is replaced, even if it came there in the meantime.
///
/// # Errors
/// If it can't be written.
pub fn write(path: &Path, text: &str, force: bool) -> Result<()> {
    let cannot = || format!("can't write `{}`", path.display());
    if force {
        return replace(path, text.as_bytes()).with_context(cannot);
    }
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let written = create(&new).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let placed = written.and_then(|()| rename_onto_nothing(&new, path));
    if placed.is_err() {
        let _ = fs::remove_file(&new);
    }
    placed.with_context(cannot)
}
