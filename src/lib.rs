#![doc = include_str!("../README.md")]

pub mod core;
pub mod stats;
pub mod words;
pub mod parts;
pub mod games;
pub mod sim;
pub mod conformance;
pub mod lab;
pub mod cli;

/// The manual's example of an agent, which is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/agents.md")]
pub struct AgentsPage;
