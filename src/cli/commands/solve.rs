//! `solve`: the smallest change of the rule set that makes options, seats or styles worth the same.

use crate::cli::commands::choose;
use crate::cli::commands::levels::families;
use crate::cli::commands::run::{self, Output};
use crate::cli::searches;
use crate::lab::questions::searches::solve::{FINALISTS_MAX, lawful, playable};
use crate::lab::questions::searches::solve_answer::BLOCKS_MAX;
use crate::lab::questions::searches::solve_grid::{Candidate, grid, seat_grid};
use crate::lab::questions::searches::solve_settings::{Aim, Only, Solve};
use crate::lab::questions::searches::tune::start_value;
use crate::lab::questions::searches::tune_course::Tune;
use crate::lab::questions::studies::at_levels::LEVELS_MAX;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::words::lists;
use anyhow::{Context as _, Result, ensure};

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &searches::Solve) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let agent = choose::agent(&*game, args.agent.as_deref().unwrap_or(choose::AGENT))?;
    let some = |list: &Option<String>| -> Result<Vec<AgentSpec>> {
        let names = list.as_deref().map(lists::entries).unwrap_or_default();
        names.into_iter().map(|name| choose::agent(&*game, name)).collect()
    };
    let styles = some(&args.styles)?;
    let aim = args.target.aim;
    // Seats take a hundred thousand matches for each certificate.
    let named = if aim == Aim::Seats { Some(choose::AGENT) } else { args.agent.as_deref() };
    let levels = choose::further_levels(&*game, args.levels.as_deref(), named)?;
    let agents = [vec![agent.clone()], styles.clone(), levels.clone()].concat();
    game.check_agents(&agents)?;
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    let twice = (1..names.len()).find(|&at| names[..at].contains(&names[at]));
    ensure!(twice.is_none(), "{} is named twice", names[twice.unwrap_or_default()]);
    let count = levels.len();
    ensure!(count <= LEVELS_MAX, "{count} levels are more than {LEVELS_MAX}");
    let also = &args.also;
    let twice = (1..also.len()).any(|at| also[..at].contains(&also[at]));
    ensure!(!twice, "--also names one twice");
    let finalists = args.finalists;
    ensure!(
        (1..=FINALISTS_MAX).contains(&finalists),
        "--finalists {finalists} is not in 1 to {FINALISTS_MAX}"
    );
    for (flag, blocks) in [("--blocks", args.blocks), ("--certify", args.certify)] {
        let sound = blocks.is_none_or(|blocks| (1..=BLOCKS_MAX).contains(&blocks));
        ensure!(sound, "{flag} is not in 1 to {BLOCKS_MAX}");
    }

    let (choice, options, candidates) = compared(args, &*game, &styles)?;
    let families = families(&*game, &agent, "--adapt", &args.adapt)?;
    let start: Vec<f64> =
        families.iter().map(|family| start_value(&*game, &agent, family)).collect();
    let adapting = if families.is_empty() {
        [0; 3]
    } else {
        let tune = Tune::new(families.clone(), start.clone(), args.adapt_matches, 0, players)?;
        [u64::from(tune.iterations), tune.blocks, tune.matches]
    };
    let solve = Solve {
        choice,
        aim,
        options,
        candidates,
        target: args.target.spread,
        blocks: args.blocks.unwrap_or(if aim == Aim::Seats { 2000 } else { 500 }),
        finalists,
        certified: args.certify.unwrap_or(if aim == Aim::Seats { 100_000 } else { 10_000 }),
        levels: levels.len(),
        also: args.also.clone(),
        families,
        start,
        adapting,
    };
    run::search(&args.running, &*game, solve.design(agents, players))
}

/// What is to be worth the same, by its name and its parts, and the changes that are tried.
fn compared(
    args: &searches::Solve,
    game: &dyn LoadedGame,
    styles: &[AgentSpec],
) -> Result<(String, Vec<Only>, Vec<Candidate>)> {
    let (fields, rules) = (game.game_type().facts().fields, game.rules());
    let (aim, words) = (args.target.aim, args.fields.as_deref());
    let need = "--fields says which fields of the rule set may change";
    ensure!(
        args.choice.is_none() || aim.is_options(),
        "--choice is for options, not for --target {}",
        name(aim)
    );
    ensure!(args.styles.is_none() || aim == Aim::Styles, "--styles is for --target styles");
    let of = |name: String| Only { name, by_seat: Vec::new() };
    match aim {
        Aim::Options => {
            let choice = args.choice.clone();
            let choice = choice.context("--choice says whose options are to be worth the same; --target seats and --target styles need none")?;
            let grid = grid(fields, &rules, words.context(need)?)?;
            let (options, candidates) = lawful(game, &choice, grid)?;
            Ok((choice, options, candidates))
        }
        Aim::Seats => {
            let grid = seat_grid(fields, &rules, words, game.players())?;
            let seats = (1..=game.players()).map(|seat| of(format!("seat {seat}"))).collect();
            Ok((name(aim).to_owned(), seats, playable(game, grid)?))
        }
        Aim::Styles => {
            ensure!((2..=64).contains(&styles.len()), "--styles names 2 to 64 agents");
            let grid = grid(fields, &rules, words.context(need)?)?;
            let styles = styles.iter().map(|style| of(style.name.clone())).collect();
            Ok((name(aim).to_owned(), styles, playable(game, grid)?))
        }
    }
}

/// As `--target` has it.
fn name(aim: Aim) -> &'static str {
    match aim {
        Aim::Options => "spread",
        Aim::Seats => "seats",
        Aim::Styles => "styles",
    }
}
