//! Matches that other programs played, replayed by our rules. Every decision, legal list and state is
//! compared, and each way in which such a program departs from the rules has a name. Nothing is played
//! here. Our own records are checked in `records::check`.

use fairhaven_engine::{core, games, parts, sim};

pub mod catanatron;
