//! One agent in all seats, played without the runner, to be timed.

use crate::core::record::{Decision, Recorder};
use crate::core::seed::{BlockSeed, Stream};
use crate::core::watch::Watch;
use crate::sim::agents::added::AddedAgent;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::any_game::{BadMatch, Playable, Probe};
use crate::sim::choices::Pad;
use crate::sim::guests::outside::player;
use crate::sim::play;
use std::hint::black_box;
use std::time::Duration;

/// One agent in all seats.
pub struct Probed<'a, G: Playable> {
    /// The rules.
    pub game: &'a G,
    /// Agents that were added to those of the game.
    pub added: &'a [AddedAgent<G>],
    /// The agent.
    pub agent: &'a AgentSpec,
    /// The clock.
    pub watch: &'a Watch,
    /// The master seed.
    pub seed: u64,
    /// Positions that it has noted.
    pub positions: Vec<G::State>,
}

impl<G: Playable> Probed<'_, G> {
    /// Plays a match of each of the first blocks, and returns the time that they took.
    fn play(
        &self,
        blocks: u64,
        recorder: &mut (impl Recorder<G> + ?Sized),
        mut each: impl FnMut(Result<G::State, play::AgentFault>) -> Result<(), BadMatch>,
    ) -> Result<Duration, BadMatch> {
        let mut arena = play::Arena::new(self.game.clone());
        let pad = Pad::default();
        let mut players = vec![player(self.agent, self.game, self.added, (self.watch, &pad))?];
        let seat_of = vec![0; usize::from(self.game.players())];
        let start = self.watch.now();
        for block in 0..blocks {
            let seed = BlockSeed::new(self.seed, block);
            each(arena.play(&mut players, &seat_of, seed, recorder))?;
        }
        Ok(self.watch.now().saturating_sub(start))
    }
}

impl<G: Playable> Probe for Probed<'_, G> {
    // Not inlined, so that a profiler can find it by its name.
    #[inline(never)]
    fn play_bare(&self, blocks: u64) -> Duration {
        // A match in which an agent fails has taken its time, too.
        let each = |played| {
            let _ = black_box(played);
            Ok(())
        };
        self.play(blocks, &mut (), each).expect("the same agent was made before")
    }

    fn note_positions(&mut self, blocks: u64) -> Result<usize, BadMatch> {
        let mut searched = Searched::<G>(Vec::new());
        let failed = |error: play::AgentFault| BadMatch::Played(error.to_string());
        self.play(blocks, &mut searched as &mut dyn Recorder<G>, |played| {
            played.map(|_| ()).map_err(failed)
        })?;
        self.positions = searched.0;
        Ok(self.positions.len())
    }

    fn roll_out(&self, each: u64) -> Result<Duration, BadAgent> {
        let mut search = self.agent.search(self.game, self.watch)?;
        let mut rng = BlockSeed::new(self.seed, 0).stream(Stream::Study, None, 0);
        let start = self.watch.now();
        for state in &self.positions {
            for _ in 0..each {
                black_box(search.rollout(state, &mut rng));
            }
        }
        Ok(self.watch.now().saturating_sub(start))
    }
}

/// Notes the positions with something to decide.
struct Searched<G: Playable>(Vec<G::State>);

impl<G: Playable> Recorder<G> for Searched<G> {
    fn on_decision(&mut self, _game: &G, decision: &Decision<'_, G>) {
        if decision.listed > 1 {
            self.0.push(*decision.before);
        }
    }
}
