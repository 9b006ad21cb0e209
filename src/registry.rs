//! The list of games.

use crate::games::base::Base;
use crate::games::on_the_road::OnTheRoad;
use crate::sim::any_game::GameType;
use crate::sim::any_game::Of;

/// All games, in the order in which they are listed.
pub static GAMES: [&dyn GameType; 2] = [&Of::<OnTheRoad>::NEW, &Of::<Base>::NEW];

/// The names of all games.
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|game| game.facts().name).collect()
}

/// The game of a name.
pub fn game(name: &str) -> Option<&'static dyn GameType> {
    GAMES.iter().copied().find(|game| game.facts().name == name)
}
