//! What the net that judges positions is told of a seat: what the island's net is told, where boats are roads, and what
//! this variant adds.
//!
//! The net is `net.toml` beside this file, read once.

use crate::core::game::Game;
use crate::core::net::{InputList, Net, flag, inputs};
use crate::core::types::joined::joined;
use crate::core::types::seat::Seat;
use crate::games::boats::game::Boats;
use crate::games::boats::opinion::charted::KnownVoyages;
use crate::games::boats::state::State;
use crate::parts::island::opinion::inputs::ALL as ISLAND;
use crate::parts::island::state::Table;
use std::sync::LazyLock;

inputs! {
    version 1;
    boats * 0.2, "boats";
    chits * 0.5, "points of chits that count";
    waiting * 0.5, "points of chits that wait beneath a settlement";
    gold * 0.25, "gold pieces";
    near * 1.0, "how near foreign land is: 1 at a place to settle, halved for each boat that is needed; 0 if it is far";
    lands * 1.0, "whether it may settle on foreign land";
    fog * 0.125, "unexplored hexes";
    isa * 0.5, "how often it can still use Isa";
    louis * 1.0, "whether it has Louis";
    chooses * 1.0, "whether it has still to choose one of them";
    moved * 1.0, "whether it is its turn and a boat was moved";
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
    LazyLock::new(|| Net::shipped(include_str!("net.toml"), Boats::NAME, &ALL));

/// What this variant adds to the inputs of a seat, whose boats are roads of the chart.
fn added(
    game: &Boats,
    state: &State,
    chart: &Table,
    seat: Seat,
    voyages: &mut KnownVoyages,
) -> Inputs {
    let (own, at) = (&state.own, seat.idx());
    let chit = f32::from(game.rules.chit);
    let away = voyages.boats_to_foreign(game, chart, own, seat);
    Inputs {
        boats: f32::from(own.boats[at].len()),
        chits: chit * f32::from(own.chits[at]),
        waiting: chit * f32::from(own.waiting[at]),
        gold: f32::from(own.gold[at]),
        near: away.map_or(0.0, |boats| (0..boats).fold(1.0, |near, _| 0.5 * near)),
        lands: flag(away == Some(0)),
        fog: f32::from(own.fog.len()),
        isa: f32::from(own.isa_left[at]),
        louis: flag(own.louis[at]),
        chooses: flag(own.choosing[at]),
        moved: flag(chart.current == seat && own.moved > 0),
    }
}

/// All inputs of a seat, with those that the island's net is told.
pub fn all(
    game: &Boats,
    state: &State,
    chart: &Table,
    seat: Seat,
    island: &[f32],
    voyages: &mut KnownVoyages,
) -> [f32; COUNT] {
    joined(island, &added(game, state, chart, seat, voyages).scaled())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game::Game;
    use crate::core::opinion::learned_chances;
    use crate::games::boats::rules::Rules;
    use crate::parts::island::cards::Card;

    /// In the middle of a match: a hidden point more is worth something to its holder.
    #[test]
    fn chances_are_shares_and_points_raise_them() {
        let game = Boats::new(Rules::default(), 4).expect("the default rules");
        let [before, after] = learned_chances(
            &game,
            |state| state.island.table.turn < 30,
            |state| state.island.cards[1][Card::VictoryPoint.idx()] += 1,
        );
        assert!(after[1] > before[1], "{before:?}, {after:?}");
    }
}
