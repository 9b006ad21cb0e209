//! Courses of learning, whatever learns: sessions of matches, each of which leads from one state of a course to the
//! next. A state is a list of whole numbers, from which a course can be resumed.

use crate::core::game::End;
use crate::sim::surprise::{TENTHS, Tenths};
use crate::sim::trials::{self, ANOMALY, BLOCKS, COMMON, FAILURE};
use std::ops::Range;

/// What learns.
pub trait Learner: Clone + PartialEq {
    /// All of it as whole numbers, those with a fraction by their bits.
    fn encode(&self) -> Vec<u64>;

    /// Reads as many words as this one is written in; nothing if no course that began like this one can have led there.
    fn decode(&self, words: &[u64]) -> Option<Self>;
}

/// How something is learned.
pub trait Course {
    /// What learns.
    type Learner: Learner;

    /// The matches of the session behind so many.
    fn due(&self, played: u64) -> Range<u64>;
}

/// Where a course stands between two sessions.
#[derive(Debug, Clone, PartialEq)]
pub struct CourseState<L> {
    /// What has learned.
    pub learner: L,
    /// Matches played.
    pub played: u64,
    /// Matches with a winner that were learned from; others teach nothing.
    pub won: u64,
    /// Surprise at the winners of matches that were learned from, before they were.
    pub tenths: Tenths,
}

impl<L: Learner> CourseState<L> {
    /// Before the first match.
    pub fn new(learner: L) -> CourseState<L> {
        CourseState { learner, played: 0, won: 0, tenths: Tenths::default() }
    }

    /// All of it as whole numbers, those with a fraction by their bits.
    pub fn encode(&self) -> Vec<u64> {
        let mut words = vec![self.played, self.won];
        words.extend(self.tenths.encode());
        words.extend(self.learner.encode());
        words
    }

    /// Where a course stands by its words, if it began like this one.
    pub fn decode(&self, words: &[u64]) -> Option<CourseState<L>> {
        if words.len() != self.encode().len() {
            return None;
        }
        let (counts, rest) = words.split_at(2);
        let (tenths, learner) = rest.split_at(2 * TENTHS);
        let decoded = CourseState {
            learner: self.learner.decode(learner)?,
            played: counts[0],
            won: counts[1],
            tenths: Tenths::decode(tenths)?,
        };
        (decoded.won <= decoded.played).then_some(decoded)
    }
}

/// What came of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Session<L> {
    /// Where the course stands behind it.
    pub state: CourseState<L>,
    /// What every experiment counts; each match is a block.
    pub counts: [u64; COMMON],
}

impl<L> Session<L> {
    /// A session with these matches: the decisions of each, and how it ended, unless an agent broke the rules.
    pub fn new(
        state: CourseState<L>,
        matches: impl Iterator<Item = (u32, Option<End>)>,
    ) -> Session<L> {
        let mut counts = [0; COMMON];
        for (decisions, end) in matches {
            counts[BLOCKS] += 1;
            match end {
                None => counts[ANOMALY + FAILURE] += 1,
                Some(end) => trials::count(&mut counts, decisions, end),
            }
        }
        Session { state, counts }
    }
}
