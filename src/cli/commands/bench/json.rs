//! The figures for programs: all that the tables show, and the rounds that they rest on. `docs/bench.md`
//! describes them.

use crate::cli::commands::bench::baseline::Setting;
use crate::cli::commands::bench::measure::{Counts, Figure, Rounds};
use crate::cli::commands::bench::{Compared, Comparison, Measured, ROUNDS, Report};
use anyhow::Result;
use serde::Serialize;

#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    processor: &'a str,
    setting: &'a Setting,
    unofficial: Option<&'static str>,
    seconds_per_agent: f64,
    rounds: u32,
    threads: usize,
    agents: Vec<AgentFigures<'a>>,
    baseline: Option<Against<'a>>,
}

#[derive(Serialize)]
struct AgentFigures<'a> {
    name: &'a str,
    one_thread: Timed,
    one_thread_bare: Timed,
    all_threads: Timed,
    statistics_share: Figure,
    all_threads_over_one: Figure,
    decisions_per_match: f64,
    forced_share: f64,
    listed_per_decision: f64,
    search: Option<Search<'a>>,
}

/// The rounds of an agent in one of the ways in which it is measured.
#[derive(Serialize)]
struct Timed {
    blocks_per_round: u64,
    matches_per_s: Figure,
    decisions_per_s: Figure,
    ns_per_decision: Figure,
    rounds: Vec<RoundFigures>,
}

#[derive(Serialize)]
struct RoundFigures {
    #[serde(flatten)]
    counts: Counts,
    wall_s: f64,
}

#[derive(Serialize)]
struct Search<'a> {
    iterations_per_s: Figure,
    raw_rollouts_per_s: Figure,
    share_of_raw_rollouts: Figure,
    raw_rollouts_per_s_by_round: &'a [f64],
}

#[derive(Serialize)]
struct Against<'a> {
    name: &'a str,
    processor: &'a str,
    agents: Vec<AgentAgainst<'a>>,
}

#[derive(Serialize)]
struct AgentAgainst<'a> {
    name: &'a str,
    matches_per_s: Figure,
    ratio: f64,
    noise_share: f64,
    is_slower: bool,
    has_same_matches: bool,
}

/// What is printed.
///
/// # Errors
/// Never: everything can be written as JSON.
pub fn text(report: &Report, comparison: Option<&Comparison>) -> Result<String> {
    let document = Document {
        version: env!("CARGO_PKG_VERSION"),
        processor: &report.processor,
        setting: &report.setting,
        unofficial: report.unofficial,
        seconds_per_agent: report.seconds,
        rounds: ROUNDS,
        threads: report.threads,
        agents: report.agents.iter().map(AgentFigures::of).collect(),
        baseline: comparison.map(Against::of),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

impl AgentFigures<'_> {
    fn of(agent: &Measured) -> AgentFigures<'_> {
        let counts = agent.one.counts();
        let decisions = counts.decisions as f64;
        let raw = &agent.rollouts_per_s;
        AgentFigures {
            name: &agent.name,
            one_thread: Timed::of(&agent.one),
            one_thread_bare: Timed::of(&agent.bare),
            all_threads: Timed::of(&agent.all),
            statistics_share: agent.statistics_share(),
            all_threads_over_one: agent.against_one_thread(),
            decisions_per_match: decisions / counts.matches as f64,
            forced_share: counts.forced as f64 / decisions,
            listed_per_decision: counts.listed as f64 / decisions,
            search: agent.search_share().map(|share_of_raw_rollouts| Search {
                iterations_per_s: agent.one.rate(|counts| counts.iterations),
                raw_rollouts_per_s: Figure::of(raw.iter().copied()),
                share_of_raw_rollouts,
                raw_rollouts_per_s_by_round: raw,
            }),
        }
    }
}

impl Timed {
    fn of(rounds: &Rounds) -> Timed {
        let played = rounds.played.iter();
        Timed {
            blocks_per_round: rounds.blocks,
            matches_per_s: rounds.rate(|counts| counts.matches),
            decisions_per_s: rounds.rate(|counts| counts.decisions),
            ns_per_decision: rounds.cost_ns(|counts| counts.decisions),
            rounds: played
                .map(|round| RoundFigures {
                    counts: round.counts,
                    wall_s: round.wall.as_secs_f64(),
                })
                .collect(),
        }
    }
}

impl Against<'_> {
    fn of(comparison: &Comparison) -> Against<'_> {
        Against {
            name: &comparison.name,
            processor: &comparison.processor,
            agents: comparison.agents.iter().map(AgentAgainst::of).collect(),
        }
    }
}

impl AgentAgainst<'_> {
    fn of(agent: &Compared) -> AgentAgainst<'_> {
        AgentAgainst {
            name: &agent.kept.name,
            matches_per_s: agent.kept.matches_per_s,
            ratio: agent.verdict.ratio,
            noise_share: agent.verdict.noise,
            is_slower: agent.verdict.is_slower,
            has_same_matches: agent.same_matches,
        }
    }
}
