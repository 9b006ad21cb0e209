//! The building cards: what can be built, what expands a city, and what its other side brings.

use crate::parts::allowed::Named;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a player can build. (SFC-2, SFC-40)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Card {
    /// A road.
    Road,
    /// A knight.
    Knight,
    /// A settlement.
    Settlement,
    /// A city: a settlement turned.
    City,
    /// 4 points, no advantage.
    TownHall,
    /// Protects roads.
    Castle,
    /// Takes a card a turn.
    MerchantsGuild,
    /// Protects knights.
    Church,
    /// Chooses a card from an open hand.
    Library,
    /// Saves a card of a price.
    University,
}

impl Card {
    /// Number of them.
    pub const COUNT: usize = 10;
    /// All of them, in the order of every table.
    pub const ALL: [Card; Card::COUNT] = [
        Card::Road,
        Card::Knight,
        Card::Settlement,
        Card::City,
        Card::TownHall,
        Card::Castle,
        Card::MerchantsGuild,
        Card::Church,
        Card::Library,
        Card::University,
    ];

    /// Position in an array by card.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The expansion that it is, if it is one.
    #[inline]
    pub fn expansion(self) -> Option<Expansion> {
        Expansion::ALL.get(self.idx().wrapping_sub(Card::COUNT - Expansion::COUNT)).copied()
    }

    /// The word in files and on the terminal.
    pub const fn name(self) -> &'static str {
        match self {
            Card::Road => "road",
            Card::Knight => "knight",
            Card::Settlement => "settlement",
            Card::City => "city",
            Card::TownHall => "town_hall",
            Card::Castle => "castle",
            Card::MerchantsGuild => "merchants_guild",
            Card::Church => "church",
            Card::Library => "library",
            Card::University => "university",
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name().replace('_', " "))
    }
}

/// What goes on a city. (SFC-4, SFC-46)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Expansion {
    /// 4 points, no advantage. (SFC-70)
    TownHall,
    /// Protects its owner's first roads. (SFC-62)
    Castle,
    /// Takes a card a turn from a player who is not behind. (SFC-71)
    MerchantsGuild,
    /// Protects its owner's first knight. (SFC-62)
    Church,
    /// Chooses a card from an open hand. (SFC-34)
    Library,
    /// Saves one card of a price. (SFC-72)
    University,
}

impl Named for Expansion {
    const WHAT: &'static str = "expansions";
    const NAMES: &'static [&'static str] =
        &["town_hall", "castle", "merchants_guild", "church", "library", "university"];
}

impl Expansion {
    /// Number of kinds.
    pub const COUNT: usize = 6;
    /// All kinds, in the order of every table.
    pub const ALL: [Expansion; Expansion::COUNT] = [
        Expansion::TownHall,
        Expansion::Castle,
        Expansion::MerchantsGuild,
        Expansion::Church,
        Expansion::Library,
        Expansion::University,
    ];

    /// Position in an array by kind.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// Its bit in a set of them.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The card of this kind.
    #[inline]
    pub const fn card(self) -> Card {
        Card::ALL[Card::COUNT - Expansion::COUNT + self.idx()]
    }
}

/// What the city side of a settlement card brings. (SFC-50)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Event {
    /// Large hands shrink, and the destiny card flips. (SFC-51)
    Brigands,
    /// The market is renewed. (SFC-52)
    MarketDay,
}

impl Event {
    /// Number of kinds.
    pub const COUNT: usize = 2;
    /// All kinds, in the order of every table.
    pub const ALL: [Event; Event::COUNT] = [Event::Brigands, Event::MarketDay];

    /// Position in an array by kind.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The word in records.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Brigands => "brigands",
            Event::MarketDay => "market_day",
        }
    }
}

/// Cards in a row that lie with their A side up: the first, the third, and so on. (SFC-43)
#[inline]
pub const fn a_sides(row: u8) -> u8 {
    row.div_ceil(2)
}

/// Cards in a row that lie with their B side up, worth a point each. (SFC-43, SFC-90)
#[inline]
pub const fn b_sides(row: u8) -> u8 {
    row / 2
}
