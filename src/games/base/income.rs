//! The roll, what it yields, and what a 7 costs. (BASE-22 to BASE-25)

use crate::core::chance::Chance;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::base::cards::{THROWS, sum_of};
use crate::games::base::game::Base;
use crate::games::base::luck::Draw;
use crate::games::base::rules::Shortage;
use crate::games::base::state::{Phase, Stage, State, Table};
use crate::parts::resources::{Resource, Resources};

impl Base {
    pub(super) fn roll<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let sum = sum_of(chance.card(Draw::Dice, THROWS));
        state.table.stage = Stage::Main;
        if sum == 7 {
            for seat in Seat::all(self.players) {
                if self.owed(state.hands[seat.idx()]) > 0 {
                    state.table.pending |= 1 << seat.idx();
                }
            }
            self.next_discard(state);
            return;
        }
        let claims = self.income(&state.table, sum);
        for (hand, claim) in state.hands.iter_mut().zip(claims) {
            *hand = *hand + claim;
            state.table.bank = state.table.bank - claim;
        }
    }

    /// What a sum other than 7 pays to each seat. (BASE-22, BASE-23)
    #[inline]
    pub fn income(&self, table: &Table, sum: u8) -> PerSeat<Resources> {
        let mut claims = [Resources::NONE; SEATS_MAX];
        let mut all = Resources::NONE;
        for hex in table.board.rolled[usize::from(sum) - 2] {
            let Some(kind) = table.board.terrain[hex.idx()].filter(|_| hex != table.robber) else {
                continue;
            };
            for (seat, cards) in table.pieces.yields[hex.idx()].iter() {
                let cards = Resources::many(kind, cards);
                claims[seat.idx()] = claims[seat.idx()] + cards;
                all = all + cards;
            }
        }
        if !table.bank.covers(all) {
            self.ration(table.bank, all, &mut claims);
        }
        claims
    }

    /// Cuts claims that the bank can't pay in full. (BASE-23)
    #[cold]
    fn ration(&self, bank: Resources, all: Resources, claims: &mut PerSeat<Resources>) {
        for (kind, claimed) in all.iter().filter(|&(kind, claimed)| bank.get(kind) < claimed) {
            for claim in claims.iter_mut() {
                let own = claim.get(kind);
                let sole = own == claimed && self.rules.shortage == Shortage::Sole;
                let paid = if sole { bank.get(kind) } else { 0 };
                *claim = *claim - Resources::many(kind, own) + Resources::many(kind, paid);
            }
        }
    }

    /// Cards that a hand owes on a 7. (BASE-24)
    #[inline]
    pub fn owed(&self, hand: Resources) -> u8 {
        let size = hand.total();
        if size > self.rules.robber.hand_limit { size / 2 } else { 0 }
    }

    /// Chooses one card to discard.
    pub(super) fn discard(&self, state: &mut State, card: Resource) {
        let Phase::Discard { seat, owed } = state.table.phase else {
            unreachable!("someone discards")
        };
        state.chosen[seat.idx()] = state.chosen[seat.idx()] + Resources::one(card);
        if owed > 1 {
            state.table.phase = Phase::Discard { seat, owed: owed - 1 };
        } else {
            self.next_discard(state);
        }
    }

    /// Lets the next seat choose; when all have chosen, the cards are shown and go to the bank, and the robber
    /// moves.
    fn next_discard(&self, state: &mut State) {
        let table = &mut state.table;
        let mut order = table.current.clockwise(self.players);
        if let Some(seat) = order.find(|seat| table.pending >> seat.idx() & 1 == 1) {
            table.pending &= !(1 << seat.idx());
            table.phase = Phase::Discard { seat, owed: self.owed(state.hands[seat.idx()]) };
            return;
        }
        table.phase = Phase::Robber;
        for (hand, chosen) in state.hands.iter_mut().zip(&mut state.chosen) {
            *hand = *hand - *chosen;
            table.bank = table.bank + *chosen;
            *chosen = Resources::NONE;
        }
    }
}
