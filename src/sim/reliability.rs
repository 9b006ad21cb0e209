//! Are win probabilities calibrated? Matches are played, some of their positions are judged, and what was said of each is
//! counted once it is known who won. Judges see the true position, as they do at a leaf of a search.
//!
//! Of the decisions of a match every k-th is noted, beginning with one of the first k that is drawn for the match, so
//! that no kind of decision is left out by its place in a turn.

use crate::core::agent::{Agent, NoAgent, Player};
use crate::core::chance::below;
use crate::core::game::Game;
use crate::core::measure::Measure;
use crate::core::record::{Decision, Recorder};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::core::watch::Watch;
use crate::sim::choices::Pad;
use crate::sim::counts::reliability::{PHASES, ReliabilityCount, Said, millionths};
use crate::sim::experiment::{BlockSums, Experiment, Worker};
use crate::sim::match_summary::MatchSummarizer;
use crate::sim::play::Arena;
use crate::sim::simulation::Agents;
use crate::sim::trials::{ANOMALIES, BLOCKS, COMMON, Trial, note};
use std::ops::Range;

/// A judge: says each seat's chance to win from a position that is not over.
pub type Chances<G> = Box<dyn FnMut(&G, &<G as Game>::State) -> PerSeat<f32> + Send>;

/// Makes the judges of a game.
pub type Judges<'a, G> = Box<dyn Fn(&G) -> Vec<Chances<G>> + Sync + 'a>;

/// Matches of a line-up, and who judges their positions.
pub struct Reliability<'a, G: Measure, K: Agent<G> = NoAgent> {
    /// The rules.
    pub game: &'a G,
    /// The master seed.
    pub seed: u64,
    /// Matches of a block: which agent sits in each seat.
    pub rotations: Vec<Vec<usize>>,
    /// Makes the distinct agents.
    pub agents: Agents<'a, G, K>,
    /// Makes the judges.
    pub judges: Judges<'a, G>,
    /// Where their counters lie, behind those that every experiment has.
    pub count: ReliabilityCount,
    /// Decisions from one position that is judged to the next, at least 1.
    pub every: u32,
    /// Once it says that what is played will be thrown away, no further match is begun.
    pub watch: &'a Watch,
}

/// Everything that one thread plays with.
struct Seated<'a, G: Measure, K: Agent<G>> {
    experiment: &'a Reliability<'a, G, K>,
    arena: Arena<G>,
    players: Vec<Player<G, K>>,
    pad: Pad,
    notes: Notes<G>,
    /// The sums of the judges in a block.
    block: Vec<u64>,
}

/// Notes what judges say of positions.
struct Notes<G: Measure> {
    judges: Vec<Chances<G>>,
    every: u32,
    /// Decisions until the next position that is judged.
    until: u32,
    /// The phase of each noted position, from 1.
    phases: Vec<usize>,
    /// What each judge says, position after position.
    said: Vec<Said>,
}

impl<G: Measure, K: Agent<G>> Experiment for Reliability<'_, G, K> {
    fn worker(&self) -> Box<dyn Worker + '_> {
        let (judges, pad) = ((self.judges)(self.game), Pad::default());
        let notes =
            Notes { judges, every: self.every, until: 0, phases: Vec::new(), said: Vec::new() };
        Box::new(Seated {
            experiment: self,
            arena: Arena::new(self.game.clone()),
            players: (self.agents)(self.game, &pad),
            pad,
            notes,
            block: vec![0; self.count.width()],
        })
    }

    fn width(&self) -> usize {
        COMMON + self.count.width()
    }

    fn anomalies(&self) -> usize {
        ANOMALIES.len()
    }
}

impl<G: Measure, K: Agent<G>> Worker for Seated<'_, G, K> {
    fn play(&mut self, blocks: Range<u64>) -> BlockSums {
        let experiment = self.experiment;
        let mut played = BlockSums::new(experiment.width(), ANOMALIES.len());
        for block in blocks {
            self.pad.begin(block);
            for number in 0..experiment.rotations.len() {
                if experiment.watch.is_stopped() {
                    break;
                }
                self.pad.enter(number as u64);
                self.play_match(block, number, &mut played);
            }
            played.sums[BLOCKS] += 1;
            experiment.count.end_block(&mut self.block, &mut played.sums[COMMON..]);
        }
        played
    }
}

impl<G: Measure, K: Agent<G>> Seated<'_, G, K> {
    fn play_match(&mut self, block: u64, number: usize, played: &mut BlockSums) {
        let Seated { experiment, arena, players, notes, block: sums, .. } = self;
        let seed = BlockSeed::new(experiment.seed, block);
        notes.begin(seed);
        let mut listener = (MatchSummarizer::new(), notes);
        let ended = arena.play(players, &experiment.rotations[number], seed, &mut listener);
        let (summarizer, notes) = listener;
        let trial = match (ended, summarizer.summary()) {
            (Ok(_), Some(summary)) => Trial::Ended(summary),
            _ => Trial::Failed,
        };
        note(played, trial, (block, number as u64));
        // What was said of a match that has no result is neither right nor wrong.
        let Trial::Ended(summary) = trial else { return };
        let judges = notes.judges.len();
        for (&phase, said) in notes.phases.iter().zip(notes.said.chunks(judges)) {
            for (judge, said) in said.iter().enumerate() {
                experiment.count.add((judge, phase), said, summary.winner, sums);
            }
        }
    }
}

impl<G: Measure> Notes<G> {
    /// Before a match.
    fn begin(&mut self, seed: BlockSeed) {
        self.until = below(&mut seed.stream(Stream::Study, None, 0), self.every);
        self.phases.clear();
        self.said.clear();
    }
}

impl<G: Measure> Recorder<G> for Notes<G> {
    fn on_decision(&mut self, game: &G, decision: &Decision<'_, G>) {
        if self.until > 0 {
            self.until -= 1;
            return;
        }
        self.until = self.every - 1;
        self.phases.push(phase(game, decision.before));
        for judge in &mut self.judges {
            let chances = judge(game, decision.before);
            let mut said = [0; SEATS_MAX];
            for seat in Seat::all(game.players()) {
                said[seat.idx()] = millionths(chances[seat.idx()]);
            }
            self.said.push(said);
        }
    }
}

/// How far a match is, from 1 to [`PHASES`]: the leader's points, in quarters of those that standings tell apart.
fn phase<G: Measure>(game: &G, state: &G::State) -> usize {
    let (first, bins) = (G::STANDINGS.first, usize::from(G::STANDINGS.bins));
    let most = game.all_points(state).into_iter().max().unwrap_or(0);
    let above = usize::from(most.saturating_sub(first)).min(bins - 1);
    1 + above * PHASES / bins
}
