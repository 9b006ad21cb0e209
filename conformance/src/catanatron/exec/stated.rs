//! What a seat may read of a position that the other program states: its own cards, the numbers of cards in hands, and
//! the bank.

use crate::catanatron::exec::messages::Document;
use crate::catanatron::field::{Field, part};
use crate::catanatron::words;
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::parts::island::cards::Cards;
use serde_json::Value;
use serde_json::value::RawValue;

/// What a seat may read of a position.
pub struct Stated {
    /// Its hand.
    pub hand: Resources,
    /// Its development cards.
    pub cards: Cards,
    /// Cards in each hand, by seat.
    pub sizes: Vec<u8>,
    /// The bank.
    pub bank: Resources,
}

impl Stated {
    /// Reads it.
    ///
    /// # Errors
    /// If a number is missing, or out of range.
    pub fn read(document: &Document<'_>, own: Seat) -> Result<Stated, String> {
        let all = read("player_state", document.player_state)?;
        let bank = read("resource_freqdeck", document.resource_freqdeck)?;
        let bank = Field::new("resource_freqdeck", &bank).numbers::<5>(19).map_err(text)?;
        let number = |seat: usize, name: &str| {
            let number = all.get(format!("P{seat}_{name}")).and_then(Value::as_u64);
            number.and_then(|number| u8::try_from(number).ok()).filter(|&number| number <= 95)
        };
        let hand = |seat: usize| -> Option<[u8; 5]> {
            let mut counts = [0; 5];
            for (count, kind) in counts.iter_mut().zip(words::KINDS) {
                *count = number(seat, &format!("{}_IN_HAND", kind.0)).filter(|&held| held <= 19)?;
            }
            Some(counts)
        };
        let lacks = |seat: usize| format!("`player_state` lacks the hand of seat {seat}");
        let size = |seat: usize| {
            let size = number(seat, "NUM_RESOURCES_IN_HAND");
            size.or_else(|| Some(hand(seat)?.iter().sum())).ok_or_else(|| lacks(seat))
        };
        let sizes: Result<Vec<u8>, String> = (0..document.colors.len()).map(size).collect();
        let mut cards = Cards::default();
        for (word, card) in words::CARDS {
            let count = number(own.idx(), &format!("{word}_IN_HAND"));
            cards[card.idx()] = count.ok_or_else(|| lacks(own.idx()))?;
        }
        let hand = hand(own.idx()).ok_or_else(|| lacks(own.idx()))?;
        Ok(Stated {
            hand: words::resources(hand),
            cards,
            sizes: sizes?,
            bank: words::resources(bank),
        })
    }
}

/// Reads a part of a message.
///
/// # Errors
/// If it is too long or too deep.
pub fn read(name: &'static str, value: &RawValue) -> Result<Value, String> {
    part(name, value).map_err(text)
}

/// A complaint as text.
pub fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
