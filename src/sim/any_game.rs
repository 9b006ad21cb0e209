//! Games without their types: what everything above plays, measures and records by. A game is put behind these
//! traits by [`GameEntry`], in one line of the registry.
//!
//! Calls through them happen once a run, once a worker, once a piece of blocks; never once a decision.

use crate::core::arrays::Arrays;
use crate::core::game::{Field, Game};
use crate::core::measure::maps::MapFacts;
use crate::core::measure::{Choice, Measure, Names};
use crate::core::net::InputList;
use crate::core::opinion::Opinion;
use crate::core::params::{MctsParams, Parameter};
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::core::wording::{Former, Preset, Wording};
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::arrays::vector::{MatchVector, VectorPlan};
use crate::sim::choices::Choices;
use crate::sim::course::Session;
use crate::sim::experiment::Experiment;
use crate::sim::explain::PlayedMatch;
use crate::sim::guests::open_match::{OpenMatch, OpenPlan, Reseat};
use crate::sim::guests::protocol::Ready;
use crate::sim::guests::visitor::VisitError;
use crate::sim::layout::Layout;
use crate::sim::learn::{Softmax, WeightCourse, WeightState};
use crate::sim::learn_net::{NetCourse, NetLearner, NetState};
use crate::sim::play::table::ResumeError;
use crate::sim::records::Form;
use crate::sim::records::check::Checked;
use crate::sim::records::error::RecordError;
use crate::sim::records::line::Header;
use crate::sim::simulation::Write;
use crate::sim::timing::Timing;
use crate::sim::trials::{MatchPlan, Noting, Section};
use std::any::Any;
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;
use toml::Table;

/// A game with everything that the program can do with it.
pub trait Playable: Arrays + Measure + Opinion + Wording {}

impl<G: Arrays + Measure + Opinion + Wording> Playable for G {}

/// What is known of a game before a rule set is chosen.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The name on the command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it is, in a line, for people who choose a game.
    pub about: &'static str,
    /// The fewest and the most players.
    pub players: RangeInclusive<u8>,
    /// The fields of the rule set, in the order in which they are shown.
    pub fields: &'static [Field],
    /// Rule sets with a name.
    pub presets: &'static [Preset],
    /// Fields that older rule sets have.
    pub former: &'static [Former],
    /// Kinds of agents that only this game has, and what they do.
    pub specials: Vec<(&'static str, &'static str)>,
    /// Kinds of actions that its agents can be told to do without, and what they are.
    pub action_kinds: &'static [(&'static str, &'static str)],
    /// The parameters of its planner.
    pub weights: &'static [Parameter],
    /// Default parameters of searches.
    pub search: MctsParams,
    /// Features whose weights can be learned; nothing if none can.
    pub lesson: Option<&'static [&'static str]>,
    /// Inputs of the net that judges its positions; nothing if it has none.
    pub net: Option<InputList>,
    /// Choices that a study can force, or remove options from.
    pub choices: &'static [Choice],
    /// What its tables have names for.
    pub names: Names,
    /// The field of the rule set that holds a map, in a game that has one.
    pub map_field: Option<&'static str>,
}

/// A rule set that can't be played with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadRules(pub String);

/// An agent, or a match of it, that failed.
#[derive(Debug, thiserror::Error)]
pub enum BadMatch {
    /// The agent can't be made.
    #[error(transparent)]
    Agent(#[from] BadAgent),
    /// An agent broke the rules.
    #[error("{0}")]
    Played(String),
}

/// A game, of which rule sets can be loaded.
pub trait GameType: Send + Sync {
    /// What is known of it.
    fn facts(&self) -> Facts;

    /// The rule set that is played by default.
    fn default_rules(&self) -> Table;

    /// Reads a rule set; fields that are not in it have their defaults.
    ///
    /// # Errors
    /// If it is no TOML, or has other fields.
    fn read_rules(&self, text: &str) -> Result<Table, toml::de::Error>;

    /// The game for a whole rule set and a number of players.
    ///
    /// # Errors
    /// Names each field that can't be played with.
    fn load(&self, rules: Table, players: u8) -> Result<Box<dyn LoadedGame>, BadRules>;

    /// The experiment of studies.
    ///
    /// # Panics
    /// If one of the games is of another type.
    fn trials<'a>(
        &self,
        games: &[&dyn LoadedGame],
        seated: Seated<'a>,
        plan: TrialsPlan,
    ) -> Box<dyn Experiment + 'a>;

    /// Checks a match record.
    ///
    /// # Errors
    /// The first fault, with its line.
    fn check_record(&self, reader: &mut dyn BufRead) -> Result<Checked, RecordError>;

    /// Writes the match of a record again, in a form.
    ///
    /// # Errors
    /// The first fault of the record, with its line.
    fn retold(&self, reader: &mut dyn BufRead, form: Form) -> Result<String, RecordError>;

    /// The match of a record, with the names of its agents by seat.
    ///
    /// # Errors
    /// The first fault, with its line.
    fn recorded(&self, reader: &mut dyn BufRead) -> Result<RecordedMatch, RecordError>;

    /// Opens a match again from its record, of which the end may be missing.
    ///
    /// # Errors
    /// If the record is not that of a match of ours, or nobody can be seated.
    fn reopen_match(
        &self,
        record: &str,
        reseat: Reseat<'_>,
    ) -> Result<Box<dyn OpenMatch>, ResumeError>;

    /// Plays as a guest of another program, whose lines come from `input`, until it says goodbye or hangs up.
    ///
    /// # Errors
    /// If a line can't be understood, or not be read or written.
    fn visit(
        &self,
        agent: &AgentSpec,
        watch: &Watch,
        input: &mut dyn BufRead,
        output: &mut dyn std::io::Write,
    ) -> Result<(), VisitError>;
}

/// The agents of an experiment.
#[derive(Debug, Clone, Copy)]
pub struct Seated<'a> {
    /// Distinct agents, each of which can be made.
    pub agents: &'a [AgentSpec],
    /// What searches ask of the outside.
    pub watch: &'a Watch,
    /// Where the time that they think is added up, if it is.
    pub timing: Option<&'a Timing>,
}

/// Deals, each of which is played once in each rotation.
pub struct SimulationPlan<'a> {
    /// The master seed.
    pub seed: u64,
    /// Matches of a block: which agent sits in each seat.
    pub rotations: Vec<Vec<usize>>,
    /// Writes a row for each match, if wanted.
    pub write: Option<Write<'a>>,
}

/// Deals that are played as in a simulation, with judges of their positions.
pub struct ReliabilityPlan {
    /// The master seed.
    pub seed: u64,
    /// Matches of a block: which agent sits in each seat.
    pub rotations: Vec<Vec<usize>>,
    /// The judges: agents by their numbers, whose planners judge.
    pub judges: Vec<usize>,
    /// Decisions from one position that is judged to the next, at least 1.
    pub every: u32,
}

/// The matches of a study.
pub struct TrialsPlan {
    /// The master seed.
    pub seed: u64,
    /// The choice that is forced.
    pub choice: usize,
    /// The options of it that are compared, in the order of their matches.
    pub options: Vec<usize>,
    /// The matches of a block.
    pub matches: Vec<MatchPlan>,
    /// The sections, one behind the other.
    pub sections: Vec<Section>,
    /// What is noted of matches beside how they end.
    pub noting: Noting,
}

impl TrialsPlan {
    /// Matches that are left alone.
    pub fn plain(seed: u64, matches: Vec<MatchPlan>, sections: Vec<Section>) -> TrialsPlan {
        let (choice, options, noting) = (0, Vec::new(), Noting::Nothing);
        TrialsPlan { seed, choice, options, matches, sections, noting }
    }
}

/// One match.
#[derive(Debug, Clone, Copy)]
pub struct OneMatch<'a> {
    /// Where the luck comes from.
    pub seed: BlockSeed,
    /// Who sits where.
    pub seats: &'a [usize],
    /// The option that is forced, and the choice that it belongs to.
    pub forced: Option<(usize, usize)>,
    /// The places that the first founder is made to take.
    pub founded: &'a [u8],
}

/// A recorded match, and the names of its agents by seat.
pub type RecordedMatch = (Box<dyn PlayedMatch>, Vec<String>);

/// A match that is played for its record.
pub struct RecordPlan<'a> {
    /// The match.
    pub one: OneMatch<'a>,
    /// What the record says of itself.
    pub header: Header,
    /// Its form.
    pub form: Form,
}

/// A game with its rule set and its number of players, by what it can do. Some games can't do what is optional here.
pub trait LoadedGame: Ruled + Plays + Studied + Any {
    /// Learns weights of its planner; nothing if no features stand behind them.
    fn weight_learner(&self) -> Option<Box<dyn LearnsWeights + '_>>;

    /// Learns the net that judges its positions; nothing if it has none.
    fn net_learner(&self) -> Option<Box<dyn LearnsNet + '_>>;
}

/// A game by its rules.
pub trait Ruled: Send + Sync {
    /// Which game it is.
    fn game_type(&self) -> &dyn GameType;

    /// The whole rule set.
    fn rules(&self) -> Table;

    /// The rule set with everything that is never read at this table set to its default.
    fn in_effect(&self) -> Table;

    /// How many players sit at the table.
    fn players(&self) -> u8;

    /// Why these settings are unofficial, if they are.
    fn unofficial(&self) -> Option<&'static str>;

    /// Whether anybody can ever take an option of a choice.
    fn can_be_taken(&self, choice: usize, option: usize) -> bool;

    /// The change of the rule set that would make two options differ, if they do the same now.
    fn alike(&self, choice: usize, options: [usize; 2]) -> Option<String>;

    /// The change of the rule set that leaves a seat one option of a choice only.
    fn restriction(&self, choice: usize, seat: Seat, option: usize) -> Option<String>;

    /// The map that is dealt by some luck, in a game that has one.
    fn map(&self, seed: BlockSeed) -> Option<MapFacts>;

    /// The same in lines of characters.
    fn map_picture(&self, seed: BlockSeed) -> Option<String>;
}

/// A game that agents play.
pub trait Plays: Send + Sync {
    /// Makes agents once, so that faults show.
    ///
    /// # Errors
    /// If one can't be made.
    fn check_agents(&self, agents: &[AgentSpec]) -> Result<(), BadAgent>;

    /// An agent as it is compared with others: without parameters that are what they would be anyway at this table.
    ///
    /// # Errors
    /// If a parameter is unknown or out of range.
    fn settled(&self, agent: &AgentSpec) -> Result<AgentSpec, BadAgent>;

    /// What a guest says of itself; nothing of other agents.
    ///
    /// # Errors
    /// If it can't be reached, or says nothing that can be understood.
    fn greet(&self, guest: &AgentSpec, watch: &Watch) -> Result<Option<Ready>, String>;

    /// The same for a run that is about to play: that it can't be reached is a failure of the guest.
    ///
    /// # Errors
    /// As [`Plays::greet`].
    fn meet(&self, guest: &AgentSpec, watch: &Watch) -> Result<Option<Ready>, String>;

    /// Whether an agent is a planner or searches with one, so that it judges positions by weights.
    ///
    /// # Errors
    /// If it is not, or a parameter is unknown.
    fn check_weights(&self, agent: &AgentSpec) -> Result<(), BadAgent>;

    /// The default parameters of the planner at this table.
    fn default_weights(&self) -> Table;

    /// Plays a match, and writes its record.
    ///
    /// # Errors
    /// If an agent can't be made, or breaks the rules.
    fn record(&self, seated: Seated<'_>, plan: RecordPlan<'_>) -> Result<String, BadMatch>;

    /// Opens a match to people and programs outside.
    ///
    /// # Errors
    /// If an agent can't be made.
    fn open_match(&self, plan: OpenPlan<'_>) -> Result<Box<dyn OpenMatch>, BadAgent>;

    /// Deals matches side by side, of which some seats decide outside.
    ///
    /// # Errors
    /// If an agent can't be made, or decides in another program.
    fn vector(&self, plan: &VectorPlan<'_>) -> Result<Box<dyn MatchVector>, BadAgent>;

    /// Plays a match, to look into its decisions.
    ///
    /// # Errors
    /// If an agent can't be made, or breaks the rules.
    fn played(
        &self,
        seated: Seated<'_>,
        one: OneMatch<'_>,
    ) -> Result<Box<dyn PlayedMatch>, BadMatch>;

    /// One agent in all seats, to be timed.
    fn probe<'a>(
        &'a self,
        agent: &'a AgentSpec,
        watch: &'a Watch,
        seed: u64,
    ) -> Box<dyn Probe + 'a>;
}

/// A game of which blocks are played and counted. Studies of several rule sets have [`GameType::trials`].
pub trait Studied: Send + Sync {
    /// The layout of the counters of `simulate`, for a number of distinct agents.
    fn layout(&self, agents: usize) -> Layout;

    /// The experiment of `simulate`.
    fn simulation<'a>(
        &'a self,
        seated: Seated<'a>,
        plan: SimulationPlan<'a>,
    ) -> Box<dyn Experiment + 'a>;

    /// The experiment of `reliability`.
    ///
    /// # Errors
    /// If a judge is no planner and does not search with one, or is weaker on purpose.
    fn reliability<'a>(
        &'a self,
        seated: Seated<'a>,
        plan: ReliabilityPlan,
    ) -> Result<Box<dyn Experiment + 'a>, BadAgent>;
}

/// A game whose weights can be learned.
pub trait LearnsWeights {
    /// The course of an agent's weights before its first match.
    ///
    /// # Errors
    /// If the agent is no planner.
    fn begin(&self, from: &AgentSpec) -> Result<WeightState, BadAgent>;

    /// Plays the next session of a course, on all cores. Nothing comes of one that is stopped.
    ///
    /// # Errors
    /// If the agent is no planner.
    ///
    /// # Panics
    /// If the state is another game's.
    fn session(
        &self,
        from: &AgentSpec,
        course: &WeightCourse,
        state: &WeightState,
        watch: &Watch,
    ) -> Result<Option<Session<Softmax>>, BadAgent>;

    /// The weights of an agent with what a course has learned.
    ///
    /// # Errors
    /// If the agent is no planner.
    ///
    /// # Panics
    /// If the state is another game's.
    fn learned(&self, from: &AgentSpec, state: &WeightState) -> Result<Table, BadAgent>;
}

/// A game whose net can be learned.
pub trait LearnsNet {
    /// Plays the next session of a course, on all cores. Of one that is stopped only the choices that were kept stay.
    ///
    /// # Errors
    /// If the agent can't be made.
    ///
    /// # Panics
    /// If the state is another game's.
    fn session(
        &self,
        from: &AgentSpec,
        course: &NetCourse,
        state: &NetState,
        watch: &Watch,
        choices: Option<&Arc<Choices>>,
    ) -> Result<Option<Session<NetLearner>>, BadAgent>;
}

/// One agent in all seats, played without the runner.
pub trait Probe {
    /// Plays a match of each of the first blocks, with rules, legal lists and agents alone; returns the time it took.
    fn play_bare(&self, blocks: u64) -> Duration;

    /// Notes the positions that the agent thinks about in the first blocks, and returns how many there are.
    ///
    /// # Errors
    /// If the agent breaks the rules.
    fn note_positions(&mut self, blocks: u64) -> Result<usize, BadMatch>;

    /// Plays raw rollouts from each noted position, continued and judged as a leaf of the search; returns their time.
    ///
    /// # Errors
    /// If the agent does not search.
    fn roll_out(&self, each: u64) -> Result<Duration, BadAgent>;
}

/// The entry of a game in a registry.
pub struct GameEntry<G: Game> {
    /// Agents that were added to those of the game.
    pub(super) added: Arc<[AddedAgent<G>]>,
}

impl<G: Game> GameEntry<G> {
    /// The game as it is.
    pub fn new() -> GameEntry<G> {
        GameEntry { added: Arc::new([]) }
    }

    /// The same with a kind of agent more, which every command then knows.
    #[must_use]
    pub fn with_agent(self, agent: AddedAgent<G>) -> GameEntry<G> {
        GameEntry { added: self.added.iter().cloned().chain([agent]).collect() }
    }
}

impl<G: Game> Default for GameEntry<G> {
    fn default() -> GameEntry<G> {
        GameEntry::new()
    }
}

impl<G: Game> Clone for GameEntry<G> {
    fn clone(&self) -> GameEntry<G> {
        GameEntry { added: Arc::clone(&self.added) }
    }
}
