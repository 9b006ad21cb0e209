//! How a program outside is reached: lines of text that go there and back.

use std::collections::BTreeMap;
use std::time::Duration;

/// How a program is reached, and how long it may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Program and arguments, at least one word.
    pub command: Vec<String>,
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
}

/// A program that has been reached. It is kept from match to match.
pub trait Line: Send {
    /// Sends whole lines.
    ///
    /// # Errors
    /// If nobody reads them.
    fn send(&mut self, lines: &[u8]) -> Result<(), String>;

    /// The next line, without its end.
    ///
    /// # Errors
    /// If none comes in time, it is too long or no text, or nobody is left to write one.
    fn receive(&mut self, limit: Duration, line: &mut String) -> Result<(), String>;

    /// What the program said of itself when it was greeted; nothing if it was not yet.
    fn greeting(&mut self) -> &mut Option<String>;

    /// A number that no match on this line has had.
    fn next_number(&mut self) -> u64;

    /// The program has failed: it is ended. Returns what it wrote beside the protocol, shortened.
    fn break_off(&mut self) -> String;
}
