//! What the tests of all games do with a position: an action is carried out as the rules have it, and lists and rules
//! must agree.

use crate::core::chance::{RandomChance, Scripted, ScriptedChance, below};
use crate::core::game::{ActionFilter, Game, Turn, try_apply};
use crate::core::opinion::{Opinion, Policy, Rate, first_best};
use crate::core::seed::BlockSeed;
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

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

/// Plays a match, half by the planner and half at random: at each decision the planner has to choose what it rates highest,
/// the first of equal ones. Returns how many of its choices were among a hundred actions or more.
#[track_caller]
pub fn choices_have_the_highest_rating<G: Opinion>(
    game: &G,
    weights: &G::Weights,
    seed: u64,
) -> usize {
    let rng = &mut Pcg32::new(seed, 5);
    let chance = &mut RandomChance::new(BlockSeed::new(seed, 0));
    let mut planner = game.planner(weights);
    let (mut state, mut legal, mut ratings) = (game.deal(chance), Actions::new(), Vec::new());
    let mut long = 0;
    while let Turn::Decide(seat) = game.turn(&state) {
        game.legal(&state, ActionFilter::Full, &mut legal);
        let view = game.view(&state, seat);
        planner.rate(game, &view, &legal, &mut ratings);
        let chosen = planner.choose(game, &view, &mut legal, rng);
        assert_eq!(chosen, first_best(&ratings), "seed {seed}: {} of {legal:?}", legal[chosen]);
        long += usize::from(legal.len() >= 100);
        let any = below(rng, u32::try_from(legal.len()).expect("a short list")) as usize;
        let action = legal[if below(rng, 2) == 0 { chosen } else { any }];
        game.apply(&mut state, action, chance);
    }
    long
}
