//! The words of commands about players from outside: people and programs.

use crate::words::numbers;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `play`.
#[derive(Debug, Args)]
pub struct Play {
    /// The game, such as on-the-road; if omitted, game, level and seat are asked for
    #[arg(conflicts_with = "resume")]
    pub game: Option<String>,
    /// Where you sit; 1 if not given
    #[arg(long, conflicts_with = "resume")]
    pub seat: Option<u8>,
    /// Players at the table, you included; 4 if not given, or as many as the game takes
    #[arg(long, conflicts_with = "resume")]
    pub players: Option<u8>,
    /// Who else plays: a level (newcomer, novice, beginner, easy, medium, hard, expert, master, grandmaster) or any
    /// agent, one for all other seats or one for each, separated by commas; medium if not given
    #[arg(long, value_name = "LEVELS")]
    pub agents: Option<String>,
    /// Seed of the deal and of all luck; if not given, the first of which the directory has no record
    #[arg(long, value_parser = numbers::seed, conflicts_with = "resume")]
    pub seed: Option<u64>,
    /// A TOML file with fields of the rule set
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub rules: Option<PathBuf>,
    /// A field of the rule set, such as side=b; may be repeated
    #[arg(long = "set", value_name = "FIELD=VALUE", conflicts_with = "resume")]
    pub sets: Vec<String>,
    /// Where the record is kept; play-GAME-SEED.jsonl if not given
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Take a match up from its record
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Where people sit, if there are several, such as 1,3: each has a page of its own
    #[arg(
        long,
        value_name = "SEATS",
        value_delimiter = ',',
        requires = "page",
        conflicts_with_all = ["seat", "resume"]
    )]
    pub seats: Vec<u8>,
    /// Play on a page in the browser, which this machine alone can open
    #[arg(long)]
    pub page: bool,
    /// How the page is served
    #[command(flatten)]
    pub serving: Serving,
}

/// How a page is served.
#[derive(Debug, Args)]
pub struct Serving {
    /// The port of the page; a free one if not given
    #[arg(long)]
    pub port: Option<u16>,
    /// Print the address of the page, and open no browser
    #[arg(long)]
    pub no_open: bool,
}

/// `watch`.
#[derive(Debug, Args)]
#[command(after_help = "Examples: fairhaven watch out/b 3.1\n          \
    fairhaven watch base --agents expert,greedy,hard\n          \
    fairhaven watch play-base-1.jsonl")]
pub struct Watch {
    /// The directory of a run, a record, or a game of which a match is played
    #[arg(value_name = "RUN|FILE|GAME")]
    pub what: PathBuf,
    /// A match of the run, such as 3.1
    #[arg(value_name = "BLOCK.MATCH")]
    pub id: Option<String>,
    /// Who plays: a level or any agent, one for all seats or one for each, separated by commas; expert if not given
    #[arg(long, value_name = "LEVELS", conflicts_with = "id")]
    pub agents: Option<String>,
    /// Players at the table; as many as agents if several are given, else 4, or what the game takes
    #[arg(long, conflicts_with = "id")]
    pub players: Option<u8>,
    /// Seed of the deal and of all luck
    #[arg(long, default_value = "1", value_parser = numbers::seed)]
    pub seed: u64,
    /// A TOML file with fields of the rule set
    #[arg(long, value_name = "FILE", conflicts_with = "id")]
    pub rules: Option<PathBuf>,
    /// A field of the rule set, such as side=b; may be repeated
    #[arg(long = "set", value_name = "FIELD=VALUE", conflicts_with = "id")]
    pub sets: Vec<String>,
    /// A page in the browser, the one form there is: `replay` tells a match in words
    #[arg(long, default_value_t = true, action = clap::ArgAction::SetTrue)]
    pub page: bool,
    /// How the page is served
    #[command(flatten)]
    pub serving: Serving,
}

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
    /// A TOML file with fields of the game's rule set
    #[arg(long, value_name = "FILE", requires = "game")]
    pub rules: Option<PathBuf>,
    /// A field of the game's rule set, such as side=b; may be repeated
    #[arg(long = "set", value_name = "FIELD=VALUE", requires = "game")]
    pub sets: Vec<String>,
    /// Matches of every table size, each of which is played several times
    #[arg(long, default_value = "100", value_parser = numbers::count)]
    pub matches: u64,
    /// A strategy file to write, which says that the program was checked
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Replace that file
    #[arg(long, requires = "out")]
    pub force: bool,
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
