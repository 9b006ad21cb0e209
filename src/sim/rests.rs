//! How many blocks each figure rests on: what was seen in a block at all, noted while it is played and
//! counted once at its end.

use crate::core::types::bits::bits;
use crate::core::types::seat::Seat;
use crate::sim::layout::{Layout, SEATS, row};

/// What the block has shown of one agent.
#[derive(Debug, Clone, Copy, Default)]
struct OfAgent {
    /// Seats that it played to the end, one bit each.
    played: u8,
    /// Cards that one of its seats took, one bit each.
    taken: u32,
    /// Cards that one of its seats did not take, one bit each.
    not_taken: u32,
    /// Cards that one of its seats had at the end.
    held: u32,
    /// Cards that one of its seats did not have at the end.
    not_held: u32,
    /// Cards that one of its seats first took in a turn of its own.
    in_turn: u32,
}

/// What one seat did with the cards of a match, one bit a card.
#[derive(Debug, Clone, Copy)]
pub struct SeatRests {
    /// Taken.
    pub taken: u32,
    /// Had at the end.
    pub held: u32,
    /// First taken in a turn of its own, of those that have risk sets.
    pub in_turn: u32,
}

/// What the block that is being played has shown so far.
#[derive(Debug, Clone)]
pub struct Rests {
    agents: Vec<OfAgent>,
    /// Turns of the longest match.
    longest: Option<u16>,
    /// Whether someone has won a match.
    won: bool,
    /// By turn, the last block in which somebody led alone.
    led: Vec<u64>,
    /// Decisions of each kind before this block, and turns in each band.
    decisions: Vec<u64>,
    turns: Vec<u64>,
    /// Blocks played, this one included: never the same number twice.
    block: u64,
}

impl Rests {
    /// Nothing seen yet.
    pub fn new(layout: &Layout) -> Rests {
        Rests {
            agents: vec![OfAgent::default(); layout.agents()],
            longest: None,
            won: false,
            led: vec![0; layout.turns_max() + 1],
            decisions: vec![0; layout.decisions()],
            turns: vec![0; layout.bands()],
            block: 1,
        }
    }

    /// All sums were set to 0.
    pub fn clear(&mut self) {
        self.decisions.fill(0);
        self.turns.fill(0);
    }

    /// Notes a match that ended after this number of turns.
    pub fn ended(&mut self, turns: u16, won: bool) {
        self.longest = self.longest.max(Some(turns));
        self.won |= won;
    }

    /// Notes a seat that an agent played to the end, and what it did with the cards.
    pub fn seat(&mut self, agent: usize, seat: Seat, cards: SeatRests) {
        let seen = &mut self.agents[agent];
        seen.played |= 1 << seat.idx();
        seen.taken |= cards.taken;
        seen.not_taken |= !cards.taken;
        seen.held |= cards.held;
        seen.not_held |= !cards.held;
        seen.in_turn |= cards.in_turn;
    }

    /// Whether this is the block's first match with somebody leading alone after a turn.
    #[inline]
    pub fn first_led(&mut self, turn: usize) -> bool {
        let last = self.led.len() - 1;
        std::mem::replace(&mut self.led[turn.min(last)], self.block) != self.block
    }

    /// Counts what the block has shown, and begins the next one.
    pub fn end_block(&mut self, layout: &Layout, sums: &mut [u64]) {
        if let Some(turns) = self.longest.take() {
            sums[Layout::BLOCKS_ENDED] += 1;
            sums[layout.longest(turns)] += 1;
        }
        sums[Layout::BLOCKS_WON] += u64::from(std::mem::take(&mut self.won));
        for (agent, seen) in self.agents.iter_mut().enumerate() {
            std::mem::take(seen).count(layout, agent, sums);
        }
        for (kind, before) in self.decisions.iter_mut().enumerate() {
            let at = layout.decision(kind);
            sums[at + Layout::DECISION_BLOCKS] += u64::from(sums[at] != *before);
            *before = sums[at];
        }
        for (band, before) in self.turns.iter_mut().enumerate() {
            let at = layout.band_turns(band);
            sums[at + 1] += u64::from(sums[at] != *before);
            *before = sums[at];
        }
        self.block += 1;
    }
}

impl OfAgent {
    fn count(self, layout: &Layout, agent: usize, sums: &mut [u64]) {
        if self.played == 0 {
            return;
        }
        sums[layout.agent(agent) + Layout::PLAYED_BLOCKS] += 1;
        for seat in Seat::all(SEATS).filter(|seat| self.played >> seat.idx() & 1 == 1) {
            sums[layout.seat(agent, seat) + Layout::PLAYED_BLOCKS] += 1;
        }
        let all = self.taken & !self.not_taken;
        let held_by_all = self.held & !self.not_held;
        for card in bits(self.taken | self.held) {
            let counters: &mut [u64; Layout::CARD_WIDTH] = row(sums, layout.card(agent, card));
            let has = |cards: u32| u64::from(cards >> card & 1);
            counters[Layout::CARD_TAKER_BLOCKS] += has(self.taken);
            counters[Layout::CARD_ALL_BLOCKS] += has(all);
            counters[Layout::CARD_HELD_BLOCKS] += has(self.held);
            counters[Layout::CARD_HELD_ALL_BLOCKS] += has(held_by_all);
            counters[Layout::CARD_IN_TURN_BLOCKS] += has(self.in_turn);
        }
    }
}
