//! The contracts: what a game is, what an agent is, where luck comes from, who listens, what can be measured.

pub mod types;
pub mod arrays;
pub mod wording;
pub mod watch;
pub mod outside;
pub mod seed;
pub mod chance;
pub mod game;
pub mod rule_set;
pub mod agent;
pub mod guest;
pub mod record;
pub mod params;
pub mod resources;
pub mod net;
pub mod opinion;
pub mod measure;
