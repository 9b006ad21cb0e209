//! The words of commands about existing runs and records.

use crate::cli::printing::Printing;
use crate::words::numbers;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `resume`.
#[derive(Debug, Args)]
pub struct Resume {
    /// The run's directory, as it was given with --out
    pub run: PathBuf,
    /// Threads; all cores if not given
    #[arg(long, value_parser = numbers::threads)]
    pub threads: Option<usize>,
    /// What is printed
    #[command(flatten)]
    pub printing: Printing,
    /// Seconds between two saved states
    #[arg(long, value_name = "SECONDS", default_value_t = 5, hide = true)]
    pub save_every: u64,
}

/// `merge`.
#[derive(Debug, Args)]
pub struct Merge {
    /// Directories of all parts, in any order; for waves, also that of the run so far
    #[arg(required = true)]
    pub parts: Vec<PathBuf>,
    /// Directory for the whole run
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace an earlier run in that directory
    #[arg(long)]
    pub force: bool,
    /// A threshold on the tables; may be repeated
    #[arg(long, value_name = "THRESHOLD")]
    pub require: Vec<String>,
    /// What is printed
    #[command(flatten)]
    pub printing: Printing,
}

/// `status`.
#[derive(Debug, Args)]
pub struct Status {
    /// Directories of runs or parts, also of those that are being played; or directories that hold some
    #[arg(required = true, value_name = "DIR")]
    pub runs: Vec<PathBuf>,
    /// Print JSON in place of text; docs/long-runs.md describes it
    #[arg(long)]
    pub json: bool,
}

/// `analyze`.
#[derive(Debug, Args)]
pub struct Analyze {
    /// The run's directory; its tables are replaced
    pub run: PathBuf,
    /// A threshold on the tables instead of the run's own; may be repeated
    #[arg(long, value_name = "THRESHOLD")]
    pub require: Vec<String>,
    /// What is printed
    #[command(flatten)]
    pub printing: Printing,
}

/// `report`.
#[derive(Debug, Args)]
pub struct Report {
    /// Directories of the runs, each a section of the page in this order
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// The page: one file of HTML that needs nothing else
    #[arg(long, short, value_name = "FILE", required_unless_present = "svg")]
    pub output: Option<PathBuf>,
    /// Title of the page; what was played, if not given
    #[arg(long, value_name = "TITLE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub title: Option<String>,
    /// Also write each picture as an SVG file into this directory
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long)]
    pub force: bool,
}

/// `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The run's directory
    pub run: PathBuf,
    /// Minimum number of blocks to replay; whole chunks are played
    #[arg(long, default_value = "100", value_parser = numbers::count)]
    pub sample: u64,
    /// Seed of the sample; with one of your own, nobody can know beforehand which blocks are replayed
    #[arg(long, default_value = "1", value_parser = numbers::seed)]
    pub seed: u64,
    /// Threads; all cores if not given
    #[arg(long, value_parser = numbers::threads)]
    pub threads: Option<usize>,
}

/// `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// The run's directory; or a match record, which is printed or checked, - for standard input
    #[arg(value_name = "RUN|FILE")]
    pub run: PathBuf,
    /// The match of a run: BLOCK.MATCH, both from 0
    pub id: Option<String>,
    /// How the match is printed, text if not given; with --check how it is written, jsonl if not given
    #[arg(long)]
    pub format: Option<RecordForm>,
    /// Check a record instead: does it keep the rules, and if not, where does it break them
    #[arg(long, conflicts_with = "id")]
    pub check: bool,
}

/// `explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// The run's directory; or a match record as `replay --format jsonl` writes it, - for standard input
    #[arg(value_name = "RUN|FILE")]
    pub run: PathBuf,
    /// The match of a run: BLOCK.MATCH, both from 0
    pub id: Option<String>,
    /// The decision to explain, by its number from 0; without it, the decisions are listed
    #[arg(long, value_name = "K", conflicts_with = "mistakes")]
    pub decision: Option<usize>,
    /// The agent that is asked about it; if not given, the one that decided, or mcts if that has no opinions
    #[arg(long, value_name = "AGENT", requires = "decision")]
    pub agent: Option<String>,
    /// List the decisions of a match, or of a run, that cost win probability
    #[arg(long)]
    pub mistakes: bool,
    /// The search that judges them; mcts:iterations=2000 if not given
    #[arg(long, value_name = "AGENT", requires = "mistakes")]
    pub judge: Option<String>,
    /// Matches of a run to look at, from its first block on; 10 if not given
    #[arg(long, requires = "mistakes", value_parser = numbers::count)]
    pub matches: Option<u64>,
    /// Mistakes to print; --format json has all
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub top: usize,
    /// Number of independent searches behind each interval
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub searches: u32,
    /// Seed of the searches
    #[arg(long, default_value = "1", value_parser = numbers::seed)]
    pub seed: u64,
    /// Threads; all cores if not given
    #[arg(long, value_parser = numbers::threads)]
    pub threads: Option<usize>,
    /// Let the agent that is asked be an oracle, which sees all hands
    #[arg(long)]
    pub allow_oracle: bool,
    /// How the answer is printed
    #[arg(long, default_value = "text")]
    pub format: ExplainForm,
    /// Print no progress
    #[arg(long)]
    pub quiet: bool,
}

/// `export`.
#[derive(Debug, Args)]
pub struct Export {
    /// The run's directory
    pub run: PathBuf,
    /// The file: decisions.jsonl, decisions.jsonl.zst to compress it, or decisions.parquet if the program was built
    /// with `--features parquet`. It must not exist yet
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write the rows of the run (matches.csv) instead of decisions
    #[arg(long, conflicts_with_all = ["every", "matches", "threads"])]
    pub rows: bool,
    /// Write every N-th decision of a match
    #[arg(long, value_name = "DECISIONS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Matches of the run that are written, the first ones, such as 500 or 20k; all if not given
    #[arg(long, value_parser = numbers::count)]
    pub matches: Option<u64>,
    /// Threads; all cores if not given
    #[arg(long, value_parser = numbers::threads)]
    pub threads: Option<usize>,
    /// Print no progress
    #[arg(long)]
    pub quiet: bool,
}

/// How an explanation is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplainForm {
    /// For people
    Text,
    /// For programs: one object, as docs/explain.md describes
    Json,
}

/// How a match is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordForm {
    /// For people; can't be checked
    Text,
    /// JSON Lines, one match, as docs/records.md describes
    Jsonl,
    /// JSON Lines, each decision with its legal list and what the seat saw; can't be checked
    Questions,
    /// Matches of base CATAN recorded from Catanatron (docs/conformance.md); can only be checked
    Catanatron,
}
