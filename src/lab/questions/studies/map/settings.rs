//! The settings of `map judge`, and which matches a block has.

use crate::core::measure::maps::MapFacts;
use crate::lab::questions::studies::study::{Design, in_range, unfit};
use crate::lab::report::manifest::{Manifest, Variant};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::batch::Chunking;
use crate::sim::counts::founded::{FoundedCount, matches};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The most places, pairs and harbours.
const PLACES_MAX: usize = 128;
const PAIRS_MAX: usize = 512;
const HARBOURS_MAX: usize = 16;
/// The most matches of a block that are left alone.
pub const FREE_MAX: u16 = 64;

/// A harbour that is left out in a variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Where it lies.
    pub name: String,
    /// What it takes: a resource, or `any`.
    pub kind: String,
    /// Its vertices where the first founder may found.
    pub places: Vec<u8>,
}

/// What is a map worth to whom? (`map judge`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MapJudge {
    /// Places that the first founder is made to take.
    pub places: Vec<u8>,
    /// First and second places that it is made to take.
    pub pairs: Vec<[u8; 2]>,
    /// Harbours, each of which is left out in a variant.
    pub harbours: Vec<LeftOut>,
    /// Matches of a block in which everybody founds as it likes.
    pub free: u16,
}

impl MapJudge {
    /// The study of a map, with some pairs of its places, for a number of blocks.
    ///
    /// # Errors
    /// If there are too many of anything, or a pair has a place where nobody can found first.
    pub fn design(
        map: &MapFacts,
        field: &str,
        pairs: Vec<[u8; 2]>,
        free: u16,
        (agent, players, blocks): (AgentSpec, u8, u64),
    ) -> Result<Design> {
        let places: Vec<u8> = map.open().map(|place| place.number).collect();
        ensure!(places.len() > 1, "there is no choice of places to found on");
        ensure!((1..=FREE_MAX).contains(&free), "1 to {FREE_MAX} matches that are left alone");
        ensure!(pairs.len() <= PAIRS_MAX, "{} pairs are more than {PAIRS_MAX}", pairs.len());
        for [first, second] in &pairs {
            ensure!(places.contains(first), "nobody can found at {first} first");
            ensure!(first != second, "{first} and {second} are no pair");
        }
        let open = |place: &u8| places.contains(place);
        let mut variants = vec![Variant::base()];
        let mut harbours = Vec::new();
        for harbour in &map.harbours {
            let changes = vec![format!("{field}={}", harbour.without)];
            variants.push(Variant { name: format!("without {}", harbour.name), changes });
            harbours.push(LeftOut {
                name: harbour.name.clone(),
                kind: harbour.kind.to_owned(),
                places: harbour.places.iter().copied().filter(open).collect(),
            });
        }
        let study = MapJudge { places, pairs, harbours, free };
        let matches = matches(players, free, &study.forced());
        let chunk = Chunking::chunk_for(blocks);
        let question = Box::new(study);
        Ok(Design { question, variants, agents: vec![agent], matches, blocks, chunk })
    }

    /// Variants and places of the matches with a forced founding, single places first.
    fn forced(&self) -> Vec<(usize, Vec<u8>)> {
        let single = self.places.iter().map(|&place| (0, vec![place]));
        let pairs = self.pairs.iter().map(|pair| (0, pair.to_vec()));
        let harbours = self.harbours.iter().zip(1..);
        let without = harbours.flat_map(|(harbour, variant)| {
            harbour.places.iter().map(move |&place| (variant, vec![place]))
        });
        single.chain(pairs).chain(without).collect()
    }

    /// How a manifest's matches are counted; manifests may be forged.
    pub(super) fn counted(&self, manifest: &Manifest) -> Result<FoundedCount, String> {
        let sized = |harbour: &LeftOut| harbour.places.len() <= 2;
        in_range(
            (2..=PLACES_MAX).contains(&self.places.len())
                && self.pairs.len() <= PAIRS_MAX
                && self.harbours.len() <= HARBOURS_MAX
                && self.harbours.iter().all(sized)
                && (1..=FREE_MAX).contains(&self.free),
        )?;
        let forced = self.forced();
        let fits = manifest.agents.len() == 1
            && manifest.variants.len() == 1 + self.harbours.len()
            && manifest.plan.matches_of_a_block == matches(manifest.players, self.free, &forced);
        let count = FoundedCount {
            players: usize::from(manifest.players),
            free: usize::from(self.free),
            places: self.places.len(),
            others: forced.len() - self.places.len(),
        };
        if fits { Ok(count) } else { Err(unfit()) }
    }
}
