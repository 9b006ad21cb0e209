//! The results of chance, as they are recorded.

use crate::catanatron::field::Field;
use crate::catanatron::trouble::{Trouble, differs, same};
use crate::catanatron::words;
use crate::core::chance::Chance;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::luck::Draw;
use crate::parts::island::state::State;

/// Chance with a known outcome.
pub struct Given(pub u8);

impl Chance<Draw> for Given {
    fn start_turn(&mut self, _turn: u16) {}

    fn card(&mut self, _draw: Draw, _among: u64) -> u8 {
        self.0
    }

    fn kind(&mut self, _draw: Draw, _counts: &[u8]) -> u8 {
        self.0
    }
}

/// The recorded outcome of an action in `state`, as a number for [`Given`]. A card that is bought comes off
/// the end of `deck`.
///
/// # Errors
/// If it can't be read, or can't be the outcome.
pub fn outcome(
    state: &State,
    deck: &mut Vec<Card>,
    action: Action,
    result: Field<'_>,
) -> Result<u8, Trouble> {
    match action {
        Action::Roll => {
            let [one, two] = result.numbers::<2>(6)?;
            if one == 0 || two == 0 {
                return Err(result.bad("two dice").into());
            }
            Ok(6 * (one - 1) + two - 1)
        }
        Action::Buy => {
            let card = words::card(result)?;
            same("r", &Some(card), &deck.pop())?;
            Ok(u8::try_from(card.idx()).expect("few cards"))
        }
        Action::Robber { victim: Some(victim), .. } => {
            let kind = words::kind(result)?;
            let hand = state.hands[victim.idx()];
            if hand.get(kind) == 0 {
                return Err(differs("r", kind.name().to_owned(), format!("one of {hand}")));
            }
            Ok(u8::try_from(kind.idx()).expect("few kinds"))
        }
        _ if result.is_null() => Ok(0),
        // Discards repeat the card.
        Action::Discard { card } => Ok(same("r", &words::kind(result)?, &card).map(|()| 0)?),
        _ => Err(differs("r", result.text(), "null".to_owned())),
    }
}
