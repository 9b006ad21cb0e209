//! What a seat sees, what it remembers of what happens, and positions that agree with both.

use crate::core::game::SeatMemory;
use crate::core::resources::Resources;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::games::struggle::game::Struggle;
use crate::games::struggle::legal::partner;
use crate::games::struggle::memory::Memory;
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
    /// The partner's hand while the seat chooses a card from it. (SFC-34)
    pub open: Option<Resources>,
}

impl Struggle {
    /// What a seat sees.
    #[inline]
    pub(super) fn view<'a>(&self, state: &'a State, seat: Seat) -> View<'a> {
        let _ = self;
        let table = &state.table;
        let chooses = table.phase == Phase::Choose && table.current == seat;
        let open = partner(table).filter(|_| chooses).map(|seat| state.hands[seat.idx()]);
        View {
            seat,
            table,
            hand: state.hands[seat.idx()],
            hand_sizes: state.hands.map(Resources::total),
            pile: state.pile.total(),
            open,
        }
    }
}

impl SeatMemory<Struggle> for Memory {
    type Event = ();

    fn new(_game: &Struggle, _seat: Seat) -> Memory {
        Memory
    }

    /// All unseen cards as one pool.
    fn determinize(&self, game: &Struggle, view: &View<'_>, rng: &mut Pcg32) -> State {
        let table = *view.table;
        let mut hands = [Resources::NONE; SEATS_MAX];
        hands[view.seat.idx()] = view.hand;
        let mut pool = game.deck() - view.hand - table.market - table.discards;
        if let (Some(open), Some(seat)) = (view.open, partner(&table)) {
            hands[seat.idx()] = open;
            pool = pool - open;
        }
        for (hand, size) in hands.iter_mut().zip(view.hand_sizes) {
            while hand.total() < size {
                let card = Resources::one(pool.random(rng));
                pool = pool - card;
                *hand = *hand + card;
            }
        }
        State { table, hands, pile: pool }
    }
}
