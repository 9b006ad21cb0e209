//! Agents that are weaker on purpose by lapses: a share of their decisions is taken by a weaker agent.

use crate::core::agent::{Agent, OmniscientAgent, Thought};
use crate::core::chance::unit;
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

/// An agent, and a weaker one that takes some of its decisions. One number a decision is drawn for it, before those
/// of the agent that decides.
pub struct Lapsing<G: Game, A: ?Sized = dyn Agent<G>> {
    /// The chance that a decision is the weaker one's, 0 to 1.
    pub share: f32,
    /// The agent.
    pub agent: Box<A>,
    /// The weaker one.
    pub weaker: Box<dyn Agent<G>>,
}

impl<G: Game, A: ?Sized> Lapsing<G, A> {
    fn lapses(&self, rng: &mut Pcg32) -> bool {
        unit(rng) < self.share
    }
}

impl<G: Game> Agent<G> for Lapsing<G> {
    /// Both read one list, the longer one of those that they want.
    fn action_filter(&self) -> ActionFilter {
        self.agent.action_filter().max(self.weaker.action_filter())
    }

    fn remembers(&self) -> bool {
        self.agent.remembers() || self.weaker.remembers()
    }

    fn choose(
        &mut self,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let lapses = self.lapses(rng);
        let decides = if lapses { &mut self.weaker } else { &mut self.agent };
        decides.choose(seen, legal, rng)
    }

    fn weigh(
        &mut self,
        seen: &Observation<'_, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<Thought<G::Action>>,
    ) {
        self.agent.weigh(seen, among, rng, out);
    }

    fn take_iterations(&mut self) -> u64 {
        self.agent.take_iterations() + self.weaker.take_iterations()
    }
}

impl<G: Game> OmniscientAgent<G> for Lapsing<G, dyn OmniscientAgent<G>> {
    fn remembers(&self) -> bool {
        self.agent.remembers() || self.weaker.remembers()
    }

    fn choose(
        &mut self,
        state: &G::State,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        if self.lapses(rng) {
            self.weaker.choose(seen, legal, rng)
        } else {
            self.agent.choose(state, seen, legal, rng)
        }
    }

    fn weigh(
        &mut self,
        state: &G::State,
        seen: &Observation<'_, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<Thought<G::Action>>,
    ) {
        self.agent.weigh(state, seen, among, rng, out);
    }

    fn take_iterations(&mut self) -> u64 {
        self.agent.take_iterations() + self.weaker.take_iterations()
    }
}
