//! A match in a few numbers: what experiments compare. Less than `tally` counts, and as cheap as `()` if
//! nobody reads it.

use crate::core::game::End;
use crate::core::measure::Measure;
use crate::core::record::{Decision, Recorder};
use crate::core::types::seat::{PerSeat, SEATS_MAX, Seat};

/// Points that the eventual winner must have been behind for a match to count as a comeback.
pub const COMEBACK: u8 = 2;

/// How a match went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchSummary {
    /// Why it ended.
    pub end: End,
    /// The winner, if there is one.
    pub winner: Option<Seat>,
    /// Points by seat.
    pub points: PerSeat<u8>,
    /// Turns, counted by player.
    pub turns: u16,
    /// Decisions, forced ones included.
    pub decisions: u32,
    /// How often a new seat became the sole leader, at the ends of turns.
    pub lead_changes: u16,
    /// Whether the winner was [`COMEBACK`] points or more behind at the end of some turn.
    pub comeback: bool,
    /// By seat, how much of the result it owes to draws, where that is asked for; else 0. See
    /// [`luck`](crate::sim::luck).
    pub luck: PerSeat<i64>,
}

/// Takes the summary of one match; at first of one that is about to begin. A copy continues from where the first one was.
#[derive(Debug, Clone, Default)]
pub struct MatchSummarizer {
    turn: u16,
    decisions: u32,
    leader: Option<Seat>,
    lead_changes: u16,
    /// The most points that each seat was behind.
    behind: PerSeat<u8>,
    summary: Option<MatchSummary>,
}

impl MatchSummarizer {
    /// Decisions so far.
    pub fn decisions(&self) -> u32 {
        self.decisions
    }

    /// The summary; `None` before the end.
    pub fn summary(&self) -> Option<MatchSummary> {
        self.summary
    }

    fn end_turn<G: Measure>(&mut self, game: &G, state: &G::State) {
        let points = |seat| game.points(state, seat);
        let most = Seat::all(game.players()).map(points).max().unwrap_or(0);
        let mut leaders = Seat::all(game.players()).filter(|&seat| points(seat) == most);
        let (leader, other) = (leaders.next(), leaders.next());
        for seat in Seat::all(game.players()) {
            let behind = &mut self.behind[seat.idx()];
            *behind = (*behind).max(most - points(seat));
        }
        if other.is_none() {
            self.lead_changes += u16::from(self.leader.is_some() && self.leader != leader);
            self.leader = leader;
        }
    }
}

impl<G: Measure> Recorder<G> for MatchSummarizer {
    #[inline]
    fn on_start(&mut self, game: &G, state: &G::State) {
        self.turn = game.turn_number(state);
    }

    #[inline]
    fn on_decision(&mut self, _game: &G, _decision: &Decision<'_, G>) {
        self.decisions += 1;
    }

    #[inline]
    fn on_applied(&mut self, game: &G, _action: G::Action, after: &G::State) {
        let turn = game.turn_number(after);
        if turn != self.turn {
            self.end_turn(game, after);
            self.turn = turn;
        }
    }

    fn on_end(&mut self, game: &G, state: &G::State) {
        self.end_turn(game, state);
        let outcome = game.outcome(state);
        let behind = |seat: Seat| self.behind[seat.idx()] >= COMEBACK;
        self.summary = Some(MatchSummary {
            end: outcome.end,
            winner: outcome.winner,
            points: outcome.points,
            turns: self.turn,
            decisions: self.decisions,
            lead_changes: self.lead_changes,
            comeback: outcome.winner.is_some_and(behind),
            luck: [0; SEATS_MAX],
        });
    }
}
