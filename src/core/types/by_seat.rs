//! A number of a rule set that may differ by seat, such as cards at the start: one for all seats, or a list with one for
//! each. In files it is a number or a list, so that a rule set without lists reads and is hashed as if there were none.

use crate::core::types::seat::{SEATS_MAX, Seat};
use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number for each seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BySeat {
    /// A byte for each seat, the first one lowest, which a shift finds; those behind the list repeat its last.
    bytes: u64,
    /// The length of the list; 0 if all seats have the same.
    listed: u8,
}

impl BySeat {
    /// The same for all seats.
    pub const fn all(number: u8) -> BySeat {
        BySeat { bytes: u64::from_le_bytes([number; 8]), listed: 0 }
    }

    /// One for each seat of a table.
    ///
    /// # Panics
    /// If there are none, or more than seats.
    pub fn list(numbers: &[u8]) -> BySeat {
        assert!(numbers.len() <= SEATS_MAX, "a number for each seat");
        let (&first, &last) = numbers.first().zip(numbers.last()).expect("a number for each seat");
        if numbers.iter().all(|&number| number == first) {
            return BySeat::all(first);
        }
        let mut all = [last; 8];
        all[..numbers.len()].copy_from_slice(numbers);
        BySeat {
            bytes: u64::from_le_bytes(all),
            listed: u8::try_from(numbers.len()).expect("few seats"),
        }
    }

    /// That of a seat.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "a byte is meant")]
    pub const fn of(self, seat: Seat) -> u8 {
        (self.bytes >> (8 * seat.idx())) as u8
    }

    /// Those of the first seats.
    fn first(self, seats: u8) -> Vec<u8> {
        self.bytes.to_le_bytes()[..usize::from(seats)].to_vec()
    }

    /// The number that all seats have, if they have the same.
    pub const fn same(self) -> Option<u8> {
        if self.listed == 0 { Some(self.of(Seat::FIRST)) } else { None }
    }

    /// The same list for a table of another size: cut, or its last repeated.
    #[must_use]
    pub fn seated(self, players: u8) -> BySeat {
        BySeat::list(&self.first(players))
    }

    /// All of them changed in the same way.
    #[must_use]
    pub fn map(self, change: impl Fn(u8) -> u8) -> BySeat {
        BySeat { bytes: u64::from_le_bytes(self.bytes.to_le_bytes().map(change)), ..self }
    }
}

impl From<u8> for BySeat {
    fn from(number: u8) -> BySeat {
        BySeat::all(number)
    }
}

/// `7`, or `7, 7 and 6`.
impl fmt::Display for BySeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = self.first(self.listed);
        let Some((last, others)) = listed.split_last() else {
            return write!(f, "{}", self.of(Seat::FIRST));
        };
        let others: Vec<String> = others.iter().map(u8::to_string).collect();
        write!(f, "{} and {last}", others.join(", "))
    }
}

impl Serialize for BySeat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.same() {
            Some(number) => serializer.serialize_u8(number),
            None => serializer.collect_seq(self.first(self.listed)),
        }
    }
}

impl<'de> Deserialize<'de> for BySeat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BySeat, D::Error> {
        deserializer.deserialize_any(Read)
    }
}

/// Reads a number or a list.
struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = BySeat;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number below 256, or a list of one for each seat")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<BySeat, E> {
        let short = u8::try_from(number);
        short.map(BySeat::all).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<BySeat, E> {
        let short = u8::try_from(number);
        short.map(BySeat::all).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<BySeat, A::Error> {
        let mut numbers: Vec<u8> = Vec::new();
        while let Some(number) = entries.next_element()? {
            if numbers.len() == SEATS_MAX {
                return Err(A::Error::invalid_length(SEATS_MAX + 1, &self));
            }
            numbers.push(number);
        }
        if numbers.is_empty() {
            return Err(A::Error::invalid_length(0, &self));
        }
        Ok(BySeat::list(&numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Rules {
        cards: BySeat,
    }

    fn read(text: &str) -> Result<Rules, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn a_number_stays_a_number_and_a_list_a_list() {
        for (text, written, seats) in [
            ("cards = 3", "cards = 3\n", [3, 3, 3, 3]),
            ("cards = [3, 3, 3]", "cards = 3\n", [3, 3, 3, 3]),
            ("cards = [2, 3, 4]", "cards = [2, 3, 4]\n", [2, 3, 4, 4]),
        ] {
            let rules = read(text).expect("a number or a list");
            assert_eq!(toml::to_string(&rules).expect("it can be written"), written);
            let found: Vec<u8> = Seat::all(4).map(|seat| rules.cards.of(seat)).collect();
            assert_eq!(found, seats, "{text}");
        }
        assert_eq!(BySeat::list(&[2, 2, 3]).seated(2), BySeat::all(2));
        assert_eq!(BySeat::list(&[2, 3]).seated(3), BySeat::list(&[2, 3, 3]));
        assert_eq!(BySeat::list(&[7, 7, 6]).to_string(), "7, 7 and 6");
        assert_eq!(BySeat::all(7).to_string(), "7");
    }

    #[test]
    fn what_is_neither_is_refused() {
        for text in ["cards = []", "cards = [1, 1, 1, 1, 1, 1, 1]", "cards = 256", "cards = -1"] {
            let error = read(text).expect_err(text);
            assert!(error.contains("whole number below 256, or a list"), "{text}: {error}");
        }
        for text in ["cards = [1, 300]", "cards = \"many\"", "cards = [[1]]", "cards = 1.5"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
