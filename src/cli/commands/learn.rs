//! `learn`: a planner's weights from matches against itself; or a net, from those of an agent.

use crate::cli::commands::choose;
use crate::cli::commands::host::catalogue;
use crate::cli::commands::run::{self, Output};
use crate::cli::searches;
use crate::lab::questions::searches::learn::{self, Learn, are_of_searches, features};
use crate::lab::questions::searches::learn_net::{self, LearnNet, TableChange};
use crate::lab::setup::rules::with_files;
use anyhow::{Result, ensure};

/// Who learns if nobody is named.
const PLANS: &str = "heuristic";
/// The same where only searches read the weights.
const SEARCHES: &str = "mcts:iterations=100";
/// Who plays for a net: a search that is fast, and now and then tries what it thinks a little worse.
const PLAYS: &str = "mcts:iterations=50:temperature=0.01";

/// Decisions from one position that weights are learned from to the next.
const EVERY: u32 = 17;
/// The same of nets, which have more to learn.
const EVERY_OF_NETS: u32 = 4;
/// How far results reach back.
const LAMBDA: f64 = 0.95;
/// The same of nets.
const LAMBDA_OF_NETS: f64 = 1.0;

/// Runs the command.
///
/// # Errors
/// If the game has nothing to learn, the arguments can't be played with, or the output can't be written.
pub fn run(args: &searches::Learn) -> Result<Output> {
    if args.net {
        return learn_net(args);
    }
    let facts = catalogue().game(&args.rules.game)?.facts();
    let features = features(&facts)?;
    let usual = if are_of_searches(&facts, features) { SEARCHES } else { PLANS };
    let game = choose::game(&args.rules, choose::players(&args.rules, args.players)?)?;
    let from = choose::agent(&*game, args.from.as_deref().unwrap_or(usual))?;
    check_out(args, "strategy", learn::FILE)?;
    let searches::Learn { matches, step, .. } = *args;
    let lambda = args.lambda.unwrap_or(LAMBDA);
    let every = args.every.unwrap_or(EVERY);
    let learn = Learn { matches, lambda, step, every, hold: args.hold.clone() };
    run::search(&args.running, &*game, learn.design(&*game, from)?)
}

/// The same of a net.
fn learn_net(args: &searches::Learn) -> Result<Output> {
    learn_net::inputs(&catalogue().game(&args.rules.game)?.facts())?;
    let game = choose::game(&args.rules, choose::players(&args.rules, args.players)?)?;
    let from = choose::agent(&*game, args.from.as_deref().unwrap_or(PLAYS))?;
    check_out(args, "net", learn_net::FILE)?;
    let every = args.every.unwrap_or(EVERY_OF_NETS);
    let sets = |mut table: TableChange| -> Result<TableChange> {
        table.set = with_files(game.game_type(), &table.set)?;
        Ok(table)
    };
    let tables = args.tables.iter().cloned().map(sets).collect::<Result<_>>()?;
    let searches::Learn { matches, siblings, points, .. } = *args;
    let lambda = args.lambda.unwrap_or(LAMBDA_OF_NETS);
    let learn = LearnNet { matches, every, tables, siblings, points, lambda };
    run::search(&args.running, &*game, learn.design(&*game, from)?)
}

/// Refuses a file in place of a directory.
fn check_out(args: &searches::Learn, what: &str, file: &str) -> Result<()> {
    let Some(out) = args.running.out.as_ref() else { return Ok(()) };
    ensure!(
        out.extension().is_none_or(|extension| extension != "toml"),
        "--out names a directory, and `{}` looks like a file; the {what} is written into the directory, as {file}",
        out.display()
    );
    Ok(())
}
