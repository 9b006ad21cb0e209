//! What is a map worth to whom (`map judge`)? A block is one deal of luck on one map: matches in which all found as they
//! like, and for each place one in which the first founder is made to take it and plays on as it would; likewise for some
//! pairs of places, and for places at a harbour on the same map without that harbour.

pub mod places;
pub mod tables;
mod answer;

use crate::core::measure::maps::MapFacts;
use crate::core::seed::BlockSeed;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::map::places::{PAIRS, PLACES};
use crate::lab::questions::studies::map::tables::{HARBOURS, SEATS, SPREAD, Sources};
use crate::lab::questions::studies::study::{Context, Design, Study, anomalies, in_range, unfit};
use crate::lab::report::answer::Answer;
use crate::lab::report::described::{ANOMALIES, TableSchema};
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::table::Table;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::founded::{FoundedCount, matches};
use crate::sim::trials::Section;
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<MapJudge>(KIND, OWN);
const KIND: &str = "map_judge";

const OWN: &[TableSchema] = &[PLACES, PAIRS, SEATS, HARBOURS, SPREAD];

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
    fn counted(&self, manifest: &Manifest) -> Result<FoundedCount, String> {
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

impl Question for MapJudge {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "map judge"
    }

    fn described(&self) -> Vec<TableSchema> {
        OWN.iter().copied().chain([ANOMALIES]).collect()
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        answer::answer(manifest, tables)
    }

    fn caution(&self) -> &'static str {
        "A place is worth what this agent makes of it as the first founder, among others like it; who founds later, or \
         plays otherwise, may find it worth more or less."
    }
}

impl Study for MapJudge {
    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        let count = self.counted(manifest)?;
        Ok(vec![Section { matches: 0..count.matches(), count: Box::new(count) }])
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let count = self.counted(context.manifest)?;
        // Nothing that is shown of the map is left to luck.
        let map = context.games[0].map(BlockSeed::new(context.manifest.seed, 0));
        let map = map.ok_or_else(unfit)?;
        let estimator = Estimator::first(totals, false);
        let sources = Sources { study: self, map: &map, estimator, count };
        let mut tables = vec![
            sources.places(),
            sources.pairs(),
            sources.seats(),
            sources.harbours(),
            sources.spread(),
        ];
        tables.push(anomalies(totals));
        Ok(tables)
    }
}
