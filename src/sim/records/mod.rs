//! Match records: JSON Lines and text that recorders write while a match is played, and the referee that reads
//! them. They know the contract of a game, and no game.

pub mod line;
pub mod error;
pub mod jsonl;
pub mod text;
pub mod questions;
pub mod read;
pub mod chance;
pub mod check;

/// The form of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// For programs.
    JsonLines,
    /// Each decision with its legal list, for programs that learn or compare.
    Questions,
}
