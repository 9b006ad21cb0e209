//! The games, each in a room of its own. Games never know each other.

pub mod base;
pub mod boats;
#[cfg(test)]
mod daggers;
pub mod on_the_road;
pub mod struggle;
#[cfg(test)]
mod support;
pub mod two_player;
