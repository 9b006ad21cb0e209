//! The map that some luck deals, in a game that has one.

use crate::core::chance::RandomChance;
use crate::core::game::ActionFilter;
use crate::core::measure::maps::MapFacts;
use crate::core::seed::BlockSeed;
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::sim::any_game::Playable;

/// The map, with the places that the first founder may take.
pub fn dealt<G: Playable>(game: &G, seed: BlockSeed) -> Option<MapFacts> {
    let state = game.deal(&mut RandomChance::new(seed));
    let mut map = game.map_facts(&state)?;
    let mut legal = Actions::new();
    game.legal(&state, ActionFilter::Full, &mut legal);
    for founding in legal.iter().filter_map(|&action| game.founding(&state, action)) {
        let open = map.places.iter_mut().filter(|place| place.number == founding.place);
        open.for_each(|place| place.is_open = true);
    }
    Some(map)
}

/// The map in lines of characters, with the numbers of these places.
pub fn picture<G: Playable>(game: &G, seed: BlockSeed) -> Option<String> {
    let state = game.deal(&mut RandomChance::new(seed));
    let mut offered = Actions::new();
    game.legal(&state, ActionFilter::Full, &mut offered);
    game.picture(&game.view(&state, Seat::FIRST), &offered)
}
