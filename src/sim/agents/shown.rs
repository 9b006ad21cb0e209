//! A part of a legal list, which an agent is shown in place of the whole.

use crate::core::agent::{ActionValue, Agent, Sight};
use crate::core::game::Game;
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

/// The entries of a legal list that an agent is shown, and where they stand in it.
pub struct Shown<G: Game> {
    left: Actions<G::Action>,
    places: Vec<usize>,
    values: Vec<ActionValue<G::Action>>,
}

impl<G: Game> Default for Shown<G> {
    /// Nothing yet.
    fn default() -> Shown<G> {
        Shown { left: Actions::new(), places: Vec::new(), values: Vec::new() }
    }
}

impl<G: Game> Shown<G> {
    /// Keeps those entries of a list for which this holds, asked in their order.
    pub fn keep(&mut self, legal: &[G::Action], mut holds: impl FnMut(G::Action) -> bool) {
        self.left.clear();
        self.places.clear();
        for (place, &action) in legal.iter().enumerate() {
            if holds(action) {
                self.left.push(action);
                self.places.push(place);
            }
        }
    }

    /// Whether no entry was kept.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The place in the whole list of what the agent chooses from what was kept. What it makes up itself, such as an offer
    /// that is not listed, is added to the whole list if this holds for it; else it does what it thinks the best of what
    /// was kept.
    pub fn choose<S: Sight>(
        &mut self,
        agent: &mut dyn Agent<G, S>,
        seen: &S::Seen<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        holds: impl Fn(G::Action) -> bool,
    ) -> usize {
        let chosen = agent.choose(seen, &mut self.left, rng);
        if let Some(&place) = self.places.get(chosen) {
            return place;
        }
        let action = self.left[chosen];
        if holds(action) {
            legal.push(action);
            return legal.len() - 1;
        }
        let best = self.best(agent, seen, rng);
        self.places[best]
    }

    /// The place, among those that are left, of what the agent thinks the best of them.
    fn best<S: Sight>(
        &mut self,
        agent: &mut dyn Agent<G, S>,
        seen: &S::Seen<'_, G>,
        rng: &mut Pcg32,
    ) -> usize {
        self.left.truncate(self.places.len());
        self.values.clear();
        agent.evaluate(seen, &mut self.left, rng, &mut self.values);
        let chance = |value: &ActionValue<G::Action>| value.chance.unwrap_or(-1.0);
        let best = self
            .values
            .iter()
            .reduce(|best, other| if chance(other) > chance(best) { other } else { best });
        let best = best.and_then(|best| self.left.iter().position(|left| *left == best.action));
        best.filter(|&place| place < self.places.len()).unwrap_or(0)
    }
}
