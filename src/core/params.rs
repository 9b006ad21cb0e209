//! Parameters of agents: what one is, and those that every search has.

use serde::{Deserialize, Serialize};

/// A parameter of an agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The key in TOML and on the command line.
    pub name: &'static str,
    /// What it does, in which unit.
    pub about: &'static str,
    /// The least and the most that it may be; nothing for a word.
    pub range: Option<(f64, f64)>,
    /// Whether only searches use it, not the planner alone.
    pub search_only: bool,
}

/// The range of rounds, cards and points: far more than any match has of them.
pub const ANY: (f64, f64) = (-100.0, 100.0);
/// The range of shares and chances.
pub const SHARE: (f64, f64) = (0.0, 1.0);

impl Parameter {
    /// A number that planners use.
    pub const fn number(name: &'static str, range: (f64, f64), about: &'static str) -> Parameter {
        Parameter { name, about, range: Some(range), search_only: false }
    }

    /// A number that only searches use.
    pub const fn of_search(
        name: &'static str,
        range: (f64, f64),
        about: &'static str,
    ) -> Parameter {
        Parameter { search_only: true, ..Parameter::number(name, range, about) }
    }

    const fn word(name: &'static str, about: &'static str) -> Parameter {
        Parameter { name, about, range: None, search_only: true }
    }

    /// What is wrong with a number for it, if anything is.
    pub fn fault(&self, number: f64) -> Option<String> {
        let (low, high) = self.range?;
        let fits = (low..=high).contains(&number);
        (!fits).then(|| {
            // A number such as 1e99 has no use for all its digits.
            let shown = if number.abs() < 1e9 { number.to_string() } else { format!("{number:e}") };
            format!("`{}` is {shown}; it must be in {low} to {high} ({})", self.name, self.about)
        })
    }
}

/// Parameters of `mcts` and `oracle`; both also take those of the game's planner.
pub const SEARCH: &[Parameter] = &[
    Parameter::of_search(
        "iterations",
        (0.0, 1e7),
        "iterations per decision; 0 leaves the limit to time_ms",
    ),
    Parameter::of_search(
        "time_ms",
        (0.0, 3.6e6),
        "milliseconds per decision, 0 for no limit; not reproducible",
    ),
    Parameter::of_search("exploration", (0.0, 100.0), "weight of priors against means"),
    Parameter::word("rollout", "what plays on from a leaf: random, quick or heuristic"),
    Parameter::of_search(
        "truncation",
        (0.0, 65535.0),
        "turns played on from a leaf; 0 judges it at once, 1000 plays to the end",
    ),
    Parameter::word("opponents", "the other seats in the tree: search (max^n) or heuristic"),
    Parameter::of_search("candidates", (1.0, 1000.0), "actions considered at one decision"),
    Parameter::of_search(
        "prior_scale",
        (1e-3, 1e3),
        "rating (rounds or points) that multiplies a prior by e",
    ),
];

/// What plays on from a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rollout {
    /// Uniform over the legal list without offers.
    Random,
    /// The game's fast policy.
    Quick,
    /// The game's planning policy.
    Heuristic,
}

/// What the searcher takes the other seats to do in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opponents {
    /// Each maximizes its own value (max^n).
    Search,
    /// Each follows the planning policy.
    Heuristic,
}

/// The parameters of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MctsParams {
    /// Iterations a decision; 0 if time alone is the limit.
    pub iterations: u32,
    /// Milliseconds a decision; 0 if iterations alone are the limit. Not reproducible.
    pub time_ms: u32,
    /// Weight of priors against means.
    pub exploration: f32,
    /// What plays on from a leaf.
    pub rollout: Rollout,
    /// Turns that a leaf is played on before its value is judged; a large number plays to the end.
    pub truncation: u16,
    /// What the other seats do in the tree.
    pub opponents: Opponents,
    /// Actions that are considered at one decision, the best by prior.
    pub candidates: u16,
    /// Rating that multiplies a prior by e, in the unit of the game's ratings.
    pub prior_scale: f32,
}

impl Default for MctsParams {
    fn default() -> MctsParams {
        MctsParams::COMMON
    }
}

impl MctsParams {
    /// What games start from: see `SEARCH` of [`crate::core::opinion::Opinion`].
    pub const COMMON: MctsParams = MctsParams {
        iterations: 1000,
        time_ms: 0,
        exploration: 0.7,
        rollout: Rollout::Quick,
        truncation: 0,
        opponents: Opponents::Search,
        candidates: 12,
        prior_scale: 0.3,
    };

    /// What is wrong with parameters that are each in their range, if anything is.
    pub fn fault(&self) -> Option<String> {
        let endless = self.iterations == 0 && self.time_ms == 0;
        endless.then(|| "one of `iterations` and `time_ms` must be above 0".to_owned())
    }
}
