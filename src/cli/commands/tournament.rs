//! `tournament`: agents rated by who wins at common tables.

use crate::cli::Tournament;
use crate::cli::commands::choose;
use crate::cli::commands::host::catalogue;
use crate::cli::commands::run::{self, Output};
use crate::lab::divide::addition::{self, Addition};
use crate::lab::questions::studies::tournament;
use crate::lab::setup::line_up;
use crate::sim::agents::spec::AgentSpec;
use anyhow::{Result, ensure};
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Tournament) -> Result<Output> {
    if let Some(earlier) = &args.onto {
        return join(args, earlier);
    }
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let agents: Vec<AgentSpec> =
        args.agents.iter().map(|name| choose::agent(&*game, name)).collect::<Result<_>>()?;
    let study = tournament::Tournament {
        anchor: args.anchor.as_ref().map(|name| anchor(name, args, &agents)),
        gauntlet: args.gauntlet,
        until: args.until,
        onto: None,
    };
    let design = study.design(agents, players, args.blocks)?;
    run::start(&args.running, &*game, design)
}

/// The name of the agent that was called so.
fn anchor(name: &String, args: &Tournament, agents: &[AgentSpec]) -> String {
    let place = args.agents.iter().position(|other| other == name);
    place.map_or(name, |place| &agents[place].name).clone()
}

/// New agents join an earlier run: their line-ups are played into the directory, then joined with the others there.
fn join(args: &Tournament, earlier: &Path) -> Result<Output> {
    let new: Vec<AgentSpec> =
        args.add.iter().map(|name| line_up::agent(name)).collect::<Result<_>>()?;
    let is_itself = |out: &Path| {
        out.canonicalize().is_ok_and(|out| earlier.canonicalize().is_ok_and(|it| it == out))
    };
    ensure!(
        !args.running.out.as_deref().is_some_and(is_itself),
        "`{}` is what is added to; --out names another directory",
        earlier.display()
    );
    let Addition { game, design, seed } =
        addition::addition(catalogue(), earlier, &new, &args.running.require)?;
    let (played, asked) =
        (game.game_type().facts().name, catalogue().game(&args.rules.game)?.facts().name);
    ensure!(played == asked, "`{}` is a tournament of {played}, not of {asked}", earlier.display());
    // Those of the earlier run are named by its manifest, which may come from anybody.
    run::grant(&new);
    run::added(&args.running, &*game, design, (earlier, seed))
}
