//! What a seat sees and what it may do as numbers, for programs that learn.
//!
//! A game tells its numbers once, group by group, an entity a row: the same function gives the layout and fills the
//! vector. It gets a view, so that it can tell only what the seat may know. Seats are counted from whoever looks: it is 0,
//! the next one clockwise 1.

use crate::core::game::Game;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;

/// A number, or several under one name, of each entity of a group.
pub type Feature = (&'static str, usize);

/// Where the numbers of a view are put.
pub trait Columns {
    /// A group of entities of one kind, all numbers 0 but those that are written.
    fn group(
        &mut self,
        name: &'static str,
        count: usize,
        features: &[Feature],
        write: impl FnOnce(&mut Rows<'_>),
    );
}

/// The numbers of a group, a row for each entity.
#[derive(Debug)]
pub struct Rows<'a> {
    numbers: &'a mut [i16],
    width: usize,
}

/// How many numbers the features of an entity are.
#[inline]
pub fn width(features: &[Feature]) -> usize {
    features.iter().map(|(_, width)| width).sum()
}

impl<'a> Rows<'a> {
    /// Rows of this width, which are 0.
    #[inline]
    pub fn new(numbers: &'a mut [i16], width: usize) -> Rows<'a> {
        Rows { numbers, width }
    }

    /// Puts one number.
    #[inline]
    pub fn set(&mut self, row: usize, column: usize, number: i16) {
        self.numbers[row * self.width + column] = number;
    }

    /// Puts a 1 in a column of each of some rows.
    #[inline]
    pub fn mark(&mut self, rows: impl Iterator<Item = usize>, column: usize) {
        rows.for_each(|row| self.set(row, column, 1));
    }

    /// A row, to be written from its first number to its last.
    #[inline]
    pub fn row(&mut self, row: usize) -> Row<'_> {
        let start = row * self.width;
        Row { numbers: &mut self.numbers[start..start + self.width], next: 0 }
    }
}

/// A row that is written in order.
#[derive(Debug)]
pub struct Row<'a> {
    numbers: &'a mut [i16],
    next: usize,
}

/// A row is written to its end, so that no number stands under the name of another.
impl Drop for Row<'_> {
    #[inline]
    fn drop(&mut self) {
        let is_whole = self.next == self.numbers.len();
        debug_assert!(is_whole || std::thread::panicking(), "{} of a row", self.next);
    }
}

impl Row<'_> {
    /// The next number.
    #[inline]
    pub fn put(&mut self, number: impl Into<i16>) -> &mut Self {
        self.numbers[self.next] = number.into();
        self.next += 1;
        self
    }

    /// The next numbers.
    #[inline]
    pub fn all<N: Into<i16>>(&mut self, numbers: impl IntoIterator<Item = N>) -> &mut Self {
        for number in numbers {
            self.put(number);
        }
        self
    }

    /// Cards by kind.
    #[inline]
    pub fn cards(&mut self, cards: Resources) -> &mut Self {
        self.all(cards.counts().map(i16::from))
    }

    /// A number for each of `width`: 1 for the one at a place, if it is among them.
    #[inline]
    pub fn one_of(&mut self, place: Option<usize>, width: usize) -> &mut Self {
        if let Some(place) = place.filter(|&place| place < width) {
            self.numbers[self.next + place] = 1;
        }
        self.next += width;
        self
    }

    /// A number for each of `width`: its bit.
    #[inline]
    pub fn bits(&mut self, bits: u8, width: usize) -> &mut Self {
        for place in 0..width {
            self.put(bits >> place & 1);
        }
        self
    }
}

/// A turn number that may be too large for its column: no game has such a limit.
#[inline]
pub fn small(number: u16) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}

/// How many seats clockwise one is from another, at a table of `players`; seats without a player stay where they are.
#[inline]
pub fn steps(from: Seat, to: Seat, players: u8) -> usize {
    let (from, to, players) = (from.idx(), to.idx(), usize::from(players));
    match to {
        _ if to >= players => to,
        _ if to >= from => to - from,
        _ => to + players - from,
    }
}

/// The most fields of a kind of actions.
pub const FIELDS: usize = 3;

/// Actions of one kind: those of all values of its fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionKind {
    /// The word in records.
    pub name: &'static str,
    /// The fields by which its actions are told apart, with how many values each has; the names are those of records.
    pub fields: Vec<Feature>,
    /// How many of them a list can have that differ in nothing but the cards that they pay. They are told apart by their
    /// order in the list.
    pub ways: usize,
    /// Whether they are what [`ActionFilter::NoOffers`](crate::core::game::ActionFilter::NoOffers) leaves out.
    pub is_offer: bool,
}

impl ActionKind {
    /// A kind whose actions differ by their fields.
    pub fn new(name: &'static str, fields: &[Feature]) -> ActionKind {
        ActionKind { name, fields: fields.to_vec(), ways: 1, is_offer: false }
    }
}

/// An action in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ActionNumbers {
    /// The place of its kind in [`Arrays::action_kinds`].
    pub kind: usize,
    /// The values of its fields.
    pub fields: [u16; FIELDS],
    /// Cards that it names as given or paid.
    pub give: Resources,
    /// Cards that it names as got.
    pub get: Resources,
}

impl ActionNumbers {
    /// An action of a kind without cards.
    #[inline]
    pub fn new(kind: usize, fields: [usize; FIELDS]) -> ActionNumbers {
        let fields = fields.map(|value| u16::try_from(value).expect("few values"));
        ActionNumbers { kind, fields, ..ActionNumbers::default() }
    }

    /// The same, of a game that has so many kinds of its own before these.
    #[inline]
    #[must_use]
    pub fn after(self, kinds: usize) -> ActionNumbers {
        ActionNumbers { kind: self.kind + kinds, ..self }
    }

    /// The same, with cards that are given and got.
    #[inline]
    #[must_use]
    pub fn with(self, give: Resources, get: Resources) -> ActionNumbers {
        ActionNumbers { give, get, ..self }
    }
}

/// The field of a kind of resource.
pub const fn resource(name: &'static str) -> Feature {
    (name, Resource::COUNT)
}

/// A game whose views and actions can be told in numbers.
pub trait Arrays: Game {
    /// Tells what a seat sees. The groups are the same in all positions of the game.
    fn columns(&self, view: &Self::View<'_>, out: &mut impl Columns);

    /// The kinds of actions.
    fn action_kinds(&self) -> Vec<ActionKind>;

    /// An action of a seat in numbers.
    fn action_numbers(&self, seat: Seat, action: Self::Action) -> ActionNumbers;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_counted_from_whoever_looks() {
        let of = |from: u8, to: u8| steps(Seat::new(from), Seat::new(to), 3);
        assert_eq!([of(1, 1), of(1, 2), of(1, 0), of(2, 1)], [0, 1, 2, 2]);
        // A neutral seat.
        assert_eq!(of(1, 3), 3);
    }

    #[test]
    fn a_row_is_written_in_order() {
        let mut numbers = [0; 24];
        let mut rows = Rows::new(&mut numbers, 12);
        rows.set(0, 1, 5);
        let ore = Resources::one(Resource::Ore);
        rows.row(1).put(7_u8).one_of(Some(1), 3).one_of(None, 1).cards(ore).bits(2, 2);
        assert_eq!(numbers[1], 5);
        assert_eq!(numbers[12..], [7, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1]);
    }

    #[test]
    #[should_panic(expected = "1 of a row")]
    fn a_row_is_not_left_unfinished() {
        Rows::new(&mut [0; 4], 2).row(1).put(7_u8);
    }
}
