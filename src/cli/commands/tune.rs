//! `tune`: parameters with which an agent wins more.

use crate::cli::commands::choose;
use crate::cli::commands::levels::families;
use crate::cli::commands::run::{self, Output};
use crate::cli::searches;
use crate::lab::questions::searches::search::SearchDesign;
use crate::lab::questions::searches::tune::{POOL_MAX, start_value};
use crate::lab::questions::searches::tune_course::Tune;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use anyhow::{Context, Result, ensure};

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &searches::Tune) -> Result<Output> {
    let (game, search) = search(args)?;
    run::search(&args.running, &*game, search)
}

/// The game, and the search that the arguments ask for.
///
/// # Errors
/// If they can't be played with.
pub fn search(args: &searches::Tune) -> Result<(Box<dyn LoadedGame>, SearchDesign)> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let agent = |name: &str| choose::agent(&*game, name);
    let start = agent(&args.agent)?;
    game.check_agents(std::slice::from_ref(&start))?;
    let pool: Vec<AgentSpec> = match &args.against {
        None => Vec::new(),
        Some(names) => names.split(',').map(agent).collect::<Result<_>>().context("--against")?,
    };
    ensure!(pool.len() <= POOL_MAX, "{} agents in --against are more than {POOL_MAX}", pool.len());
    let families = families(&*game, &start, "--param", &args.params)?;
    let values = families.iter().map(|family| start_value(&*game, &start, family)).collect();
    let tune = Tune::new(families, values, args.matches, pool.len(), players)?;
    Ok((game, tune.design(start, pool, players)))
}
