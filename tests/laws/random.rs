//! Small random values that the laws of all games are tested with.

use fairhaven::core::resources::{Resource, Resources};
use fairhaven::core::types::seat::{SEATS_MAX, Seat};
use fairhaven::parts::bundles::Bundle;
use fairhaven::parts::trade::Audience;
use rand_core::Rng;
use rand_pcg::Pcg32;

/// A random number below `bound`.
pub fn below(rng: &mut Pcg32, bound: usize) -> usize {
    let bound = u32::try_from(bound).expect("a small bound");
    usize::try_from(rng.next_u32() % bound).expect("a small number")
}

pub fn one_in(rng: &mut Pcg32, n: u32) -> bool {
    rng.next_u32().is_multiple_of(n)
}

pub fn small(rng: &mut Pcg32, bound: u8) -> u8 {
    u8::try_from(below(rng, usize::from(bound))).expect("a small number")
}

pub fn any_kind(rng: &mut Pcg32) -> Resource {
    Resource::ALL[below(rng, Resource::COUNT)]
}

pub fn any_seat(rng: &mut Pcg32) -> Seat {
    Seat::new(small(rng, u8::try_from(SEATS_MAX).expect("few seats")))
}

/// All, or any one.
pub fn any_audience(rng: &mut Pcg32) -> Audience {
    if one_in(rng, 2) { Audience::All } else { Audience::One(any_seat(rng)) }
}

/// A few cards, up to as many of a kind as an action can carry.
pub fn any_bundle(rng: &mut Pcg32) -> Bundle {
    let most = [2, 2, 3, 5, 16][below(rng, 5)];
    let counts = std::array::from_fn(|_| if one_in(rng, 2) { 0 } else { small(rng, most) });
    Bundle::new(Resources::new(counts))
}

/// Some of the cards in a hand, and some of the kinds that are not among them.
pub fn bundles_from(hand: Resources, rng: &mut Pcg32) -> (Bundle, Bundle) {
    let give = hand.counts().map(|held| small(rng, held.min(Bundle::KIND_MAX) + 1));
    let any = any_bundle(rng).cards().counts();
    let want = std::array::from_fn(|kind| if give[kind] == 0 { any[kind] } else { 0 });
    (Bundle::new(Resources::new(give)), Bundle::new(Resources::new(want)))
}
