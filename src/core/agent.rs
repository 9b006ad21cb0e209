//! What an agent is. It reads an observation, never a state, and points at an entry of the legal list.

use crate::core::chance::below;
use crate::core::game::{ActionFilter, Chain, Game, Observation};
use crate::core::guest::{Asked, Guest};
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

/// What an agent thinks of an action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionValue<A> {
    /// The action.
    pub action: A,
    /// The chance to win by it, 0 to 1; nothing if it was not tried.
    pub chance: Option<f32>,
    /// Iterations that tried it, if the agent searches.
    pub visits: Option<u32>,
    /// The share of iterations that it would get before anything is known, 0 to 1, if the agent searches.
    pub prior: Option<f32>,
}

/// What an agent is given to see: [`Honest`] or [`Omniscient`]. It is part of an agent's type, so none can be seated as
/// one of the other kind.
pub trait Sight: 'static {
    /// What it is given.
    type Seen<'a, G: Game>: Sync;

    /// Whether something is left to imagine, by what the seat remembers.
    const IMAGINES: bool;

    /// What the seat may know.
    fn observation<'s, 'a, G: Game>(seen: &'s Self::Seen<'a, G>) -> &'s Observation<'a, G>;

    /// A full position that agrees with all that is seen; `chain` is what the last one of the same left.
    fn imagine<G: Game>(
        seen: &Self::Seen<'_, G>,
        game: &G,
        chain: &mut Chain<G>,
        rng: &mut Pcg32,
    ) -> G::State;
}

/// Sees what its seat sees.
#[derive(Debug, Clone, Copy)]
pub enum Honest {}

/// Sees everything: to measure what hidden information is worth, never for rankings.
#[derive(Debug, Clone, Copy)]
pub enum Omniscient {}

/// A position, and what a seat may know of it.
#[derive(Debug)]
pub struct Everything<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// What the seat may know of it.
    pub seen: Observation<'a, G>,
}

impl<'a, G: Game> Everything<'a, G> {
    /// A position, with what a seat may know of it.
    pub fn new(state: &'a G::State, seen: &Observation<'a, G>) -> Everything<'a, G> {
        let &Observation { seat, view, memory } = seen;
        Everything { state, seen: Observation { seat, view, memory } }
    }
}

impl Sight for Honest {
    type Seen<'a, G: Game> = Observation<'a, G>;

    const IMAGINES: bool = true;

    fn observation<'s, 'a, G: Game>(seen: &'s Self::Seen<'a, G>) -> &'s Observation<'a, G> {
        seen
    }

    fn imagine<G: Game>(
        seen: &Observation<'_, G>,
        game: &G,
        chain: &mut Chain<G>,
        rng: &mut Pcg32,
    ) -> G::State {
        seen.determinize_next(game, chain, rng)
    }
}

impl Sight for Omniscient {
    type Seen<'a, G: Game> = Everything<'a, G>;

    const IMAGINES: bool = false;

    fn observation<'s, 'a, G: Game>(all: &'s Self::Seen<'a, G>) -> &'s Observation<'a, G> {
        &all.seen
    }

    fn imagine<G: Game>(
        all: &Everything<'_, G>,
        _game: &G,
        _chain: &mut Chain<G>,
        _rng: &mut Pcg32,
    ) -> G::State {
        *all.state
    }
}

/// A player at a seat. Built for one game; it keeps nothing from one match to the next except
/// buffers, so its choices depend only on what it is given.
pub trait Agent<G: Game, S: Sight = Honest>: Send {
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
        seen: &S::Seen<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize;

    /// Adds what it thinks of these actions, as if there were no others; some may be left out, such as those that a
    /// search doesn't try. Nothing is added by agents that have no opinions.
    fn evaluate(
        &mut self,
        _seen: &S::Seen<'_, G>,
        _among: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
        _out: &mut Vec<ActionValue<G::Action>>,
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

/// An agent of any kind, or a guest.
pub enum Player<G: Game, K: Agent<G> = NoAgent> {
    /// Sees what its seat sees; of a type that is known where matches are played, so that the call is direct.
    Known(K),
    /// Sees what its seat sees.
    Honest(Box<dyn Agent<G>>),
    /// Sees everything.
    Omniscient(Box<dyn Agent<G, Omniscient>>),
    /// Decides outside, and sees what its seat sees.
    Guest(Box<dyn Guest<G>>, Announce<G>),
}

/// What is open to all when a seat is asked.
pub type Announce<G> = Box<dyn Fn(&<G as Game>::State) -> Asked + Send>;

impl<G: Game, K: Agent<G>> Player<G, K> {
    /// How much of the legal list it wants to read.
    #[inline]
    pub fn action_filter(&self) -> ActionFilter {
        match self {
            Player::Known(agent) => agent.action_filter(),
            Player::Honest(agent) => agent.action_filter(),
            Player::Omniscient(agent) => agent.action_filter(),
            Player::Guest(guest, _) => guest.action_filter(),
        }
    }

    /// Whether it draws uniformly from what it may choose.
    pub fn is_uniform(&self) -> bool {
        match self {
            Player::Known(agent) => agent.is_uniform(),
            Player::Honest(agent) => agent.is_uniform(),
            Player::Omniscient(agent) => agent.is_uniform(),
            Player::Guest(..) => false,
        }
    }

    /// Whether it reads the memory of its observations.
    pub fn remembers(&self) -> bool {
        match self {
            Player::Known(agent) => agent.remembers(),
            Player::Honest(agent) => agent.remembers(),
            Player::Omniscient(agent) => agent.remembers(),
            Player::Guest(guest, _) => guest.hears(),
        }
    }

    /// The position in `legal` of the chosen action. Only one that sees everything gets the state.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    pub fn choose<'a>(
        &mut self,
        state: &'a G::State,
        seen: &Observation<'a, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        match self {
            Player::Known(agent) => agent.choose(seen, legal, rng),
            Player::Honest(agent) => agent.choose(seen, legal, rng),
            Player::Omniscient(agent) => agent.choose(&Everything::new(state, seen), legal, rng),
            Player::Guest(guest, announce) => guest.choose(announce(state), seen, legal),
        }
    }

    /// Adds what it thinks of some actions. Only one that sees everything gets the state.
    pub fn evaluate<'a>(
        &mut self,
        state: &'a G::State,
        seen: &Observation<'a, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<ActionValue<G::Action>>,
    ) {
        match self {
            Player::Known(agent) => agent.evaluate(seen, among, rng, out),
            Player::Honest(agent) => agent.evaluate(seen, among, rng, out),
            Player::Omniscient(agent) => {
                agent.evaluate(&Everything::new(state, seen), among, rng, out);
            }
            Player::Guest(..) => {}
        }
    }

    /// The guest, if it is one.
    pub fn guest(&mut self) -> Option<&mut dyn Guest<G>> {
        match self {
            Player::Guest(guest, _) => Some(&mut **guest),
            _ => None,
        }
    }

    /// Why it failed, if it is a guest that did.
    pub fn fault(&self) -> Option<String> {
        match self {
            Player::Guest(guest, _) => guest.fault(),
            _ => None,
        }
    }

    /// Search iterations since the last call.
    pub fn take_iterations(&mut self) -> u64 {
        match self {
            Player::Known(agent) => agent.take_iterations(),
            Player::Honest(agent) => agent.take_iterations(),
            Player::Omniscient(agent) => agent.take_iterations(),
            Player::Guest(..) => 0,
        }
    }
}
