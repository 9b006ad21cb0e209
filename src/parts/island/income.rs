//! The roll, what it yields, and what a 7 costs. (BASE-22 to BASE-25)

use crate::core::chance::{Chance, first};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::cards::{THROWS, sum_of};
use crate::parts::island::luck::Draw;
use crate::parts::island::rules::Shortage;
use crate::parts::island::state::{Phase, Stage, State, Table};
use crate::parts::pieces::Yields;
use crate::parts::places::HexSet;

impl Island {
    pub(crate) fn roll<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let sum = sum_of(chance.card(Draw::Dice, THROWS));
        state.table.stage = Stage::Main;
        self.rolled(state, sum);
    }

    /// What follows from the sum of a roll. (BASE-22, BASE-24)
    #[inline]
    pub(crate) fn rolled(&self, state: &mut State, sum: u8) {
        if sum == 7 {
            self.seven(state);
        } else {
            self.pay_out(state, sum);
        }
    }

    /// Pays what a sum other than 7 brings to each seat. (BASE-22, BASE-23)
    #[inline]
    fn pay_out(&self, state: &mut State, sum: u8) {
        let table = &mut state.table;
        let (mut claims, mut all) = ([Resources::NONE; SEATS_MAX], Resources::NONE);
        for (kind, yields) in table.harvest(sum) {
            all = all + Resources::many(kind, yields.total());
            for (idx, claim) in claims.iter_mut().enumerate() {
                *claim = *claim + Resources::many(kind, yields.at(idx));
            }
        }
        if !table.bank.covers(all) {
            self.ration(table.bank, all, &mut claims);
            all = claims.iter().fold(Resources::NONE, |all, &claim| all + claim);
        }
        table.bank = table.bank - all;
        for (hand, claim) in state.hands.iter_mut().zip(claims) {
            *hand = *hand + claim;
        }
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

    /// Nothing is paid; whoever has too many cards discards. (BASE-24)
    #[inline(never)]
    fn seven(&self, state: &mut State) {
        for seat in Seat::all(self.players) {
            let discards = self.owed(state.hands[seat.idx()]) > 0;
            state.table.pending |= u8::from(discards) << seat.idx();
        }
        self.next_discard(state);
    }

    /// Cards that a hand owes on a 7. (BASE-24)
    #[inline]
    pub fn owed(&self, hand: Resources) -> u8 {
        self.owed_of(hand.total())
    }

    /// Cards that a hand of a size owes on a 7. (BASE-24)
    #[inline]
    pub(crate) fn owed_of(&self, size: u8) -> u8 {
        if size > self.rules.robber.hand_limit { size / 2 } else { 0 }
    }

    /// Chooses one card to discard.
    pub(crate) fn discard(&self, state: &mut State, card: Resource) {
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
        if let Some(seat) = next_of(table.pending, table.current) {
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

/// The first seat of a set clockwise from one; `None` if the set is empty.
fn next_of(seats: u8, from: Seat) -> Option<Seat> {
    let later = seats >> from.idx() << from.idx();
    let among = if later == 0 { seats } else { later };
    (among != 0).then(|| Seat::new(first(among.into())))
}

impl Table {
    /// The hexes that bring something on a sum: what, and to whom how much. (BASE-22)
    #[inline]
    fn harvest(&self, sum: u8) -> impl Iterator<Item = (Resource, Yields)> {
        let hexes = self.board.rolled[usize::from(sum) - 2] - HexSet::one(self.robber);
        hexes
            .into_iter()
            .filter_map(|hex| Some((self.board.terrain[hex.idx()]?, self.pieces.yields[hex.idx()])))
    }
}
