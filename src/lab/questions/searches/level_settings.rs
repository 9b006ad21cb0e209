//! What `levels` is asked: the rates, where the parameter is looked for, and how much is played.

use crate::lab::questions::searches::certificate::Claim;
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::search::{SearchDesign, lone};
use crate::lab::questions::studies::study::{in_range, is_share};
use crate::lab::report::manifest::Manifest;
use crate::sim::agents::spec::AgentSpec;
use serde::{Deserialize, Serialize};

/// The most rates, and families.
/// Rates that are searched at once at most.
pub const RATES_MAX: usize = 64;
const FAMILIES_MAX: usize = 8;

/// Try k has an interval of level 1 − 0.05/2^k: by Bonferroni's inequality all of them hold together with a probability
/// of 95 % at least, since 0.05/2 + 0.05/4 + … is below 0.05.
const ALPHA: f64 = 0.05;

/// Half of the width of a certificate's interval, as a share of the tolerance. A wider one leaves less room; a narrower
/// one takes more matches than a second try now and then.
const HALF: f64 = 0.6;

/// Which parameter has a rate? (`levels`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// The rates, in per cent of matches that a lone agent wins.
    pub rates: Vec<f64>,
    /// Where the parameter is looked for; the first family that reaches a rate has it. The last of the run's agents
    /// is the one that fills the table.
    pub families: Vec<Family>,
    /// How far the interval of a certified level may reach to either side of its rate.
    pub tolerance: f64,
    /// The most matches that are played for a rate, those of the curves aside.
    pub matches: u64,
}

/// The agents and ranges that are searched if nobody says otherwise, cheapest first: the planner made weaker, then
/// the search, which at few iterations is weaker than the planner and at many stronger.
pub fn default_families() -> Vec<(&'static str, Family)> {
    let family = |agent, key: &str, low, high, whole| Family {
        agent,
        key: key.to_owned(),
        low,
        high,
        log: true,
        whole,
    };
    vec![
        ("heuristic", family(0, "temperature", 5e-4, 0.2, false)),
        ("mcts", family(1, "iterations", 2.0, 5000.0, true)),
    ]
}

impl Levels {
    /// The search for some rates against an agent, at a table of some players.
    pub fn design(
        self,
        mut agents: Vec<AgentSpec>,
        against: AgentSpec,
        players: u8,
    ) -> SearchDesign {
        agents.push(against);
        let matches = lone(0, agents.len() - 1, players);
        let seats = u64::from(players);
        let rates = self.rates.len() as u64;
        let most = self.matches.saturating_mul(rates).div_ceil(seats);
        let blocks = most.saturating_add(1024 * self.families.len() as u64).min(1_000_000_000_000);
        SearchDesign::of(Box::new(self), agents, matches, blocks)
    }

    /// The claim of a certificate, the first try being number 1.
    pub fn claim(&self, percent: f64, attempt: u32) -> Claim {
        let alpha = ALPHA / f64::from(1_u32 << attempt);
        Claim { rate: percent / 100.0, tolerance: self.tolerance, alpha, half: HALF }
    }

    /// The matches that the first certificate of each rate takes: the least budget.
    pub fn matches_least(&self, players: u8) -> u64 {
        let matches = |&percent: &f64| self.claim(percent, 1).blocks(players) * u64::from(players);
        self.rates.iter().map(matches).max().unwrap_or(0)
    }

    /// Whether they can be searched; a manifest may hold anything.
    ///
    /// # Errors
    /// If one is out of its range.
    pub fn check_settings(&self, manifest: &Manifest) -> Result<(), String> {
        let Levels { rates, families, tolerance, matches } = self;
        let agents = manifest.agents.len().saturating_sub(1);
        let is_rate = |percent: &f64| 0.0 < *percent && *percent < 100.0;
        in_range(
            (1..=RATES_MAX).contains(&rates.len())
                && rates.iter().all(is_rate)
                && (1..=FAMILIES_MAX).contains(&families.len())
                && families.iter().all(|family| family.is_sound(agents))
                && is_share(*tolerance)
                && *tolerance >= 1e-4
                && (1..=1_000_000_000_000).contains(matches),
        )
    }
}
