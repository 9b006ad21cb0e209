//! Offers between players as the other program has them answered: in seat order, by the maker too unless it
//! is in the first seat. Ours asks clockwise from the maker, who chooses when all have answered. So answers are
//! kept until the last one is there, and then passed to our rules in our order.

use crate::catanatron::choice::{Choice, Terms};
use crate::catanatron::trouble::{Trouble, differs, same};
use crate::core::types::seat::{PerSeat, Seat};
use crate::parts::island::action::Action;
use crate::parts::island::state::Table;

/// An offer and its answers.
#[derive(Debug, Clone, Copy)]
pub struct OpenOffer {
    terms: Terms,
    maker: Seat,
    /// Who has accepted, by seat.
    pub accepted: PerSeat<bool>,
    /// Who answers next; the maker chooses when all have.
    next: Option<Seat>,
}

impl OpenOffer {
    /// An offer that nobody has answered, at a table of so many players.
    pub fn new(terms: Terms, maker: Seat, players: u8) -> OpenOffer {
        let next = Seat::all(players).find(|&seat| seat != maker);
        OpenOffer { terms, maker, accepted: Default::default(), next }
    }

    /// What is offered.
    pub fn terms(&self) -> Terms {
        self.terms
    }

    /// Who answers, or who chooses among the answers.
    pub fn asked(&self) -> Seat {
        self.next.unwrap_or(self.maker)
    }

    /// Whether answers are still due.
    pub fn is_open(&self) -> bool {
        self.next.is_some()
    }

    /// Whether the maker is asked to answer itself.
    pub fn asks_maker(&self) -> bool {
        self.next == Some(self.maker)
    }

    /// Whether the maker has accepted its own offer.
    pub fn maker_accepted(&self) -> bool {
        self.accepted[self.maker.idx()]
    }

    /// Whether an action is a trade of the maker with itself.
    pub fn is_own(&self, action: Action) -> bool {
        action == Action::Settle { with: self.maker }
    }

    /// Who made the offer.
    pub fn maker(&self) -> Seat {
        self.maker
    }

    /// Notes the answer of the seat that is asked.
    pub fn answer(&mut self, accepted: bool, players: u8) {
        let Some(seat) = self.next else { return };
        self.accepted[seat.idx()] = accepted;
        self.next = Seat::all(players).find(|next| *next > seat);
    }

    /// The answer of a seat, once it is there.
    pub fn answer_of(&self, seat: Seat) -> Action {
        if self.accepted[seat.idx()] { Action::Accept } else { Action::Refuse }
    }

    /// Whether the offer stays on the table: someone has yet to answer, or has accepted.
    pub fn remains(&self) -> bool {
        self.is_open() || self.accepted.contains(&true)
    }
}

/// Complains of a trade on other terms than those on the table.
///
/// # Errors
/// If the field holds such a trade.
pub fn check_terms(
    table: &Table,
    offer: Option<&OpenOffer>,
    choice: Choice,
    field: &'static str,
) -> Result<(), Trouble> {
    if let Some(rate) = choice.rate
        && let Action::BankTrade { give, .. } = choice.action
    {
        same(field, &rate, &table.rates[table.active.idx()][give.idx()])?;
    }
    let answer = !matches!(choice.action, Action::Offer { .. });
    let Some(terms) = choice.terms.filter(|_| answer) else { return Ok(()) };
    let open = offer.map(OpenOffer::terms);
    if open == Some(terms) {
        return Ok(());
    }
    let due = open.map_or("no answer".to_owned(), |open| open.to_string());
    Err(differs(field, terms.to_string(), due))
}
