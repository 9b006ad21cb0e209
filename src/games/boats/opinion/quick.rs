//! The fast policy, for rollouts: that of the island, with boats among what is built when nothing better can be; it
//! moves no piece.

use crate::core::chance::below;
use crate::core::game::ActionFilter;
use crate::core::opinion::Policy;
use crate::core::types::actions::Actions;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::game::Boats;
use crate::games::boats::observe::View;
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::state::Phase;
use rand_pcg::Pcg32;

/// Builds fast; see the file's header.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick;

impl Policy<Boats> for Quick {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::NoOffers
    }

    #[inline]
    fn choose(
        &mut self,
        _game: &Boats,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let phase = view.island.table.phase;
        if matches!(phase, Phase::Answer(_) | Phase::Choose) {
            // The first answers are to refuse and to take no offer.
            return 0;
        }
        let mut any =
            |count: usize| below(rng, u32::try_from(count).expect("a short list")) as usize;
        if matches!(phase, Phase::FreeRoads(_)) {
            // The last is to stop, which no rollout does.
            return any((legal.len() - 1).max(1));
        }
        let chooses = matches!(legal[0], Action::Own(OwnAction::Helper { .. }));
        if phase != Phase::Act || chooses {
            return any(legal.len());
        }
        let is_dear = |action: &Action| {
            use IslandAction::{Buy, City, Settlement};
            matches!(action, Action::Island(City { .. } | Settlement { .. } | Buy))
        };
        let dear = legal.iter().filter(|action| is_dear(action)).count();
        if dear > 0 {
            let chosen = any(dear);
            let mut places = (0..legal.len()).filter(|&place| is_dear(&legal[place]));
            return places.nth(chosen).expect("one of those counted");
        }
        if any(2) == 0 {
            return 0;
        }
        let place = any(legal.len());
        let moves = matches!(
            legal[place],
            Action::Own(OwnAction::MoveBoat { .. } | OwnAction::MoveRoad { .. })
        );
        if moves { 0 } else { place }
    }
}
