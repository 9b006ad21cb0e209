//! Are win probabilities calibrated (`reliability`)? Agents play, judges say of noted positions who will win, and what they
//! said is compared with who won: by bins of chance, by scores, and judge against judge on the same positions.

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::reliability_answer as said;
use crate::lab::questions::studies::reliability_tables::{
    self, JUDGES, RELIABILITY, SCORES, Sources,
};
use crate::lab::questions::studies::study::{self, Context, Design, Study, in_range, unfit};
use crate::lab::report::answer::Answer;
use crate::lab::report::described::{ANOMALIES, TableSchema};
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::Table;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{LoadedGame, ReliabilityPlan, Seated};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::reliability::ReliabilityCount;
use crate::sim::experiment::Experiment;
use crate::sim::line_up::LineUp;
use crate::sim::simulation::rotations;
use crate::sim::trials::{MatchPlan, Section};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> =
    Entry::study::<Reliability>(KIND, &[SCORES, JUDGES, RELIABILITY]);
const KIND: &str = "reliability";

/// The most judges: each has a few hundred counters.
const JUDGES_MAX: usize = 16;

/// Are win probabilities calibrated? (`reliability`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reliability {
    /// The agents whose planners judge positions.
    pub judges: Vec<String>,
    /// Decisions from one position that is judged to the next.
    pub every: u32,
}

impl Reliability {
    /// Every rotation of a line-up, for a number of matches, rounded up to whole blocks. `every` is the number of
    /// decisions from one position that is judged to the next.
    ///
    /// # Errors
    /// If no position would be judged, a judge is none or there twice, or they are none or too many.
    pub fn design(
        game: &dyn LoadedGame,
        line_up: LineUp,
        judges: Vec<AgentSpec>,
        every: u32,
        asked: u64,
    ) -> Result<Design> {
        ensure!(every > 0, "--every 0 is not at least 1");
        ensure!(!judges.is_empty(), "nobody judges");
        ensure!(
            judges.len() <= JUDGES_MAX,
            "--judges has {} judges; {JUDGES_MAX} are the most",
            judges.len()
        );
        let LineUp { mut agents, seats } = line_up;
        let names: Vec<String> = judges.iter().map(|judge| judge.name.clone()).collect();
        for (at, name) in names.iter().enumerate() {
            ensure!(!names[..at].contains(name), "the judge `{name}` is named twice");
        }
        for judge in judges {
            game.check_weights(&judge)?;
            if agents.iter().all(|agent| agent.name != judge.name) {
                agents.push(judge);
            }
        }
        let rotations = rotations(&seats);
        let blocks = asked.div_ceil(rotations.len() as u64);
        Ok(Design {
            question: Box::new(Reliability { judges: names, every }),
            variants: vec![Variant::base()],
            agents,
            matches: rotations.into_iter().map(|seats| MatchPlan::plain(0, seats)).collect(),
            blocks,
            chunk: Chunking::chunk_for(blocks),
        })
    }

    /// The numbers of the judges among the agents of a manifest, which may be forged.
    fn judges(&self, manifest: &Manifest) -> Result<Vec<usize>, String> {
        let all = 1..=JUDGES_MAX;
        in_range(all.contains(&self.judges.len()) && self.every > 0)?;
        let plain = |plan: &MatchPlan| plan.variant == 0 && plan.forced.is_none();
        let place = |name: &String| manifest.agents.iter().position(|agent| agent.name == *name);
        let places: Option<Vec<usize>> = self.judges.iter().map(place).collect();
        let fits =
            manifest.plan.matches_of_a_block.iter().all(plain) && manifest.variants.len() == 1;
        places.filter(|_| fits).ok_or_else(unfit)
    }
}

impl Question for Reliability {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        KIND
    }

    fn described(&self) -> Vec<TableSchema> {
        let alone = self.judges.len() == 1;
        let all = [SCORES, JUDGES, RELIABILITY, ANOMALIES];
        all.into_iter().filter(|table| !alone || table.name != JUDGES.name).collect()
    }

    fn caution(&self) -> &'static str {
        "It judges positions that these agents came to; other players reach other positions. A judge whose \
         win probabilities are calibrated on average may still be wrong about single positions."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        said::answer(self, &self.judges, manifest, tables)
    }

    fn grids(&self, _: &Names, tables: &[Table]) -> Vec<Grid> {
        let mut grids = summary::study_grids(tables, &[RELIABILITY.name]);
        grids.push(said::full_grid(tables));
        grids
    }
}

impl Study for Reliability {
    fn is_in_matches(&self) -> bool {
        true
    }

    /// None: its experiment counts all matches alike.
    fn sections(&self, _: &Manifest) -> Result<Vec<Section>, String> {
        Ok(Vec::new())
    }

    fn experiment<'a>(
        &self,
        context: &Context<'_>,
        games: &'a [Box<dyn LoadedGame>],
        seated: Seated<'a>,
    ) -> Result<Box<dyn Experiment + 'a>, String> {
        let Manifest { plan, seed, .. } = context.manifest;
        let plan = ReliabilityPlan {
            seed: *seed,
            rotations: plan.matches_of_a_block.iter().map(|entry| entry.seats.clone()).collect(),
            judges: self.judges(context.manifest)?,
            every: self.every,
        };
        games[0].reliability(seated, plan).map_err(|error| error.to_string())
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        self.judges(context.manifest)?;
        let seats = usize::from(context.manifest.players);
        let sources = Sources {
            estimator: Estimator::first(totals, false),
            count: ReliabilityCount { judges: self.judges.len(), seats },
            judges: &self.judges,
        };
        let mut tables = reliability_tables::tables(&sources);
        tables.push(study::anomalies(self, totals));
        Ok(tables)
    }
}
