//! The settings and the course of `tune`: the search for better parameters on common deals, then the comparison with the
//! start on fresh ones.

use crate::core::chance::below;
use crate::core::seed::{BlockSeed, Stream};
use crate::lab::questions::searches::challenge::{Challenge, Ruling, tables};
use crate::lab::questions::searches::family::Family;
use crate::lab::questions::searches::search::{Halt, Metric, Stage, Stages, deals};
use crate::lab::report::comparison::ChallengeFinding;
use crate::lab::report::manifest::Manifest;
use crate::sim::agents::spec::AgentSpec;
use crate::stats::jackknife::Estimate;
use crate::stats::spsa::{Sides, Spsa};
use anyhow::Error;
use serde::{Deserialize, Serialize};

/// The streams of the master seed: the deals of the search, those of the comparison, and the signs.
const SEARCHED: u64 = 0;
const FRESH: u64 = 1;
const SIGNS: u64 = 2;

/// Which parameters are better? (`tune`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tune {
    /// The parameters of the run's first agent and their ranges. The other agents are those to win against; if there
    /// are none, that is the first agent as it starts.
    pub families: Vec<Family>,
    /// The values at the start.
    pub start: Vec<f64>,
    /// Iterations of the search.
    pub iterations: u32,
    /// Blocks of an iteration.
    pub blocks: u64,
    /// The most matches of the comparison.
    pub matches: u64,
}

/// One iteration of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The values at which it stood.
    pub values: Vec<f64>,
    /// The win rate with the parameters moved to one side minus that with them moved to the other.
    pub difference: Option<Estimate>,
    /// Blocks, and their matches.
    pub blocks: u64,
    /// Matches.
    pub matches: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// The iterations.
    pub steps: Vec<Step>,
    /// The values found.
    pub values: Vec<f64>,
    /// The agent with them.
    pub agent: AgentSpec,
    /// The comparison.
    pub ruling: Ruling,
}

/// A search on its way.
pub struct Course<'a> {
    plan: &'a Tune,
    start: AgentSpec,
    /// The start without the parameters that are tuned.
    base: AgentSpec,
    /// Who is played against; nobody if that is the start.
    pool: Vec<AgentSpec>,
    players: u8,
    seed: u64,
    stages: &'a mut dyn Stages,
}

impl<'a> Course<'a> {
    /// A search at its beginning, from an agent against others; the settings fit the manifest.
    pub fn new(
        plan: &'a Tune,
        (start, pool): (AgentSpec, Vec<AgentSpec>),
        manifest: &Manifest,
        stages: &'a mut dyn Stages,
    ) -> Course<'a> {
        let keys: Vec<&str> = plan.families.iter().map(|family| family.key.as_str()).collect();
        let base = start.without(&keys);
        let (players, seed) = (manifest.players, manifest.seed);
        Course { plan, start, base, pool, players, seed, stages }
    }

    /// Searches and compares.
    ///
    /// # Errors
    /// If a stage was not played.
    pub fn run(mut self) -> Result<Tuned, Halt> {
        let start = self.plan.families.iter().zip(&self.plan.start);
        let places = start.map(|(family, &value)| family.place(value)).collect();
        let mut search = Spsa::new(places, self.plan.iterations);
        let mut steps = Vec::new();
        for iteration in 0..self.plan.iterations {
            let sides = search.sides(&self.signs(iteration));
            let standing = self.values(&search.mean());
            let step = self.look(iteration, &sides, self.values(search.place()), &standing)?;
            search.step(&sides, step.difference.map_or(0.0, |difference| difference.value));
            steps.push(step);
        }
        let values = self.values(&search.mean());
        let agent = self.member(&values)?;
        let ruling = self.compare(&values, &agent)?;
        Ok(Tuned { steps, values, agent, ruling })
    }

    /// A random sign for each parameter.
    fn signs(&self, iteration: u32) -> Vec<bool> {
        let block = BlockSeed::new(deals(self.seed, SIGNS), u64::from(iteration));
        let mut luck = block.stream(Stream::Study, None, 0);
        self.plan.families.iter().map(|_| below(&mut luck, 2) == 1).collect()
    }

    fn values(&self, places: &[f64]) -> Vec<f64> {
        let pairs = self.plan.families.iter().zip(places);
        pairs.map(|(family, &place)| family.value(place)).collect()
    }

    /// The agent with some values.
    fn member(&self, values: &[f64]) -> Result<AgentSpec, Halt> {
        let mut agent = self.base.clone();
        for (family, &value) in self.plan.families.iter().zip(values) {
            let with = agent.with(&family.key, &Family::text(value));
            agent = with.map_err(|error| Halt::Failed(Error::new(error)))?;
        }
        Ok(agent)
    }

    /// Plays both sides of an iteration, each alone in each seat at the tables of the pool.
    fn look(
        &mut self,
        iteration: u32,
        sides: &Sides,
        values: Vec<f64>,
        standing: &[f64],
    ) -> Result<Step, Halt> {
        let mut agents =
            vec![self.member(&self.values(&sides.plus))?, self.member(&self.values(&sides.minus))?];
        let itself = std::slice::from_ref(&self.start);
        let pool = if self.pool.is_empty() { itself } else { &self.pool };
        agents.extend_from_slice(pool);
        let words = self.plan.families.iter().zip(standing);
        let words: Vec<String> = words
            .map(|(family, &value)| format!("{}={}", family.key, Family::text(value)))
            .collect();
        let all = self.plan.iterations;
        let first = u64::from(iteration) * self.plan.blocks;
        let sums = self.stages.play(&Stage {
            what: format!("iteration {} of {all}: {}", iteration + 1, words.join(" ")),
            matches: tables(pool.len(), self.players),
            agents,
            seed: deals(self.seed, SEARCHED),
            blocks: first..first + self.plan.blocks,
            changes: Vec::new(),
            counted: Metric::Wins,
        })?;
        let (blocks, matches) = (sums.blocks(), sums.matches());
        Ok(Step { values, difference: sums.difference(0, 1), blocks, matches })
    }

    /// Compares what was found with the start.
    fn compare(&mut self, values: &[f64], agent: &AgentSpec) -> Result<Ruling, Halt> {
        if values == self.plan.start {
            return Ok(Ruling { verdict: ChallengeFinding::Same, difference: None, sums: None });
        }
        let challenge = self.plan.challenge(agent, &self.start, &self.pool, self.players);
        challenge.run(deals(self.seed, FRESH), self.stages)
    }
}

impl Tune {
    /// The comparison of an agent with the start.
    pub fn challenge(
        &self,
        agent: &AgentSpec,
        start: &AgentSpec,
        pool: &[AgentSpec],
        players: u8,
    ) -> Challenge {
        Challenge {
            new: agent.clone(),
            start: start.clone(),
            pool: pool.to_vec(),
            players,
            matches: self.matches,
        }
    }
}
