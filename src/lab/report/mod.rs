//! What leaves the program as text: tables, the manifest.

pub mod format;
pub mod comparison;
pub mod table;
pub mod metric;
pub mod described;
pub mod tables;
pub(crate) mod cards;
pub(crate) mod course;
pub mod simulated;
pub(crate) mod lengths;
pub(crate) mod matched;
pub mod manifest;
pub mod agent_entry;
pub mod hash;
pub(crate) mod files;
pub(crate) mod sums;
pub(crate) mod rows;
pub mod summary;
pub mod figures;
pub(crate) mod plot;
pub mod answer;
pub(crate) mod machine;
pub mod schema;
pub(crate) mod require;
pub(crate) mod require_parse;
