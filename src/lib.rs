#![doc = include_str!("../README.md")]

pub use fairhaven_conformance as conformance;
pub use fairhaven_engine::{core, games, parts, registry, sim, stats, words};

pub mod lab;
pub mod cli;

/// The manual's example of an agent, which is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/agents.md")]
pub struct AgentsPage;
