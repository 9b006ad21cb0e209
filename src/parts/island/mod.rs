//! The rules of an island: what base CATAN is, whole, and what other games on such an island stand on.
//!
//! `games/base` restates them clause by clause. A game that adds something holds an [`Island`] and its [`state::State`],
//! looks at what is its own first, and leaves the rest to the functions here. Nothing here asks which game it is: what
//! differs in numbers is a number, what differs in logic is the other game's function.

pub mod action;
pub mod apply;
pub mod arrays;
pub mod board;
pub mod cards;
pub mod catalogue;
pub mod facts;
pub mod game;
pub mod income;
pub mod island_file;
pub mod legal;
pub mod luck;
pub mod measure;
pub mod memory;
pub mod observe;
pub mod opinion;
pub mod picture;
pub mod primer;
pub mod rules;
pub mod seat_event;
pub mod seen;
pub mod setup;
pub mod state;
pub mod telling;
pub mod wording;

use crate::core::resources::Resources;
use crate::parts::hexmap::HexMap;
use crate::parts::island::action::Action;
use crate::parts::island::board::Parts;
use crate::parts::island::cards::Cards;
use crate::parts::island::island_file::Laid;
use crate::parts::island::rules::Rules;
use crate::parts::offers::Offers;
use std::sync::Arc;

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Island {
    pub(crate) rules: Rules,
    pub(crate) players: u8,
    /// How many seats own pieces, from the first: all players, in base CATAN.
    pub(crate) owners: u8,
    /// The island's geometry.
    pub(crate) map: &'static HexMap,
    /// The contents of the box.
    pub(crate) parts: Arc<Parts>,
    /// The island of a file, if there is one.
    pub(crate) laid: Option<Arc<Laid>>,
    /// Cards of each resource.
    pub(crate) stock: u8,
    /// All development cards.
    pub(crate) deck: Cards,
    pub(crate) road_cost: Resources,
    pub(crate) settlement_cost: Resources,
    pub(crate) city_cost: Resources,
    pub(crate) card_cost: Resources,
    pub(crate) offers: Offers<Action>,
}

impl Island {
    /// The island's geometry.
    #[inline]
    pub fn map(&self) -> &'static HexMap {
        self.map
    }

    /// The contents of the box.
    #[inline]
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// All development cards.
    pub fn all_cards(&self) -> Cards {
        self.deck
    }

    /// Prices of a road, a settlement, a city and a development card.
    #[inline]
    pub fn prices(&self) -> [Resources; 4] {
        [self.road_cost, self.settlement_cost, self.city_cost, self.card_cost]
    }
}
