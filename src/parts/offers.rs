//! The offers and counters that a rule set lists.

use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::Listing;
use crate::parts::bundles::Bundle;
use crate::parts::trade::{Audience, TradeAction};

/// The offers to all and the counters that a rule set lists. They are the same in every match, so that they are
/// made once with the game: listing them is copying, and counting them looks them up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offers<A> {
    /// The most cards a side.
    most: u8,
    /// Those that give the same cards, one for each bundle that may be asked for in return.
    to_all: Vec<Vec<A>>,
    /// The same as answers.
    counters: Vec<Vec<A>>,
    /// What a hand can give, by [`hand_key`].
    by_hand: Vec<Given>,
}

/// What a hand can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Given {
    /// The bundles, one bit for each.
    bundles: u64,
    /// Offers of them all.
    offers: u16,
}

/// The most cards a side that offers can be listed for: their bundles are 55, which fit the bits of a word.
const MOST_MAX: u8 = 3;

/// A number for a hand of up to [`MOST_MAX`] cards of each kind: two bits for each kind.
#[inline]
const fn hand_key(hand: Resources) -> usize {
    // Lane i, 8 i bits up, times bit 62 - 10 i, comes to the top ten bits; other products fall off or below.
    let factor = 1 << 62 | 1 << 52 | 1 << 42 | 1 << 32 | 1 << 22;
    (hand.word().wrapping_mul(factor) >> 54) as usize
}

impl<A: TradeAction> Offers<A> {
    /// All with up to `most` cards a side, by what is given, smaller bundles first.
    ///
    /// # Panics
    /// If `most` is above 3.
    pub fn new(most: u8) -> Offers<A> {
        assert!(most <= MOST_MAX, "offers of {most} cards a side");
        let bundles = bundles(most);
        let wants = |&give: &Resources| -> Vec<Bundle> {
            let want = bundles.iter().filter(|want| want.is_disjoint(give));
            want.map(|&want| Bundle::new(want)).collect()
        };
        let pairs = |make: fn(Bundle, Bundle) -> A| -> Vec<Vec<A>> {
            let of = |give| wants(give).into_iter().map(|want| make(Bundle::new(*give), want));
            bundles.iter().map(|give| of(give).collect()).collect()
        };
        let to_all = pairs(|give, want| A::offer(Audience::All, give, want));
        let by_hand = hands().map(|hand| Given::of(hand, &bundles, &to_all)).collect();
        Offers { most, counters: pairs(A::counter), to_all, by_hand }
    }

    /// Lists the offers of a hand; all offers of a proposer who may bluff and shows no hand.
    #[inline]
    pub fn list(&self, hand: Option<Resources>, out: &mut impl Listing<A>) {
        let given = self.given(hand.unwrap_or(Resources::each(MOST_MAX)));
        out.all(given.offers.into(), given.lists(&self.to_all));
    }

    /// Lists the counters of a hand.
    #[inline]
    pub fn list_counters(&self, hand: Resources, out: &mut impl Listing<A>) {
        let given = self.given(hand);
        out.all(given.offers.into(), given.lists(&self.counters));
    }

    #[inline]
    fn given(&self, hand: Resources) -> Given {
        self.by_hand[hand_key(hand.min(Resources::each(self.most)))]
    }
}

/// Hands of up to [`MOST_MAX`] cards of each kind, in the order of their keys.
fn hands() -> impl Iterator<Item = Resources> {
    let kinds = Resource::COUNT;
    // The first kind has the highest bits.
    let count = move |key: u16, kind: usize| (key >> (2 * (kinds - 1 - kind)) & 3) as u8;
    (0..1 << (2 * kinds))
        .map(move |key| Resources::new(std::array::from_fn(|kind| count(key, kind))))
}

impl Given {
    fn of<A>(hand: Resources, bundles: &[Resources], offers: &[Vec<A>]) -> Given {
        let mut given = Given { bundles: 0, offers: 0 };
        for (place, (give, offers)) in bundles.iter().zip(offers).enumerate() {
            if hand.covers(*give) {
                given.bundles |= 1 << place;
                given.offers += u16::try_from(offers.len()).expect("few offers");
            }
        }
        given
    }

    /// Those of the lists whose bundle can be given.
    #[inline]
    fn lists<A>(self, lists: &[Vec<A>]) -> impl Iterator<Item = &[A]> {
        let mut left = self.bundles;
        std::iter::from_fn(move || {
            let list = lists.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(list.as_slice())
        })
    }
}

/// All sets of 1 to `most` cards, by size, then by kinds.
fn bundles(most: u8) -> Vec<Resources> {
    let mut all = Vec::new();
    let mut layer = vec![(Resources::NONE, 0)];
    for _ in 0..most {
        layer = layer
            .iter()
            .flat_map(|&(cards, from)| {
                (from..Resource::COUNT).map(move |k| (cards + Resources::one(Resource::ALL[k]), k))
            })
            .collect();
        all.extend(layer.iter().map(|&(cards, _)| cards));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::types::actions::{Actions, Count};
    use crate::core::types::seat::Seat;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Said {
        Other,
        Offer(Audience, Bundle, Bundle),
        Counter(Bundle, Bundle),
    }

    impl TradeAction for Said {
        const REFUSE: Said = Said::Other;
        const ACCEPT: Said = Said::Other;
        const DECLINE: Said = Said::Other;

        fn offer(to: Audience, give: Bundle, want: Bundle) -> Said {
            Said::Offer(to, give, want)
        }

        fn counter(give: Bundle, want: Bundle) -> Said {
            Said::Counter(give, want)
        }

        fn settle(_with: Seat) -> Said {
            Said::Other
        }
    }

    #[test]
    fn offers_are_all_pairs_of_bundles_without_a_common_kind() {
        for (most, pairs) in [(0, 0), (1, 5 * 4), (3, 1170)] {
            let (mut offers, mut counters) = (Actions::<Said>::new(), Actions::new());
            let all = Offers::new(most);
            all.list(None, &mut offers);
            all.list_counters(Resources::new([3; 5]), &mut counters);
            assert_eq!((offers.len(), counters.len()), (pairs, pairs), "up to {most} cards");
            for (at, (offer, counter)) in offers.iter().zip(&counters).enumerate() {
                let Said::Offer(Audience::All, give, want) = *offer else { panic!("{offer:?}") };
                assert_eq!(*counter, Said::Counter(give, want));
                assert!(give.cards().is_disjoint(want.cards()) && give != Bundle::NONE);
                assert!(!offers[..at].contains(offer), "{offer:?} is listed twice");
            }
        }
    }

    #[test]
    fn hands_offer_every_bundle_that_they_cover() {
        for (key, hand) in hands().enumerate() {
            assert_eq!(hand_key(hand), key);
        }
        let all = bundles(2);
        let offers = Offers::<Said>::new(2);
        for counts in [[0, 1, 2, 3, 9], [1, 0, 0, 0, 0], [12, 0, 1, 0, 2], [0; 5]] {
            let hand = Resources::new(counts);
            let covered = all.iter().filter(|&&give| hand.covers(give));
            let pairs = covered.flat_map(|&give| {
                let wants = all.iter().filter(move |want| want.is_disjoint(give));
                wants.map(move |&want| (Bundle::new(give), Bundle::new(want)))
            });
            let (mut listed, mut countered, mut count) =
                (Actions::<Said>::new(), Actions::<Said>::new(), Count::default());
            offers.list(Some(hand), &mut listed);
            offers.list_counters(hand, &mut countered);
            offers.list(Some(hand), &mut count);
            let due: Vec<(Bundle, Bundle)> = pairs.collect();
            let said = |make: fn(Bundle, Bundle) -> Said| -> Vec<Said> {
                due.iter().map(|&(give, want)| make(give, want)).collect()
            };
            assert_eq!(listed.to_vec(), said(|give, want| Said::Offer(Audience::All, give, want)));
            assert_eq!(countered.to_vec(), said(Said::Counter));
            assert_eq!(count.0, due.len());
        }
    }
}
