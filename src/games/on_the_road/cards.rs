//! The cards of On the Road: which cards exist, and the bits that stand for the 61 resource cards.
//!
//! Source of the counts: rule leaflet, page 1, "Components".

use crate::core::resources::{Resource, Resources};
use crate::parts::allowed::Named;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A set of resource cards, one bit for each card; bits 61 to 63 are never set.
pub type CardSet = u64;

/// Cards of each kind in the box, in the order of [`Resource::ALL`]. (OTR-1)
pub const RESOURCE_COUNTS: [u8; Resource::COUNT] = [11, 11, 14, 12, 13];

/// All resource cards of the box.
pub const RESOURCES_ALL: Resources = Resources::new(RESOURCE_COUNTS);

/// All 61 resource cards.
pub const CARDS_ALL: CardSet = (1 << 61) - 1;

/// The cards of each kind: brick is bits 0 to 10, then lumber, wool, grain and ore.
pub const CARDS_OF: [CardSet; Resource::COUNT] = {
    let mut masks = [0; Resource::COUNT];
    let (mut idx, mut start) = (0, 0);
    while idx < Resource::COUNT {
        masks[idx] = ((1 << RESOURCE_COUNTS[idx]) - 1) << start;
        start += RESOURCE_COUNTS[idx];
        idx += 1;
    }
    masks
};

/// The cards with the lowest number of each kind in a set of kinds, by [`Kinds::number`](crate::core::resources::Kinds::number).
static LOWEST: [CardSet; 1 << Resource::COUNT] = {
    let mut sets = [0; 1 << Resource::COUNT];
    let mut number = 0;
    while number < sets.len() {
        let mut idx = 0;
        while idx < Resource::COUNT {
            if number >> idx & 1 == 1 {
                sets[number] |= 1 << CARDS_OF[idx].trailing_zeros();
            }
            idx += 1;
        }
        number += 1;
    }
    sets
};

static KIND_OF: [Resource; 64] = {
    let mut kinds = [Resource::Ore; 64];
    let mut card = 0;
    while card < 64 {
        let mut idx = 0;
        while idx < Resource::COUNT {
            if CARDS_OF[idx] >> card & 1 == 1 {
                kinds[card] = Resource::ALL[idx];
            }
            idx += 1;
        }
        card += 1;
    }
    kinds
};

/// The kind of a resource card, 0..61.
#[inline]
pub const fn kind_of(card: u8) -> Resource {
    KIND_OF[(card & 63) as usize]
}

/// How many cards of each kind a set holds.
#[allow(clippy::cast_possible_truncation, reason = "at most 61 cards")]
#[inline]
pub const fn count(cards: CardSet) -> Resources {
    Resources::new([
        (cards & CARDS_OF[0]).count_ones() as u8,
        (cards & CARDS_OF[1]).count_ones() as u8,
        (cards & CARDS_OF[2]).count_ones() as u8,
        (cards & CARDS_OF[3]).count_ones() as u8,
        (cards & CARDS_OF[4]).count_ones() as u8,
    ])
}

/// Number of cards in a set.
#[allow(clippy::cast_possible_truncation, reason = "at most 61 cards")]
#[inline]
pub const fn size(cards: CardSet) -> u8 {
    cards.count_ones() as u8
}

/// The lowest `wanted` cards of each kind out of a set that holds them. Which cards of a kind these are is no
/// choice and no information: observations know kinds only.
#[inline]
pub fn take(cards: CardSet, wanted: Resources) -> CardSet {
    let (mut rest, mut wanted) = (cards, wanted);
    while !wanted.is_empty() {
        let kinds = wanted.kinds();
        debug_assert!(count(rest).covers(wanted), "the set holds what is wanted");
        // The lowest card of each of these kinds goes: each has one, so that nothing is borrowed from another.
        rest &= rest - LOWEST[kinds.number()];
        wanted = wanted - kinds.one_each();
    }
    cards & !rest
}

/// The resource cards in a hand: the set, and beside it the counts by kind, of which most questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand {
    cards: CardSet,
    counts: Resources,
}

impl Hand {
    /// The hand that holds these cards.
    #[inline]
    pub const fn of(cards: CardSet) -> Hand {
        Hand { cards, counts: count(cards) }
    }

    /// The cards.
    #[inline]
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// How many of each kind.
    #[inline]
    pub const fn counts(self) -> Resources {
        self.counts
    }

    /// Number of cards.
    #[inline]
    pub const fn size(self) -> u8 {
        self.counts.total()
    }

    /// Whether there are none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.cards == 0
    }

    /// Adds a card, 0..61, that is not in it.
    #[inline]
    pub fn add(&mut self, card: u8) {
        debug_assert!(self.cards >> card & 1 == 0, "card {card} is held already");
        self.cards |= 1 << card;
        self.counts = self.counts + Resources::one(kind_of(card));
    }

    /// Takes out cards of these kinds, which it holds, and returns them. Which cards of a kind these are is no
    /// choice and no information: observations know kinds only.
    #[inline]
    pub fn take(&mut self, wanted: Resources) -> CardSet {
        let taken = take(self.cards, wanted);
        self.cards &= !taken;
        self.counts = self.counts - wanted;
        taken
    }

    /// Adds cards of these kinds, which another hand has given.
    #[inline]
    pub fn put(&mut self, cards: CardSet, kinds: Resources) {
        debug_assert_eq!(count(cards), kinds, "what is put in");
        self.cards |= cards;
        self.counts = self.counts + kinds;
    }
}

/// A kind of card in the building row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Building {
    /// A road.
    Road,
    /// A settlement.
    Settlement,
    /// A city, which covers a settlement.
    City,
    /// A knight.
    Knight,
}

impl Building {
    /// Number of kinds.
    pub const COUNT: usize = 4;
    /// All kinds in the order of every table.
    pub const ALL: [Building; Building::COUNT] =
        [Building::Road, Building::Settlement, Building::City, Building::Knight];
    /// Cards in the building deck, in the order of [`Building::ALL`]. (OTR-2)
    pub const DECK: [u8; Building::COUNT] = [10, 11, 5, 8];

    /// Position in an array by kind.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }
}

/// How many cards of each kind of building, at most 127.
pub type Buildings = [u8; Building::COUNT];

/// Number of cards; below 256.
#[inline]
pub const fn total(cards: Buildings) -> u8 {
    // The top byte of the product is the sum of all.
    (u32::from_le_bytes(cards).wrapping_mul(0x0101_0101) >> 24) as u8
}

/// The kinds that are present, one bit for each.
#[inline]
pub const fn present(cards: Buildings) -> u8 {
    let flags = (u32::from_le_bytes(cards) + 0x7f7f_7f7f) & 0x8080_8080;
    // Bit 8 i of the flags, times bit 24 - 7 i, is bit 24 + i; all other products fall beside the top byte.
    ((flags >> 7).wrapping_mul(0x0102_0408) >> 24) as u8
}

/// A metropolis card, named after what its B side does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Metropolis {
    /// B side: draws a card for each road on building. (OTR-50)
    Roads,
    /// B side: draws a card for each knight on building. (OTR-51)
    Knights,
    /// B side: wins ties for Largest Army. (OTR-52)
    Army,
    /// B side: wins ties for Longest Route. (OTR-53)
    Route,
}

impl Named for Metropolis {
    const WHAT: &'static str = "metropolises";
    const NAMES: &'static [&'static str] = &["roads", "knights", "army", "route"];
}

impl Metropolis {
    /// Number of cards.
    pub const COUNT: usize = 4;
    /// All cards in the order of every table.
    pub const ALL: [Metropolis; Metropolis::COUNT] =
        [Metropolis::Roads, Metropolis::Knights, Metropolis::Army, Metropolis::Route];

    /// Position in an array by card.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// Its bit in a set of metropolises.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Anything that can be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Card {
    /// A road from the row.
    Road,
    /// A settlement from the row.
    Settlement,
    /// A city from the row.
    City,
    /// A knight from the row.
    Knight,
    /// The metropolis whose B side draws for roads.
    MetropolisRoads,
    /// The metropolis whose B side draws for knights.
    MetropolisKnights,
    /// The metropolis whose B side wins ties for Largest Army.
    MetropolisArmy,
    /// The metropolis whose B side wins ties for Longest Route.
    MetropolisRoute,
}

impl Card {
    /// Number of things to build.
    pub const COUNT: usize = 8;
    /// All of them: the row's kinds, then the metropolises.
    pub const ALL: [Card; Card::COUNT] = [
        Card::Road,
        Card::Settlement,
        Card::City,
        Card::Knight,
        Card::MetropolisRoads,
        Card::MetropolisKnights,
        Card::MetropolisArmy,
        Card::MetropolisRoute,
    ];

    /// Position in an array by card.
    #[inline]
    pub const fn idx(self) -> usize {
        self as usize
    }

    /// The metropolis that this card is, if it is one.
    #[inline]
    pub const fn metropolis(self) -> Option<Metropolis> {
        match self {
            Card::MetropolisRoads => Some(Metropolis::Roads),
            Card::MetropolisKnights => Some(Metropolis::Knights),
            Card::MetropolisArmy => Some(Metropolis::Army),
            Card::MetropolisRoute => Some(Metropolis::Route),
            Card::Road | Card::Settlement | Card::City | Card::Knight => None,
        }
    }

    /// The word on the terminal.
    pub const fn name(self) -> &'static str {
        match self {
            Card::Road => "road",
            Card::Settlement => "settlement",
            Card::City => "city",
            Card::Knight => "knight",
            Card::MetropolisRoads => "metropolis_roads",
            Card::MetropolisKnights => "metropolis_knights",
            Card::MetropolisArmy => "metropolis_army",
            Card::MetropolisRoute => "metropolis_route",
        }
    }
}

impl From<Building> for Card {
    fn from(building: Building) -> Card {
        Card::ALL[building.idx()]
    }
}

impl From<Metropolis> for Card {
    #[inline]
    fn from(metropolis: Metropolis) -> Card {
        Card::ALL[Building::COUNT + metropolis.idx()]
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An event. There are three Robbers; the others are single. (OTR-3)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// Who holds neither bonus card draws 2. (OTR-70)
    Abundance,
    /// The leaders each give a card to someone with fewer points. (OTR-71)
    Charity,
    /// Large hands are halved. (OTR-72)
    Robber,
    /// Everyone draws, and the event deck is shuffled. (OTR-73)
    Solstice,
    /// Everyone draws for uncovered settlements. (OTR-74)
    Subsidy,
}

impl Event {
    /// Number of event cards.
    pub const CARDS: usize = 7;
    /// All event cards, one bit for each card, in the order of [`Event::OF_CARD`].
    pub const DECK: u8 = (1 << Event::CARDS) - 1;
    /// The event on each card.
    pub const OF_CARD: [Event; Event::CARDS] = [
        Event::Abundance,
        Event::Charity,
        Event::Robber,
        Event::Robber,
        Event::Robber,
        Event::Solstice,
        Event::Subsidy,
    ];
    /// All events in the order of every table.
    pub const ALL: [Event; 5] =
        [Event::Abundance, Event::Charity, Event::Robber, Event::Solstice, Event::Subsidy];

    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Abundance => "abundance",
            Event::Charity => "charity",
            Event::Robber => "robber",
            Event::Solstice => "solstice",
            Event::Subsidy => "subsidy",
        }
    }
}
