//! What the tests of all games do with a position: an action is carried out as the rules have it, and lists and rules
//! must agree.

use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::{ActionFilter, Game, try_apply};
use crate::core::types::actions::Actions;

/// A legal list.
pub fn listed<G: Game>(game: &G, state: &G::State, filter: ActionFilter) -> Vec<G::Action> {
    let mut out = Actions::new();
    game.legal(state, filter, &mut out);
    out.to_vec()
}

/// Carries out an action with this luck and no other. All that was listed must be allowed, and the invariants must hold
/// before and after.
#[track_caller]
pub fn play<G: Game>(game: &G, state: &mut G::State, action: G::Action, script: &[Scripted]) {
    game.check(state);
    for listed in listed(game, state, ActionFilter::Full) {
        assert_eq!(game.permits(state, listed), Ok(()), "{listed} is listed");
    }
    let mut chance = ScriptedChance::new(script.iter().copied());
    let done = try_apply(game, state, action, &mut chance);
    assert_eq!(done, Ok(()), "{action} is allowed");
    assert!(chance.is_exhausted(), "{action} takes all of {script:?}");
    game.check(state);
}

/// Carries out actions that need no luck.
#[track_caller]
pub fn play_all<G: Game>(game: &G, state: &mut G::State, actions: &[G::Action]) {
    for &action in actions {
        play(game, state, action, &[]);
    }
}
