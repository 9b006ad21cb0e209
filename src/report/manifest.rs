//! `manifest.json`: what was run, with what, and how it went. The only file with wall times.

use crate::registry::AgentSpec;
use serde::Deserialize;
use serde::Serialize;

/// Version of the files of a run; raised when a reader of the old ones would go wrong.
pub const SCHEMA_VERSION: u32 = 1;

/// The manifest of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The program's version.
    pub version: String,
    /// The command line, word by word.
    pub command: Vec<String>,
    /// The game.
    pub game: String,
    /// Players at the table.
    pub players: u8,
    /// Why the settings are unofficial, if they are.
    pub unofficial: Option<String>,
    /// The rule set, every field.
    pub rules: toml::Table,
    /// A hash of the rule set (FNV-1a, 64 bits, of its TOML).
    pub rules_hash: String,
    /// The distinct agents.
    pub agents: Vec<AgentEntry>,
    /// The master seed.
    pub seed: u64,
    /// The generator that everything comes from.
    pub generator: String,
    /// What is played.
    pub plan: PlanEntry,
    /// What has been played.
    pub played: Played,
    /// Times; nothing else in a run depends on the clock.
    pub wall: Wall,
    /// Files beside this one.
    pub files: Vec<String>,
}

/// One distinct agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentEntry {
    /// The words on the command line.
    pub name: String,
    /// The kind.
    pub kind: String,
    /// Parameters that differ from the defaults.
    pub parameters: toml::Table,
    /// A hash of kind and parameters.
    pub hash: String,
    /// Whether its choices can be had again: not if it searches by time.
    pub reproducible: bool,
}

/// The plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanEntry {
    /// Blocks in all.
    pub blocks: u64,
    /// Blocks that are counted together.
    pub chunk: u64,
    /// MATCH of a block: which of `agents` sits in each seat.
    pub matches_of_a_block: Vec<Vec<usize>>,
}

/// What has been played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Whether every block of the plan was played.
    pub complete: bool,
    /// Blocks: the first ones, without gaps.
    pub blocks: u64,
    /// Matches that came to an end.
    pub matches: u64,
    /// Decisions of all of them.
    pub decisions: u64,
    /// Matches that an agent broke off.
    pub failures: u64,
}

/// Times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    /// Seconds from the first match to the last.
    pub wall_s: f64,
    /// Seconds of all threads that searching agents thought, by agent; 0 for agents that do not search.
    pub thinking_s: Vec<f64>,
    /// Threads.
    pub threads: usize,
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
            reproducible: !spec.is_timed(),
        }
    }

    /// The agent that the entry stands for.
    pub fn spec(&self) -> AgentSpec {
        AgentSpec {
            name: self.name.clone(),
            kind: self.kind.clone(),
            parameters: self.parameters.clone(),
        }
    }
}

/// FNV-1a, 64 bits (G. Fowler, L. Noll, P. Vo), in hexadecimal: a name for a text, not a seal.
pub fn hash(text: &str) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn hash_agrees_with_published_values() {
        // Test vectors of draft-eastlake-fnv.
        assert_eq!(hash(""), "cbf29ce484222325");
        assert_eq!(hash("a"), "af63dc4c8601ec8c");
        assert_eq!(hash("foobar"), "85944171f73967e8");
    }
}
