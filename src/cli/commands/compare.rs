//! `compare`: two agents by a sequential test, or two rule sets by paired differences.

use crate::cli::Compare;
use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::lab::questions::studies::at_levels::LEVELS_MAX;
use crate::lab::questions::studies::duel::{Duel, Hypotheses, Pair};
use crate::lab::questions::studies::rules::Rules;
use anyhow::{Result, bail, ensure};

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Compare) -> Result<Output> {
    match (&args.agent_a, &args.agent_b) {
        (Some(a), Some(b)) => agents(args, a, b),
        _ if args.rules_a.is_empty() && args.rules_b.is_empty() => {
            bail!("name two agents, or rules with --rules-a or --rules-b")
        }
        _ => rules(args),
    }
}

fn agents(args: &Compare, a: &str, b: &str) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let pair = Pair {
        agents: [choose::agent(&*game, a)?, choose::agent(&*game, b)?],
        players,
        line_ups: args.line_ups,
        matches: args.matches,
        look: args.look,
        less_luck: args.less_luck,
    };
    let hypotheses = match (args.elo0, args.elo1) {
        (Some(elo0), Some(elo1)) => Hypotheses::Elo(elo0, elo1),
        _ => Hypotheses::Shares(args.win0, args.win1),
    };
    let (alpha, beta) = (args.alpha, args.beta);
    let rate = |rate: f64| 0.0 < rate && rate < 0.5;
    ensure!(rate(alpha) && rate(beta), "--alpha and --beta must lie between 0 and 0.5");
    let look = args.look.unwrap_or(1);
    ensure!((1..=1_000_000).contains(&look), "--look {look} is not in 1 to 1000000");
    let design = Duel::design(pair, hypotheses, [alpha, beta], args.until)?;
    run::start(&args.running, &*game, design)
}

fn rules(args: &Compare) -> Result<Output> {
    let agents = args.agents.as_deref().unwrap_or("heuristic");
    let (line_up, game) = choose::line_up(&args.rules, agents, args.players)?;
    let levels = args.levels.as_deref().map(|list| choose::levels(&*game, list));
    let levels = levels.transpose()?.unwrap_or_default();
    let count = levels.len();
    ensure!(count <= LEVELS_MAX, "{count} levels are more than {LEVELS_MAX}");
    let own = levels.iter().find(|level| line_up.agents.iter().any(|agent| agent.is(level)));
    ensure!(
        own.is_none() || line_up.agents.len() > 1,
        "--levels: `{agents}` plays already, by --agents"
    );
    let matches = args.matches.unwrap_or(40_000);
    let design = Rules::design(&*game, line_up, levels, [&args.rules_a, &args.rules_b], matches)?;
    run::start(&args.running, &*game, design)
}
