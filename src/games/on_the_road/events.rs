//! The event that building a settlement brings. (OTR-69 to OTR-76)

use crate::core::chance::{Chance, When};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::apply::refill;
use crate::games::on_the_road::cards::Event;
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::rules::{DrawOrder, SEATS};
use crate::games::on_the_road::state::{Phase, State};

impl OnTheRoad {
    /// The builder of a settlement draws an event and resolves it.
    pub(super) fn draw_event<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        if state.table.events == 0 {
            state.table.events = Event::DECK;
        }
        let card = chance.card(Draw::Event, u64::from(state.table.events));
        state.table.events &= !(1 << card);
        match Event::OF_CARD[usize::from(card)] {
            Event::Abundance => self.abundance(state, chance),
            Event::Charity => self.charity(state, chance),
            Event::Robber => self.robber(state, chance),
            Event::Solstice => self.solstice(state, chance),
            Event::Subsidy => self.subsidy(state, chance),
        }
    }

    fn abundance<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let table = &state.table;
        let holders = [table.route, table.army];
        let draws = |seat: Seat| if holders.contains(&Some(seat)) { 0 } else { 2 };
        let cards = self.by_seat(draws);
        self.all_draw(state, cards, chance);
        after_event(state, chance);
    }

    fn solstice<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        self.all_draw(state, self.by_seat(|_| 1), chance);
        state.table.events = Event::DECK;
        after_event(state, chance);
    }

    fn subsidy<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let areas = state.table.areas;
        self.all_draw(state, self.by_seat(|seat| areas[seat.idx()].settlements), chance);
        after_event(state, chance);
    }

    fn charity<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let points = self.by_seat(|seat| state.table.points(self, seat));
        let seats = || Seat::all(self.players);
        let most = seats().map(|seat| points[seat.idx()]).max().unwrap_or(0);
        let level = seats().all(|seat| points[seat.idx()] == most);
        for seat in seats() {
            let gives = points[seat.idx()] == most && !state.hands[seat.idx()].is_empty();
            if gives && !level {
                state.table.pending |= 1 << seat.idx();
            }
        }
        self.next_gift(state, chance);
    }

    fn robber<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        for seat in Seat::all(self.players) {
            if self.owed(state, seat) > 0 {
                state.table.pending |= 1 << seat.idx();
            }
        }
        self.next_discard(state, chance);
    }

    /// Lets the next seat give, or ends the event.
    pub(super) fn next_gift<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        match self.next_pending(state) {
            Some(seat) => state.table.phase = Phase::Charity(seat),
            None => after_event(state, chance),
        }
    }

    /// Lets the next seat discard, or ends the event.
    pub(super) fn next_discard<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        match self.next_pending(state) {
            Some(seat) => {
                state.table.phase = Phase::Discard { seat, owed: self.owed(state, seat) };
            }
            None => after_event(state, chance),
        }
    }

    /// Takes the next seat in turn order out of those that have something to do. (OTR-75)
    fn next_pending(&self, state: &mut State) -> Option<Seat> {
        let table = &mut state.table;
        let mut order = table.current.clockwise(self.players);
        let seat = order.find(|seat| table.pending >> seat.idx() & 1 == 1)?;
        table.pending &= !(1 << seat.idx());
        Some(seat)
    }

    /// Everyone draws its number of cards, in turn order from the current player. (OTR-75)
    fn all_draw<C: Chance<Draw>>(&self, state: &mut State, cards: [u8; SEATS], chance: &mut C) {
        let order = state.table.current;
        match self.rules.draw_order {
            DrawOrder::Seat => {
                for seat in order.clockwise(self.players) {
                    self.draw_many(state, seat, cards[seat.idx()], When::Turn, chance);
                }
            }
            DrawOrder::Round => {
                for round in 0..cards.into_iter().max().unwrap_or(0) {
                    for seat in order.clockwise(self.players) {
                        let due = u8::from(cards[seat.idx()] > round);
                        self.draw_many(state, seat, due, When::Turn, chance);
                    }
                }
            }
        }
    }

    /// A value for each seat at the table, 0 past it.
    fn by_seat(&self, value: impl Fn(Seat) -> u8) -> [u8; SEATS] {
        let mut values = [0; SEATS];
        for seat in Seat::all(self.players) {
            values[seat.idx()] = value(seat);
        }
        values
    }
}

/// Refills the row; the builder's turn continues.
fn after_event<C: Chance<Draw>>(state: &mut State, chance: &mut C) {
    state.table.phase = Phase::Main;
    refill(&mut state.table, When::Turn, chance);
}
