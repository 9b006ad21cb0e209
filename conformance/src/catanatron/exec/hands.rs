//! Hidden cards as they may be. Who sits in one seat follows a match with a full position, in which hands and
//! development cards of the others are made up. Whatever someone shows must be there, so what was made up gives way:
//! cards change places, by kind, between hidden hands, and between these and the deck. Their numbers never change, and
//! nothing that the seat is told depends on what was made up.

use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, Seat};
use crate::parts::island::cards::Card;
use crate::parts::island::state::State;

/// Whose cards are made up, and which of them have been laid down already and stay.
#[derive(Debug, Clone, Copy)]
pub struct Hidden {
    /// Players at the table.
    pub players: u8,
    /// The seat whose cards are known.
    pub own: Seat,
    /// Whether its hand is known as well: not after a theft whose result it wasn't told.
    pub own_is_known: bool,
    /// Cards that were laid down for a 7 and are still in hand here.
    pub given: PerSeat<Resources>,
}

impl Hidden {
    fn is_made_up(&self, seat: Seat) -> bool {
        seat != self.own || !self.own_is_known
    }

    /// Cards of a seat that may change places.
    fn loose(&self, state: &State, seat: Seat) -> Resources {
        state.hands[seat.idx()] - self.given[seat.idx()]
    }

    /// Makes sure that a seat holds cards, beside those that it has laid down.
    ///
    /// # Errors
    /// If it can't.
    pub fn holds(&self, state: &mut State, seat: Seat, cards: Resources) -> Result<(), String> {
        let lacks = || format!("seat {} has no {cards}", seat.idx());
        while !self.loose(state, seat).covers(cards) {
            let own = self.loose(state, seat);
            let spare = |kind: &Resource| own.get(*kind) > cards.get(*kind);
            let spare = Resource::ALL.into_iter().find(spare).ok_or_else(lacks)?;
            let missing = |kind: &Resource| own.get(*kind) < cards.get(*kind);
            let kind = Resource::ALL.into_iter().find(missing).ok_or_else(lacks)?;
            let has = |other: &Seat| {
                *other != seat && self.is_made_up(*other) && self.loose(state, *other).get(kind) > 0
            };
            let from = Seat::all(self.players).find(has).filter(|_| self.is_made_up(seat));
            exchange(state, [seat, from.ok_or_else(lacks)?], [spare, kind]);
        }
        Ok(())
    }

    /// Lets seats hold more or fewer cards of a kind than they do, in exchange for others; the changes have the sum 0.
    /// Says whether that was possible.
    pub fn shift(&self, state: &mut State, kind: Resource, mut changes: PerSeat<i8>) -> bool {
        while let Some(to) = Seat::all(self.players).find(|seat| changes[seat.idx()] > 0) {
            let others = self.loose(state, to).without(Resources::one(kind).kinds());
            let spare = Resource::ALL.into_iter().find(|&other| others.get(other) > 0);
            let gives = |seat: &Seat| {
                changes[seat.idx()] < 0
                    && self.is_made_up(*seat)
                    && self.loose(state, *seat).get(kind) > 0
            };
            let from = Seat::all(self.players).find(gives);
            let (Some(spare), Some(from), true) = (spare, from, self.is_made_up(to)) else {
                return false;
            };
            exchange(state, [to, from], [spare, kind]);
            changes[to.idx()] -= 1;
            changes[from.idx()] += 1;
        }
        true
    }

    /// Makes sure that a seat has a development card that it may play now.
    ///
    /// # Errors
    /// If it can't.
    pub fn plays(&self, state: &mut State, seat: Seat, card: Card) -> Result<(), String> {
        let lacks = || format!("seat {} has no {card} to play", seat.idx());
        let at = card.idx();
        let fresh = if seat == state.table.active { state.fresh } else { Default::default() };
        let held = state.cards[seat.idx()];
        if held[at] > fresh[at] {
            return Ok(());
        }
        let spare = (0..held.len()).find(|&other| other != at && held[other] > fresh[other]);
        let spare = spare.filter(|_| seat != self.own).ok_or_else(lacks)?;
        if state.deck[at] > 0 {
            state.deck[at] -= 1;
            state.deck[spare] += 1;
        } else {
            let has = |other: &Seat| {
                *other != seat && *other != self.own && state.cards[other.idx()][at] > 0
            };
            let from = Seat::all(self.players).find(has).ok_or_else(lacks)?;
            state.cards[from.idx()][at] -= 1;
            state.cards[from.idx()][spare] += 1;
        }
        state.cards[seat.idx()][spare] -= 1;
        state.cards[seat.idx()][at] += 1;
        Ok(())
    }

    /// Makes sure that a development card is in the deck.
    ///
    /// # Errors
    /// If it can't be.
    pub fn is_in_deck(&self, state: &mut State, card: Card) -> Result<(), String> {
        let at = card.idx();
        if state.deck[at] > 0 {
            return Ok(());
        }
        let lacks = || format!("no {card} can be in the deck");
        let spare = state.deck.iter().position(|&count| count > 0).ok_or_else(lacks)?;
        let has = |seat: &Seat| *seat != self.own && state.cards[seat.idx()][at] > 0;
        let from = Seat::all(self.players).find(has).ok_or_else(lacks)?;
        state.deck[spare] -= 1;
        state.deck[at] += 1;
        state.cards[from.idx()][at] -= 1;
        state.cards[from.idx()][spare] += 1;
        Ok(())
    }
}

/// Two seats exchange a card each.
fn exchange(state: &mut State, [one, other]: [Seat; 2], [gives, gets]: [Resource; 2]) {
    let [gives, gets] = [gives, gets].map(Resources::one);
    state.hands[one.idx()] = state.hands[one.idx()] - gives + gets;
    state.hands[other.idx()] = state.hands[other.idx()] - gets + gives;
}
