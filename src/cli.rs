//! The command line's words, and nothing else.

use clap::Args;
use clap::Parser;
use clap::Subcommand;
use clap::ValueEnum;
use std::path::PathBuf;

/// A Monte Carlo laboratory for the CATAN family of games.
#[derive(Debug, Parser)]
#[command(name = "fairhaven", version, about, max_term_width = 100)]
pub struct Cli {
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
    /// Measure matches and decisions a second, by agent
    Bench(Bench),
    /// Print a match of a run, or check a recorded match
    #[command(after_help = "Examples: fairhaven replay out/b 12345.0 --format jsonl\n          \
        fairhaven replay --check match.jsonl")]
    Replay(Replay),
    /// List the games
    Games,
    /// List agents, strategies and what their parameters mean
    Agents {
        /// The game whose agents to list
        #[arg(default_value = "on-the-road")]
        game: String,
    },
    /// Print a game's rule set as TOML, each field with its clause
    Rules(Rules),
    /// Print the JSON Schema of a file of a run
    Schema {
        /// A file without its ending, such as cards; none lists them
        file: Option<String>,
    },
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// The rules to play by.
#[derive(Debug, Args)]
pub struct RuleChoice {
    /// The game, such as on-the-road
    pub game: String,
    /// A TOML file with fields of the rule set
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// A field of the rule set, such as side=b or metropolis.cost.wool=2; may be repeated
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    pub sets: Vec<String>,
}

/// `simulate`.
#[derive(Debug, Args)]
pub struct Simulate {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Agents by seat, parted by commas; one agent fills all seats
    #[arg(long, default_value = "heuristic")]
    pub agents: String,
    /// Players at the table; as many as agents if several are given, else 4
    #[arg(long)]
    pub players: Option<u8>,
    /// Matches to play, such as 2000, 50k or 3m; rounded up to whole blocks
    #[arg(long, default_value = "20k")]
    pub matches: String,
    /// Master seed: the same seed plays the same matches
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all cores if not given. Results never depend on it
    #[arg(long)]
    pub threads: Option<usize>,
    /// Directory for the tables; none prints the summary only
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace an earlier run in that directory
    #[arg(long)]
    pub force: bool,
    /// Also write a row for each match
    #[arg(long, value_name = "FORM")]
    pub rows: Option<RowForm>,
    /// How the summary is printed
    #[arg(long, default_value = "text")]
    pub format: SummaryForm,
    /// Print no summary and no progress
    #[arg(long)]
    pub quiet: bool,
    /// Allow the oracle, which sees all hands
    #[arg(long)]
    pub allow_oracle: bool,
}

/// How rows of matches are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowForm {
    /// matches.csv
    Csv,
    /// matches.csv.zst
    Zst,
}

/// How a summary is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SummaryForm {
    /// For the terminal
    Text,
    /// For documents
    Markdown,
}

/// `bench`.
#[derive(Debug, Args)]
pub struct Bench {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Agents to measure, parted by commas
    #[arg(long, default_value = "builder,drifter,random,greedy,heuristic,mcts:iterations=100")]
    pub agents: String,
    /// Players at the table
    #[arg(long, default_value_t = 4)]
    pub players: u8,
    /// Seconds for each agent, on one thread and on all
    #[arg(long, default_value_t = 2.0)]
    pub seconds: f64,
    /// Master seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads for the second figure; all cores if not given
    #[arg(long)]
    pub threads: Option<usize>,
    /// Keep the figures under this name in .fairhaven/bench
    #[arg(long, value_name = "NAME")]
    pub save: Option<String>,
    /// Compare with the figures kept under this name; exit 1 if slower than noise allows
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
}

/// `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// The run's directory
    #[arg(required_unless_present = "check")]
    pub run: Option<PathBuf>,
    /// The match: BLOCK.MATCH, both from 0
    #[arg(required_unless_present = "check")]
    pub id: Option<String>,
    /// How the match is printed
    #[arg(long, default_value = "text")]
    pub format: RecordForm,
    /// Check a recorded match instead: JSON Lines, - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["run", "id"])]
    pub check: Option<PathBuf>,
}

/// How a match is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordForm {
    /// For people
    Text,
    /// JSON Lines, as docs/records.md describes
    Jsonl,
}

/// `rules`.
#[derive(Debug, Args)]
pub struct Rules {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
}
