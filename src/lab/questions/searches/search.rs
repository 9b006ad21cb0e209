//! A search: a deterministic algorithm that plays in *stages*, each of which it chooses by the exact sums of those
//! before it. A study has one plan of matches, which it plays to the end; a search decides as it goes what to play
//! next, such as which parameter to try.
//!
//! A search keeps no state of its own on the disk. The laboratory writes down what came of each stage, in a log. A
//! search that was interrupted runs again from its beginning and gets from the log what has been played; from there
//! on it plays. So it ends with the same bytes as if nothing had interrupted it. The conditions: what it asks for
//! depends on its settings, the manifest and the sums alone.

use crate::core::seed::BlockSeed;
use crate::lab::questions::question::{self, Entry, Question};
use crate::lab::questions::studies::estimator::{ALPHA, Estimator, SectionSums};
use crate::lab::report::described::TableSchema;
use crate::lab::report::hash::{FNV_START, fnv};
use crate::lab::report::manifest::{Manifest, Variant};
use crate::lab::report::table::Table;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::sim::batch::Chunking;
use crate::sim::counts::restricted::RestrictedCount;
use crate::sim::counts::score::ScoreCount;
use crate::sim::counts::whole::WholeCount;
use crate::sim::counts::wins::WinsCount;
use crate::sim::course::{Course, CourseState};
use crate::sim::learn::{WeightCourse, WeightState};
use crate::sim::learn_net::{NetCourse, NetState};
use crate::sim::net_matches::Labels;
use crate::sim::trials::{self, Count, MatchPlan};
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Grouped};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::ops::Range;

/// What a search plays at one time: some agents, the matches of a block, and some blocks of a stream of deals.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// What it is about, in some 30 letters, for whoever watches.
    pub what: String,
    /// The agents.
    pub agents: Vec<AgentSpec>,
    /// The matches of a block: which of the agents sits in each seat. Nothing is forced.
    pub matches: Vec<MatchPlan>,
    /// Rule sets by the variants of the matches: what each changes in the run's own, as `--set` takes it. If there are
    /// none, all matches have the run's own.
    pub changes: Vec<Vec<String>>,
    /// The seed of its deals: see [`deals`].
    pub seed: u64,
    /// The blocks, at least one. Stages of the same seed and block have the same deals.
    pub blocks: Range<u64>,
    /// What is counted of them.
    pub counted: Metric,
}

/// What is counted of the matches of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// The wins of [`WinsCount`].
    Wins,
    /// These, and behind them the scores of blocks: the matches that agent 0 wins less those of agent 1.
    Scores,
    /// How long and how close matches are: [`WholeCount`].
    Whole,
    /// The wins of [`RestrictedCount`], of seats that may take one of this many options only.
    Restricted(usize),
}

/// A course of learning whose sessions a search can ask for.
pub trait Lesson: Course {
    /// What is learned, in a word.
    const KIND: &'static str;

    /// All that results depend on beside the agent and where the course stands.
    fn settings(&self) -> Value;
}

impl Lesson for WeightCourse {
    const KIND: &'static str = "lesson";

    fn settings(&self) -> Value {
        let WeightCourse { seed, matches, lambda, step, every, hold } = self;
        json!([seed, matches, lambda, step, every, hold])
    }
}

impl Lesson for NetCourse {
    const KIND: &'static str = "net";

    fn settings(&self) -> Value {
        let NetCourse { seed, matches, tables, labels } = self;
        let every = labels.every;
        let tables: Vec<Value> =
            tables.iter().map(|table| json!([table.players, table.rules.to_string()])).collect();
        let mut settings = vec![json!(seed), json!(matches), json!(every), json!(tables)];
        // What is as usual is left out, as in logs of earlier versions.
        if *labels != Labels::plain(labels.every) {
            settings.extend([json!(labels.siblings), json!(labels.points)]);
        }
        if labels.lambda < 1.0 {
            settings.push(json!(labels.lambda));
        }
        Value::Array(settings)
    }
}

/// A session of a course of learning.
#[derive(Debug, Clone, Copy)]
pub struct CourseStage<'a, C: Course> {
    /// What it is about, in some 30 letters, for whoever watches.
    pub what: &'a str,
    /// The agent whose weights are learned, or whose matches a net learns from.
    pub from: &'a AgentSpec,
    /// How it is learned.
    pub course: &'a C,
    /// Where the course stands.
    pub state: &'a CourseState<C::Learner>,
}

impl<C: Lesson> CourseStage<'_, C> {
    /// What is asked for, as a number: all that the result depends on.
    pub fn name(&self) -> u64 {
        let CourseStage { from, course, state, .. } = self;
        let agent = json!([from.kind, from.parameters.to_string()]);
        let asked = json!([C::KIND, agent, course.settings(), state.encode()]);
        fnv(FNV_START, asked.to_string().as_bytes())
    }

    /// Its matches.
    pub fn matches(&self) -> u64 {
        let due = self.course.due(self.state.played);
        due.end - due.start
    }
}

/// The seed of a stream of deals: the name of block `stream` of the master seed ([`BlockSeed::name`]), which is a
/// hash of both. Deals of two streams are independent.
pub fn deals(master: u64, stream: u64) -> u64 {
    BlockSeed::new(master, stream).name()
}

/// One agent alone among others, once in each seat.
///
/// # Panics
/// If the table has no seats.
pub fn lone(alone: usize, others: usize, players: u8) -> Vec<MatchPlan> {
    let players = usize::from(players);
    let seats = |at: usize| (0..players).map(move |seat| if seat == at { alone } else { others });
    (0..players).map(|at| MatchPlan::plain(0, seats(at).collect())).collect()
}

/// The chunks that a stage has at most, unless chunks would have more than [`CHUNK_MAX`] blocks.
const CHUNKS: u64 = 256;
const CHUNK_MAX: u64 = 256;

impl Stage {
    /// How its blocks are counted together and logged: in chunks small enough to lose little when it is killed, and
    /// to fill the groups of the jackknife.
    pub fn chunking(&self) -> Chunking {
        let blocks = self.blocks.end - self.blocks.start;
        Chunking { blocks, chunk: (blocks / CHUNKS).clamp(1, CHUNK_MAX) }
    }

    /// What is asked for, as a number: all that the sums depend on.
    pub fn name(&self) -> u64 {
        let agents: Vec<Value> = self
            .agents
            .iter()
            .map(|agent| json!([agent.kind, agent.parameters.to_string()]))
            .collect();
        let Range { start, end } = self.blocks;
        let mut asked = vec![json!(agents), json!(self.matches), json!(self.seed)];
        asked.extend([json!(start), json!(end)]);
        match self.counted {
            Metric::Wins => {}
            Metric::Scores => asked.push(json!("scored")),
            Metric::Whole => asked.push(json!("whole")),
            Metric::Restricted(options) => asked.push(json!(["restricted", options])),
        }
        if !self.changes.is_empty() {
            asked.push(json!(self.changes));
        }
        let asked = Value::Array(asked);
        fnv(FNV_START, asked.to_string().as_bytes())
    }

    /// What is counted of its matches.
    pub fn count(&self) -> Box<dyn Count> {
        let players = self.matches.first().map_or(0, |plan| plan.seats.len());
        match self.counted {
            Metric::Wins => Box::new(WinsCount { matches: self.matches.len(), players }),
            Metric::Scores => Box::new(ScoreCount::of(&self.matches)),
            Metric::Whole => Box::new(WholeCount { players }),
            Metric::Restricted(options) => Box::new(RestrictedCount { options, players }),
        }
    }
}

/// The exact sums of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageSums {
    /// By group of the jackknife: what every experiment counts, then what the stage counts.
    pub grouped: Grouped,
    matches: Vec<MatchPlan>,
    counted: Metric,
}

impl StageSums {
    /// The sums of a stage.
    pub fn new(stage: &Stage, grouped: Grouped) -> StageSums {
        StageSums { grouped, matches: stage.matches.clone(), counted: stage.counted }
    }

    /// Adds the sums of other blocks of the same matches.
    ///
    /// # Panics
    /// If the matches differ, or what is counted of them.
    pub fn merge(&mut self, other: &StageSums) {
        assert_eq!(
            (&self.matches, self.counted),
            (&other.matches, other.counted),
            "sums of the same matches"
        );
        self.grouped.merge(&other.grouped);
    }

    /// Blocks played.
    pub fn blocks(&self) -> u64 {
        self.grouped.blocks()
    }

    /// Matches of the blocks, those in which an agent failed included.
    pub fn matches(&self) -> u64 {
        self.blocks() * self.matches.len() as u64
    }

    /// How often each score of a block was seen, from the least to the largest; nothing if scores were not counted.
    pub fn scores(&self) -> Vec<u64> {
        if self.counted != Metric::Scores {
            return Vec::new();
        }
        let count = ScoreCount::of(&self.matches);
        let first = trials::COMMON + count.first();
        (first..=first + 2 * count.most()).map(|counter| self.grouped.sum(counter)).collect()
    }

    /// The counters of an agent's wins.
    fn wins(&self, agent: usize) -> Vec<usize> {
        let players = self.matches.first().map_or(0, |plan| plan.seats.len());
        let count = WinsCount { matches: self.matches.len(), players };
        let seated = |number: usize| {
            let seats = self.matches[number].seats.iter().enumerate();
            seats.filter(move |(_, at)| **at == agent).map(move |(seat, _)| (number, seat))
        };
        let all = (0..self.matches.len()).flat_map(seated);
        all.map(|(number, seat)| trials::COMMON + count.wins(number, seat)).collect()
    }

    /// The share of its seats that an agent won; matches without a winner count as lost.
    fn rate(&self, agent: usize) -> impl Fn(SectionSums<'_>) -> Option<f64> + use<> {
        let wins = self.wins(agent);
        move |sums| {
            let seats = sums.blocks() * wins.len() as f64;
            let won: f64 = wins.iter().map(|&counter| sums.get(counter)).sum();
            (seats > 0.0).then(|| won / seats)
        }
    }

    fn estimator(&self) -> Estimator<'_> {
        Estimator::new(&self.grouped, 0, false)
    }

    /// The win rate of an agent, with its 95 % interval.
    pub fn win_rate(&self, agent: usize) -> Option<Estimate> {
        self.win_rate_at(agent, ALPHA)
    }

    /// The same with an interval of level 1 − `alpha`.
    pub fn win_rate_at(&self, agent: usize, alpha: f64) -> Option<Estimate> {
        let blocks = self.blocks();
        let held = Held::new(blocks * self.wins(agent).len() as u64, blocks);
        self.estimator().share_joint(self.rate(agent), held, alpha)
    }

    /// The win rate of an agent minus that of another, in matches of the same deals, with its 95 % interval.
    pub fn difference(&self, agent: usize, other: usize) -> Option<Estimate> {
        let seats = [agent, other].map(|agent| self.wins(agent).len() as f64);
        let [one, other] = [self.rate(agent), self.rate(other)];
        let estimator = self.estimator();
        let all = estimator.all();
        let spread = |rate: f64, seats: f64| rate * (1.0 - rate) / seats;
        let alone = spread(one(all)?, seats[0]) + spread(other(all)?, seats[1]);
        let difference = |sums: SectionSums<'_>| Some(one(sums)? - other(sums)?);
        estimator.difference(difference, Some(alone), self.blocks() as f64)
    }
}

/// Why a stage was not played.
#[derive(Debug)]
pub enum Halt {
    /// The search was stopped from outside. It can be resumed.
    Stopped,
    /// It can't be played, or not be kept.
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Halt {
    fn from(error: anyhow::Error) -> Halt {
        Halt::Failed(error)
    }
}

impl From<String> for Halt {
    fn from(reason: String) -> Halt {
        Halt::Failed(anyhow::Error::msg(reason))
    }
}

/// Who plays stages, or knows what came of them.
pub trait Stages {
    /// Plays a stage.
    ///
    /// # Errors
    /// If the search was stopped, an agent can't be made, or the log is full, damaged or another search's.
    fn play(&mut self, stage: &Stage) -> Result<StageSums, Halt>;

    /// Plays the next session of a course of learning, and returns where the course stands behind it.
    ///
    /// # Errors
    /// If the search was stopped, the agent can't learn, or the log is full, damaged or another search's.
    fn learn(&mut self, stage: &CourseStage<'_, WeightCourse>) -> Result<WeightState, Halt>;

    /// The same of a course from which a net is learned.
    ///
    /// # Errors
    /// If the search was stopped, the agent can't play, or the log is full, damaged or another search's.
    fn learn_net(&mut self, _: &CourseStage<'_, NetCourse>) -> Result<NetState, Halt> {
        Err("there is no net to learn".to_owned().into())
    }

    /// Where the search stands now, in some 30 letters, for whoever watches.
    fn set_status(&mut self, _: &str) {}
}

/// A file that a search writes beside its tables, such as a strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextFile {
    /// Its name in the run's directory: one that [`Entry::is_file`] knows.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What a search has found.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The tables, in the order of [`Question::described`]; the run adds that of the anomalies.
    pub tables: Vec<Table>,
    /// Further files.
    pub files: Vec<TextFile>,
}

/// The run of a search.
#[derive(Clone, Copy)]
pub struct SearchContext<'a> {
    /// What is played.
    pub manifest: &'a Manifest,
    /// The game, by the run's own rules.
    pub game: &'a dyn LoadedGame,
}

/// A question that stages answer, each chosen by the sums of those before it.
pub trait Search: Question {
    /// Makes sure that its settings are sound, and fit a manifest, which may be forged.
    ///
    /// # Errors
    /// If they aren't.
    fn check(&self, _manifest: &Manifest) -> Result<(), String> {
        Ok(())
    }

    /// Searches. What it asks for may depend on the settings, the manifest's design and the sums, and on nothing
    /// else: after an interruption it is called again.
    ///
    /// # Errors
    /// If a stage was not played.
    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt>;

    /// Whether several machines can play a stage of it.
    fn is_divided(&self) -> bool {
        true
    }
}

/// A planned search.
pub type SearchDesign = question::Design<dyn Search>;

impl SearchDesign {
    /// The rule sets of every search: the run's own alone.
    pub fn variants() -> Vec<Variant> {
        vec![Variant::base()]
    }

    /// The plan of a search: its stages have chunks of their own.
    pub fn of(
        question: Box<dyn Search>,
        agents: Vec<AgentSpec>,
        matches: Vec<MatchPlan>,
        blocks: u64,
    ) -> SearchDesign {
        let variants = SearchDesign::variants();
        SearchDesign { question, variants, agents, matches, blocks, chunk: 1 }
    }
}

impl Entry<dyn Search> {
    /// The entry of a search, whose settings are the fields of `S`.
    pub const fn search<S: Search + DeserializeOwned + 'static>(
        kind: &'static str,
        tables: &'static [TableSchema],
        is_file: fn(&str) -> bool,
    ) -> Entry<dyn Search> {
        let read = |settings| -> serde_json::Result<Box<dyn Search>> {
            Ok(Box::new(serde_json::from_value::<S>(Value::Object(settings))?))
        };
        Entry { kind, tables, is_file, read }
    }
}
