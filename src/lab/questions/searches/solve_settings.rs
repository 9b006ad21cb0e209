//! What `solve` is asked: what is to be worth the same, the changes that are tried, and how much is played.

use crate::lab::questions::question::is_zero;
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::solve_also::Also;
use crate::lab::questions::searches::solve_grid::Candidate;
use crate::lab::questions::searches::tune_course::Tune;
use serde::{Deserialize, Serialize};

/// What is to be worth the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// The options of a choice, to a seat that may take no other.
    #[default]
    Options,
    /// The seats, if the same agent sits in all.
    Seats,
    /// Styles of play: agents, each alone among those of the run.
    Styles,
}

impl Aim {
    /// Whether it is options.
    pub fn is_options(&self) -> bool {
        *self == Aim::Options
    }
}

/// An option of the choice, and what leaves each seat no other; or a seat or a style, whose name is all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Only {
    /// Its name.
    pub name: String,
    /// The change of the rule set by seat, as `field=value`; none of seats and styles.
    pub by_seat: Vec<String>,
}

/// Which change makes options worth the same? (`solve`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The choice; `seats` or `styles` where these are to be worth the same.
    pub choice: String,
    /// What is to be worth the same.
    #[serde(default, skip_serializing_if = "Aim::is_options")]
    pub aim: Aim,
    /// The options of the choice that are compared, or the seats or styles.
    pub options: Vec<Only>,
    /// The changes, the run's own rule set first, then by size.
    pub candidates: Vec<Candidate>,
    /// The difference between the best and the worst option is to be smaller.
    pub target: f64,
    /// Blocks of each candidate before the first are dropped.
    pub blocks: u64,
    /// Candidates that are certified, the run's own rule set aside.
    pub finalists: usize,
    /// Blocks of each finalist on fresh deals.
    pub certified: u64,
    /// Further agents by which each finalist is certified: other levels of play.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub levels: usize,
    /// Further aims: how short matches are, and how close.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Also>,
    /// Parameters of the agent that are tuned again for each finalist.
    pub families: Vec<Family>,
    /// Their values at the start.
    pub start: Vec<f64>,
    /// Iterations of such a search, blocks of each, and the most matches of its comparison.
    pub adapting: [u64; 3],
}

impl Solve {
    /// The styles, as agents of the run.
    pub fn styles(&self) -> usize {
        if self.aim == Aim::Styles { self.options.len() } else { 0 }
    }

    /// What is tuned again for each finalist; nothing if it has no families.
    pub fn adapting(&self) -> Tune {
        let [iterations, blocks, matches] = self.adapting;
        Tune {
            families: self.families.clone(),
            start: self.start.clone(),
            iterations: u32::try_from(iterations).unwrap_or(u32::MAX),
            blocks,
            matches,
        }
    }
}
