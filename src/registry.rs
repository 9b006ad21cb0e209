//! The list of games: those of the program, and those that a program around this library adds.

use crate::games::base::Base;
use crate::games::boats::Boats;
use crate::games::on_the_road::OnTheRoad;
use crate::games::struggle::Struggle;
use crate::games::two_player::TwoPlayer;
use crate::sim::any_game::{GameType, Of};
use std::sync::{Mutex, PoisonError};

/// The games of the program, in the order in which they are listed.
static GAMES: [&dyn GameType; 5] = [
    &Of::<OnTheRoad>::NEW,
    &Of::<Base>::NEW,
    &Of::<Struggle>::NEW,
    &Of::<TwoPlayer>::NEW,
    &Of::<Boats>::NEW,
];

/// The games that were added.
static ADDED: Mutex<Vec<&'static dyn GameType>> = Mutex::new(Vec::new());

/// All games, in the order in which they are listed.
pub fn games() -> Vec<&'static dyn GameType> {
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    GAMES.iter().copied().chain(added.iter().copied()).collect()
}

/// The names of all games.
pub fn names() -> Vec<&'static str> {
    games().iter().map(|game| game.facts().name).collect()
}

/// The game of a name.
pub fn game(name: &str) -> Option<&'static dyn GameType> {
    games().into_iter().find(|game| game.facts().name == name)
}

/// Adds a game, from which moment every command plays it; nothing happens if a game of its name is there.
pub fn add(game: &'static dyn GameType) {
    if self::game(game.facts().name).is_none() {
        ADDED.lock().unwrap_or_else(PoisonError::into_inner).push(game);
    }
}
