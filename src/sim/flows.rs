//! Resource cards that move in a match: noted kind by kind as they move, and counted once a band of turns.

use crate::core::measure::Flow;
use crate::core::resources::{Resource, Resources};
use crate::sim::layout::Layout;

/// Sums by kind of resource; the lanes behind the kinds stay 0. A kind has 127 cards at most and a decision
/// adds to a lane twice at most, so a lane holds 16 million decisions: more than a match may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Lanes([u32; 8]);

impl Lanes {
    #[inline]
    fn add(&mut self, cards: Resources) {
        for (lane, cards) in self.0.iter_mut().zip(cards.lanes()) {
            *lane += u32::from(cards);
        }
    }
}

/// What has moved in a band of turns, and the turns that ended in it.
#[derive(Debug, Clone, Default)]
pub struct Flows {
    /// By counter of [`Layout::economy`].
    moved: [Lanes; Layout::ECONOMY],
    turns: u32,
}

impl Flows {
    /// Notes what a decision does with cards.
    #[allow(clippy::inline_always, reason = "else each flow is written and read again; measured")]
    #[inline(always)]
    pub fn add(&mut self, flow: Flow) {
        match flow {
            Flow::Paid { cards, substituted } => {
                self.note(Layout::SPENT, cards);
                if !substituted.is_empty() {
                    self.note(Layout::SUBSTITUTED, substituted);
                }
            }
            Flow::Banked { given, received } => {
                self.note(Layout::BANK_GIVEN, given);
                self.note(Layout::BANK_RECEIVED, received);
            }
            Flow::Traded(cards) => self.note(Layout::TRADED, cards),
            Flow::Passed(cards) => self.note(Layout::PASSED, cards),
            Flow::Discarded(cards) => self.note(Layout::DISCARDED, cards),
        }
    }

    /// Notes cards that were drawn.
    #[inline]
    pub fn drawn(&mut self, cards: Resources) {
        self.note(Layout::DRAWN, cards);
    }

    /// Notes the end of a turn, and the cards in all hands then.
    #[inline]
    pub fn end_turn(&mut self, held: Resources) {
        self.note(Layout::HELD, held);
        self.turns += 1;
    }

    #[inline]
    fn note(&mut self, what: usize, cards: Resources) {
        self.moved[what].add(cards);
    }

    /// Counts all that was noted, in this band.
    pub fn count(&self, layout: &Layout, band: usize, sums: &mut [u64]) {
        sums[layout.band_turns(band)] += u64::from(self.turns);
        let counters = &mut sums[layout.economy(band)..][..Resource::COUNT * Layout::ECONOMY];
        for (what, moved) in self.moved.iter().enumerate() {
            if *moved == Lanes::default() {
                continue;
            }
            for (counters, cards) in counters.chunks_exact_mut(Layout::ECONOMY).zip(moved.0) {
                counters[what] += u64::from(cards);
            }
        }
    }
}
