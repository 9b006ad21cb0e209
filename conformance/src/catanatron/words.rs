//! The other program's words for resources, cards and seats, and what they are called here.

use crate::catanatron::field::{Field, Malformed};
use crate::core::game::Game;
use crate::core::resources::{Resource, Resources};
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::island::board::Terrain;
use crate::parts::island::cards::{Card, Cards};

/// The order of resources.
pub const KINDS: [(&str, Resource); 5] = [
    ("WOOD", Resource::Lumber),
    ("BRICK", Resource::Brick),
    ("SHEEP", Resource::Wool),
    ("WHEAT", Resource::Grain),
    ("ORE", Resource::Ore),
];

/// The order of development cards.
pub const CARDS: [(&str, Card); 5] = [
    ("KNIGHT", Card::Knight),
    ("YEAR_OF_PLENTY", Card::YearOfPlenty),
    ("MONOPOLY", Card::Monopoly),
    ("ROAD_BUILDING", Card::RoadBuilding),
    ("VICTORY_POINT", Card::VictoryPoint),
];

/// A resource.
///
/// # Errors
/// If it is not one.
pub fn kind(field: Field<'_>) -> Result<Resource, Malformed> {
    let word = field.word()?;
    let kind = KINDS.iter().find(|(known, _)| *known == word);
    kind.map(|(_, kind)| *kind).ok_or_else(|| field.bad("a resource"))
}

/// A resource, or nothing: a desert, a harbour for all.
///
/// # Errors
/// If it is neither.
pub fn terrain(field: Field<'_>) -> Result<Terrain, Malformed> {
    field.given().map(kind).transpose()
}

/// A development card.
///
/// # Errors
/// If it is not one.
pub fn card(field: Field<'_>) -> Result<Card, Malformed> {
    let word = field.word()?;
    let card = CARDS.iter().find(|(known, _)| *known == word);
    card.map(|(_, card)| *card).ok_or_else(|| field.bad("a development card"))
}

/// Its word.
pub fn card_word(card: Card) -> &'static str {
    CARDS.iter().find(|(_, known)| *known == card).map_or("", |(word, _)| word)
}

/// Counts in the order of resources.
pub fn resources(counts: [u8; 5]) -> Resources {
    let kinds = KINDS.iter().zip(counts);
    kinds.fold(Resources::NONE, |all, ((_, kind), count)| all + Resources::many(*kind, count))
}

/// The reverse.
pub fn counts(cards: Resources) -> [u8; 5] {
    KINDS.map(|(_, kind)| cards.get(kind))
}

/// Counts in the order of development cards.
pub fn card_counts(cards: Cards) -> [u8; 5] {
    CARDS.map(|(_, card)| cards[card.idx()])
}

/// A seat at the table; the format counts from 0.
///
/// # Errors
/// If nobody sits there.
pub fn seat(game: &Base, field: Field<'_>) -> Result<Seat, Malformed> {
    Ok(Seat::new(field.number(game.players() - 1)?))
}
