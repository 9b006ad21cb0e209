//! What is a map worth to whom (`map judge`)? A block is one deal of luck on one map: matches in which all found as they
//! like, and for each place one in which the first founder is made to take it and plays on as it would; likewise for some
//! pairs of places, and for places at a harbour on the same map without that harbour.

pub mod settings;
pub mod tables;
pub mod places;
mod answer;

use crate::core::seed::BlockSeed;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::map::places::{PAIRS, PLACES};
use crate::lab::questions::studies::map::settings::MapJudge;
use crate::lab::questions::studies::map::tables::{HARBOURS, SEATS, SPREAD, Sources};
use crate::lab::questions::studies::study::{Context, Study, anomalies, unfit};
use crate::lab::report::answer::Answer;
use crate::lab::report::described::{ANOMALIES, TableSchema};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::table::Table;
use crate::sim::batch::Totals;
use crate::sim::trials::Section;

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<MapJudge>(KIND, OWN);
const KIND: &str = "map_judge";

const OWN: &[TableSchema] = &[PLACES, PAIRS, SEATS, HARBOURS, SPREAD];

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
        answer::answer(self, manifest, tables)
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
        tables.push(anomalies(self, totals));
        Ok(tables)
    }
}
