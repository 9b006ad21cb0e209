//! What one seat has seen of the resource cards, and how the rest is dealt.

use crate::core::chance::{first, pick};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::{CARDS_ALL, CardSet, take};
use crate::games::on_the_road::rules::SEATS;
use crate::games::on_the_road::seat_event::{Place, SeatEvent};
use crate::parts::hidden_hands::{self, HiddenHands};
use rand_pcg::Pcg32;

/// Places that hold cards outside the pile: the seats, then the discards.
pub const HOLDERS: usize = SEATS + 1;

/// The position of the discards among the holders.
pub const DISCARDS: usize = Memory::DISCARDS;

/// The most that is kept of what events leave open; beyond that, the memory forgets which unseen cards are old. The
/// longest log of 6,000 matches, by chance and by plan, had 82.
const LOG_MAX: usize = 128;

/// What one seat remembers.
pub type Memory = HiddenHands<HOLDERS, LOG_MAX>;

/// What imagined hands leave for the next ones.
pub type Chain = hidden_hands::Chain<HOLDERS>;

/// Whether something can have happened after what a seat has seen, at a table of so many players.
pub fn may_happen(memory: &Memory, event: SeatEvent, players: u8) -> bool {
    let own = memory.seat();
    let plays = |seat: Seat| seat.number() <= players;
    let moves = |from: Seat, to: Place| {
        let receives = if let Place::Hand(seat) = to { plays(seat) && seat != from } else { true };
        plays(from) && receives
    };
    match event {
        SeatEvent::Drew { seat, kind } => {
            plays(seat) && kind.is_some() == (seat == own) && memory.may_draw(kind)
        }
        SeatEvent::Moved { from, to, cards } => {
            moves(from, to) && memory.may_have(from.idx(), cards)
        }
        SeatEvent::Passed { from, to } => {
            let hidden = from != own && to != Place::Hand(own);
            moves(from, to) && hidden && memory.has_cards(from.idx())
        }
        SeatEvent::Shown { seat, cards } => plays(seat) && memory.may_have(seat.idx(), cards),
    }
}

/// Where every resource card is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// Hands by seat.
    pub hands: [CardSet; SEATS],
    /// The draw pile.
    pub pile: CardSet,
    /// The discards.
    pub discards: CardSet,
}

impl Deal {
    /// Deals the unseen cards to the unseen places: sure cards where they are, the others uniformly within
    /// their pool.
    pub fn imagined(memory: &Memory, chain: &mut Chain, rng: &mut Pcg32) -> Deal {
        let known = memory.replay(chain, rng);
        let mut box_of_cards = CARDS_ALL;
        let mut places = [0; HOLDERS];
        for (at, place) in places.iter_mut().enumerate() {
            *place = allot(&mut box_of_cards, known.known(at));
        }
        let mut old = allot(&mut box_of_cards, known.old_pool());
        let mut new = box_of_cards;
        for (at, place) in places.iter_mut().enumerate() {
            let (of_old, of_new) = known.further(at);
            *place |= draw_from(&mut old, of_old, rng) | draw_from(&mut new, of_new, rng);
        }
        debug_assert_eq!(old, 0, "every old card has a place");
        let [hands @ .., discards] = places;
        Deal { hands, pile: new, discards }
    }
}

/// Takes cards of these kinds out of the box.
fn allot(box_of_cards: &mut CardSet, kinds: Resources) -> CardSet {
    let cards = take(*box_of_cards, kinds);
    *box_of_cards &= !cards;
    cards
}

/// Takes a number of random cards out of a set; all of them without a draw.
fn draw_from(set: &mut CardSet, cards: u8, rng: &mut Pcg32) -> CardSet {
    let mut drawn = 0;
    for _ in 0..cards {
        let card = if set.is_power_of_two() { first(*set) } else { pick(rng, *set) };
        drawn |= 1 << card;
        *set &= !(1 << card);
    }
    drawn
}
