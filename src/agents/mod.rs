//! Agents: generic ones, and what one game's positions are worth.

pub mod baselines;
pub mod random;
