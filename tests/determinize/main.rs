//! The law of determinization, checked against exact enumerations that share no code with it.
//!
//! An enumeration follows every way in which the hidden cards may lie, with its exact weight. The same
//! events are told to a seat's memory, and the positions that it deals are compared with the weights.

#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod base;
mod base_law;
mod fit;
mod on_the_road;
mod road_law;
