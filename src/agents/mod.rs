//! Agents: those that play any game, and opinions on the positions of each game.

pub mod baselines;
pub mod random;
pub mod opinion;
pub mod features;
pub mod mcts;
pub mod params;
pub mod spec;
#[cfg(test)]
mod tests;
