//! One match: deals, asks, applies, and tells the listener. The only loop that plays whole matches.

use crate::agent::Player;
use crate::chance::Chance;
use crate::chance::RandomChance;
use crate::game::Game;
use crate::game::Happening;
use crate::game::IllegalAction;
use crate::game::Observation;
use crate::game::Turn;
use crate::record::Decision;
use crate::record::Heard;
use crate::record::Recorder;
use crate::seed::BlockSeed;
use crate::seed::Stream;
use crate::types::actions::Actions;
use crate::types::seat::Seat;
use rand_pcg::Pcg32;

/// An agent chose something that the rules forbid: its fault, and the match ends there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the agent in seat {seat} chose badly at decision {decision}: {reason}")]
pub struct AgentFault {
    /// Where the agent sits.
    pub seat: Seat,
    /// The decision's number, from 0.
    pub decision: u32,
    /// What was wrong with the choice.
    pub reason: IllegalAction,
}

/// A table with everything that is used again from match to match, so that a match allocates nothing.
pub struct Table<G: Game> {
    game: G,
    /// What each seat sees and remembers, brought up to date before each of its decisions.
    seen: Vec<Observation<G>>,
    legal: Box<Actions<G::Action>>,
    rngs: Vec<Pcg32>,
    /// Seats whose agents read their memory.
    remembering: Vec<Seat>,
}

impl<G: Game> Table<G> {
    /// A table for a game.
    pub fn new(game: G) -> Table<G> {
        let unused = game.deal(&mut RandomChance::new(BlockSeed::new(0, 0)));
        let seen = Seat::all(game.players())
            .map(|seat| Observation {
                seat,
                view: game.view(&unused, seat),
                memory: game.memory(seat),
            })
            .collect();
        let rngs = vec![Pcg32::new(0, 0); usize::from(game.players())];
        Table { game, seen, legal: Box::default(), rngs, remembering: Vec::new() }
    }

    /// The rules that are played by.
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
    pub fn play<R: Recorder<G>>(
        &mut self,
        players: &mut [Player<G>],
        seat_of: &[usize],
        seed: BlockSeed,
        recorder: &mut R,
    ) -> Result<G::State, AgentFault> {
        let mut chance = RandomChance::new(seed);
        self.sit_down(players, seat_of, seed);
        let mut state = self.deal(&mut chance, recorder);
        for decision in 0.. {
            let Turn::Decide(seat) = self.game.turn(&state) else { break };
            assert!(decision < self.game.decisions_max(), "the match does not end");
            let player = &mut players[seat_of[seat.idx()]];
            self.game.legal(&state, player.menu(), &mut self.legal);
            let listed = self.legal.len();
            let idx = if listed == 1 { 0 } else { self.ask(player, &state, seat) };
            let Some(&action) = self.legal.get(idx) else {
                let reason = IllegalAction(format!("entry {idx} of a list of {listed}"));
                return Err(AgentFault { seat, decision, reason });
            };
            if idx >= listed {
                let allowed = self.game.permits(&state, action);
                allowed.map_err(|reason| AgentFault { seat, decision, reason })?;
            }
            let before = state;
            self.tell(Happening::Action { before: &before, action });
            let legal = &self.legal[..listed];
            recorder.on_decision(&self.game, &Decision { before: &before, seat, legal, action });
            self.apply(&mut state, action, &mut chance, recorder);
            recorder.on_applied(&self.game, &before, action, &state);
        }
        recorder.on_end(&self.game, &state);
        Ok(state)
    }

    /// Gives each seat its generator and an empty memory.
    fn sit_down(&mut self, players: &[Player<G>], seat_of: &[usize], seed: BlockSeed) {
        self.remembering.clear();
        for seat in Seat::all(self.game.players()) {
            self.rngs[seat.idx()] = seed.stream(Stream::Agent, Some(seat), 0);
            if players[seat_of[seat.idx()]].remembers() {
                self.remembering.push(seat);
                self.seen[seat.idx()].memory = self.game.memory(seat);
            }
        }
    }

    fn deal<R: Recorder<G>>(&mut self, chance: &mut RandomChance, recorder: &mut R) -> G::State {
        let Table { game, seen, remembering, .. } = self;
        let tell = |event| {
            for &seat in remembering.iter() {
                let memory = &mut seen[seat.idx()].memory;
                game.remember(memory, Happening::Chance(event));
            }
            recorder.on_chance(event);
        };
        let state = game.deal(&mut Heard { chance, tell });
        recorder.on_start(game, &state);
        state
    }

    #[inline]
    fn ask(&mut self, player: &mut Player<G>, state: &G::State, seat: Seat) -> usize {
        let rng = &mut self.rngs[seat.idx()];
        match player {
            Player::Honest(agent) => {
                let seen = &mut self.seen[seat.idx()];
                seen.view = self.game.view(state, seat);
                agent.choose(seen, &mut self.legal, rng)
            }
            Player::Seer(seer) => seer.choose(state, seat, &mut self.legal, rng),
        }
    }

    #[inline]
    fn apply<C: Chance, R: Recorder<G>>(
        &mut self,
        state: &mut G::State,
        action: G::Action,
        chance: &mut C,
        recorder: &mut R,
    ) {
        let Table { game, seen, remembering, .. } = self;
        let tell = |event| {
            for &seat in remembering.iter() {
                let memory = &mut seen[seat.idx()].memory;
                game.remember(memory, Happening::Chance(event));
            }
            recorder.on_chance(event);
        };
        game.apply(state, action, &mut Heard { chance, tell });
        #[cfg(debug_assertions)]
        game.check(state);
    }

    #[inline]
    fn tell(&mut self, happening: Happening<'_, G>) {
        for &seat in &self.remembering {
            self.game.remember(&mut self.seen[seat.idx()].memory, happening);
        }
    }
}
