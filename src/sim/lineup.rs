//! The plainest experiment: a line-up plays each deal once in each distinct rotation, and everything that
//! the tables of `simulate` need is counted.

use crate::agent::Player;
use crate::game::Outcome;
use crate::seed::BlockSeed;
use crate::sim::experiment::Experiment;
use crate::sim::experiment::Part;
use crate::sim::layout::Layout;
use crate::sim::layout::Sizes;
use crate::sim::measure::Measure;
use crate::sim::play::Table;
use crate::sim::tally::Tally;
use std::ops::Range;

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
    /// The final position; `None` if an agent failed.
    pub state: Option<&'a G::State>,
    /// Its result.
    pub outcome: Option<Outcome>,
}

/// Writes a row to the end of a buffer.
pub type Write<'a, G> = &'a (dyn Fn(&G, &Row<'_, G>, &mut Vec<u8>) + Sync);

/// Makes the distinct agents for a game.
pub type Agents<'a, G> = &'a (dyn Fn(&G) -> Vec<Player<G>> + Sync);

/// A line-up and its deals.
pub struct LineUp<'a, G: Measure> {
    /// The rules.
    pub game: &'a G,
    /// The master seed.
    pub seed: u64,
    /// Matches of a block: which agent sits in each seat.
    pub rotations: Vec<Vec<usize>>,
    /// The layout of the counters.
    pub layout: Layout,
    /// Makes the distinct agents.
    pub agents: Agents<'a, G>,
    /// Writes a row for each match, if wanted.
    pub write: Option<Write<'a, G>>,
    /// Whether what is played will be thrown away: no further match is begun then.
    pub stopped: fn() -> bool,
}

/// Everything that one thread plays with.
pub struct Worker<G: Measure> {
    table: Table<G>,
    players: Vec<Player<G>>,
    tally: Tally<G>,
}

/// The layout of a run's counters.
pub fn layout<G: Measure>(game: &G, agents: usize) -> Layout {
    Layout::new(Sizes {
        agents,
        players: game.players(),
        cards: G::CARDS.len(),
        matched: game.matched(),
        standings: G::STANDINGS.count(),
        decisions: G::DECISIONS.len(),
        bands: G::BANDS.len(),
        turns_max: usize::from(game.turns_max()),
    })
}

impl<G: Measure> Experiment for LineUp<'_, G> {
    type Worker = Worker<G>;

    fn worker(&self) -> Worker<G> {
        Worker {
            table: Table::new(self.game.clone()),
            players: (self.agents)(self.game),
            tally: Tally::new(self.layout),
        }
    }

    fn width(&self) -> usize {
        self.layout.width()
    }

    fn anomalies(&self) -> usize {
        self.layout.anomalies()
    }

    fn play(&self, worker: &mut Worker<G>, blocks: Range<u64>) -> Part {
        let mut rows = Vec::new();
        for block in blocks {
            for number in 0..self.rotations.len() {
                if (self.stopped)() {
                    break;
                }
                self.play_match(worker, block, number, &mut rows);
            }
            worker.tally.end_block();
        }
        let (sums, firsts) = worker.tally.take();
        Part { sums, firsts, rows }
    }
}

impl<G: Measure> LineUp<'_, G> {
    fn play_match(&self, worker: &mut Worker<G>, block: u64, number: usize, rows: &mut Vec<u8>) {
        let Worker { table, players, tally } = worker;
        let seed = BlockSeed::new(self.seed, block);
        let seat_of = self.rotations[number].as_slice();
        let number = number as u64;
        tally.begin(block, number, seat_of);
        let played = table.play(players, seat_of, seed, tally);
        if played.is_err() {
            tally.fault();
        }
        for (agent, player) in players.iter_mut().enumerate() {
            tally.add_iterations(agent, player.take_iterations());
        }
        if let Some(write) = self.write {
            let state = played.as_ref().ok();
            let outcome = state.map(|state| table.game().outcome(state));
            let row = Row { block, number, deal: seed.name(), seat_of, state, outcome };
            write(table.game(), &row, rows);
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
