//! The short answer to a run's question, read from the rows of its tables and nothing else: what they
//! say in a sentence or two, one table, and what to do next. Each study writes its own; here is what they share.

use crate::core::params::HANDICAP;
use crate::lab::report::agent_entry::AgentEntry;
use crate::lab::report::comparison::Place;
use crate::lab::report::figures;
use crate::lab::report::manifest::Manifest;
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::sim::agents::without::WITHOUT;
use crate::stats::jackknife::Estimate;

/// Anomalies that bad play explains.
const OF_BAD_PLAY: [&str; 3] = ["turn_limit", "standstill", "dominated_action"];

/// The most rows of the one table.
pub const ROWS_MAX: usize = 10;

/// What a sentence says about the question; a terminal may show it as a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It is settled: stronger, balanced.
    Yes,
    /// It is settled the other way: weaker, not balanced.
    No,
    /// It is open: undecided, or no verdict.
    Open,
    /// It says something else.
    Plain,
}

/// A sentence of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// What it says about the question.
    pub tone: Tone,
    /// The words.
    pub text: String,
}

/// The short answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The answer first, then what qualifies it.
    pub sentences: Vec<Sentence>,
    /// The one table.
    pub grid: Grid,
    /// Commands that would tell more, each with what it would tell.
    pub next: Vec<String>,
}

impl Sentence {
    /// A sentence.
    pub fn new(tone: Tone, text: impl Into<String>) -> Sentence {
        Sentence { tone, text: text.into() }
    }
}

/// What should be rare but was not. Where an agent plays badly on purpose, matches without a winner and idle decisions are
/// what it was made for: the table has them, the answer has not.
pub fn anomalies(manifest: &Manifest, tables: &[Table]) -> Option<Sentence> {
    let anomalies = table(tables, "anomalies")?;
    let count = |row: &Row| row.estimate.map_or(0.0, |estimate| estimate.value);
    let weak = is_weak_on_purpose(manifest);
    let due = |row: &Row| weak && OF_BAD_PLAY.contains(&row.keys[0].as_str());
    let seen = anomalies.rows.iter().filter(|row| row.metric == "count" && count(row) > 0.0);
    let seen = seen.filter(|row| !due(row));
    let seen: Vec<String> = seen
        .map(|row| {
            let times = figures::fixed(count(row), 0);
            // Matches of a search have no number of their own.
            let first = match row.keys[1].as_str() {
                "" => String::new(),
                first => format!(" (first in match {first})"),
            };
            format!("{} {times}{first}", row.keys[0])
        })
        .collect();
    let text = format!("Anomalies: {}.", seen.join(", "));
    (!seen.is_empty()).then(|| Sentence::new(Tone::Plain, text))
}

/// Whether an agent of a run is weak on purpose: it chooses at random, or has a parameter for that, or gets one.
fn is_weak_on_purpose(manifest: &Manifest) -> bool {
    let handicaps = || HANDICAP.iter().map(|parameter| parameter.name);
    let is_set = |value: &toml::Value| {
        value.as_float().is_some_and(|set| set > 0.0)
            || value.as_integer().is_some_and(|set| set > 0)
    };
    let is_weak = |agent: &AgentEntry| {
        agent.kind == "random"
            || agent.parameters.contains_key(WITHOUT)
            || handicaps().any(|name| agent.parameters.get(name).is_some_and(is_set))
    };
    let settings = &manifest.question.settings;
    manifest.agents.iter().any(is_weak)
        || settings.values().any(|value| handicaps().any(|name| says(value, name)))
}

/// Whether a word stands somewhere in a setting.
fn says(setting: &serde_json::Value, word: &str) -> bool {
    use serde_json::Value::{Array, Object, String};
    match setting {
        String(text) => text == word,
        Array(all) => all.iter().any(|one| says(one, word)),
        Object(all) => all.values().any(|one| says(one, word)),
        _ => false,
    }
}

/// The table of a name.
pub fn table<'a>(tables: &'a [Table], name: &str) -> Option<&'a Table> {
    tables.iter().find(|table| table.name == name)
}

/// Words as the header of a grid.
pub fn header(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// What the place of an effect says about the question whether all lie within the margin.
pub fn tone(place: Option<Place>) -> Tone {
    match place {
        Some(Place::Within) => Tone::Yes,
        Some(Place::Beyond) => Tone::No,
        Some(Place::Open | Place::Withheld) | None => Tone::Open,
    }
}

/// The estimate of the opposite.
pub fn negative(estimate: &Estimate) -> Estimate {
    let interval = estimate.interval.map(|(lo, hi)| (-hi, -lo));
    Estimate { value: -estimate.value, interval, ..*estimate }
}

/// How many standard errors a difference is away from 0.
pub fn strength(row: &Row) -> f64 {
    let Some(estimate) = row.estimate else { return 0.0 };
    let se = estimate.se.filter(|&se| se > 0.0);
    se.map_or(0.0, |se| (estimate.value / se).abs())
}

/// What a metric measures, as a table has it: `win rate, seat 1`, `players' turns`.
pub fn measure(metric: &str, of: &str) -> String {
    let name = match metric {
        "no_winner_share" => "no winner".to_owned(),
        "comeback_share" => "comebacks".to_owned(),
        "turns_mean" => "players' turns".to_owned(),
        other => other.trim_end_matches("_mean").replace('_', " "),
    };
    if of.is_empty() { name } else { format!("{name}, {of}") }
}

/// The same as a sentence has it: `turns of single players`.
pub fn measured(metric: &str, of: &str) -> String {
    if metric == "turns_mean" {
        return "turns of single players".to_owned();
    }
    measure(metric, of)
}
