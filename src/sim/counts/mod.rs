//! How the matches of a block are counted, one file for each question.

pub mod duel;
pub mod luck;
pub mod paired;
pub mod forced;
pub mod founded;
pub mod resampled;
pub mod restricted;
pub mod wins;
pub mod whole;
pub mod score;
pub mod tournament;
pub mod reliability;
