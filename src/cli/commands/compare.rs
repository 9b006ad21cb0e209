//! `compare`: two agents by a sequential test, or two rule sets by paired differences.

use crate::cli::Compare;
use crate::cli::commands::adapt::{Adapted, Adapting};
use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::cli::running::RuleChoice;
use crate::lab::questions::studies::at_levels::LEVELS_MAX;
use crate::lab::questions::studies::duel::{Duel, Hypotheses, Pair};
use crate::lab::questions::studies::rules::{Players, Rules, is_file};
use crate::sim::any_game::GameType;
use anyhow::{Context, Result, bail, ensure};
use std::path::PathBuf;

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
    let agents = args.agents.as_deref().unwrap_or(choose::AGENT);
    let (line_up, game) = choose::line_up(&args.rules, agents, args.players)?;
    let levels = choose::further_levels(&*game, args.levels.as_deref(), args.agents.as_deref())?;
    let count = levels.len();
    ensure!(count <= LEVELS_MAX, "{count} levels are more than {LEVELS_MAX}");
    let own = levels.iter().find(|level| line_up.agents.iter().any(|agent| agent.is(level)));
    ensure!(
        own.is_none() || line_up.agents.len() > 1,
        "--levels: `{agents}` plays already, by --agents"
    );
    let is_alone = line_up.agents.len() == 1;
    let matches = args.matches.unwrap_or(40_000 * (1 + count as u64));
    let designed = |adapted| {
        let players = Players { line_up: line_up.clone(), levels: levels.clone(), adapted };
        Rules::design(&*game, players, [&args.rules_a, &args.rules_b], matches)
    };
    // What can't be played shows before an agent is tuned for it.
    designed(None)?;
    let words = (agents, rules_b(args, game.game_type()));
    let adapted = match adapted(args, words, is_alone)? {
        Adapted::As(name) => {
            let adapted = choose::agent(&*game, &name).context("--adapted")?;
            let is_new = !line_up.agents.iter().chain(&levels).any(|agent| agent.is(&adapted));
            ensure!(is_new, "--adapted: `{name}` plays already");
            Some(adapted)
        }
        Adapted::Nobody => None,
        Adapted::Stopped(output) => return Ok(output),
    };
    run::start(&args.running, &*game, designed(adapted)?)
}

/// The agent of `--adapted`, or what `--adapt` finds.
fn adapted(args: &Compare, (agent, rules): (&str, RuleChoice), is_alone: bool) -> Result<Adapted> {
    let Compare { adapted, adapt, players, .. } = args;
    if adapted.is_none() && adapt.adapt.is_empty() {
        return Ok(Adapted::Nobody);
    }
    ensure!(is_alone, "who adapts plays in all seats; name one agent with --agents");
    if let Some(name) = adapted {
        return Ok(Adapted::As(name.clone()));
    }
    let (named, taken_by, players) = ("rules B", "--adapted ", *players);
    let adapting = Adapting { adapt, agent, rules, named, players, taken_by };
    adapting.tuned(&args.running)
}

/// Rules B as a command takes them that plays no others: a file stands in place of the run's rules.
fn rules_b(args: &Compare, game_type: &dyn GameType) -> RuleChoice {
    let RuleChoice { game, rules, sets } = &args.rules;
    match args.rules_b.split_first().filter(|(first, _)| is_file(game_type, first)) {
        Some((file, changes)) => RuleChoice {
            game: game.clone(),
            rules: Some(PathBuf::from(file)),
            sets: changes.to_vec(),
        },
        None => RuleChoice {
            game: game.clone(),
            rules: rules.clone(),
            sets: [&sets[..], &args.rules_b].concat(),
        },
    }
}
