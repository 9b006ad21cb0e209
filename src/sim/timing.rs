//! What is noted of agents while they play: how long they think, and what they choose. Only of agents that search, and
//! of guests; others would be slowed down.

use crate::core::agent::{Agent, Player, Sight};
use crate::core::game::{ActionFilter, Game, Observation, Outcome};
use crate::core::guest::{Asked, Guest, Transcript, Unheard};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::choices::{Choices, Pad};
use rand_pcg::Pcg32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Nanoseconds by distinct agent, and decisions of all that are timed, over all threads; and where choices are kept.
#[derive(Debug)]
pub struct Timing {
    watch: Watch,
    spent: Vec<Arc<AtomicU64>>,
    decisions: Arc<AtomicU64>,
    choices: Option<Arc<Choices>>,
}

/// An agent that is timed.
struct Timed<A> {
    agent: A,
    watch: Watch,
    spent: Arc<AtomicU64>,
    decisions: Arc<AtomicU64>,
}

impl Timing {
    /// Nothing yet, for a number of agents, by the clock of a host.
    pub fn new(agents: usize, watch: &Watch) -> Timing {
        let spent = (0..agents).map(|_| Arc::default()).collect();
        Timing { watch: watch.clone(), spent, decisions: Arc::default(), choices: None }
    }

    /// The same, and choices are kept.
    #[must_use]
    pub fn keeping(self, choices: Option<Arc<Choices>>) -> Timing {
        Timing { choices, ..self }
    }

    /// Where choices are kept, if they are.
    pub fn choices(&self) -> Option<&Arc<Choices>> {
        self.choices.as_ref()
    }

    /// Times an agent that searches, and keeps its choices at a pad.
    pub fn note<G: Game, K: Agent<G>>(
        &self,
        at: usize,
        player: Player<G, K>,
        pad: &Pad,
    ) -> Player<G, K> {
        let player = self.time(at, player);
        match &self.choices {
            Some(choices) => pad.keep(choices, player),
            None => player,
        }
    }

    /// The counter of decisions, which stays at 0 where no agent searches and no guest plays.
    pub fn decisions(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.decisions)
    }

    /// Times an agent that searches, or a guest.
    fn time<G: Game, K: Agent<G>>(&self, at: usize, player: Player<G, K>) -> Player<G, K> {
        let watch = self.watch.clone();
        let (spent, decisions) = (Arc::clone(&self.spent[at]), self.decisions());
        match player {
            Player::Honest(agent) if agent.remembers() => {
                Player::Honest(Box::new(Timed { agent, watch, spent, decisions }))
            }
            Player::Omniscient(agent) => {
                Player::Omniscient(Box::new(Timed { agent, watch, spent, decisions }))
            }
            Player::Guest(agent, announce) => {
                Player::Guest(Box::new(Timed { agent, watch, spent, decisions }), announce)
            }
            Player::Known(_) | Player::Honest(_) => player,
        }
    }

    /// Seconds by distinct agent.
    pub fn seconds(&self) -> Vec<f64> {
        self.spent.iter().map(|spent| spent.load(Ordering::Relaxed) as f64 / 1e9).collect()
    }
}

impl<A> Timed<A> {
    fn timed<T>(&mut self, think: impl FnOnce(&mut A) -> T) -> T {
        let start = self.watch.now();
        let thought = think(&mut self.agent);
        let spent = self.watch.now().saturating_sub(start).as_nanos();
        self.decisions.fetch_add(1, Ordering::Relaxed);
        self.spent.fetch_add(u64::try_from(spent).unwrap_or(u64::MAX), Ordering::Relaxed);
        thought
    }
}

impl<G: Game, S: Sight> Agent<G, S> for Timed<Box<dyn Agent<G, S>>> {
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
        self.timed(|agent| agent.choose(seen, legal, rng))
    }

    fn take_iterations(&mut self) -> u64 {
        self.agent.take_iterations()
    }
}

impl<G: Game> Guest<G> for Timed<Box<dyn Guest<G>>> {
    fn action_filter(&self) -> ActionFilter {
        self.agent.action_filter()
    }

    fn hears(&self) -> bool {
        self.agent.hears()
    }

    fn begin(&mut self, seat: Seat, rng: &Pcg32) -> Unheard<G> {
        self.agent.begin(seat, rng)
    }

    fn choose(
        &mut self,
        asked: Asked,
        seen: &Observation<'_, G>,
        legal: &mut Actions<G::Action>,
    ) -> usize {
        self.timed(|guest| guest.choose(asked, seen, legal))
    }

    fn refuse(&mut self, reason: &str) {
        self.agent.refuse(reason);
    }

    fn end(&mut self, seat: Seat, outcome: &Outcome, turns: u16) {
        self.agent.end(seat, outcome, turns);
    }

    fn transcript(&mut self, seat: Seat) -> Transcript {
        self.agent.transcript(seat)
    }

    fn rejoin(&mut self, seat: Seat, transcript: &Transcript) -> Unheard<G> {
        self.agent.rejoin(seat, transcript)
    }

    fn fault(&self) -> Option<String> {
        self.agent.fault()
    }
}
