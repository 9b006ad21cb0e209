//! Matches side by side in one arena, each of which stands still at a decision from outside until it is taken.

use super::{AgentFault, AgentNeeds, Arena, Choice, Running};
use crate::core::agent::{Agent, NoAgent, Player};
use crate::core::game::{ActionFilter, Game, Observation, Outcome, Turn};
use crate::core::record::Recorder;
use crate::core::seed::BlockSeed;
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use rand_pcg::Pcg32;

/// The player of all seats whose decisions come from outside, by its place among the players of a [`Host`].
pub const OUTSIDE: usize = 0;

/// A match that goes on when its host plays it.
pub struct Parked<G: Game> {
    at: Running<G>,
    /// What each seat remembers; empty if nobody does.
    memories: Vec<G::Memory>,
    rngs: Vec<Pcg32>,
    needs: PerSeat<AgentNeeds>,
    remembering: Vec<Seat>,
    /// The player of each seat.
    seat_of: Vec<usize>,
}

impl<G: Game> Parked<G> {
    /// The position, hidden hands included.
    pub fn state(&self) -> &G::State {
        &self.at.state
    }

    /// Whether the decisions of a seat come from outside.
    pub fn is_outside(&self, seat: Seat) -> bool {
        self.seat_of.get(seat.idx()) == Some(&OUTSIDE)
    }
}

/// Plays parked matches on, one after the other, with the same players in all of them: they keep nothing from one
/// decision to the next but buffers.
pub struct Host<G: Game, K: Agent<G> = NoAgent> {
    arena: Arena<G>,
    players: Vec<Player<G, K>>,
    /// How much of the legal list those outside may choose from.
    filter: ActionFilter,
}

/// Stands for those who decide outside, and is never asked.
struct Elsewhere(ActionFilter);

impl<G: Game> Agent<G> for Elsewhere {
    fn action_filter(&self) -> ActionFilter {
        self.0
    }

    fn choose(
        &mut self,
        _seen: &Observation<'_, G>,
        _legal: &mut Actions<G::Action>,
        _rng: &mut Pcg32,
    ) -> usize {
        unreachable!("its decisions come from outside")
    }
}

impl<G: Game, K: Agent<G>> Host<G, K> {
    /// A host with some players beside those who decide outside and choose from so much of the list. None of the players
    /// may be a guest: it would have to be told of several matches.
    ///
    /// # Panics
    /// If one is.
    pub fn new(game: G, players: Vec<Player<G, K>>, filter: ActionFilter) -> Host<G, K> {
        let guests = players.iter().any(|player| matches!(player, Player::Guest(..)));
        assert!(!guests, "a guest plays one match at a time");
        let outside = Player::Honest(Box::new(Elsewhere(filter)));
        let players = std::iter::once(outside).chain(players).collect();
        Host { arena: Arena::new(game), players, filter }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.arena.game
    }

    /// Deals a match: in each seat sits the player of this number, from 1 in the order of [`Host::new`], or [`OUTSIDE`].
    /// Nobody has decided yet.
    pub fn deal(
        &mut self,
        seed: BlockSeed,
        seat_of: Vec<usize>,
        recorder: &mut (impl Recorder<G> + ?Sized),
    ) -> Parked<G> {
        let arena = &mut self.arena;
        let at = arena.start(&mut self.players, &seat_of, seed, recorder);
        let remembers = !arena.remembering.is_empty();
        Parked {
            at,
            memories: if remembers { arena.memories.clone() } else { Vec::new() },
            rngs: arena.rngs.clone(),
            needs: arena.needs,
            remembering: arena.remembering.clone(),
            seat_of,
        }
    }

    /// Takes an action, if one was chosen outside, and plays to the next decision outside that has a choice: whose it is;
    /// nothing once the match is over. What may be done then is [`Host::legal`] until another match is played.
    ///
    /// # Errors
    /// If a player chooses what the rules forbid.
    pub fn play(
        &mut self,
        parked: &mut Parked<G>,
        action: Option<G::Action>,
        recorder: &mut (impl Recorder<G> + ?Sized),
    ) -> Result<Option<Seat>, AgentFault> {
        self.exchange(parked);
        let asked = self.play_on(parked, action, recorder);
        self.exchange(parked);
        asked
    }

    fn play_on(
        &mut self,
        parked: &mut Parked<G>,
        action: Option<G::Action>,
        recorder: &mut (impl Recorder<G> + ?Sized),
    ) -> Result<Option<Seat>, AgentFault> {
        let Host { arena, players, filter } = self;
        let Parked { at, seat_of, .. } = parked;
        let mut chosen = action.map(|action| Choice { action, listed: arena.legal.len() });
        while let Turn::Decide(seat) = arena.game.turn(&at.state) {
            assert!(at.decision < arena.decisions_max, "the match does not end");
            let choice = match (chosen.take(), seat_of[seat.idx()]) {
                (Some(choice), _) => choice,
                (None, OUTSIDE) => {
                    arena.game.legal(&at.state, *filter, &mut arena.legal);
                    let &[action] = arena.legal.as_slice() else { return Ok(Some(seat)) };
                    Choice { action, listed: 1 }
                }
                (None, player) => {
                    arena.decide(at, seat, &mut players[player]).map_err(|fault| *fault)?
                }
            };
            arena.carry_out(at, seat, choice, recorder);
        }
        recorder.on_end(&arena.game, &at.state);
        Ok(None)
    }

    /// What may be done in the match that was played last, if it waits for a decision.
    pub fn legal(&self) -> &Actions<G::Action> {
        &self.arena.legal
    }

    /// How a match has ended that is over.
    pub fn outcome(&self, parked: &Parked<G>) -> Outcome {
        self.arena.game.outcome(&parked.at.state)
    }

    /// What the seats of a match remember changes places with what the arena has of the one that was played before.
    fn exchange(&mut self, parked: &mut Parked<G>) {
        let arena = &mut self.arena;
        if !parked.memories.is_empty() {
            std::mem::swap(&mut arena.memories, &mut parked.memories);
        }
        std::mem::swap(&mut arena.rngs, &mut parked.rngs);
        std::mem::swap(&mut arena.needs, &mut parked.needs);
        std::mem::swap(&mut arena.remembering, &mut parked.remembering);
    }
}
