//! How many matches end in minutes where agents search. It is a guess from iterations alone, so that it is the same on
//! every machine: no clock is asked, and nothing that is played depends on it.

use crate::lab::questions::studies::next::again;
use crate::lab::questions::studies::study::Design;
use crate::lab::report::figures::{grouped, short_count};
use crate::sim::agents::spec::AgentSpec;
use toml::Value;

/// Iterations of single seats that all matches together may have. A seat decides some 50 to 400 times in a match, each
/// iteration takes 10 to 90 µs, by the game: with both in the middle, some five minutes of one core.
const ITERATIONS: u64 = 120_000;

/// A plan of no more than so many times that number says nothing.
const PATIENCE: u64 = 4;

/// Iterations that a search does in a millisecond, for those that are bounded by time.
const PER_MS: u64 = 20;

/// Iterations of a search if its parameters name none.
const USUAL: u64 = 1000;

/// What to say before matches are played that may take hours: how many would end in minutes, as a command that can be
/// pasted. Runs that stop by themselves have no number to propose.
pub fn proposal(design: &Design, command: &[String]) -> Option<String> {
    let Design { question: study, agents, matches, blocks, .. } = design;
    let of_agent: Vec<u64> = agents.iter().map(iterations).collect();
    let seats = matches.iter().flat_map(|plan| &plan.seats);
    let of_block = seats.fold(0_u64, |sum, &agent| sum.saturating_add(of_agent[agent]));
    let most = ITERATIONS.checked_div(of_block)?.max(1);
    if study.is_sequential() || *blocks <= most.saturating_mul(PATIENCE) {
        return None;
    }
    let (flag, unit, size) = if study.is_in_matches() {
        ("--matches", "matches", matches.len() as u64)
    } else {
        ("--blocks", "blocks", 1)
    };
    let searching = agents.iter().find(|agent| iterations(agent) > 0)?;
    let planned = grouped(blocks.saturating_mul(size));
    let few = short_count(most.saturating_mul(size));
    let shorter = again(study.command(), command, flag, &few)?;
    Some(format!(
        "{} searches at each decision: {planned} {unit} may take hours. In minutes, with wider intervals:\n  {shorter}",
        searching.name
    ))
}

/// Iterations of an agent at a decision; 0 if it doesn't search.
fn iterations(agent: &AgentSpec) -> u64 {
    if !agent.is_searching() {
        return 0;
    }
    let number = |key: &str| {
        let value = agent.parameters.get(key).and_then(Value::as_integer);
        value.and_then(|value| u64::try_from(value).ok())
    };
    let by_time = number("time_ms").unwrap_or(0).saturating_mul(PER_MS);
    number("iterations").unwrap_or(USUAL).max(by_time).max(1)
}
