//! `learn`: a planner's weights from matches against itself.

use crate::cli::commands::choose;
use crate::cli::commands::run::{self, Output};
use crate::cli::searches;
use crate::lab::line_up::agent;
use crate::lab::rules::game_type;
use crate::lab::searches::learn::{Learn, are_of_searches, features};
use anyhow::{Result, ensure};

/// Who learns if nobody is named.
const PLANS: &str = "heuristic";
/// The same where only searches read the weights.
const SEARCHES: &str = "mcts:iterations=100";

/// Runs the command.
///
/// # Errors
/// If the game has nothing to learn, the arguments can't be played with, or the output can't be written.
pub fn run(args: &searches::Learn) -> Result<Output> {
    let facts = game_type(&args.rules.game)?.facts();
    let features = features(&facts)?;
    let usual = if are_of_searches(&facts, features) { SEARCHES } else { PLANS };
    let game = choose::game(&args.rules, args.players)?;
    let from = agent(args.from.as_deref().unwrap_or(usual))?;
    if let Some(out) = args.running.out.as_ref() {
        let is_file = out.extension().is_some_and(|extension| extension == "toml");
        ensure!(
            !is_file,
            "--out names a directory, and `{}` looks like a file; the strategy is written into the directory, as \
             learned.toml",
            out.display()
        );
    }
    let searches::Learn { matches, lambda, step, every, .. } = *args;
    let learn = Learn { matches, lambda, step, every, hold: args.hold.clone() };
    run::search(&args.running, &*game, learn.design(&*game, from)?)
}
