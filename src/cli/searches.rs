//! The words of commands that search.

use crate::cli::running::{RuleChoice, Running};
use crate::lab::questions::searches::learn_net::TableChange;
use crate::lab::questions::searches::solve_also::Also;
use crate::lab::questions::searches::solve_settings::Aim;
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
    #[arg(long, value_name = "SHARE", value_parser = numbers::share)]
    pub tolerance: Option<f64>,
    /// The most matches to play for a rate, such as 50k
    #[arg(long, default_value = "200k", value_parser = numbers::count)]
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
    #[arg(long, default_value = "100k", value_parser = numbers::count)]
    pub matches: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// An agent that adapts to changed rules before they are judged.
#[derive(Debug, Args)]
pub struct Adapt {
    /// Tune this parameter of the agent for the changed rules first, such as haste=0..4, and judge them with what was
    /// found as well; may be repeated. The search is a run of its own beside --out
    #[arg(long, value_name = "KEY=LO..HI", conflicts_with_all = ["shard", "wave"], requires = "out")]
    pub adapt: Vec<String>,
    /// Matches to tune with; the comparison with the start plays at most as many again
    #[arg(long, default_value = "100k", value_parser = numbers::count, requires = "adapt")]
    pub adapt_matches: u64,
}

/// `learn`.
#[derive(Debug, Args)]
pub struct Learn {
    /// Game and rules
    #[command(flatten)]
    pub rules: RuleChoice,
    /// Learn a net that judges positions for searches, in place of weights, from matches of an agent against itself;
    /// with --out it is written as net.toml, and plays as mcts:net=FILE
    #[arg(long, conflicts_with_all = ["step", "hold"])]
    pub net: bool,
    /// The agent that learns, a heuristic or mcts: its weights are where it starts; heuristic if not given, or
    /// mcts:iterations=100 where only searches read the weights. With --net the agent that plays;
    /// mcts:iterations=50:temperature=0.01 if not given
    #[arg(long, value_name = "AGENT")]
    pub from: Option<String>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// With --net: a further table, by what it changes in this one, such as players=3 or players=3,side=b; matches are
    /// played at all tables in turn; may be repeated
    #[arg(long = "table", value_name = "CHANGES", value_parser = TableChange::parse, requires = "net")]
    pub tables: Vec<TableChange>,
    /// Matches to learn from, such as 2000 or 20k; the comparison at the end plays at most as many again. With --net
    /// a twentieth as many more examine what was learned
    #[arg(long, default_value = "20k", value_parser = numbers::count)]
    pub matches: u64,
    /// How far results reach back: 1 learns from results alone, 0 from the next position alone; 0.95 if not given, 1
    /// with --net, where what a position is worth goes by the net built in
    #[arg(long)]
    pub lambda: Option<f64>,
    /// The size of a first step
    #[arg(long, default_value_t = 0.03)]
    pub step: f64,
    /// Learn from every N-th decision; 17 if not given, 4 with --net
    #[arg(long)]
    pub every: Option<u32>,
    /// With --net: at some decisions of each match play on from each of this many actions, the best by the planner,
    /// under the same luck, and learn from these matches, too; 0 for none
    #[arg(long, value_name = "ACTIONS", default_value_t = 0, requires = "net")]
    pub siblings: u8,
    /// With --net: how much of the target goes by final points, in percent; the rest goes by who won
    #[arg(long, value_name = "PERCENT", default_value_t = 0, requires = "net")]
    pub points: u8,
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
    pub choice: Option<String>,
    /// Fields of the rule set that may change, separated by commas: a name alone for all single steps, or
    /// name=1..4 for values; all combinations are tried. For seats, fields that may differ by seat take all lists
    /// of their values; if not given, those fields by single steps for up to three seats
    #[arg(long, value_name = "FIELDS")]
    pub fields: Option<String>,
    /// What is to be worth the same, and how far the best may be ahead of the worst: 1pp or 'spread < 1pp' for the
    /// options of --choice, 'seats', 'seats < 2pp', 'styles' or 'styles < 2pp'
    #[arg(long, default_value = "1pp", value_parser = Target::parse)]
    pub target: Target,
    /// Styles of play that are to be worth the same, separated by commas: agents, such as
    /// heuristic:without=trade,heuristic:without=knight
    #[arg(long, value_name = "AGENTS")]
    pub styles: Option<String>,
    /// Who plays in all seats; heuristic if not given
    #[arg(long)]
    pub agent: Option<String>,
    /// Players at the table; 4 if not given, or as many as the game takes
    #[arg(long)]
    pub players: Option<u8>,
    /// Blocks of each change before the worse half is dropped; those that are left play twice as many. 500 if not given,
    /// 2k for seats, whose blocks are one match
    #[arg(long, value_parser = numbers::count)]
    pub blocks: Option<u64>,
    /// Changes that are certified in addition to the unchanged rule set
    #[arg(long, default_value_t = 6)]
    pub finalists: usize,
    /// Blocks for certifying each of them, on fresh deals; 10k if not given, 100k for seats, whose blocks are one match
    #[arg(long, value_parser = numbers::count)]
    pub certify: Option<u64>,
    /// Certify each of them with these agents in all seats as well, separated by commas, such as easy,hard: does
    /// the answer hold for who plays worse or better? These two if no agent is named, but none for seats, whose
    /// certificates take long
    #[arg(long, value_name = "AGENTS")]
    pub levels: Option<String>,
    /// Further aims, separated by commas: which changes does no other beat in all of them? short: rounds of a match;
    /// close: points of the winner minus those of the next
    #[arg(long, value_name = "AIMS", value_delimiter = ',')]
    pub also: Vec<Also>,
    /// A parameter of the agent, with a range, that is tuned again for each of them; may be repeated
    #[arg(long, value_name = "KEY=LO..HI")]
    pub adapt: Vec<String>,
    /// Matches of such a search
    #[arg(long, default_value = "20k", value_parser = numbers::count)]
    pub adapt_matches: u64,
    /// How it is run
    #[command(flatten)]
    pub running: Running,
}

/// What `solve` makes even, and how closely.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// What.
    pub aim: Aim,
    /// The best is to be less than this ahead of the worst.
    pub spread: f64,
}

impl Target {
    /// Reads a target: `1pp` or `spread < 1pp`, `seats`, `styles < 2pp`.
    fn parse(text: &str) -> Result<Target, String> {
        let (name, share) = match text.split_once('<') {
            Some((name, share)) => (name.trim(), Some(share.trim())),
            None if ["seats", "styles"].contains(&text.trim()) => (text.trim(), None),
            None => ("spread", Some(text)),
        };
        let aim = match name {
            "spread" => Aim::Options,
            "seats" => Aim::Seats,
            "styles" => Aim::Styles,
            other => {
                return Err(format!(
                    "the target is of `spread`, `seats` or `styles`, not of `{other}`"
                ));
            }
        };
        let spread = share.map_or(Ok(0.01), numbers::share).map_err(|error| error.to_string())?;
        if spread > 0.0 {
            Ok(Target { aim, spread })
        } else {
            Err("a target is above 0".to_owned())
        }
    }
}

/// Reads a rate in per cent: `25`, `12.5` or `25%`.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(percent) if 0.0 < percent && percent < 100.0 => Ok(percent),
        _ => Err("write a rate in per cent, above 0 and below 100, such as 25".to_owned()),
    }
}
