//! `solve`: the smallest change of the rule set that makes options worth the same.

use crate::cli::commands::choose;
use crate::cli::commands::levels::family;
use crate::cli::commands::run::{self, Output};
use crate::cli::searches;
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::solve::{FINALISTS_MAX, Solve, lawful};
use crate::lab::questions::searches::solve_grid::grid;
use crate::lab::questions::searches::tune::{PARAMETERS_MAX, Tune, start_value};
use anyhow::{Result, ensure};

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &searches::Solve) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let agent = choose::agent(&*game, &args.agent)?;
    game.check_agents(std::slice::from_ref(&agent))?;
    let finalists = args.finalists;
    ensure!(
        (1..=FINALISTS_MAX).contains(&finalists),
        "--finalists {finalists} is not in 1 to {FINALISTS_MAX}"
    );

    let fields = game.game_type().facts().fields;
    let (options, candidates) =
        lawful(&*game, &args.choice, grid(fields, &game.rules(), &args.fields)?)?;
    let count = args.adapt.len();
    ensure!(count <= PARAMETERS_MAX, "{count} parameters are more than {PARAMETERS_MAX}");
    let keys: Vec<&str> =
        args.adapt.iter().map(|param| param.split('=').next().unwrap_or_default()).collect();
    let base = agent.without(&keys);
    let families: Vec<Family> =
        args.adapt.iter().map(|param| family(&*game, &base, param)).collect::<Result<_>>()?;
    let start: Vec<f64> =
        families.iter().map(|family| start_value(&*game, &agent, family)).collect();
    let adapting = if families.is_empty() {
        [0; 3]
    } else {
        let tune = Tune::new(families.clone(), start.clone(), args.adapt_matches, 0, players)?;
        [u64::from(tune.iterations), tune.blocks, tune.matches]
    };
    let solve = Solve {
        choice: args.choice.clone(),
        options,
        candidates,
        target: args.target,
        blocks: args.blocks,
        finalists,
        certified: args.certify,
        families,
        start,
        adapting,
    };
    run::search(&args.running, &*game, solve.design(agent, players))
}
