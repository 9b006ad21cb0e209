//! What whole matches are like: how long they are, and how close they end.

use crate::core::types::seat::Seat;
use crate::sim::trials::{Count, Trial};

/// The counting, of matches that someone won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WholeCount {
    /// Seats at the table.
    pub players: usize,
}

impl WholeCount {
    /// Matches that someone won.
    pub const WON: usize = 0;
    /// Their turns, counted by player.
    pub const TURNS: usize = 1;
    /// The points of their winners minus those of the best other seat.
    pub const APART: usize = 2;
}

impl Count for WholeCount {
    fn width(&self) -> usize {
        3
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        for trial in trials {
            let Trial::Ended(summary) = trial else { continue };
            let Some(winner) = summary.winner.map(Seat::idx) else { continue };
            let others = (0..self.players).filter(|&seat| seat != winner);
            let next = others.map(|seat| summary.points[seat]).max().unwrap_or(0);
            sums[WholeCount::WON] += 1;
            sums[WholeCount::TURNS] += u64::from(summary.turns);
            // A winner of equal points won by another rule; none has fewer than the next.
            sums[WholeCount::APART] += u64::from(summary.points[winner].saturating_sub(next));
        }
    }
}
