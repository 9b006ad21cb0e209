//! From a question to what is played and reported: sections of a block, tables, and when to stop.

pub mod estimator;
pub mod duel;
pub mod paired;
pub mod rates;
pub mod forced;
pub mod restricted;
pub mod factors;
pub mod sensitivity;
pub mod verdicts;
pub mod stretches;
pub mod study;
