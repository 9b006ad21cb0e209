//! The fast policy, for rollouts: builds what it can, settlements and cities first, plays cards, sometimes
//! trades with the bank, and places the robber at random.

use crate::core::chance::below;
use crate::core::game::ActionFilter;
use crate::core::opinion::Policy;
use crate::core::types::actions::Actions;
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::observe::View;
use crate::parts::island::state::Phase;
use rand_pcg::Pcg32;

/// Builds fast; see the file's header.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick;

impl Policy<Island> for Quick {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::NoOffers
    }

    #[inline]
    fn choose(
        &mut self,
        _game: &Island,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let count = u32::try_from(legal.len()).expect("a short list");
        if view.table.phase != Phase::Act {
            // The first answers are to refuse and to take no offer.
            return match view.table.phase {
                Phase::Answer(_) | Phase::Choose => 0,
                // The last is to stop, which no rollout does.
                Phase::FreeRoads(_) => below(rng, (count - 1).max(1)) as usize,
                _ => below(rng, count) as usize,
            };
        }
        // Cities stand first behind the end of the turn, then settlements, then purchases.
        let dear = |action: &&Action| {
            matches!(action, Action::City { .. } | Action::Settlement { .. } | Action::Buy)
        };
        let builds = legal[1..].iter().take_while(dear).count();
        match u32::try_from(builds).expect("a short list") {
            0 if below(rng, 2) == 0 => 0,
            0 => below(rng, count) as usize,
            builds => 1 + below(rng, builds) as usize,
        }
    }
}
