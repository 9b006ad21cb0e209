//! What a seat sees, what it remembers of what happens, and positions that agree with both.

use crate::core::chance::ChanceEvent;
use crate::core::game::Observation;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::{count, kind_of, size};
use crate::games::on_the_road::game::OnTheRoad;
use crate::games::on_the_road::luck::Draw;
use crate::games::on_the_road::memory::{DISCARDS, Deal, Memory};
use crate::games::on_the_road::rules::{Discards, SEATS};
use crate::games::on_the_road::state::{Phase, State, Table};
use crate::parts::resources::Resources;
use rand_pcg::Pcg32;

/// What one seat sees. Cards are counted by kind: nobody can tell two wool cards apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// The seat that sees it.
    pub seat: Seat,
    /// Everything that is open to all.
    pub table: Table,
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
    pub(super) fn view(&self, state: &State, seat: Seat) -> View {
        let open = self.rules.robber.discards == Discards::Open;
        View {
            seat,
            table: state.table,
            hand: state.hand(seat),
            hand_sizes: state.hands.map(size),
            pile: size(state.pile),
            discards: if open { count(state.discards) } else { Resources::NONE },
            discards_size: size(state.discards),
        }
    }

    /// Adds to a seat's memory what it may know of a chance event. (OTR-34)
    #[inline]
    pub fn witness_chance(memory: &mut Memory, event: ChanceEvent<Draw>) {
        if let Draw::Card(seat, _) = event.draw {
            memory.drew(seat, kind_of(event.outcome));
        }
    }

    /// Adds to a seat's memory what it may know of an action taken in `before`. (OTR-34)
    pub fn witness(&self, memory: &mut Memory, before: &State, action: Action) {
        let table = &before.table;
        match action {
            Action::Build { card, pay } => {
                let cost = self.cost(table, card, pay);
                memory.moved(table.current.idx(), DISCARDS, cost);
            }
            Action::Offer { give, .. } if !self.rules.trade.bluff => {
                memory.shown(table.current, give.cards());
            }
            Action::Accept => {
                let Phase::Answer(seat) = table.phase else { return };
                memory.shown(seat, table.proposal.want.cards());
            }
            Action::Counter { give, .. } => {
                let Phase::Answer(seat) = table.phase else { return };
                memory.shown(seat, give.cards());
            }
            Action::Settle { with } => {
                let (give, get) = self.deal_with(before, with).expect("a trade that took place");
                memory.moved(table.current.idx(), with.idx(), give);
                memory.moved(with.idx(), table.current.idx(), get);
            }
            Action::Discard { card } => {
                let Phase::Discard { seat, .. } = table.phase else { return };
                let open = self.rules.robber.discards == Discards::Open || memory.seat() == seat;
                if open {
                    memory.moved(seat.idx(), DISCARDS, Resources::one(card));
                } else {
                    memory.passed(seat.idx(), DISCARDS);
                }
            }
            Action::Give { card, to } => {
                let Phase::Charity(seat) = table.phase else { return };
                if [seat, to].contains(&memory.seat()) {
                    memory.moved(seat.idx(), to.idx(), Resources::one(card));
                } else {
                    memory.passed(seat.idx(), to.idx());
                }
            }
            _ => {}
        }
    }

    /// A position that agrees with a view and a memory. The game's header states the law.
    pub(super) fn determinize(&self, seen: &Observation<OnTheRoad>, rng: &mut Pcg32) -> State {
        let _ = self;
        let Deal { hands, pile, discards } = seen.memory.deal(rng);
        State { table: seen.view.table, hands, pile, discards }
    }
}
