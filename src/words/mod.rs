//! Words and numbers as people type them: nothing here knows what they mean.

pub mod cells;
pub mod lines;
pub mod lists;
pub mod nearest;
pub mod numbers;
pub mod shortened;
pub mod steering;
