//! Trade between players: a proposal to all or to one, an answer of each who is asked, and the proposer's choice
//! among those who accepted or countered. When a trade may be proposed, and how cards change hands, is up to each
//! game.

use crate::core::game::{IllegalAction, ensure};
use crate::core::resources::Resources;
use crate::core::types::actions::{Choices, Listing};
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::parts::bundles::Bundle;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Who a proposal is addressed to. In records, 0 stands for all, any other number for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    /// Every other player.
    All,
    /// One player.
    One(Seat),
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Audience::All => f.write_str("all"),
            Audience::One(seat) => write!(f, "seat {seat}"),
        }
    }
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
pub struct Proposal<const SEATS: usize> {
    /// Who is asked.
    pub to: Audience,
    /// What the current player would give.
    pub give: Bundle,
    /// What the current player would get.
    pub want: Bundle,
    /// Answers by seat.
    pub answers: [Answer; SEATS],
}

impl<const SEATS: usize> Proposal<SEATS> {
    /// No proposal.
    pub const NONE: Proposal<SEATS> = Proposal::new(Audience::All, Bundle::NONE, Bundle::NONE);

    /// A proposal that nobody has answered.
    pub const fn new(to: Audience, give: Bundle, want: Bundle) -> Proposal<SEATS> {
        Proposal { to, give, want, answers: [Answer::None; SEATS] }
    }

    /// Who answers first, at a table of `seats`.
    pub fn first_asked(&self, proposer: Seat, seats: u8) -> Seat {
        match self.to {
            Audience::All => proposer.next(seats),
            Audience::One(seat) => seat,
        }
    }

    /// Notes an answer; says what comes next. Each who is asked answers once, in turn order.
    pub fn answer(&mut self, seat: Seat, answer: Answer, proposer: Seat, seats: u8) -> Next {
        self.answers[seat.idx()] = answer;
        let next = seat.next(seats);
        if self.to == Audience::All && next != proposer {
            return Next::Answer(next);
        }
        let takes = |answer: &Answer| !matches!(answer, Answer::None | Answer::Refused);
        if self.answers.iter().any(takes) { Next::Choose } else { Next::Refused }
    }

    /// What the proposer would give to and get from a seat that accepted or countered.
    #[inline]
    pub fn terms_with(&self, seat: Seat) -> Option<(Resources, Resources)> {
        let (give, get) = match self.answers[seat.idx()] {
            Answer::Accepted => (self.give, self.want),
            Answer::Countered { give, want } => (want, give),
            Answer::None | Answer::Refused => return None,
        };
        Some((give.cards(), get.cards()))
    }

    /// The same, if both hold what they would give.
    #[inline]
    pub fn deal_with(
        &self,
        with: Seat,
        proposer: Seat,
        hand: impl Fn(Seat) -> Resources,
    ) -> Option<(Resources, Resources)> {
        let (give, get) = self.terms_with(with)?;
        (hand(proposer).covers(give) && hand(with).covers(get)).then_some((give, get))
    }

    /// Whether it may be made: to another player at the table, by one who holds what it gives. A proposer who
    /// may bluff shows no hand.
    ///
    /// # Errors
    /// Says what forbids it.
    pub fn check(
        &self,
        proposer: Seat,
        hand: Option<Resources>,
        seats: u8,
    ) -> Result<(), IllegalAction> {
        if let Audience::One(seat) = self.to {
            let seated = seat.idx() < usize::from(seats);
            ensure(seated && seat != proposer, "an offer goes to another player")?;
        }
        check_sides(self.give, self.want)?;
        let held = hand.is_none_or(|hand| hand.covers(self.give.cards()));
        ensure(held, "who proposes must hold what it would give")
    }

    /// Whom the proposer may choose to trade with.
    #[inline]
    pub fn partners(
        &self,
        proposer: Seat,
        seats: u8,
        hand: impl Fn(Seat) -> Resources,
    ) -> Partners {
        let proposers = hand(proposer);
        let can = |&with: &Seat| {
            let terms = self.terms_with(with);
            terms.is_some_and(|(give, get)| proposers.covers(give) && hand(with).covers(get))
        };
        let with = Seat::all(seats).filter(can).fold(0, |all, with| all | 1 << with.idx());
        Partners { with, seats }
    }
}

/// What a proposer may choose when all have answered: to trade with nobody, or with one of some seats.
#[derive(Debug, Clone, Copy)]
pub struct Partners {
    /// One bit for each of them.
    with: u8,
    /// Seats at the table.
    seats: u8,
}

impl<A: TradeAction> Choices<A> for Partners {
    #[inline]
    fn list(&self, out: &mut impl Listing<A>) {
        let Partners { with, seats } = *self;
        out.one(A::DECLINE);
        let seats = Seat::all(seats).filter(|seat| with >> seat.idx() & 1 == 1);
        out.each(with.count_ones() as usize, seats.map(A::settle));
    }
}

/// What comes after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// This seat answers.
    Answer(Seat),
    /// The proposer chooses among those who accepted or countered.
    Choose,
    /// Nothing: everyone asked has refused.
    Refused,
}

/// Whether a counter may be made by a seat with this hand.
///
/// # Errors
/// Says what forbids it.
pub fn check_counter(give: Bundle, want: Bundle, hand: Resources) -> Result<(), IllegalAction> {
    check_sides(give, want)?;
    ensure(hand.covers(give.cards()), "who counters must hold what it would give")
}

fn check_sides(give: Bundle, want: Bundle) -> Result<(), IllegalAction> {
    let (give, want) = (give.cards(), want.cards());
    ensure(!give.is_empty() && !want.is_empty(), "both sides give at least one card")?;
    ensure(give.is_disjoint(want), "no kind may go both ways")
}

/// A game's actions, as far as they are what players say in a trade.
pub trait TradeAction: Copy {
    /// Refuses the proposal.
    const REFUSE: Self;
    /// Accepts the proposal.
    const ACCEPT: Self;
    /// Trades with nobody.
    const DECLINE: Self;

    /// Proposes a trade.
    fn offer(to: Audience, give: Bundle, want: Bundle) -> Self;

    /// Answers the proposal with another.
    fn counter(give: Bundle, want: Bundle) -> Self;

    /// Trades with a player who accepted or countered.
    fn settle(with: Seat) -> Self;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::resources::Resource;
    use crate::core::resources::Resource::{Brick, Grain, Ore, Wool};
    use crate::core::types::actions::Actions;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Said {
        Refuse,
        Accept,
        Decline,
        Offer(Audience, Bundle, Bundle),
        Counter(Bundle, Bundle),
        Settle(Seat),
    }

    impl TradeAction for Said {
        const REFUSE: Said = Said::Refuse;
        const ACCEPT: Said = Said::Accept;
        const DECLINE: Said = Said::Decline;

        fn offer(to: Audience, give: Bundle, want: Bundle) -> Said {
            Said::Offer(to, give, want)
        }

        fn counter(give: Bundle, want: Bundle) -> Said {
            Said::Counter(give, want)
        }

        fn settle(with: Seat) -> Said {
            Said::Settle(with)
        }
    }

    const SEATS: [Seat; 4] = [Seat::new(0), Seat::new(1), Seat::new(2), Seat::new(3)];

    fn one(kind: Resource) -> Bundle {
        Bundle::new(Resources::one(kind))
    }

    /// A brick for an ore, proposed by seat 2 of 4.
    fn brick_for_ore(to: Audience) -> Proposal<4> {
        Proposal::new(to, one(Brick), one(Ore))
    }

    #[test]
    fn everyone_else_answers_once_in_turn_order() {
        let [first, proposer, third, fourth] = SEATS;
        let mut proposal = brick_for_ore(Audience::All);
        assert_eq!(proposal.first_asked(proposer, 4), third);
        assert_eq!(proposal.answer(third, Answer::Refused, proposer, 4), Next::Answer(fourth));
        assert_eq!(proposal.answer(fourth, Answer::Accepted, proposer, 4), Next::Answer(first));
        assert_eq!(proposal.answer(first, Answer::Refused, proposer, 4), Next::Choose);
    }

    #[test]
    fn a_proposal_that_all_refuse_is_over() {
        let [first, proposer, third, fourth] = SEATS;
        let mut proposal = brick_for_ore(Audience::All);
        for seat in [third, fourth] {
            proposal.answer(seat, Answer::Refused, proposer, 4);
        }
        assert_eq!(proposal.answer(first, Answer::Refused, proposer, 4), Next::Refused);
    }

    #[test]
    fn who_alone_is_asked_alone_answers() {
        let [_, proposer, _, fourth] = SEATS;
        let mut proposal = brick_for_ore(Audience::One(fourth));
        assert_eq!(proposal.first_asked(proposer, 4), fourth);
        assert_eq!(proposal.answer(fourth, Answer::Accepted, proposer, 4), Next::Choose);
        let mut proposal = brick_for_ore(Audience::One(fourth));
        assert_eq!(proposal.answer(fourth, Answer::Refused, proposer, 4), Next::Refused);
    }

    #[test]
    fn partners_are_those_who_agree_and_can_pay_as_the_proposer_can() {
        let [first, proposer, third, fourth] = SEATS;
        let mut proposal = brick_for_ore(Audience::All);
        proposal.answer(
            third,
            Answer::Countered { give: one(Wool), want: one(Grain) },
            proposer,
            4,
        );
        proposal.answer(fourth, Answer::Accepted, proposer, 4);
        proposal.answer(first, Answer::Accepted, proposer, 4);
        let brick_and_grain = Resources::one(Brick) + Resources::one(Grain);
        let hands = [Resources::NONE, brick_and_grain, Resources::one(Wool), Resources::one(Ore)];
        let partners = |hands: [Resources; 4]| {
            let mut list = Actions::<Said>::new();
            proposal.partners(proposer, 4, |seat| hands[seat.idx()]).list(&mut list);
            list.to_vec()
        };
        assert_eq!(partners(hands), [Said::Decline, Said::Settle(third), Said::Settle(fourth)]);
        let deal = |with| proposal.deal_with(with, proposer, |seat| hands[seat.idx()]);
        assert_eq!(deal(third), Some((Resources::one(Grain), Resources::one(Wool))));
        assert_eq!(deal(fourth), Some((Resources::one(Brick), Resources::one(Ore))));
        assert_eq!((deal(first), deal(proposer)), (None, None));
        let poor = [hands[0], Resources::one(Brick), hands[2], hands[3]];
        assert_eq!(partners(poor), [Said::Decline, Said::Settle(fourth)], "no grain for the wool");
    }

    #[test]
    fn an_offer_names_another_player_and_two_sides_that_differ() {
        let [_, proposer, third, _] = SEATS;
        let brick = Some(Resources::one(Brick));
        let check = |to, give, want, hand| {
            let proposal = Proposal::<4>::new(to, give, want);
            proposal.check(proposer, hand, 3).map_err(|error| error.to_string())
        };
        let fault = |to, give, want, hand| check(to, give, want, hand).unwrap_err();
        let (all, ore) = (Audience::All, one(Ore));
        assert_eq!(check(all, one(Brick), ore, brick), Ok(()));
        assert_eq!(check(Audience::One(third), one(Brick), ore, brick), Ok(()));
        assert_eq!(check(all, one(Grain), ore, None), Ok(()), "a bluff");
        for seat in [proposer, SEATS[3]] {
            let fault = fault(Audience::One(seat), one(Brick), ore, brick);
            assert!(fault.contains("another player"), "{fault}");
        }
        assert!(fault(all, Bundle::NONE, ore, brick).contains("at least one card"));
        assert!(fault(all, one(Brick), Bundle::NONE, brick).contains("at least one card"));
        assert!(fault(all, one(Brick), one(Brick), brick).contains("both ways"));
        assert!(fault(all, one(Grain), ore, brick).contains("who proposes must hold"));
        let fault = check_counter(one(Grain), ore, Resources::NONE).unwrap_err().to_string();
        assert!(fault.contains("who counters must hold"), "{fault}");
    }
}
