//! What stands out in a game (`diagnose`)? A block is one deal: matches of the strongest level in which everything is
//! counted that `simulate` counts, and more; one match of each weaker level; and each level among the one below it. The
//! answer: which figures lie beyond what counts as neutral, the farthest first. Two rule sets are looked into on the same
//! deals if one is to be compared with the other.

mod plan;
mod tables;
mod findings;
mod changes;
mod words;
mod levers;
mod answer;

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::diagnose::changes::CHANGES;
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
use crate::sim::any_game::{LoadedGame, Seated};
use crate::sim::batch::{Chunking, Totals};
use crate::sim::diagnosis::Looking;
use crate::sim::diagnosis::count::DesignCount;
use crate::sim::experiment::Experiment;
use crate::sim::layout::Layout;
use crate::sim::trials::{ANOMALIES, COMMON, Count, Noting, Section};
use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study.
pub const TYPE: Entry<dyn Study> = Entry::study::<Diagnose>(KIND, OWN);
const KIND: &str = "diagnose";

/// The tables of its own, in the order in which they are written.
const OWN: &[TableSchema] =
    &[CHANGES, FINDINGS, WAYS, LEADS, KINGMAKING, PRICES, STRENGTHS, SKILL, PACE];

/// The most levels of play.
const LEVELS_MAX: usize = 8;

/// What stands out in a game? (`diagnose`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diagnose {
    /// Levels of play, the weakest first: agents. The last one plays what is looked into.
    pub levels: Vec<String>,
    /// Whether the same is looked into in the game's own rules, to compare both.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub against: bool,
}

impl Diagnose {
    /// Some levels of play, the weakest first, for a number of blocks. `changes` are those of the rule set that is looked
    /// into, where it is compared with that of the run.
    ///
    /// # Errors
    /// If there are fewer than two levels, or too many, or one is there twice; or if nothing is changed.
    pub fn design(
        levels: Vec<AgentSpec>,
        changes: Option<Vec<String>>,
        players: u8,
        blocks: u64,
    ) -> Result<Design> {
        ensure!(
            (2..=LEVELS_MAX).contains(&levels.len()),
            "2 to {LEVELS_MAX} levels of play, the weakest first; these are {}",
            levels.len()
        );
        for (at, level) in levels.iter().enumerate() {
            let twice = levels[..at].iter().any(|other| other.name == level.name);
            ensure!(!twice, "the level `{}` is there twice", level.name);
        }
        ensure!(
            changes.as_ref().is_none_or(|changes| !changes.is_empty()),
            "nothing is changed: name a rule set with --set or --rules to compare with the game's own"
        );
        let against = changes.is_some();
        let variants = match changes {
            Some(changes) => {
                vec![Variant { name: "changed".to_owned(), changes }, Variant::base()]
            }
            None => vec![Variant::base()],
        };
        let plan = BlockPlan { players, levels: levels.len(), variants: variants.len() };
        let names = levels.iter().map(|level| level.name.clone()).collect();
        let mut agents = levels;
        agents.rotate_right(1);
        Ok(Design {
            question: Box::new(Diagnose { levels: names, against }),
            variants,
            agents,
            matches: plan.matches(),
            blocks,
            chunk: Chunking::chunk_for(blocks),
        })
    }

    /// The plan of a manifest, which may be forged.
    fn plan(&self, manifest: &Manifest) -> Result<BlockPlan, String> {
        in_range((2..=LEVELS_MAX).contains(&self.levels.len()))?;
        let variants = 1 + usize::from(self.against);
        let plan = BlockPlan { players: manifest.players, levels: self.levels.len(), variants };
        let mut names = manifest.agent_names();
        let is_whole = names.len() == self.levels.len();
        names.rotate_left(usize::from(is_whole));
        let fits = is_whole
            && names == self.levels
            && manifest.variants.len() == variants
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
        let own = &OWN[usize::from(!self.against)..];
        own.iter().chain(TABLES).copied().collect()
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
        grids.extend(words::changes_grid(&own, usize::MAX));
        grids.extend(summary::study_grids(&own, &[FINDINGS.name, CHANGES.name]));
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
        let plan_of_block = self.plan(context.manifest)?;
        let mut plan = plan_of(context.manifest, self.sections(context.manifest)?);
        let agents = context.manifest.agents.len();
        plan.noting = Noting::Seen(Looking { matches: plan_of_block.looked_into(), agents });
        Ok(trials_of(plan, games, seated))
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let plan = self.plan(context.manifest)?;
        let names = context.names;
        let estimator = Estimator::first(totals, false);
        let count = DesignCount { sources: names.sources.len(), cards: names.cards.len() };
        let mut from = COMMON + plan.wins().width();
        let mut all = Vec::new();
        for (variant, game) in context.games.iter().enumerate() {
            let layout = game.layout(context.manifest.agents.len());
            let behind = from + layout.width();
            let grouped = totals.grouped.part(from..behind);
            from = behind + count.width();
            let source = Source {
                names,
                grouped: &grouped,
                layout: &layout,
                agents: &self.levels[self.levels.len() - 1..],
                players: plan.players,
                firsts: &totals.firsts[ANOMALIES.len() + variant * Layout::ANOMALIES.len()..],
            };
            let design = Estimator::new(estimator.grouped, behind, estimator.watched);
            let levels = &self.levels;
            let sources = Sources {
                plan,
                variant,
                levels,
                wins: estimator,
                design,
                count,
                simulated: source,
            };
            let mut tables = tables::tables(&sources);
            tables.insert(0, findings::table(&sources, &tables));
            all.push(tables);
        }
        let mut all = all.into_iter();
        let mut tables = all.next().unwrap_or_default();
        if let Some(other) = all.next() {
            tables.insert(0, changes::table(&tables[0], &other[0]));
        }
        Ok(tables)
    }
}
