//! One match: deals, asks, applies, and calls the listener. The arena has the only loop that plays whole matches; a
//! table and the host of parked matches play by the same steps up to a decision from outside, and a follower has both
//! decisions and luck from there.

mod absent;
mod way_back;
pub mod made;
pub mod fork;
pub mod step_text;
pub mod follower;
pub mod parked;
pub mod table;

use crate::core::agent::{Agent, Player, uniform};
use crate::core::chance::{Chance, ChanceEvent, RandomChance};
use crate::core::game::{ActionFilter, Game, IllegalAction, Observation, SeatMemory, Step, Turn};
use crate::core::guest::{News, Unheard};
use crate::core::record::{ChanceListener, Decision, ObservedChance, Recorder};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use rand_pcg::Pcg32;

/// An agent chose something that the rules forbid: its fault, and the match ends there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the agent in seat {seat} failed at decision {decision}: {}", .reason.0)]
pub struct AgentFault {
    /// Where the agent sits.
    pub seat: Seat,
    /// The decision's number, from 0.
    pub decision: u32,
    /// What was wrong with the choice.
    pub reason: IllegalAction,
}

/// Room for the chance events of a step; only rows that are dealt again and again could take more.
const DRAWN: usize = 256;

/// A match that is being played.
#[derive(Debug, Clone)]
struct Running<G: Game> {
    state: G::State,
    chance: RandomChance,
    decision: u32,
}

/// Where matches are played, with everything that is reused from match to match, so that a match allocates nothing.
pub struct Arena<G: Game> {
    game: G,
    /// A match with more decisions would be a fault of the rules.
    decisions_max: u32,
    /// What each seat remembers, if its agent reads it.
    memories: Vec<G::Memory>,
    legal: Box<Actions<G::Action>>,
    rngs: Vec<Pcg32>,
    /// What the agent of each seat wants, asked once a match.
    needs: PerSeat<AgentNeeds>,
    /// Seats whose agents read their memory.
    remembering: Vec<Seat>,
    /// Seats of guests, and what each of them has still to be told.
    guests: Vec<(Seat, Unheard<G>)>,
    /// Chance events of the step, if any seat remembers.
    drawn: Vec<ChanceEvent<G::Draw>>,
    /// Whether the invariants are checked after every action, where assertions are.
    each_action: bool,
}

/// What an agent wants to read.
#[derive(Debug, Clone, Copy)]
struct AgentNeeds {
    filter: ActionFilter,
    /// Whether it draws uniformly, so that no list is written for it.
    uniform: bool,
}

/// What was chosen among how many.
#[derive(Debug, Clone, Copy)]
struct Choice<A> {
    action: A,
    listed: usize,
}

impl<G: Game> Arena<G> {
    /// An arena for a game.
    pub fn new(game: G) -> Arena<G> {
        let memories = Seat::all(game.players()).map(|seat| G::Memory::new(&game, seat)).collect();
        let rngs = vec![Pcg32::new(0, 0); usize::from(game.players())];
        let needs = [AgentNeeds { filter: ActionFilter::Full, uniform: false }; SEATS_MAX];
        Arena {
            decisions_max: game.decisions_max(),
            game,
            memories,
            legal: Box::default(),
            rngs,
            needs,
            remembering: Vec::new(),
            guests: Vec::new(),
            drawn: Vec::with_capacity(DRAWN),
            each_action: cfg!(feature = "check-actions"),
        }
    }

    /// The same arena. Where assertions are compiled, it checks the invariants of the game after every action, as the
    /// feature `check-actions` has it; without either it does at the end of each turn.
    #[must_use]
    pub fn checking_each_action(self) -> Arena<G> {
        Arena { each_action: true, ..self }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Plays one match: `players[seat_of[s]]` sits in seat `s`. All luck comes from the block's seed.
    ///
    /// # Errors
    /// If an agent chooses what the rules forbid.
    ///
    /// # Panics
    /// If the match has more decisions than the game says a match can have.
    pub fn play<K: Agent<G>, R: Recorder<G> + ?Sized>(
        &mut self,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        seed: BlockSeed,
        recorder: &mut R,
    ) -> Result<G::State, AgentFault> {
        let mut at = self.start(players, seat_of, seed, recorder);
        let never = |_: &G, _: &G::State, _: G::Action| false;
        self.play_on(&mut at, players, seat_of, recorder, never).map_err(|fault| *fault)?;
        Ok(at.state)
    }

    /// Tells guests how a match has ended.
    fn dismiss<K: Agent<G>>(
        &self,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        end: &G::State,
    ) {
        for &(seat, _) in &self.guests {
            let guest = players[seat_of[seat.idx()]].guest().expect("it was one at the start");
            guest.end(seat, &self.game.outcome(end), self.game.turn_number(end));
        }
    }

    fn start<K: Agent<G>, R: Recorder<G> + ?Sized>(
        &mut self,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        seed: BlockSeed,
        recorder: &mut R,
    ) -> Running<G> {
        let mut chance = RandomChance::new(seed);
        self.sit_down(players, seat_of, seed);
        let state = self.deal(&mut chance, recorder);
        Running { state, chance, decision: 0 }
    }

    /// Plays to the end, or to the decision that `pause` picks; that one is returned.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn play_on<K: Agent<G>, R: Recorder<G> + ?Sized>(
        &mut self,
        at: &mut Running<G>,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        recorder: &mut R,
        mut pause: impl FnMut(&G, &G::State, G::Action) -> bool,
    ) -> Result<Option<G::Action>, Box<AgentFault>> {
        while let Turn::Decide(seat) = self.game.turn(&at.state) {
            assert!(at.decision < self.decisions_max, "the match does not end");
            let choice = self.decide(at, seat, &mut players[seat_of[seat.idx()]])?;
            if pause(&self.game, &at.state, choice.action) {
                return Ok(Some(choice.action));
            }
            self.carry_out(at, seat, choice, recorder);
        }
        recorder.on_end(&self.game, &at.state);
        if !self.guests.is_empty() {
            self.dismiss(players, seat_of, &at.state);
        }
        Ok(None)
    }

    /// What the player of a seat chooses.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn decide<K: Agent<G>>(
        &mut self,
        at: &Running<G>,
        seat: Seat,
        player: &mut Player<G, K>,
    ) -> Result<Choice<G::Action>, Box<AgentFault>> {
        if self.needs[seat.idx()].uniform {
            return Ok(self.draw(&at.state, seat));
        }
        let (idx, listed) = self.ask(player, &at.state, seat);
        let action = match idx {
            _ if idx < listed => self.legal[idx],
            _ => self.unlisted(at, seat, (idx, listed), player)?,
        };
        Ok(Choice { action, listed })
    }

    /// An entry of the legal list, each equally likely; the list is not written.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn draw(&mut self, state: &G::State, seat: Seat) -> Choice<G::Action> {
        let filter = self.needs[seat.idx()].filter;
        let place = |listed| uniform(&mut self.rngs[seat.idx()], listed);
        let (action, listed) = self.game.draw(state, filter, place);
        Choice { action, listed }
    }

    /// Where an agent points, and the length of the legal list.
    #[allow(clippy::inline_always, reason = "the match loop; measured")]
    #[inline(always)]
    fn ask<K: Agent<G>>(
        &mut self,
        player: &mut Player<G, K>,
        state: &G::State,
        seat: Seat,
    ) -> (usize, usize) {
        self.game.legal(state, self.needs[seat.idx()].filter, &mut self.legal);
        let listed = self.legal.len();
        if listed == 1 {
            return (0, 1);
        }
        let (legal, rng) = (&mut self.legal, &mut self.rngs[seat.idx()]);
        let memory = &self.memories[seat.idx()];
        let seen = Observation { seat, view: self.game.view(state, seat), memory };
        let idx = player.choose(state, &seen, legal, rng);
        (idx, listed)
    }

    /// An action beyond the list, which the rules must permit. A guest is told if they don't.
    #[cold]
    fn unlisted<K: Agent<G>>(
        &self,
        at: &Running<G>,
        seat: Seat,
        (idx, listed): (usize, usize),
        player: &mut Player<G, K>,
    ) -> Result<G::Action, Box<AgentFault>> {
        if let Some(fault) = player.fault() {
            let reason = IllegalAction(fault);
            return Err(Box::new(AgentFault { seat, decision: at.decision, reason }));
        }
        let permitted = match self.legal.get(idx) {
            Some(&action) => self.game.permits(&at.state, action).map(|()| action),
            None => Err(IllegalAction(format!("entry {idx} of a list of {listed}"))),
        };
        permitted.map_err(|reason| {
            if let Some(guest) = player.guest() {
                guest.refuse(&reason.to_string());
            }
            Box::new(AgentFault { seat, decision: at.decision, reason })
        })
    }

    #[inline]
    fn carry_out<R: Recorder<G> + ?Sized>(
        &mut self,
        at: &mut Running<G>,
        seat: Seat,
        Choice { action, listed }: Choice<G::Action>,
        recorder: &mut R,
    ) {
        let filter = self.needs[seat.idx()].filter;
        let before = &at.state;
        recorder.on_decision(&self.game, &Decision { before, seat, filter, listed, action });
        // The copy is made only for those who look back at it.
        let before = (!self.remembering.is_empty()).then_some(at.state);
        self.apply(&mut at.state, action, &mut at.chance, recorder);
        if let Some(before) = &before {
            self.remember(Some((before, action)), &at.state);
        }
        recorder.on_applied(&self.game, action, &at.state);
        at.decision += 1;
    }

    /// Gives each seat its generator and an empty memory.
    fn sit_down<K: Agent<G>>(
        &mut self,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        seed: BlockSeed,
    ) {
        self.guests.clear();
        for seat in Seat::all(self.game.players()) {
            self.rngs[seat.idx()] = seed.stream(Stream::Agent, Some(seat), 0);
            if let Some(guest) = players[seat_of[seat.idx()]].guest() {
                self.guests.push((seat, guest.begin(seat, &self.rngs[seat.idx()])));
            }
        }
        self.note_needs(players, seat_of);
        for &seat in &self.remembering {
            self.memories[seat.idx()] = G::Memory::new(&self.game, seat);
        }
    }

    fn note_needs<K: Agent<G>>(&mut self, players: &[Player<G, K>], seat_of: &[usize]) {
        self.remembering.clear();
        for seat in Seat::all(self.game.players()) {
            let player = &players[seat_of[seat.idx()]];
            self.needs[seat.idx()] =
                AgentNeeds { filter: player.action_filter(), uniform: player.is_uniform() };
            if player.remembers() {
                self.remembering.push(seat);
            }
        }
    }

    fn deal<R: Recorder<G> + ?Sized>(
        &mut self,
        chance: &mut RandomChance,
        recorder: &mut R,
    ) -> G::State {
        let remembered = !self.remembering.is_empty();
        let listener = Listener::<G, R> { recorder, drawn: &mut self.drawn, remembered };
        let state = self.game.deal(&mut ObservedChance { chance, listener });
        self.remember(None, &state);
        recorder.on_start(&self.game, &state);
        state
    }

    /// Adds a step to the memories of those who remember.
    fn remember(&mut self, action: Option<(&G::State, G::Action)>, after: &G::State) {
        let step = Step { action, chance: &self.drawn, after };
        for &seat in &self.remembering {
            step.remember(&self.game, seat, &mut self.memories[seat.idx()]);
        }
        for (seat, unheard) in &self.guests {
            if !self.remembering.contains(seat) {
                continue;
            }
            let mut unheard = unheard.lock().expect("nobody panics with what is unheard");
            let told = unheard.steps.and_then(|tell| tell(&self.game, &step, *seat));
            unheard.news.extend(told.map(News::Step));
            let hear = |event| unheard.news.push(News::Event(event));
            G::Memory::observe(&self.game, &step, *seat, hear);
        }
        self.drawn.clear();
    }

    #[inline]
    fn apply<C: Chance<G::Draw>, R: Recorder<G> + ?Sized>(
        &mut self,
        state: &mut G::State,
        action: G::Action,
        chance: &mut C,
        recorder: &mut R,
    ) {
        let remembered = !self.remembering.is_empty();
        let listener = Listener::<G, R> { recorder, drawn: &mut self.drawn, remembered };
        let turn = if cfg!(debug_assertions) { self.game.turn_number(state) } else { 0 };
        self.game.apply(state, action, &mut ObservedChance { chance, listener });
        if cfg!(debug_assertions) {
            let ends = self.game.turn_number(state) != turn || self.game.turn(state) == Turn::Over;
            if self.each_action || ends {
                self.game.check(state);
            }
        }
    }
}

/// Who hears of the results of chance: the recorder, and the seats that remember, after the step.
struct Listener<'a, G: Game, R: ?Sized> {
    recorder: &'a mut R,
    drawn: &'a mut Vec<ChanceEvent<G::Draw>>,
    remembered: bool,
}

impl<G: Game, R: Recorder<G> + ?Sized> ChanceListener<G::Draw> for Listener<'_, G, R> {
    #[inline]
    fn on_turn(&mut self, turn: u16) {
        self.recorder.on_turn(turn);
    }

    #[inline]
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        if self.remembered {
            self.keep(event);
        }
        self.recorder.on_chance(event);
    }
}

impl<G: Game, R: ?Sized> Listener<'_, G, R> {
    /// Out of line, since most agents remember nothing.
    #[inline(never)]
    fn keep(&mut self, event: ChanceEvent<G::Draw>) {
        self.drawn.push(event);
    }
}
