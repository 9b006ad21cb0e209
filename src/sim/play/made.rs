//! Matches in which something else is done than what was chosen: a founder is made to take some places, and plays on from
//! there as it would.

use crate::core::agent::{Agent, Player};
use crate::core::game::{Game, Turn};
use crate::core::measure::Measure;
use crate::core::record::Recorder;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::sim::play::{AgentFault, Arena, Choice};

/// Who is asked of each decision before it is carried out: the rules, the position, what was chosen.
pub type Asked<'a, G, R> = dyn FnMut(&G, &<G as Game>::State, <G as Game>::Action) -> R + 'a;

/// What is done at a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead<A> {
    /// What was chosen.
    AsChosen,
    /// This.
    Take(A),
    /// Nothing any more: the match is broken off.
    BreakOff,
}

/// The places that the first founder is made to take.
#[derive(Debug, Clone)]
pub struct Order<'a> {
    places: &'a [u8],
    taken: usize,
    is_closed: bool,
    /// Who founds first, once somebody does.
    pub founder: Option<Seat>,
    /// The first place that it would have taken.
    pub wanted: Option<usize>,
}

impl<'a> Order<'a> {
    /// At the start of a match.
    pub fn new(places: &'a [u8]) -> Order<'a> {
        Order { places, taken: 0, is_closed: false, founder: None, wanted: None }
    }

    /// Whether all of them were taken.
    pub fn is_done(&self) -> bool {
        !self.is_closed && self.taken == self.places.len()
    }

    /// What is done at a decision. The match is broken off at a place that the founder may not take.
    pub fn instead<G: Measure>(
        &mut self,
        game: &G,
        state: &G::State,
        action: G::Action,
    ) -> Instead<G::Action> {
        let Some(&place) = self.places.get(self.taken) else { return Instead::AsChosen };
        let Turn::Decide(seat) = game.turn(state) else { return Instead::AsChosen };
        let Some(founding) = game.founding(state, action) else { return Instead::AsChosen };
        let founder = *self.founder.get_or_insert(seat);
        if founder != seat || usize::from(founding.number) != self.taken {
            return Instead::AsChosen;
        }
        self.wanted.get_or_insert(usize::from(founding.place));
        self.taken += 1;
        let Some(other) = game.founded_at(state, action, place) else {
            self.is_closed = true;
            return Instead::BreakOff;
        };
        Instead::Take(other)
    }
}

impl<G: Game> Arena<G> {
    /// Plays a match in which something else may be done than what was chosen: the rules must allow it. Nothing comes of
    /// one that is broken off.
    ///
    /// # Errors
    /// If an agent chooses what the rules forbid.
    pub fn play_made<K: Agent<G>>(
        &mut self,
        players: &mut [Player<G, K>],
        seat_of: &[usize],
        seed: BlockSeed,
        recorder: &mut dyn Recorder<G>,
        instead: &mut Asked<'_, G, Instead<G::Action>>,
    ) -> Result<Option<G::State>, AgentFault> {
        let mut at = self.start(players, seat_of, seed, recorder);
        loop {
            let mut made = Instead::AsChosen;
            let pause = |game: &G, state: &G::State, action: G::Action| {
                made = instead(game, state, action);
                made != Instead::AsChosen
            };
            let played = self.play_on(&mut at, players, seat_of, recorder, pause);
            let chosen = played.map_err(|fault| *fault)?;
            let (Some(_), Turn::Decide(seat)) = (chosen, self.game.turn(&at.state)) else {
                return Ok(Some(at.state));
            };
            let Instead::Take(action) = made else { return Ok(None) };
            let listed = self.game.count(&at.state, self.needs[seat.idx()].filter);
            self.carry_out(&mut at, seat, Choice { action, listed }, recorder);
        }
    }
}
