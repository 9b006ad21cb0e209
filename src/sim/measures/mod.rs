//! How each game is measured.

pub mod on_the_road;
