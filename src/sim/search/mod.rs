//! Search without knowledge of any game: the tree, the walks down it, and the rollouts at its leaves.

pub mod rollout;
pub mod tree;
pub mod walker;
