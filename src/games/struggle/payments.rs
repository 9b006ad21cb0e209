//! What may be paid for a card: its price, with cards replaced by others of one kind, or saved. (SFC-41, SFC-72)

use crate::core::resources::{Kinds, Resource, Resources};
use crate::parts::bundles::Bundle;
use arrayvec::ArrayVec;

/// The most ways to pay for a card that are listed; more would take a very large hand.
pub const WAYS_MAX: usize = 40;

/// Ways to pay for a card, those that replace the fewest cards first.
pub type Ways = ArrayVec<Resources, WAYS_MAX>;

/// The most cards that a listed payment replaces or saves.
const REPLACED_MAX: u8 = 6;

/// The price of a card, with what may be left out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// All of it.
    pub full: Resources,
    /// Each part that may be replaced, the smallest first; the first is empty.
    parts: Vec<Resources>,
}

impl Price {
    /// A price.
    pub fn new(full: Resources) -> Price {
        let mut parts = vec![Resources::NONE];
        for (kind, count) in full.iter() {
            let smaller = std::mem::take(&mut parts);
            let with = |part: &Resources, more| *part + Resources::many(kind, more);
            let more =
                (0..=count).flat_map(|more| smaller.iter().map(move |part| with(part, more)));
            parts = more.filter(|part| part.total() <= REPLACED_MAX).collect();
        }
        parts.sort_by_key(|part| part.total());
        Price { full, parts }
    }

    /// Whether a hand can pay, with `rate` cards of a kind for one that is replaced, and one card less if the
    /// university saves it.
    #[inline]
    pub fn is_payable(&self, hand: Resources, rate: u8, saves: bool) -> bool {
        let missing = hand.missing(self.full);
        let lacks = missing.total().saturating_sub(saves.into());
        if lacks == 0 {
            return true;
        }
        if missing.total() > REPLACED_MAX || !Bundle::fits(hand) {
            return !self.ways(hand, rate, saves).is_empty();
        }
        // Only kinds of which the hand has more than the price can replace; none of them is missing.
        groups(self.full.missing(hand), rate).total() >= lacks
    }

    /// Every way to pay. Three cards that replace a card of their own kind are pointless, and left out.
    pub fn ways(&self, hand: Resources, rate: u8, saves: bool) -> Ways {
        let mut ways = Ways::new();
        self.list_ways(hand, rate, saves, &mut ways);
        ways
    }

    /// The same, into an empty list.
    pub fn list_ways(&self, hand: Resources, rate: u8, saves: bool, ways: &mut Ways) {
        let missing = hand.missing(self.full);
        // What replaces a card is of a kind whose own cards are all paid, so it comes from what is left of that.
        let groups = groups(self.full.missing(hand), rate);
        let most = groups.total() + u8::from(saves);
        for &left_out in &self.parts {
            let replaced = left_out.total();
            if replaced > most || ways.is_full() {
                break;
            }
            if !left_out.covers(missing) {
                continue;
            }
            let kept = self.full - left_out;
            let spare = groups.without(left_out.kinds());
            for left in replaced.saturating_sub(saves.into())..=replaced {
                add_ways(kept, spare, rate, left, ways);
            }
        }
    }

    /// Whether a payment of this price leaves one of its cards unpaid, as the university allows; nothing if it is no
    /// payment of it. Each group of `rate` cards of a kind replaces one card of any kind, its own included.
    pub fn saved(&self, pay: Resources, rate: u8) -> Option<bool> {
        let (mut unpaid, mut regrouped) = (0_i32, 0);
        for kind in Resource::ALL {
            let (full, paid, rate) =
                (i32::from(self.full.get(kind)), i32::from(pay.get(kind)), i32::from(rate));
            // The fewest cards of the kind that the rest of the payment must make up for.
            let least = (full - paid).rem_euclid(rate).max(full - paid);
            if least > full {
                return None;
            }
            unpaid += least - (paid - full + least) / rate;
            regrouped += (full - least) / rate;
        }
        // Groups that replace cards of their own kind: each leaves `rate` - 1 cards more to be made up for.
        let reaches = |due: i32| {
            let more = due - unpaid;
            more >= 0
                && more % (i32::from(rate) - 1) == 0
                && more / (i32::from(rate) - 1) <= regrouped
        };
        [0, 1].into_iter().find(|&due| reaches(due)).map(|due| due == 1)
    }
}

/// Whole groups of `rate` cards, by kind.
#[inline]
pub fn groups(cards: Resources, rate: u8) -> Resources {
    let (group, mut left, mut groups) = (Resources::each(rate), cards, Resources::NONE);
    loop {
        // Most hands have no group or one, so this is cheaper than five divisions.
        let kinds = left.at_least(group);
        if kinds.is_empty() {
            return groups;
        }
        groups = groups + kinds.one_each();
        left = group.missing(left);
    }
}

/// Adds each way to put `left` groups on top of what is kept.
#[allow(clippy::inline_always, reason = "most hands have no group or one; measured")]
#[inline(always)]
fn add_ways(kept: Resources, spare: Resources, rate: u8, left: u8, ways: &mut Ways) {
    match left {
        0 => add_way(kept, ways),
        1 => {
            for kind in spare.kinds().iter() {
                add_way(kept + Resources::many(kind, rate), ways);
            }
        }
        _ => add_mixed_ways(kept, spare, rate, left, ways),
    }
}

/// The same for several groups.
fn add_mixed_ways(kept: Resources, spare: Resources, rate: u8, left: u8, ways: &mut Ways) {
    let mut later = spare;
    for kind in spare.kinds().iter() {
        if ways.is_full() || later.total() < left {
            return;
        }
        later = later.without(Kinds::one(kind));
        for count in 1..=spare.get(kind).min(left) {
            let with = kept + Resources::many(kind, count * rate);
            add_ways(with, later, rate, left - count, ways);
        }
    }
}

#[inline]
fn add_way(pay: Resources, ways: &mut Ways) {
    if Bundle::fits(pay) && !ways.is_full() {
        ways.push(pay);
    }
}
