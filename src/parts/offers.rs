//! The offers and counters that a rule set lists.

use crate::core::game::ActionFilter;
use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::{Choices, Listing};
use crate::parts::bundle_sets::{BUNDLES_MAX, BundleSet, MOST_MAX, hand_key};
use crate::parts::bundles::Bundle;
use crate::parts::trade::{Audience, Proposal, TradeAction};

/// The offers to all and the counters that a rule set lists. They are the same in every match, so that they are
/// made once with the game: listing them is copying, and counting them looks them up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offers<A> {
    /// The most cards a side.
    most: u8,
    /// By what they give, then by what they ask for in return.
    to_all: Vec<A>,
    /// The same as answers.
    counters: Vec<A>,
    /// Where in these lists those begin that give each bundle, and where the last end.
    starts: Vec<u16>,
    /// The bundles, smaller ones first.
    bundles: Vec<Resources>,
    /// The same by number, any number of [`NUMBERS`].
    cards: [Resources; NUMBERS],
    /// What may be asked for in return for each.
    wants: Vec<BundleSet>,
    /// Those that have a kind.
    with_kind: [BundleSet; Resource::COUNT],
    /// What a hand can give, by [`hand_key`].
    by_hand: Vec<Given>,
}

/// Numbers that are looked up, a power of two so that any number finds one.
const NUMBERS: usize = BUNDLES_MAX.next_power_of_two();

/// What a hand can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Given {
    /// The bundles.
    bundles: BundleSet,
    /// How many offers there are of the first 0, 8, 16 … bundles, at last of all.
    offers: [u16; 1 + GROUPS],
}

/// Bundles are counted in groups of 8.
const GROUPS: usize = 7;

impl<A: TradeAction> Offers<A> {
    /// All with up to `most` cards a side, by what is given, smaller bundles first.
    ///
    /// # Panics
    /// If `most` is above 3.
    pub fn new(most: u8) -> Offers<A> {
        assert!(most <= MOST_MAX, "offers of {most} cards a side");
        let bundles = bundles(most);
        let wants = bundles.iter().map(|give| those(&bundles, |want| want.is_disjoint(*give)));
        let wants: Vec<BundleSet> = wants.collect();
        let pairs = |make: fn(Bundle, Bundle) -> A| -> Vec<A> {
            let of = |(give, wants): (&Resources, &BundleSet)| {
                let (give, bundles) = (Bundle::new(*give), &bundles);
                wants.iter().map(move |want| make(give, Bundle::new(bundles[usize::from(want)])))
            };
            bundles.iter().zip(&wants).flat_map(of).collect()
        };
        let to_all = pairs(|give, want| A::offer(Audience::All, give, want));
        let counts = wants.iter().map(|wants| u16::try_from(wants.len()).expect("few offers"));
        let mut starts = vec![0];
        starts.extend(counts.scan(0, |end, count| {
            *end += count;
            Some(*end)
        }));
        let by_hand = hands().map(|hand| Given::of(hand, &bundles, &wants)).collect();
        let with_kind = Resource::ALL.map(|kind| those(&bundles, |bundle| bundle.get(kind) > 0));
        let counters = pairs(A::counter);
        let mut cards = [Resources::NONE; NUMBERS];
        cards[..bundles.len()].copy_from_slice(&bundles);
        Offers { most, to_all, counters, starts, bundles, cards, wants, with_kind, by_hand }
    }

    /// The bundles that some cards cover.
    #[inline]
    pub fn covered_by(&self, cards: Resources) -> BundleSet {
        self.given(cards).bundles
    }

    /// The cards of a bundle, by its number.
    #[inline]
    pub fn cards(&self, number: u8) -> Resources {
        self.cards[usize::from(number) % NUMBERS]
    }

    /// The bundles that have a kind in common with some cards.
    #[inline]
    pub fn sharing(&self, cards: Resources) -> BundleSet {
        let kinds = cards.kinds().iter();
        kinds.fold(BundleSet::default(), |all, kind| all.or(self.with_kind[kind.idx()]))
    }

    /// The offers of a hand; all offers of a proposer who may bluff and shows no hand.
    #[inline]
    pub fn of(&self, hand: Option<Resources>) -> Listed<'_, A> {
        self.listed(&self.to_all, hand.unwrap_or(Resources::each(MOST_MAX)))
    }

    /// The counters of a hand.
    #[inline]
    pub fn counters_of(&self, hand: Resources) -> Listed<'_, A> {
        self.listed(&self.counters, hand)
    }

    /// Lists the offers of a hand; all offers of a proposer who may bluff and shows no hand.
    #[inline]
    pub fn list(&self, hand: Option<Resources>, out: &mut impl Listing<A>) {
        self.of(hand).list(out);
    }

    /// Lists the counters of a hand.
    #[inline]
    pub fn list_counters(&self, hand: Resources, out: &mut impl Listing<A>) {
        self.counters_of(hand).list(out);
    }

    /// What a seat with this hand may answer to a proposal; with counters if all is listed.
    #[inline]
    pub fn answers<const SEATS: usize>(
        &self,
        proposal: &Proposal<SEATS>,
        hand: Resources,
        filter: ActionFilter,
    ) -> Answers<'_, A> {
        let counters = (filter == ActionFilter::Full).then(|| self.counters_of(hand));
        Answers { accepts: hand.covers(proposal.want.cards()), counters }
    }

    #[inline]
    fn listed<'a>(&'a self, all: &'a [A], hand: Resources) -> Listed<'a, A> {
        Listed { given: self.given(hand), all, offers: self }
    }

    #[inline]
    fn given(&self, hand: Resources) -> &Given {
        &self.by_hand[hand_key(hand.min(Resources::each(self.most)))]
    }
}

/// The offers or counters of one hand.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'a, A> {
    given: &'a Given,
    all: &'a [A],
    offers: &'a Offers<A>,
}

impl<A: Copy> Listed<'_, A> {
    /// How many they are.
    #[inline]
    pub fn count(&self) -> usize {
        self.given.count()
    }

    /// Those that ask for a bundle of some set, which is a function of what they give, in the order of the list: each
    /// bundle that they give, by its number, with what they ask for.
    #[inline]
    pub fn asking(
        &self,
        set: impl Fn(Resources) -> BundleSet,
    ) -> impl Iterator<Item = (u8, BundleSet)> {
        let Offers { bundles, wants, .. } = self.offers;
        self.given.bundles.iter().map(move |give| {
            let of = usize::from(give);
            (give, set(bundles[of]).and(wants[of]))
        })
    }

    /// Those that give bundles which follow each other, together, since what is copied is long then.
    #[inline]
    fn runs(&self) -> impl Iterator<Item = &[A]> {
        let mut left = self.given.bundles.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let first = left.trailing_zeros();
            let end = first + (left >> first).trailing_ones();
            // A carry runs through the lowest run.
            left &= left.wrapping_add(left & left.wrapping_neg());
            let [from, to] = [first, end].map(|at| usize::from(self.offers.starts[at as usize]));
            Some(&self.all[from..to])
        })
    }

    /// The one at a place in the list.
    #[inline]
    fn at(&self, place: usize) -> A {
        let Given { bundles, ref offers } = *self.given;
        let passed = |sum: &&u16| usize::from(**sum) <= place;
        let groups = offers[1..].iter().filter(passed).count();
        let mut place = place - usize::from(offers[groups]);
        let mut left = bundles.0 >> (8 * groups) << (8 * groups);
        loop {
            let give = left.trailing_zeros() as usize;
            let [from, to] = [give, give + 1].map(|at| usize::from(self.offers.starts[at]));
            if place < to - from {
                return self.all[from + place];
            }
            place -= to - from;
            left &= left - 1;
        }
    }

    /// The place in the list of one of them.
    pub fn place(&self, [give, want]: [u8; 2]) -> usize {
        let wants = &self.offers.wants;
        let before = |number: u8| BundleSet((1 << number) - 1);
        let lists = self.given.bundles.and(before(give)).iter();
        let start: usize = lists.map(|of| wants[usize::from(of)].len()).sum();
        start + wants[usize::from(give)].and(before(want)).len()
    }

    /// Lists them.
    #[inline]
    pub fn list(&self, out: &mut impl Listing<A>) {
        out.all(self.count(), self.runs(), |place| self.at(place));
    }
}

/// What a seat may answer to a proposal: to refuse, to accept if it holds what is asked for, and its counters, if
/// they are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Answers<'a, A> {
    /// Whether it may accept.
    accepts: bool,
    /// What it may say instead.
    counters: Option<Listed<'a, A>>,
}

impl<A: TradeAction> Choices<A> for Answers<'_, A> {
    #[inline]
    fn list(&self, out: &mut impl Listing<A>) {
        out.one(A::REFUSE);
        if self.accepts {
            out.one(A::ACCEPT);
        }
        if let Some(counters) = &self.counters {
            counters.list(out);
        }
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
    fn of(hand: Resources, bundles: &[Resources], wants: &[BundleSet]) -> Given {
        let bundles_given = those(bundles, |give| hand.covers(give));
        let mut given = Given { bundles: bundles_given, offers: [0; 1 + GROUPS] };
        for (place, (give, wants)) in bundles.iter().zip(wants).enumerate() {
            if hand.covers(*give) {
                let offers = u16::try_from(wants.len()).expect("few offers");
                given.offers[1 + place / 8..].iter_mut().for_each(|sum| *sum += offers);
            }
        }
        given
    }

    /// How many offers it has.
    #[inline]
    fn count(&self) -> usize {
        self.offers[GROUPS].into()
    }
}

/// The bundles of which something holds.
fn those(bundles: &[Resources], holds: impl Fn(Resources) -> bool) -> BundleSet {
    let bits = (0..).zip(bundles).map(|(place, &bundle)| u64::from(holds(bundle)) << place);
    BundleSet(bits.fold(0, |all, bit: u64| all | bit))
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
    use crate::parts::bundle_sets::bundle_number;

    #[test]
    fn bundles_have_their_places_for_numbers() {
        let all = bundles(MOST_MAX);
        assert_eq!(all.len(), BUNDLES_MAX);
        let numbers: Vec<usize> = all.iter().map(|&cards| bundle_number(cards)).collect();
        assert_eq!(numbers, (0..BUNDLES_MAX).collect::<Vec<_>>());
        for size in 0..=MOST_MAX {
            let smaller = all.iter().take_while(|cards| cards.total() <= size).count();
            assert_eq!(BundleSet::up_to(size).len(), smaller);
        }
        for other in [Resources::NONE, Resources::many(Resource::Ore, 4)] {
            assert_eq!(bundle_number(other), BUNDLES_MAX);
        }
    }

    use super::*;
    use crate::core::types::actions::{Actions, Count, Entry};
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
            for (place, &offer) in listed.iter().enumerate() {
                let mut entry = Entry::at(place);
                offers.list(Some(hand), &mut entry);
                assert_eq!(entry.found(), Some(offer));
            }
        }
    }

    #[test]
    fn a_hand_accepts_what_it_holds() {
        let [brick, ore] =
            [Resource::Brick, Resource::Ore].map(|kind| Bundle::new(Resources::one(kind)));
        let proposal = Proposal::<4>::new(Audience::All, brick, ore);
        let offers = Offers::<Said>::new(1);
        for (hand, accepts) in [(brick, false), (ore, true)] {
            let hand = hand.cards();
            let plain = offers.answers(&proposal, hand, ActionFilter::Plain);
            assert_eq!((plain.accepts, plain.counters.is_some()), (accepts, false));
            let full = offers.answers(&proposal, hand, ActionFilter::Full);
            assert_eq!((full.accepts, full.counters.is_some()), (accepts, true));
        }
    }

    #[test]
    fn those_that_ask_for_some_bundles_are_found_where_they_are_listed() {
        for most in 0..=3 {
            let offers = Offers::<Said>::new(most);
            for (counts, wanted, up_to) in [
                ([2, 0, 1, 0, 0], [0, 1, 0, 2, 1], 3),
                ([3, 4, 0, 1, 9], [1, 0, 2, 0, 0], 2),
                ([0; 5], [3; 5], 1),
            ] {
                let (hand, wanted) = (Resources::new(counts), Resources::new(wanted));
                let mut all = Actions::<Said>::new();
                offers.list(Some(hand), &mut all);
                let listed = offers.of(Some(hand));
                assert_eq!(listed.count(), all.len());
                let due = all.iter().enumerate().filter_map(|(place, said)| {
                    let Said::Offer(Audience::All, give, want) = *said else { panic!("{said:?}") };
                    let (give, want) = (give.cards(), want.cards());
                    let most = up_to.min(give.total());
                    (wanted.covers(want) && want.total() <= most).then_some((place, give, want))
                });
                let due: Vec<_> = due.collect();
                let mut found = Vec::new();
                let set = |give: Resources| {
                    offers.covered_by(wanted).and(BundleSet::up_to(up_to.min(give.total())))
                };
                for (give, wants) in listed.asking(set) {
                    for want in wants.iter() {
                        let [one, other] = [give, want].map(|number| offers.cards(number));
                        found.push((listed.place([give, want]), one, other));
                    }
                }
                assert_eq!(found, due, "{counts:?}, up to {most} cards");
            }
        }
    }
}
