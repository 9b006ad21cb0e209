//! Which parameter makes an agent win a given share of matches, alone at a table full of another (`levels`)?

use crate::lab::report::answer::{Answer, Sentence, Tone, header, more, table};
use crate::lab::report::described::{Described, text};
use crate::lab::report::figures::{Unit, cell, percentage_points, with_interval};
use crate::lab::report::manifest::{Manifest, Question};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Column, JUDGED, Row, Table, number};
use crate::lab::searches::certificate::Certificate;
use crate::lab::searches::curve::{Curve, Point};
use crate::lab::searches::family::Family;
use crate::lab::searches::level_course::{Course, Ended, Level};
use crate::lab::searches::level_file;
use crate::lab::searches::search::{Found, Halt, Search, SearchDesign, SearchType, Stages, lone};
use crate::lab::studies::study::{in_range, is_share};
use crate::sim::agents::spec::AgentSpec;
use crate::stats::jackknife::Estimate;
use serde::{Deserialize, Serialize};

/// The entry in the list.
pub const TYPE: SearchType = SearchType::of::<Levels>(KIND, &[LEVELS, CURVE], level_file::is_file);
const KIND: &str = "levels";

/// The most rates, and families.
const RATES_MAX: usize = 64;
const FAMILIES_MAX: usize = 8;

/// The agent, in tables.
const AGENT: Column = text("agent", "the agent with the parameter, as on the command line");
const BASE: Column = text("agent", "the agent without the parameter, as on the command line");

/// What was found for each rate.
pub const LEVELS: Described = Described {
    name: "levels",
    keys: &[text("rate", "the rate that was asked for, in per cent of matches"), AGENT],
    more: &JUDGED,
    metrics: &[
        (
            "win_rate",
            "share of matches that the agent wins alone at the table, on fresh deals; of a rate that is not reached on \
             those of the curve",
        ),
        ("parameter", "the value of the parameter"),
        ("tries", "how often it was measured on fresh deals"),
        ("searched", "matches that were played to find the parameter, those of the curve aside"),
    ],
};

/// The strength over the parameter.
pub const CURVE: Described = Described {
    name: "curve",
    keys: &[BASE, text("parameter", "the parameter"), text("value", "its value")],
    more: &[],
    metrics: &[(
        "win_rate",
        "share of matches that the agent wins alone at the table; all values on common deals",
    )],
};

/// The verdicts.
const CERTIFIED: &str = "certified";
const MISSED: &str = "not certified";
const BEYOND: &str = "not reached";

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

    fn rows(&self, manifest: &Manifest, levels: &[Level]) -> Vec<Row> {
        levels.iter().flat_map(|level| self.rows_of(manifest, level)).collect()
    }

    fn rows_of(&self, _: &Manifest, level: &Level) -> Vec<Row> {
        let keys = vec![level.percent.to_string(), level.agent.name.clone()];
        let (rate, blocks, n, verdict, certificate) = match &level.ended {
            Ended::Certified(sums) => {
                (sums.rate(), sums.sums.blocks(), sums.sums.matches(), CERTIFIED, Some(sums))
            }
            Ended::Missed(sums) => {
                (sums.rate(), sums.sums.blocks(), sums.sums.matches(), MISSED, Some(sums))
            }
            Ended::Beyond(Point { rate, blocks, matches, .. }) => {
                (Some(*rate), *blocks, *matches, BEYOND, None)
            }
        };
        let interval = certificate.and_then(Certificate::interval).unzip();
        let level_of = certificate.map(|certificate| 1.0 - certificate.claim.alpha);
        let mut judged = vec![String::new(), String::new(), verdict.to_owned()];
        judged.extend([interval.0, interval.1, level_of].map(number));
        let plain = |metric, value: f64| Row {
            keys: keys.clone(),
            metric,
            estimate: Some(Estimate::plain(value)),
            blocks: 0,
            n: 0,
            more: Vec::new(),
        };
        vec![
            Row { keys: keys.clone(), metric: "win_rate", estimate: rate, blocks, n, more: judged },
            plain("parameter", level.value),
            plain("tries", f64::from(level.tries)),
            plain("searched", level.searched as f64),
        ]
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
        let (found, curve) = (self.rows(manifest, &levels), self.curve_rows(manifest, &curves));
        let tables = vec![LEVELS.table(blocks(&found), found), CURVE.table(blocks(&curve), curve)];
        Ok(Found { tables, files })
    }

    fn described(&self) -> Vec<Described> {
        vec![LEVELS, CURVE]
    }

    fn answer(&self, manifest: &Manifest, tables: &[Table]) -> Answer {
        let rates = rates(tables);
        let against = manifest.agents.last().map_or("", |agent| agent.name.as_str());
        let sentences = rates.iter().map(|row| self.sentence(against, row)).collect();
        let cells = |row: &&Row| {
            vec![
                format!("{} %", row.keys[0]),
                row.keys[1].clone(),
                cell(Some(row), Unit::Share),
                more(row, 2).to_owned(),
            ]
        };
        let grid = Grid {
            title: "Levels".to_owned(),
            header: header(&["rate", "agent", "wins (95 %)", "verdict"]),
            rows: rates.iter().map(cells).collect(),
        };
        Answer { sentences, grid, next: Vec::new() }
    }

    fn has_failed(&self, tables: &[Table]) -> bool {
        rates(tables).iter().any(|row| more(row, 2) != CERTIFIED)
    }
}

/// The rows that say what was found.
fn rates(tables: &[Table]) -> Vec<&Row> {
    let levels = table(tables, LEVELS.name);
    let rows = levels.iter().flat_map(|levels| &levels.rows);
    rows.filter(|row| row.metric == "win_rate").collect()
}

impl Levels {
    fn sentence(&self, against: &str, row: &Row) -> Sentence {
        let (rate, agent) = (&row.keys[0], &row.keys[1]);
        let wins = with_interval(row.estimate.as_ref(), Unit::Share);
        let within = percentage_points(self.tolerance);
        match more(row, 2) {
            CERTIFIED => Sentence::new(
                Tone::Yes,
                format!(
                    "{rate} %: {agent} wins {wins} against {against}, within ±{within} for certain."
                ),
            ),
            MISSED => Sentence::new(
                Tone::Open,
                format!(
                    "{rate} %: not certified to ±{within}. The nearest is {agent}, which wins {wins}."
                ),
            ),
            _ => Sentence::new(
                Tone::No,
                format!(
                    "{rate} %: no parameter reaches it. The nearest is {agent}, which wins {wins}."
                ),
            ),
        }
    }
}
