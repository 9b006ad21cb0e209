//! The games of a program, by name: a value that a caller makes, with those of this library and any of its own.

use crate::games::base::Base;
use crate::games::boats::Boats;
use crate::games::on_the_road::OnTheRoad;
use crate::games::struggle::Struggle;
use crate::games::two_player::TwoPlayer;
use crate::sim::any_game::{GameEntry, GameType};
use std::fmt;
use std::sync::Arc;

/// Games in the order in which they are listed.
#[derive(Clone)]
pub struct Games(Vec<Arc<dyn GameType>>);

impl Games {
    /// The games of this library.
    pub fn standard() -> Games {
        Games(vec![
            Arc::new(GameEntry::<OnTheRoad>::new()),
            Arc::new(GameEntry::<Base>::new()),
            Arc::new(GameEntry::<Struggle>::new()),
            Arc::new(GameEntry::<TwoPlayer>::new()),
            Arc::new(GameEntry::<Boats>::new()),
        ])
    }

    /// The same, with a game more; it takes the place of one that has its name.
    #[must_use]
    pub fn with(mut self, game: impl GameType + 'static) -> Games {
        let name = game.facts().name;
        let game: Arc<dyn GameType> = Arc::new(game);
        match self.0.iter_mut().find(|other| other.facts().name == name) {
            Some(other) => *other = game,
            None => self.0.push(game),
        }
        self
    }

    /// All games.
    pub fn iter(&self) -> impl Iterator<Item = &dyn GameType> {
        self.0.iter().map(|game| &**game)
    }

    /// The names of all games.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(|game| game.facts().name).collect()
    }

    /// The game of a name.
    pub fn get(&self, name: &str) -> Option<&dyn GameType> {
        self.iter().find(|game| game.facts().name == name)
    }
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Games").field(&self.names()).finish()
    }
}
