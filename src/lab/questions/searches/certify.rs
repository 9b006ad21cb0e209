//! Do given agents still win the shares of matches that they are said to win (`levels --certify`)? Each is measured once
//! on fresh deals, with a number of blocks that is fixed in advance.

use crate::lab::questions::question::{Entry, Question};
use crate::lab::questions::searches::certificate::{Certificate, Claim};
use crate::lab::questions::searches::level_tables::{self, LEVELS};
use crate::lab::questions::searches::search::{
    Found, Halt, Search, SearchContext, SearchDesign, Stages, lone,
};
use crate::lab::questions::studies::study::{in_range, is_share};
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::answer::Answer;
use crate::lab::report::comparison::LevelFinding;
use crate::lab::report::described::{ANOMALIES, TableSchema};
use crate::lab::report::manifest::{Manifest, QuestionSpec};
use crate::lab::report::table::Table;
use crate::sim::agents::spec::AgentSpec;
use serde::{Deserialize, Serialize};

/// The catalogue entry of this search; its table is that of [`levels`](crate::lab::questions::searches::levels).
pub const TYPE: Entry<dyn Search> = Entry::search::<Certify>(KIND, &[], |_| false);
const KIND: &str = "certify";

/// The most agents.
pub const CLAIMS_MAX: usize = 32;

/// One minus the level of each interval.
const ALPHA: f64 = 0.05;

/// Half of the width of each interval, as a share of the tolerance: there is one try, which a level that is right should
/// not miss by bad luck.
const HALF: f64 = 0.4;

/// The stream of the deals: beyond those of every search for levels, and the same for all agents.
const FRESH: u64 = 1 << 32;

/// Does each agent win the share that it is said to win? (`levels --certify`)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Certify {
    /// For each of the run's agents, but for the last, which fills the table: what it is said to win.
    pub said: Vec<Said>,
}

/// What an agent is said to win.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The share of matches, in per cent.
    pub percent: f64,
    /// How far the interval may reach to either side of it.
    pub tolerance: f64,
}

impl Certify {
    /// The measurement of some agents against another, at a table of some players.
    pub fn design(
        self,
        mut agents: Vec<AgentSpec>,
        against: AgentSpec,
        players: u8,
    ) -> SearchDesign {
        let blocks = self.claims().map(|claim| claim.blocks(players)).sum();
        agents.push(against);
        let matches = lone(0, agents.len() - 1, players);
        SearchDesign::of(Box::new(self), agents, matches, blocks)
    }

    fn claims(&self) -> impl Iterator<Item = Claim> {
        let claim = |said: &Said| {
            let Said { percent, tolerance } = *said;
            Claim { rate: percent / 100.0, tolerance, alpha: ALPHA, half: HALF }
        };
        self.said.iter().map(claim)
    }
}

impl Question for Certify {
    fn spec(&self) -> QuestionSpec {
        QuestionSpec::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "levels"
    }

    fn described(&self) -> Vec<TableSchema> {
        vec![LEVELS, ANOMALIES]
    }

    fn caution(&self) -> &'static str {
        "The win rates hold against this opponent, at this number of players and under these rules. They are \
         not the win rates against people."
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let tolerance = |at: usize| self.said.get(at).map_or(0.0, |said| said.tolerance);
        level_tables::answer(manifest, tables, tolerance)
    }

    fn has_failed(&self, tables: &[Table]) -> bool {
        level_tables::has_failed(tables)
    }
}

impl Search for Certify {
    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        let is_sound = |said: &Said| {
            let Said { percent, tolerance } = *said;
            0.0 < percent && percent < 100.0 && is_share(tolerance) && tolerance >= 1e-4
        };
        in_range(
            (1..=CLAIMS_MAX).contains(&self.said.len())
                && self.said.len() + 1 == manifest.agents.len()
                && self.said.iter().all(is_sound),
        )
    }

    fn search(&self, context: SearchContext<'_>, stages: &mut dyn Stages) -> Result<Found, Halt> {
        let SearchContext { manifest, .. } = context;
        let mut agents: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
        let against = agents.pop().expect("there is one more than what is said");
        let mut rows = Vec::new();
        for ((agent, claim), said) in agents.iter().zip(self.claims()).zip(&self.said) {
            let deals = (manifest.seed, FRESH);
            let measured = claim.measure([agent, &against], manifest.players, deals, stages)?;
            let verdict =
                if measured.holds() { LevelFinding::Certified } else { LevelFinding::NotCertified };
            let keys = vec![said.percent.to_string(), agent.name.clone()];
            let Certificate { sums, .. } = &measured;
            let size = (sums.blocks(), sums.matches());
            let row = level_tables::win_rate(keys, measured.rate(), size, verdict, Some(&measured));
            rows.push(row);
        }
        let blocks = rows.iter().map(|row| row.blocks).sum();
        Ok(Found { tables: vec![LEVELS.table(blocks, rows)], files: Vec::new() })
    }
}
