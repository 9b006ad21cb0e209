//! `diagnose`: what stands out in a game.

use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::cli::questions::Diagnose;
use crate::lab::questions::studies::diagnose;
use crate::lab::setup::rules::{changed, sets};
use crate::sim::agents::strategies::STRATEGIES;
use anyhow::Result;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with or the output can't be written.
pub fn run(args: &Diagnose) -> Result<Output> {
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let names = args.levels.clone().unwrap_or_else(|| usual_levels(&args.rules.game));
    let levels = choose::levels(&*game, &names)?;
    let own = || changed(game.game_type(), game.game_type().default_rules(), &[], players);
    // A run's rules are those that both rule sets are changes of.
    let base = args.against.map(|_| own()).transpose()?;
    let changes = base.as_ref().map(|_| sets(game.game_type(), &game.rules()));
    let design = diagnose::Diagnose::design(levels, changes, players, args.blocks)?;
    run::start(&args.running, &*base.unwrap_or(game), design)
}

/// The levels of a game that has some, else agents that every game has.
fn usual_levels(game: &str) -> String {
    let weaker = ["easy", "hard"].map(|level| format!("levels/{game}/{level}"));
    let has = |name: &String| STRATEGIES.iter().any(|(known, _)| known == name);
    if weaker.iter().all(has) {
        format!("{},heuristic", weaker.join(","))
    } else {
        "greedy,heuristic".to_owned()
    }
}
