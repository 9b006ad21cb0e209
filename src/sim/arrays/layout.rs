//! Where each number of an observation stands, and what fills the vector.

use crate::core::arrays::{Arrays, Columns, Feature, Rows, width};
use crate::core::chance::RandomChance;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use serde::Serialize;

/// A group of entities of one kind: `count` rows of as many numbers as the features are together, from `offset` on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// What they are.
    pub name: &'static str,
    /// Where the first number stands.
    pub offset: usize,
    /// How many entities there are.
    pub count: usize,
    /// The numbers of each: a name, and how many there are under it.
    pub features: Vec<Feature>,
}

/// All groups, one behind the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Layout {
    /// The groups.
    pub groups: Vec<Group>,
    /// How many numbers there are.
    pub length: usize,
}

impl Layout {
    /// The layout of a game.
    pub fn of<G: Arrays>(game: &G) -> Layout {
        let mut layout = Layout::default();
        // Any position has the same.
        let state = game.deal(&mut RandomChance::new(BlockSeed::new(0, 0)));
        game.columns(&game.view(&state, Seat::FIRST), &mut layout);
        layout
    }
}

impl Columns for Layout {
    fn group(
        &mut self,
        name: &'static str,
        count: usize,
        features: &[Feature],
        _write: impl FnOnce(&mut Rows<'_>),
    ) {
        let features = features.to_vec();
        let length = count * width(&features);
        self.groups.push(Group { name, offset: self.length, count, features });
        self.length += length;
    }
}

/// A vector that is being filled.
struct Filled<'a>(&'a mut [i16]);

impl Columns for Filled<'_> {
    #[inline]
    fn group(
        &mut self,
        _name: &'static str,
        count: usize,
        features: &[Feature],
        write: impl FnOnce(&mut Rows<'_>),
    ) {
        let width = width(features);
        let (here, rest) = std::mem::take(&mut self.0).split_at_mut(count * width);
        write(&mut Rows::new(here, width));
        self.0 = rest;
    }
}

/// Fills a vector with what a seat sees.
///
/// # Panics
/// If it has not the length of the layout.
pub fn fill<G: Arrays>(game: &G, view: &G::View<'_>, numbers: &mut [i16]) {
    numbers.fill(0);
    let mut filled = Filled(numbers);
    game.columns(view, &mut filled);
    assert!(filled.0.is_empty(), "the vector has the length of the layout");
}
