//! How each game is measured.

pub mod base;
pub mod on_the_road;
