//! What users name, from words: rule sets and agents.

pub mod rules;
pub(crate) mod nets;
pub(crate) mod plain_files;
pub mod line_up;
pub mod maps;
