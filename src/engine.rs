//! The engine of Fairhaven: rules, agents, search, the runner, and the statistics of its tables. It knows no
//! files of runs and no command line.

pub mod core;
pub mod stats;
pub mod words;
pub mod parts;
pub mod games;
pub mod sim;
// No unit test asks for a game by name, and all games, compiled whole, would double what their tests take to build.
#[cfg(not(test))]
pub mod registry;
