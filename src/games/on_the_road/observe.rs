//! What a seat sees, what it remembers of what happens, and positions that agree with both.

use crate::core::game::{SeatMemory, Step};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::{Hand, RESOURCES_ALL, count, kind_of, size};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::memory::{Chain, DISCARDS, Deal, Memory, may_happen};
use crate::games::on_the_road::rules::{Discards, Reshuffle, SEATS};
use crate::games::on_the_road::seat_event::{Place, SeatEvent};
use crate::games::on_the_road::state::{Phase, State, Table};
use rand_pcg::Pcg32;

/// What one seat sees. Cards are counted by kind: nobody can tell two wool cards apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View<'a> {
    /// The seat that sees it.
    pub seat: Seat,
    /// Everything that is open to all.
    pub table: &'a Table,
    /// The seat's own hand.
    pub hand: Resources,
    /// Cards in each hand, by seat.
    pub hand_sizes: [u8; SEATS],
    /// Cards in the draw pile.
    pub pile: u8,
    /// Discards; empty if the Robber's discards are hidden.
    pub discards: Resources,
    /// Number of discards.
    pub discards_size: u8,
}

impl OnTheRoad {
    /// What a seat sees. (OTR-34)
    #[inline]
    pub(super) fn view<'a>(&self, state: &'a State, seat: Seat) -> View<'a> {
        let open = self.rules.robber.discards == Discards::Open;
        View {
            seat,
            table: &state.table,
            hand: state.hand(seat),
            hand_sizes: state.hands.map(Hand::size),
            pile: size(state.pile),
            discards: if open { count(state.discards) } else { Resources::NONE },
            discards_size: size(state.discards),
        }
    }

    /// What a seat that saw `before` may know of an action: cards are given and discarded face down. (OTR-34)
    pub(super) fn known(&self, before: &View<'_>, action: Action) -> Option<Action> {
        let hidden = match (action, before.table.phase) {
            (Action::Give { to, .. }, Phase::Charity(from)) => ![from, to].contains(&before.seat),
            (Action::Discard { .. }, Phase::Discard { seat, .. }) => {
                seat != before.seat && self.rules.robber.discards != Discards::Open
            }
            _ => false,
        };
        (!hidden).then_some(action)
    }

    /// What a seat may know of an action taken in `before`, chance aside. (OTR-34)
    fn observe_action(
        &self,
        before: &State,
        action: Action,
        eyes: Seat,
        mut hear: impl FnMut(SeatEvent),
    ) {
        let table = &before.table;
        let current = table.current;
        let mut moves = |from, to, cards, seen: bool| {
            hear(if seen {
                SeatEvent::Moved { from, to, cards }
            } else {
                SeatEvent::Passed { from, to }
            });
        };
        match (action, table.phase) {
            (Action::Build { card, pay }, _) => {
                moves(current, Place::Discards, self.cost(table, card, pay), true);
            }
            (Action::Settle { with }, _) => {
                let (give, get) = before.deal_with(with).expect("a trade that took place");
                moves(current, Place::Hand(with), give, true);
                moves(with, Place::Hand(current), get, true);
            }
            (Action::Discard { card }, Phase::Discard { seat, .. }) => {
                let open = self.rules.robber.discards == Discards::Open;
                moves(seat, Place::Discards, Resources::one(card), open || eyes == seat);
            }
            (Action::Give { card, to }, Phase::Charity(seat)) => {
                let seen = [seat, to].contains(&eyes);
                moves(seat, Place::Hand(to), Resources::one(card), seen);
            }
            (Action::Offer { give, .. }, _) if !self.rules.trade.bluff => {
                hear(SeatEvent::Shown { seat: current, cards: give.cards() });
            }
            (Action::Accept, Phase::Answer(seat)) => {
                hear(SeatEvent::Shown { seat, cards: table.proposal.want.cards() });
            }
            (Action::Counter { give, .. }, Phase::Answer(seat)) => {
                hear(SeatEvent::Shown { seat, cards: give.cards() });
            }
            _ => {}
        }
    }
}

impl SeatMemory<OnTheRoad> for Memory {
    type Event = SeatEvent;
    type Chain = Chain;

    fn new(game: &OnTheRoad, seat: Seat) -> Memory {
        Memory::before_deal(seat, RESOURCES_ALL, game.rules.reshuffle == Reshuffle::OnEmpty)
    }

    fn observe(
        game: &OnTheRoad,
        step: &Step<'_, OnTheRoad>,
        seat: Seat,
        mut hear: impl FnMut(SeatEvent),
    ) {
        if let Some((before, action)) = step.action {
            game.observe_action(before, action, seat, &mut hear);
        }
        for event in step.chance {
            let Draw::Card(drawer, _) = event.draw else { continue };
            let kind = (drawer == seat).then(|| kind_of(event.outcome));
            hear(SeatEvent::Drew { seat: drawer, kind });
        }
    }

    fn hear(&mut self, event: SeatEvent) {
        match event {
            SeatEvent::Drew { seat, kind } => self.drew(seat.idx(), kind),
            SeatEvent::Moved { from, to, cards } => self.moved(from.idx(), holder_at(to), cards),
            SeatEvent::Passed { from, to } => self.passed(from.idx(), holder_at(to)),
            SeatEvent::Shown { seat, cards } => self.shown(seat, cards),
        }
    }

    fn may_hear(&self, game: &OnTheRoad, event: SeatEvent) -> bool {
        may_happen(self, event, game.players)
    }

    fn agrees_with(&self, game: &OnTheRoad, view: &View<'_>) -> bool {
        let sizes = &view.hand_sizes[..usize::from(game.players)];
        let open = game.rules.robber.discards == Discards::Open;
        self.agrees(sizes, view.pile, view.hand)
            && (!open || self.agrees_on(DISCARDS, view.discards))
    }

    fn determinize(
        &self,
        _game: &OnTheRoad,
        view: &View<'_>,
        chain: &mut Chain,
        rng: &mut Pcg32,
    ) -> State {
        let deal = Deal::imagined(self, chain, rng);
        State {
            table: *view.table,
            hands: deal.hands.map(Hand::of),
            pile: deal.pile,
            discards: deal.discards,
        }
    }
}

/// The position of a place among the holders of a memory.
fn holder_at(place: Place) -> usize {
    match place {
        Place::Hand(seat) => seat.idx(),
        Place::Discards => DISCARDS,
    }
}
