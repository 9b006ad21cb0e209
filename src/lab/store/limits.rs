//! What a manifest may ask for: enough for every run that somebody would play, little enough for memory and time.

use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::files::packed_most;
use crate::lab::report::manifest::{Manifest, RowForm, Wall, Wave};
use crate::lab::report::rows;
use crate::lab::store::run_files::is_of_a_run;
use anyhow::{Result, bail, ensure};
use std::iter;
use std::path::Path;

/// The most rule sets, changes of one, agents, and matches of a block: far above what any question needs.
const VARIANTS_MAX: usize = 1024;
const CHANGES_MAX: usize = 256;
const AGENTS_MAX: usize = 128;
const MATCHES_MAX: usize = 1 << 16;
/// The most blocks, as on the command line, and the most of a chunk.
const BLOCKS_MAX: u64 = 1_000_000_000_000;
const CHUNK_MAX: u64 = 1_000_000;
/// The most files beside a manifest, and the most bytes of a table: far above what any run has.
const FILES_MAX: usize = 64;
const TABLE_MAX: u64 = 64 << 20;
/// The most seconds of a run: 30,000 years of one thread.
const SECONDS_MAX: f64 = 1e12;

/// A manifest may hold anything; what is made from it must fit into memory and time.
///
/// # Errors
/// Names what is too large.
pub fn check(catalogue: &Catalogue, asked: &Asked, manifest: &Manifest) -> Result<()> {
    let Manifest { plan, variants, agents, .. } = manifest;
    let changes = variants.iter().map(|variant| variant.changes.len()).max().unwrap_or(0);
    for (what, count, most) in [
        ("rule sets", variants.len(), VARIANTS_MAX),
        ("changes of a rule set", changes, CHANGES_MAX),
        ("agents", agents.len(), AGENTS_MAX),
        ("matches of a block", plan.matches_of_a_block.len(), MATCHES_MAX),
    ] {
        ensure!(count <= most, "{count} {what}; there may be {most} at most");
    }
    ensure!(plan.blocks <= BLOCKS_MAX, "{} blocks are above 10^12", plan.blocks);
    ensure!(plan.chunk <= CHUNK_MAX, "a chunk of {} blocks is above {CHUNK_MAX}", plan.chunk);
    ensure!(plan.chunk > 0 && plan.blocks > 0, "the manifest's plan has no blocks");
    if let Some(shard) = plan.shard.filter(|shard| !shard.is_in_range()) {
        bail!("manifest: shard {shard} is out of range");
    }
    if let Some(Wave { number, blocks }) = plan.wave.filter(|wave| !wave.is_in_range()) {
        bail!("manifest: wave {number} of {blocks} blocks is out of range");
    }
    if let Some(reason) = asked.why_not_divisible(plan) {
        bail!("{reason}");
    }
    check_files(catalogue, asked, manifest)?;
    check_names(manifest)?;
    let Wall { wall_s, thinking_s, .. } = &manifest.wall;
    let sound = |seconds: &f64| (0.0..=SECONDS_MAX).contains(seconds);
    ensure!(sound(wall_s) && thinking_s.iter().all(sound), "its times are impossible");
    Ok(())
}

/// What is printed of a manifest is for a terminal, which obeys control characters. The content of a file, such as a map,
/// has lines and tabs.
fn check_names(manifest: &Manifest) -> Result<()> {
    let Manifest { agents, variants, game, build, .. } = manifest;
    let mut names = agents.iter().map(|agent| &agent.name).chain([game, build]);
    let mut changes =
        variants.iter().flat_map(|variant| iter::once(&variant.name).chain(&variant.changes));
    let is_odd = |text: &&String| text.chars().any(char::is_control);
    let is_no_text = |text: &&String| text.chars().any(|c| c.is_control() && !"\n\r\t".contains(c));
    let odd = names.find(is_odd).or_else(|| changes.find(is_no_text));
    match odd {
        None => Ok(()),
        Some(text) => bail!("{text:?} has control characters"),
    }
}

/// The files that a manifest lists are checked against it byte by byte, so they must be of a run, and no longer
/// than its design lets them be.
fn check_files(catalogue: &Catalogue, asked: &Asked, manifest: &Manifest) -> Result<()> {
    let Manifest { files, plan, .. } = manifest;
    ensure!(files.len() <= FILES_MAX, "{} files; there may be {FILES_MAX} at most", files.len());
    let rows = rows::most(asked.rows(), manifest, plan.blocks);
    for file in files {
        let most = match file.name.as_str() {
            name if name == rows::rows_name(RowForm::Csv) => rows,
            name if name == rows::rows_name(RowForm::Zst) => packed_most(rows),
            name if is_of_a_run(catalogue, Path::new(name)) => TABLE_MAX,
            name => bail!("`{name}` is no file of a run"),
        };
        ensure!(file.bytes <= most, "`{}` can't have {} bytes", file.name, file.bytes);
    }
    Ok(())
}
