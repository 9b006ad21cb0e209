//! Strategy files: agents under a name, and what was measured of those that were made to win a given share of matches.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Table;

/// A strategy file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// The kind of agent.
    pub kind: String,
    /// What it does, in a line.
    pub about: String,
    /// Where its parameters come from.
    pub provenance: String,
    /// Parameters that differ from the kind's defaults.
    #[serde(default)]
    pub parameters: Table,
    /// How strong it was measured to be, if it was made for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<StrategyLevel>,
    /// What was found of it by `check-agent`, if it is a program outside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
}

/// What `check-agent` has found of a program outside. No agent depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checked {
    /// The program that checked it, and its version.
    pub by: String,
    /// Where it played: games and numbers of players.
    pub tables: Vec<String>,
    /// Whether it kept the protocol.
    pub passed: bool,
    /// Whether its answers depend on the match alone.
    pub repeatable: bool,
    /// Hashes of the files that its command names, as they were then.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// How often a strategy wins alone at a table full of another agent. No agent depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyLevel {
    /// The game.
    pub game: String,
    /// The agent that fills the table.
    pub against: String,
    /// Players at the table.
    pub players: u8,
    /// The hash of the whole rule set, as manifests have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_hash: Option<String>,
    /// The share of matches that it wins, in per cent.
    pub percent: f64,
    /// How far its interval may reach to either side of that, such as 2pp.
    pub tolerance: String,
    /// Iterations that it searches at a decision; 0 if it does not search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// What a decision takes, in microseconds of processor time, if that was measured; the provenance says on what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_us: Option<f64>,
    /// Fields of the rule set that differ from the game's own.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub rules: Table,
}

/// The table at which an agent was measured to be of a level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredAt {
    /// The game.
    pub game: String,
    /// Players at the table.
    pub players: u8,
    /// The hash of the rule set, if the level's file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_hash: Option<String>,
}

impl StrategyLevel {
    /// The table at which it was measured.
    pub fn measured_at(&self) -> MeasuredAt {
        let (game, rules_hash) = (self.game.clone(), self.rules_hash.clone());
        MeasuredAt { game, players: self.players, rules_hash }
    }
}
