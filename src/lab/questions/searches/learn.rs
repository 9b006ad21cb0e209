//! Which weights does a planner learn from matches against itself (`learn`)? A search: a course of sessions, and a
//! comparison of what was learned with the start on fresh deals. The strategy is written whatever that says.

use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::searches::challenge::{self, Challenge, Ruling};
use crate::lab::questions::searches::level_file::{rules_words, unofficial_note};
use crate::lab::questions::searches::search::{
    CourseStage, Found, Halt, Search, SearchContext, SearchDesign, StageSums, Stages, TextFile,
    deals,
};
use crate::lab::questions::studies::next::quoted;
use crate::lab::questions::studies::study::in_range;
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::answer::{Answer, Sentence, header, table};
use crate::lab::report::comparison::{Comparison, Finding};
use crate::lab::report::described::{ANOMALIES, TableSchema, integer, text};
use crate::lab::report::figures::{cell, fixed, grouped};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{COMPARISON, Column, More, Row, Table};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::strategy::Strategy;
use crate::sim::any_game::{Facts, LoadedGame};
use crate::sim::learn::{WeightCourse, WeightState};
use crate::sim::surprise::{TENTHS, Tenths};
use crate::sim::trials::MatchPlan;
use crate::stats::jackknife::Estimate;
use crate::words::lists::capital;
use crate::words::nearest;
use anyhow::{Context as _, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};
use toml::{Table as Toml, Value};

/// The catalogue entry of this search.
pub const TYPE: Entry<dyn Search> = Entry::search::<Learn>(KIND, &[LEARNED, LEARNING], is_file);
const KIND: &str = "learn";

/// The file with what was learned.
pub const FILE: &str = "learned.toml";

/// The name of the agent with what was learned.
const NAME: &str = "learned";

/// The stream of the deals on which it is compared with the start.
const FRESH: u64 = 1;

/// The most decisions from one position that is noted to the next.
pub const EVERY_MAX: u32 = 100_000;

const AGENT: Column =
    text("agent", "learned: the agent with what was learned; the start; learned - start");

/// What was learned, and whether it is better.
pub const LEARNED: TableSchema = TableSchema {
    name: "learned",
    keys: &[AGENT, text("parameter", "the parameter; empty: the agent as a whole")],
    more: &COMPARISON,
    metrics: &[
        Metric::difference(
            "win_difference",
            "share of matches on fresh deals that the learned agent's seats win minus that of the start's",
        ),
        Metric::number("value", "the value of the parameter"),
    ],
};

/// How the course went.
pub const LEARNING: TableSchema = TableSchema {
    name: "learning",
    keys: &[integer("tenth", "tenth of the matches, from 1")],
    more: &[],
    metrics: &[Metric::number(
        "surprise",
        "mean surprise at the winner by position, in nats: -ln of the chance that the weights gave it before they \
         learned from the match; n counts positions",
    )],
};

/// The row of the difference.
const DIFFERENCE: &str = "learned - start";

/// Which weights does a planner learn from matches against itself? (`learn`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Learn {
    /// Matches to learn from, and the most of the comparison.
    pub matches: u64,
    /// How far results reach back, 0 to 1.
    pub lambda: f64,
    /// The size of a first step, above 0, at most 1.
    pub step: f64,
    /// Decisions from one position that is learned from to the next.
    pub every: u32,
    /// Features whose weights stay as they are.
    pub hold: Vec<String>,
}

fn is_file(name: &str) -> bool {
    name == FILE
}

/// The features of a game whose weights can be learned.
///
/// # Errors
/// If there are none.
pub fn features(facts: &Facts) -> Result<&'static [&'static str]> {
    facts.lesson.with_context(|| nothing_behind(facts.name))
}

fn nothing_behind(game: &str) -> String {
    format!("the weights of {game} can't be learned: no features stand behind them")
}

/// Whether only searches read the weights of these features.
pub fn are_of_searches(facts: &Facts, features: &[&str]) -> bool {
    let mut of = facts.weights.iter().filter(|weight| features.contains(&weight.name));
    of.all(|weight| weight.search_only)
}

impl Learn {
    /// The course of an agent at a table.
    ///
    /// # Errors
    /// If the game has nothing to learn, the agent can't learn it, or a setting is out of its range.
    pub fn design(self, game: &dyn LoadedGame, from: AgentSpec) -> Result<SearchDesign> {
        let facts = game.game_type().facts();
        let features = features(&facts)?;
        game.check_weights(&from)?;
        ensure!(
            from.kind != "heuristic" || !are_of_searches(&facts, features),
            "what can be learned on {} is how a search judges positions, which changes nothing about `{}`; \
             name one that searches, such as --from mcts:iterations=100",
            facts.name,
            from.name
        );
        let Learn { matches, lambda, step, every, .. } = self;
        ensure!((0.0..=1.0).contains(&lambda), "--lambda {lambda} is not in 0 to 1");
        ensure!(step > 0.0 && step <= 1.0, "--step {step} is not above 0 and at most 1");
        ensure!((1..=EVERY_MAX).contains(&every), "--every {every} is not in 1 to {EVERY_MAX}");
        self.course(features, 0)?;
        // The comparison plays no more matches than are learned from.
        let blocks = matches.saturating_mul(2).min(1_000_000_000_000);
        let matches = vec![MatchPlan::plain(0, vec![0; usize::from(game.players())])];
        Ok(SearchDesign::of(Box::new(self), vec![from], matches, blocks))
    }

    /// The course, with the seed of a run.
    fn course(&self, features: &[&str], seed: u64) -> Result<WeightCourse> {
        let at = |name: &String| {
            let found = features.iter().position(|known| known == name);
            found
                .with_context(|| format!("--hold: {}", nearest::unknown("feature", name, features)))
        };
        let hold = self.hold.iter().map(at).collect::<Result<_>>()?;
        let Learn { matches, lambda, step, every, .. } = *self;
        Ok(WeightCourse { seed, matches, lambda, step, every, hold })
    }

    /// The command, without what changes no result.
    fn line(&self, context: SearchContext<'_>) -> String {
        let Manifest { game, players, agents, seed, .. } = context.manifest;
        let Learn { matches, lambda, step, every, hold } = self;
        let from = quoted(&agents[0].name);
        let hold =
            if hold.is_empty() { String::new() } else { format!(" --hold {}", hold.join(",")) };
        format!(
            "fairhaven learn {game} --from {from} --players {players} --matches {matches} --lambda {lambda} --step \
             {step} --every {every}{hold} --seed {seed}{}",
            rules_words(context.game.game_type(), &context.manifest.rules),
        )
    }
}

/// What a course has found.
struct Outcome<'a> {
    context: SearchContext<'a>,
    from: AgentSpec,
    defaults: Toml,
    state: WeightState,
    agent: AgentSpec,
    ruling: Ruling,
}

/// Plays the course to its end.
fn taught(
    from: &AgentSpec,
    course: &WeightCourse,
    mut state: WeightState,
    stages: &mut dyn Stages,
) -> Result<WeightState, Halt> {
    let mut what = "learning".to_owned();
    while state.played < course.matches {
        let lesson = CourseStage { what: &what, from, course, state: &state };
        state = stages.learn(&lesson)?;
        what = progress(&state.tenths, state.played, course.matches);
    }
    Ok(state)
}

/// Where a course stands after some of its matches, for whoever watches.
pub fn progress(tenths: &Tenths, played: u64, matches: u64) -> String {
    match tenths.mean(Tenths::of(played - 1, matches)) {
        Some((nats, _)) => format!("learning: surprise {}", fixed(nats, 4)),
        None => "learning".to_owned(),
    }
}

/// The rows of a course.
pub fn learning(tenths: &Tenths) -> Vec<Row> {
    let row = |tenth: usize| {
        let (nats, positions) = tenths.mean(tenth)?;
        Some(plain(vec![(tenth + 1).to_string()], "surprise", Some(nats), positions))
    };
    (0..TENTHS).filter_map(row).collect()
}

/// The agent with what was learned.
fn learned(
    defaults: &Toml,
    features: &[&str],
    from: &AgentSpec,
    weights: Toml,
) -> Result<AgentSpec> {
    let mut parameters = from.parameters.clone();
    for (name, value) in weights {
        if features.contains(&name.as_str()) || defaults.get(&name) != Some(&value) {
            let number = value.as_float().context("weights are numbers")?;
            parameters.insert(name, Value::Float((number * 1e4).round() / 1e4));
        }
    }
    let (name, kind, net) = (NAME.to_owned(), from.kind.clone(), from.net.clone());
    Ok(AgentSpec { name, kind, parameters, measured_at: None, checked: None, net })
}

impl Outcome<'_> {
    /// The rows of what was learned.
    fn found(&self) -> Vec<Row> {
        let Ruling { verdict, difference, sums } = &self.ruling;
        let mut rows = vec![Row {
            keys: vec![DIFFERENCE.to_owned(), String::new()],
            metric: "win_difference",
            estimate: *difference,
            blocks: sums.as_ref().map_or(0, StageSums::blocks),
            n: self.ruling.matches(),
            more: More::Comparison(Comparison::finding(Finding::Challenge(*verdict))),
        }];
        let names: Vec<&String> = self.agent.parameters.keys().collect();
        let weights = names.into_iter().filter(|name| self.defaults.contains_key(*name));
        for name in weights {
            for agent in [&self.agent, &self.from] {
                let given = agent.parameters.get(name).or_else(|| self.defaults.get(name));
                let number = given.and_then(|value| {
                    value.as_float().or(value.as_integer().map(|whole| whole as f64))
                });
                let keys = vec![agent.name.clone(), name.clone()];
                rows.push(plain(keys, "value", number, 0));
            }
        }
        rows
    }

    /// The strategy file.
    fn file(&self, learn: &Learn) -> TextFile {
        let Manifest { game, .. } = self.context.manifest;
        let said = self.ruling.sentence("the learned agent", &self.from.name).text;
        let strategy = Strategy {
            kind: self.agent.kind.clone(),
            about: format!("weights learned on {game}"),
            provenance: format!(
                "{}{}; {} matches won, {} positions; {} ({} matches on fresh deals)",
                unofficial_note(self.context.manifest),
                learn.line(self.context),
                self.state.won,
                self.state.tenths.positions(),
                said.trim_end_matches('.'),
                grouped(self.ruling.matches()),
            ),
            parameters: self.agent.parameters.clone(),
            level: None,
            checked: None,
        };
        let text = toml::to_string(&strategy).expect("a strategy is TOML");
        TextFile { name: FILE.to_owned(), text }
    }
}

/// A number that is no estimate.
fn plain(keys: Vec<String>, metric: &'static str, value: Option<f64>, n: u64) -> Row {
    let estimate = value.map(Estimate::plain);
    Row::new(keys, metric, estimate, 0, n)
}

impl Question for Learn {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "learn"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![LEARNED, LEARNING, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "What was learned was learned from matches of this agent against itself. The proof is for tables of \
         these two agents and these rules."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let start = manifest.agents.first().map_or("", |agent| agent.name.as_str());
        let difference = difference(tables);
        let estimate = difference.and_then(|row| row.estimate.as_ref());
        let verdict = challenge::finding(difference);
        let Sentence { tone, text } =
            challenge::sentence(verdict, estimate, ["the learned agent", start]);
        let text = capital(&text);
        let tenth = |tenth: &str| {
            let row = table(tables, LEARNING.name)?.find(&[tenth], "surprise")?;
            row.estimate.map(|of| format!("{} nats", fixed(of.value, 4)))
        };
        let row = |name: &str, of: String| vec![name.to_owned(), of];
        let rows = vec![
            row("surprise at the winner, first tenth", tenth("1").unwrap_or_default()),
            row("the same, last tenth", tenth("10").unwrap_or_default()),
            row("wins more than the start", cell(difference, Unit::Difference)),
        ];
        let grid = Grid { title: "Learning".to_owned(), header: header(&["", "estimate"]), rows };
        Answer { sentences: vec![Sentence::new(tone, text)], grid, next: Vec::new() }
    }

    fn notes(&self, _: &[Table]) -> Vec<String> {
        vec![format!(
            "With --out, the agent is in {FILE}, whatever the comparison says. The estimate is biased, since the \
             comparison stops when luck helps one side; the interval holds all the same."
        )]
    }
}

impl Search for Learn {
    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        let Learn { matches, lambda, step, every, hold } = self;
        in_range(
            manifest.agents.len() == 1
                && (1..=1_000_000_000_000).contains(matches)
                && (0.0..=1.0).contains(lambda)
                && *step > 0.0
                && *step <= 1.0
                && (1..=EVERY_MAX).contains(every)
                && hold.len() <= 64,
        )
    }

    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt> {
        let SearchContext { manifest, game } = context;
        let from = manifest.agents.iter().map(AgentEntry::spec).next().expect("there is one");
        let features = features(&game.game_type().facts())?;
        let course = self.course(features, manifest.seed)?;
        let learner = game.weight_learner().with_context(|| nothing_behind(&manifest.game))?;
        let begin = learner.begin(&from).map_err(anyhow::Error::new)?;
        let state = taught(&from, &course, begin, stages)?;
        if state.won == 0 {
            return Err(anyhow!("no match was won: there is nothing to learn from").into());
        }
        let defaults = game.default_weights();
        let weights = learner.learned(&from, &state).map_err(anyhow::Error::new)?;
        let agent = learned(&defaults, features, &from, weights)?;
        let challenge = Challenge {
            new: agent.clone(),
            start: from.clone(),
            pool: Vec::new(),
            players: manifest.players,
            matches: self.matches,
        };
        let ruling = challenge.run(deals(manifest.seed, FRESH), stages)?;
        let outcome = Outcome { context, from, defaults, state, agent, ruling };
        let (found, course) = (outcome.found(), learning(&outcome.state.tenths));
        let blocks = |rows: &[Row]| rows.iter().map(|row| row.blocks).sum();
        let tables = vec![LEARNED.table(blocks(&found), found), LEARNING.table(0, course)];
        Ok(Found { tables, files: vec![outcome.file(self)] })
    }

    fn is_divided(&self) -> bool {
        false
    }
}

/// The row of the difference.
fn difference(tables: &[Table]) -> Option<&Row> {
    table(tables, LEARNED.name)?.find(&[DIFFERENCE, ""], "win_difference")
}
