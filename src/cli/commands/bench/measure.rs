//! Playing the same matches again and again, and timing them.

use crate::cli::clock;
use crate::cli::commands::host::WATCH;
use crate::core::watch::Watch;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{LoadedGame, Probe, Seated, SimulationPlan};
use crate::sim::batch::{self, Chunking, Flow, MergedPiece, Outside, Totals};
use crate::sim::layout::Layout;
use anyhow::{Context, Result, ensure};
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The most blocks that a worker counts in a row, as in a long run.
const CHUNK_MAX: u64 = 256;

/// The fewest chunks for each of several threads, if there are enough blocks, so that none waits long.
const CHUNKS_A_THREAD: u64 = 16;

/// A figure over the rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
}

impl Figure {
    /// The figure over some rounds.
    ///
    /// # Panics
    /// If there are none.
    pub fn of(rounds: impl IntoIterator<Item = f64>) -> Figure {
        let mut sorted: Vec<f64> = rounds.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1).expect("at least one round was played");
        let median = f64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]);
        Figure { median, min: sorted[0], max: sorted[last] }
    }

    /// From the least to the most, as a share of the median.
    pub fn spread(self) -> f64 {
        (self.max - self.min) / self.median
    }
}

/// What was played in a round. Rounds of reproducible agents do not differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Matches that ended.
    pub matches: u64,
    /// Matches in which an agent failed.
    pub failures: u64,
    pub decisions: u64,
    /// Decisions with one listed action.
    pub forced: u64,
    /// Actions listed at all decisions, after the agent's filter.
    pub listed: u64,
    /// Iterations of searches.
    pub iterations: u64,
}

impl Counts {
    fn of(totals: &Totals, layout: &Layout, decisions: usize) -> Counts {
        let sum = |counter| totals.grouped.sum(counter);
        let kinds = |part| (0..decisions).map(|kind| sum(layout.decision(kind) + part)).sum();
        Counts {
            matches: sum(Layout::MATCHES),
            failures: sum(layout.anomaly(Layout::FAULT)),
            decisions: kinds(0),
            forced: kinds(2),
            listed: kinds(1),
            iterations: sum(layout.agent(0) + Layout::AGENT_ITERATIONS),
        }
    }
}

/// One round: what was played, and how long it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Round {
    /// What was played.
    pub counts: Counts,
    /// Wall time.
    pub wall: Duration,
}

/// The rounds of one agent on some number of threads, all over the same blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounds {
    /// Blocks of a round.
    pub blocks: u64,
    pub played: Vec<Round>,
}

impl Rounds {
    /// No rounds yet.
    pub fn new(blocks: u64) -> Rounds {
        Rounds { blocks, played: Vec::new() }
    }

    /// What was played in the first round.
    ///
    /// # Panics
    /// If there was none.
    pub fn counts(&self) -> Counts {
        self.played[0].counts
    }

    /// How many of something a second, by round.
    pub fn rates(&self, of: impl Fn(&Counts) -> u64) -> impl Iterator<Item = f64> {
        self.played.iter().map(move |round| of(&round.counts) as f64 / seconds(round.wall))
    }

    /// How many of something a second.
    pub fn rate(&self, of: impl Fn(&Counts) -> u64) -> Figure {
        Figure::of(self.rates(of))
    }

    /// Nanoseconds for each of something.
    pub fn cost_ns(&self, of: impl Fn(&Counts) -> u64) -> Figure {
        Figure::of(
            self.played
                .iter()
                .map(|round| seconds(round.wall) * 1e9 / of(&round.counts).max(1) as f64),
        )
    }
}

/// Seconds, never 0: the clock may be coarse.
fn seconds(wall: Duration) -> f64 {
    wall.max(Duration::from_nanos(1)).as_secs_f64()
}

/// One agent in all seats.
pub struct Subject<'a> {
    game: &'a dyn LoadedGame,
    spec: &'a AgentSpec,
    seed: u64,
    probe: Box<dyn Probe + 'a>,
}

impl<'a> Subject<'a> {
    /// An agent that the game has made before, and the master seed.
    pub fn new(game: &'a dyn LoadedGame, spec: &'a AgentSpec, seed: u64) -> Subject<'a> {
        Subject { game, spec, seed, probe: game.probe(spec, &WATCH, seed) }
    }

    /// Plays blocks 0 to `blocks` through the runner of `simulate`, statistics included.
    ///
    /// # Errors
    /// Never: no rows are written.
    pub fn play(&self, pool: &Arc<ThreadPool>, blocks: u64) -> Result<Round> {
        let threads = pool.current_num_threads() as u64;
        let share = if threads == 1 { blocks } else { blocks / (threads * CHUNKS_A_THREAD) };
        let plan = Chunking { blocks, chunk: share.clamp(1, CHUNK_MAX) };
        let layout = self.game.layout(1);
        let agents = std::slice::from_ref(self.spec);
        let watch = &Watch::clone(&WATCH).with_pool(Arc::clone(pool));
        let simulation = SimulationPlan {
            seed: self.seed,
            rotations: vec![vec![0; usize::from(self.game.players())]],
            write: None,
        };
        let experiment = self.game.simulation(Seated { agents, watch, timing: None }, simulation);
        let mut totals = Totals::new(layout.width(), layout.anomalies(), 0);
        let mut after = |_: &Totals, _: &MergedPiece<'_>| Ok(Flow::On);
        let outside = Outside::new(watch, &mut after);
        let start = clock::now();
        batch::run(&*experiment, &plan, &mut totals, plan.chunks(), outside)
            .context("playing a round")?;
        let wall = clock::now().saturating_sub(start);
        let kinds = self.game.game_type().facts().names.decisions.len();
        let counts = Counts::of(&totals, &layout, kinds);
        ensure!(counts.matches > 0, "agent `{}` broke off every match", self.spec.name);
        Ok(Round { counts, wall })
    }

    /// Plays the matches of a round on this thread and counts nothing: rules, legal lists and agents alone.
    /// `counts` is what the round plays.
    pub fn play_bare(&self, blocks: u64, counts: Counts) -> Round {
        Round { counts, wall: self.probe.play_bare(blocks) }
    }

    /// How many blocks fill a round of `target`. Finding out also warms everything up.
    ///
    /// # Errors
    /// As for [`Subject::play`].
    pub fn blocks_for(&self, pool: &Arc<ThreadPool>, target: Duration) -> Result<u64> {
        let least = pool.current_num_threads() as u64;
        let mut blocks = least;
        loop {
            let wall = self.play(pool, blocks)?.wall.as_nanos().max(1);
            let wanted = u128::from(blocks) * target.as_nanos() / wall;
            let wanted = u64::try_from(wanted).unwrap_or(u64::MAX);
            if wall >= target.as_nanos() / 4 {
                return Ok(wanted.max(least));
            }
            blocks = wanted.clamp(2 * blocks, 16 * blocks);
        }
    }

    /// Notes the positions that a searching agent thinks about in the first `blocks` blocks, and returns how
    /// many there are.
    ///
    /// # Errors
    /// If the agent breaks the rules.
    pub fn note_positions(&mut self, blocks: u64) -> Result<usize> {
        Ok(self.probe.note_positions(blocks)?)
    }

    /// Raw rollouts a second: `count` of them, spread evenly over the noted positions.
    ///
    /// # Errors
    /// If the agent does not search.
    pub fn rollouts_per_s(&self, positions: usize, count: u64) -> Result<f64> {
        let positions = positions as u64;
        let each = (count / positions.max(1)).max(1);
        let wall = self.probe.roll_out(each)?;
        Ok((each * positions) as f64 / seconds(wall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Games;

    #[test]
    fn a_figure_is_the_median_with_its_ends() {
        let odd = Figure::of([3.0, 1.0, 2.0]);
        assert_eq!(odd, Figure { median: 2.0, min: 1.0, max: 3.0 });
        assert!((odd.spread() - 1.0).abs() < 1e-12);
        assert!((Figure::of([4.0, 1.0]).median - 2.5).abs() < 1e-12);
    }

    #[test]
    fn rounds_play_the_same_on_any_number_of_threads() {
        let games = Games::standard();
        let game_type = games.get("on-the-road").unwrap();
        let game = game_type.load(game_type.default_rules(), 4).unwrap();
        let pool = |threads| {
            Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
        };
        for (name, searches) in [("drifter", false), ("mcts:iterations=2:truncation=1", true)] {
            let spec = AgentSpec::parse(name, None).unwrap();
            let mut subject = Subject::new(&*game, &spec, 5);
            let counts = subject.play(&pool(1), 3).unwrap().counts;
            assert_eq!(counts, subject.play(&pool(2), 3).unwrap().counts);
            assert_eq!((counts.matches, counts.failures), (3, 0));
            assert!(counts.forced < counts.decisions && counts.decisions < counts.listed);
            let positions = subject.note_positions(3).unwrap() as u64;
            assert_eq!(positions, counts.decisions - counts.forced);
            assert_eq!(counts.iterations, if searches { 2 * positions } else { 0 });
            if searches {
                assert!(
                    subject
                        .rollouts_per_s(usize::try_from(positions).unwrap(), counts.iterations)
                        .unwrap()
                        > 0.0
                );
            }
        }
    }
}
