//! The words of commands about players from outside.

use crate::words::numbers;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `guest`.
#[derive(Debug, Args)]
pub struct Guest {
    /// The game, such as on-the-road
    pub game: String,
    /// The agent that plays
    #[arg(long, default_value = "heuristic")]
    pub agent: String,
    /// What the other program speaks
    #[arg(long, value_enum, default_value = "fairhaven")]
    pub dialect: Dialect,
}

/// What programs say to each other: `docs/protocol.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    /// Our own protocol
    Fairhaven,
    /// That of Catanatron, for base CATAN
    Catanatron,
}

/// `check-agent`.
#[derive(Debug, Args)]
pub struct CheckAgent {
    /// The program and its arguments in quotes, or a strategy file of the kind `exec`
    #[arg(value_name = "COMMAND")]
    pub agent: String,
    /// One game; all that the program plays if not given
    #[arg(long)]
    pub game: Option<String>,
    /// Matches of every table size, each of which is played several times
    #[arg(long, default_value = "100", value_parser = numbers::count, allow_negative_numbers = true)]
    pub matches: u64,
    /// A strategy file to write, which says that the program was checked
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// How the findings are printed
    #[arg(long, default_value = "text")]
    pub format: FindingsForm,
}

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FindingsForm {
    /// For the terminal
    Text,
    /// For programs
    Json,
}
