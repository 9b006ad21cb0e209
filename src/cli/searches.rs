//! The words of commands that search.

use crate::cli::{RuleChoice, Running};
use crate::words::numbers;
use clap::Args;

/// `levels`.
#[derive(Debug, Args)]
pub struct Levels {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The agent that fills the table
    #[arg(long, value_name = "AGENT", default_value = "heuristic")]
    pub against: String,
    /// The rates to find, in per cent of matches that a lone agent wins, separated by commas
    #[arg(long, value_name = "PERCENT", value_delimiter = ',', value_parser = percent, required = true)]
    pub rates: Vec<f64>,
    /// The agent whose parameter is looked for; if not given, a heuristic with temperature for what that
    /// reaches, else mcts with iterations
    #[arg(long, value_name = "AGENT", requires = "param")]
    pub agent: Option<String>,
    /// Its parameter with a range, such as haste=0..4 or iterations=2..5000; the scale is logarithmic if the
    /// range reaches over a factor of 100, or with :log behind it, and not with :linear
    #[arg(long, value_name = "KEY=LO..HI", requires = "agent")]
    pub param: Option<String>,
    /// Players at the table
    #[arg(long, default_value_t = 4)]
    pub players: u8,
    /// How far the interval of a certified rate may reach to either side of it
    #[arg(long, default_value = "2pp", value_name = "SHARE", value_parser = numbers::share, allow_negative_numbers = true)]
    pub tolerance: f64,
    /// The most matches to play for a rate, such as 50k
    #[arg(long, default_value = "200k", value_parser = numbers::count, allow_negative_numbers = true)]
    pub matches: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// Reads a rate in per cent: `25`, `12.5` or `25%`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(percent) if 0.0 < percent && percent < 100.0 => Ok(percent),
        _ => Err("write a rate in per cent, above 0 and below 100, such as 25".to_owned()),
    }
}
