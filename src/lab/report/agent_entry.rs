//! Agents in a manifest.

use crate::core::net::file::SavedNet;
use crate::lab::report::hash::hash;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::strategy::{Checked, MeasuredAt};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One distinct agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentEntry {
    /// The words on the command line.
    pub name: String,
    /// The kind.
    pub kind: String,
    /// Parameters that differ from the defaults.
    #[cfg_attr(test, schemars(with = "Fields"))]
    pub parameters: toml::Table,
    /// A hash of kind and parameters.
    pub hash: String,
    /// Whether its choices are reproducible: not if it searches by time.
    pub reproducible: bool,
    /// The table at which it was measured, if it is a level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<TableOfALevel>"))]
    pub measured_at: Option<MeasuredAt>,
    /// What it says of itself, if it is a program outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<Said>,
    /// What `check-agent` has found of it, if it is a program outside that was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<CheckedProgram>"))]
    pub checked: Option<Checked>,
    /// The net that it names as a file, once that was read; the manifest has the hash of the file.
    #[serde(skip)]
    pub net: Option<Arc<SavedNet>>,
}

/// What a program outside says of itself when a run begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// Its name.
    pub name: String,
    /// Its version; empty if it says none.
    pub version: String,
    /// Matches that it plays at once on a process.
    pub matches: u16,
}

impl AgentEntry {
    /// The entry of an agent.
    pub fn new(spec: &AgentSpec) -> AgentEntry {
        let text = format!("{}\n{}", spec.kind, spec.parameters);
        AgentEntry {
            name: spec.name.clone(),
            kind: spec.kind.clone(),
            parameters: spec.parameters.clone(),
            hash: hash(&text),
            reproducible: !spec.is_timed()
                && spec.checked.as_ref().is_none_or(|checked| checked.repeatable),
            measured_at: spec.measured_at.clone(),
            said: None,
            checked: spec.checked.clone(),
            net: spec.net.clone(),
        }
    }

    /// The agent of the entry.
    pub fn spec(&self) -> AgentSpec {
        AgentSpec {
            name: self.name.clone(),
            kind: self.kind.clone(),
            parameters: self.parameters.clone(),
            measured_at: self.measured_at.clone(),
            checked: self.checked.clone(),
            net: self.net.clone(),
        }
    }
}

/// The shape of a TOML table, for the schema.
#[cfg(test)]
pub type Fields = serde_json::Map<String, serde_json::Value>;

// What follows belongs to layers that know no schemas.
/// The table at which an agent was measured to be of a level.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is asked for")]
struct TableOfALevel {
    /// The game.
    game: String,
    /// Players at the table.
    players: u8,
    /// The hash of the rule set, if the level's file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules_hash: Option<String>,
}

/// What `check-agent` has found of a program outside.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is asked for")]
struct CheckedProgram {
    /// The program that checked it, and its version.
    by: String,
    /// Where it played: games and numbers of players.
    tables: Vec<String>,
    /// Whether it kept the protocol.
    passed: bool,
    /// Whether its answers depend on the match alone.
    repeatable: bool,
    /// Hashes of the files that its command names, as they were then.
    #[serde(default)]
    files: std::collections::BTreeMap<String, String>,
}
