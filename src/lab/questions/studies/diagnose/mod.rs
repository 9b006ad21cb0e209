//! What stands out in a game (`diagnose`)? A block is one deal: a match of the strongest level at which everything is
//! counted that `simulate` counts, and more; one match of each weaker level in all seats; and each level alone among
//! the one below it, in each seat. The answer: which figures lie beyond what counts as neutral, the farthest first.

mod plan;
mod tables;
mod findings;
mod words;
mod levers;
mod answer;

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::diagnose::findings::FINDINGS;
use crate::lab::questions::studies::diagnose::plan::BlockPlan;
use crate::lab::questions::studies::diagnose::tables::{
    KINGMAKING, LEADS, PACE, PRICES, SKILL, STRENGTHS, Sources, WAYS,
};
use crate::lab::questions::studies::estimator::Estimator;
use crate::lab::questions::studies::study::{
    Context, Design, Study, in_range, plan_of, trials_of, unfit,
};
use crate::lab::report::answer::Answer;
use crate::lab::report::described::TableSchema;
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::simulated::TABLES;
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::Table;
use crate::lab::report::tables::Source;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{LoadedGame, Noting, Seated};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::diagnosis::Looking;
use crate::sim::diagnosis::count::DesignCount;
use crate::sim::experiment::Experiment;
use crate::sim::trials::{ANOMALIES, COMMON, Count, Section};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Diagnose>(KIND, OWN);
const KIND: &str = "diagnose";

/// The tables of its own, in the order in which they are written.
const OWN: &[TableSchema] = &[FINDINGS, WAYS, LEADS, KINGMAKING, PRICES, STRENGTHS, SKILL, PACE];

/// The most levels of play.
const LEVELS_MAX: usize = 8;

/// What stands out in a game? (`diagnose`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diagnose {
    /// Levels of play, the weakest first: agents. The last one plays what is looked into.
    pub levels: Vec<String>,
}

impl Diagnose {
    /// Some levels of play, the weakest first, for a number of blocks.
    ///
    /// # Errors
    /// If there are fewer than two, or too many, or one is there twice.
    pub fn design(levels: Vec<AgentSpec>, players: u8, blocks: u64) -> Result<Design> {
        ensure!(
            (2..=LEVELS_MAX).contains(&levels.len()),
            "2 to {LEVELS_MAX} levels of play, the weakest first; these are {}",
            levels.len()
        );
        for (at, level) in levels.iter().enumerate() {
            let twice = levels[..at].iter().any(|other| other.name == level.name);
            ensure!(!twice, "the level `{}` is there twice", level.name);
        }
        let plan = BlockPlan { players, levels: levels.len() };
        let names = levels.iter().map(|level| level.name.clone()).collect();
        let mut agents = levels;
        agents.rotate_right(1);
        Ok(Design {
            question: Box::new(Diagnose { levels: names }),
            variants: vec![Variant::base()],
            agents,
            matches: plan.matches(),
            blocks,
            chunk: Chunking::chunk_for(blocks),
        })
    }

    /// The plan of a manifest, which may be forged.
    fn plan(&self, manifest: &Manifest) -> Result<BlockPlan, String> {
        in_range((2..=LEVELS_MAX).contains(&self.levels.len()))?;
        let plan = BlockPlan { players: manifest.players, levels: self.levels.len() };
        let mut names = manifest.agent_names();
        let is_whole = names.len() == self.levels.len();
        names.rotate_left(usize::from(is_whole));
        let fits = is_whole
            && names == self.levels
            && manifest.variants.len() == 1
            && manifest.plan.matches_of_a_block == plan.matches();
        if fits { Ok(plan) } else { Err(unfit()) }
    }
}

impl Question for Diagnose {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        KIND
    }

    fn described(&self) -> Vec<TableSchema> {
        OWN.iter().chain(TABLES).copied().collect()
    }

    fn caution(&self) -> &'static str {
        "It names figures that lie beyond a neutral range; whether one is a fault is for the designer to say. These \
         agents are no people. What buyers and takers win describes; the study balance measures effects."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        answer::answer(manifest, tables)
    }

    fn grids(&self, names: &Names, tables: &[Table]) -> Vec<Grid> {
        let own = |table: &&Table| OWN.iter().any(|own| own.name == table.name);
        let (own, simulated): (Vec<Table>, Vec<Table>) =
            tables.iter().cloned().partition(|table| own(&table));
        let mut grids = vec![words::grid(&own, usize::MAX)];
        grids.extend(summary::study_grids(&own, &[FINDINGS.name]));
        grids.extend(summary::grids(&simulated, names.events));
        grids
    }
}

impl Study for Diagnose {
    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        let count = self.plan(manifest)?.wins();
        Ok(vec![Section { matches: 0..count.matches, count: Box::new(count) }])
    }

    fn experiment<'a>(
        &self,
        context: &Context<'_>,
        games: &'a [Box<dyn LoadedGame>],
        seated: Seated<'a>,
    ) -> Result<Box<dyn Experiment + 'a>, String> {
        let mut plan = plan_of(context.manifest, self.sections(context.manifest)?);
        let agents = context.manifest.agents.len();
        plan.noting = Noting::Seen(Looking { matches: BlockPlan::LOOKED_INTO, agents });
        Ok(trials_of(plan, games, seated))
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let plan = self.plan(context.manifest)?;
        let (names, layout) = (context.names, &context.layout);
        let simulated_from = COMMON + plan.wins().width();
        let behind = simulated_from + layout.width();
        let grouped = totals.grouped.part(simulated_from..behind);
        let main = &self.levels[self.levels.len() - 1..];
        let source = Source {
            names,
            grouped: &grouped,
            layout,
            agents: main,
            players: plan.players,
            firsts: &totals.firsts[ANOMALIES.len()..],
        };
        let estimator = Estimator::first(totals, false);
        let sources = Sources {
            plan,
            levels: &self.levels,
            wins: estimator,
            design: Estimator { offset: behind, ..estimator },
            count: DesignCount { sources: names.sources.len(), cards: names.cards.len() },
            simulated: source,
        };
        let mut tables = tables::tables(&sources);
        let findings = findings::table(&sources, &tables);
        tables.insert(0, findings);
        Ok(tables)
    }
}
