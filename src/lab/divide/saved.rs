//! What a run or a part has saved so far.

use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::manifest::Manifest;
use crate::lab::report::sums::Saved;
use crate::lab::store::manifests::manifest_of;
use crate::lab::store::stage_log;
use anyhow::Result;
use std::path::Path;

/// Blocks that a run has saved.
///
/// # Errors
/// If what it has saved is damaged.
pub fn saved_blocks(place: &Path, asked: &Asked, manifest: &Manifest) -> Result<u64> {
    if asked.is_search() {
        return Ok(stage_log::kept(place, stage_log::growing(manifest))?.blocks);
    }
    let saved = Saved::read_any(place, manifest.design_hash())?;
    Ok(saved.map_or(0, |saved| saved.totals.blocks()))
}

/// Whether a run that was being put together from others is of a design, so that it can be made again from them.
pub fn is_of_design(catalogue: &Catalogue, left: &Path, design: u64) -> bool {
    manifest_of(catalogue, left).is_ok_and(|manifest| manifest.design_hash() == design)
}
