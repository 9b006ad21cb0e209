//! The fast policy, for rollouts: builds the most expensive card it can pay for, with a substitution if
//! need be, sometimes ends the turn instead, and never trades.

use crate::core::chance::below;
use crate::core::game::ActionFilter;
use crate::core::opinion::Policy;
use crate::core::types::actions::Actions;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::state::Phase;
use rand_pcg::Pcg32;

/// Builds fast; see the file's header.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick;

impl Policy<OnTheRoad> for Quick {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::NoOffers
    }

    #[inline]
    fn choose(
        &mut self,
        _game: &OnTheRoad,
        view: &View<'_>,
        legal: &mut Actions<Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let count = u32::try_from(legal.len()).expect("a short list");
        match view.table.phase {
            Phase::Main => {
                let exact =
                    |action: &&Action| matches!(action, Action::Build { pay: Payment::Exact, .. });
                let payable = u32::try_from(legal[1..].iter().take_while(exact).count());
                match payable.expect("a short list") {
                    // A substitution costs more than the printed price, so it is used only half of the time.
                    0 if count > 1 && below(rng, 2) == 0 => 1 + below(rng, count - 1) as usize,
                    0 => 0,
                    payable => 1 + below(rng, payable) as usize,
                }
            }
            Phase::Discard { .. } | Phase::Charity(_) => below(rng, count) as usize,
            _ => 0,
        }
    }
}
