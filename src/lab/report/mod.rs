//! What leaves the program as text: tables, the manifest.

pub mod format;
pub mod comparison;
pub mod table;
pub mod metric;
pub mod described;
pub mod tables;
pub mod cards;
pub mod course;
pub mod simulated;
pub mod lengths;
pub mod matched;
pub mod manifest;
pub mod agent_entry;
pub mod hash;
pub mod files;
pub mod sums;
pub mod rows;
pub mod summary;
pub mod figures;
pub mod plot;
pub mod answer;
pub mod machine;
pub mod schema;
pub mod require;
pub mod require_parse;
