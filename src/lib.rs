#![doc = include_str!("../README.md")]

pub mod types;
pub mod seed;
pub mod stats;
pub mod words;
pub mod chance;
pub mod game;
pub mod parts;
pub mod games;
pub mod agent;
pub mod record;
pub mod params;
pub mod opinion;
pub mod measure;
pub mod records;
pub mod search;
pub mod agents;
pub mod sim;
pub mod registry;
pub mod report;
pub mod conformance;
pub mod studies;
pub mod lab;
pub mod clock;
pub mod cli;
pub mod commands;

/// The manual's example of an agent, which is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/agents.md")]
pub struct AgentsPage;
