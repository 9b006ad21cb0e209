//! What the net that judges positions is told of a player: what the island's net is told, and what this game adds.
//!
//! The net is `net.toml` beside this file, read once.

use crate::core::net::{Net, inputs, joined};
use crate::core::types::seat::Seat;
use crate::games::two_player::game::{TwoPlayer, opponent};
use crate::games::two_player::state::{Owed, State};
use crate::parts::island::opinion::inputs::NAMES as ISLAND;
use std::sync::LazyLock;

inputs! {
    tokens * 0.2, "trade tokens";
    token_lead * 0.2, "trade tokens less those of the opponent";
    supply * 0.1, "trade tokens in the supply";
    price * 0.5, "what a token action costs, if it is its turn";
    acted * 1.0, "whether it is its turn and the token action has been taken";
    rolls_again * 1.0, "whether it is its turn, between the two rolls";
    owes_cards * 1.0, "whether it owes the opponent cards of a forced trade";
    owes_piece * 1.0, "whether it owes a neutral player a piece";
}

const COUNT: usize = ISLAND.len() + NAMES.len();

/// Names of all inputs: the island's, then those above.
pub const ALL: [&str; COUNT] = joined(ISLAND, NAMES);

/// The net.
pub static NET: LazyLock<Net> = LazyLock::new(|| {
    Net::parse(include_str!("net.toml"), &ALL).expect("the net that is shipped is one")
});

/// A flag as a number.
fn flag(of: bool) -> f32 {
    f32::from(u8::from(of))
}

/// What this game adds to the inputs of a player.
fn added(game: &TwoPlayer, state: &State, seat: Seat) -> Inputs {
    let (table, own) = (&state.island.table, &state.own);
    let held = |seat: Seat| f32::from(own.tokens[seat.idx()]);
    let (on_turn, active) = (table.current == seat, table.active == seat);
    let owes_piece = matches!(own.owed, Owed::Road | Owed::Settlement);
    Inputs {
        tokens: held(seat),
        token_lead: held(seat) - held(opponent(seat)),
        supply: f32::from(game.supply(own)),
        price: if active { f32::from(game.action_price(table)) } else { 0.0 },
        acted: flag(on_turn && own.acted),
        rolls_again: flag(on_turn && own.first > 0),
        owes_cards: flag(active && own.owed == Owed::Cards),
        owes_piece: flag(active && owes_piece),
    }
}

/// All inputs of a player, with those that the island's net is told.
pub fn all(game: &TwoPlayer, state: &State, seat: Seat, island: &[f32]) -> [f32; COUNT] {
    joined(island, &added(game, state, seat).scaled())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::chance::RandomChance;
    use crate::core::game::{ActionFilter, Game, Turn};
    use crate::core::opinion::{Judge, Opinion, Policy};
    use crate::core::seed::BlockSeed;
    use crate::core::types::actions::Actions;
    use crate::games::two_player::opinion::weights::Weights;
    use crate::games::two_player::rules::Rules;
    use crate::parts::island::cards::Card;
    use rand_pcg::Pcg32;

    /// In the middle of a match: a hidden point more is worth something to its holder.
    #[test]
    fn chances_are_shares_and_points_raise_them() {
        let game = TwoPlayer::new(Rules::default(), 2).expect("the default rules");
        let mut planner = game.planner(&Weights::default());
        let mut chance = RandomChance::new(BlockSeed::new(3, 0));
        let mut state = game.deal(&mut chance);
        let mut legal = Box::new(Actions::new());
        let mut rng = Pcg32::new(1, 1);
        while state.island.table.turn < 30 {
            let Turn::Decide(seat) = game.turn(&state) else { break };
            game.legal(&state, ActionFilter::NoOffers, &mut legal);
            let view = game.view(&state, seat);
            let chosen = planner.choose(&game, &view, &mut legal, &mut rng);
            game.apply(&mut state, legal[chosen], &mut chance);
        }
        let before = planner.learned(&game, &state);
        assert!((before.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        state.island.cards[1][Card::VictoryPoint.idx()] += 1;
        let after = planner.learned(&game, &state);
        assert!(after[1] > before[1], "{before:?}, {after:?}");
    }
}
