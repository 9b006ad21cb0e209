//! Development cards and the two dice.

use crate::parts::island::rules::Deck;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of development card. (BASE-4)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Card {
    /// Moves the robber and counts for Largest Army. (BASE-50)
    Knight,
    /// Two free roads. (BASE-51)
    RoadBuilding,
    /// Two cards from the bank. (BASE-52)
    YearOfPlenty,
    /// All cards of a kind. (BASE-53)
    Monopoly,
    /// A point. (BASE-55)
    VictoryPoint,
}

impl Card {
    /// Number of kinds.
    pub const COUNT: usize = 5;
    /// All kinds in the order of every table.
    pub const ALL: [Card; Card::COUNT] =
        [Card::Knight, Card::RoadBuilding, Card::YearOfPlenty, Card::Monopoly, Card::VictoryPoint];

    /// Position in an array by card.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The word in files and on the terminal.
    pub const fn name(self) -> &'static str {
        match self {
            Card::Knight => "knight",
            Card::RoadBuilding => "road_building",
            Card::YearOfPlenty => "year_of_plenty",
            Card::Monopoly => "monopoly",
            Card::VictoryPoint => "victory_point",
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Numbers of development cards by [`Card`].
pub type Cards = [u8; Card::COUNT];

/// Number of cards.
#[inline]
pub fn size(cards: Cards) -> u8 {
    cards.iter().sum()
}

impl Deck {
    /// Numbers by [`Card`].
    pub const fn cards(self) -> Cards {
        [self.knights, self.progress, self.progress, self.progress, self.victory_points]
    }
}

/// All rolls of two dice, one bit each: six times the first die plus the second, both from 0.
pub const THROWS: u64 = (1 << 36) - 1;

/// The sum of a roll.
#[inline]
pub const fn sum_of(throw: u8) -> u8 {
    throw / 6 + throw % 6 + 2
}

/// The dots on a token: how many of 36 rolls have its number.
#[inline]
pub const fn pips(token: u8) -> u8 {
    match token {
        2..=6 => token - 1,
        8..=12 => 13 - token,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_22_throws_are_two_dice() {
        for (one, two) in (1..=6).flat_map(|one| (1..=6).map(move |two| (one, two))) {
            assert_eq!(sum_of(6 * (one - 1) + two - 1), one + two);
        }
        for token in (2..=12).filter(|&token| token != 7) {
            let hits = (0..36).filter(|&throw| sum_of(throw) == token).count();
            assert_eq!(usize::from(pips(token)), hits);
        }
    }
}
