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
    #[arg(long, value_parser = numbers::threads, allow_negative_numbers = true)]
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
    /// Directories of all parts, in any order
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

/// `verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// The run's directory
    pub run: PathBuf,
    /// Blocks to play again, at least; whole chunks are played
    #[arg(long, default_value = "100", value_parser = numbers::count, allow_negative_numbers = true)]
    pub sample: u64,
    /// Seed of the sample
    #[arg(long, default_value = "1", value_parser = numbers::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads; all cores if not given
    #[arg(long, value_parser = numbers::threads, allow_negative_numbers = true)]
    pub threads: Option<usize>,
}

/// `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// The run's directory; with --check the record, - for standard input
    #[arg(value_name = "RUN|FILE")]
    pub run: PathBuf,
    /// The match: BLOCK.MATCH, both from 0
    #[arg(required_unless_present = "check")]
    pub id: Option<String>,
    /// How the match is printed, text if not given; with --check how it is written, jsonl if not given
    #[arg(long)]
    pub format: Option<RecordForm>,
    /// Check a record instead: does it keep the rules, and if not, where does it break them
    #[arg(long, conflicts_with = "id")]
    pub check: bool,
}

/// How a match is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordForm {
    /// For people; can't be checked
    Text,
    /// JSON Lines, one match, as docs/records.md describes
    Jsonl,
    /// Matches of base CATAN recorded from Catanatron (docs/conformance.md); can only be checked
    Catanatron,
}
