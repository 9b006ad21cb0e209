//! Agents: generic ones, and what one game's positions are worth.

pub mod baselines;
pub mod random;
pub mod opinion;
pub mod features;
pub mod mcts;
pub mod params;
