//! How a program outside is reached: lines of text that go there and back.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a program speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dialect {
    /// The protocol of guests.
    #[default]
    Fairhaven,
    /// What the program Catanatron says to players that are other programs.
    Catanatron,
}

/// How a program is reached, and how long it may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Program and arguments, at least one word.
    pub command: Vec<String>,
    /// What it speaks.
    pub dialect: Dialect,
    /// Variables of its environment, beside those of this process.
    pub environment: BTreeMap<String, String>,
    /// Files that its command names, and the hashes that they must have.
    pub files: BTreeMap<String, String>,
    /// From its start until it is ready.
    pub start: Duration,
    /// For each decision.
    pub decision: Duration,
    /// For all decisions of a seat in a match, if they are limited.
    pub bank: Option<Duration>,
    /// Whether it is sent the whole legal list, whatever it wants to read.
    pub full_list: bool,
}

/// A match that a seat has lost because its guest failed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LostMatch {
    /// The block and the number of the match in it.
    pub id: (u64, u64),
    /// The seat, from 1.
    pub seat: u8,
    /// The guest's command.
    pub guest: String,
    /// Why it failed.
    pub reason: String,
}

/// The matches of a run that were lost so.
pub type LostMatches = Arc<Mutex<Vec<LostMatch>>>;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// The program has failed, for a reason.
    Failed(String),
    /// It has failed in another match, whose failure says why.
    Elsewhere,
}

impl From<String> for Unanswered {
    fn from(reason: String) -> Unanswered {
        Unanswered::Failed(reason)
    }
}

impl From<&str> for Unanswered {
    fn from(reason: &str) -> Unanswered {
        Unanswered::Failed(reason.to_owned())
    }
}

/// A seat at a program that has been reached, for one match at a time. Several matches may share the program; it is kept
/// from match to match.
pub trait Line: Send {
    /// What the program says of itself. It is greeted with a line, unless it was before.
    ///
    /// # Errors
    /// If it says nothing in time, or no text, or nobody is left to say it.
    fn greet(&mut self, hello: &[u8], limit: Duration) -> Result<String, String>;

    /// Tells it of the game that it was invited to, unless it knows it already.
    fn load(&mut self);

    /// Sends whole lines, with the next question at the latest.
    fn send(&mut self, lines: &[u8]);

    /// Sends whole lines, the last of which asks question `id`, and waits for its answer, a line without its end.
    /// Returns how long the program took. Answers to other questions are dropped.
    ///
    /// # Errors
    /// If none comes in time, it is too long or no text, or nobody is left to write one.
    fn ask(
        &mut self,
        id: u64,
        lines: &[u8],
        limit: Duration,
        answer: &mut String,
    ) -> Result<Duration, Unanswered>;

    /// A number that no match or question on this program has had.
    fn next_number(&mut self) -> u64;

    /// The program has failed: it is ended. Returns what it wrote beside the protocol, shortened.
    fn break_off(&mut self) -> String;
}
