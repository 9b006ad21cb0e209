//! From one match to many: a match, a block of seat rotations, a batch of blocks on all cores.

pub mod agents;
pub mod search;
pub mod records;
pub mod play;
pub mod follower;
pub mod layout;
pub mod flows;
pub mod rests;
pub mod risk;
pub mod tally;
pub mod experiment;
pub mod simulation;
pub mod match_summary;
pub mod foresight;
pub mod luck;
pub mod trials;
pub mod counts;
pub mod batch;
pub mod surprise;
pub mod learn;
pub mod reliability;
pub mod net_training;
pub mod learn_net;
pub mod timing;
pub mod explain;
pub mod any_game;
mod any_game_of;
