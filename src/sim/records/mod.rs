//! Match records: JSON Lines and text that recorders write while a match is played, and the referee that reads
//! them. They know the contract of a game, and no game.

pub mod line;
pub mod error;
pub mod jsonl;
pub mod text;
pub mod read;
pub mod chance;
pub mod check;
