//! Risk sets: seats that take a card at a moment, against seats that stand alike at such a moment without it.
//!
//! Each own turn of a seat is a moment, with the standing at its start: the seat, its points, and its lead
//! over the best other seat. In that turn a card is taken for the first time, or was taken before, or is
//! still to be taken: then the turn is a control, whatever comes later. So nothing is conditioned on that
//! comes after the moment, the length of the match included.
//!
//! Sources: R. Prentice, N. Breslow, "Retrospective studies and failure time models", 1978 (risk sets);
//! Y. Li, K. Propert, P. Rosenbaum, "Balanced risk set matching", 2001; H. van Houwelingen, "Dynamic
//! prediction by landmarking in event history analysis", 2007.

use crate::core::measure::standings::Standings;
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::sim::layout::Layout;
use std::array;

/// Points that are looked up; more of them count as so many.
const LOOKED_UP: usize = 32;

/// The own turns of each seat in the match that is being played, by their standings.
#[derive(Debug, Clone)]
pub struct Moments {
    /// The standing by own points and those of the best other seat: looked up, since it is asked for
    /// whenever points have changed.
    standing: [[u16; LOOKED_UP]; LOOKED_UP],
    of: PerSeat<Vec<u16>>,
    /// Where each seat stands now.
    now: PerSeat<u16>,
}

impl Moments {
    /// None yet; room for a number of turns.
    pub fn new(standings: Standings, turns_max: usize) -> Moments {
        let number = |points: usize| u8::try_from(points).expect("few points");
        let standing = |points: usize, other: usize| {
            u16::try_from(standings.of(number(points), number(other))).expect("few standings")
        };
        Moments {
            standing: array::from_fn(|points| array::from_fn(|other| standing(points, other))),
            of: array::from_fn(|_| Vec::with_capacity(turns_max + 1)),
            now: PerSeat::default(),
        }
    }

    /// A match begins; nobody has any points.
    pub fn clear(&mut self) {
        self.of.iter_mut().for_each(Vec::clear);
        self.now = [self.standing[0][0]; SEATS_MAX];
    }

    /// Where a seat stands from now on: its points, and those of the best other seat.
    #[inline]
    pub fn stand(&mut self, seat: Seat, points: u8, other: u8) {
        let known = |points: u8| usize::from(points).min(LOOKED_UP - 1);
        self.now[seat.idx()] = self.standing[known(points)][known(other)];
    }

    /// A turn of a seat begins.
    #[inline]
    pub fn begin(&mut self, seat: Seat) {
        self.of[seat.idx()].push(self.now[seat.idx()]);
    }

    /// The last turn of a seat was none: the match ended as it began.
    pub fn take_back(&mut self, seat: Seat) {
        self.of[seat.idx()].pop();
    }

    /// Own turns of a seat so far.
    #[inline]
    pub fn turns(&self, seat: Seat) -> u16 {
        u16::try_from(self.of[seat.idx()].len()).expect("a number of turns")
    }

    /// Counts all moments of a seat.
    pub fn count(&self, layout: &Layout, agent: usize, seat: Seat, won: bool, sums: &mut [u64]) {
        let at = layout.moments(agent, seat);
        add::<2>(&mut sums[at..at + 2 * layout.standings()], 0, &self.of[seat.idx()], won);
    }

    /// Counts a card that a seat took first in its own turn of this number, from 1; 0: before its first.
    /// From that moment on, the seat is in no risk set of the card.
    pub fn count_taken(
        &self,
        (sums, at): (&mut [u64], usize),
        layout: &Layout,
        (seat, turn): (Seat, u16),
        won: bool,
    ) {
        let counters = &mut sums[at..at + Layout::RISK_WIDTH * layout.standings()];
        let own = &self.of[seat.idx()];
        let from = usize::from(turn.max(1)) - 1;
        add::<{ Layout::RISK_WIDTH }>(counters, Layout::RISK_GONE, &own[from..], won);
        if turn > 0 {
            add::<{ Layout::RISK_WIDTH }>(counters, 0, &own[from..=from], won);
        }
    }
}

/// Adds one for each standing, and one beside it if the match was won.
#[inline]
fn add<const WIDTH: usize>(counters: &mut [u64], first: usize, standings: &[u16], won: bool) {
    let (counters, _) = counters.as_chunks_mut::<WIDTH>();
    if won {
        for &standing in standings {
            let counters = &mut counters[usize::from(standing)];
            counters[first] += 1;
            counters[first + 1] += 1;
        }
    } else {
        for &standing in standings {
            counters[usize::from(standing)][first] += 1;
        }
    }
}
