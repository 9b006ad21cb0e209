//! Playing on from a position, by a policy, to the end of the match or for a number of turns.

use crate::core::chance::PlainChance;
use crate::core::game::{ActionFilter, Game, Turn};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use rand_pcg::Pcg32;

/// Chooses an entry of a legal list during a rollout, where hands are not secret.
pub trait Guide<G: Game> {
    /// How much of the legal list it reads.
    fn action_filter(&self) -> ActionFilter;

    /// The entry that `seat` chooses.
    fn pick(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize;
}

/// Plays on until the match is over or `turns` more turns have begun.
#[inline]
pub fn play_on<G: Game>(
    game: &G,
    state: &mut G::State,
    turns: u16,
    guide: &mut impl Guide<G>,
    legal: &mut Actions<G::Action>,
    rng: &mut Pcg32,
) {
    let stop = game.turn_number(state).saturating_add(turns);
    let filter = guide.action_filter();
    while let Turn::Decide(seat) = game.turn(state) {
        if game.turn_number(state) >= stop {
            return;
        }
        game.legal(state, filter, legal);
        let listed = legal.len();
        let mut idx = if listed == 1 { 0 } else { guide.pick(game, state, seat, legal, rng) };
        if idx >= listed && game.permits(state, legal[idx]).is_err() {
            idx = 0;
        }
        game.apply(state, legal[idx], &mut PlainChance(rng));
    }
}

/// 1 for the winner of a match that is over, 0 for everyone else.
pub fn result<G: Game>(game: &G, state: &G::State) -> PerSeat<f32> {
    let mut values = [0.0; SEATS_MAX];
    if let Some(winner) = game.outcome(state).winner {
        values[winner.idx()] = 1.0;
    }
    values
}
