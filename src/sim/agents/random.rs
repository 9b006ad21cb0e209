//! The agent that knows nothing: uniform over the legal list, trades included.

use crate::core::agent::{Agent, uniform};
use crate::core::game::{Game, Observation};
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

/// Chooses each listed action with the same probability.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn is_uniform(&self) -> bool {
        true
    }

    #[inline]
    fn choose(
        &mut self,
        _seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        uniform(rng, legal.len())
    }
}
