//! Offers between players as the other program has them answered: in seat order, by the maker too unless it
//! is in the first seat. Ours asks clockwise from the maker, who chooses when all have answered. So answers are
//! kept until the last one is there, and then passed to our rules in our order.

use crate::conformance::catanatron::differences::Difference;
use crate::conformance::catanatron::luck::Given;
use crate::conformance::catanatron::replay::Replay;
use crate::conformance::catanatron::trouble::Trouble;
use crate::conformance::catanatron::trouble::differs;
use crate::conformance::catanatron::trouble::same;
use crate::conformance::catanatron::words::Choice;
use crate::conformance::catanatron::words::Terms;
use crate::game::Game;
use crate::games::base::action::Action;
use crate::games::base::state::Phase;
use crate::types::seat::PerSeat;
use crate::types::seat::Seat;

/// An offer and its answers.
#[derive(Debug, Clone, Copy)]
pub struct Haggle {
    terms: Terms,
    maker: Seat,
    /// Who has accepted, by seat.
    pub accepted: PerSeat<bool>,
    /// Who answers next; the maker chooses when all have.
    next: Option<Seat>,
}

impl Haggle {
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
}

impl Replay {
    /// Complains of a trade on other terms than those on the table.
    ///
    /// # Errors
    /// If the field holds such a trade.
    pub fn check_terms(&self, choice: Choice, field: &'static str) -> Result<(), Trouble> {
        if let Some(rate) = choice.rate
            && let Action::BankTrade { give, .. } = choice.action
        {
            let table = &self.state.table;
            same(field, &rate, &table.rates[table.active.idx()][give.idx()])?;
        }
        let answer = !matches!(choice.action, Action::Offer { .. });
        match choice.terms.filter(|_| answer) {
            Some(terms) => {
                let open = self.haggle.as_ref().map(Haggle::terms);
                let due = open.map_or("no answer".to_owned(), |open| open.to_string());
                if open == Some(terms) {
                    Ok(())
                } else {
                    Err(differs(field, terms.to_string(), due))
                }
            }
            None => Ok(()),
        }
    }

    /// An offer to all.
    pub fn offer(&mut self, action: Action) {
        let Action::Offer { give, want, .. } = action else { return };
        let maker = self.state.table.current;
        self.apply(action);
        let first = Seat::all(self.ours.players()).find(|&seat| seat != maker);
        let terms = Terms { give, want };
        self.haggle = Some(Haggle { terms, maker, accepted: Default::default(), next: first });
        self.met.add(Difference::NoCounter);
        if maker != Seat::FIRST {
            self.met.add(Difference::OwnOffer);
        }
    }

    /// An answer to it, or the answer that its maker takes.
    pub fn answer(&mut self, action: Action) {
        let Some(mut haggle) = self.haggle.take() else { return };
        let Some(seat) = haggle.next else { return self.choose(&haggle, action) };
        haggle.accepted[seat.idx()] = action == Action::Accept;
        haggle.next = Seat::all(self.ours.players()).find(|next| *next > seat);
        if haggle.next.is_none() {
            self.give_answers(&haggle);
        }
        if haggle.next.is_some() || haggle.accepted.contains(&true) {
            self.haggle = Some(haggle);
        }
    }

    /// Passes all answers to our rules, in our order.
    fn give_answers(&mut self, haggle: &Haggle) {
        while let Phase::Answer(seat) = self.state.table.phase {
            let accepted = haggle.accepted[seat.idx()];
            self.apply(if accepted { Action::Accept } else { Action::Refuse });
        }
    }

    /// The maker takes an answer or none. If it alone has accepted, our rules have moved on already.
    fn choose(&mut self, haggle: &Haggle, action: Action) {
        if self.state.table.phase == Phase::Choose {
            self.apply(if haggle.is_own(action) { Action::Decline } else { action });
        }
    }

    fn apply(&mut self, action: Action) {
        self.theirs.apply(&mut self.state, action, &mut Given(0));
    }
}
