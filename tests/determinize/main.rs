//! The law of determinization, checked against exact enumerations that share no code with it.
//!
//! An enumeration follows every possible arrangement of the hidden cards, with its exact weight. The same
//! events are fed to a seat's memory, and the positions that it deals are compared with the weights.

#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod base;
mod boats;
mod base_law;
mod card_law;
mod fit;
mod on_the_road;
mod struggle;
mod two_player;
