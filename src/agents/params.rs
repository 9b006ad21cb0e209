//! What a search can be told: its parameters, with their ranges.

use serde::Deserialize;
use serde::Serialize;

/// What plays a leaf on.
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
    /// What plays a leaf on.
    pub rollout: Rollout,
    /// Turns that a leaf is played on before its value is judged; a large number plays to the end.
    pub truncation: u16,
    /// What the other seats do in the tree.
    pub opponents: Opponents,
    /// Actions that are thought about at one decision, the best by prior.
    pub candidates: u16,
    /// Rating that makes a prior e-fold, in the unit of the game's ratings.
    pub prior_scale: f32,
}

impl Default for MctsParams {
    fn default() -> MctsParams {
        MctsParams::COMMON
    }
}

impl MctsParams {
    /// What games start from: see `SEARCH` of [`crate::agents::opinion::Opinion`].
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

    /// What is out of range, if anything is.
    pub fn fault(&self) -> Option<String> {
        let ranges = [
            ("iterations", f64::from(self.iterations), 0.0, 1e7),
            ("time_ms", f64::from(self.time_ms), 0.0, 3.6e6),
            ("exploration", f64::from(self.exploration), 0.0, 100.0),
            ("candidates", f64::from(self.candidates), 1.0, 1000.0),
            ("prior_scale", f64::from(self.prior_scale), 1e-3, 1e3),
        ];
        let outside =
            ranges.into_iter().find(|&(_, value, low, high)| !(low..=high).contains(&value));
        if let Some((name, value, low, high)) = outside {
            return Some(format!("`{name}` is {value}; it must be in {low} to {high}"));
        }
        let endless = self.iterations == 0 && self.time_ms == 0;
        endless.then(|| "one of `iterations` and `time_ms` must be above 0".to_owned())
    }
}
