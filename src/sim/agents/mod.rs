//! Agents that play any game, and agents by their names.

pub mod random;
pub mod mcts;
pub mod spec;
#[cfg(test)]
mod tests;
