//! Agents that are weaker on purpose because they overlook a part of what they may do, as people do: a place to build, a
//! card to play, that somebody could trade. They do the best of what they notice, so they take the second best place
//! rather than a bad one, and trade less rather than give away.
//!
//! Each action is overlooked by itself with the same chance, but for two. Trades are noticed or overlooked together, since
//! a list may hold hundreds that are much alike. And to do nothing is never overlooked: to roll, to end the turn, to
//! refuse, whatever is of no kind ([`Opinion::ACTION_KINDS`]) beside something that is. Where all would be overlooked, one
//! action is noticed, each equally likely.

use crate::core::agent::{ActionValue, Agent, Honest, Sight};
use crate::core::chance::{below, unit};
use crate::core::game::ActionFilter;
use crate::core::opinion::Opinion;
use crate::core::types::actions::Actions;
use crate::sim::agents::shown::Shown;
use crate::sim::agents::without::kinds;
use rand_pcg::Pcg32;

/// An agent, and the share of actions that it overlooks.
pub struct Overlooking<G: Opinion, S: Sight = Honest> {
    share: f32,
    /// The bit of trades among the kinds of actions; none if the game has no such kind.
    trade: u32,
    agent: Box<dyn Agent<G, S>>,
    shown: Shown<G>,
}

impl<G: Opinion, S: Sight> Overlooking<G, S> {
    /// An agent that overlooks this share of actions, 0 to 1.
    pub fn new(share: f32, agent: Box<dyn Agent<G, S>>) -> Overlooking<G, S> {
        let trade = kinds::<G>("trade").unwrap_or(0);
        Overlooking { share, trade, agent, shown: Shown::default() }
    }
}

impl<G: Opinion, S: Sight> Agent<G, S> for Overlooking<G, S> {
    fn action_filter(&self) -> ActionFilter {
        self.agent.action_filter()
    }

    fn remembers(&self) -> bool {
        self.agent.remembers()
    }

    fn choose(
        &mut self,
        seen: &S::Seen<'_, G>,
        legal: &mut Actions<G::Action>,
        rng: &mut Pcg32,
    ) -> usize {
        let Overlooking { share, trade, .. } = *self;
        let trades = unit(rng) >= share;
        let can_pass = legal.iter().any(|&action| G::action_kinds(action) != 0);
        self.shown.keep(legal, |action| match G::action_kinds(action) {
            0 if can_pass => true,
            kinds if kinds & trade != 0 => trades,
            _ => unit(rng) >= share,
        });
        if self.shown.is_empty() {
            let one = below(rng, u32::try_from(legal.len()).expect("a short list"));
            let mut at = 0..=one;
            self.shown.keep(legal, |_| at.next() == Some(one));
        }
        let notices = |action| trades || G::action_kinds(action) & trade == 0;
        self.shown.choose(&mut *self.agent, seen, legal, rng, notices)
    }

    fn evaluate(
        &mut self,
        seen: &S::Seen<'_, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<ActionValue<G::Action>>,
    ) {
        self.agent.evaluate(seen, among, rng, out);
    }

    fn take_iterations(&mut self) -> u64 {
        self.agent.take_iterations()
    }
}
