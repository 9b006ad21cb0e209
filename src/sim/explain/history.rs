//! A whole match, kept: every position, decision and chance event, so that what a seat saw and remembered at any of
//! its decisions can be had again.

use crate::core::chance::ChanceEvent;
use crate::core::game::{Game, SeatMemory, Step};
use crate::core::record::{Decision, Recorder};
use crate::core::types::seat::Seat;

/// A decision, with what the seat knew.
#[derive(Debug)]
pub struct DecisionPoint<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// Who decided.
    pub seat: Seat,
    /// What was done.
    pub done: G::Action,
    /// What the seat remembered.
    pub memory: G::Memory,
    /// The decision's number in the match, from 0.
    pub number: u64,
}

/// A match that has been played, or is being played.
#[derive(Debug, Clone)]
pub struct MatchHistory<G: Game> {
    /// The position before each decision, and the last one.
    positions: Vec<G::State>,
    /// What was done, and by whom.
    decisions: Vec<(Seat, G::Action)>,
    drawn: Vec<ChanceEvent<G::Draw>>,
    /// How many chance events have happened before each decision.
    before: Vec<usize>,
}

impl<G: Game> Default for MatchHistory<G> {
    fn default() -> MatchHistory<G> {
        MatchHistory {
            positions: Vec::new(),
            decisions: Vec::new(),
            drawn: Vec::new(),
            before: Vec::new(),
        }
    }
}

impl<G: Game> MatchHistory<G> {
    /// What was done at each decision, and by whom.
    pub fn decisions(&self) -> &[(Seat, G::Action)] {
        &self.decisions
    }

    /// The position before a decision.
    pub fn before(&self, number: usize) -> &G::State {
        &self.positions[number]
    }

    /// A decision, with what the seat knew.
    ///
    /// # Panics
    /// If there is no such decision.
    pub fn moment(&self, game: &G, number: usize) -> DecisionPoint<'_, G> {
        let (seat, done) = self.decisions[number];
        let memory = self.memory(game, seat, number);
        DecisionPoint { state: &self.positions[number], seat, done, memory, number: number as u64 }
    }

    /// Every so many decisions, from the first on, with what the seat knew at each. All seats are followed at once, so
    /// the work grows with the length of the match, not with its square.
    ///
    /// # Panics
    /// If `every` is 0.
    pub fn moments(&self, game: &G, every: usize, mut each: impl FnMut(&DecisionPoint<'_, G>)) {
        let seats = Seat::all(game.players());
        let mut memories: Vec<G::Memory> = seats.map(|seat| G::Memory::new(game, seat)).collect();
        for (number, &(seat, done)) in self.decisions.iter().enumerate() {
            let step = self.step(number);
            for (other, memory) in Seat::all(game.players()).zip(&mut memories) {
                step.remember(game, other, memory);
            }
            if number.is_multiple_of(every) {
                let (state, memory) = (&self.positions[number], memories[seat.idx()].clone());
                each(&DecisionPoint { state, seat, done, memory, number: number as u64 });
            }
        }
    }

    /// The last position.
    ///
    /// # Panics
    /// If nothing was dealt.
    pub fn last(&self) -> &G::State {
        self.positions.last().expect("a match that was dealt")
    }

    /// The match up to a decision, at which something else is done.
    #[cfg(test)]
    pub fn altered(&self, number: usize, action: G::Action) -> MatchHistory<G> {
        let mut taken = self.clone();
        taken.decisions.truncate(number + 1);
        taken.decisions[number].1 = action;
        taken
    }

    /// What a seat remembers at a decision.
    fn memory(&self, game: &G, seat: Seat, number: usize) -> G::Memory {
        let mut memory = G::Memory::new(game, seat);
        (0..=number).for_each(|number| self.step(number).remember(game, seat, &mut memory));
        memory
    }

    /// What led to the position before a decision, or to the last one: the deal, or the decision before it.
    ///
    /// # Panics
    /// If there are not so many decisions.
    pub fn step(&self, number: usize) -> Step<'_, G> {
        let first = number.checked_sub(1);
        let drawn = first.map_or(0, |first| self.before[first])..self.before[number];
        let action = first.map(|first| (&self.positions[first], self.decisions[first].1));
        Step { action, chance: &self.drawn[drawn], after: &self.positions[number] }
    }
}

impl<G: Game> Recorder<G> for MatchHistory<G> {
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        self.drawn.push(event);
    }

    fn on_start(&mut self, _game: &G, state: &G::State) {
        self.positions.push(*state);
        self.before.push(self.drawn.len());
    }

    fn on_decision(&mut self, _game: &G, decision: &Decision<'_, G>) {
        self.decisions.push((decision.seat, decision.action));
    }

    fn on_applied(&mut self, _game: &G, _action: G::Action, after: &G::State) {
        self.positions.push(*after);
        self.before.push(self.drawn.len());
    }
}
