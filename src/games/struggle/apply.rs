//! What an action does: a dispatcher and one function for each action.

use crate::core::chance::{Chance, When};
use crate::core::game::End;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::{Card, Event, a_sides};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::legal::{Source, partner};
use crate::games::struggle::luck::Draw;
use crate::games::struggle::rules::{Chosen, Extra, Moment, Reshuffle};
use crate::games::struggle::state::{Area, Lot, MARKET, Phase, SoFar, State, Table};

/// Cards that everyone draws at the end of a turn. (SFC-80)
const DRAWN: u8 = 2;

impl Struggle {
    /// Carries out an action that the rules allow.
    #[inline]
    pub(super) fn apply<C: Chance<Draw>>(&self, state: &mut State, action: Action, chance: &mut C) {
        match action {
            Action::Draw => self.draw_step(state, chance),
            Action::Build { card, pay } => self.build_card(state, card, pay.cards(), chance),
            Action::Rob { from } => self.rob(state, from, chance),
            Action::Trade { with, cards, choose } => {
                self.begin_trade(state, with, cards, choose, chance);
            }
            Action::Take { card } if state.table.phase == Phase::Choose => {
                self.choose(state, card, chance);
            }
            Action::Take { card } => take(state, card),
            Action::Return { card } => self.return_card(state, card, chance),
            Action::Keep => state.table.phase = Phase::Act,
            Action::Flip => {
                state.table.clockwise ^= true;
                state.table.phase = Phase::Act;
            }
            Action::Discard { card } => self.discard(state, card),
            Action::Extra { cards } => self.draw_extra(state, cards, chance),
            Action::EndTurn => self.end_turn(state, chance),
        }
    }

    /// Ends the turn, or the match at its limit. (SFC-20, SFC-91)
    fn end_turn<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        if state.table.turn >= self.rules.turns_max {
            state.table.phase = Phase::Over(End::TurnLimit);
        } else {
            begin_turn(state, state.table.current.next(self.players), chance);
        }
    }

    /// Ends the match if the current seat has the points. (SFC-90)
    #[inline]
    fn look_for_win(&self, table: &mut Table) {
        if table.points(self, table.current) >= self.rules.points_to_win.of(table.current) {
            table.phase = Phase::Over(End::Won);
        }
    }

    /// Two cards, then one for each knight with its A side up, if wanted. (SFC-80)
    fn draw_step<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        for _ in 0..DRAWN {
            self.draw(state, state.table.current, When::Turn, chance);
        }
        offer_extra(state, a_sides(state.table.own().knights));
    }

    fn draw_extra<C: Chance<Draw>>(&self, state: &mut State, cards: u8, chance: &mut C) {
        let Phase::Extra(left) = state.table.phase else { unreachable!("cards were offered") };
        for _ in 0..cards {
            self.draw(state, state.table.current, When::Turn, chance);
        }
        let more = self.rules.draw.extra == Extra::OneByOne;
        offer_extra(state, if more { left - cards } else { 0 });
    }

    /// A card of the stack goes into a hand; nothing if there is none. (SFC-21)
    #[inline]
    pub(super) fn draw<C: Chance<Draw>>(
        &self,
        state: &mut State,
        seat: Seat,
        when: When,
        chance: &mut C,
    ) {
        if let Some(card) = self.top(state, Draw::Card(seat, when), chance) {
            state.hands[seat.idx()] = state.hands[seat.idx()] + card;
        }
    }

    /// Takes a card off the stack, after a reshuffle if it is empty; nothing if the discards are empty, too. (SFC-21)
    fn top<C: Chance<Draw>>(
        &self,
        state: &mut State,
        draw: Draw,
        chance: &mut C,
    ) -> Option<Resources> {
        if state.pile.is_empty() {
            reshuffle(state);
        }
        if state.pile.is_empty() {
            return None;
        }
        let kind = usize::from(chance.kind(draw, &state.pile.counts()));
        let card = Resources::one(Resource::ALL[kind]);
        state.pile = state.pile - card;
        if self.rules.reshuffle == Reshuffle::OnEmpty && state.pile.is_empty() {
            reshuffle(state);
        }
        Some(card)
    }

    /// Opens the five cards of a market that has none. (SFC-10, SFC-52)
    pub(super) fn fill_market<C: Chance<Draw>>(
        &self,
        state: &mut State,
        when: When,
        chance: &mut C,
    ) {
        for _ in 0..MARKET {
            let card = self.top(state, Draw::Market(when), chance);
            state.table.market = state.table.market + card.expect("five cards are to be had");
        }
    }

    fn build_card<C: Chance<Draw>>(
        &self,
        state: &mut State,
        card: Card,
        pay: Resources,
        chance: &mut C,
    ) {
        let saves = self.saves(&state.table) && self.saves_with(card, pay);
        let bit = self.type_bit(card);
        give_up(state, state.table.current, pay);
        let table = &mut state.table;
        table.so_far.building = true;
        table.so_far.built |= bit;
        table.so_far.saved |= saves;
        if card == Card::City {
            return self.turn_settlement(state, chance);
        }
        self.put(table, card);
        self.look_for_win(table);
        let may_flip = self.players > 2 && self.rules.destiny.settlement_flips;
        if card == Card::Settlement && may_flip && table.phase == Phase::Act {
            table.phase = Phase::Flip;
        }
    }

    /// Whether a payment saves a card by the university. (SFC-72)
    pub(super) fn saves_with(&self, card: Card, pay: Resources) -> bool {
        let saved = self.prices[card.idx()].saved(pay, self.rules.substitution.rate);
        saved.expect("a payment of the price")
    }

    /// Puts a card in front of the current player. (SFC-43 to SFC-46, SFC-61)
    pub(super) fn put(&self, table: &mut Table, card: Card) {
        let seat = table.current.idx();
        match card {
            Card::Road | Card::Knight => place(table, card, self.source(table, card)),
            Card::Settlement => {
                table.settlements -= 1;
                table.areas[seat].settlements += 1;
            }
            Card::City => {
                table.areas[seat].settlements -= 1;
                table.areas[seat].cities += 1;
            }
            _ => expand(table, card),
        }
    }

    /// A settlement becomes a city, whose event comes at once. (SFC-45, SFC-50)
    fn turn_settlement<C: Chance<Draw>>(&self, state: &mut State, chance: &mut C) {
        let table = &mut state.table;
        self.put(table, Card::City);
        if self.rules.build.win_before_event {
            self.look_for_win(table);
        }
        let event = usize::from(chance.kind(Draw::Event, &table.events));
        table.events[event] -= 1;
        if matches!(table.phase, Phase::Over(_)) {
            return;
        }
        match Event::ALL[event] {
            Event::Brigands => self.next_discard(state),
            Event::MarketDay => {
                table.discards = table.discards + std::mem::take(&mut table.market);
                // Those five are among the discards, so five are to be had.
                self.fill_market(state, When::Turn, chance);
                self.look_for_win(&mut state.table);
            }
        }
    }

    /// Lets the next player with too many cards discard, or ends the attack. (SFC-51)
    fn next_discard(&self, state: &mut State) {
        let limit = self.rules.brigands.hand_limit;
        let table = &mut state.table;
        let mut order = table.current.clockwise(self.players);
        if let Some(seat) = order.find(|seat| state.hands[seat.idx()].total() > limit) {
            let owed = state.hands[seat.idx()].total() - limit;
            table.phase = Phase::Discard { seat, owed };
            return;
        }
        table.clockwise ^= self.players > 2 && self.rules.destiny.brigands_flip;
        table.phase = Phase::Act;
        self.look_for_win(table);
    }

    fn discard(&self, state: &mut State, card: Resource) {
        let Phase::Discard { seat, .. } = state.table.phase else {
            unreachable!("someone discards")
        };
        give_up(state, seat, Resources::one(card));
        self.next_discard(state);
    }

    /// The merchants' guild takes a card. (SFC-71)
    fn rob<C: Chance<Draw>>(&self, state: &mut State, from: Seat, chance: &mut C) {
        take_unseen(state, from, chance);
        let so_far = &mut state.table.so_far;
        so_far.robbed = true;
        so_far.building |= self.rules.guild.moment == Moment::Build;
    }

    /// Begins a trade; cards of a hand are taken at once. (SFC-30 to SFC-34)
    fn begin_trade<C: Chance<Draw>>(
        &self,
        state: &mut State,
        with: Partner,
        cards: u8,
        choose: bool,
        chance: &mut C,
    ) {
        let table = &mut state.table;
        table.lot = Lot { with, cards, taken: Resources::NONE };
        table.so_far.traded += cards;
        table.so_far.chose |= choose;
        match with {
            Partner::Stack => table.phase = Phase::Return(cards),
            Partner::Market => table.phase = Phase::Take(cards),
            Partner::Seat(from) => {
                table.phase = if choose { Phase::Choose } else { Phase::Return(cards) };
                let blind_now = match (choose, self.rules.library.chosen) {
                    (false, _) => cards,
                    (true, Chosen::First) => 0,
                    (true, Chosen::Last) => cards - 1,
                };
                for _ in 0..blind_now {
                    take_unseen(state, from, chance);
                }
            }
        }
    }

    /// The library chooses a card from the partner's open hand. (SFC-34)
    fn choose<C: Chance<Draw>>(&self, state: &mut State, card: Resource, chance: &mut C) {
        let from = partner(&state.table).expect("a player's hand is open");
        pass(state, from, state.table.current, Resources::one(card));
        let cards = state.table.lot.cards;
        if self.rules.library.chosen == Chosen::First {
            for _ in 1..cards {
                take_unseen(state, from, chance);
            }
        }
        state.table.phase = Phase::Return(cards);
    }

    /// A card goes back to the partner; the stack gives its cards once all have come. (SFC-31 to SFC-33)
    fn return_card<C: Chance<Draw>>(&self, state: &mut State, card: Resource, chance: &mut C) {
        let Phase::Return(left) = state.table.phase else { unreachable!("cards are owed") };
        let (current, cards) = (state.table.current, Resources::one(card));
        match state.table.lot.with {
            Partner::Stack => give_up(state, current, cards),
            Partner::Market => {
                state.hands[current.idx()] = state.hands[current.idx()] - cards;
                state.table.market = state.table.market + cards;
            }
            Partner::Seat(to) => pass(state, current, to, cards),
        }
        if left > 1 {
            state.table.phase = Phase::Return(left - 1);
            return;
        }
        let lot = std::mem::replace(&mut state.table.lot, Lot::NONE);
        state.table.phase = Phase::Act;
        if lot.with == Partner::Stack {
            for _ in 0..lot.cards {
                self.draw(state, current, When::Turn, chance);
            }
        }
    }
}

/// Lets the current seat draw further cards, as long as there are any, or end its turn.
fn offer_extra(state: &mut State, left: u8) {
    let none = state.pile.is_empty() && state.table.discards.is_empty();
    state.table.phase = Phase::Extra(if none { 0 } else { left });
}

/// Cards go from a hand to the discards. (SFC-40)
#[inline]
fn give_up(state: &mut State, seat: Seat, cards: Resources) {
    state.hands[seat.idx()] = state.hands[seat.idx()] - cards;
    state.table.discards = state.table.discards + cards;
}

/// The discards become the stack. (SFC-21)
fn reshuffle(state: &mut State) {
    state.pile = state.pile + std::mem::take(&mut state.table.discards);
}

/// A card of the market goes into the current hand. (SFC-32)
fn take(state: &mut State, card: Resource) {
    let Phase::Take(left) = state.table.phase else { unreachable!("cards are taken") };
    let (table, card) = (&mut state.table, Resources::one(card));
    let hand = &mut state.hands[table.current.idx()];
    table.market = table.market - card;
    table.lot.taken = table.lot.taken + card;
    *hand = *hand + card;
    table.phase = if left > 1 { Phase::Take(left - 1) } else { Phase::Return(table.lot.cards) };
}

/// A random card of a hand goes into the current hand. (SFC-33, SFC-71)
fn take_unseen<C: Chance<Draw>>(state: &mut State, from: Seat, chance: &mut C) {
    let to = state.table.current;
    let hand = state.hands[from.idx()];
    let kind = usize::from(chance.kind(Draw::Take(to), &hand.counts()));
    pass(state, from, to, Resources::one(Resource::ALL[kind]));
}

/// Cards go from hand to hand.
#[inline]
fn pass(state: &mut State, from: Seat, to: Seat, cards: Resources) {
    state.hands[from.idx()] = state.hands[from.idx()] - cards;
    state.hands[to.idx()] = state.hands[to.idx()] + cards;
}

/// A road or knight goes on top of the current player's row, from the stack or from another row. (SFC-60, SFC-61)
fn place(table: &mut Table, card: Card, source: Option<Source>) {
    let Some(source) = source else { return };
    let Table { areas, roads, knights, current, .. } = table;
    let (stack, row): (_, fn(&mut Area) -> &mut u8) = match card {
        Card::Road => (roads, |area| &mut area.roads),
        _ => (knights, |area| &mut area.knights),
    };
    match source {
        Source::Stack => *stack -= 1,
        Source::Row(seat) => *row(&mut areas[seat.idx()]) -= 1,
    }
    *row(&mut areas[current.idx()]) += 1;
}

/// An expansion goes on a city of the current player. (SFC-46)
fn expand(table: &mut Table, card: Card) {
    let expansion = card.expansion().expect("all other cards are expansions");
    let area = &mut table.areas[table.current.idx()];
    area.cities -= 1;
    area.expansions |= expansion.bit();
    table.expansions[expansion.idx()] -= 1;
}

/// Starts a seat's turn. (SFC-20)
pub(super) fn begin_turn<C: Chance<Draw>>(state: &mut State, seat: Seat, chance: &mut C) {
    let table = &mut state.table;
    table.turn += 1;
    table.current = seat;
    table.phase = Phase::Act;
    table.so_far = SoFar::default();
    chance.start_turn(table.turn);
}
