//! Agents that a program around the library adds to a game. They are named and played like those of the game.

use crate::core::agent::Agent;
use crate::core::game::Game;
use std::fmt;
use std::sync::Arc;
use toml::Table;

/// Makes an agent for a rule set from the parameters in its name; or says what is wrong with them.
type Make<G> = dyn Fn(&G, &Table) -> Result<Box<dyn Agent<G>>, String> + Send + Sync;

/// A kind of agent that is added to a game.
pub struct AddedAgent<G: Game> {
    /// The word on the command line: one that no other kind or strategy has, since those are looked for first.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    make: Arc<Make<G>>,
}

impl<G: Game> AddedAgent<G> {
    /// A kind of agent. `make` gets the rule set and the parameters of the name (`mine:x=1` has one), and makes an agent
    /// for each thread that plays. Results are the same on every machine if what the agent chooses follows from what
    /// it is given alone.
    pub fn new(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&G, &Table) -> Result<Box<dyn Agent<G>>, String> + Send + Sync + 'static,
    ) -> AddedAgent<G> {
        AddedAgent { name, about, make: Arc::new(make) }
    }

    /// Makes one.
    ///
    /// # Errors
    /// If there are no such parameters.
    pub fn make(&self, game: &G, parameters: &Table) -> Result<Box<dyn Agent<G>>, String> {
        (self.make)(game, parameters)
    }
}

impl<G: Game> Clone for AddedAgent<G> {
    fn clone(&self) -> AddedAgent<G> {
        AddedAgent { make: Arc::clone(&self.make), ..*self }
    }
}

impl<G: Game> fmt::Debug for AddedAgent<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddedAgent").field("name", &self.name).finish_non_exhaustive()
    }
}
