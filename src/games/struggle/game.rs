//! The game: a rule set and a table size, with what follows from them for every match.

use crate::core::resources::{Resource, Resources};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::payments::Price;
use crate::games::struggle::rules::Rules;

/// Building cards in play. (SFC-3, SFC-4)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supply {
    /// Roads.
    pub roads: u8,
    /// Knights.
    pub knights: u8,
    /// Settlements, with cities on their other sides.
    pub settlements: u8,
    /// City sides with brigands.
    pub brigands: u8,
    /// Expansions, by [`Expansion`].
    pub expansions: [u8; Expansion::COUNT],
}

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Struggle {
    pub(super) rules: Rules,
    pub(super) players: u8,
    /// Building cards in play, starting cards included.
    pub(super) supply: Supply,
    /// All resource cards. (SFC-1, SFC-3)
    pub(super) deck: Resources,
    /// Prices by [`Card`].
    pub(super) prices: [Price; Card::COUNT],
    /// The cards of which a number of resource cards of a kind is enough, by kind and number. A set of cards has a
    /// bit for each, as in `legal.rs`.
    pub(super) enough: [[u16; 128]; Resource::COUNT],
    /// The cards that may still be built, by what has been: see [`SoFar::built`](super::state::SoFar::built). (SFC-42)
    pub(super) unbuilt: [u16; 32],
    /// The most points that a build brings.
    pub(super) most_points: u8,
    /// Points of each set of expansions.
    pub(super) expansion_points: [u8; 1 << Expansion::COUNT],
}

impl Struggle {
    /// The full price of a card. (SFC-40)
    #[inline]
    pub fn price(&self, card: Card) -> Resources {
        self.prices[card.idx()].full
    }

    /// All resource cards. (SFC-1, SFC-3)
    #[inline]
    pub fn deck(&self) -> Resources {
        self.deck
    }

    /// Building cards in play, starting cards included. (SFC-3, SFC-4)
    pub fn supply(&self) -> Supply {
        self.supply
    }

    /// Points of a set of expansions, one bit for each. (SFC-70)
    pub fn points_of(&self, expansions: u8) -> u8 {
        self.expansion_points[usize::from(expansions)]
    }
}
