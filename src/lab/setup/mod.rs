//! What users name, from words: rule sets and agents.

pub mod rules;
pub(crate) mod nets;
pub mod line_up;
pub mod maps;
