//! Which parameter makes an agent win a given share of matches, alone at a table full of another (`levels`)?

use crate::lab::report::answer::Answer;
use crate::lab::report::described::{Described, text};
use crate::lab::report::manifest::{Manifest, Question};
use crate::lab::report::table::{Row, Table};
use crate::lab::searches::certificate::Certificate;
use crate::lab::searches::curve::{Curve, Point};
use crate::lab::searches::family::Family;
use crate::lab::searches::level_course::{Course, Ended, Level, claim};
use crate::lab::searches::level_file;
use crate::lab::searches::level_tables::{self, BEYOND, CERTIFIED, LEVELS, MISSED};
use crate::lab::searches::search::{Found, Halt, Search, SearchDesign, SearchType, Stages, lone};
use crate::lab::studies::study::{in_range, is_share};
use crate::sim::agents::spec::AgentSpec;
use serde::{Deserialize, Serialize};

/// The entry in the list.
pub const TYPE: SearchType = SearchType::of::<Levels>(KIND, &[LEVELS, CURVE], level_file::is_file);
const KIND: &str = "levels";

/// The most rates, and families.
const RATES_MAX: usize = 64;
const FAMILIES_MAX: usize = 8;

/// The strength over the parameter.
pub const CURVE: Described = Described {
    name: "curve",
    keys: &[
        text("agent", "the agent without the parameter, as on the command line"),
        text("parameter", "the parameter"),
        text("value", "its value"),
    ],
    more: &[],
    metrics: &[(
        "win_rate",
        "share of matches that the agent wins alone at the table; all values on common deals",
    )],
};

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
        ("heuristic", family(0, "temperature", 0.003, 3.0, false)),
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
        SearchDesign { search: Box::new(self), agents, matches, blocks }
    }

    /// The matches that the first certificate of each rate takes: the least budget.
    pub fn matches_least(&self, players: u8) -> u64 {
        let matches = |percent: &f64| {
            claim(percent / 100.0, self.tolerance, 1).blocks(players) * u64::from(players)
        };
        self.rates.iter().map(matches).max().unwrap_or(0)
    }

    fn check(&self, manifest: &Manifest) -> Result<(), String> {
        let Levels { rates, families, tolerance, .. } = self;
        let agents = manifest.agents.len().saturating_sub(1);
        let is_rate = |percent: &f64| 0.0 < *percent && *percent < 100.0;
        in_range(
            (1..=RATES_MAX).contains(&rates.len())
                && rates.iter().all(is_rate)
                && (1..=FAMILIES_MAX).contains(&families.len())
                && families.iter().all(|family| family.is_sound(agents))
                && is_share(*tolerance)
                && *tolerance >= 1e-4,
        )
    }

    fn curve_rows(&self, manifest: &Manifest, curves: &[Option<Curve>]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (family, curve) in self.families.iter().zip(curves) {
            for point in curve.iter().flat_map(|curve| &curve.points) {
                let agent = manifest.agents[family.agent].name.clone();
                let value = Family::text(point.value);
                rows.push(Row {
                    keys: vec![agent, family.key.clone(), value],
                    metric: "win_rate",
                    estimate: Some(point.rate),
                    blocks: point.blocks,
                    n: point.matches,
                    more: Vec::new(),
                });
            }
        }
        rows
    }
}

/// The rows of a level.
fn rows_of(level: &Level) -> Vec<Row> {
    let keys = || vec![level.percent.to_string(), level.agent.name.clone()];
    let measured = |certificate: &Certificate, verdict| {
        let Certificate { sums, .. } = certificate;
        let size = (sums.blocks(), sums.matches());
        level_tables::win_rate(keys(), certificate.rate(), size, verdict, Some(certificate))
    };
    let win_rate = match &level.ended {
        Ended::Certified(certificate) => measured(certificate, CERTIFIED),
        Ended::Missed(certificate) => measured(certificate, MISSED),
        Ended::Beyond(Point { rate, blocks, matches, .. }) => {
            level_tables::win_rate(keys(), Some(*rate), (*blocks, *matches), BEYOND, None)
        }
    };
    vec![
        win_rate,
        level_tables::plain(keys(), "parameter", level.value),
        level_tables::plain(keys(), "tries", f64::from(level.tries)),
        level_tables::plain(keys(), "searched", level.searched as f64),
    ]
}

impl Search for Levels {
    fn question(&self) -> Question {
        Question::new(KIND, self)
    }

    fn command(&self) -> &'static str {
        "levels"
    }

    fn search(&self, manifest: &Manifest, stages: &mut dyn Stages) -> Result<Found, Halt> {
        self.check(manifest)?;
        let (curves, levels) = Course::new(self, manifest, stages).run()?;
        let against = manifest.agents[manifest.agents.len() - 1].spec();
        let mut files = Vec::new();
        for level in &levels {
            if let Ended::Certified(certificate) = &level.ended {
                files.push(level_file::file(self, manifest, &against, level, certificate));
            }
        }
        let blocks = |rows: &[Row]| rows.iter().map(|row| row.blocks).sum();
        let found: Vec<Row> = levels.iter().flat_map(rows_of).collect();
        let curve = self.curve_rows(manifest, &curves);
        let tables = vec![LEVELS.table(blocks(&found), found), CURVE.table(blocks(&curve), curve)];
        Ok(Found { tables, files })
    }

    fn described(&self) -> Vec<Described> {
        vec![LEVELS, CURVE]
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        level_tables::answer(manifest, tables, |_| self.tolerance)
    }

    fn has_failed(&self, tables: &[Table]) -> bool {
        level_tables::has_failed(tables)
    }
}
