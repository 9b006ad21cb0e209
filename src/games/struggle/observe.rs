//! What a seat sees, what it remembers of what happens, and positions that agree with both.

use crate::core::chance::ChanceEvent;
use crate::core::game::{SeatMemory, Step};
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::struggle::action::{Action, Partner};
use crate::games::struggle::cards::Event;
use crate::games::struggle::game::Struggle;
use crate::games::struggle::legal::partner;
use crate::games::struggle::luck::Draw;
use crate::games::struggle::memory::{
    Chain, DISCARDS, Deal, MARKET, Memory, holder_at, may_happen,
};
use crate::games::struggle::rules::{Eyes, Reshuffle};
use crate::games::struggle::seat_event::{Place, SeatEvent};
use crate::games::struggle::state::{Phase, State, Table};
use rand_pcg::Pcg32;

/// What one seat sees. (SFC-35)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    /// The seat that sees it.
    pub seat: Seat,
    /// Everything that is open to all.
    pub table: &'a Table,
    /// The seat's own hand.
    pub hand: Resources,
    /// Cards in each hand, by seat.
    pub hand_sizes: PerSeat<u8>,
    /// Cards in the draw stack.
    pub pile: u8,
    /// Another's hand that lies open, while a card is chosen from it. (SFC-34)
    pub open: Option<Resources>,
}

impl Struggle {
    /// What a seat sees.
    #[inline]
    pub(super) fn view<'a>(&self, state: &'a State, seat: Seat) -> View<'a> {
        let table = &state.table;
        let open = self.opened(table, seat).map(|seat| state.hands[seat.idx()]);
        View {
            seat,
            table,
            hand: state.hands[seat.idx()],
            hand_sizes: state.hands.map(Resources::total),
            pile: state.pile.total(),
            open,
        }
    }

    /// Whose hand lies open to a seat, while a library chooses from it. (SFC-34)
    #[inline]
    pub(super) fn opened(&self, table: &Table, seat: Seat) -> Option<Seat> {
        if table.phase != Phase::Choose {
            return None;
        }
        let sees = table.current == seat || self.rules.library.shown_to == Eyes::All;
        partner(table).filter(|&other| sees && other != seat)
    }

    /// What a seat that saw `before` may know of an action: what passes between two others. (SFC-35)
    pub(super) fn known(&self, before: &View<'_>, action: Action) -> Option<Action> {
        let table = before.table;
        let between = |with: Option<Seat>| {
            let concerned = [Some(table.current), with].contains(&Some(before.seat));
            with.is_some() && !concerned && self.rules.trade.passes != Eyes::All
        };
        let hidden = match (action, table.phase, table.lot.with) {
            (Action::Take { .. }, Phase::Choose, _) => between(partner(table)),
            (Action::Return { .. }, _, Partner::Seat(seat)) => between(Some(seat)),
            _ => false,
        };
        (!hidden).then_some(action)
    }
}

impl SeatMemory<Struggle> for Memory {
    type Event = SeatEvent;
    type Chain = Chain;

    fn new(game: &Struggle, seat: Seat) -> Memory {
        Memory::before_deal(seat, game.deck(), game.rules.reshuffle == Reshuffle::OnEmpty)
    }

    fn observe(
        game: &Struggle,
        step: &Step<'_, Struggle>,
        seat: Seat,
        mut hear: impl FnMut(SeatEvent),
    ) {
        let eyes = Onlooker { game, seat };
        let mut market = Resources::NONE;
        if let Some((before, action)) = step.action {
            market = before.table.market;
            eyes.see_action(before, action, &mut hear);
        }
        for &event in step.chance {
            match event.draw {
                Draw::Card(drawer, _) => {
                    let kind = (drawer == seat).then(|| kind_of(event));
                    hear(SeatEvent::Drew { seat: drawer, kind });
                }
                Draw::Market(_) => {
                    let kind = kind_of(event);
                    market = market + Resources::one(kind);
                    hear(SeatEvent::Opened { kind });
                }
                Draw::Take(to) => {
                    let from = step.action.and_then(taken_from).expect("a hand is taken from");
                    hear(eyes.see_taken(from, to, kind_of(event)));
                }
                Draw::Event if eyes.is_market_day(event, step.after) => {
                    let (from, to) = (Place::Market, Place::Discards);
                    hear(SeatEvent::Moved { from, to, cards: std::mem::take(&mut market) });
                }
                Draw::Event => {}
            }
        }
        eyes.see_open_hand(step.after, &mut hear);
    }

    fn hear(&mut self, event: SeatEvent) {
        match event {
            SeatEvent::Drew { seat, kind } => self.drew(seat.idx(), kind),
            SeatEvent::Opened { kind } => self.drew(MARKET, Some(kind)),
            SeatEvent::Moved { from, to, cards } => {
                self.moved(holder_at(from), holder_at(to), cards);
            }
            SeatEvent::Taken { from, to, kind } => self.taken(from.idx(), to.idx(), kind),
            SeatEvent::Passed { from, to } => self.passed(from.idx(), to.idx()),
            SeatEvent::Shown { seat, cards } => self.shown(seat, cards),
        }
    }

    fn may_hear(&self, game: &Struggle, event: SeatEvent) -> bool {
        may_happen(self, event, game.players)
    }

    fn agrees_with(&self, game: &Struggle, view: &View<'_>) -> bool {
        let sizes = &view.hand_sizes[..usize::from(game.players)];
        let open = [(MARKET, view.table.market), (DISCARDS, view.table.discards)];
        self.agrees(sizes, view.pile, view.hand)
            && open.into_iter().all(|(at, cards)| self.agrees_on(at, cards))
    }

    fn determinize(
        &self,
        game: &Struggle,
        view: &View<'_>,
        chain: &mut Chain,
        rng: &mut Pcg32,
    ) -> State {
        let deal = Deal::imagined(self, game.deck(), chain, rng);
        State { table: *view.table, hands: deal.hands, pile: deal.pile }
    }
}

/// A seat that looks on.
struct Onlooker<'a> {
    game: &'a Struggle,
    seat: Seat,
}

impl Onlooker<'_> {
    /// Whether the seat sees what passes between two players. (SFC-35)
    fn see_between(&self, one: Seat, other: Seat) -> bool {
        self.game.rules.trade.passes == Eyes::All || [one, other].contains(&self.seat)
    }

    /// What the seat may know of an action taken in `before`, chance aside.
    fn see_action(&self, before: &State, action: Action, mut hear: impl FnMut(SeatEvent)) {
        let table = &before.table;
        let current = table.current;
        let mut moves = |from, to, cards| hear(SeatEvent::Moved { from, to, cards });
        match (action, table.phase) {
            (Action::Build { pay, .. }, _) => {
                moves(Place::Hand(current), Place::Discards, pay.cards());
            }
            (Action::Take { card }, Phase::Choose) => {
                let from = partner(table).expect("a hand is open");
                hear(self.see_chosen(from, current, card));
            }
            (Action::Take { card }, _) => {
                moves(Place::Market, Place::Hand(current), Resources::one(card));
            }
            (Action::Return { card }, _) => {
                let cards = Resources::one(card);
                match table.lot.with {
                    Partner::Stack => moves(Place::Hand(current), Place::Discards, cards),
                    Partner::Market => moves(Place::Hand(current), Place::Market, cards),
                    Partner::Seat(to) => hear(self.see_chosen(current, to, card)),
                }
            }
            (Action::Discard { card }, Phase::Discard { seat, .. }) => {
                moves(Place::Hand(seat), Place::Discards, Resources::one(card));
            }
            _ => {}
        }
    }

    /// A card that someone chose goes from hand to hand.
    fn see_chosen(&self, from: Seat, to: Seat, card: Resource) -> SeatEvent {
        if self.see_between(from, to) {
            let (from, to) = (Place::Hand(from), Place::Hand(to));
            SeatEvent::Moved { from, to, cards: Resources::one(card) }
        } else {
            SeatEvent::Passed { from, to }
        }
    }

    /// A random card goes from hand to hand.
    fn see_taken(&self, from: Seat, to: Seat, kind: Resource) -> SeatEvent {
        if self.see_between(from, to) {
            SeatEvent::Taken { from, to, kind }
        } else {
            SeatEvent::Passed { from, to }
        }
    }

    /// A hand that lies open after a step. (SFC-34)
    fn see_open_hand(&self, after: &State, mut hear: impl FnMut(SeatEvent)) {
        let table = &after.table;
        let all = self.game.rules.library.shown_to == Eyes::All;
        if table.phase == Phase::Choose && (all || table.current == self.seat) {
            let seat = partner(table).expect("a hand is open");
            hear(SeatEvent::Shown { seat, cards: after.hands[seat.idx()] });
        }
    }

    /// Whether a city's side replaces the market: not if its points have won before. (SFC-45, SFC-52)
    fn is_market_day(&self, event: ChanceEvent<Draw>, after: &State) -> bool {
        let over = matches!(after.table.phase, Phase::Over(_));
        let day = Event::ALL[usize::from(event.outcome)] == Event::MarketDay;
        day && !(over && self.game.rules.build.win_before_event)
    }
}

/// The kind of a resource card that was drawn or taken.
fn kind_of(event: ChanceEvent<Draw>) -> Resource {
    Resource::ALL[usize::from(event.outcome)]
}

/// Whose cards an action takes.
fn taken_from((before, action): (&State, Action)) -> Option<Seat> {
    match action {
        Action::Rob { from } | Action::Trade { with: Partner::Seat(from), .. } => Some(from),
        _ => partner(&before.table),
    }
}
