//! `bench`: matches and decisions a second, by agent, on one thread and on all.
//!
//! One agent fills all seats and plays through the runner of `simulate`, statistics included. A round plays
//! the same matches each time, blocks 0 to n of the seed; n is found beforehand, so that the rounds of an
//! agent take about the seconds asked for, or comes from the baseline, so that the same matches are
//! compared. The rounds of the agents alternate: a slow moment of the machine falls on all of them. A figure
//! is the median over the rounds, with the least and the most.
//!
//! A search is also measured against its raw rollouts: as many as it had iterations, from the positions that
//! it considered, continued and judged in the same way, without tree and determinization.

pub mod measure;
pub mod baseline;
mod json;
mod show;

use crate::cli::Bench;
use crate::cli::commands::bench::baseline::{Baseline, Kept, Setting, Verdict};
use crate::cli::commands::bench::measure::{Figure, Rounds, Subject};
use crate::cli::commands::run::{self, Output};
use crate::cli::commands::{choose, threads};
use crate::lab::report::hash::hash;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::{Facts, LoadedGame};
use anyhow::{Result, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::ThreadPool;
use std::fs;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

/// Rounds of each agent: enough for a median and a spread.
pub const ROUNDS: u32 = 7;

/// The exit code when an agent is slower than its baseline.
const SLOWER: u8 = 1;

/// Seconds that may be asked for.
const SECONDS: std::ops::RangeInclusive<f64> = 0.1..=600.0;

/// Runs the command.
///
/// # Errors
/// If the arguments can't be played with, or a baseline is missing, damaged, or of another setting.
pub fn run(args: &Bench) -> Result<Output> {
    let seconds = args.seconds;
    ensure!(SECONDS.contains(&seconds), "{seconds} seconds are not in 0.1 to 600");
    let players = choose::players(&args.rules, args.players)?;
    let game = choose::game(&args.rules, players)?;
    let facts = game.game_type().facts();
    let specs = agents(&*game, &args.agents.clone().unwrap_or_else(|| usual(&facts)))?;
    game.check_agents(&specs)?;
    run::grant(&specs);
    let setting = Setting {
        game: facts.name.to_owned(),
        players,
        seed: args.seed,
        rules_hash: hash(&game.rules().to_string()),
        build: if cfg!(debug_assertions) { "asserting" } else { "optimized" }.to_owned(),
    };
    let against = args.baseline.as_deref().map(|name| Against::read(name, &setting)).transpose()?;
    if let Some(name) = &args.save {
        baseline::prepare(name)?;
    }
    let session = Session {
        game: &*game,
        args,
        one: Arc::new(threads::pool(Some(1))?),
        all: Arc::new(threads::pool(args.threads)?),
    };
    let report = session.report(&specs, setting, against.as_ref())?;
    if let Some(name) = &args.save {
        report.figures().write(name)?;
    }
    let comparison = against.map(|against| against.compare(&report)).transpose()?;
    let slower = comparison.iter().flat_map(|all| &all.agents).any(|now| now.verdict.is_slower);
    let text = if args.json {
        json::text(&report, comparison.as_ref())?
    } else {
        show::text(&report, comparison.as_ref())
    };
    Ok(Output::new(text, if slower { SLOWER } else { 0 }))
}

/// Those that are measured by default: the game's own kinds, then those of all games.
fn usual(facts: &Facts) -> String {
    let own = facts.specials.iter().map(|(name, _)| *name);
    own.chain(["random", "greedy", "heuristic", "mcts:iterations=100"])
        .collect::<Vec<_>>()
        .join(",")
}

/// The agents that are named.
fn agents(game: &dyn LoadedGame, text: &str) -> Result<Vec<AgentSpec>> {
    let agents = text.split(',').map(|name| choose::agent(game, name.trim()));
    let agents: Vec<AgentSpec> = agents.collect::<Result<_>>()?;
    for (at, agent) in agents.iter().enumerate() {
        let twice = agents[..at].iter().any(|other| other.is(agent));
        ensure!(!twice, "agent `{}` is named twice", agent.name);
    }
    Ok(agents)
}

/// The processor's name, if the system reports it.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or(std::env::consts::ARCH, |(_, model)| model.trim()).to_owned()
}

/// What was measured of one agent.
pub struct Measured {
    /// The words on the command line.
    pub name: String,
    /// Rounds on one thread.
    pub one: Rounds,
    /// The same without statistics.
    pub bare: Rounds,
    /// Rounds on all threads.
    pub all: Rounds,
    /// Raw rollouts a second by round, if it searches.
    pub rollouts_per_s: Vec<f64>,
}

impl Measured {
    /// The share of the time on one thread that statistics take.
    fn statistics_share(&self) -> Figure {
        let counted = self.one.rates(|counts| counts.matches);
        let bare = self.bare.rates(|counts| counts.matches);
        Figure::of(counted.zip(bare).map(|(counted, bare)| 1.0 - counted / bare))
    }

    /// Matches a second on all threads over those on one.
    fn against_one_thread(&self) -> Figure {
        let one = self.one.rates(|counts| counts.matches);
        let all = self.all.rates(|counts| counts.matches);
        Figure::of(all.zip(one).map(|(all, one)| all / one))
    }

    /// Iterations a second as a share of raw rollouts a second, if it searches.
    fn search_share(&self) -> Option<Figure> {
        let iterations = self.one.rates(|counts| counts.iterations);
        let shares = iterations.zip(&self.rollouts_per_s).map(|(tree, raw)| tree / raw);
        (!self.rollouts_per_s.is_empty()).then(|| Figure::of(shares))
    }
}

/// What was measured.
pub struct Report {
    /// What was played.
    pub setting: Setting,
    /// Why the settings are unofficial, if they are.
    pub unofficial: Option<&'static str>,
    pub processor: String,
    /// Seconds for each agent.
    pub seconds: f64,
    /// All threads.
    pub threads: usize,
    pub agents: Vec<Measured>,
}

impl Report {
    /// The figures to save.
    fn figures(&self) -> Baseline {
        let keep = |agent: &Measured| Kept {
            name: agent.name.clone(),
            blocks: agent.one.blocks,
            decisions: agent.one.counts().decisions,
            matches_per_s: agent.one.rate(|counts| counts.matches),
            decisions_per_s: agent.one.rate(|counts| counts.decisions),
            threads: self.threads,
            matches_per_s_all: agent.all.rate(|counts| counts.matches),
        };
        Baseline {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            processor: self.processor.clone(),
            setting: self.setting.clone(),
            agents: self.agents.iter().map(keep).collect(),
        }
    }
}

/// A baseline and its name.
struct Against<'a> {
    name: &'a str,
    figures: Baseline,
}

/// An agent's figures now and in the baseline.
pub struct Compared {
    /// In the baseline.
    pub kept: Kept,
    /// Whether the matches were the same, judged by their decisions.
    pub same_matches: bool,
    /// Whether it is slower.
    pub verdict: Verdict,
}

/// All agents' figures now and in the baseline.
pub struct Comparison {
    /// The baseline's name.
    pub name: String,
    /// The processor of the baseline.
    pub processor: String,
    pub agents: Vec<Compared>,
}

impl<'a> Against<'a> {
    fn read(name: &'a str, now: &Setting) -> Result<Against<'a>> {
        let figures = Baseline::read(name)?;
        figures.ensure_fits(name, now)?;
        Ok(Against { name, figures })
    }

    fn agent(&self, agent: &str) -> Result<&Kept> {
        self.figures.agent(self.name, agent)
    }

    fn compare(&self, report: &Report) -> Result<Comparison> {
        let compare = |agent: &Measured| {
            let kept = self.agent(&agent.name)?.clone();
            let same_matches = agent.one.counts().decisions == kept.decisions;
            let now = agent.one.rate(|counts| counts.matches);
            let verdict = Verdict::new(kept.matches_per_s, now);
            Ok(Compared { kept, same_matches, verdict })
        };
        Ok(Comparison {
            name: self.name.to_owned(),
            processor: self.figures.processor.clone(),
            agents: report.agents.iter().map(compare).collect::<Result<_>>()?,
        })
    }
}

/// One run of the command.
struct Session<'a> {
    game: &'a dyn LoadedGame,
    args: &'a Bench,
    one: Arc<ThreadPool>,
    all: Arc<ThreadPool>,
}

/// An agent that is being measured.
struct InProgress<'a> {
    subject: Subject<'a>,
    /// Positions that it searched from, if it searches.
    positions: usize,
    measured: Measured,
}

impl Session<'_> {
    fn report(
        &self,
        specs: &[AgentSpec],
        setting: Setting,
        against: Option<&Against<'_>>,
    ) -> Result<Report> {
        let kept: Vec<Option<&Kept>> = specs
            .iter()
            .map(|spec| against.map(|against| against.agent(&spec.name)).transpose())
            .collect::<Result<_>>()?;
        let bar = bar(specs.len() as u64 * u64::from(1 + ROUNDS));
        let mut agents = Vec::new();
        for (spec, kept) in specs.iter().zip(kept) {
            agents.push(self.warm_up(spec, kept)?);
            bar.inc(1);
        }
        for _ in 0..ROUNDS {
            for agent in &mut agents {
                self.round(agent)?;
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        Ok(Report {
            setting,
            unofficial: self.game.unofficial(),
            processor: processor(),
            seconds: self.args.seconds,
            threads: self.all.current_num_threads(),
            agents: agents.into_iter().map(|agent| agent.measured).collect(),
        })
    }

    /// Finds how many blocks a round has, and the positions for raw rollouts.
    fn warm_up<'s>(&'s self, spec: &'s AgentSpec, kept: Option<&Kept>) -> Result<InProgress<'s>> {
        let mut subject = Subject::new(self.game, spec, self.args.seed);
        let target = Duration::from_secs_f64(self.args.seconds) / ROUNDS;
        let blocks = match kept {
            Some(kept) => {
                subject.play(&self.one, kept.blocks)?;
                kept.blocks
            }
            None => subject.blocks_for(&self.one, target)?,
        };
        let all = subject.blocks_for(&self.all, target)?;
        let positions = if spec.is_searching() { subject.note_positions(blocks)? } else { 0 };
        let measured = Measured {
            name: spec.name.clone(),
            one: Rounds::new(blocks),
            bare: Rounds::new(blocks),
            all: Rounds::new(all),
            rollouts_per_s: Vec::new(),
        };
        Ok(InProgress { subject, positions, measured })
    }

    fn round(&self, agent: &mut InProgress<'_>) -> Result<()> {
        let InProgress { subject, positions, measured } = agent;
        let Measured { one, bare, all, rollouts_per_s, .. } = measured;
        one.played.push(subject.play(&self.one, one.blocks)?);
        bare.played.push(subject.play_bare(bare.blocks, one.counts()));
        all.played.push(subject.play(&self.all, all.blocks)?);
        if *positions > 0 {
            let count = one.counts().iterations;
            rollouts_per_s.push(subject.rollouts_per_s(*positions, count)?);
        }
        Ok(())
    }
}

/// A bar on a terminal, nothing elsewhere.
fn bar(rounds: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(rounds), ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} rounds, {eta} left");
    ProgressBar::new(rounds).with_style(style.unwrap_or(ProgressStyle::default_bar()))
}
