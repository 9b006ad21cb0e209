//! Agents that are weaker on purpose by a temperature: what seems better is more likely, and the best not sure.
//!
//! An action that seems worth a chance w to win is drawn with a chance in proportion to e^(w / T), T being the
//! temperature (a softmax, or Boltzmann policy: R. Sutton, A. Barto, "Reinforcement Learning", 2.8). Ratings become
//! chances to win by [`rated_chances`].
//!
//! What the agent would do at T = 0 has a [`HEAD_START`]: it counts for a little more. So an agent at a low
//! temperature does what it would do without one, also where other actions are as good. (A lottery among equal actions
//! would make it another agent, and not always a weaker one: on On the Road, the planner wins 0.8 pp more if it varies
//! its offers.) The higher the temperature, the less it matters what an action is worth; in the limit all are
//! equally likely.

use crate::core::agent::{ActionValue, Agent};
use crate::core::chance::unit;
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::opinion::{Policy, Rate, first_best, rated_chances, rated_thoughts};
use crate::core::types::actions::{ACTIONS_CAP, Actions};
use rand_pcg::Pcg32;

/// Draws actions by what a policy thinks that they are worth.
#[derive(Debug, Clone)]
pub struct Tempered<G, P> {
    game: G,
    policy: P,
    temperature: f32,
    worths: Vec<f32>,
}

impl<G: Game, P: Policy<G> + Rate<G>> Tempered<G, P> {
    /// An agent that rates by this policy. The temperature, in win probability, is above 0.
    pub fn new(game: G, policy: P, temperature: f32) -> Tempered<G, P> {
        Tempered { game, policy, temperature, worths: Vec::with_capacity(ACTIONS_CAP) }
    }
}

impl<G: Game, P: Policy<G> + Rate<G>> Agent<G> for Tempered<G, P> {
    fn action_filter(&self) -> ActionFilter {
        self.policy.action_filter()
    }

    fn choose(
        &mut self,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let Tempered { game, policy, temperature, worths } = self;
        let listed = legal.len();
        policy.suggest(game, &seen.view, legal);
        policy.rate(game, &seen.view, legal, worths);
        // What a policy suggests it would do itself. Ratings that differ may be the same chance, rounded.
        let usual = if legal.len() > listed { listed } else { first_best(&*worths) };
        rated_chances(game.players(), policy.fog(), worths);
        draw(worths, usual, *temperature, rng)
    }

    fn evaluate(
        &mut self,
        seen: &Observation<'_, G>,
        among: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
        out: &mut Vec<ActionValue<G::Action>>,
    ) {
        rated_thoughts(&mut self.policy, &self.game, &seen.view, among, out);
    }
}

/// What an agent's usual choice counts for more than its worth, in win probability.
pub const HEAD_START: f32 = 0.01;

/// A place in a list of worths, drawn with chances in proportion to e^(worth / temperature); the `usual` one has a head
/// start. What is worth minus infinity, or no number, is not drawn, unless all are. The worths are overwritten.
pub fn draw(worths: &mut [f32], usual: usize, temperature: f32, rng: &mut Pcg32) -> usize {
    worths[usual] += HEAD_START;
    let most = worths.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for worth in &mut *worths {
        // The larger of no number and 0 is 0.
        *worth = libm::expf((*worth - most) / temperature).max(0.0);
        sum += *worth;
    }
    let mut left = unit(rng) * sum;
    let mut drawn = usual;
    for (place, &chance) in worths.iter().enumerate().filter(|&(_, &chance)| chance > 0.0) {
        drawn = place;
        if left < chance {
            break;
        }
        left -= chance;
    }
    drawn
}
