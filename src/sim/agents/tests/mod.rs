//! The search on a game small enough to be solved, and what agents of all kinds have in common.

pub(crate) mod heap;
mod nets;
mod search;
mod spec;
mod weaker;
