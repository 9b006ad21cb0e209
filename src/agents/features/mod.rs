//! What each game's positions are worth to its players.

pub mod base;
pub mod on_the_road;
