//! Listeners to a match: everything that counts, remembers or writes. The rules know of none.

use crate::core::chance::{Chance, ChanceEvent, Luck};
use crate::core::game::Game;
use crate::core::types::seat::Seat;

/// One decision as it was taken.
#[derive(Debug)]
pub struct Decision<'a, G: Game> {
    /// The position before it.
    pub before: &'a G::State,
    /// Who decided.
    pub seat: Seat,
    /// What could be chosen, as far as the agent's filter lets it through.
    pub legal: &'a [G::Action],
    /// What was chosen.
    pub action: G::Action,
}

/// A listener. All methods do nothing by default, and `()` costs nothing.
pub trait Recorder<G: Game> {
    /// A chance event has happened.
    #[inline]
    fn on_chance(&mut self, _event: ChanceEvent) {}

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
    fn on_chance(&mut self, event: ChanceEvent) {
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

impl<G: Game, R: Recorder<G>> Recorder<G> for &mut R {
    #[inline]
    fn on_chance(&mut self, event: ChanceEvent) {
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

/// Chance that tells a listener of each of its events.
pub struct Heard<'a, C, F> {
    /// The source of luck.
    pub chance: &'a mut C,
    /// The listener.
    pub tell: F,
}

impl<C: Chance, F: FnMut(ChanceEvent)> Chance for Heard<'_, C, F> {
    #[inline]
    fn start_turn(&mut self, turn: u16) {
        self.chance.start_turn(turn);
    }

    #[inline]
    fn card(&mut self, luck: Luck, among: u64) -> u8 {
        let outcome = self.chance.card(luck, among);
        (self.tell)(ChanceEvent { luck, outcome });
        outcome
    }

    #[inline]
    fn kind(&mut self, luck: Luck, counts: &[u8]) -> u8 {
        let outcome = self.chance.kind(luck, counts);
        (self.tell)(ChanceEvent { luck, outcome });
        outcome
    }
}
