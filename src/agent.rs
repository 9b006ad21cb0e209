//! What an agent is. It reads an observation, never a state, and points at an entry of the legal list.

use crate::game::Game;
use crate::game::Menu;
use crate::game::Observation;
use crate::types::actions::Actions;
use crate::types::seat::Seat;
use rand_pcg::Pcg32;

/// Someone who sits at a seat. Built for one game; it keeps nothing from one match to the next but
/// buffers, so its choices depend on what it is given alone.
pub trait Agent<G: Game>: Send {
    /// How much of the legal list it wants to read.
    fn menu(&self) -> Menu {
        Menu::Full
    }

    /// Whether it reads the view of its observations. Where it doesn't, the view is some earlier one.
    fn looks(&self) -> bool {
        true
    }

    /// Whether it reads the memory of its observations. Where no one does, none is kept.
    fn remembers(&self) -> bool {
        false
    }

    /// The position in `legal` of what it does. It may append unlisted actions to the list and choose one
    /// of them; the runner asks the rules before it carries such an action out.
    fn choose(
        &mut self,
        seen: &Observation<G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize;

    /// Search iterations since the last call.
    fn take_iterations(&mut self) -> u64 {
        0
    }
}

/// Someone who sees everything: to measure what hidden information is worth, never for rankings.
pub trait Seer<G: Game>: Send {
    /// The position in `legal` of what it does.
    fn choose(
        &mut self,
        state: &G::State,
        seat: Seat,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize;

    /// Search iterations since the last call.
    fn take_iterations(&mut self) -> u64 {
        0
    }
}

/// Either of them.
pub enum Player<G: Game> {
    /// Sees what its seat sees.
    Honest(Box<dyn Agent<G>>),
    /// Sees everything.
    Seer(Box<dyn Seer<G>>),
}

impl<G: Game> Player<G> {
    /// How much of the legal list it wants to read.
    #[inline]
    pub fn menu(&self) -> Menu {
        match self {
            Player::Honest(agent) => agent.menu(),
            Player::Seer(_) => Menu::Full,
        }
    }

    /// Whether it reads the memory of its observations.
    pub fn remembers(&self) -> bool {
        match self {
            Player::Honest(agent) => agent.remembers(),
            Player::Seer(_) => false,
        }
    }

    /// Search iterations since the last call.
    pub fn take_iterations(&mut self) -> u64 {
        match self {
            Player::Honest(agent) => agent.take_iterations(),
            Player::Seer(seer) => seer.take_iterations(),
        }
    }
}
