//! What one seat has seen of the resource cards, and how the rest is dealt.

use crate::core::resources::Resources;
use crate::core::types::seat::{PerSeat, Seat};
use crate::games::struggle::rules::SEATS;
use crate::games::struggle::seat_event::{Place, SeatEvent};
use crate::parts::hidden_hands::{self, HiddenHands};
use rand_pcg::Pcg32;

/// Places that hold cards outside the stack: the seats, the market, the discards.
pub const HOLDERS: usize = SEATS + 2;

/// The position of the market among the holders.
pub const MARKET: usize = SEATS;

/// The position of the discards among the holders.
pub const DISCARDS: usize = Memory::DISCARDS;

/// The most that is kept of what events leave open; beyond that, the memory forgets which unseen cards are old. The
/// longest log of 6,000 matches of 2 to 6 players, by chance and by plan, had 234.
const LOG_MAX: usize = 384;

/// What one seat remembers.
pub type Memory = HiddenHands<HOLDERS, LOG_MAX>;

/// What imagined hands leave for the next ones.
pub type Chain = hidden_hands::Chain<HOLDERS>;

/// Whether something can have happened after what a seat has seen, at a table of so many players.
pub fn may_happen(memory: &Memory, event: SeatEvent, players: u8) -> bool {
    let own = memory.seat();
    let plays = |seat: Seat| seat.number() <= players;
    let is_there = |place: Place| if let Place::Hand(seat) = place { plays(seat) } else { true };
    let passes = |from: Seat, to: Seat| from != to && plays(from) && plays(to);
    match event {
        SeatEvent::Drew { seat, kind } => {
            plays(seat) && kind.is_some() == (seat == own) && memory.may_draw(kind)
        }
        SeatEvent::Opened { kind } => memory.may_draw(Some(kind)),
        SeatEvent::Moved { from, to, cards } => {
            let moves = from != to && is_there(from) && is_there(to);
            moves && memory.may_have(holder_at(from), cards)
        }
        SeatEvent::Taken { from, to, kind } => {
            passes(from, to) && memory.may_have(from.idx(), Resources::one(kind))
        }
        SeatEvent::Passed { from, to } => {
            passes(from, to) && ![from, to].contains(&own) && memory.has_cards(from.idx())
        }
        SeatEvent::Shown { seat, cards } => plays(seat) && memory.may_have(seat.idx(), cards),
    }
}

/// The position of a place among the holders of a memory.
pub fn holder_at(place: Place) -> usize {
    match place {
        Place::Hand(seat) => seat.idx(),
        Place::Market => MARKET,
        Place::Discards => DISCARDS,
    }
}

/// Where the hidden cards are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// Hands by seat.
    pub hands: PerSeat<Resources>,
    /// The draw stack.
    pub pile: Resources,
}

impl Deal {
    /// Deals the unseen cards of a deck to the unseen places: sure cards where they are, the others uniformly
    /// within their pool.
    pub fn imagined(memory: &Memory, deck: Resources, chain: &mut Chain, rng: &mut Pcg32) -> Deal {
        let known = memory.replay(chain, rng);
        let mut places: [Resources; HOLDERS] = std::array::from_fn(|at| known.known(at));
        let mut old = known.old_pool();
        let mut new = places.iter().fold(deck - old, |left, &cards| left - cards);
        for (at, place) in places.iter_mut().enumerate() {
            let (of_old, of_new) = known.further(at);
            *place = *place + draw_from(&mut old, of_old, rng) + draw_from(&mut new, of_new, rng);
        }
        debug_assert!(old.is_empty(), "every old card has a place");
        let [hands @ .., _market, _discards] = places;
        Deal { hands, pile: new }
    }
}

/// Takes a number of random cards out of a pool.
fn draw_from(pool: &mut Resources, cards: u8, rng: &mut Pcg32) -> Resources {
    let mut drawn = Resources::NONE;
    for _ in 0..cards {
        let card = Resources::one(pool.random(rng));
        drawn = drawn + card;
        *pool = *pool - card;
    }
    drawn
}
