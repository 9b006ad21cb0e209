//! Does an agent win a given share of matches, alone at a table full of another? Measured on fresh deals, with a number
//! of blocks that is fixed in advance.

use crate::lab::questions::searches::search::{
    Halt, Metric, Stage, StageSums, Stages, deals, lone,
};
use crate::sim::agents::spec::AgentSpec;
use crate::stats::jackknife::{Estimate, GROUPS};
use crate::stats::verdict::bonferroni_t;

/// A rate that is to be certified.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// The share of matches that the lone agent wins.
    pub rate: f64,
    /// How far the interval may reach to either side of it.
    pub tolerance: f64,
    /// One minus the level of the interval.
    pub alpha: f64,
    /// Half of the interval's width, as a share of the tolerance: what is left of that is room for the rate to be off.
    pub half: f64,
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// The claim.
    pub claim: Claim,
    /// The sums; the lone agent is number 0.
    pub sums: StageSums,
}

impl Claim {
    /// The blocks that make the interval narrow enough: p(1 − p)(z/half)² matches, if those of a block are
    /// independent.
    pub fn blocks(&self, players: u8) -> u64 {
        let z = bonferroni_t(GROUPS as f64 - 1.0, 1, self.alpha);
        let matches = matches_for(self.rate, self.half * self.tolerance / z);
        matches.div_ceil(u64::from(players))
    }

    /// Measures an agent against a table of another, on the deals of a stream that nothing else has used.
    ///
    /// # Errors
    /// If the stage was not played.
    pub fn measure(
        self,
        [agent, against]: [&AgentSpec; 2],
        players: u8,
        (master, stream): (u64, u64),
        stages: &mut dyn Stages,
    ) -> Result<Certificate, Halt> {
        let sums = stages.play(&Stage {
            what: format!("certifying {}", agent.name),
            agents: vec![agent.clone(), against.clone()],
            matches: lone(0, 1, players),
            seed: deals(master, stream),
            blocks: 0..self.blocks(players),
            changes: Vec::new(),
            counted: Metric::Wins,
        })?;
        Ok(Certificate { claim: self, sums })
    }
}

/// The matches after which the standard error of a rate is this small, at least one.
pub fn matches_for(rate: f64, error: f64) -> u64 {
    let spread = (rate * (1.0 - rate)).max(0.01);
    let matches = libm::ceil(spread / (error * error)).clamp(1.0, 1e12);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 10^12")]
    let matches = matches as u64;
    matches
}

impl Certificate {
    /// The win rate, with its 95 % interval.
    pub fn rate(&self) -> Option<Estimate> {
        self.sums.win_rate(0)
    }

    /// The interval that must lie within the tolerance.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.sums.win_rate_at(0, self.claim.alpha)?.interval
    }

    /// Whether all of it does.
    pub fn holds(&self) -> bool {
        let Claim { rate, tolerance, .. } = self.claim;
        let inside = |(low, high): (f64, f64)| rate - tolerance <= low && high <= rate + tolerance;
        self.interval().is_some_and(inside)
    }

    /// Whether none of it does.
    pub fn is_refuted(&self) -> bool {
        let Claim { rate, tolerance, .. } = self.claim;
        let outside = |(low, high): (f64, f64)| high < rate - tolerance || rate + tolerance < low;
        self.interval().is_some_and(outside)
    }
}
