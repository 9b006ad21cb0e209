//! The game: a rule set and a table size, with what follows from them for every match.

use crate::core::resources::Resources;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::{Card, Metropolis};
use crate::games::on_the_road::rules::Rules;
use crate::parts::offers::Offers;

/// The game for one rule set and one table size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnTheRoad {
    pub(super) rules: Rules,
    pub(super) players: u8,
    /// Full prices by [`Card`].
    pub(super) costs: [Resources; Card::COUNT],
    pub(super) offers: Offers<Action>,
    /// Of each set of A sides, those that differ in price.
    pub(super) a_sides: [u8; 1 << Metropolis::COUNT],
}

impl OnTheRoad {
    /// The full price of a card. (OTR-41)
    #[inline]
    pub fn price(&self, card: Card) -> Resources {
        self.costs[card.idx()]
    }
}
