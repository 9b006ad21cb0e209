//! The search on a game small enough to be solved, and matches of the real games in which the better agent
//! must win.

pub(crate) mod heap;
mod ladder;
mod nets;
mod search;
mod spec;
mod weaker;
