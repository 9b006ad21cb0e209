//! How several machines play one run: its parts, its waves, and how they become one run.

pub mod parts;
pub mod waves;
pub mod merge;
pub mod addition;
pub mod status;
