//! Agents that do without some kinds of actions: styles of play, such as never to trade or to build no knights.
//!
//! Such an agent is shown the legal list without these actions, as long as anything else is left. What it makes up itself,
//! such as an offer that is not listed, is refused if it is of one of these kinds; then it does what it thinks the best
//! of what is left. It doesn't know that it does without: it plans as if it could, so a style may be played better.

use crate::core::agent::{ActionValue, Agent, Honest, Player, Sight};
use crate::core::game::ActionFilter;
use crate::core::opinion::Opinion;
use crate::core::types::actions::Actions;
use crate::sim::agents::shown::Shown;
use crate::words::nearest;
use rand_pcg::Pcg32;

/// The parameter's name.
pub const WITHOUT: &str = "without";
/// What it does.
pub const ABOUT: &str =
    "kinds of actions that it never takes if there is anything else, such as trade+knight";

/// The bits of kinds of actions, from their names with + between them.
///
/// # Errors
/// If there is none, or one is unknown or named twice.
pub fn kinds<G: Opinion>(words: &str) -> Result<u32, String> {
    let all: Vec<&str> = G::ACTION_KINDS.iter().map(|kind| kind.0).collect();
    words.split('+').map(str::trim).try_fold(0, |bits, word| {
        let at = all.iter().position(|kind| *kind == word);
        let bit = 1 << at.ok_or_else(|| nearest::unknown("kind of action", word, &all))?;
        if bits & bit == 0 { Ok(bits | bit) } else { Err(format!("`{word}` is named twice")) }
    })
}

/// The names of kinds, as [`kinds`] reads them.
pub fn names<G: Opinion>(bits: u32) -> String {
    let all = G::ACTION_KINDS.iter().enumerate();
    let named: Vec<&str> =
        all.filter(|(at, _)| bits >> at & 1 == 1).map(|(_, kind)| kind.0).collect();
    named.join("+")
}

/// An agent, and the kinds of actions that it does without.
pub struct Without<G: Opinion, S: Sight = Honest> {
    agent: Box<dyn Agent<G, S>>,
    kinds: u32,
    shown: Shown<G>,
}

impl<G: Opinion, S: Sight> Without<G, S> {
    /// An agent that does without these kinds.
    pub fn new(agent: Box<dyn Agent<G, S>>, kinds: u32) -> Without<G, S> {
        Without { agent, kinds, shown: Shown::default() }
    }
}

impl<G: Opinion, S: Sight> Agent<G, S> for Without<G, S> {
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
        let kinds = self.kinds;
        let may = |action| G::action_kinds(action) & kinds == 0;
        self.shown.keep(legal, may);
        if self.shown.is_empty() {
            return self.agent.choose(seen, legal, rng);
        }
        self.shown.choose(&mut *self.agent, seen, legal, rng, may)
    }

    fn evaluate(
        &mut self,
        seen: &S::Seen<'_, G>,
        among: &mut Actions<G::Action>,
        rng: &mut Pcg32,
        out: &mut Vec<ActionValue<G::Action>>,
    ) {
        let may = |action: &G::Action| G::action_kinds(*action) & self.kinds == 0;
        if among.iter().any(may) {
            among.retain(|action| may(action));
        }
        self.agent.evaluate(seen, among, rng, out);
    }

    fn take_iterations(&mut self) -> u64 {
        self.agent.take_iterations()
    }
}

/// A player that does without these kinds; nothing of a guest, who decides by itself.
pub fn without<G: Opinion>(
    player: Player<G, G::Special>,
    kinds: u32,
) -> Option<Player<G, G::Special>> {
    Some(match player {
        Player::Known(agent) => Player::Honest(Box::new(Without::new(Box::new(agent), kinds))),
        Player::Honest(agent) => Player::Honest(Box::new(Without::new(agent, kinds))),
        Player::Omniscient(agent) => Player::Omniscient(Box::new(Without::new(agent, kinds))),
        Player::Guest(..) => return None,
    })
}
