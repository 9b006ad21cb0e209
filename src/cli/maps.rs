//! The words of `map`.

use crate::cli::running::{RuleChoice, Running};
use crate::words::numbers;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What is done with maps.
#[derive(Debug, Subcommand)]
pub enum Map {
    /// Deal a map, under constraints, and write it as a file
    #[command(after_help = "Example: fairhaven map deal base --seed 7 --same-apart -o island.toml")]
    Deal(Deal),
    /// Draw a map
    #[command(after_help = "Example: fairhaven map show base island.toml --svg island.svg")]
    Show(Show),
    /// What are the places, pairs of places, harbours and seats of a map worth?
    #[command(
        after_help = "Examples: fairhaven map judge base island.toml --blocks 2k --out out/island\n          \
        fairhaven map judge base --seed 7 --first 20,31"
    )]
    Judge(Judge),
    /// Find a dealt map that gives every seat the same chance, and certify it
    #[command(after_help = "Example: fairhaven map make base --fair 1pp --out out/fair")]
    Make(Make),
}

/// What a map must have that is dealt.
#[derive(Debug, Args)]
pub struct Fitting {
    /// No 6 or 8 beside another
    #[arg(long)]
    pub red_apart: bool,
    /// No number beside the same
    #[arg(long)]
    pub same_apart: bool,
    /// The most pips around a place
    #[arg(long, value_name = "PIPS")]
    pub place_pips: Option<u8>,
    /// The least and the most pips of a hex of each resource, on the average, such as 2.5..4
    #[arg(long, value_name = "LO..HI", value_parser = range)]
    pub kind_pips: Option<[f64; 2]>,
}

/// `map deal`.
#[derive(Debug, Args)]
pub struct Deal {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// The seed that deals it
    #[arg(long, default_value = "1", value_parser = numbers::seed)]
    pub seed: u64,
    /// What it must have
    #[command(flatten)]
    pub fitting: Fitting,
    /// The file to write; if not given, it is printed
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace that file
    #[arg(long)]
    pub force: bool,
}

/// `map show`.
#[derive(Debug, Args)]
pub struct Show {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The map's file; if not given, one is dealt
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// The seed that deals it
    #[arg(long, default_value = "1", value_parser = numbers::seed)]
    pub seed: u64,
    /// Also write a picture
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Replace that file
    #[arg(long)]
    pub force: bool,
}

/// `map judge`.
#[derive(Debug, Args)]
pub struct Judge {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The map's file; if not given, the one that the seed deals
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Who plays in all seats
    #[arg(long, default_value = "heuristic")]
    pub agent: String,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// First places whose pairs with the best second ones are judged; the four with the most pips if not given
    #[arg(long, value_name = "PLACES", value_delimiter = ',')]
    pub first: Vec<u8>,
    /// Pairs of each of them; 0 for none
    #[arg(long, default_value_t = 6, value_name = "N")]
    pub pairs: usize,
    /// Matches of a block in which everybody founds as it likes
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub free: u16,
    /// Blocks to play, such as 2000 or 50k: each has these matches, and one of each place, each pair and each place at a
    /// harbour that is left out
    #[arg(long, default_value = "1k", value_parser = numbers::count)]
    pub blocks: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `map make`.
#[derive(Debug, Args)]
pub struct Make {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Who plays in all seats
    #[arg(long, default_value = "heuristic")]
    pub agent: String,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// How far the share of a seat may be from an even one
    #[arg(long, default_value = "1pp", value_name = "SHARE", value_parser = numbers::margin)]
    pub fair: f64,
    /// What it must have
    #[command(flatten)]
    pub fitting: Fitting,
    /// Maps that are dealt
    #[arg(long, default_value = "1000", value_parser = numbers::count)]
    pub maps: u64,
    /// Matches of each map before the worse half is dropped; those that are left play twice as many
    #[arg(long, default_value = "100", value_parser = numbers::count)]
    pub matches: u64,
    /// Maps that are certified at most, the best first, until one is fair
    #[arg(long, default_value_t = 4)]
    pub finalists: usize,
    /// Matches of each certificate, on fresh deals
    #[arg(long, default_value = "100k", value_parser = numbers::count)]
    pub certify: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// Reads a range of numbers: `2.5..4`.
fn range(text: &str) -> Result<[f64; 2], String> {
    let ends = text.split_once("..").and_then(|(lo, hi)| {
        let [lo, hi] = [lo, hi].map(|end| end.trim().parse::<f64>().ok());
        Some([lo?, hi?])
    });
    let is_range = |ends: &[f64; 2]| ends.iter().all(|end| end.is_finite()) && ends[0] <= ends[1];
    ends.filter(is_range).ok_or_else(|| "write a range, such as 2.5..4".to_owned())
}
