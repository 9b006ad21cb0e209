//! The fast policy, for rollouts: that of the island, which takes token actions and neutral places at random.

use crate::core::chance::below;
use crate::core::game::ActionFilter;
use crate::core::opinion::Policy;
use crate::core::types::actions::Actions;
use crate::games::two_player::action::Action;
use crate::games::two_player::game::TwoPlayer;
use crate::games::two_player::observe::View;
use crate::games::two_player::state::Owed;
use crate::parts::island::action;
use crate::parts::island::state::Phase;
use rand_pcg::Pcg32;

/// Builds fast; see the file's header.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick;

impl Policy<TwoPlayer> for Quick {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::NoOffers
    }

    #[inline]
    fn choose(
        &mut self,
        _game: &TwoPlayer,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let count = u32::try_from(legal.len()).expect("a short list");
        let phase = view.island.table.phase;
        if view.own.owed != Owed::Nothing || phase != Phase::Act {
            // The first answers are to refuse and to take no offer.
            return match phase {
                Phase::Answer(_) | Phase::Choose => 0,
                // The last is to stop, which no rollout does.
                Phase::FreeRoads(_) if view.own.owed == Owed::Nothing => {
                    below(rng, (count - 1).max(1)) as usize
                }
                _ => below(rng, count) as usize,
            };
        }
        let builds = legal[1..].iter().take_while(|action| is_dear(**action)).count();
        match u32::try_from(builds).expect("a short list") {
            0 if below(rng, 2) == 0 => 0,
            0 => below(rng, count) as usize,
            builds => 1 + below(rng, builds) as usize,
        }
    }
}

/// Cities stand first behind the end of the turn, then settlements, then purchases.
fn is_dear(action: Action) -> bool {
    use action::Action::{Buy, City, Settlement};
    matches!(action, Action::Island(City { .. } | Settlement { .. } | Buy))
}
