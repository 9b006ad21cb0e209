//! The words of `diagnose` and `reliability`.

use crate::cli::running::{RuleChoice, Running};
use crate::words::numbers;
use clap::Args;

/// What a rule set is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Against {
    /// The game's own
    BaseRules,
}

/// `diagnose`.
#[derive(Debug, Args)]
pub struct Diagnose {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Levels of play, the weakest first, separated by commas; the last one plays what is looked into. If not given,
    /// the game's levels easy and hard, and heuristic
    #[arg(long, value_name = "LIST")]
    pub levels: Option<String>,
    /// Also look into the game's own rules on the same deals, and say what the change does
    #[arg(long, value_name = "RULES")]
    pub against: Option<Against>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Blocks to play, such as 2000 or 50k: each is a deal with the matches that are looked into, and those of the levels
    #[arg(long, default_value = "1k", value_parser = numbers::count)]
    pub blocks: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `reliability`.
#[derive(Debug, Args)]
pub struct Reliability {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Agents by seat, separated by commas; one agent fills all seats
    #[arg(long, default_value = "heuristic")]
    pub agents: String,
    /// Players at the table; as many as agents if several are given, else 4, or what the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Who judges, separated by commas: `heuristic` (its weights) or `mcts` (its leaf evaluator)
    #[arg(long, default_value = "heuristic")]
    pub judges: String,
    /// Evaluate every N-th decision
    #[arg(long, default_value = "5", value_name = "DECISIONS")]
    pub every: u32,
    /// Matches to play, such as 2000, 20,000, 1.5k or 3m; rounded up to whole blocks
    #[arg(long, default_value = "4k", value_parser = numbers::count)]
    pub matches: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}
