//! Listeners to a match: everything that counts, remembers or writes. The rules know of none.

use crate::core::chance::{Chance, ChanceEvent, Luck};
use crate::core::game::{ActionFilter, Game};
use crate::core::types::seat::Seat;

/// One decision as it was taken.
#[derive(Debug)]
pub struct Decision<'a, G: Game> {
    /// The position before it.
    pub before: &'a G::State,
    /// Who decided.
    pub seat: Seat,
    /// What of the legal list the agent may choose.
    pub filter: ActionFilter,
    /// How many actions that are.
    pub listed: usize,
    /// What was chosen.
    pub action: G::Action,
}

/// A listener. All methods do nothing by default, and `()` costs nothing. Rules are compiled once for each type of
/// listener that a match is played with: where speed doesn't matter, it is `dyn Recorder`.
pub trait Recorder<G: Game> {
    /// A turn begins, counted from 1; what happens before the first belongs to turn 0.
    #[inline]
    fn on_turn(&mut self, _turn: u16) {}

    /// A chance event has happened.
    #[inline]
    fn on_chance(&mut self, _event: ChanceEvent<G::Draw>) {}

    /// The deal is done.
    #[inline]
    fn on_start(&mut self, _game: &G, _state: &G::State) {}

    /// A decision is about to be carried out.
    #[inline]
    fn on_decision(&mut self, _game: &G, _decision: &Decision<'_, G>) {}

    /// A decision and its chance events have been carried out.
    #[inline]
    fn on_applied(&mut self, _game: &G, _action: G::Action, _after: &G::State) {}

    /// The match is over.
    #[inline]
    fn on_end(&mut self, _game: &G, _state: &G::State) {}
}

impl<G: Game> Recorder<G> for () {}

impl<G: Game, A: Recorder<G>, B: Recorder<G>> Recorder<G> for (A, B) {
    #[inline]
    fn on_turn(&mut self, turn: u16) {
        self.0.on_turn(turn);
        self.1.on_turn(turn);
    }

    #[inline]
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        self.0.on_chance(event);
        self.1.on_chance(event);
    }

    #[inline]
    fn on_start(&mut self, game: &G, state: &G::State) {
        self.0.on_start(game, state);
        self.1.on_start(game, state);
    }

    #[inline]
    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        self.0.on_decision(game, decision);
        self.1.on_decision(game, decision);
    }

    #[inline]
    fn on_applied(&mut self, game: &G, action: G::Action, after: &G::State) {
        self.0.on_applied(game, action, after);
        self.1.on_applied(game, action, after);
    }

    #[inline]
    fn on_end(&mut self, game: &G, state: &G::State) {
        self.0.on_end(game, state);
        self.1.on_end(game, state);
    }
}

impl<G: Game, R: Recorder<G> + ?Sized> Recorder<G> for &mut R {
    #[inline]
    fn on_turn(&mut self, turn: u16) {
        (**self).on_turn(turn);
    }

    #[inline]
    fn on_chance(&mut self, event: ChanceEvent<G::Draw>) {
        (**self).on_chance(event);
    }

    #[inline]
    fn on_start(&mut self, game: &G, state: &G::State) {
        (**self).on_start(game, state);
    }

    #[inline]
    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        (**self).on_decision(game, decision);
    }

    #[inline]
    fn on_applied(&mut self, game: &G, action: G::Action, after: &G::State) {
        (**self).on_applied(game, action, after);
    }

    #[inline]
    fn on_end(&mut self, game: &G, state: &G::State) {
        (**self).on_end(game, state);
    }
}

/// Who hears of the results of chance as they come; a function of the event is enough.
pub trait ChanceListener<D> {
    /// A turn begins.
    #[inline]
    fn on_turn(&mut self, _turn: u16) {}

    /// A chance event has happened.
    fn on_chance(&mut self, event: ChanceEvent<D>);
}

impl<D, F: FnMut(ChanceEvent<D>)> ChanceListener<D> for F {
    #[inline]
    fn on_chance(&mut self, event: ChanceEvent<D>) {
        self(event);
    }
}

/// Chance with a listener.
pub struct ObservedChance<'a, C, L> {
    /// The source of luck.
    pub chance: &'a mut C,
    /// The listener.
    pub listener: L,
}

impl<D: Luck, C: Chance<D>, L: ChanceListener<D>> Chance<D> for ObservedChance<'_, C, L> {
    #[inline]
    fn start_turn(&mut self, turn: u16) {
        self.chance.start_turn(turn);
        self.listener.on_turn(turn);
    }

    #[inline]
    fn card(&mut self, draw: D, among: u64) -> u8 {
        let outcome = self.chance.card(draw, among);
        self.listener.on_chance(ChanceEvent { draw, outcome });
        outcome
    }

    #[inline]
    fn cards(
        &mut self,
        count: u8,
        among: u64,
        draw: impl Fn(u8) -> D,
        mut drawn: impl FnMut(D, u8),
    ) -> u64 {
        self.chance.cards(count, among, draw, |draw, outcome| {
            self.listener.on_chance(ChanceEvent { draw, outcome });
            drawn(draw, outcome);
        })
    }

    #[inline]
    fn kind(&mut self, draw: D, counts: &[u8]) -> u8 {
        let outcome = self.chance.kind(draw, counts);
        self.listener.on_chance(ChanceEvent { draw, outcome });
        outcome
    }
}
