//! The table of levels, and how it is read.

use crate::lab::questions::searches::certificate::Certificate;
use crate::lab::report::answer::{Answer, Sentence, Tone, header, table};
use crate::lab::report::comparison::{Comparison, Finding, LevelFinding};
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::figures::{cell, with_interval};
use crate::lab::report::format::percentage_points;
use crate::lab::report::manifest::Manifest;
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{JUDGED, More, Row, Table};
use crate::stats::jackknife::Estimate;

/// What was found for each rate.
pub const LEVELS: TableSchema = TableSchema {
    name: "levels",
    keys: &[
        text("rate", "the rate that was asked for, in per cent of matches"),
        text("agent", "the agent with the parameter, as on the command line"),
    ],
    more: &JUDGED,
    metrics: &[
        Metric::share(
            "win_rate",
            "share of matches that the agent wins alone at the table, on fresh deals; of a rate that is not reached on \
             those of the curve",
        ),
        Metric::number("parameter", "the value of the parameter"),
        Metric::mean("tries", "how often it was measured on fresh deals"),
        Metric::mean(
            "searched",
            "matches that were played to find the parameter, those of the curve aside",
        ),
    ],
};

/// The row of a win rate with its blocks and matches, and its verdict.
pub fn win_rate(
    keys: Vec<String>,
    rate: Option<Estimate>,
    (blocks, n): (u64, u64),
    finding: LevelFinding,
    certificate: Option<&Certificate>,
) -> Row {
    let more = More::Comparison(Comparison {
        interval: certificate.and_then(Certificate::interval),
        level: certificate.map(|certificate| 1.0 - certificate.claim.alpha),
        ..Comparison::finding(Finding::Level(finding))
    });
    Row { keys, metric: "win_rate", estimate: rate, blocks, n, more }
}

/// A row with a number that is no estimate.
pub fn plain(keys: Vec<String>, metric: &'static str, value: f64) -> Row {
    Row::new(keys, metric, Some(Estimate::plain(value)), 0, 0)
}

/// The rows that say what was found.
fn rates(tables: &[Table]) -> Vec<&Row> {
    let levels = table(tables, LEVELS.name);
    let rows = levels.iter().flat_map(|levels| &levels.rows);
    rows.filter(|row| row.metric == "win_rate").collect()
}

/// Whether a rate was not certified.
pub fn has_failed(tables: &[Table]) -> bool {
    rates(tables).iter().any(|row| row.finding() != Some(&Finding::Level(LevelFinding::Certified)))
}

/// The short answer, with the tolerance of each rate by its place in the table.
pub fn answer(manifest: &Manifest, tables: &[Table], tolerance: impl Fn(usize) -> f64) -> Answer {
    let rates = rates(tables);
    let against = manifest.agents.last().map_or("", |agent| agent.name.as_str());
    let said = |(at, row): (usize, &&Row)| sentence(against, row, tolerance(at));
    let cells = |row: &&Row| {
        vec![
            format!("{} %", row.keys[0]),
            row.keys[1].clone(),
            cell(Some(row), Unit::Share),
            row.finding().map_or(String::new(), Finding::words),
        ]
    };
    let grid = Grid {
        title: "Levels".to_owned(),
        header: header(&["rate", "agent", "wins (95 %)", "verdict"]),
        rows: rates.iter().map(cells).collect(),
    };
    Answer { sentences: rates.iter().enumerate().map(said).collect(), grid, next: Vec::new() }
}

fn sentence(against: &str, row: &Row, tolerance: f64) -> Sentence {
    let (rate, agent) = (&row.keys[0], &row.keys[1]);
    let wins = with_interval(row.estimate.as_ref(), Unit::Share);
    let within = percentage_points(tolerance);
    let (tone, text) = match row.finding() {
        Some(Finding::Level(LevelFinding::Certified)) => (
            Tone::Yes,
            format!("{rate} %: certified to ±{within}. {agent} wins {wins} alone among {against}."),
        ),
        Some(Finding::Level(LevelFinding::NotCertified)) => {
            (Tone::No, format!("{rate} %: not certified to ±{within}. {agent} wins {wins}."))
        }
        _ => (
            Tone::No,
            format!(
                "{rate} %: no parameter reaches it. The nearest is {agent}, which wins {wins}."
            ),
        ),
    };
    Sentence::new(tone, text)
}
