//! Words and numbers as people type them: nothing here knows what they stand for.

pub mod nearest;
pub mod numbers;
