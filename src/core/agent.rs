//! What an agent is. It reads an observation, never a state, and points at an entry of the legal list.

use crate::core::chance::below;
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

/// What an agent thinks of an action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thought<A> {
    /// The action.
    pub action: A,
    /// The chance to win by it, 0 to 1; nothing if it was not tried.
    pub chance: Option<f32>,
    /// Iterations that tried it, if the agent searches.
    pub visits: Option<u32>,
    /// The share of iterations that it would get before anything is known, 0 to 1, if the agent searches.
    pub prior: Option<f32>,
}

/// A player at a seat. Built for one game; it keeps nothing from one match to the next except
/// buffers, so its choices depend only on what it is given.
pub trait Agent<G: Game>: Send {
    /// How much of the legal list it wants to read.
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Full
    }

    /// Whether it draws uniformly from what it may choose. Whoever plays the match then draws in its place, by
    /// [`uniform`], and writes no list.
    fn is_uniform(&self) -> bool {
        false
    }

    /// Whether it reads the memory of its observations. If no agent does, none is kept.
    fn remembers(&self) -> bool {
        false
    }

    /// The position in `legal` of the chosen action. It may append unlisted actions to the list and choose one
    /// of them; the runner asks the rules before it carries such an action out.
    fn choose(
        &mut self,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize;

    /// Adds what it thinks of these actions, as if there were no others; some may be left out, such as those that a
    /// search doesn't try. Nothing is added by agents that have no opinions.
    fn weigh(
        &mut self,
        _seen: &Observation<'_, G>,
        _among: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
        _out: &mut Vec<Thought<G::Action>>,
    ) {
    }

    /// Search iterations since the last call.
    fn take_iterations(&mut self) -> u64 {
        0
    }
}

/// An agent that sees everything: to measure what hidden information is worth, never for rankings.
pub trait OmniscientAgent<G: Game>: Send {
    /// Whether it reads the memory of its observations. If no agent does, none is kept.
    fn remembers(&self) -> bool {
        false
    }

    /// The position in `legal` of the chosen action. `seen` is what its seat may know of the state.
    fn choose(
        &mut self,
        state: &G::State,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize;

    /// Adds what it thinks of these actions, as if there were no others; some may be left out, such as those that a
    /// search doesn't try. Nothing is added by agents that have no opinions.
    fn weigh(
        &mut self,
        _state: &G::State,
        _seen: &Observation<'_, G>,
        _among: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
        _out: &mut Vec<Thought<G::Action>>,
    ) {
    }

    /// Search iterations since the last call.
    fn take_iterations(&mut self) -> u64 {
        0
    }
}

/// A place in a list of this length, each equally likely.
#[inline]
pub fn uniform(rng: &mut Pcg32, listed: usize) -> usize {
    below(rng, u32::try_from(listed).expect("a short list")) as usize
}

/// No agent: for games that have no agents of known types.
#[derive(Debug, Clone, Copy)]
pub enum NoAgent {}

impl<G: Game> Agent<G> for NoAgent {
    fn choose(
        &mut self,
        _seen: &Observation<'_, G>,
        _legal: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        match *self {}
    }
}

/// An agent of either kind.
pub enum Player<G: Game, K: Agent<G> = NoAgent> {
    /// Sees what its seat sees; of a type that is known where matches are played, so that the call is direct.
    Known(K),
    /// Sees what its seat sees.
    Honest(Box<dyn Agent<G>>),
    /// Sees everything.
    Omniscient(Box<dyn OmniscientAgent<G>>),
}

impl<G: Game, K: Agent<G>> Player<G, K> {
    /// How much of the legal list it wants to read.
    #[inline]
    pub fn action_filter(&self) -> ActionFilter {
        match self {
            Player::Known(agent) => agent.action_filter(),
            Player::Honest(agent) => agent.action_filter(),
            Player::Omniscient(_) => ActionFilter::Full,
        }
    }

    /// Whether it draws uniformly from what it may choose.
    pub fn is_uniform(&self) -> bool {
        match self {
            Player::Known(agent) => agent.is_uniform(),
            Player::Honest(agent) => agent.is_uniform(),
            Player::Omniscient(_) => false,
        }
    }

    /// Whether it reads the memory of its observations.
    pub fn remembers(&self) -> bool {
        match self {
            Player::Known(agent) => agent.remembers(),
            Player::Honest(agent) => agent.remembers(),
            Player::Omniscient(agent) => agent.remembers(),
        }
    }

    /// The position in `legal` of the chosen action. Only one that sees everything gets the state.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    pub fn choose(
        &mut self,
        state: &G::State,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        match self {
            Player::Known(agent) => agent.choose(seen, legal, rng),
            Player::Honest(agent) => agent.choose(seen, legal, rng),
            Player::Omniscient(agent) => agent.choose(state, seen, legal, rng),
        }
    }

    /// Adds what it thinks of some actions. Only one that sees everything gets the state.
    pub fn weigh(
        &mut self,
        state: &G::State,
        seen: &Observation<'_, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<Thought<G::Action>>,
    ) {
        match self {
            Player::Known(agent) => agent.weigh(seen, among, rng, out),
            Player::Honest(agent) => agent.weigh(seen, among, rng, out),
            Player::Omniscient(agent) => agent.weigh(state, seen, among, rng, out),
        }
    }

    /// Search iterations since the last call.
    pub fn take_iterations(&mut self) -> u64 {
        match self {
            Player::Known(agent) => agent.take_iterations(),
            Player::Honest(agent) => agent.take_iterations(),
            Player::Omniscient(agent) => agent.take_iterations(),
        }
    }
}
