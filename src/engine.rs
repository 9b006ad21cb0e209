//! The engine of Fairhaven: rules, agents, search, the runner, and the statistics of its tables. It knows no
//! files of runs and no command line.

pub mod core;
pub mod stats;
pub mod words;
pub mod parts;
pub mod games;
pub mod sim;
pub mod registry;
