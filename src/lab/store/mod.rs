//! The directory of a run: opened, locked, filled and put in its place, with the logs that grow in it.

pub mod quoted;
pub mod lock;
pub mod limits;
pub mod manifests;
pub mod append_log;
pub mod choice_log;
pub mod chunk_log;
pub mod stage_log;
pub mod run_files;
pub mod replaced;
pub mod temporary;
pub mod directory;
pub mod checkpoint;
pub mod faults;
