//! Are win probabilities calibrated? Matches are played, some of their positions are judged, and what was said of each is
//! counted once it is known who won. Judges see the true position, as they do at a leaf of a search.
//!
//! Of the decisions of a match every k-th is noted, beginning with one of the first k that is drawn for the match, so
//! that no kind of decision is left out by its place in a turn.

use crate::core::chance::below;
use crate::core::game::Game;
use crate::core::measure::Measure;
use crate::core::record::{Decision, Recorder};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};
use crate::sim::counts::reliability::{PHASES, ReliabilityCount, Said, millionths};

/// A judge: says each seat's chance to win from a position that is not over.
pub type Chances<G> = Box<dyn FnMut(&G, &<G as Game>::State) -> PerSeat<f32> + Send>;

/// Makes the judges of a game.
pub type Judges<'a, G> = Box<dyn Fn(&G) -> Vec<Chances<G>> + Sync + 'a>;

/// Which positions of matches are judged, by whom, and how what is said is counted.
pub struct Judging<'a, G: Measure> {
    /// Makes the judges.
    pub judges: Judges<'a, G>,
    /// Where their counters lie.
    pub count: ReliabilityCount,
    /// Decisions from one position that is judged to the next, at least 1.
    pub every: u32,
}

/// Notes what judges say of positions.
pub struct Notes<G: Measure> {
    judges: Vec<Chances<G>>,
    count: ReliabilityCount,
    every: u32,
    /// Decisions until the next position that is judged.
    until: u32,
    /// The phase of each noted position, from 1.
    phases: Vec<usize>,
    /// What each judge says, position after position.
    said: Vec<Said>,
    /// The sums of the judges in a block.
    block: Vec<u64>,
}

impl<G: Measure> Notes<G> {
    /// Before the first match.
    pub fn new(game: &G, Judging { judges, count, every }: &Judging<'_, G>) -> Notes<G> {
        Notes {
            judges: judges(game),
            count: *count,
            every: *every,
            until: 0,
            phases: Vec::new(),
            said: Vec::new(),
            block: vec![0; count.width()],
        }
    }

    /// Before a match.
    pub fn begin(&mut self, seed: BlockSeed) {
        self.until = below(&mut seed.stream(Stream::Study, None, 0), self.every);
        self.phases.clear();
        self.said.clear();
    }

    /// Counts what was said of a match that has ended. Of one without a result it is neither right nor wrong.
    pub fn end_match(&mut self, winner: Option<Seat>) {
        for (&phase, said) in self.phases.iter().zip(self.said.chunks(self.judges.len())) {
            for (judge, said) in said.iter().enumerate() {
                self.count.add((judge, phase), said, winner, &mut self.block);
            }
        }
    }

    /// Adds what a block has to the sums of the judges.
    pub fn end_block(&mut self, sums: &mut [u64]) {
        self.count.end_block(&mut self.block, sums);
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
