//! The words of the command line, and nothing else.

pub mod commands;
pub mod clock;
pub(crate) mod maps;
pub(crate) mod outside;
pub(crate) mod misused;
pub(crate) mod plain;
pub(crate) mod printing;
pub(crate) mod running;
pub(crate) mod runs;
pub(crate) mod questions;
pub(crate) mod searches;
pub(crate) mod terminal;
pub(crate) mod values;
pub(crate) mod widths;

use crate::cli::outside::{CheckAgent, Guest, Play, Watch};
use crate::cli::questions::{Diagnose, Reliability};
use crate::cli::running::{RuleChoice, Running};
use crate::cli::runs::{Analyze, Explain, Export, Merge, Replay, Report, Resume, Status, Verify};
use crate::cli::searches::{Adapt, Levels, Solve, Tune};
use crate::cli::widths::{elo_width, width};
use crate::lab::questions::studies::duel::Seatings;
use crate::lab::questions::studies::options::Estimand;
use crate::lab::report::manifest::RowForm;
use crate::words::numbers;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// A Monte Carlo laboratory for the CATAN family of games.
#[derive(Debug, Parser)]
#[command(name = "fairhaven", version, about, max_term_width = terminal::MOST.into())]
pub struct Cli {
    /// Start programs that a run or a record names, as if they were named here
    #[arg(long, global = true, hide = true)]
    pub allow_exec: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play seeded matches and write tables with intervals
    #[command(
        after_help = "Example: fairhaven simulate on-the-road --agents heuristic --players 4 \
        --set side=b --matches 100k --seed 7 --out out/b"
    )]
    Simulate(Simulate),
    /// Is agent A stronger than B? Or: what does a change of rules do?
    #[command(after_help = "Examples: fairhaven compare on-the-road heuristic greedy\n          \
        fairhaven compare on-the-road --rules-b metropolis.cost.wool=2 --matches 50k")]
    Compare(Compare),
    /// Who is the strongest of several agents, and by how much?
    #[command(
        after_help = "Examples: fairhaven tournament base greedy heuristic surveyor random --blocks 2000\n          \
        fairhaven tournament on-the-road heuristic greedy mine.toml --players 3 --until ci=20elo\n          \
        fairhaven tournament on-the-road mine.toml heuristic greedy builder random --gauntlet\n          \
        fairhaven tournament on-the-road --onto out/old --add mine.toml --out out/new"
    )]
    Tournament(Tournament),
    /// What stands out in a game? The first question about one
    #[command(after_help = "Examples: fairhaven diagnose on-the-road\n          \
        fairhaven diagnose base --set points_to_win=12 --out out/twelve")]
    Diagnose(Diagnose),
    /// What a choice, a card or a field of the rule set does, by intervention
    #[command(
        after_help = "Examples: fairhaven balance on-the-road --choice metropolis --set side=b\n          \
        fairhaven balance on-the-road --factor metropolis.cost.wool=3,2 --factor robber.hand_limit=7,5"
    )]
    Balance(Balance),
    /// A field of the rule set, or an agent's parameter, over a range
    #[command(
        after_help = "Examples: fairhaven sweep on-the-road --field metropolis.cost.wool --values 1..5\n          \
        fairhaven sweep on-the-road --agents heuristic,greedy,greedy,greedy --param haste \
        --values 0..1/5\n          \
        fairhaven sweep base --players 3,4"
    )]
    Sweep(Sweep),
    /// Which defaults matter? Each one is moved by a step either way
    Sensitivity(Sensitivity),
    /// How much of a result is skill, seat, deal and luck
    #[command(
        after_help = "Examples: fairhaven luck base --agents heuristic,greedy,surveyor,random\n          \
        fairhaven luck on-the-road --agents heuristic --blocks 5k --out out/luck"
    )]
    Luck(Luck),
    /// Are win probabilities calibrated? Compare what agents say of positions with who won
    #[command(after_help = "Examples: fairhaven reliability base --matches 4k\n          \
        fairhaven reliability on-the-road --judges heuristic,mcts,mine.toml --agents mcts:iterations=100")]
    Reliability(Reliability),
    /// Learn a planner's weights, or a net, from an agent's matches against itself
    #[command(
        after_help = "Examples: fairhaven learn base --matches 20k --out out/learn\n          \
        fairhaven compare base out/learn/learned.toml heuristic\n          \
        fairhaven learn base --net --out out/net\n          \
        fairhaven compare base mcts:net=out/net/net.toml mcts"
    )]
    Learn(searches::Learn),
    /// Find the parameter at which an agent wins a given share of matches, and certify it
    #[command(
        after_help = "Examples: fairhaven levels on-the-road --against heuristic --rates 15,25,35 --out out/levels\n          \
        fairhaven levels base --agent mcts --param iterations=2..500 --rates 30"
    )]
    Levels(Levels),
    /// Find parameters with which an agent wins more, and prove it
    #[command(
        after_help = "Examples: fairhaven tune on-the-road heuristic --param haste=0..4 --param fog=0.5..5 --out out/tuned\n          \
        fairhaven tune base mcts:iterations=20 --param exploration=0.1..3 --against heuristic --matches 10k"
    )]
    Tune(Tune),
    /// Find the smallest change of rules that makes options worth the same
    #[command(
        after_help = "Examples: fairhaven solve on-the-road --set side=b --choice metropolis \\\n          \
        --fields metropolis.roads.extra.brick=0..2,metropolis.knights.extra.ore=0..1 --out out/solved\n          \
        fairhaven solve on-the-road --set side=b --choice metropolis --fields metropolis.cost,knight.cost \\\n          \
        --target 'spread < 2pp' --adapt haste=0..2"
    )]
    Solve(Solve),
    /// Maps: deal and draw them, judge their places, make fair ones
    #[command(subcommand)]
    Map(maps::Map),
    /// Resume a run that was stopped
    Resume(Resume),
    /// Join the parts of a run
    #[command(after_help = "Examples: fairhaven merge out/part-* --out out/whole\n          \
        fairhaven merge out/run out/wave-2/part-* --out out/run --force")]
    Merge(Merge),
    /// How far runs and parts are, what is missing, and how long it will take
    #[command(after_help = "Examples: fairhaven status out/b\n          \
        fairhaven status out/parts --json")]
    Status(Status),
    /// Rebuild the tables of a run from its saved sums, without playing
    Analyze(Analyze),
    /// Make a page with pictures of one or more runs
    #[command(after_help = "Examples: fairhaven report out/b --output b.html\n          \
        fairhaven report out/forced out/price -o both.html --svg slides")]
    Report(Report),
    /// Check a run's files and tables, and replay a random sample of its blocks
    Verify(Verify),
    /// Measure matches and decisions per second, by agent
    Bench(Bench),
    /// Print a match of a run, or check a recorded match
    #[command(after_help = "Examples: fairhaven replay out/b 12345.0 --format jsonl\n          \
        fairhaven replay --check match.jsonl\n          \
        xz -dc matches.jsonl.xz | fairhaven replay --check --format catanatron -")]
    Replay(Replay),
    /// Why did an agent choose as it did, and which decisions were mistakes?
    #[command(after_help = "Examples: fairhaven explain out/b 12345.0\n          \
        fairhaven explain out/b 12345.0 --decision 17 --agent mcts:iterations=5000\n          \
        fairhaven explain out/b --mistakes --matches 20\n          \
        fairhaven explain match.jsonl --mistakes --judge mcts:iterations=500")]
    Explain(Explain),
    /// Write the decisions of a run's matches as a file to learn from
    #[command(after_help = "Examples: fairhaven export out/b -o decisions.jsonl.zst\n          \
        fairhaven export out/b -o decisions.jsonl --every 5 --matches 1000")]
    Export(Export),
    /// Sit down and play against our agents
    #[command(after_help = "Example: fairhaven play base --seat 2 --agents easy --page")]
    Play(Play),
    /// Watch a match on a page in the browser
    Watch(Watch),
    /// Play at another program's table, by the protocol of guests
    #[command(after_help = "Example: fairhaven guest base --agent mcts:iterations=200")]
    Guest(Guest),
    /// Does a program keep the protocol of guests, and play the same match again?
    #[command(after_help = "Example: fairhaven check-agent 'python3 bot.py' --game base")]
    CheckAgent(CheckAgent),
    /// List the games
    Games,
    /// List agents, strategies and what their parameters mean
    Agents {
        /// The game whose agents to list
        #[arg(default_value = "on-the-road")]
        game: String,
        /// All parameters with their defaults and ranges, and where strategies come from
        #[arg(long)]
        full: bool,
    },
    /// Print a game's rule set as TOML, each field with its clause
    Rules(Rules),
    /// Print the JSON Schema of a file of a run, or of the lines of guests
    Schema {
        /// A file name without its extension, such as cards, or protocol; if omitted, all are listed
        file: Option<String>,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page, or write those of all commands
    #[command(after_help = "Examples: fairhaven man balance | man -l -\n          \
        fairhaven man --out ~/.local/share/man/man1")]
    Man {
        /// A command such as balance; if omitted, the program's own page
        command: Option<String>,
        /// Write a page for each command into this directory
        #[arg(long, value_name = "DIR", conflicts_with = "command")]
        out: Option<PathBuf>,
    },
}

/// `simulate`.
#[derive(Debug, Args)]
pub struct Simulate {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Agents by seat, separated by commas; one agent fills all seats
    #[arg(long, default_value = "heuristic")]
    pub agents: String,
    /// Players at the table; as many as agents if several are given, else 4, or what the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Matches to play, such as 2000, 20,000, 1.5k or 3m; rounded up to whole blocks
    #[arg(long, default_value = "20k", value_parser = numbers::count)]
    pub matches: u64,
    /// Also write a row for each match
    #[arg(long, value_name = "FORM")]
    pub rows: Option<RowForm>,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `compare`.
#[derive(Debug, Args)]
pub struct Compare {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Agent A
    #[arg(value_name = "A", requires = "agent_b", conflicts_with = "adapt")]
    pub agent_a: Option<String>,
    /// Agent B
    #[arg(value_name = "B")]
    pub agent_b: Option<String>,
    /// Rules A: a TOML file, or field=value on top of the rules; may be repeated
    #[arg(long, value_name = "FILE|FIELD=VALUE", conflicts_with = "agent_a")]
    pub rules_a: Vec<String>,
    /// Rules B: a TOML file, or field=value on top of the rules; may be repeated
    #[arg(long, value_name = "FILE|FIELD=VALUE", conflicts_with = "agent_a")]
    pub rules_b: Vec<String>,
    /// Agents by seat when rules are compared; one agent fills all seats; heuristic if not given
    #[arg(long, conflicts_with = "agent_a")]
    pub agents: Option<String>,
    /// When rules are compared: play both with these agents in all seats as well, separated by commas, such as
    /// easy,hard: does the answer hold for who plays worse or better? These two if no agent is named, else none
    #[arg(long, value_name = "AGENTS", conflicts_with = "agent_a")]
    pub levels: Option<String>,
    /// When rules are compared: play B with this agent, which has adapted to it, as well: out/tuned/tuned.toml
    #[arg(long, value_name = "AGENT", conflicts_with_all = ["agent_a", "adapt"])]
    pub adapted: Option<String>,
    /// Who adapts to rules B
    #[command(flatten)]
    pub adapt: Adapt,
    /// Players at the table; as many as agents if several are given, else 4, or what the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Who sits with whom when agents are compared
    #[arg(long, default_value = "even", requires = "agent_a")]
    pub line_ups: Seatings,
    /// Matches to play; 40k for each level of play if not given. When comparing agents, the maximum, since the run
    /// stops by itself
    #[arg(long, value_parser = numbers::count)]
    pub matches: Option<u64>,
    /// Null hypothesis: A's win share minus B's
    #[arg(long, default_value = "0pp", value_name = "SHARE", value_parser = numbers::share, requires = "agent_a")]
    pub win0: f64,
    /// Alternative hypothesis: A's win share minus B's
    #[arg(long, default_value = "2pp", value_name = "SHARE", value_parser = numbers::share, requires = "agent_a")]
    pub win1: f64,
    /// The null hypothesis in Elo instead
    #[arg(long, requires_all = ["elo1", "agent_a"], conflicts_with = "win0")]
    pub elo0: Option<f64>,
    /// The alternative in Elo instead
    #[arg(long, requires_all = ["elo0", "agent_a"], conflicts_with = "win1")]
    pub elo1: Option<f64>,
    /// Probability of accepting the alternative when the null holds
    #[arg(long, default_value = "5%", value_name = "SHARE", value_parser = numbers::share, requires = "agent_a")]
    pub alpha: f64,
    /// Probability of accepting the null when the alternative holds
    #[arg(long, default_value = "5%", value_name = "SHARE", value_parser = numbers::share, requires = "agent_a")]
    pub beta: f64,
    /// Blocks between two looks at the data; 1 for agents that search, else 4
    #[arg(long, value_name = "BLOCKS", value_parser = numbers::count, requires = "agent_a")]
    pub look: Option<u64>,
    /// For agents: by how much? Stop when the interval of the difference is within this on either side, such
    /// as ci=2pp, instead of where the test decides
    #[arg(long, value_name = "ci=WIDTH", value_parser = width, requires = "agent_a")]
    pub until: Option<f64>,
    /// For agents: also show the difference minus the luck of draws and rolls, which has a narrower interval
    #[arg(long, requires = "agent_a")]
    pub less_luck: bool,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `tournament`.
#[derive(Debug, Args)]
pub struct Tournament {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The agents, two at least; with --gauntlet the one that meets all others comes first
    #[arg(value_name = "AGENT", required_unless_present = "onto", conflicts_with = "onto")]
    pub agents: Vec<String>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// A tournament that new agents join: only their line-ups are played, with its rules, seed and blocks
    #[arg(
        long = "onto",
        value_name = "RUN",
        requires_all = ["add", "out"],
        conflicts_with_all = ["rules", "seed", "sets", "players", "blocks", "anchor", "gauntlet", "until", "shard", "wave"]
    )]
    pub onto: Option<PathBuf>,
    /// An agent that joins it; may be repeated
    #[arg(long, value_name = "AGENT", requires = "onto")]
    pub add: Vec<String>,
    /// Blocks to play, such as 500 or 20k; 1k if not given. Each has all line-ups on one deal. With --until the
    /// maximum; 10m if not given
    #[arg(long, value_parser = numbers::count)]
    pub blocks: Option<u64>,
    /// The agent whose rating is 0; greedy if it plays, else the first
    #[arg(long, value_name = "AGENT")]
    pub anchor: Option<String>,
    /// The first agent sits at every table, with groups of the others
    #[arg(long)]
    pub gauntlet: bool,
    /// Stop when the interval of every rating is within this to either side, such as ci=20elo
    #[arg(long, value_name = "ci=WIDTH", value_parser = elo_width)]
    pub until: Option<f64>,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `balance`.
#[derive(Debug, Args)]
pub struct Balance {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The choice whose options are compared; a game without one takes --factor
    #[arg(long, value_name = "CHOICE")]
    pub choice: Option<String>,
    /// A field of the rule set with a low and a high value; may be repeated, for a factorial design
    #[arg(long = "factor", value_name = "FIELD=FIRST,SECOND", conflicts_with = "choice")]
    pub factors: Vec<String>,
    /// What is played for a choice, separated by commas; all if not given. forced: each option at the first
    /// choice of a match; removed: each option out of the rules; restricted: one seat with one option
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "factors")]
    pub estimands: Vec<Estimand>,
    /// Who plays in all seats; several levels of play, separated by commas, such as easy,hard,expert, each in turn:
    /// does the answer hold for who plays worse or better? easy,hard,heuristic if not given
    #[arg(long, value_name = "AGENTS")]
    pub levels: Option<String>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Who adapts to the rules; with several --levels nobody can
    #[command(flatten)]
    pub adapt: Adapt,
    /// Blocks to play, such as 2000 or 50k; 20k if not given: each is a deal with all matches that are compared on it.
    /// With --until the maximum; 10m if not given
    #[arg(long, value_parser = numbers::count)]
    pub blocks: Option<u64>,
    /// Effects up to this count as balanced, such as 1pp
    #[arg(long, default_value = "1pp", value_parser = numbers::share)]
    pub margin: f64,
    /// Stop when every interval is within this to either side of its estimate, such as ci=0.2pp
    #[arg(long, value_name = "ci=WIDTH", value_parser = width)]
    pub until: Option<f64>,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `sweep`.
#[derive(Debug, Args)]
pub struct Sweep {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Rule-set field to vary
    #[arg(long, value_name = "FIELD")]
    pub field: Option<String>,
    /// Or a parameter of the first agent to vary
    #[arg(long, value_name = "KEY", conflicts_with = "field")]
    pub param: Option<String>,
    /// Its values: 1,2,3 or 1..5 or 0..1/5 (five evenly spaced); the first is what the others are
    /// compared with
    #[arg(long)]
    pub values: Option<String>,
    /// Agents by seat; one agent fills all seats
    #[arg(long, default_value = "heuristic")]
    pub agents: String,
    /// Players at the table; as many as agents if several are given, else 4, or what the game takes. Or, to vary it:
    /// tables of several sizes, such as 3,4 or 3..6, with one agent in all seats
    #[arg(long, value_name = "N|N,N")]
    pub players: Option<String>,
    /// Blocks to play, such as 2000 or 50k
    #[arg(long, default_value = "10k", value_parser = numbers::count)]
    pub blocks: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `sensitivity`.
#[derive(Debug, Args)]
pub struct Sensitivity {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Move every field, not only those that the rules' text leaves open
    #[arg(long)]
    pub all: bool,
    /// Agents by seat; one agent fills all seats
    #[arg(long, default_value = "heuristic")]
    pub agents: String,
    /// Players at the table; as many as agents if several are given, else 4, or what the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Blocks to play, such as 2000 or 50k
    #[arg(long, default_value = "10k", value_parser = numbers::count)]
    pub blocks: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `luck`.
#[derive(Debug, Args)]
pub struct Luck {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Agents by seat; with one agent in all seats the skill share is 0
    #[arg(long, default_value = "heuristic")]
    pub agents: String,
    /// Players at the table; as many as agents if several are given, else 4, or what the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// How often each rotation of a deal is played, each time with other luck after the deal; 2 to 64
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u16).range(2..=64))]
    pub repeats: u16,
    /// Blocks to play, such as 2000 or 50k: each is a deal, played --repeats times in each rotation
    #[arg(long, default_value = "2k", value_parser = numbers::count)]
    pub blocks: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `bench`.
#[derive(Debug, Args)]
pub struct Bench {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Agents to measure, separated by commas; all kinds, mcts with 100 iterations, if not given
    #[arg(long)]
    pub agents: Option<String>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Seconds for each agent, on one thread and on all
    #[arg(long, default_value_t = 2.0)]
    pub seconds: f64,
    /// Master seed
    #[arg(long, default_value = "1", value_parser = numbers::seed)]
    pub seed: u64,
    /// Threads for the second figure; all cores if not given
    #[arg(long, value_parser = numbers::threads)]
    pub threads: Option<usize>,
    /// Keep the figures under this name in .fairhaven/bench
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Compare with the figures kept under this name; exit 1 if slower than noise allows
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Print JSON in place of tables: all figures, and every round; docs/bench.md describes it
    #[arg(long)]
    pub json: bool,
}

/// `rules`.
#[derive(Debug, Args)]
pub struct Rules {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
}
