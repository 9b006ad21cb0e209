#![doc = include_str!("../README.md")]

pub mod types;
pub mod seed;
pub mod stats;
pub mod chance;
pub mod game;
pub mod parts;
pub mod games;
pub mod agent;
pub mod record;
pub mod search;
pub mod agents;
pub mod sim;
pub mod registry;
pub mod clock;
pub mod report;
