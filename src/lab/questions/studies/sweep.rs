//! How do results move with a field of the rule set, with a parameter of an agent, or with the number of players
//! (`sweep`)?

use crate::core::measure::Names;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::studies::changes::{clearest, compared, finish, rows, words};
use crate::lab::questions::studies::paired;
use crate::lab::questions::studies::study::{self, Context, Design, Study};
use crate::lab::questions::studies::tables_of_sizes;
use crate::lab::questions::studies::variants::Variants;
use crate::lab::report::answer::{Answer, ROWS_MAX, measure, strength};
use crate::lab::report::described::{COMPARED, ROUNDS, TURNS, TableSchema};
use crate::lab::report::figures::cell;
use crate::lab::report::manifest::{Manifest, QuestionSpec, Variant};
use crate::lab::report::metric::unit;
use crate::lab::report::summary::{self, Grid};
use crate::lab::report::table::{Row, Table};
use crate::lab::setup::nets::with_net;
use crate::lab::setup::rules::seated;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::batch::{Chunking, Totals};
use crate::sim::counts::paired::matches;
use crate::sim::line_up::LineUp;
use crate::sim::simulation::rotations;
use crate::sim::trials::Section;
use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

/// The catalogue entry of this study; all its tables are those of [`rules`](crate::lab::questions::studies::rules).
pub const TYPE: Entry<dyn Study> = Entry::study::<Sweep>(KIND, &[]);
const KIND: &str = "sweep";

/// What is swept where tables of several sizes are.
const PLAYERS: &str = "players";

/// How do results move with a field, a parameter or the number of players? (`sweep`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The field, or the parameter of the first agent; `players` for the size of the table.
    pub of: String,
    /// Its values.
    pub values: Vec<String>,
}

impl Sweep {
    /// The field of the rule set at each of its values, in every rotation of a line-up.
    pub fn over_field(self, line_up: LineUp, blocks: u64) -> Design {
        let variant = |value: &String| {
            let change = format!("{}={value}", self.of);
            Variant { name: change.clone(), changes: vec![change] }
        };
        let variants = self.values.iter().map(variant).collect();
        Design::of_rules(Box::new(self), variants, line_up, blocks)
    }

    /// The first agent of a line-up with the parameter at each of its values, in the same seats.
    ///
    /// # Errors
    /// If the agent has no such parameter, or it can't have such a value.
    pub fn over_param(self, line_up: &LineUp, blocks: u64) -> Result<Design> {
        let (first, others) = line_up.agents.split_first().context("a line-up has agents")?;
        let moved = self.values.iter().map(|value| with_net(first.with(&self.of, value)?));
        let mut agents: Vec<AgentSpec> = moved.collect::<Result<_, _>>()?;
        agents.extend_from_slice(others);
        let extra = self.values.len() - 1;
        let rotations = rotations(&line_up.seats);
        let seated = |value: usize| -> Vec<Vec<usize>> {
            let seat = |agent: &usize| if *agent == 0 { value } else { agent + extra };
            rotations.iter().map(|seats| seats.iter().map(seat).collect()).collect()
        };
        let of_value = |value| matches(std::iter::once((0, seated(value))));
        let matches = (0..self.values.len()).flat_map(of_value).collect();
        let (variants, chunk) = (vec![Variant::base()], Chunking::chunk_for(blocks));
        Ok(Design { question: Box::new(self), variants, agents, matches, blocks, chunk })
    }

    /// One agent in all seats of tables of several sizes.
    pub fn over_players(agent: AgentSpec, sizes: &[u8], blocks: u64) -> Design {
        let values = sizes.iter().map(u8::to_string).collect();
        let variant = |&players: &u8| {
            let change = seated(players);
            Variant { name: change.clone(), changes: vec![change] }
        };
        let variants = sizes.iter().map(variant).collect();
        let seats = sizes.iter().map(|&players| vec![vec![0; usize::from(players)]]);
        let matches = matches(seats.enumerate());
        let study = Box::new(Sweep { of: PLAYERS.to_owned(), values });
        let chunk = Chunking::chunk_for(blocks);
        Design { question: study, variants, agents: vec![agent], matches, blocks, chunk }
    }

    /// The values as variants. A swept parameter makes an agent of its own for each; there is one rule set then.
    fn variants(&self, manifest: &Manifest) -> Result<Variants, String> {
        if manifest.variants.len() == 1 {
            Variants::of_values(manifest, &self.of, &self.values)
        } else {
            Variants::of_rules(manifest)
        }
    }
}

impl Question for Sweep {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "sweep"
    }

    fn described(&self) -> Vec<TableSchema> {
        paired::COMMON.to_vec()
    }

    fn caution(&self) -> &'static str {
        "The curve holds for these agents, whose weights were not tuned for each value. The largest of \
         several estimates is too large on average: certify the best value on fresh deals (another seed) \
         before relying on it."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        if self.seats_several_sizes() {
            return tables_of_sizes::answer(self, manifest, tables);
        }
        let all = rows(tables, "effects");
        let mut effects = compared(all);
        effects.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        let name = |row: &Row, family| format!("{} {}", row.keys[2], words(all, row, family));
        let base = self.values.first().map_or("", String::as_str);
        let first = clearest(&format!("Against {}={base}", self.of), &effects, name);
        finish(self, manifest, first, values(tables))
    }

    /// The curve of a sweep is its levels.
    fn grids(&self, _: &Names, tables: &[Table]) -> Vec<Grid> {
        summary::study_grids(tables, &["pairing"])
    }
}

impl Study for Sweep {
    fn seats_several_sizes(&self) -> bool {
        self.of == PLAYERS
    }

    fn sections(&self, manifest: &Manifest) -> Result<Vec<Section>, String> {
        Ok(self.variants(manifest)?.sections())
    }

    fn tables(&self, context: &Context<'_>, totals: &Totals) -> Result<Vec<Table>, String> {
        let section = self.variants(context.manifest)?.section(KIND, totals, false);
        let mut tables = paired::tables(&[section], totals.blocks());
        tables.push(study::anomalies(self, totals));
        Ok(tables)
    }
}

/// The values, each with a win rate and another measure.
fn values(tables: &[Table]) -> Grid {
    let variants = rows(tables, "variants");
    let mut names: Vec<&str> = Vec::new();
    let mut columns: Vec<(&str, &str)> = Vec::new();
    for row in variants {
        if !names.contains(&row.keys[1].as_str()) {
            names.push(&row.keys[1]);
        }
        let column = (row.metric, row.keys[2].as_str());
        if names.len() == 1 && column.0 != "no_winner_share" {
            columns.push(column);
        }
    }
    // The first role comes first; if one agent plays all seats, the first seat does.
    columns.sort_by_key(|(metric, of)| (*metric != "win_rate", of.starts_with("seat")));
    let rates = columns.iter().filter(|(metric, _)| *metric == "win_rate").take(1);
    let lengths = columns.iter().filter(|(metric, _)| [TURNS, ROUNDS].contains(metric));
    let columns: Vec<&(&str, &str)> = rates.chain(lengths).collect();
    let cells = |name: &&str| {
        let of_column = |(metric, of): &&(&str, &str)| {
            let found = variants
                .iter()
                .find(|row| row.keys[1] == **name && row.metric == *metric && row.keys[2] == *of);
            cell(found, unit(&COMPARED, metric))
        };
        // All have the same field or parameter, which the sentence above names.
        let value = name.split_once('=').map_or(*name, |(_, value)| value);
        std::iter::once(value.to_owned()).chain(columns.iter().map(of_column)).collect()
    };
    let titles = columns.iter().map(|(metric, of)| measure(metric, of) + " (95 %)");
    Grid {
        title: "Values".to_owned(),
        header: std::iter::once("value".to_owned()).chain(titles).collect(),
        rows: names.iter().take(ROWS_MAX).map(cells).collect(),
    }
}
