//! The fast policy, for rollouts: builds what it can, draws all it may, and otherwise trades half of the time.

use crate::core::agent::uniform;
use crate::core::game::ActionFilter;
use crate::core::opinion::Policy;
use crate::core::types::actions::Actions;
use crate::games::struggle::action::Action;
use crate::games::struggle::game::Struggle;
use crate::games::struggle::observe::View;
use crate::games::struggle::state::Phase;
use rand_pcg::Pcg32;

/// Builds fast; see the file's header.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick;

impl Policy<Struggle> for Quick {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Plain
    }

    #[inline]
    fn choose(
        &mut self,
        _game: &Struggle,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        rng: &mut Pcg32,
    ) -> usize {
        match view.table.phase {
            Phase::Act => {
                let is_build = |action: &&Action| matches!(action, Action::Build { .. });
                match legal[1..].iter().take_while(is_build).count() {
                    0 if uniform(rng, 2) == 0 => 0,
                    0 => uniform(rng, legal.len()),
                    builds => 1 + uniform(rng, builds),
                }
            }
            // The last entry draws the most.
            Phase::Extra(_) => legal.len() - 1,
            _ => uniform(rng, legal.len()),
        }
    }
}
