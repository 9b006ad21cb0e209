//! How several machines play one run: its parts, its waves, and how they become one run.

pub(crate) mod saved;
pub(crate) mod parts;
pub(crate) mod waves;
pub mod merge;
pub(crate) mod addition;
pub(crate) mod status;
