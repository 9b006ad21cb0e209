//! A forced choice. At the first such decision of a match, play continues from the position once with each
//! option, and wins are counted. Positions in which an option is not open are left out and counted.

use crate::sim::match_summary::MatchSummary;
use crate::sim::trials::{Choosing, Count, MatchPlan, Trial};

/// The counting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForcedCount {
    /// Options of the choice.
    pub options: usize,
    /// Matches of a block that are forked: distinct line-ups.
    pub rotations: usize,
}

impl ForcedCount {
    /// Positions that were played on with every option.
    pub const POSITIONS: usize = 0;
    /// Those in which no option ended the match at once.
    pub const PLAYED_ON: usize = 1;
    /// Matches in which the choice never came.
    pub const ABSENT: usize = 2;
    /// Matches whose choice was not among all options.
    pub const CLOSED: usize = 3;
    /// Matches in which an agent failed, with one option or more.
    pub const FAILED: usize = 4;
    const HEAD: usize = 5;

    /// Wins of the seat that chose.
    pub const WINS: usize = 0;
    /// Matches that ended with the forced action.
    pub const AT_ONCE: usize = 1;
    /// Wins in positions where no option ends the match at once.
    pub const WINS_PLAYED_ON: usize = 2;
    /// Positions in which the agent wanted this option.
    pub const WANTED: usize = 3;
    /// Wins in those of them where it was what the agent wanted.
    pub const WANTED_WINS: usize = 4;
    /// Positions that someone won.
    pub const WON: usize = 5;
    /// Sum of the turns of their matches.
    pub const TURNS: usize = 6;
    const OPTION_WIDTH: usize = 7;

    /// The matches of a block: each line-up with each option.
    pub fn matches(&self, variant: usize, rotations: &[Vec<usize>]) -> Vec<MatchPlan> {
        let plan = |seats: &Vec<usize>, option| MatchPlan {
            forced: Some(option),
            ..MatchPlan::plain(variant, seats.clone())
        };
        let of = |seats| (0..self.options).map(move |option| plan(seats, option));
        rotations.iter().flat_map(of).collect()
    }

    /// The counters of an option.
    pub fn option(&self, option: usize) -> usize {
        ForcedCount::HEAD + option * ForcedCount::OPTION_WIDTH
    }

    /// Positions in which the seat that chose wins with either of two options.
    pub fn both(&self, option: usize, other: usize) -> usize {
        ForcedCount::HEAD + self.options * (ForcedCount::OPTION_WIDTH + option) + other
    }

    fn count_position(&self, trials: &[Trial], sums: &mut [u64]) {
        sums[ForcedCount::FAILED] += u64::from(trials.contains(&Trial::Failed));
        sums[ForcedCount::ABSENT] += u64::from(trials[0] == Trial::Absent);
        sums[ForcedCount::CLOSED] += u64::from(trials[0] == Trial::Closed);
        let forced = |trial: &Trial| match *trial {
            Trial::Forced(summary, choosing) => Some((summary, choosing)),
            _ => None,
        };
        // A position counts with all its options or not at all.
        let all: Option<Vec<(MatchSummary, Choosing)>> = trials.iter().map(forced).collect();
        let Some(played) = all else { return };
        let played_on = played.iter().all(|(_, choosing)| !choosing.at_once);
        sums[ForcedCount::POSITIONS] += 1;
        sums[ForcedCount::PLAYED_ON] += u64::from(played_on);
        let won: Vec<u64> = played
            .iter()
            .map(|(summary, choosing)| u64::from(summary.winner == Some(choosing.seat)))
            .collect();
        for (option, (summary, choosing)) in played.iter().enumerate() {
            let at = self.option(option);
            sums[at + ForcedCount::WINS] += won[option];
            sums[at + ForcedCount::AT_ONCE] += u64::from(choosing.at_once);
            sums[at + ForcedCount::WINS_PLAYED_ON] += won[option] * u64::from(played_on);
            let wanted = u64::from(choosing.wanted == option);
            sums[at + ForcedCount::WANTED] += wanted;
            sums[at + ForcedCount::WANTED_WINS] += wanted * won[option];
            if summary.winner.is_some() {
                sums[at + ForcedCount::WON] += 1;
                sums[at + ForcedCount::TURNS] += u64::from(summary.turns);
            }
            for (other, &also) in won.iter().enumerate() {
                sums[self.both(option, other)] += won[option] * also;
            }
        }
    }
}

impl Count for ForcedCount {
    fn width(&self) -> usize {
        ForcedCount::HEAD + self.options * (ForcedCount::OPTION_WIDTH + self.options)
    }

    fn count(&self, _block: u64, trials: &[Trial], sums: &mut [u64]) {
        for position in trials.chunks(self.options) {
            self.count_position(position, sums);
        }
    }
}
