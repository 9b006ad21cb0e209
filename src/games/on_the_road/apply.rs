//! What an action does: a dispatcher and one function for each action.

use crate::core::chance::{Chance, When};
use crate::core::game::End;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::{Action, Payment};
use crate::games::on_the_road::cards::{Card, Metropolis, present, size, total};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::rules::{Reshuffle, SEATS};
use crate::games::on_the_road::state::ROW;
use crate::games::on_the_road::state::{Area, Phase, State, Table, TurnSoFar};
use crate::parts::trade::{Answer, Next, Proposal};

impl OnTheRoad {
    /// Carries out an action that the rules allow.
    #[inline]
    pub(super) fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        match action {
            Action::EndTurn => self.end_turn(state, chance),
            Action::Build { card, pay } => self.build_card(state, card, pay, chance),
            Action::Offer { to, give, want } => {
                self.offer(&mut state.table, Proposal::new(to, give, want));
            }
            Action::Accept => self.answer(&mut state.table, Answer::Accepted),
            Action::Refuse => self.answer(&mut state.table, Answer::Refused),
            Action::Counter { give, want } => {
                self.answer(&mut state.table, Answer::Countered { give, want });
            }
            Action::Settle { with } => self.settle(state, with, chance),
            Action::Decline => state.table.phase = Phase::Main,
            Action::Discard { card } => self.discard(state, card, chance),
            Action::Give { card, to } => self.give(state, card, to, chance),
        }
    }

    /// Starts a seat's turn: the check for a win, then the harvest. (OTR-20, OTR-21, OTR-81)
    pub(super) fn begin_turn<C: Chance<Draw>>(
        &self,
        state: &mut State,
        seat: Seat,
        chance: &mut C,
    ) {
        let table = &mut state.table;
        table.turn += 1;
        table.current = seat;
        table.so_far = TurnSoFar::default();
        table.phase = Phase::Main;
        chance.start_turn(table.turn);
        if table.points(self, seat) >= self.rules.points_to_win.of(seat) {
            table.phase = Phase::Over(End::Won);
            return;
        }
        // A card for each seat, then what the seat harvests beyond it.
        let (players, harvest) = (self.players, table.harvest(seat));
        let receiver = |at| if at < players { seat.ahead(at, players) } else { seat };
        self.draw_each(state, players + harvest, receiver, When::Turn, chance);
    }

    /// Moves cards from the pile into hands, one after the other; `seat` says into whose. The discards become
    /// the pile when it is empty; if no card is left anywhere, nothing more is drawn. (OTR-22)
    #[inline]
    fn draw_each<C: Chance<Draw>>(
        &self,
        state: &mut State,
        cards: u8,
        seat: impl Fn(u8) -> Seat,
        when: When,
        chance: &mut C,
    ) {
        let mut before = 0;
        while before < cards {
            if state.pile == 0 {
                if state.discards == 0 {
                    return;
                }
                reshuffle(state);
            }
            let State { pile, hands, .. } = state;
            let count = (cards - before).min(size(*pile));
            let draw = |at| Draw::Card(seat(before + at), when);
            *pile = chance.cards(count, *pile, draw, |draw, card| {
                let Draw::Card(seat, _) = draw else { unreachable!("cards are drawn") };
                hands[seat.idx()].add(card);
            });
            before += count;
            state.table.so_far.moved = true;
            if state.pile == 0 && self.rules.reshuffle == Reshuffle::OnEmpty {
                reshuffle(state);
            }
        }
    }

    pub(super) fn draw_many<C: Chance<Draw>>(
        &self,
        state: &mut State,
        seat: Seat,
        cards: u8,
        when: When,
        chance: &mut C,
    ) {
        self.draw_each(state, cards, |_| seat, when, chance);
    }

    fn end_turn<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let table = &mut state.table;
        table.still = if table.so_far.moved { 0 } else { table.still.saturating_add(1) };
        if table.turn >= self.rules.turns_max {
            let end = if table.still >= self.players { End::Standstill } else { End::TurnLimit };
            table.phase = Phase::Over(end);
            return;
        }
        let next = table.current.next(self.players);
        self.begin_turn(state, next, chance);
    }

    #[inline]
    fn build_card<C: Chance<Draw>>(
        &self,
        state: &mut State,
        card: Card,
        pay: Payment,
        chance: &mut C,
    ) {
        let seat = state.table.current;
        let cost = self.cost(&state.table, card, pay);
        state.discards |= state.hands[seat.idx()].take(cost);
        let so_far = &mut state.table.so_far;
        so_far.moved = true;
        so_far.built = true;
        so_far.substituted |= pay != Payment::Exact;
        self.place(&mut state.table, card);
        if state.table.points(self, seat) >= self.rules.points_to_win.of(seat) {
            state.table.phase = Phase::Over(End::Won);
            return;
        }
        match card {
            Card::Settlement => self.draw_event(state, chance),
            Card::Road | Card::City | Card::Knight => {
                refill(&mut state.table, When::Turn, chance);
            }
            _ => self.draw_for_metropolis(state, seat, card, chance),
        }
    }

    /// Moves the card into the builder's area and hands over bonus cards. (OTR-45, OTR-46, OTR-60, OTR-61)
    pub fn place(&self, table: &mut Table, card: Card) {
        let seat = table.current;
        let area = &mut table.areas[seat.idx()];
        match card {
            Card::Road => area.roads += 1,
            Card::Settlement => area.settlements += 1,
            Card::City => {
                area.settlements -= 1;
                area.cities += 1;
            }
            Card::Knight => area.knights += 1,
            Card::MetropolisRoads
            | Card::MetropolisKnights
            | Card::MetropolisArmy
            | Card::MetropolisRoute => {
                let bit = card.metropolis().map_or(0, Metropolis::bit);
                area.cities -= 1;
                area.metropolises |= bit;
                table.unbuilt &= !bit;
            }
        }
        if card.metropolis().is_none() {
            table.row[card.idx()] -= 1;
        }
        let tie_acts = self.rules.metropolis.tie_at_once;
        if card == Card::Road || (tie_acts && card == Card::MetropolisRoute) {
            self.update_route(table);
        }
        if card == Card::Knight || (tie_acts && card == Card::MetropolisArmy) {
            self.update_army(table);
        }
    }

    fn update_route(&self, table: &mut Table) {
        let minimum = self.rules.route.minimum;
        table.route =
            self.holder(table, table.route, Metropolis::Route, minimum, |area| area.roads);
    }

    fn update_army(&self, table: &mut Table) {
        let minimum = self.rules.army.minimum;
        table.army = self.holder(table, table.army, Metropolis::Army, minimum, |area| area.knights);
    }

    /// Who holds a bonus card now: who has the most; among equals the owner of the tie effect, else the one
    /// who held it, else the builder. (OTR-52, OTR-53, OTR-55, OTR-60, OTR-61)
    #[inline]
    fn holder(
        &self,
        table: &Table,
        before: Option<Seat>,
        tie: Metropolis,
        minimum: u8,
        count: impl Fn(&Area) -> u8,
    ) -> Option<Seat> {
        let of = |seat: Seat| count(&table.areas[seat.idx()]);
        let most = Seat::all(self.players).map(of).max().unwrap_or(0);
        let owner = Seat::all(self.players).find(|&seat| table.owns_effect(seat, tie));
        let tied_owner = owner.filter(|&seat| of(seat) == most);
        if most < minimum && before.is_none() {
            let early = !self.rules.metropolis.tie_minimum && most > 0;
            return tied_owner.filter(|_| early);
        }
        tied_owner
            .or(before.filter(|&seat| of(seat) == most))
            .or(Some(table.current).filter(|&seat| of(seat) == most))
            .or(before)
    }

    /// The B sides that draw on building. (OTR-50, OTR-51, OTR-54)
    fn draw_for_metropolis<C: Chance<Draw>>(
        &self,
        state: &mut State,
        seat: Seat,
        card: Card,
        chance: &mut C,
    ) {
        let Some(metropolis) = card.metropolis() else { return };
        let area = state.table.areas[seat.idx()];
        let starting = u8::from(!self.rules.metropolis.starting_road_counts);
        let cards = match metropolis {
            _ if state.table.b_sides & metropolis.bit() == 0 => 0,
            Metropolis::Roads => area.roads - starting,
            Metropolis::Knights => area.knights,
            Metropolis::Army | Metropolis::Route => 0,
        };
        self.draw_many(state, seat, cards, When::Turn, chance);
    }

    fn offer(&self, table: &mut Table, proposal: Proposal<SEATS>) {
        table.so_far.proposals += 1;
        table.proposal = proposal;
        table.phase = Phase::Answer(proposal.first_asked(table.current, self.players));
    }

    /// Notes an answer and asks the next, or lets the current player choose. (OTR-32)
    fn answer(&self, table: &mut Table, answer: Answer) {
        let Phase::Answer(seat) = table.phase else { unreachable!("someone was asked") };
        table.phase = match table.proposal.answer(seat, answer, table.current, self.players) {
            Next::Answer(next) => Phase::Answer(next),
            Next::Choose => Phase::Choose,
            Next::Refused => Phase::Main,
        };
    }

    /// Exchanges the cards; then the partner draws one. (OTR-33)
    fn settle<C: Chance<Draw>>(&self, state: &mut State, with: Seat, chance: &mut C) {
        let terms = state.table.proposal.terms_with(with);
        let (give, get) = terms.expect("the rules allow this trade");
        let current = state.table.current;
        let given = state.hands[current.idx()].take(give);
        let got = state.hands[with.idx()].take(get);
        state.hands[current.idx()].put(got, get);
        state.hands[with.idx()].put(given, give);
        state.table.so_far.traded = true;
        state.table.so_far.moved = true;
        state.table.phase = Phase::Main;
        self.draw_many(state, with, 1, When::Turn, chance);
    }

    #[inline]
    fn discard<C: Chance<Draw>>(&self, state: &mut State, card: Resource, chance: &mut C) {
        let Phase::Discard { seat, owed } = state.table.phase else {
            unreachable!("someone discards")
        };
        state.discards |= state.hands[seat.idx()].take(Resources::one(card));
        if owed > 1 {
            state.table.phase = Phase::Discard { seat, owed: owed - 1 };
        } else {
            self.next_discard(state, chance);
        }
    }

    fn give<C: Chance<Draw>>(&self, state: &mut State, card: Resource, to: Seat, chance: &mut C) {
        let Phase::Charity(seat) = state.table.phase else { unreachable!("someone gives") };
        let card = Resources::one(card);
        let given = state.hands[seat.idx()].take(card);
        state.hands[to.idx()].put(given, card);
        self.next_gift(state, chance);
    }
}

/// The discards become the draw pile.
fn reshuffle(state: &mut State) {
    state.pile = state.discards;
    state.discards = 0;
}

/// Fills the row up to five; five of a kind go back. (OTR-43, OTR-44)
pub(super) fn refill<C: Chance<Draw>>(table: &mut Table, when: When, chance: &mut C) {
    loop {
        for _ in 0..(ROW - total(table.row)).min(total(table.deck)) {
            let kind = usize::from(chance.kind(Draw::Row(when), &table.deck));
            table.deck[kind] -= 1;
            table.row[kind] += 1;
        }
        let kinds = present(table.row);
        let alike = kinds.is_power_of_two() && total(table.row) == ROW;
        if !alike || present(table.deck) & !kinds == 0 {
            return;
        }
        table.return_row();
    }
}
