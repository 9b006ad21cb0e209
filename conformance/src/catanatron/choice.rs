//! The other program's actions, and what they are here.

use crate::catanatron::field::{Field, Malformed};
use crate::catanatron::island::Island;
use crate::catanatron::words::{kind, resources, seat};
use crate::core::resources::Resource;
use crate::games::base::Base;
use crate::parts::bundles::Bundle;
use crate::parts::island::action::Action;
use crate::parts::trade::Audience;
use std::fmt;

/// What one seat gives and another gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// From the offering seat.
    pub give: Bundle,
    /// From the accepting seat.
    pub want: Bundle,
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} for {}", self.give, self.want)
    }
}

/// A recorded choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// What it is here.
    pub action: Action,
    /// The trade that it names, for offers and answers.
    pub terms: Option<Terms>,
    /// Cards that it gives the bank, for trades with it.
    pub rate: Option<u8>,
}

impl From<Action> for Choice {
    fn from(action: Action) -> Choice {
        Choice { action, terms: None, rate: None }
    }
}

/// Reads an action and its value.
///
/// # Errors
/// If the format has no such action.
pub fn read(
    game: &Base,
    island: &Island,
    word: Field<'_>,
    value: Field<'_>,
) -> Result<Choice, Malformed> {
    let talk = |action, terms| Ok(Choice { action, terms: Some(terms), rate: None });
    Ok(match word.word()? {
        "ROLL" => plain(Action::Roll, value)?,
        "END_TURN" => plain(Action::EndTurn, value)?,
        "BUY_DEVELOPMENT_CARD" => plain(Action::Buy, value)?,
        "PLAY_KNIGHT_CARD" => plain(Action::Knight, value)?,
        "PLAY_ROAD_BUILDING" => plain(Action::RoadBuilding, value)?,
        "CANCEL_TRADE" => plain(Action::Decline, value)?,
        "BUILD_SETTLEMENT" => Action::Settlement { vertex: island.vertex(value)? }.into(),
        "BUILD_CITY" => Action::City { vertex: island.vertex(value)? }.into(),
        "BUILD_ROAD" => Action::Road { edge: island.edge(game, value)? }.into(),
        "DISCARD_RESOURCE" => Action::Discard { card: kind(value)? }.into(),
        "PLAY_MONOPOLY" => Action::Monopoly { kind: kind(value)? }.into(),
        "PLAY_YEAR_OF_PLENTY" => plenty(value)?.into(),
        "MOVE_ROBBER" => {
            let [tile, victim] = value.list::<2>()?;
            let victim = victim.given().map(|victim| seat(game, victim)).transpose()?;
            Action::Robber { hex: island.hex(tile)?, victim }.into()
        }
        "MARITIME_TRADE" => maritime(value)?,
        "OFFER_TRADE" => {
            let terms = terms(value.list::<10>()?)?;
            let Terms { give, want } = terms;
            return talk(Action::Offer { to: Audience::All, give, want }, terms);
        }
        "ACCEPT_TRADE" => return talk(Action::Accept, terms(value.list::<10>()?)?),
        "REJECT_TRADE" => return talk(Action::Refuse, terms(value.list::<10>()?)?),
        "CONFIRM_TRADE" => {
            let all = value.list::<11>()?;
            let with = seat(game, all[10])?;
            return talk(Action::Settle { with }, terms(std::array::from_fn(|at| all[at]))?);
        }
        _ => return Err(word.bad("an action of the format")),
    })
}

/// An action without a value.
fn plain(action: Action, value: Field<'_>) -> Result<Choice, Malformed> {
    if value.is_null() { Ok(action.into()) } else { Err(value.bad("null")) }
}

fn plenty(value: Field<'_>) -> Result<Action, Malformed> {
    let kinds: Result<Vec<Resource>, Malformed> = value.items(1..=2)?.map(kind).collect();
    let mut kinds = kinds?;
    kinds.sort();
    Ok(Action::YearOfPlenty { first: kinds[0], second: kinds.get(1).copied() })
}

/// Up to four cards of one kind, then nulls, then the card that is taken.
fn maritime(value: Field<'_>) -> Result<Choice, Malformed> {
    let cards = value.list::<5>()?;
    let (give, want) = (kind(cards[0])?, kind(cards[4])?);
    let mut rate = 1;
    for (at, card) in cards[..4].iter().enumerate().skip(1) {
        if card.is_null() {
            continue;
        }
        if kind(*card)? != give || usize::from(rate) != at {
            return Err(value.bad("cards alike, then nulls"));
        }
        rate += 1;
    }
    Ok(Choice { action: Action::BankTrade { give, want }, terms: None, rate: Some(rate) })
}

fn terms(all: [Field<'_>; 10]) -> Result<Terms, Malformed> {
    let mut numbers = [0; 10];
    for (number, field) in numbers.iter_mut().zip(all) {
        *number = field.number(Bundle::KIND_MAX)?;
    }
    let half = |from: usize| Bundle::new(resources(std::array::from_fn(|at| numbers[from + at])));
    Ok(Terms { give: half(0), want: half(5) })
}
