//! The words that every command which plays takes: the rules, and how it is run.

use crate::cli::printing::Printing;
use crate::lab::report::manifest::{PARTS_MAX, Shard};
use crate::words::numbers;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The rules to play by.
#[derive(Debug, Clone, Args)]
pub struct RuleChoice {
    /// The game, such as on-the-road
    pub game: String,
    /// A TOML file with fields of the rule set
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
    /// A field of the rule set, such as side=b or metropolis.cost.wool=2; may be repeated. Entries of a price that are not
    /// named stay as they are
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    pub sets: Vec<String>,
}

/// What every command that plays takes.
#[derive(Debug, Clone, Args)]
pub struct Running {
    /// Master seed: the same seed plays the same matches
    #[arg(long, default_value = "1", value_parser = numbers::seed)]
    pub seed: u64,
    /// Threads; all cores if not given. Results don't depend on it, unless agents search by time
    #[arg(long, value_parser = numbers::threads)]
    pub threads: Option<usize>,
    /// Threads for each decision of a search that has several `trees`. Results don't depend on it, unless agents search by time
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::threads)]
    pub think_threads: usize,
    /// Directory for the tables; without it only the answer is printed
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace an earlier run in that directory
    #[arg(long)]
    pub force: bool,
    /// Play only part K of N, for `merge`
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Play only wave K of a sequential run or a search; `merge` evaluates it
    #[arg(long, value_name = "K", value_parser = numbers::count, requires_all = ["wave_blocks", "out"])]
    pub wave: Option<u64>,
    /// Blocks of each wave, such as 4k; an upper bound for searches, where a wave ends with its stage
    #[arg(long, value_name = "BLOCKS", value_parser = numbers::count, requires = "wave")]
    pub wave_blocks: Option<u64>,
    /// The merged run that wave K follows, as `merge` wrote it; required for searches after wave 1
    #[arg(long, value_name = "RUN", requires = "wave")]
    pub after: Option<PathBuf>,
    /// If a guest fails: stop the run, or count that match as lost for the guest
    #[arg(long, value_enum, value_name = "WHAT", default_value = "stop")]
    pub on_fault: OnFault,
    /// The share of matches above which failures stop the run all the same
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = numbers::share)]
    pub fault_share: f64,
    /// A threshold on the tables, such as 'seats.win_rate.max - seats.win_rate.min < 2pp'; exit code 1
    /// if it fails; may be repeated
    #[arg(long, value_name = "THRESHOLD")]
    pub require: Vec<String>,
    /// What is printed
    #[command(flatten)]
    pub printing: Printing,
    /// Seconds between two saved states
    #[arg(long, value_name = "SECONDS", default_value_t = 5, hide = true)]
    pub save_every: u64,
    /// Allow the oracle, which sees all hands
    #[arg(long)]
    pub allow_oracle: bool,
}

/// What a failure of a guest does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnFault {
    /// It stops the run
    Stop,
    /// The guest has lost the match
    Loss,
}

fn shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/');
    let parsed = parts.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    let Some((part, parts)) = parsed else { return Err("write K/N, such as 3/64".to_owned()) };
    let shard = Shard { part, parts };
    if shard.is_in_range() {
        Ok(shard)
    } else {
        Err(format!("K must be 1 to N, N at most {PARTS_MAX}"))
    }
}
