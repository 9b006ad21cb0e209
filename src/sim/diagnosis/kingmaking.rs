//! Could a seat that lost have decided which other one won? One decision of such a seat is drawn from all in which it had a
//! choice, and the match is played on from there: with another choice and the same luck, and with the same choice and with
//! the other one under other luck. How often the winner is another one after the same choice is what chance alone does; only
//! what another choice does beyond that could have been foreseen.

use crate::core::agent::{Agent, Player};
use crate::core::chance::below;
use crate::core::measure::Measure;
use crate::core::seed::Stream;
use crate::core::types::seat::Seat;
use crate::sim::diagnosis::Seen;
use crate::sim::diagnosis::count::{DesignCount, PARTS};
use crate::sim::diagnosis::notes::{Notes, Open};
use crate::sim::play::Arena;
use crate::sim::play::fork::{Fork, Paused};

/// The fewest players: among two, a seat that loses decides nothing else.
const PLAYERS_MIN: u8 = 3;

/// The other luck, a number of [`BlockSeed::with_luck`](crate::core::seed::BlockSeed::with_luck).
const OTHER_LUCK: u16 = u16::MAX;

/// Who won what was played on; nobody if an agent failed.
type Winner = Option<Seat>;

impl<G: Measure> Notes<G> {
    /// Plays on from one decision of a match that `winner` has won.
    pub(super) fn play_on<K: Agent<G>>(
        &mut self,
        arena: &mut Arena<G>,
        players: &mut [Player<G, K>],
        seen: Seen<'_>,
        winner: Seat,
    ) {
        if arena.game().players() < PLAYERS_MIN {
            return;
        }
        let mut rng = seen.seed.stream(Stream::Study, None, 1);
        self.open.retain(|open| open.seat != winner);
        let Ok(all @ 1..) = u32::try_from(self.open.len()) else { return };
        let open = self.open[below(&mut rng, all) as usize];
        let mut left = open.decision;
        let mut pause = |_: &G, _: &G::State, _: G::Action| {
            let is_here = left == 0;
            left = left.saturating_sub(1);
            is_here
        };
        let played = arena.play_until(players, seen.seats, seen.seed, &mut (), &mut pause);
        let Ok(Paused::At(fork)) = played else { return };
        let others: Vec<G::Action> =
            arena.listed(&fork).iter().copied().filter(|&action| action != fork.action).collect();
        let Ok(listed @ 1..) = u32::try_from(others.len()) else { return };
        let other = others[below(&mut rng, listed) as usize];
        let elsewhere = arena.with_luck(&fork, seen.seed.with_luck(OTHER_LUCK));
        let mut go_on = |fork: &Fork<G>, action| -> Winner {
            let end = arena.play_from(fork, action, players, seen.seats, &mut ());
            end.ok().and_then(|end| arena.game().outcome(&end).winner)
        };
        let same_luck = go_on(&fork, other);
        let [kept, changed] = [fork.action, other].map(|action| go_on(&elsewhere, action));
        let late = 4 * open.decision >= 3 * self.decisions;
        self.count_forks(open, winner, [same_luck, kept, changed], late);
    }

    fn count_forks(&mut self, open: Open, winner: Seat, ends: [Winner; 3], late: bool) {
        let other = |end: Winner| end.filter(|&seat| seat != open.seat);
        let third = |end: Winner| u64::from(other(end).is_some_and(|seat| seat != winner));
        let [same_luck, kept, changed] = ends;
        for part in (0..PARTS).filter(|&part| part == 0 || late) {
            let at = self.count.fork(part);
            for (counter, more) in [
                (DesignCount::FORKS, 1),
                (DesignCount::SAME_LUCK, third(same_luck)),
                (DesignCount::KEPT, u64::from(other(kept).is_some())),
                (DesignCount::KEPT_THIRD, third(kept)),
                (DesignCount::CHANGED, u64::from(other(changed).is_some())),
                (DesignCount::CHANGED_THIRD, third(changed)),
            ] {
                self.sums[at + counter] += more;
            }
        }
    }
}
