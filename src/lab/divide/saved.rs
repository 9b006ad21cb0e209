//! What a run or a part has saved so far, and whether it can be made again of others.

use crate::lab::questions::asked::Asked;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::manifest::Manifest;
use crate::lab::report::sums::Saved;
use crate::lab::store::choice_log::CHOICES;
use crate::lab::store::manifests::manifest_of;
use crate::lab::store::stage_log::{self, STAGES, WAVE};
use anyhow::Result;
use std::path::Path;

/// Blocks that a run has saved.
///
/// # Errors
/// If what it has saved is damaged.
pub fn saved_blocks(place: &Path, asked: &Asked, manifest: &Manifest) -> Result<u64> {
    if asked.is_search() {
        return stage_log::blocks(place, log_name(manifest));
    }
    let saved = Saved::read_any(place, manifest.design_hash())?;
    Ok(saved.map_or(0, |saved| saved.totals.blocks()))
}

/// The log of a search that grows; that of a part of a wave.
pub fn log_name(manifest: &Manifest) -> &'static str {
    if manifest.plan.wave.is_some() { WAVE } else { STAGES }
}

/// Whether what was left under a temporary name is a run of a design that was being put together from others, and can be
/// made again from them. What was played there since is in none of these: `resume` goes on with it.
pub fn is_made_of_others(catalogue: &Catalogue, left: &Path, design: u64) -> bool {
    let saved = |manifest: &Manifest| {
        let asked = catalogue.question(&manifest.question)?;
        saved_blocks(left, &asked, manifest)
    };
    // A run that is played has nothing in its manifest before it ends.
    manifest_of(catalogue, left).is_ok_and(|manifest| {
        manifest.design_hash() == design
            && manifest.played.blocks > 0
            && saved(&manifest).is_ok_and(|blocks| blocks == manifest.played.blocks)
            && !left.join(CHOICES).exists()
    })
}
