//! The island in characters: what it has at sea.

use crate::core::chance::RandomChance;
use crate::core::game::Game;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::wording::Wording;
use crate::games::boats::Boats;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::rules::Rules;
use crate::parts::places::EdgeSet;

/// Harbours in bays, too, show whole beside the numbers of all edges and beside boats on all of them.
#[test]
fn harbours_are_read_beside_boats_and_numbers() {
    for players in [3, 4] {
        let game = Boats::new(Rules::default(), players).expect("the default rules");
        for seed in 0..20 {
            let mut state = game.deal(&mut RandomChance::new(BlockSeed::new(seed, 0)));
            let edges: EdgeSet = game.island.map().all_edges();
            let offered: Vec<Action> =
                edges.iter().map(|edge| Action::Own(OwnAction::Boat { edge })).collect();
            let numbered = game.picture(&game.view(&state, Seat::FIRST), &offered);
            state.own.boats[0] = edges;
            let sailed = game.picture(&game.view(&state, Seat::FIRST), &[]);
            for picture in [numbered, sailed] {
                let picture = picture.expect("boats have a board");
                let is_harbour = |word: &&str| {
                    let kind = word.strip_prefix('2').unwrap_or_default();
                    *word == "3:1" || kind.len() >= 3 && kind.chars().all(char::is_alphabetic)
                };
                // A vertex 2 beside land reads like one.
                let harbours = picture.split([' ', '\n', '~']).filter(is_harbour).count();
                assert!(harbours >= game.island.parts().harbour_places.len(), "{seed}:\n{picture}");
            }
        }
    }
}
