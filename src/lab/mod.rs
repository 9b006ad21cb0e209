//! The laboratory as a library: a design becomes a run, which is played, saved, resumed, merged, verified, and
//! read as tables. It prints nothing; whoever calls it hears how far a run is, and may stop it.

pub mod report;
pub mod pictures;
pub mod studies;
pub mod searches;
pub mod rules;
pub mod line_up;
pub mod asked;
pub mod caller;
pub mod limits;
pub mod manifests;
pub mod rows;
pub mod lock;
pub mod run_files;
pub mod directory;
pub mod job;
pub mod chunk_log;
pub mod checkpoint;
pub mod run;
pub mod stage_log;
pub mod stage_table;
pub mod stages;
pub mod search_run;
pub mod runs;
pub mod parts;
pub mod merge;
pub mod waves;
pub mod search_waves;
pub mod status;
pub mod again;
pub mod mistakes;
pub mod export;
pub mod addition;
pub mod verify;
pub mod notes;
pub mod page;
