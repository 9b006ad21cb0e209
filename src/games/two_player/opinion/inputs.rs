//! What the net that judges positions is told of a player: what the island's net is told, and what this game adds.
//!
//! The net is `net.toml` beside this file, read once.

use crate::core::game::Game;
use crate::core::net::{InputList, Net, flag, inputs};
use crate::core::types::joined::joined;
use crate::core::types::seat::Seat;
use crate::games::two_player::game::{TwoPlayer, opponent};
use crate::games::two_player::state::{Owed, State};
use crate::parts::island::opinion::inputs::ALL as ISLAND;
use std::sync::LazyLock;

inputs! {
    version 1;
    tokens * 0.2, "trade tokens";
    token_lead * 0.2, "trade tokens less those of the opponent";
    supply * 0.1, "trade tokens in the supply";
    price * 0.5, "what a token action costs, if it is its turn";
    acted * 1.0, "whether it is its turn and the token action has been taken";
    rolls_again * 1.0, "whether it is its turn, between the two rolls";
    owes_cards * 1.0, "whether it owes the opponent cards of a forced trade";
    owes_piece * 1.0, "whether it owes a neutral player a piece";
}

const COUNT: usize = ISLAND.names.len() + OWN.names.len();

/// All inputs: the island's, then those above.
pub const ALL: InputList = InputList {
    // Either may come to mean something else.
    version: ISLAND.version + OWN.version - 1,
    names: &joined::<_, COUNT>(ISLAND.names, OWN.names),
    scales: &joined::<_, COUNT>(ISLAND.scales, OWN.scales),
};

/// The net.
pub static NET: LazyLock<Net> =
    LazyLock::new(|| Net::shipped(include_str!("net.toml"), TwoPlayer::NAME, &ALL));

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
    use crate::core::game::Game;
    use crate::core::opinion::learned_chances;
    use crate::games::two_player::rules::Rules;
    use crate::parts::island::cards::Card;

    /// In the middle of a match: a hidden point more is worth something to its holder.
    #[test]
    fn chances_are_shares_and_points_raise_them() {
        let game = TwoPlayer::new(Rules::default(), 2).expect("the default rules");
        let [before, after] = learned_chances(
            &game,
            |state| state.island.table.turn < 30,
            |state| state.island.cards[1][Card::VictoryPoint.idx()] += 1,
        );
        assert!(after[1] > before[1], "{before:?}, {after:?}");
    }
}
