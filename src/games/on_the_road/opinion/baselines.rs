//! The two baselines of On the Road, specified completely so that other programs can play them.
//!
//! Both never trade, refuse every trade and never substitute. Robber discards are a uniformly random
//! subset of the cards of the needed size (card by card, each card in hand equally likely); Charity gives a
//! uniformly random card to a uniformly random player with fewer points.

use crate::core::agent::{Agent, uniform};
use crate::core::game::{ActionFilter, Observation};
use crate::core::types::actions::Actions;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::observe::View;
use crate::games::on_the_road::state::Phase;
use rand_pcg::Pcg32;

/// One of the two.
#[derive(Debug, Clone, Copy)]
pub enum Baseline {
    /// Builds the first that is legal and affordable of metropolis (on B uniformly among the unbuilt), city,
    /// settlement, knight, road, and looks again; ends the turn when nothing is left to build.
    Builder,
    /// Chooses uniformly among ending the turn and each affordable legal build.
    Drifter,
}

impl Agent<OnTheRoad> for Baseline {
    fn action_filter(&self) -> ActionFilter {
        ActionFilter::Plain
    }

    #[inline]
    fn choose(
        &mut self,
        seen: &Observation<'_, OnTheRoad>,
        legal: &mut Actions<Action>,
        rng: &mut Pcg32,
    ) -> usize {
        if seen.view.table.phase != Phase::Main {
            return unwilling(&seen.view, legal, rng);
        }
        match self {
            Baseline::Builder => build(legal, rng),
            Baseline::Drifter => uniform(rng, legal.len()),
        }
    }
}

/// The list starts with the end of the turn; then come the builds, the dearest first.
#[inline]
fn build(legal: &[Action], rng: &mut Pcg32) -> usize {
    match legal[1..].iter().take_while(|&&action| is_metropolis(action)).count() {
        0 => 1.min(legal.len() - 1),
        metropolises => 1 + uniform(rng, metropolises),
    }
}

fn is_metropolis(action: Action) -> bool {
    matches!(action, Action::Build { card, .. } if card.idx() >= Card::MetropolisRoads.idx())
}

/// Choices of a player that does not trade and does not care which card it loses.
#[inline]
fn unwilling(view: &View<'_>, legal: &[Action], rng: &mut Pcg32) -> usize {
    let kinds = view.hand.kinds();
    match view.table.phase {
        // The list has the kinds in hand in their order.
        Phase::Discard { .. } => kinds.before(view.hand.random(rng)),
        // The same for each who may receive a card.
        Phase::Charity(_) => {
            let card = kinds.before(view.hand.random(rng));
            let receiver = uniform(rng, legal.len() / kinds.len());
            receiver * kinds.len() + card
        }
        // The first answers are to refuse and to take no offer.
        _ => 0,
    }
}
