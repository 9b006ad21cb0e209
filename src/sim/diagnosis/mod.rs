//! What `diagnose` notes of a match: all that `simulate` counts, what else a designer asks first, and whether a seat that
//! lost could have decided which other one won.

pub mod count;
mod kingmaking;
mod notes;

use crate::core::agent::{Agent, Player};
use crate::core::measure::Measure;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::sim::diagnosis::count::DesignCount;
use crate::sim::diagnosis::notes::Notes;
use crate::sim::experiment::{BlockSums, MatchId};
use crate::sim::layout::Layout;
use crate::sim::play::Arena;
use crate::sim::simulation;
use crate::sim::tally::Tally;

/// Which matches are looked into, and how many distinct agents play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Looking {
    /// Of a block the first so many.
    pub matches: usize,
    /// Distinct agents of the run.
    pub agents: usize,
}

impl Looking {
    /// Counters of a rule set.
    pub fn width<G: Measure>(self, game: &G) -> usize {
        simulation::layout(game, self.agents).width() + DesignCount::of::<G>().width()
    }
}

/// Who notes it at the table of one rule set.
pub struct Witness<G: Measure> {
    tally: Tally<G>,
    notes: Notes<G>,
}

/// One match.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// Its block, and its number there.
    pub id: MatchId,
    /// Which agent sits in each seat.
    pub seats: &'a [usize],
    /// Its luck.
    pub seed: BlockSeed,
}

impl<G: Measure> Witness<G> {
    /// Before the first match.
    pub fn new(game: &G, looking: Looking) -> Witness<G> {
        let layout = simulation::layout(game, looking.agents);
        Witness { tally: Tally::new(layout), notes: Notes::new() }
    }

    /// Before a match.
    pub fn begin(&mut self, seen: Seen<'_>) {
        self.tally.begin(seen.id.0, seen.id.1, seen.seats);
        self.notes.begin();
    }

    /// The listeners of a match.
    pub fn listeners(&mut self) -> (&mut Tally<G>, &mut Notes<G>) {
        (&mut self.tally, &mut self.notes)
    }

    /// After a match: plays on from one decision of a seat that lost. One match of a deal is enough for it.
    pub fn end_match<K: Agent<G>>(
        &mut self,
        arena: &mut Arena<G>,
        players: &mut [Player<G, K>],
        seen: Seen<'_>,
        winner: Option<Seat>,
    ) {
        let Some(winner) = winner else { return };
        self.notes.play_on(arena, players, seen, winner);
    }

    /// An agent has broken the match off.
    pub fn fault(&mut self) {
        self.tally.fault();
    }

    /// After a block.
    pub fn end_block(&mut self) {
        self.tally.end_block();
    }

    /// Adds what was counted to sums from a counter on, and puts the first matches of anomalies behind others; all begin
    /// again. Returns the counter behind.
    pub fn take(&mut self, played: &mut BlockSums, at: usize, first: usize) -> usize {
        let (tallied, firsts) = self.tally.take();
        let counted = self.notes.take();
        let width = tallied.len() + counted.len();
        let all = tallied.into_iter().chain(counted);
        for (sum, more) in played.sums[at..at + width].iter_mut().zip(all) {
            *sum += more;
        }
        played.firsts[first..first + Layout::ANOMALIES.len()].copy_from_slice(&firsts);
        at + width
    }
}
