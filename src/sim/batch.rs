//! Many blocks on all cores. Chunks of blocks are played in any order and merged in theirs, so the sums and
//! the rows are the same for any number of threads.

use crate::agent::Player;
use crate::game::Outcome;
use crate::seed::BlockSeed;
use crate::sim::layout::Layout;
use crate::sim::measure::Measure;
use crate::sim::play::Table;
use crate::sim::tally::Tally;
use crate::stats::jackknife::Grouped;
use rayon::prelude::*;
use std::sync::Mutex;

/// What is played: which agents sit where, and how many blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The master seed.
    pub seed: u64,
    /// Blocks in all.
    pub blocks: u64,
    /// Blocks that are played at a stretch and counted together; from the plan, never from the threads.
    pub chunk: u64,
    /// Matches of a block: which agent sits in each seat.
    pub rotations: Vec<Vec<usize>>,
    /// Distinct agents.
    pub agents: usize,
}

/// The distinct seat rotations of a line-up (an agent's number by seat).
pub fn rotations(lineup: &[usize]) -> Vec<Vec<usize>> {
    let mut distinct: Vec<Vec<usize>> = Vec::new();
    for shift in 0..lineup.len() {
        let mut turned = lineup.to_vec();
        turned.rotate_right(shift);
        if !distinct.contains(&turned) {
            distinct.push(turned);
        }
    }
    distinct
}

impl Plan {
    /// Chunks in all.
    pub fn chunks(&self) -> u64 {
        self.blocks.div_ceil(self.chunk)
    }

    /// A chunk size for so many blocks: small enough for a quick stop, large enough to be cheap.
    pub fn chunk_for(blocks: u64) -> u64 {
        (blocks / 1024).clamp(1, 256)
    }

    fn range(&self, chunk: u64) -> std::ops::Range<u64> {
        let start = chunk * self.chunk;
        start..(start + self.chunk).min(self.blocks)
    }
}

/// One match for `matches.csv`.
#[derive(Debug)]
pub struct Row<'a, G: Measure> {
    /// The block.
    pub block: u64,
    /// The number in the block.
    pub number: u64,
    /// The deal's name.
    pub deal: u64,
    /// Agents by seat.
    pub seat_of: &'a [usize],
    /// The final position; nothing if an agent broke the match off.
    pub state: Option<&'a G::State>,
    /// Its result.
    pub outcome: Option<Outcome>,
}

/// What is done with each row: writes it to the end of a buffer.
pub type Write<'a, G> = &'a (dyn Fn(&G, &Row<'_, G>, &mut Vec<u8>) + Sync);

/// What has been played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals {
    /// Sums by group.
    pub grouped: Grouped,
    /// The first match of each anomaly.
    pub firsts: Vec<Option<(u64, u64)>>,
    /// Blocks played: the first ones, without gaps.
    pub blocks: u64,
}

/// Everything that one thread plays with.
struct Worker<G: Measure> {
    table: Table<G>,
    players: Vec<Player<G>>,
    tally: Tally,
}

/// A match's place in the run, both from 0.
#[derive(Debug, Clone, Copy)]
struct MatchId {
    block: u64,
    number: u64,
}

/// The sums and rows of one chunk.
struct Chunk {
    sums: Vec<u64>,
    firsts: Vec<Option<(u64, u64)>>,
    rows: Vec<u8>,
}

/// What a batch needs from outside.
pub struct Outside<'a, G: Measure> {
    /// Makes the distinct agents.
    pub seat_agents: &'a (dyn Fn() -> Vec<Player<G>> + Sync),
    /// Writes a row for each match, if wanted.
    pub write: Option<Write<'a, G>>,
    /// Whether to stop early.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Takes rows in order and the number of blocks done so far; its error ends the batch.
    pub progress: &'a mut dyn FnMut(&[u8], u64) -> std::io::Result<()>,
}

/// Plays the plan's blocks.
///
/// # Errors
/// If the rows can't be written.
pub fn run<G: Measure>(game: &G, plan: &Plan, outside: Outside<'_, G>) -> std::io::Result<Totals> {
    let Outside { seat_agents, write, stop, progress } = outside;
    let layout = layout(game, plan.agents);
    let mut totals = Totals {
        grouped: Grouped::new(layout.width()),
        firsts: vec![None; layout.anomalies()],
        blocks: 0,
    };
    let idle: Mutex<Vec<Worker<G>>> = Mutex::new(Vec::new());
    let wave = 16 * rayon::current_num_threads() as u64;
    let play = |chunk: u64| {
        if stop() {
            return None;
        }
        let waiting = idle.lock().expect("no worker panics with the list").pop();
        let mut worker = waiting.unwrap_or_else(|| Worker {
            table: Table::new(game.clone()),
            players: seat_agents(),
            tally: Tally::new(layout),
        });
        let played = worker.play(plan, chunk, write);
        idle.lock().expect("no worker panics with the list").push(worker);
        Some(played)
    };
    let mut next = 0;
    while next < plan.chunks() {
        let end = (next + wave).min(plan.chunks());
        let played: Vec<Option<Chunk>> = (next..end).into_par_iter().map(play).collect();
        for (chunk, result) in (next..end).zip(played) {
            let Some(result) = result else { return Ok(totals) };
            let range = plan.range(chunk);
            totals.grouped.add(chunk, range.end - range.start, &result.sums);
            for (first, found) in totals.firsts.iter_mut().zip(result.firsts) {
                *first = first.or(found);
            }
            totals.blocks = range.end;
            progress(&result.rows, totals.blocks)?;
        }
        next = end;
    }
    Ok(totals)
}

/// The layout of a run's counters.
pub fn layout<G: Measure>(game: &G, agents: usize) -> Layout {
    Layout::new(agents, G::CARDS.len(), G::DECISIONS.len(), usize::from(game.turns_max()))
}

impl<G: Measure> Worker<G> {
    fn play(&mut self, plan: &Plan, chunk: u64, write: Option<Write<'_, G>>) -> Chunk {
        self.tally.clear();
        let mut rows = Vec::new();
        for block in plan.range(chunk) {
            for (number, seat_of) in plan.rotations.iter().enumerate() {
                let id = MatchId { block, number: number as u64 };
                self.play_match(plan.seed, id, seat_of, write, &mut rows);
            }
            self.tally.end_block();
        }
        Chunk { sums: self.tally.sums.clone(), firsts: self.tally.firsts.clone(), rows }
    }

    fn play_match(
        &mut self,
        master: u64,
        MatchId { block, number }: MatchId,
        seat_of: &[usize],
        write: Option<Write<'_, G>>,
        rows: &mut Vec<u8>,
    ) {
        let seed = BlockSeed::new(master, block);
        self.tally.begin(block, number, seat_of);
        let played = self.table.play(&mut self.players, seat_of, seed, &mut self.tally);
        if played.is_err() {
            self.tally.fault();
        }
        for (agent, player) in self.players.iter_mut().enumerate() {
            self.tally.add_iterations(agent, player.take_iterations());
        }
        if let Some(write) = write {
            let state = played.as_ref().ok();
            let outcome = state.map(|state| self.table.game().outcome(state));
            let row = Row { block, number, deal: seed.name(), seat_of, state, outcome };
            write(self.table.game(), &row, rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_one_match_for_each_distinct_rotation() {
        assert_eq!(rotations(&[0, 0, 0, 0]), [[0, 0, 0, 0]]);
        assert_eq!(rotations(&[0, 1, 0, 1]), [[0, 1, 0, 1], [1, 0, 1, 0]]);
        assert_eq!(rotations(&[0, 1, 1]), [[0, 1, 1], [1, 0, 1], [1, 1, 0]]);
    }
}
