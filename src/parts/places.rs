//! Hexes, vertices and edges of a board by number, and sets of them in one machine word or two.
//!
//! How they are connected is in `hexmap`.

use crate::core::types::bits::select;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

/// A numbered kind of place and the sets of it.
macro_rules! places {
    ($id:ident, $set:ident, $iter:ident, $word:ty, $count:literal, $what:literal, $alias:literal) => {
        #[doc = concat!("One ", $what, " by number, from 0.")]
        #[doc(alias = $alias)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(u8);

        impl $id {
            /// The most of them that a board has.
            pub const COUNT: usize = $count;

            #[doc = concat!("The ", $what, " of a number.")]
            ///
            /// # Panics
            /// If no board has that many.
            #[inline]
            pub const fn new(number: u8) -> $id {
                assert!((number as usize) < $count, "no board has so many places");
                $id(number)
            }

            /// Position in an array.
            #[inline]
            pub const fn idx(self) -> usize {
                self.0 as usize
            }

            /// The number shown to people.
            #[inline]
            pub const fn number(self) -> u8 {
                self.0
            }
        }

        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }

        impl Serialize for $id {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.0)
            }
        }

        impl<'de> Deserialize<'de> for $id {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$id, D::Error> {
                let number = u8::deserialize(deserializer)?;
                if usize::from(number) < $count {
                    return Ok($id(number));
                }
                let what = $what;
                Err(serde::de::Error::custom(format!("{number} is no {what} of any board")))
            }
        }

        #[doc = concat!("A set of places of the kind ", $what, ".")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct $set($word);

        impl $set {
            /// The empty set.
            pub const NONE: $set = $set(0);

            /// The first `count` of them.
            pub const fn first(count: u8) -> $set {
                $set((1 << count) - 1)
            }

            /// A set of one.
            #[inline]
            pub const fn one(of: $id) -> $set {
                $set(1 << of.0)
            }

            /// This set and one more.
            #[inline]
            pub const fn with(self, other: $id) -> $set {
                $set(self.0 | 1 << other.0)
            }

            /// Whether it holds a place.
            #[inline]
            pub const fn contains(self, of: $id) -> bool {
                self.0 >> of.0 & 1 == 1
            }

            /// The same, or the empty set.
            #[inline]
            pub const fn kept_if(self, kept: bool) -> $set {
                $set(self.0 & (kept as $word).wrapping_neg())
            }

            /// How many it holds.
            #[allow(clippy::cast_possible_truncation, reason = "at most 128")]
            #[inline]
            pub const fn len(self) -> u8 {
                self.0.count_ones() as u8
            }

            /// Whether it holds none.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether no place is in both.
            #[inline]
            pub const fn is_disjoint(self, other: $set) -> bool {
                self.0 & other.0 == 0
            }

            /// Its places in ascending order.
            #[inline]
            pub const fn iter(self) -> $iter {
                $iter(self)
            }

            /// The same as bits, a word for 64 places.
            #[allow(clippy::cast_possible_truncation, reason = "the low half is meant")]
            #[inline]
            pub const fn words(self) -> [u64; 2] {
                let bits = self.0 as u128;
                [bits as u64, (bits >> 64) as u64]
            }

            /// The set of these bits, the lowest first.
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_lossless,
                reason = "as in `words`"
            )]
            #[inline]
            pub const fn from_words([low, high]: [u64; 2]) -> $set {
                $set((low as u128 | (high as u128) << 64) as $word)
            }

            /// Takes out the lowest.
            #[allow(clippy::cast_possible_truncation, reason = "a bit's index is below 128")]
            #[inline]
            pub const fn pop(&mut self) -> Option<$id> {
                if self.0 == 0 {
                    return None;
                }
                let lowest = self.0.trailing_zeros() as u8;
                self.0 &= self.0 - 1;
                Some($id(lowest))
            }
        }

        #[doc = concat!("The places of a set of the kind ", $what, ", in ascending order.")]
        #[derive(Debug, Clone)]
        pub struct $iter($set);

        #[allow(clippy::cast_possible_truncation, reason = "at most 128")]
        impl Iterator for $iter {
            type Item = $id;

            #[inline]
            fn next(&mut self) -> Option<$id> {
                self.0.pop()
            }

            #[inline]
            fn nth(&mut self, skipped: usize) -> Option<$id> {
                let [low, high] = self.0.words();
                let below = low.count_ones() as usize;
                let place = if skipped < below {
                    select(low, skipped as u32)
                } else if skipped < usize::from(self.0.len()) {
                    64 + select(high, (skipped - below) as u32)
                } else {
                    *self = $iter($set::NONE);
                    return None;
                };
                self.0.0 &= <$word>::MAX.checked_shl(u32::from(place) + 1).unwrap_or(0);
                Some($id(place))
            }

            /// A word at a time, which takes half the instructions.
            #[inline]
            fn fold<B, F: FnMut(B, $id) -> B>(self, start: B, mut add: F) -> B {
                let mut all = start;
                for (first, mut word) in std::iter::zip([0, 64], self.0.words()) {
                    while word != 0 {
                        all = add(all, $id(first + word.trailing_zeros() as u8));
                        word &= word - 1;
                    }
                }
                all
            }
        }

        impl IntoIterator for $set {
            type Item = $id;
            type IntoIter = $iter;

            #[inline]
            fn into_iter(self) -> $iter {
                $iter(self)
            }
        }

        impl FromIterator<$id> for $set {
            fn from_iter<I: IntoIterator<Item = $id>>(places: I) -> $set {
                places.into_iter().fold($set::NONE, $set::with)
            }
        }

        /// Written as a list of numbers in ascending order; read in any order, but none twice.
        impl Serialize for $set {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter())
            }
        }

        impl<'de> Deserialize<'de> for $set {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$set, D::Error> {
                let places = Vec::<$id>::deserialize(deserializer)?;
                let set: $set = places.iter().copied().collect();
                if usize::from(set.len()) == places.len() {
                    return Ok(set);
                }
                let what = $what;
                Err(serde::de::Error::custom(format!("a {what} is in a list twice")))
            }
        }

        impl BitOr for $set {
            type Output = $set;
            #[inline]
            fn bitor(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
        }

        impl BitAnd for $set {
            type Output = $set;
            #[inline]
            fn bitand(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }
        }

        impl Sub for $set {
            type Output = $set;
            #[inline]
            fn sub(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }
        }

        impl BitOrAssign for $set {
            #[inline]
            fn bitor_assign(&mut self, other: $set) {
                self.0 |= other.0;
            }
        }

        impl SubAssign for $set {
            #[inline]
            fn sub_assign(&mut self, other: $set) {
                self.0 &= !other.0;
            }
        }
    };
}

places!(Hex, HexSet, Hexes, u32, 30, "hex", "tile");
places!(Vertex, VertexSet, Vertices, u128, 80, "vertex", "intersection");
places!(Edge, EdgeSet, Edges, u128, 109, "edge", "path");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_usual_words() {
        let low: VertexSet = [3, 7, 79].map(Vertex::new).into_iter().collect();
        let high = VertexSet::one(Vertex::new(79)).with(Vertex::new(64));
        assert_eq!((low | high).iter().map(Vertex::number).collect::<Vec<u8>>(), [3, 7, 64, 79]);
        assert_eq!((low & high).len(), 1);
        assert_eq!((low - high).len(), 2);
        assert!(low.contains(Vertex::new(7)) && !low.contains(Vertex::new(8)));
        assert!(!low.is_disjoint(high) && (low - high).is_disjoint(high));
        assert_eq!(EdgeSet::first(109).len(), 109);
    }

    #[test]
    fn places_are_skipped_as_if_one_by_one() {
        let all: Vec<Vertex> = [0, 5, 63, 64, 70, 79].map(Vertex::new).to_vec();
        let set: VertexSet = all.iter().copied().collect();
        for first in 0..=all.len() {
            for then in 0..=all.len() {
                let mut vertices = set.iter();
                assert_eq!(vertices.nth(first), all.get(first).copied());
                assert_eq!(vertices.nth(then), all.get(first + 1 + then).copied());
                let rest: Vec<Vertex> = vertices.fold(Vec::new(), |mut rest, vertex| {
                    rest.push(vertex);
                    rest
                });
                assert_eq!(rest, all[all.len().min(first + then + 2)..]);
            }
        }
        let hexes = HexSet::first(30);
        assert_eq!(hexes.iter().nth(29), Some(Hex::new(29)));
        assert_eq!(hexes.iter().nth(30), None);
    }

    #[test]
    fn numbers_beyond_every_board_are_refused() {
        assert_eq!(serde_json::from_str::<Edge>("108").unwrap(), Edge::new(108));
        let error = serde_json::from_str::<Edge>("109").unwrap_err().to_string();
        assert!(error.contains("109 is no edge"), "{error}");
    }

    #[test]
    fn sets_are_lists_of_numbers() {
        let set: VertexSet = [79, 3, 64].map(Vertex::new).into_iter().collect();
        assert_eq!(serde_json::to_string(&set).unwrap(), "[3,64,79]");
        assert_eq!(serde_json::from_str::<VertexSet>("[64,3,79]").unwrap(), set);
        for wrong in ["[3,80]", "[3,3]", "[-1]", "3", "{}"] {
            assert!(serde_json::from_str::<VertexSet>(wrong).is_err(), "{wrong}");
        }
    }
}
