//! A place at the table. Counted from 0 inside the program, from 1 wherever a person reads it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The most seats of any game.
pub const SEATS_MAX: usize = 6;

/// One array cell for each possible seat; cells past the table's size are unused.
pub type PerSeat<T> = [T; SEATS_MAX];

/// A place at the table in turn order, `0..SEATS_MAX`; seat 0 (shown as 1) starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// The seat that starts.
    pub const FIRST: Seat = Seat(0);

    /// Seat number `idx`, counted from 0.
    ///
    /// # Panics
    /// If `idx` is not below [`SEATS_MAX`].
    #[inline]
    pub const fn new(idx: u8) -> Seat {
        assert!((idx as usize) < SEATS_MAX, "seat out of range");
        Seat(idx)
    }

    /// Position in an array by seat.
    #[inline]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// The number that people read, from 1.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The next seat clockwise at a table of `seats`.
    #[inline]
    pub const fn next(self, seats: u8) -> Seat {
        if self.0 + 1 >= seats { Seat(0) } else { Seat(self.0 + 1) }
    }

    /// All seats of a table of `seats`, seat 1 first.
    #[inline]
    pub fn all(seats: u8) -> impl Iterator<Item = Seat> + Clone {
        (0..seats).map(Seat)
    }

    /// All seats of a table of `seats`, this one first, then clockwise.
    #[inline]
    pub fn clockwise(self, seats: u8) -> impl Iterator<Item = Seat> + Clone {
        (0..seats).map(move |steps| self.ahead(steps, seats))
    }

    /// The seat that many steps clockwise, fewer than a round, at a table of `seats`.
    #[inline]
    pub const fn ahead(self, steps: u8, seats: u8) -> Seat {
        let idx = self.0 + steps;
        Seat(if idx >= seats { idx - seats } else { idx })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl Serialize for Seat {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.number())
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let number = u8::deserialize(deserializer)?;
        match number.checked_sub(1) {
            Some(idx) if usize::from(idx) < SEATS_MAX => Ok(Seat(idx)),
            _ => Err(serde::de::Error::custom(format!("no seat {number}; seats count from 1"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seat;

    #[test]
    fn clockwise_starts_with_the_seat_and_wraps() {
        let seen: Vec<u8> = Seat::new(2).clockwise(4).map(Seat::number).collect();
        assert_eq!(seen, [3, 4, 1, 2]);
        assert_eq!(Seat::new(3).next(4), Seat::FIRST);
    }
}
