//! Cards as files write them and actions carry them: prices of any size, and bundles of a few cards.

use crate::core::resources::{Resource, Resources};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number for each kind as it is written in files: a kind that is left out counts 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ByKind<N: Default> {
    /// Brick.
    pub brick: N,
    /// Lumber.
    #[serde(alias = "wood")]
    pub lumber: N,
    /// Wool.
    pub wool: N,
    /// Grain.
    #[serde(alias = "wheat")]
    pub grain: N,
    /// Ore.
    pub ore: N,
}

/// What something costs.
pub type Price = ByKind<u8>;

/// What is added to a price, or taken from it.
pub type Surcharge = ByKind<i8>;

impl Surcharge {
    /// A price with it; nothing if it takes more than the price has, or the sum is too large.
    pub fn on(self, price: Price) -> Option<Price> {
        Some(ByKind {
            brick: price.brick.checked_add_signed(self.brick)?,
            lumber: price.lumber.checked_add_signed(self.lumber)?,
            wool: price.wool.checked_add_signed(self.wool)?,
            grain: price.grain.checked_add_signed(self.grain)?,
            ore: price.ore.checked_add_signed(self.ore)?,
        })
    }
}

impl<N: Copy + Default> ByKind<N> {
    /// Numbers by kind, in the order of [`Resource::ALL`].
    pub const fn new(counts: [N; Resource::COUNT]) -> ByKind<N> {
        let [brick, lumber, wool, grain, ore] = counts;
        ByKind { brick, lumber, wool, grain, ore }
    }
}

impl Price {
    /// The same as counts.
    pub const fn resources(self) -> Resources {
        Resources::new([self.brick, self.lumber, self.wool, self.grain, self.ore])
    }
}

/// A few cards in three bytes, 0..=15 of a kind: what an action can carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bundle([u8; 3]);

impl Bundle {
    /// The most cards of one kind that fit.
    pub const KIND_MAX: u8 = 15;

    /// No cards.
    pub const NONE: Bundle = Bundle([0; 3]);

    /// The same cards, packed.
    ///
    /// # Panics
    /// If they don't [fit](Bundle::fits).
    #[inline]
    pub fn new(cards: Resources) -> Bundle {
        assert!(Bundle::fits(cards), "too many cards: {cards}");
        let word = cards.word();
        let [ab, _, cd, _, e, ..] = (word | word >> 4).to_le_bytes();
        Bundle([ab, cd, e])
    }

    /// Whether no kind has more than [`Bundle::KIND_MAX`] cards.
    #[inline]
    pub const fn fits(cards: Resources) -> bool {
        cards.at_least(Resources::each(Bundle::KIND_MAX + 1)).is_empty()
    }

    /// The same cards, unpacked.
    #[inline]
    pub const fn cards(self) -> Resources {
        let [ab, cd, e] = self.0;
        let pairs = ab as u64 | (cd as u64) << 16;
        Resources::of_word(pairs & 0x000f_000f | (pairs & 0x00f0_00f0) << 4 | (e as u64) << 32)
    }
}

impl fmt::Display for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cards().fmt(f)
    }
}

impl Serialize for Bundle {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.cards().iter())
    }
}

impl<'de> Deserialize<'de> for Bundle {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Bundle, D::Error> {
        let price = Price::deserialize(deserializer)?;
        let cards = [price.brick, price.lumber, price.wool, price.grain, price.ore];
        if cards.iter().any(|&count| count > Bundle::KIND_MAX) {
            return Err(serde::de::Error::custom("more than 15 cards of one kind"));
        }
        Ok(Bundle::new(price.resources()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_surcharge_adds_and_takes_but_never_below_nothing() {
        let price = Price::new([0, 0, 3, 0, 1]);
        let on = |counts| Surcharge::new(counts).on(price);
        assert_eq!(on([1, 0, -3, 0, -1]), Some(Price::new([1, 0, 0, 0, 0])));
        assert_eq!([on([0, 0, -4, 0, 0]), on([-1, 0, 0, 0, 0])], [None, None]);
    }

    proptest! {
        #[test]
        fn bundles_round_trip(a in prop::array::uniform5(0_u8..16)) {
            let bundle = Bundle::new(Resources::new(a));
            prop_assert_eq!(bundle.cards().counts(), a);
            let text = serde_json::to_string(&bundle).unwrap();
            prop_assert_eq!(serde_json::from_str::<Bundle>(&text).unwrap(), bundle);
        }
    }

    #[test]
    fn wood_and_wheat_are_understood() {
        let price: Price = toml::from_str("wood = 1\nwheat = 2").unwrap();
        assert_eq!(price, Price::new([0, 1, 0, 2, 0]));
    }
}
