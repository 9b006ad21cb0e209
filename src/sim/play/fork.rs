//! A match that is paused at a decision, from where it can be continued more than once: with another choice, or with other
//! luck.

use crate::core::agent::{Agent, Player};
use crate::core::chance::{Chance, RandomChance};
use crate::core::game::{Game, Turn};
use crate::core::guest::Transcript;
use crate::core::record::Recorder;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::sim::play::made::Asked;
use crate::sim::play::{AgentFault, Arena, Choice, Running};
use rand_pcg::Pcg32;

/// A match at one decision, from which it can be continued more than once.
#[derive(Debug)]
pub struct Fork<G: Game> {
    at: Running<G>,
    /// The seat that decides.
    pub seat: Seat,
    /// What the agent chose.
    pub action: G::Action,
    memories: Vec<G::Memory>,
    rngs: Vec<Pcg32>,
    /// What was said to the seats of guests.
    told: Vec<(Seat, Transcript)>,
}

impl<G: Game> Fork<G> {
    /// The position.
    pub fn state(&self) -> &G::State {
        &self.at.state
    }
}

/// How far a match was played.
#[derive(Debug)]
pub enum Paused<G: Game> {
    /// To the decision that was looked for.
    At(Box<Fork<G>>),
    /// To its end.
    Ended(G::State),
}

impl<G: Game> Arena<G> {
    /// Plays a match up to the first decision that `pause` picks, which is not carried out.
    ///
    /// # Errors
    /// If an agent chooses what the rules forbid.
    pub fn play_until<K: Agent<G>>(
        &mut self,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        seed: BlockSeed,
        recorder: &mut dyn Recorder<G>,
        pause: &mut Asked<'_, G, bool>,
    ) -> Result<Paused<G>, AgentFault> {
        let at = self.start(players, seat_of, seed, recorder);
        self.pause(at, players, seat_of, recorder, pause)
    }

    /// Plays on up to the first decision that `pause` picks, which is not carried out.
    fn pause<K: Agent<G>>(
        &mut self,
        mut at: Running<G>,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        recorder: &mut dyn Recorder<G>,
        pause: &mut Asked<'_, G, bool>,
    ) -> Result<Paused<G>, AgentFault> {
        let played = self.play_on(&mut at, players, seat_of, recorder, pause);
        let action = played.map_err(|fault| *fault)?;
        let (Some(action), Turn::Decide(seat)) = (action, self.game.turn(&at.state)) else {
            return Ok(Paused::Ended(at.state));
        };
        let (memories, rngs) = (self.memories.clone(), self.rngs.clone());
        let told = self.guests.iter().map(|&(seat, _)| {
            let guest = players[seat_of[seat.idx()]].guest().expect("it was one at the start");
            (seat, guest.transcript(seat))
        });
        let told = told.collect();
        Ok(Paused::At(Box::new(Fork { at, seat, action, memories, rngs, told })))
    }

    /// Continues a paused match, with `action` in place of what was chosen: any number of times, each
    /// from the same moment and with the same luck. The rules must allow the action.
    ///
    /// # Errors
    /// If an agent chooses what the rules forbid.
    pub fn play_from<K: Agent<G>>(
        &mut self,
        fork: &Fork<G>,
        action: G::Action,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        recorder: &mut dyn Recorder<G>,
    ) -> Result<G::State, AgentFault> {
        let mut at = self.take(fork, action, players, seat_of, recorder);
        let never = |_: &G, _: &G::State, _: G::Action| false;
        self.play_on(&mut at, players, seat_of, recorder, never).map_err(|fault| *fault)?;
        Ok(at.state)
    }

    /// Continues a paused match as was chosen, up to the next decision that `pause` picks.
    ///
    /// # Errors
    /// If an agent chooses what the rules forbid.
    pub fn resume_until<K: Agent<G>>(
        &mut self,
        fork: &Fork<G>,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        recorder: &mut dyn Recorder<G>,
        pause: &mut Asked<'_, G, bool>,
    ) -> Result<Paused<G>, AgentFault> {
        let at = self.take(fork, fork.action, players, seat_of, recorder);
        self.pause(at, players, seat_of, recorder, pause)
    }

    /// Takes an action at a fork.
    fn take<K: Agent<G>>(
        &mut self,
        fork: &Fork<G>,
        action: G::Action,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        recorder: &mut dyn Recorder<G>,
    ) -> Running<G> {
        self.memories.clone_from(&fork.memories);
        self.rngs.clone_from(&fork.rngs);
        self.guests.clear();
        for (seat, told) in &fork.told {
            let guest = players[seat_of[seat.idx()]].guest().expect("it was one at the start");
            self.guests.push((*seat, guest.rejoin(*seat, told)));
        }
        self.note_needs(players, seat_of);
        let mut at = fork.at.clone();
        let listed = self.game.count(&at.state, self.needs[fork.seat.idx()].filter);
        self.carry_out(&mut at, fork.seat, Choice { action, listed }, recorder);
        at
    }

    /// What the agent of a fork may choose from there.
    pub fn listed(&mut self, fork: &Fork<G>) -> &[G::Action] {
        self.game.legal(&fork.at.state, self.needs[fork.seat.idx()].filter, &mut self.legal);
        &self.legal
    }

    /// The same moment with other luck from there on. What agents draw for themselves stays.
    pub fn with_luck(&self, fork: &Fork<G>, seed: BlockSeed) -> Fork<G> {
        let Fork { at, seat, action, memories, rngs, told } = fork;
        let mut chance = RandomChance::new(seed);
        Chance::<G::Draw>::start_turn(&mut chance, self.game.turn_number(&at.state));
        let at = Running { chance, ..at.clone() };
        let (memories, rngs, told) = (memories.clone(), rngs.clone(), told.clone());
        Fork { at, seat: *seat, action: *action, memories, rngs, told }
    }
}
