//! The game: a rule set and a table size, with what follows from them for every match.

use crate::core::resources::Resources;
use crate::games::base::action::Action;
use crate::games::base::board::Parts;
use crate::games::base::cards::Cards;
use crate::games::base::rules::Rules;
use crate::parts::hexmap::HexMap;
use crate::parts::offers::Offers;

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    pub(super) rules: Rules,
    pub(super) players: u8,
    /// The island's geometry.
    pub(super) map: &'static HexMap,
    /// The contents of the box.
    pub(super) parts: &'static Parts,
    /// Cards of each resource.
    pub(super) stock: u8,
    /// All development cards.
    pub(super) deck: Cards,
    pub(super) road_cost: Resources,
    pub(super) settlement_cost: Resources,
    pub(super) city_cost: Resources,
    pub(super) card_cost: Resources,
    pub(super) offers: Offers<Action>,
}

impl Base {
    /// The island's geometry.
    #[inline]
    pub fn map(&self) -> &'static HexMap {
        self.map
    }

    /// The contents of the box.
    pub fn parts(&self) -> &'static Parts {
        self.parts
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
