//! What a seat sees, what it remembers of what happens, and positions that agree with both.

use crate::core::chance::weighted;
use crate::core::game::{SeatMemory, Step};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::parts::island::Island;
use crate::parts::island::action::Action;
use crate::parts::island::cards::{Card, Cards, size};
use crate::parts::island::luck::Draw;
use crate::parts::island::memory::Memory;
use crate::parts::island::seat_event::SeatEvent;
use crate::parts::island::state::{Phase, Stage, State, Table};
use rand_pcg::Pcg32;

/// The most deals of development cards that are tried; one of the first usually fits.
const DEALS: u32 = 200;

/// What one seat sees. (BASE-36)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    /// The seat that sees it.
    pub seat: Seat,
    /// Everything that is open to all.
    pub table: &'a Table,
    /// The seat's own hand.
    pub hand: Resources,
    /// The cards of it that it has chosen to discard.
    pub chosen: Resources,
    /// Cards in each hand, by seat.
    pub hand_sizes: PerSeat<u8>,
    /// The seat's own unplayed development cards.
    pub cards: Cards,
    /// Those of them bought since it became active.
    pub fresh: Cards,
    /// Unplayed development cards, by seat.
    pub card_counts: PerSeat<u8>,
}

impl View<'_> {
    /// All points of the seat itself, hidden cards included.
    #[inline]
    pub fn own_points(&self, game: &Island) -> u8 {
        self.table.points(game, self.seat) + self.cards[Card::VictoryPoint.idx()]
    }

    /// What the seat may know of an action that was taken when it saw this: others choose what they discard face down.
    /// (BASE-24)
    pub fn known(&self, action: Action) -> Option<Action> {
        match (action, self.table.phase) {
            (Action::Discard { .. }, Phase::Discard { seat, .. }) if seat != self.seat => None,
            _ => Some(action),
        }
    }

    /// Whether the seat sees what luck then gives: the dice, a hex that is explored, a card that it buys. What is stolen is
    /// an event of its memory.
    pub fn sees(&self, draw: Draw) -> bool {
        match draw {
            Draw::Dice | Draw::Terrain | Draw::Token => true,
            Draw::Card => self.table.active == self.seat,
            Draw::Steal(_) | Draw::Harbour | Draw::Corner | Draw::Hex => false,
        }
    }
}

impl<'a> View<'a> {
    /// What a seat sees.
    #[inline]
    pub(crate) fn of(state: &'a State, seat: Seat) -> View<'a> {
        let mine = state.table.active == seat;
        View {
            seat,
            table: &state.table,
            hand: state.hands[seat.idx()],
            chosen: state.chosen[seat.idx()],
            hand_sizes: state.hands.map(Resources::total),
            cards: state.cards[seat.idx()],
            fresh: if mine { state.fresh } else { Default::default() },
            card_counts: state.cards.map(size),
        }
    }
}

impl Island {
    /// What everyone may know of an action taken in `before`, chance aside. (BASE-36)
    fn observe_action(
        &self,
        before: &State,
        action: Action,
        after: &State,
        mut hear: impl FnMut(SeatEvent),
    ) {
        let table = &before.table;
        let seat = table.active;
        let lost = |cards| SeatEvent::Lost { seat, cards };
        match action {
            Action::EndTurn if table.may_win() => {
                // Points that don't win say nothing of hidden ones.
                let points = table.points(self, seat).saturating_sub(table.withheld);
                hear(SeatEvent::TurnEnded { seat, points });
            }
            Action::Road { .. } if table.phase == Phase::Act => hear(lost(self.road_cost)),
            Action::Settlement { .. } if !matches!(table.stage, Stage::Founding(_)) => {
                hear(lost(self.settlement_cost));
            }
            Action::City { .. } => hear(lost(self.city_cost)),
            Action::Buy => hear(lost(self.card_cost)),
            Action::Roll | Action::Settlement { .. } | Action::YearOfPlenty { .. } => {
                self.observe_income(before, after, hear);
            }
            Action::Monopoly { kind } => self.observe_monopoly(before, kind, hear),
            Action::Discard { card } => self.observe_discard(before, card, hear),
            Action::BankTrade { give, want } => {
                let rate = table.rates[seat.idx()][give.idx()];
                hear(lost(Resources::many(give, rate)));
                hear(SeatEvent::Gained { seat, cards: Resources::one(want) });
            }
            Action::Offer { give, .. } => hear(SeatEvent::Shown { seat, cards: give.cards() }),
            Action::Accept | Action::Counter { .. } => {
                let Phase::Answer(seat) = table.phase else { return };
                let shown = match action {
                    Action::Counter { give, .. } => give,
                    _ => table.proposal.want,
                };
                hear(SeatEvent::Shown { seat, cards: shown.cards() });
            }
            Action::Settle { with } => {
                let (give, get) = before.deal_with(with).expect("a trade that took place");
                hear(lost(give));
                hear(SeatEvent::Lost { seat: with, cards: get });
                hear(SeatEvent::Gained { seat, cards: get });
                hear(SeatEvent::Gained { seat: with, cards: give });
            }
            _ => {}
        }
    }

    /// What the bank has paid out. (BASE-15, BASE-22, BASE-52)
    fn observe_income(&self, before: &State, after: &State, mut hear: impl FnMut(SeatEvent)) {
        for seat in Seat::all(self.players) {
            let cards = after.hands[seat.idx()] - before.hands[seat.idx()];
            if !cards.is_empty() {
                hear(SeatEvent::Gained { seat, cards });
            }
        }
    }

    /// Everyone sees how many cards each hand had to hand over. (BASE-53)
    fn observe_monopoly(&self, before: &State, kind: Resource, mut hear: impl FnMut(SeatEvent)) {
        let to = before.table.active;
        for from in Seat::all(self.players).filter(|&seat| seat != to) {
            let count = before.hands[from.idx()].get(kind);
            hear(SeatEvent::HandedOver { from, to, kind, count });
        }
    }

    /// The last discard shows all of them. (BASE-24)
    fn observe_discard(&self, before: &State, card: Resource, mut hear: impl FnMut(SeatEvent)) {
        let Phase::Discard { seat: last, owed } = before.table.phase else { return };
        if owed > 1 || before.table.pending != 0 {
            return;
        }
        for seat in Seat::all(self.players) {
            let own = if seat == last { Resources::one(card) } else { Resources::NONE };
            hear(SeatEvent::Lost { seat, cards: before.chosen[seat.idx()] + own });
        }
    }

    /// What others have chosen to discard is any of their cards.
    fn deal_discards(&self, state: &mut State, view: &View<'_>, rng: &mut Pcg32) {
        let Phase::Discard { seat: asked, owed } = view.table.phase else { return };
        for seat in Seat::all(self.players) {
            let waiting = view.table.pending >> seat.idx() & 1 == 1;
            let due = self.owed(state.hands[seat.idx()]);
            let done = match seat {
                _ if waiting => 0,
                _ if seat == asked => due - owed,
                _ => due,
            };
            let chosen = &mut state.chosen[seat.idx()];
            if seat == view.seat {
                *chosen = view.chosen;
                continue;
            }
            for _ in 0..done {
                let left = state.hands[seat.idx()] - *chosen;
                *chosen = *chosen + Resources::one(left.random(rng));
            }
        }
    }

    /// Deals the development cards that the seat doesn't see to the other players and the deck.
    fn deal_unseen_cards(
        &self,
        state: &mut State,
        view: &View<'_>,
        memory: &Memory,
        rng: &mut Pcg32,
    ) {
        let table = view.table;
        let mut unseen = self.deck;
        for card in Card::ALL {
            let at = card.idx();
            unseen[at] -= view.cards[at] + table.gone[at];
        }
        unseen[Card::Knight.idx()] -= table.knights.iter().sum::<u8>();
        let room = self.points_room(view, memory);
        for _ in 0..DEALS {
            self.deal_cards(state, view, unseen, rng);
            if self.excess(state, view, &room).is_none() {
                return;
            }
        }
        while let Some((seat, is_new)) = self.excess(state, view, &room) {
            if !self.move_point(state, view, &room, (seat, is_new)) {
                return;
            }
        }
    }

    fn deal_cards(&self, state: &mut State, view: &View<'_>, mut unseen: Cards, rng: &mut Pcg32) {
        for seat in Seat::all(self.players) {
            if seat == view.seat {
                state.cards[seat.idx()] = view.cards;
                continue;
            }
            let fresh = seat == view.table.active;
            let bought = if fresh { view.table.so_far.bought } else { 0 };
            let mut held = take(&mut unseen, view.card_counts[seat.idx()] - bought, rng);
            if fresh {
                state.fresh = take(&mut unseen, bought, rng);
                for (count, new) in held.iter_mut().zip(state.fresh) {
                    *count += new;
                }
            }
            state.cards[seat.idx()] = held;
        }
        if view.table.active == view.seat {
            state.fresh = view.fresh;
        }
        state.deck = unseen;
    }

    /// A seat that has more point cards than it can have without having won, and whether the excess is
    /// among those that it has just bought.
    fn excess(&self, state: &State, view: &View<'_>, room: &PerSeat<Room>) -> Option<(Seat, bool)> {
        const POINT: usize = Card::VictoryPoint.idx();
        Seat::all(self.players).find_map(|seat| {
            let held = state.cards[seat.idx()][POINT];
            let new = if seat == view.table.active { state.fresh[POINT] } else { 0 };
            let room = room[seat.idx()];
            if held - new > room.old {
                return Some((seat, false));
            }
            (held > room.all).then_some((seat, new > 0))
        })
    }

    /// The last resort: a point card that can't be where it is changes places with another card of the deck, or
    /// else of a seat that has room for it. False if there is none.
    fn move_point(
        &self,
        state: &mut State,
        view: &View<'_>,
        room: &PerSeat<Room>,
        (from, is_new): (Seat, bool),
    ) -> bool {
        const POINT: usize = Card::VictoryPoint.idx();
        let other_of = |cards: &Cards| (0..POINT).find(|&card| cards[card] > 0);
        let has_room = |&to: &Seat| {
            let held = state.cards[to.idx()][POINT];
            let Room { old, all } = room[to.idx()];
            // What a seat has just bought stays where it is.
            let quiet = to != view.seat && to != view.table.active;
            to != from && quiet && held < old.min(all) && other_of(&state.cards[to.idx()]).is_some()
        };
        let to = if other_of(&state.deck).is_some() {
            &mut state.deck
        } else {
            let Some(to) = Seat::all(self.players).find(has_room) else { return false };
            &mut state.cards[to.idx()]
        };
        let other = other_of(to).expect("looked for above");
        to[other] -= 1;
        to[POINT] += 1;
        let held = &mut state.cards[from.idx()];
        held[POINT] -= 1;
        held[other] += 1;
        if is_new {
            state.fresh[POINT] -= 1;
            state.fresh[other] += 1;
        }
        true
    }

    /// The most point cards that each other seat can have without having won. Special cards come and go on
    /// others' turns, so what counts is what a seat showed when it could have won.
    fn points_room(&self, view: &View<'_>, memory: &Memory) -> PerSeat<Room> {
        let table = view.table;
        let mut rooms = [Room { old: u8::MAX, all: u8::MAX }; SEATS_MAX];
        if matches!(table.phase, Phase::Over(_)) {
            return rooms;
        }
        for seat in Seat::all(self.players).filter(|&seat| seat != view.seat) {
            let room = &mut rooms[seat.idx()];
            let target = self.rules.points_to_win.of(seat) - 1;
            if self.players <= 4 {
                room.old = target.saturating_sub(memory.shown_points[seat.idx()]);
            }
            if seat == table.active && table.may_win() {
                room.all = (target + table.withheld).saturating_sub(table.points(self, seat));
            }
        }
        rooms
    }
}

impl SeatMemory<Island> for Memory {
    type Event = SeatEvent;
    type Chain = ();

    fn new(_game: &Island, seat: Seat) -> Memory {
        Memory::knowing(seat, [Resources::NONE; SEATS_MAX])
    }

    fn observe(
        game: &Island,
        step: &Step<'_, Island>,
        seat: Seat,
        mut hear: impl FnMut(SeatEvent),
    ) {
        let Some((before, action)) = step.action else {
            // What the beginner island pays at the start is known to all.
            let hands = Seat::all(game.players).zip(step.after.hands);
            return hands
                .filter(|(_, cards)| !cards.is_empty())
                .for_each(|(seat, cards)| hear(SeatEvent::Gained { seat, cards }));
        };
        game.observe_action(before, action, step.after, &mut hear);
        let Action::Robber { victim: Some(victim), .. } = action else { return };
        for event in step.chance {
            let Draw::Steal(thief) = event.draw else { continue };
            let kind = Resource::ALL[usize::from(event.outcome)];
            let kind = [thief, victim].contains(&seat).then_some(kind);
            hear(SeatEvent::Stolen { thief, victim, kind });
        }
    }

    fn hear(&mut self, event: SeatEvent) {
        match event {
            SeatEvent::Gained { seat, cards } => self.gains(seat, cards),
            SeatEvent::Lost { seat, cards } => self.loses(seat, cards),
            SeatEvent::Shown { seat, cards } => self.shows(seat, cards),
            SeatEvent::HandedOver { from, to, kind, count } => {
                self.has_exactly(from, kind, count);
                self.loses(from, Resources::many(kind, count));
                self.gains(to, Resources::many(kind, count));
            }
            SeatEvent::Stolen { thief, victim, kind } => self.stolen(thief, victim, kind),
            SeatEvent::TurnEnded { seat, points } => self.shown_points[seat.idx()] = points,
        }
    }

    fn may_hear(&self, game: &Island, event: SeatEvent) -> bool {
        self.may_happen(event, game.players, game.stock)
    }

    fn agrees_with(&self, game: &Island, view: &View<'_>) -> bool {
        self.agrees(&view.hand_sizes, view.hand, Resources::each(game.stock) - view.table.bank)
    }

    fn determinize(
        &self,
        game: &Island,
        view: &View<'_>,
        _chain: &mut (),
        rng: &mut Pcg32,
    ) -> State {
        let held = Resources::new([game.stock; Resource::COUNT]) - view.table.bank;
        let hands = self.deal(view.hand, held, rng);
        let mut state = State {
            table: *view.table,
            hands,
            chosen: [Resources::NONE; SEATS_MAX],
            cards: Default::default(),
            fresh: Default::default(),
            deck: Default::default(),
        };
        game.deal_discards(&mut state, view, rng);
        game.deal_unseen_cards(&mut state, view, self, rng);
        state
    }
}

/// The most point cards that a seat can have.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Of those from before its turn.
    old: u8,
    /// Of all.
    all: u8,
}

/// Takes random development cards out of those unseen.
fn take(unseen: &mut Cards, count: u8, rng: &mut Pcg32) -> Cards {
    let mut taken = Cards::default();
    for _ in 0..count {
        let card = usize::from(weighted(rng, &unseen[..]));
        unseen[card] -= 1;
        taken[card] += 1;
    }
    taken
}
