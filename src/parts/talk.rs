//! What players say to each other in a trade: who a proposal is for, and how it is answered. When and what
//! may be proposed is up to each game.

use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::parts::resources::{Bundle, Resources};
use serde::{Deserialize, Serialize};

/// Who a proposal is addressed to. In records, 0 stands for all, any other number for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Every other player.
    All,
    /// One player.
    One(Seat),
}

impl Serialize for Audience {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(match self {
            Audience::All => 0,
            Audience::One(seat) => seat.number(),
        })
    }
}

impl<'de> Deserialize<'de> for Audience {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Audience, D::Error> {
        let number = u8::deserialize(deserializer)?;
        match number.checked_sub(1) {
            None => Ok(Audience::All),
            Some(idx) if usize::from(idx) < SEATS_MAX => Ok(Audience::One(Seat::new(idx))),
            Some(_) => Err(serde::de::Error::custom(format!("no seat {number}"))),
        }
    }
}

/// An answer to a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Answer {
    /// Not asked, or not yet.
    #[default]
    None,
    /// Refused.
    Refused,
    /// Accepted.
    Accepted,
    /// Another trade instead, as the answering player sees it.
    Countered {
        /// What the answering player would give.
        give: Bundle,
        /// What the answering player would get.
        want: Bundle,
    },
}

/// The proposal on the table and its answers, at a table of up to `SEATS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Talk<const SEATS: usize> {
    /// Who is asked.
    pub to: Audience,
    /// What the current player would give.
    pub give: Bundle,
    /// What the current player would get.
    pub want: Bundle,
    /// Answers by seat.
    pub answers: [Answer; SEATS],
}

impl<const SEATS: usize> Talk<SEATS> {
    /// No proposal.
    pub const SILENCE: Talk<SEATS> = Talk::new(Audience::All, Bundle::NONE, Bundle::NONE);

    /// A proposal that nobody has answered.
    pub const fn new(to: Audience, give: Bundle, want: Bundle) -> Talk<SEATS> {
        Talk { to, give, want, answers: [Answer::None; SEATS] }
    }

    /// Who answers first, at a table of `seats`.
    pub fn first_asked(&self, proposer: Seat, seats: u8) -> Seat {
        match self.to {
            Audience::All => proposer.next(seats),
            Audience::One(seat) => seat,
        }
    }

    /// Notes an answer; says who answers next, if anyone does.
    pub fn hear(&mut self, seat: Seat, answer: Answer, proposer: Seat, seats: u8) -> Option<Seat> {
        self.answers[seat.idx()] = answer;
        let next = seat.next(seats);
        (self.to == Audience::All && next != proposer).then_some(next)
    }

    /// Whether anyone has accepted or countered.
    pub fn has_takers(&self) -> bool {
        self.answers.iter().any(|answer| !matches!(answer, Answer::None | Answer::Refused))
    }

    /// What the current player would give to and get from a seat that accepted or countered.
    pub fn terms_with(&self, seat: Seat) -> Option<(Resources, Resources)> {
        let (give, get) = match self.answers[seat.idx()] {
            Answer::Accepted => (self.give, self.want),
            Answer::Countered { give, want } => (want, give),
            Answer::None | Answer::Refused => return None,
        };
        Some((give.cards(), get.cards()))
    }
}
