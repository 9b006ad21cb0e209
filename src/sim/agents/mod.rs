//! Agents that play any game, and agents by their names.

pub mod random;
pub mod tempered;
pub mod lapsing;
pub mod without;
pub mod mcts;
pub mod judging;
pub mod added;
pub mod command;
pub mod exec;
pub mod nets;
pub mod overlooking;
pub mod shown;
pub mod spec;
pub mod strategies;
pub mod strategy;
pub mod settled;
#[cfg(test)]
pub(crate) mod tests;
