//! Trade between players as numbers: proposals and answers, and actions of offering.

use crate::core::arrays::{ActionKind, ActionNumbers, Columns, steps};
use crate::core::resources::Resources;
use crate::core::types::seat::Seat;
use crate::parts::bundle_sets::{BUNDLES_MAX, bundle_number};
use crate::parts::trade::{Answer, Audience, Proposal};

/// A kind of offers or counters, which are told apart by what is given and what is got.
pub fn offer_kind(name: &'static str) -> ActionKind {
    let fields = [("give", BUNDLES_MAX), ("want", BUNDLES_MAX)];
    ActionKind { is_offer: true, ..ActionKind::new(name, &fields) }
}

/// An offer or a counter.
#[inline]
pub fn swap(kind: usize, give: Resources, get: Resources) -> ActionNumbers {
    ActionNumbers::new(kind, [bundle_number(give), bundle_number(get), 0]).with(give, get)
}

/// The proposal on the table, and what was said to it, by seats from whoever looks.
pub fn tell_proposal<const SEATS: usize>(
    (seat, players): (Seat, u8),
    proposal: Option<&Proposal<SEATS>>,
    out: &mut impl Columns,
) {
    let seats = usize::from(players);
    out.group("proposal", 1, &[("asks", seats), ("give", 5), ("want", 5)], |rows| {
        let Some(proposal) = proposal else { return };
        let mut row = rows.row(0);
        match proposal.to {
            Audience::All => row.all((0..seats).map(|_| true)),
            Audience::One(asked) => row.one_of(Some(steps(seat, asked, players)), seats),
        };
        row.cards(proposal.give.cards()).cards(proposal.want.cards());
    });
    let said = [("refused", 1), ("accepted", 1), ("countered", 1), ("give", 5), ("want", 5)];
    out.group("answers", seats, &said, |rows| {
        let Some(proposal) = proposal else { return };
        for (place, other) in seat.clockwise(players).enumerate() {
            match proposal.answers[other.idx()] {
                Answer::None => {}
                Answer::Refused => rows.set(place, 0, 1),
                Answer::Accepted => rows.set(place, 1, 1),
                Answer::Countered { give, want } => {
                    rows.row(place)
                        .all([false, false, true])
                        .cards(give.cards())
                        .cards(want.cards());
                }
            }
        }
    });
}
