//! One match, played from its beginning.

use crate::core::agent::Player;
use crate::core::record::Recorder;
use crate::sim::any_game::{BadMatch, OneMatch, Playable};
use crate::sim::play;
use crate::sim::play::fork::Paused;
use crate::sim::play::made::Order;

/// Plays a match, in which a choice may be forced.
///
/// # Errors
/// If an agent breaks the rules.
pub fn play<G: Playable>(
    game: &G,
    players: &mut [Player<G, G::Special>],
    plan: OneMatch<'_>,
    recorder: &mut dyn Recorder<G>,
) -> Result<(), BadMatch> {
    let failed = |error: play::AgentFault| BadMatch::Played(error.to_string());
    let mut arena = play::Arena::new(game.clone());
    if !plan.founded.is_empty() {
        let mut order = Order::new(plan.founded);
        let mut instead = |game: &G, state: &G::State, action| order.instead(game, state, action);
        let played = arena.play_made(players, plan.seats, plan.seed, recorder, &mut instead);
        return match played.map_err(failed)? {
            Some(_) => Ok(()),
            None => Err(BadMatch::Played("a place that it was made to take was closed".to_owned())),
        };
    }
    let Some((option, choice)) = plan.forced else {
        arena.play(players, plan.seats, plan.seed, recorder).map_err(failed)?;
        return Ok(());
    };
    let mut pause = |game: &G, state: &G::State, action: G::Action| {
        game.option(choice, state, action).is_some()
    };
    let paused = arena.play_until(players, plan.seats, plan.seed, recorder, &mut pause);
    if let Paused::At(fork) = paused.map_err(failed)? {
        let forced = arena.game().with_option(choice, fork.state(), fork.action, option);
        let action = forced.unwrap_or(fork.action);
        arena.play_from(&fork, action, players, plan.seats, recorder).map_err(failed)?;
    }
    Ok(())
}
