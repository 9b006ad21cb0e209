//! `sweep` and `sensitivity`: a field or a parameter over a range, and every default by a step.

use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::cli::{Sensitivity, Sweep};
use crate::lab::questions::studies::{sensitivity, sweep, sweep_values};
use crate::lab::setup::rules;
use anyhow::{Context, Result, ensure};

/// Runs `sweep`.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn sweep(args: &Sweep) -> Result<Output> {
    if let Some(sizes) = args.players.as_deref().filter(|sizes| sizes.contains([',', '.'])) {
        return over_players(args, sizes);
    }
    let players = args.players.as_deref().map(number).transpose()?;
    let (line_up, game) = choose::line_up(&args.rules, &args.agents, players)?;
    let of = args.field.as_ref().or(args.param.as_ref());
    let of = of
        .context("name what moves: --field or --param with --values, or --players such as 3,4")?
        .clone();
    let values = args.values.as_ref().context("name its values with --values, such as 1..5")?;
    let values = sweep_values::values(values).context("--values")?;
    let over = sweep::Sweep { of, values };
    let design = match &args.field {
        Some(field) => {
            rules::ensure_not_set(&args.rules.sets, field).context("--field")?;
            over.over_field(line_up, args.blocks)
        }
        None => over.over_param(&line_up, args.blocks).context("--param")?,
    };
    run::start(&args.running, &*game, design)
}

/// Tables of several sizes.
fn over_players(args: &Sweep, sizes: &str) -> Result<Output> {
    ensure!(
        args.field.is_none() && args.param.is_none() && args.values.is_none(),
        "--players {sizes} is what is varied; leave out --field, --param and --values, or name one number of players"
    );
    ensure!(
        !args.agents.contains(','),
        "--players {sizes}: one agent fills all seats of each table; name one with --agents"
    );
    let sizes = sweep_values::values(sizes).context("--players")?;
    let sizes: Vec<u8> = sizes.iter().map(|size| number(size)).collect::<Result<_>>()?;
    let games = sizes.iter().map(|&players| choose::game(&args.rules, players));
    let games: Vec<_> = games.collect::<Result<_>>()?;
    // The run goes by its largest table, or by one that no rules are printed for, since that has to be said.
    let unofficial = games.iter().find(|game| game.unofficial().is_some());
    let game = unofficial.or(games.iter().max_by_key(|game| game.players()));
    let game = &**game.context("there is a table")?;
    let agent = choose::agent(game, &args.agents)?;
    for other in &games {
        ensure!(
            choose::agent(&**other, &args.agents)?.is(&agent),
            "--agents {}: at some of these tables a parameter is what it would be anyway, and not at others; name another \
             value, or play the tables one by one",
            args.agents
        );
    }
    let design = sweep::Sweep::over_players(agent, &sizes, args.blocks);
    run::start(&args.running, game, design)
}

/// A number of players.
fn number(text: &str) -> Result<u8> {
    text.trim().parse().with_context(|| format!("--players: `{text}` is no number of players"))
}

/// Runs `sensitivity`.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn sensitivity(args: &Sensitivity) -> Result<Output> {
    let (line_up, game) = choose::line_up(&args.rules, &args.agents, args.players)?;
    let design = sensitivity::Sensitivity::design(&*game, line_up, args.all, args.blocks)?;
    run::start(&args.running, &*game, design)
}
