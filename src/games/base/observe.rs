//! What a seat sees, what it remembers of what happens, and positions that agree with both.

use crate::core::chance::{ChanceEvent, weighted};
use crate::core::game::Observation;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::base::action::Action;
use crate::games::base::cards::{Card, Cards, size, sum_of};
use crate::games::base::game::Base;
use crate::games::base::luck::Draw;
use crate::games::base::memory::{Memory, Pending};
use crate::games::base::rules::Island;
use crate::games::base::state::{Phase, Stage, State, Table};
use crate::parts::places::Vertex;
use crate::parts::resources::{Resource, Resources};
use rand_pcg::Pcg32;

/// The most deals of development cards that are tried; one of the first usually fits.
const DEALS: u32 = 200;

/// What one seat sees. (BASE-36)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The seat that sees it.
    pub seat: Seat,
    /// Everything that is open to all.
    pub table: Table,
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

impl View {
    /// All points of the seat itself, hidden cards included.
    #[inline]
    pub fn own_points(&self, game: &Base) -> u8 {
        self.table.points(game, self.seat) + self.cards[Card::VictoryPoint.idx()]
    }
}

impl Base {
    /// What a seat sees.
    #[inline]
    pub(super) fn view(&self, state: &State, seat: Seat) -> View {
        let _ = self;
        let mine = state.table.active == seat;
        View {
            seat,
            table: state.table,
            hand: state.hands[seat.idx()],
            chosen: state.chosen[seat.idx()],
            hand_sizes: state.hands.map(Resources::total),
            cards: state.cards[seat.idx()],
            fresh: if mine { state.fresh } else { Default::default() },
            card_counts: state.cards.map(size),
        }
    }

    /// A seat's memory before the first turn; what the beginner island pays at the start is known to all.
    pub(super) fn memory(&self, seat: Seat) -> Memory {
        let mut hands = [Resources::NONE; SEATS_MAX];
        if self.rules.island == Island::Beginner {
            let table = self.empty_table(self.beginner_board());
            for (seat, [[first, _], _]) in self.starts() {
                hands[seat.idx()] = self.first_cards(&table, Vertex::new(first));
            }
        }
        Memory::new(seat, hands)
    }

    /// Adds to a seat's memory what it may know of a chance event. (BASE-36)
    pub fn witness_chance(&self, memory: &mut Memory, event: ChanceEvent<Draw>) {
        let pending = std::mem::take(&mut memory.pending);
        match (event.draw, pending) {
            (Draw::Dice, Pending::Roll(table)) if sum_of(event.outcome) != 7 => {
                let income = self.income(&table, sum_of(event.outcome));
                for seat in Seat::all(self.players) {
                    memory.gains(seat, income[seat.idx()]);
                }
            }
            (Draw::Steal(_), Pending::Steal { thief, victim }) => {
                let kind = Resource::ALL[usize::from(event.outcome)];
                let known = [thief, victim].contains(&memory.seat()).then_some(kind);
                memory.stolen(thief, victim, known);
            }
            _ => {}
        }
    }

    /// Adds to a seat's memory what it may know of an action taken in `before`. (BASE-36)
    pub fn witness(&self, memory: &mut Memory, before: &State, action: Action) {
        let table = &before.table;
        let active = table.active;
        match action {
            Action::Roll => memory.pending = Pending::Roll(*table),
            Action::EndTurn if table.may_win() => {
                memory.shown_points[active.idx()] = table.points(self, active);
            }
            Action::Robber { victim: Some(victim), .. } => {
                memory.pending = Pending::Steal { thief: active, victim };
            }
            Action::Road { .. } if table.phase == Phase::Act => {
                memory.loses(active, self.road_cost);
            }
            Action::Settlement { vertex } => match table.stage {
                Stage::Founding(2) => memory.gains(active, self.first_cards(table, vertex)),
                Stage::Founding(_) => {}
                _ => memory.loses(active, self.settlement_cost),
            },
            Action::City { .. } => memory.loses(active, self.city_cost),
            Action::Buy => memory.loses(active, self.card_cost),
            Action::YearOfPlenty { first, second } => {
                memory.gains(active, Resources::one(first));
                memory.gains(active, second.map_or(Resources::NONE, Resources::one));
            }
            Action::Monopoly { kind } => self.witness_monopoly(memory, before, kind),
            Action::Discard { card } => self.witness_discard(memory, before, card),
            Action::BankTrade { give, want } => {
                let rate = table.rates[active.idx()][give.idx()];
                memory.loses(active, Resources::many(give, rate));
                memory.gains(active, Resources::one(want));
            }
            Action::Offer { give, .. } => memory.shows(active, give.cards()),
            Action::Accept | Action::Counter { .. } => {
                let Phase::Answer(seat) = table.phase else { return };
                let shown = match action {
                    Action::Counter { give, .. } => give,
                    _ => table.proposal.want,
                };
                memory.shows(seat, shown.cards());
            }
            Action::Settle { with } => {
                let (give, get) = self.deal_with(before, with).expect("a trade that took place");
                memory.loses(active, give);
                memory.loses(with, get);
                memory.gains(active, get);
                memory.gains(with, give);
            }
            _ => {}
        }
    }

    /// Everyone sees how many cards each hand had to hand over. (BASE-53)
    fn witness_monopoly(&self, memory: &mut Memory, before: &State, kind: Resource) {
        let active = before.table.active;
        for seat in Seat::all(self.players).filter(|&seat| seat != active) {
            let count = before.hands[seat.idx()].get(kind);
            memory.has_exactly(seat, kind, count);
            memory.loses(seat, Resources::many(kind, count));
            memory.gains(active, Resources::many(kind, count));
        }
    }

    /// The last discard shows all of them. (BASE-24)
    fn witness_discard(&self, memory: &mut Memory, before: &State, card: Resource) {
        let Phase::Discard { seat: last, owed } = before.table.phase else { return };
        if owed > 1 || before.table.pending != 0 {
            return;
        }
        for seat in Seat::all(self.players) {
            let own = if seat == last { Resources::one(card) } else { Resources::NONE };
            memory.loses(seat, before.chosen[seat.idx()] + own);
        }
    }

    /// A position that agrees with a view and a memory. The game's header states the law.
    pub(super) fn determinize(&self, seen: &Observation<Base>, rng: &mut Pcg32) -> State {
        let Observation { view, memory, .. } = seen;
        let held = Resources::new([self.stock; Resource::COUNT]) - view.table.bank;
        let hands = memory.deal(view.hand, held, rng);
        let mut state = State {
            table: view.table,
            hands,
            chosen: [Resources::NONE; SEATS_MAX],
            cards: Default::default(),
            fresh: Default::default(),
            deck: Default::default(),
        };
        self.deal_discards(&mut state, view, rng);
        self.deal_unseen_cards(&mut state, view, memory, rng);
        state
    }

    /// What others have chosen to discard is any of their cards.
    fn deal_discards(&self, state: &mut State, view: &View, rng: &mut Pcg32) {
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
    fn deal_unseen_cards(&self, state: &mut State, view: &View, memory: &Memory, rng: &mut Pcg32) {
        let table = &view.table;
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
            if !point_to_deck(state, seat, is_new) {
                return;
            }
        }
    }

    fn deal_cards(&self, state: &mut State, view: &View, mut unseen: Cards, rng: &mut Pcg32) {
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
    fn excess(&self, state: &State, view: &View, room: &PerSeat<Room>) -> Option<(Seat, bool)> {
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

    /// The most point cards that each other seat can have without having won. Special cards come and go on
    /// others' turns, so what counts is what a seat showed when it could have won.
    fn points_room(&self, view: &View, memory: &Memory) -> PerSeat<Room> {
        let table = &view.table;
        let mut rooms = [Room { old: u8::MAX, all: u8::MAX }; SEATS_MAX];
        if matches!(table.phase, Phase::Over(_)) {
            return rooms;
        }
        let target = self.rules.points_to_win - 1;
        for seat in Seat::all(self.players).filter(|&seat| seat != view.seat) {
            let room = &mut rooms[seat.idx()];
            if self.players <= 4 {
                room.old = target.saturating_sub(memory.shown_points[seat.idx()]);
            }
            if seat == table.active && table.may_win() {
                room.all = target.saturating_sub(table.points(self, seat));
            }
        }
        rooms
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

/// The last resort: a point card that can't be there changes places with another card of the deck. False
/// if the deck has no other.
fn point_to_deck(state: &mut State, seat: Seat, is_new: bool) -> bool {
    const POINT: usize = Card::VictoryPoint.idx();
    let Some(other) = (0..POINT).find(|&card| state.deck[card] > 0) else { return false };
    let held = &mut state.cards[seat.idx()];
    held[POINT] -= 1;
    held[other] += 1;
    state.deck[other] -= 1;
    state.deck[POINT] += 1;
    if is_new {
        state.fresh[POINT] -= 1;
        state.fresh[other] += 1;
    }
    true
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
