//! Bundles of a few cards by number, and sets of them in one machine word.

use crate::core::resources::{Resource, Resources};

/// Some of the bundles that a rule set lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BundleSet(pub(super) u64);

/// How many bundles of five kinds have at most 0, 1, 2 and 3 cards.
const COUNTS: [u8; MOST_MAX as usize + 1] = [0, 5, 20, 55];

impl BundleSet {
    /// The bundles of at most this number of cards, which come first.
    #[inline]
    pub fn up_to(cards: u8) -> BundleSet {
        BundleSet((1 << COUNTS[usize::from(cards.min(MOST_MAX))]) - 1)
    }

    /// Those of one set and those of another.
    #[inline]
    #[must_use]
    pub const fn or(self, other: BundleSet) -> BundleSet {
        BundleSet(self.0 | other.0)
    }

    /// Those of both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: BundleSet) -> BundleSet {
        BundleSet(self.0 & other.0)
    }

    /// Whether the bundle of a number is one of them.
    #[inline]
    #[must_use]
    pub const fn has(self, number: u8) -> bool {
        self.0 >> number & 1 == 1
    }

    /// How many they are.
    #[must_use]
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Their numbers, in ascending order.
    #[allow(clippy::cast_possible_truncation, reason = "a bit's place is below 64")]
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let number = left.trailing_zeros() as u8;
            left &= left - 1;
            Some(number)
        })
    }
}

/// The most cards a side that offers can be listed for: their bundles are 55, which fit the bits of a word.
pub const MOST_MAX: u8 = 3;

/// How many bundles of up to [`MOST_MAX`] cards there are.
pub const BUNDLES_MAX: usize = 55;

/// The place of a bundle among all of up to [`MOST_MAX`] cards, smaller ones first: those of a rule set that lists fewer
/// cards have the same places. [`BUNDLES_MAX`] if it has more cards.
#[inline]
pub fn bundle_number(cards: Resources) -> usize {
    static NUMBERS: [u8; 1 << 10] = bundle_numbers();
    let small = cards.total() <= MOST_MAX && !cards.is_empty();
    if small { NUMBERS[hand_key(cards)].into() } else { BUNDLES_MAX }
}

/// The number of each bundle, by [`hand_key`].
const fn bundle_numbers() -> [u8; 1 << 10] {
    let mut numbers = [0; 1 << 10];
    let (mut size, mut next) = (1, 0);
    while size <= MOST_MAX as u32 {
        // Cards in ascending order of their kinds.
        let mut cards = 0;
        while cards < 5 * 5 * 5 {
            let [one, two, three] = [cards / 25, cards / 5 % 5, cards % 5];
            let is_bundle = match size {
                1 => two == 0 && three == 0,
                2 => one <= two && three == 0,
                _ => one <= two && two <= three,
            };
            if is_bundle {
                let mut all = Resources::one(Resource::ALL[one]);
                if size > 1 {
                    all =
                        Resources::of_word(all.word() + Resources::one(Resource::ALL[two]).word());
                }
                if size > 2 {
                    all = Resources::of_word(
                        all.word() + Resources::one(Resource::ALL[three]).word(),
                    );
                }
                numbers[hand_key(all)] = next;
                next += 1;
            }
            cards += 1;
        }
        size += 1;
    }
    numbers
}

/// A number for a hand of up to [`MOST_MAX`] cards of each kind: two bits for each kind.
#[inline]
pub const fn hand_key(hand: Resources) -> usize {
    // Lane i, 8 i bits up, times bit 62 - 10 i, comes to the top ten bits; other products fall off or below.
    let factor = 1 << 62 | 1 << 52 | 1 << 42 | 1 << 32 | 1 << 22;
    (hand.word().wrapping_mul(factor) >> 54) as usize
}
