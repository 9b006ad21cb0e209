//! What leaves the program as text: tables, the manifest, match records.

pub mod record_line;
pub mod record_error;
pub mod record_jsonl;
pub mod record_text;
pub mod record_read;
pub mod record_chance;
pub mod record_check;
pub mod table;
pub mod described;
pub mod tables;
pub mod lengths;
pub mod matched;
pub mod manifest;
pub mod directory;
pub mod sums;
pub mod summary;
pub mod figures;
pub mod answer;
pub mod machine;
pub mod schema;
pub mod steps;
pub mod span;
pub mod require;
pub mod require_parse;
pub mod require_error;
