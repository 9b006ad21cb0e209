//! One match of a run, found by its number and played again from the manifest.

use crate::core::seed::BlockSeed;
use crate::core::watch::Watch;
use crate::lab::questions::catalogue::Catalogue;
use crate::lab::report::manifest::{BUILD, Manifest};
use crate::lab::run::study_run::{StudyJob, study_job};
use crate::lab::store::manifests::manifest_of;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{Facts, GameType, LoadedGame, OneMatch, RecordPlan, Seated};
use crate::sim::explain::PlayedMatch;
use crate::sim::records::Form;
use crate::sim::records::line::{Header, MatchSeed};
use crate::sim::trials::MatchPlan;
use anyhow::{Context, Result, ensure};
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// A match of a run: its block, and its number in the block, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchId {
    pub block: u64,
    /// The number in the block.
    pub number: usize,
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.block, self.number)
    }
}

impl MatchId {
    /// Reads `BLOCK.MATCH`.
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(id: &str) -> Result<MatchId> {
        let parts = id.split_once('.');
        let parsed = parts.and_then(|(block, number)| {
            Some(MatchId { block: block.parse().ok()?, number: number.parse().ok()? })
        });
        parsed.with_context(|| format!("`{id}` is no match; write BLOCK.MATCH, such as 12345.0"))
    }
}

/// A run whose matches can be played again.
pub struct Again<'a> {
    job: StudyJob<'a>,
}

impl<'c> Again<'c> {
    /// The run of a directory.
    ///
    /// # Errors
    /// If it can't be read, or what its manifest says can't be played.
    pub fn of(catalogue: &'c Catalogue, run: &Path) -> Result<Again<'c>> {
        let job = study_job(catalogue, manifest_of(catalogue, run)?)?;
        job.shape()?;
        Ok(Again { job })
    }

    /// The run's manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.job.manifest
    }

    /// What a reader must know of matches that are played again by another build than the run's; nothing if it is the same.
    pub fn caution(&self) -> String {
        let Manifest { build, .. } = &self.job.manifest;
        if build == BUILD {
            return String::new();
        }
        format!(
            "The run was played by another build of the program ({build}, this is {BUILD}): its matches may have \
             been others than those that are played here.\n"
        )
    }

    pub fn game_type(&self) -> &dyn GameType {
        self.job.games[0].game_type()
    }

    /// What is known of its game.
    pub fn facts(&self) -> Facts {
        self.job.facts()
    }

    /// The blocks that were played. A manifest may hold anything.
    ///
    /// # Errors
    /// If there are none.
    pub fn blocks(&self) -> Result<Range<u64>> {
        let Manifest { plan, played, .. } = &self.job.manifest;
        let first = plan.plan().blocks_of(plan.chunks()).start;
        let blocks = first..first.saturating_add(played.blocks).min(plan.blocks);
        ensure!(!blocks.is_empty(), "it played no blocks");
        Ok(blocks)
    }

    pub fn matches_of_a_block(&self) -> usize {
        self.job.manifest.plan.matches_of_a_block.len()
    }

    /// The match's plan, if the run played it.
    fn plan(&self, id: MatchId) -> Result<&MatchPlan> {
        let (blocks, MatchId { block, number }) = (self.blocks()?, id);
        let (first, last) = (blocks.start, blocks.end - 1);
        ensure!(blocks.contains(&block), "no block {block}; there are {first} to {last}");
        let matches = &self.job.manifest.plan.matches_of_a_block;
        let found = matches.get(number);
        found.with_context(|| format!("no match {number} in a block; each has {}", matches.len()))
    }

    /// The agents of a match, by seat.
    ///
    /// # Errors
    /// If the run did not play it.
    pub fn agents(&self, id: MatchId) -> Result<Vec<&AgentSpec>> {
        Ok(self.plan(id)?.seats.iter().map(|&agent| &self.job.agents[agent]).collect())
    }

    /// The rules of a match.
    ///
    /// # Errors
    /// If the run did not play it.
    pub fn game(&self, id: MatchId) -> Result<&dyn LoadedGame> {
        let game = self.job.games.get(self.plan(id)?.variant).context("a variant of the plan")?;
        Ok(&**game)
    }

    fn one(&self, id: MatchId) -> Result<OneMatch<'_>> {
        let plan = self.plan(id)?;
        let forced = self.job.question.forced_choice(self.job.facts().choices);
        let choice = forced.map_err(anyhow::Error::msg)?.map(|forced| forced.choice);
        let seed = BlockSeed::new(self.job.manifest.seed, id.block).with_luck(plan.luck);
        let forced = plan.forced.zip(choice);
        Ok(OneMatch { seed, seats: &plan.seats, forced, founded: &plan.founded })
    }

    fn seated<'a>(&'a self, watch: &'a Watch) -> Seated<'a> {
        Seated { agents: &self.job.agents, watch, timing: None }
    }

    /// The record of a match.
    ///
    /// # Errors
    /// If the run did not play it, or an agent breaks the rules.
    pub fn record(&self, id: MatchId, form: Form, watch: &Watch) -> Result<String> {
        let names = self.agents(id)?.iter().map(|agent| agent.name.clone()).collect();
        let (master, match_idx) = (self.job.manifest.seed, id.number as u64);
        let seed = MatchSeed { master, block: id.block, match_idx };
        let header = Header::new(names, Some(seed));
        let plan = RecordPlan { one: self.one(id)?, header, form };
        Ok(self.game(id)?.record(self.seated(watch), plan)?)
    }

    /// A match, to look into its decisions.
    ///
    /// # Errors
    /// If the run did not play it, or an agent breaks the rules.
    pub fn play(&self, id: MatchId, watch: &Watch) -> Result<Box<dyn PlayedMatch>> {
        Ok(self.game(id)?.played(self.seated(watch), self.one(id)?)?)
    }
}
