//! The five resources and counts of them. Which cards a game has is not known here.

use crate::core::chance::{at_rank, below};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};

/// A kind of resource card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Resource {
    /// Brick.
    Brick,
    /// Lumber; `wood` is understood as input.
    #[serde(alias = "wood")]
    Lumber,
    /// Wool.
    Wool,
    /// Grain; `wheat` is understood as input.
    #[serde(alias = "wheat")]
    Grain,
    /// Ore.
    Ore,
}

impl Resource {
    /// Number of kinds.
    pub const COUNT: usize = 5;
    /// All kinds in the order of every table.
    pub const ALL: [Resource; Resource::COUNT] =
        [Resource::Brick, Resource::Lumber, Resource::Wool, Resource::Grain, Resource::Ore];

    /// Position in an array by kind.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The word in files and on the terminal.
    pub const fn name(self) -> &'static str {
        match self {
            Resource::Brick => "brick",
            Resource::Lumber => "lumber",
            Resource::Wool => "wool",
            Resource::Grain => "grain",
            Resource::Ore => "ore",
        }
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many cards of each kind, 0..=127 each: five lanes of eight bits, so that sums, differences and
/// "is it enough" take one instruction or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Resources(u64);

/// The top bit of each lane.
const GUARDS: u64 = 0x80_8080_8080;

impl Resources {
    /// No cards.
    pub const NONE: Resources = Resources(0);

    /// Counts by kind, in the order of [`Resource::ALL`].
    #[inline]
    pub const fn new(counts: [u8; Resource::COUNT]) -> Resources {
        let mut lanes = 0;
        let mut idx = 0;
        while idx < Resource::COUNT {
            lanes |= (counts[idx] as u64) << (8 * idx);
            idx += 1;
        }
        Resources(lanes)
    }

    /// The counts in one word, eight bits each, the first kind lowest.
    #[inline]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// The inverse of [`Resources::word`].
    #[inline]
    pub const fn of_word(word: u64) -> Resources {
        Resources(word)
    }

    /// One card.
    #[inline]
    pub const fn one(kind: Resource) -> Resources {
        Resources(1 << (8 * kind as u32))
    }

    /// `count` cards of one kind.
    #[inline]
    pub const fn many(kind: Resource, count: u8) -> Resources {
        Resources((count as u64) << (8 * kind as u32))
    }

    /// `count` cards of each kind.
    #[inline]
    pub const fn each(count: u8) -> Resources {
        Resources(0x01_0101_0101 * count as u64)
    }

    /// How many of a kind.
    #[inline]
    pub const fn get(self, kind: Resource) -> u8 {
        self.at(kind.idx())
    }

    /// How many of the kind at a position.
    #[allow(clippy::cast_possible_truncation, reason = "one lane is meant")]
    #[inline]
    pub const fn at(self, idx: usize) -> u8 {
        (self.0 >> (8 * idx)) as u8
    }

    /// Counts by kind.
    #[inline]
    pub fn counts(self) -> [u8; Resource::COUNT] {
        std::array::from_fn(|idx| self.at(idx))
    }

    /// Counts by kind, and nothing in the lanes behind them.
    #[inline]
    pub const fn lanes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// Number of cards; below 256.
    #[allow(clippy::cast_possible_truncation, reason = "the top lane of the product is the sum")]
    #[inline]
    pub const fn total(self) -> u8 {
        (self.0.wrapping_mul(0x01_0101_0101) >> 32) as u8
    }

    /// Whether it is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether it holds at least `other` of every kind.
    #[inline]
    pub const fn covers(self, other: Resources) -> bool {
        ((self.0 | GUARDS) - other.0) & GUARDS == GUARDS
    }

    /// Whether no kind is in both.
    #[inline]
    pub fn is_disjoint(self, other: Resources) -> bool {
        Resource::ALL.iter().all(|&kind| self.get(kind) == 0 || other.get(kind) == 0)
    }

    /// How much more `other` has than this, by kind.
    #[inline]
    pub const fn missing(self, other: Resources) -> Resources {
        // A guard bit stays where a kind's difference is not negative; other lanes are masked away.
        let difference = (other.0 | GUARDS) - self.0;
        let kept = difference & GUARDS;
        Resources(difference & (kept - (kept >> 7)))
    }

    /// The kinds of which there are at least as many as in `other`.
    #[inline]
    pub const fn at_least(self, other: Resources) -> Kinds {
        Kinds(((self.0 | GUARDS) - other.0) & GUARDS)
    }

    /// The kinds that are present.
    #[inline]
    pub const fn kinds(self) -> Kinds {
        Kinds((self.0 + (GUARDS - (GUARDS >> 7))) & GUARDS)
    }

    /// The most cards of one kind.
    #[inline]
    pub fn most(self) -> u8 {
        let [brick, lumber, wool, grain, ore] = self.counts();
        brick.max(lumber).max(wool.max(grain)).max(ore)
    }

    /// The same without the cards of some kinds.
    #[inline]
    pub const fn without(self, kinds: Kinds) -> Resources {
        // The guard bits and the seven below each.
        Resources(self.0 & !(kinds.0 | (kinds.0 - (kinds.0 >> 7))))
    }

    /// What both have, by kind.
    #[inline]
    pub const fn min(self, other: Resources) -> Resources {
        let enough = self.at_least(other).0;
        // The guard bits and the seven below each.
        let of_other = enough | (enough - (enough >> 7));
        Resources(self.0 & !of_other | other.0 & of_other)
    }

    /// `count` times as many of every kind; no kind may pass 127.
    #[inline]
    pub const fn times(self, count: u8) -> Resources {
        Resources(self.0 * count as u64)
    }

    /// The sum; `None` if a kind passes 127 or all together pass 255, which this type can't hold.
    #[inline]
    pub fn checked_add(self, other: Resources) -> Option<Resources> {
        let sum = self.0 + other.0;
        let total = u16::from(self.total()) + u16::from(other.total());
        (sum & GUARDS == 0 && total <= 255).then_some(Resources(sum))
    }

    /// `count` times as many of every kind; `None` as for [`Resources::checked_add`].
    #[inline]
    pub fn checked_times(self, count: u8) -> Option<Resources> {
        if u16::from(self.total()) * u16::from(count) <= 127 {
            return Some(self.times(count));
        }
        (0..count).try_fold(Resources::NONE, |sum, _| sum.checked_add(self))
    }

    /// The kind of the card at a rank from 0, with the cards in the order of [`Resource::ALL`].
    ///
    /// # Panics
    /// If there are no more cards than that.
    #[inline]
    pub fn at_rank(self, rank: u32) -> Resource {
        Resource::ALL[usize::from(at_rank(&self.counts(), rank))]
    }

    /// The kind of a random card, each card equally likely.
    ///
    /// # Panics
    /// If there are no cards.
    #[inline]
    pub fn random(self, rng: &mut Pcg32) -> Resource {
        self.at_rank(below(rng, self.total().into()))
    }

    /// The kinds that are present, each with its count.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = (Resource, u8)> {
        Resource::ALL
            .into_iter()
            .map(move |kind| (kind, self.get(kind)))
            .filter(|&(_, count)| count > 0)
    }
}

impl Serialize for Resources {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.counts().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Resources {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Resources, D::Error> {
        let counts = <[u8; Resource::COUNT]>::deserialize(deserializer)?;
        let total: u16 = counts.iter().map(|&count| u16::from(count)).sum();
        if total > 255 || counts.iter().any(|&count| count > 127) {
            return Err(serde::de::Error::custom("at most 127 cards of a kind, and 255 in all"));
        }
        Ok(Resources::new(counts))
    }
}

/// A set of kinds, in the order of [`Resource::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kinds(u64);

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);

    /// Whether it is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of kinds.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// A set of one.
    #[inline]
    pub const fn one(kind: Resource) -> Kinds {
        Kinds(0x80 << (8 * kind as u32))
    }

    /// The kinds of this set that come after one.
    #[inline]
    pub const fn after(self, kind: Resource) -> Kinds {
        Kinds(self.0 & (u64::MAX << 8 << (8 * kind as u32)))
    }

    /// Number of kinds that come before one.
    #[inline]
    pub const fn before(self, kind: Resource) -> usize {
        Kinds(self.0 & ((0x80 << (8 * kind as u32)) - 1)).len()
    }

    /// This set without one kind.
    #[inline]
    pub const fn without(self, kind: Resource) -> Kinds {
        Kinds(self.0 & !(0x80 << (8 * kind as u32)))
    }

    /// The kinds in both.
    #[inline]
    pub const fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    /// The set as a number, below 32: one bit a kind.
    #[allow(clippy::cast_possible_truncation, reason = "five bits are left")]
    #[inline]
    pub const fn number(self) -> usize {
        // Bit 8 i of the flags, times bit 32 - 7 i, is bit 32 + i; all other products fall beside these five.
        ((self.0 >> 7).wrapping_mul(0x01_0204_0810) >> 32 & 31) as usize
    }

    /// One card of each of these kinds.
    #[inline]
    pub const fn one_each(self) -> Resources {
        Resources(self.0 >> 7)
    }

    /// The same as bits: see [`Kinds::of_bit`].
    #[inline]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The kinds of bits as [`Kinds::bits`] has them; other bits are ignored.
    #[inline]
    pub const fn of_bits(bits: u64) -> Kinds {
        Kinds(bits & GUARDS)
    }

    /// The kind of the bit at a place in [`Kinds::bits`].
    #[inline]
    pub const fn of_bit(place: usize) -> Resource {
        Resource::ALL[place / 8]
    }

    /// The kinds in it.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Resource> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let kind = *Resource::ALL.get((left.trailing_zeros() / 8) as usize)?;
            left &= left - 1;
            Some(kind)
        })
    }
}

impl Add for Resources {
    type Output = Resources;
    #[inline]
    fn add(self, other: Resources) -> Resources {
        Resources(self.0 + other.0)
    }
}

impl Sub for Resources {
    type Output = Resources;
    #[inline]
    fn sub(self, other: Resources) -> Resources {
        debug_assert!(self.covers(other), "{self} has no {other}");
        Resources(self.0 - other.0)
    }
}

impl fmt::Display for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("nothing");
        }
        for (idx, (kind, count)) in self.iter().enumerate() {
            let plus = if idx > 0 { " + " } else { "" };
            write!(f, "{plus}{count} {kind}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_does_not_fit_is_none(a in prop::array::uniform5(0_u8..=50), b in prop::array::uniform5(0_u8..=50), n in 0_u8..40) {
            let fits = |counts: [u32; 5]| counts.iter().all(|&n| n <= 127) && counts.iter().sum::<u32>() <= 255;
            let (x, y) = (Resources::new(a), Resources::new(b));
            let sum = std::array::from_fn(|i| u32::from(a[i]) + u32::from(b[i]));
            let times = a.map(|count| u32::from(count) * u32::from(n));
            prop_assert_eq!(x.checked_add(y).is_some(), fits(sum));
            prop_assert_eq!(x.checked_times(n).is_some(), fits(times));
            if let Some(times) = x.checked_times(n) {
                prop_assert_eq!(times.counts(), a.map(|count| count * n));
            }
        }

        #[test]
        fn lanes_agree_with_plain_arrays(a in prop::array::uniform5(0_u8..25), b in prop::array::uniform5(0_u8..25)) {
            let (x, y) = (Resources::new(a), Resources::new(b));
            prop_assert_eq!(x.counts(), a);
            prop_assert_eq!(u32::from(x.total()), a.iter().map(|&n| u32::from(n)).sum::<u32>());
            prop_assert_eq!(x.covers(y), (0..5).all(|i| a[i] >= b[i]));
            prop_assert_eq!((x + y).counts(), std::array::from_fn(|i| a[i] + b[i]));
            prop_assert_eq!(x.checked_add(y), Some(x + y));
            prop_assert_eq!(x + x.missing(y), Resources::new(std::array::from_fn(|i| a[i].max(b[i]))));
            prop_assert_eq!(x.most(), a.into_iter().max().unwrap());
            prop_assert_eq!(x.min(y).counts(), std::array::from_fn(|i| a[i].min(b[i])));
            prop_assert_eq!(Resources::each(a[0]).counts(), [a[0]; 5]);
            let kinds = |fits: &dyn Fn(usize) -> bool| -> Vec<Resource> {
                Resource::ALL.into_iter().filter(|kind| fits(kind.idx())).collect()
            };
            prop_assert_eq!(x.at_least(y).iter().collect::<Vec<_>>(), kinds(&|i| a[i] >= b[i]));
            prop_assert_eq!(x.kinds().iter().collect::<Vec<_>>(), kinds(&|i| a[i] > 0));
            prop_assert_eq!(x.kinds().number(), (0..5).map(|i| usize::from(a[i] > 0) << i).sum::<usize>());
            prop_assert_eq!(x.kinds().one_each().counts(), a.map(|count| count.min(1)));
            for (place, kind) in x.kinds().iter().enumerate() {
                prop_assert_eq!(x.kinds().before(kind), place);
            }
            let rest: [u8; 5] = std::array::from_fn(|i| if b[i] > 0 { 0 } else { a[i] });
            prop_assert_eq!(x.without(y.kinds()).counts(), rest);
            let others = kinds(&|i| a[i] > 0 && i != Resource::Wool.idx());
            prop_assert_eq!(x.kinds().without(Resource::Wool).iter().collect::<Vec<_>>(), others);
            prop_assert_eq!(x.is_disjoint(y), (0..5).all(|i| a[i] == 0 || b[i] == 0));
        }
    }
}
