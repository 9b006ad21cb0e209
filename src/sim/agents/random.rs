//! The agent that knows nothing: uniform over the legal list, trades included.

use crate::core::agent::Agent;
use crate::core::chance::below;
use crate::core::game::{Game, Observation};
use crate::core::types::actions::Actions;
use rand_pcg::Pcg32;

/// Chooses each listed action with the same probability.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn looks(&self) -> bool {
        false
    }

    #[inline]
    fn choose(
        &mut self,
        _seen: &Observation<G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let count = u32::try_from(legal.len()).expect("a short list");
        below(rng, count) as usize
    }
}
