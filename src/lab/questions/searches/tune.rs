//! Which parameters make an agent win more (`tune`)? A search, and a comparison with the start on fresh deals: a strategy
//! is written only if it is proven to be stronger.

use crate::core::params::Handicap;
use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::searches::challenge::{self, tables};
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::level_file::{rules_words, unofficial_note};
use crate::lab::questions::searches::search::{
    Found, Halt, Search, SearchContext, SearchDesign, StageSums, Stages, TextFile, lone,
};
use crate::lab::questions::searches::tune_course::{Course, Tune, Tuned};
use crate::lab::questions::studies::next::quoted;
use crate::lab::questions::studies::study::in_range;
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::answer::{Answer, header, table};
use crate::lab::report::comparison::{ChallengeFinding, Comparison, Finding};
use crate::lab::report::described::{ANOMALIES, TableSchema, integer, text};
use crate::lab::report::figures::{cell, grouped};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{COMPARISON, Column, More, Row, Table};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::strategy::Strategy;
use crate::sim::any_game::LoadedGame;
use crate::stats::jackknife::Estimate;
use anyhow::{Result, ensure};

/// The catalogue entry of this search.
pub const TYPE: Entry<dyn Search> = Entry::search::<Tune>(KIND, &[TUNED, TUNE], is_file);
const KIND: &str = "tune";

/// The most parameters, and agents to win against.
pub const PARAMETERS_MAX: usize = 32;
/// The most agents to win against.
pub const POOL_MAX: usize = 16;

/// The fewest and the most iterations, and the blocks of one if the matches allow.
const ITERATIONS: (u64, u64) = (10, 250);
const BLOCKS: u64 = 8;
const ITERATIONS_MAX: u32 = 1 << 16;

/// The file with what was found.
pub const FILE: &str = "tuned.toml";

const AGENT: Column =
    text("agent", "the agent with what was found, or the start; tuned - start: their difference");

/// What was found, and whether it is better.
pub const TUNED: TableSchema = TableSchema {
    name: "tuned",
    keys: &[AGENT, text("parameter", "the parameter; empty: the agent as a whole")],
    more: &COMPARISON,
    metrics: &[
        Metric::difference(
            "win_difference",
            "share of matches on fresh deals that the tuned agent's seats win minus that of the start's; with \
             --against the win rate of the one alone at these tables minus that of the other",
        ),
        Metric::number("value", "the value of the parameter"),
    ],
};

/// The iterations of the search.
pub const TUNE: TableSchema = TableSchema {
    name: "tune",
    keys: &[
        integer("iteration", "from 1"),
        text("parameter", "the parameter; empty: the agent as a whole"),
    ],
    more: &[],
    metrics: &[
        Metric::number("value", "the value of the parameter at which the search stood"),
        Metric::difference(
            "win_difference",
            "win rate with the parameters moved to one side minus that with them moved to the other, alone at the \
             table, on common deals",
        ),
    ],
};

/// The row of the difference.
const DIFFERENCE: &str = "tuned - start";

/// The value of a parameter that an agent has without being tuned.
pub fn start_value(game: &dyn LoadedGame, start: &AgentSpec, family: &Family) -> f64 {
    // Weights are of single precision: 0.27 is what they show as, and what is nearest to it in double precision.
    let shown = |value: f64| format!("{value:.6e}").parse().unwrap_or(value);
    let defaults = || {
        let search = toml::Table::try_from(game.game_type().facts().search).ok();
        let handicap = toml::Table::try_from(Handicap::DEFAULT).ok();
        let all = [Some(game.default_weights()), search, handicap];
        all.into_iter().flatten().find_map(|table| table.get(&family.key).cloned())
    };
    let number =
        |value: toml::Value| value.as_float().or(value.as_integer().map(|whole| whole as f64));
    let given = start.parameters.get(&family.key).cloned().and_then(number);
    let value = given.or_else(|| defaults().and_then(number).map(shown));
    value.unwrap_or(f64::midpoint(family.low, family.high))
}

fn is_file(name: &str) -> bool {
    name == FILE
}

impl Tune {
    /// A search from some values on, with a number of matches, against a number of agents (0: the start).
    ///
    /// # Errors
    /// If there are too few matches.
    pub fn new(
        families: Vec<Family>,
        start: Vec<f64>,
        matches: u64,
        pool: usize,
        players: u8,
    ) -> Result<Tune> {
        let block = tables(pool.max(1), players).len() as u64;
        let (fewest, most) = ITERATIONS;
        let least = fewest * block;
        ensure!(matches >= least, "{matches} matches are too few: {least} are the least");
        let iterations = (matches / (BLOCKS * block)).clamp(fewest, most);
        let blocks = matches / (iterations * block);
        let iterations = u32::try_from(iterations).expect("few iterations");
        Ok(Tune { families, start, iterations, blocks, matches })
    }

    /// The search for better parameters of an agent, against a pool or, if there is none, the agent itself.
    pub fn design(self, start: AgentSpec, pool: Vec<AgentSpec>, players: u8) -> SearchDesign {
        let comparison = self.challenge(&start, &start, &pool, players).blocks();
        let searched = u64::from(self.iterations) * self.blocks;
        let blocks = searched.saturating_add(comparison).min(1_000_000_000_000);
        let mut agents = vec![start];
        agents.extend(pool);
        // Both sides of an iteration are the first agent, with other parameters.
        let others = if agents.len() > 1 { 1..agents.len() } else { 0..1 };
        let sides = |other: usize| (0..2).flat_map(move |_| lone(0, other, players));
        let matches = others.flat_map(sides).collect();
        SearchDesign::of(Box::new(self), agents, matches, blocks)
    }

    /// The rows of what was found.
    fn found(&self, manifest: &Manifest, tuned: &Tuned) -> Vec<Row> {
        let finding = Finding::Challenge(tuned.ruling.verdict);
        let sums = tuned.ruling.sums.as_ref();
        let mut rows = vec![Row {
            keys: vec![DIFFERENCE.to_owned(), String::new()],
            metric: "win_difference",
            estimate: tuned.ruling.difference,
            blocks: sums.map_or(0, StageSums::blocks),
            n: tuned.ruling.matches(),
            more: More::Comparison(Comparison::finding(finding)),
        }];
        let start = &manifest.agents[0].name;
        for (agent, values) in [(&tuned.agent.name, &tuned.values), (start, &self.start)] {
            for (family, &value) in self.families.iter().zip(values) {
                let keys = vec![agent.clone(), family.key.clone()];
                rows.push(plain(keys, value));
            }
        }
        rows
    }

    /// The rows of the iterations.
    fn steps(&self, tuned: &Tuned) -> Vec<Row> {
        let mut rows = Vec::new();
        for (number, step) in (1..).zip(&tuned.steps) {
            let keys = |parameter: &str| vec![format!("{number}"), parameter.to_owned()];
            for (family, &value) in self.families.iter().zip(&step.values) {
                rows.push(plain(keys(&family.key), value));
            }
            rows.push(Row::new(
                keys(""),
                "win_difference",
                step.difference,
                step.blocks,
                step.matches,
            ));
        }
        rows
    }

    /// The strategy file.
    fn file(&self, context: SearchContext<'_>, tuned: &Tuned) -> TextFile {
        let SearchContext { manifest, .. } = context;
        let Manifest { game, players, agents, .. } = manifest;
        let start = &agents[0].name;
        let keys: Vec<&str> = self.families.iter().map(|family| family.key.as_str()).collect();
        let said = tuned.ruling.sentence("the tuned agent", start).text;
        let strategy = Strategy {
            kind: tuned.agent.kind.clone(),
            about: format!("{start} with tuned {} for {game}, {players} players", keys.join(", ")),
            provenance: format!(
                "{}{}; {} iterations; {} ({} matches on fresh deals)",
                unofficial_note(manifest),
                self.line(context),
                self.iterations,
                said.trim_end_matches('.'),
                grouped(tuned.ruling.matches()),
            ),
            parameters: tuned.agent.parameters.clone(),
            level: None,
            checked: None,
        };
        let text = toml::to_string(&strategy).expect("a strategy is TOML");
        TextFile { name: FILE.to_owned(), text }
    }

    /// The command, without what changes no result.
    fn line(&self, context: SearchContext<'_>) -> String {
        let Manifest { game, players, agents, seed, .. } = context.manifest;
        let pool: Vec<&str> = agents[1..].iter().map(|agent| agent.name.as_str()).collect();
        let against = if pool.is_empty() {
            String::new()
        } else {
            format!(" --against {}", quoted(&pool.join(",")))
        };
        let params: Vec<String> = self.families.iter().map(Family::words).collect();
        let params = params.join(" --param ");
        format!(
            "fairhaven tune {game} {} --param {params}{against} --players {players} --matches {} --seed {seed}{}",
            quoted(&agents[0].name),
            self.matches,
            rules_words(context.game.game_type(), &context.manifest.rules),
        )
    }
}

/// A number that is no estimate.
fn plain(keys: Vec<String>, value: f64) -> Row {
    let estimate = Some(Estimate::plain(value));
    Row::new(keys, "value", estimate, 0, 0)
}

impl Question for Tune {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "tune"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![TUNED, TUNE, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "The parameters are the best that this search found, not the best there are. The proof is for tables \
         with these opponents and these rules."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let found = table(tables, TUNED.name);
        let start = manifest.agents.first().map_or("", |agent| agent.name.as_str());
        let difference = difference(tables);
        let values = |agent: usize| {
            let rows = found.iter().flat_map(|table| &table.rows);
            rows.filter(|row| row.metric == "value").skip(agent * self.families.len())
        };
        let name = values(0).next().map_or("", |row| row.keys[0].as_str());
        let estimate = difference.and_then(|row| row.estimate.as_ref());
        let sentence = challenge::sentence(verdict(tables), estimate, [name, start]);
        let cells = |(tuned, start): (&Row, &Row)| {
            let shown = |row: &Row| row.estimate.map_or(String::new(), |of| of.value.to_string());
            vec![tuned.keys[1].clone(), shown(start), shown(tuned)]
        };
        let pairs = values(0).zip(values(1)).map(cells);
        let mut rows: Vec<Vec<String>> = pairs.collect();
        rows.push(vec![
            "wins more than the start".to_owned(),
            String::new(),
            cell(difference, Unit::Difference),
        ]);
        let grid =
            Grid { title: "Parameters".to_owned(), header: header(&["", "start", "found"]), rows };
        Answer { sentences: vec![sentence], grid, next: Vec::new() }
    }

    fn has_failed(&self, tables: &[Table]) -> bool {
        verdict(tables) != ChallengeFinding::Stronger
    }

    fn notes(&self, tables: &[Table]) -> Vec<String> {
        let better = verdict(tables) == ChallengeFinding::Stronger;
        let note = if better {
            format!(
                "With --out, the agent is in {FILE}. The estimate is biased, since the comparison stops when luck \
                 helps one side; the interval holds all the same."
            )
        } else {
            "No strategy is written.".to_owned()
        };
        vec![note]
    }
}

impl Search for Tune {
    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        let Tune { families, start, iterations, blocks, matches } = self;
        let pool = manifest.agents.len().saturating_sub(1);
        let keys: Vec<&str> = families.iter().map(|family| family.key.as_str()).collect();
        let once = (0..keys.len()).all(|at| !keys[..at].contains(&keys[at]));
        let sound = |family: &Family| family.agent == 0 && family.is_sound(manifest.agents.len());
        in_range(
            (1..=PARAMETERS_MAX).contains(&families.len())
                && families.iter().all(sound)
                && once
                && start.len() == families.len()
                && start.iter().all(|value| value.is_finite())
                && pool <= POOL_MAX
                && (1..=ITERATIONS_MAX).contains(iterations)
                && (1..=1_000_000_000).contains(blocks)
                && (1..=1_000_000_000_000).contains(matches),
        )
    }

    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt> {
        let SearchContext { manifest, .. } = context;
        let mut agents = manifest.agents.iter().map(AgentEntry::spec);
        let start = agents.next().expect("the settings fit");
        let tuned = Course::new(self, (start, agents.collect()), manifest, stages).run()?;
        let is_better = tuned.ruling.verdict == ChallengeFinding::Stronger;
        let files = if is_better { vec![self.file(context, &tuned)] } else { Vec::new() };
        let blocks = |rows: &[Row]| rows.iter().map(|row| row.blocks).sum();
        let (found, steps) = (self.found(manifest, &tuned), self.steps(&tuned));
        let tables = vec![TUNED.table(blocks(&found), found), TUNE.table(blocks(&steps), steps)];
        Ok(Found { tables, files })
    }
}

/// The row of the difference.
fn difference(tables: &[Table]) -> Option<&Row> {
    table(tables, TUNED.name)?.find(&[DIFFERENCE, ""], "win_difference")
}

/// What the comparison has shown.
fn verdict(tables: &[Table]) -> ChallengeFinding {
    challenge::finding(difference(tables))
}
