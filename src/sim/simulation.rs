//! The plainest experiment: a line-up plays each deal once in each distinct rotation, and everything that
//! the tables of `simulate` need is counted.

use crate::core::agent::{Agent, NoAgent, Player};
use crate::core::game::Outcome;
use crate::core::measure::{Measure, Sources};
use crate::core::seed::BlockSeed;
use crate::core::types::seat::{SEATS_MAX, Seat};
use crate::core::watch::Watch;
use crate::sim::choices::Pad;
use crate::sim::experiment::{BlockSums, Experiment, Worker};
use crate::sim::layout::{Layout, Sizes};
use crate::sim::play::{AgentFault, Arena};
use crate::sim::tally::Tally;
use arrayvec::ArrayVec;
use std::ops::Range;

/// The distinct seat rotations of a line-up (an agent's number by seat).
pub fn rotations(line_up: &[usize]) -> Vec<Vec<usize>> {
    let mut distinct: Vec<Vec<usize>> = Vec::new();
    for shift in 0..line_up.len() {
        let mut turned = line_up.to_vec();
        turned.rotate_right(shift);
        if !distinct.contains(&turned) {
            distinct.push(turned);
        }
    }
    distinct
}

/// One match for `matches.csv`.
#[derive(Debug)]
pub struct MatchRow<'a> {
    /// The block.
    pub block: u64,
    /// The number in the block.
    pub number: u64,
    /// The deal's name.
    pub deal: u64,
    /// Agents by seat.
    pub seat_of: &'a [usize],
    /// How it ended; `None` if an agent failed.
    pub end: Option<MatchRowEnd>,
}

/// How a match for `matches.csv` ended.
#[derive(Debug)]
pub struct MatchRowEnd {
    /// The result.
    pub outcome: Outcome,
    /// Turns played.
    pub turns: u16,
    /// Points by seat and source, as [`Measure::points_by_source`] has them.
    pub by_source: ArrayVec<Sources, SEATS_MAX>,
}

/// Writes a row to the end of a buffer.
pub type Write<'a> = Box<dyn Fn(&MatchRow<'_>, &mut Vec<u8>) + Sync + 'a>;

/// Makes the distinct agents for a game, who may note their choices at a pad.
pub type Agents<'a, G, K = NoAgent> = Box<dyn Fn(&G, &Pad) -> Vec<Player<G, K>> + Sync + 'a>;

/// A line-up and its deals.
pub struct Simulation<'a, G: Measure, K: Agent<G> = NoAgent> {
    /// The rules.
    pub game: &'a G,
    /// The master seed.
    pub seed: u64,
    /// Matches of a block: which agent sits in each seat.
    pub rotations: Vec<Vec<usize>>,
    /// The layout of the counters.
    pub layout: Layout,
    /// Makes the distinct agents.
    pub agents: Agents<'a, G, K>,
    /// Writes a row for each match, if wanted.
    pub write: Option<Write<'a>>,
    /// Once it says that what is played will be thrown away, no further match is begun.
    pub watch: &'a Watch,
}

/// Everything that one thread plays with.
struct Seated<'a, G: Measure, K: Agent<G>> {
    simulation: &'a Simulation<'a, G, K>,
    arena: Arena<G>,
    players: Vec<Player<G, K>>,
    pad: Pad,
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

impl<G: Measure, K: Agent<G>> Experiment for Simulation<'_, G, K> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        let pad = Pad::default();
        Box::new(Seated {
            simulation: self,
            arena: Arena::new(self.game.clone()),
            players: (self.agents)(self.game, &pad),
            pad,
            tally: Tally::new(self.layout),
        })
    }

    fn width(&self) -> usize {
        self.layout.width()
    }

    fn anomalies(&self) -> usize {
        self.layout.anomalies()
    }
}

impl<G: Measure, K: Agent<G>> Worker for Seated<'_, G, K> {
    fn play(&mut self, blocks: Range<u64>) -> BlockSums {
        let mut rows = Vec::new();
        for block in blocks {
            self.pad.begin(block);
            for number in 0..self.simulation.rotations.len() {
                if self.simulation.watch.is_stopped() {
                    break;
                }
                self.pad.enter(number as u64);
                self.play_match(block, number, &mut rows);
            }
            self.tally.end_block();
        }
        let (sums, firsts) = self.tally.take();
        BlockSums { sums, firsts, rows }
    }
}

impl<G: Measure, K: Agent<G>> Seated<'_, G, K> {
    fn play_match(&mut self, block: u64, number: usize, rows: &mut Vec<u8>) {
        let Seated { simulation, arena, players, tally, .. } = self;
        let seed = BlockSeed::new(simulation.seed, block);
        let seat_of = simulation.rotations[number].as_slice();
        let number = number as u64;
        tally.begin(block, number, seat_of);
        let played = arena.play(players, seat_of, seed, tally);
        if let Err(AgentFault { seat, .. }) = played {
            let failed = players[seat_of[seat.idx()]].fault().is_some();
            match simulation.watch.lost() {
                Some(_) if failed => tally.lost(simulation.game.players(), seat),
                _ => tally.fault(),
            }
        }
        for (agent, player) in players.iter_mut().enumerate() {
            tally.add_iterations(agent, player.take_iterations());
        }
        if let Some(write) = &simulation.write {
            let game = arena.game();
            let end = played.as_ref().ok().map(|state| MatchRowEnd {
                outcome: game.outcome(state),
                turns: game.turn_number(state),
                by_source: Seat::all(game.players())
                    .map(|seat| game.points_by_source(state, seat))
                    .collect(),
            });
            write(&MatchRow { block, number, deal: seed.name(), seat_of, end }, rows);
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
