//! The manifests of runs on the disk: read, and whether this program may add to their runs.

use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::files;
use crate::lab::report::manifest::{BUILD, MANIFEST_MAX, Manifest, SCHEMA_VERSION};
use crate::lab::store::limits;
use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;
use std::io::Read;
use std::path::Path;

/// The version of a manifest, whatever else is in it.
#[derive(Deserialize)]
struct Versioned {
    schema_version: u32,
}

/// Reads the manifest of a directory.
///
/// # Errors
/// If there is none, or it is of another schema.
pub fn manifest_of(catalogue: &Catalogue, directory: &Path) -> Result<Manifest> {
    let path = directory.join("manifest.json");
    let unreadable = || format!("can't read `{}`", path.display());
    ensure!(
        !directory.is_file(),
        "`{}` is a file, and a run is a directory, which `--out DIR` writes; a record of a match is for `explain`, `watch`, \
         `replay --check` and `play --resume`",
        directory.display()
    );
    let mut text = String::new();
    let file = files::open(&path).with_context(unreadable)?;
    file.take(MANIFEST_MAX as u64 + 1).read_to_string(&mut text).with_context(unreadable)?;
    ensure!(text.len() <= MANIFEST_MAX, "`{}` is too large", path.display());
    let no_manifest = || format!("`{}` is not a manifest", path.display());
    let Versioned { schema_version } = serde_json::from_str(&text).with_context(no_manifest)?;
    ensure!(
        schema_version == SCHEMA_VERSION,
        "`{}` has schema version {schema_version}; this program reads {SCHEMA_VERSION}, and plays the run \
         again by the `command` in it",
        path.display()
    );
    let mut manifest: Manifest = serde_json::from_str(&text).with_context(no_manifest)?;
    let asked = catalogue.question(&manifest.question).with_context(no_manifest)?;
    manifest.check_sums().map_err(|reason| anyhow!("`{}` {reason}", path.display()))?;
    limits::check(catalogue, &asked, &manifest).with_context(|| format!("`{}`", path.display()))?;
    Ok(manifest)
}

/// Whether this program may resume or join a run.
///
/// # Errors
/// If it is of another build.
pub fn same_build(manifest: &Manifest) -> Result<()> {
    ensure!(
        manifest.build == BUILD,
        "it was played by another build of the program ({}, this is {BUILD}); resume it with that one",
        manifest.build
    );
    Ok(())
}

/// Makes sure that waves of a run may follow what was played of it so far.
///
/// # Errors
/// If that is of another run or build, a part, or complete.
pub fn check_merged_run(catalogue: &Catalogue, run: &Path, manifest: &Manifest) -> Result<()> {
    let (merged_run, name) = (manifest_of(catalogue, run)?, run.display());
    same_build(&merged_run).with_context(|| format!("run `{name}`"))?;
    ensure!(
        merged_run.design_hash() == manifest.design_hash() && !merged_run.is_part(),
        "`{name}` is not what was played of this run so far: it has other agents, rules, seed or settings"
    );
    ensure!(!merged_run.played.complete, "`{name}` is complete; no wave comes after it");
    Ok(())
}
