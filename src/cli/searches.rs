//! The words of commands that search.

use crate::cli::running::{RuleChoice, Running};
use crate::lab::questions::searches::learn_net::TableChange;
use crate::words::numbers;
use clap::Args;

/// `levels`.
#[derive(Debug, Args)]
pub struct Levels {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The agent that fills the table; heuristic if not given, or with --certify what the files say
    #[arg(long, value_name = "AGENT")]
    pub against: Option<String>,
    /// The rates to find, in per cent of matches that a lone agent wins, separated by commas
    #[arg(long, value_name = "PERCENT", value_delimiter = ',', value_parser = percent, required_unless_present = "certify")]
    pub rates: Vec<f64>,
    /// Measure these strategies again, on fresh deals: does each win what its file says?
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["rates", "agent", "matches"])]
    pub certify: Vec<String>,
    /// The agent whose parameter is searched for; if not given, a heuristic with temperature for rates that it
    /// reaches, else mcts with iterations
    #[arg(long, value_name = "AGENT", requires = "param")]
    pub agent: Option<String>,
    /// Its parameter with a range, such as haste=0..4 or iterations=2..5000; the scale is logarithmic if the
    /// range spans a factor of more than 100; append :log or :linear to choose
    #[arg(long, value_name = "KEY=LO..HI", requires = "agent")]
    pub param: Option<String>,
    /// Players at the table; 4 if not given, or with --certify what the files say
    #[arg(long)]
    pub players: Option<u8>,
    /// How far the interval of a certified rate may reach to either side of it; 2pp if not given, or with
    /// --certify what the files say
    #[arg(long, value_name = "SHARE", value_parser = numbers::share, allow_negative_numbers = true)]
    pub tolerance: Option<f64>,
    /// The most matches to play for a rate, such as 50k
    #[arg(long, default_value = "200k", value_parser = numbers::count, allow_negative_numbers = true)]
    pub matches: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `tune`.
#[derive(Debug, Args)]
pub struct Tune {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The agent to tune, and where it starts
    pub agent: String,
    /// A parameter of it with a range, such as haste=0..4; may be repeated. The scale is logarithmic if the
    /// range spans a factor of more than 100; append :log or :linear to choose
    #[arg(long = "param", value_name = "KEY=LO..HI", required = true)]
    pub params: Vec<String>,
    /// Agents to beat, separated by commas: a table full of each; the agent's own starting version, if
    /// not given
    #[arg(long, value_name = "AGENTS")]
    pub against: Option<String>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Matches to search with; the comparison at the end plays at most as many again
    #[arg(long, default_value = "100k", value_parser = numbers::count, allow_negative_numbers = true)]
    pub matches: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `learn`.
#[derive(Debug, Args)]
pub struct Learn {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Learn a net that judges positions for searches, in place of weights, from matches of an agent against itself;
    /// with --out it is written as net.toml, and plays as mcts:net=FILE
    #[arg(long, conflicts_with_all = ["lambda", "step", "hold"])]
    pub net: bool,
    /// The agent that learns, a heuristic or mcts: its weights are where it starts; heuristic if not given, or
    /// mcts:iterations=100 where only searches read the weights. With --net the agent that plays;
    /// mcts:iterations=50:temperature=0.01 if not given
    #[arg(long, value_name = "AGENT")]
    pub from: Option<String>,
    /// Players at the table
    #[arg(long, default_value_t = 4)]
    pub players: u8,
    /// With --net: a further table, by what it changes in this one, such as players=3 or players=3,side=b; matches are
    /// played at all tables in turn; may be repeated
    #[arg(long = "table", value_name = "CHANGES", value_parser = TableChange::parse, requires = "net")]
    pub tables: Vec<TableChange>,
    /// Matches to learn from, such as 2000 or 20k; the comparison at the end plays at most as many again. With --net
    /// a twentieth as many more examine what was learned
    #[arg(long, default_value = "20k", value_parser = numbers::count, allow_negative_numbers = true)]
    pub matches: u64,
    /// How far results reach back: 1 learns from results alone, 0 from the next position alone
    #[arg(long, default_value_t = 0.95)]
    pub lambda: f64,
    /// The size of a first step
    #[arg(long, default_value_t = 0.03)]
    pub step: f64,
    /// Learn from every N-th decision; 17 if not given, 4 with --net
    #[arg(long)]
    pub every: Option<u32>,
    /// Features whose weights stay as they are, separated by commas
    #[arg(long, value_delimiter = ',')]
    pub hold: Vec<String>,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// `solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// The choice whose options are to be worth the same, such as metropolis
    #[arg(long)]
    pub choice: String,
    /// Fields of the rule set that may change, separated by commas: a name alone for all single steps, or
    /// name=1..4 for values; all combinations are tried
    #[arg(long, value_name = "FIELDS")]
    pub fields: String,
    /// How far the best option may be ahead of the worst, such as 1pp or 'spread < 1pp'
    #[arg(long, default_value = "1pp", value_parser = spread, allow_negative_numbers = true)]
    pub target: f64,
    /// Who plays in all seats
    #[arg(long, default_value = "heuristic")]
    pub agent: String,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Blocks of each change before the worse half is dropped; those that are left play twice as many
    #[arg(long, default_value = "500", value_parser = numbers::count, allow_negative_numbers = true)]
    pub blocks: u64,
    /// Changes that are certified in addition to the unchanged rule set
    #[arg(long, default_value_t = 6)]
    pub finalists: usize,
    /// Blocks for certifying each of them, on fresh deals
    #[arg(long, default_value = "10k", value_parser = numbers::count, allow_negative_numbers = true)]
    pub certify: u64,
    /// A parameter of the agent, with a range, that is tuned again for each of them; may be repeated
    #[arg(long, value_name = "KEY=LO..HI")]
    pub adapt: Vec<String>,
    /// Matches of such a search
    #[arg(long, default_value = "20k", value_parser = numbers::count, allow_negative_numbers = true)]
    pub adapt_matches: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// Reads a target: `1pp` or `spread < 1pp`.
fn spread(text: &str) -> Result<f64, String> {
    let share = match text.split_once('<') {
        Some((name, share)) if name.trim() == "spread" => share.trim(),
        Some((name, _)) => {
            return Err(format!("the target is of `spread`, not of `{}`", name.trim()));
        }
        None => text,
    };
    let target = numbers::share(share).map_err(|error| error.to_string())?;
    if target > 0.0 { Ok(target) } else { Err("a target is above 0".to_owned()) }
}

/// Reads a rate in per cent: `25`, `12.5` or `25%`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(percent) if 0.0 < percent && percent < 100.0 => Ok(percent),
        _ => Err("write a rate in per cent, above 0 and below 100, such as 25".to_owned()),
    }
}
