//! Matches of base CATAN recorded from another program, replayed by our rules: those of the package, those of
//! a folder that the environment names, and some that were altered by hand.
//!
//! `tests/data/catanatron.jsonl.zst` holds 17 of the hundred matches that were recorded from Catanatron
//! (github.com/bcollazo/catanatron at 41ba0db5), by their numbers there from 0: 85, 88, 81, 77, 46, 79, 57, 62,
//! 66, 92, 28, 35, 23, 99, 2, 68, 69. They are two-, three- and four-player matches of all kinds of its bots, on
//! both maps, with both ways of laying tokens, with offers, with the friendly robber, to 15 points, and one
//! that ended at 1000 turns.

mod altered;
mod followed;
mod hostile;
mod recorded;
mod support;
mod visited;
