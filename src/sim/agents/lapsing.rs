//! Agents that are weaker on purpose by lapses: a share of their decisions is taken by a weaker agent.

use crate::core::agent::{ActionValue, Agent, Honest, Sight};
use crate::core::chance::unit;
use crate::core::game::{ActionFilter, Game};
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

/// An agent, and a weaker one that takes some of its decisions by what the seat sees. One number a decision is drawn for
/// it, before those of the agent that decides.
pub struct Lapsing<G: Game, S: Sight = Honest> {
    /// The chance that a decision is the weaker one's, 0 to 1.
    pub share: f32,
    /// The agent.
    pub agent: Box<dyn Agent<G, S>>,
    /// The weaker one.
    pub weaker: Box<dyn Agent<G>>,
}

impl<G: Game, S: Sight> Agent<G, S> for Lapsing<G, S> {
    /// Both read one list, the longer one of those that they want.
    fn action_filter(&self) -> ActionFilter {
        self.agent.action_filter().max(self.weaker.action_filter())
    }

    fn remembers(&self) -> bool {
        self.agent.remembers() || self.weaker.remembers()
    }

    fn choose(
        &mut self,
        seen: &S::Seen<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        if unit(rng) < self.share {
            self.weaker.choose(S::observation(seen), legal, rng)
        } else {
            self.agent.choose(seen, legal, rng)
        }
    }

    fn evaluate(
        &mut self,
        seen: &S::Seen<'_, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<ActionValue<G::Action>>,
    ) {
        self.agent.evaluate(seen, among, rng, out);
    }

    fn take_iterations(&mut self) -> u64 {
        self.agent.take_iterations() + self.weaker.take_iterations()
    }
}
