//! Where the counters of `diagnose` lie that `simulate` does not have. They stand behind its own.

use crate::core::measure::Measure;

/// The counters, of a game with so many sources of points and rows of cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DesignCount {
    /// Sources of points.
    pub sources: usize,
    /// Rows of cards.
    pub cards: usize,
}

/// Moments of a match at which it is asked who leads: when a quarter, a half and three quarters of its turns are over.
pub const MOMENTS: usize = 3;

/// Parts of a match that decisions are told apart by: all of it, and the last quarter of its decisions.
pub const PARTS: usize = 2;

impl DesignCount {
    /// Turns that have ended.
    pub const TURNS: usize = 0;
    /// Those in which whoever's turn it was had one legal action only, whenever it was asked.
    pub const DEAD: usize = 1;
    /// Those in which whoever's turn it was paid for nothing.
    pub const IDLE: usize = 2;
    /// Matches that came to an end.
    pub const PLAYED: usize = 3;
    /// Those that somebody won.
    pub const WON: usize = 4;
    /// Seats in them that did not.
    pub const OTHERS: usize = 5;
    const MOMENT: usize = 6;

    /// Matches that one seat leads alone then, and that somebody won.
    pub const LED: usize = 0;
    /// Those that this seat won.
    pub const LEADER_WINS: usize = 1;
    /// Those that a seat won which had the most points of the others.
    pub const NEXT_WINS: usize = 2;
    const MOMENT_WIDTH: usize = 3;
    const FORK: usize = DesignCount::MOMENT + MOMENTS * DesignCount::MOMENT_WIDTH;

    /// Decisions of seats that lost from which was played on.
    pub const FORKS: usize = 0;
    /// With another choice and the same luck a third seat wins.
    pub const SAME_LUCK: usize = 1;
    /// With the same choice and other luck another seat than the chooser wins.
    pub const KEPT: usize = 2;
    /// Those in which it is another seat than before.
    pub const KEPT_THIRD: usize = 3;
    /// With another choice and other luck another seat than the chooser wins.
    pub const CHANGED: usize = 4;
    /// Those in which it is another seat than before.
    pub const CHANGED_THIRD: usize = 5;
    const FORK_WIDTH: usize = 6;
    const SOURCE: usize = DesignCount::FORK + PARTS * DesignCount::FORK_WIDTH;

    /// Points of winners from a source.
    pub const OF_WINNERS: usize = 0;
    /// The same of all others in matches that somebody won.
    pub const OF_OTHERS: usize = 1;
    const SOURCE_WIDTH: usize = 2;

    /// How often something was bought.
    pub const BOUGHT: usize = 0;
    /// Resource cards that were paid for it.
    pub const PAID: usize = 1;
    const CARD_WIDTH: usize = 2;

    /// Those of a game.
    pub const fn of<G: Measure>() -> DesignCount {
        DesignCount { sources: G::SOURCES.len(), cards: G::CARDS.len() }
    }

    /// Number of counters.
    pub const fn width(self) -> usize {
        self.card(self.cards)
    }

    /// The counters of a moment, from 0.
    pub const fn moment(self, moment: usize) -> usize {
        DesignCount::MOMENT + moment * DesignCount::MOMENT_WIDTH
    }

    /// The counters of decisions of a part of the match.
    pub const fn fork(self, part: usize) -> usize {
        DesignCount::FORK + part * DesignCount::FORK_WIDTH
    }

    /// The counters of a source of points.
    pub const fn source(self, source: usize) -> usize {
        DesignCount::SOURCE + source * DesignCount::SOURCE_WIDTH
    }

    /// The counters of a row of cards.
    pub const fn card(self, card: usize) -> usize {
        self.source(self.sources) + card * DesignCount::CARD_WIDTH
    }
}
