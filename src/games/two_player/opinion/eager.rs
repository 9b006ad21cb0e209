//! The one-step policy: that of the island; a neutral piece where it costs the opponent the most at once, a token action
//! that brings something now.

use crate::core::opinion::AtOnce;
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::{TwoPlayer, opponent};
use crate::games::two_player::observe::View;
use crate::games::two_player::opinion::weights::Weights;
use crate::parts::island::opinion::eager::{best_build, blocked, worth};
use crate::parts::island::state::Table;

/// Takes what brings the most now.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eager;

impl AtOnce<TwoPlayer> for Eager {
    fn worths(game: &TwoPlayer, view: &View<'_>, legal: &[Action], mut tell: impl FnMut(i32)) {
        for &action in legal {
            tell(value(game, view, action));
        }
    }

    /// The planner's default.
    fn fog() -> f32 {
        Weights::default().island.fog
    }
}

/// What an action brings at once: a hundred for each point, then dots. Nothing is 0.
fn value(game: &TwoPlayer, view: &View<'_>, action: Action) -> i32 {
    let (table, seat) = (view.island.table, view.island.seat);
    match action {
        Action::Island(action) => worth(game.island(), &view.island, action),
        Action::NeutralRoad { .. } | Action::NeutralSettlement { .. } => {
            let mut after = *table;
            game.place_neutral(&mut after, action);
            let lead = |of: &Table| standing(game, of, seat) - standing(game, of, opponent(seat));
            lead(&after) - lead(table)
        }
        // A card in the hand may always be better than another.
        Action::ForcedTrade => i32::from(view.island.hand_sizes[opponent(seat).idx()] > 1),
        Action::GiveBack { first, second } => {
            let left = view.island.hand - Resources::one(first) - Resources::one(second);
            let spare = |kind| i32::from(view.island.hand.get(kind));
            best_build(game.island(), &view.island, left) + spare(first) + spare(second)
        }
        Action::RobberHome => -blocked(game.island(), &view.island, table.robber),
        Action::TurnIn => {
            let mut after = *table;
            game.lose_knight(&mut after);
            let points = |of: &Table| i32::from(of.points(game.island(), seat));
            100 * (points(&after) - points(table)) - 1
        }
    }
}

/// A hundred for each point that a seat shows, and the dots of the best spot in its reach.
fn standing(game: &TwoPlayer, table: &Table, seat: Seat) -> i32 {
    let map = game.island().map();
    let sites = table.pieces.sites(seat).iter();
    let best = sites.map(|vertex| i32::from(table.board.pips_at(map, vertex))).max().unwrap_or(0);
    100 * i32::from(table.points(game.island(), seat)) + best
}
