//! What a run has as a file for other programs: its decisions, to learn from, or its rows.

mod kind;
#[cfg(feature = "parquet")]
mod parquet;
mod file;
pub mod decisions;
pub mod rows;
