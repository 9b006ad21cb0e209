//! Search without knowledge of any game: the tree, and the rollouts at its leaves.

pub mod rollout;
pub mod tree;
