//! What every command that plays has in common: its flags as settings of a run, and what it says at the end.

use crate::cli::commands::guests;
use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::interrupt::INTERRUPTED;
use crate::cli::commands::process::command_line;
use crate::cli::commands::progress::Shown;
use crate::cli::commands::{summary, threads};
use crate::cli::printing::Printing;
use crate::cli::running::{OnFault, Running};
use crate::core::watch::Watch;
use crate::lab::divide::addition;
use crate::lab::questions::searches::search::SearchDesign;
use crate::lab::questions::studies::patience::proposal;
use crate::lab::questions::studies::study::Design;
use crate::lab::report::manifest::{Manifest, Wave};
use crate::lab::run::caller::Caller;
use crate::lab::run::job;
use crate::lab::run::{Finished, Settings};
use crate::sim::agents::spec::AgentSpec;
use crate::sim::any_game::LoadedGame;
use crate::words::lists::plural;
use anyhow::{Result, ensure};
use std::path::Path;
use std::time::Duration;

/// The output of a command: text for standard output and standard error, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// For standard output.
    pub text: String,
    /// For standard error: the reason for the exit code, where the text doesn't give it.
    pub err: String,
    /// The exit code.
    pub code: u8,
    /// Whether the text has colours of ours, and was made `plain` before them.
    pub is_coloured: bool,
}

impl Output {
    /// Text for standard output, and the exit code.
    pub fn new(text: String, code: u8) -> Output {
        Output { text, err: String::new(), code, is_coloured: false }
    }

    /// The same of a text that `summary` has made, which may have colours.
    pub fn coloured(text: String, code: u8) -> Output {
        Output { is_coloured: true, ..Output::new(text, code) }
    }

    /// Nothing but the reason for the exit code.
    pub fn failed(err: String, code: u8) -> Output {
        Output { err, ..Output::new(String::new(), code) }
    }

    /// What a run says when it has ended, or was stopped.
    pub fn of(finished: &Finished, printing: Printing) -> Output {
        let Finished { manifest, judged, path, asked, tables, .. } = finished;
        let complete = manifest.played.complete;
        // A part has no tables yet to be judged by.
        let found = manifest.is_part() || !asked.has_failed(tables);
        let code = match (complete, found && judged.iter().all(|(_, holds)| *holds)) {
            (false, _) => INTERRUPTED,
            (true, false) => FAILED,
            (true, true) => 0,
        };
        let shown = || summary::summary(finished, printing);
        let text = if printing.quiet { String::new() } else { shown() };
        if !printing.is_silent() {
            return Output::coloured(text, code);
        }
        let stopped = || interrupted(manifest, asked.is_search(), path.as_deref());
        let err = if complete { failing(judged) } else { stopped() };
        Output { err, ..Output::coloured(text, code) }
    }
}

/// The exit code of thresholds that fail.
pub const FAILED: u8 = 1;

/// Starts a study, and plays it to its end.
///
/// # Errors
/// If the design can't be played, the thresholds name nothing, or the output can't be written.
pub fn start(args: &Running, game: &dyn LoadedGame, design: Design) -> Result<Output> {
    ensure!(
        args.shard.is_none() || args.out.is_some(),
        "--shard writes a part for `merge`; name its directory with --out"
    );
    let shown = Shown::new(args.printing.quiet).saying(proposal(&design, &command_line()));
    let agents = design.agents.clone();
    grant(&agents);
    let finished =
        play(args, &agents, shown, |caller| job::start(game, design, &settings(args), caller))?;
    Ok(Output::of(&finished, args.printing))
}

/// Starts a search, and plays it to its end.
///
/// # Errors
/// If it can't be played, the thresholds name nothing, or the output can't be written.
pub fn search(args: &Running, game: &dyn LoadedGame, design: SearchDesign) -> Result<Output> {
    let agents = design.agents.clone();
    grant(&agents);
    let finished = play(args, &agents, Shown::new(args.printing.quiet), |caller| {
        job::start(game, design, &settings(args), caller)
    })?;
    Ok(Output::of(&finished, args.printing))
}

/// Plays new line-ups for an earlier run of some seed, and joins them with it.
///
/// # Errors
/// If they can't be played, or the output can't be written.
pub fn added(
    args: &Running,
    game: &dyn LoadedGame,
    design: Design,
    (earlier, seed): (&Path, u64),
) -> Result<Output> {
    let agents = design.agents.clone();
    let played = play(args, &agents, Shown::new(args.printing.quiet), |caller| {
        // Thresholds are for the whole.
        let settings = Settings { seed, require: Vec::new(), ..settings(args) };
        job::start(game, design, &settings, caller)
    })?;
    let Some(path) = played.path.as_deref().filter(|_| played.manifest.played.complete) else {
        return Ok(Output::of(&played, args.printing));
    };
    let whole = Settings { force: true, out: Some(path.to_owned()), ..settings(args) };
    Ok(Output::of(
        &addition::join(catalogue(), earlier, path, &whole, command_line())?,
        args.printing,
    ))
}

/// Allows those programs to be started that were named on the command line as agents.
pub fn grant(agents: &[AgentSpec]) {
    agents.iter().filter_map(|agent| agent.invitation().ok().flatten()).for_each(guests::grant);
}

/// Plays a run of some agents as the flags say; `start` is given this process as its caller.
fn play(
    args: &Running,
    agents: &[AgentSpec],
    mut shown: Shown,
    start: impl FnOnce(Caller<'_>) -> Result<Finished>,
) -> Result<Finished> {
    check_agents(args, agents)?;
    threads::start(args.threads)?;
    start(thinking(args, caller(&mut shown, args.save_every)))
}

fn settings(args: &Running) -> Settings {
    Settings {
        seed: args.seed,
        shard: args.shard,
        after: args.after.clone(),
        wave: args.wave.zip(args.wave_blocks).map(|(number, blocks)| Wave { number, blocks }),
        fault_share: Some(args.fault_share).filter(|_| args.on_fault == OnFault::Loss),
        require: args.require.clone(),
        out: args.out.clone(),
        force: args.force,
    }
}

/// The same caller, for agents that think on several threads.
fn thinking<'a>(args: &Running, caller: Caller<'a>) -> Caller<'a> {
    Caller { watch: caller.watch.with_think_threads(args.think_threads), ..caller }
}

fn check_agents(args: &Running, agents: &[AgentSpec]) -> Result<()> {
    ensure!(
        args.think_threads == 1 || agents.iter().any(AgentSpec::has_trees),
        "--think-threads: no agent has several trees, such as `mcts:trees=4`"
    );
    let oracle = agents.iter().any(AgentSpec::is_oracle);
    ensure!(
        !oracle || args.allow_oracle,
        "`oracle` sees all hands; to let it play among others, add --allow-oracle"
    );
    Ok(())
}

/// This process as a caller of the laboratory.
pub fn caller(shown: &mut Shown, save_every: u64) -> Caller<'_> {
    let save_every = Duration::from_secs(save_every);
    Caller {
        catalogue: catalogue(),
        watch: Watch::clone(&WATCH),
        progress: shown,
        save_every,
        command: command_line(),
    }
}

/// Why a quiet run exits as it does, if it was interrupted.
fn interrupted(manifest: &Manifest, is_search: bool, path: Option<&Path>) -> String {
    let Manifest { played, plan, .. } = manifest;
    let blocks = plan.plan().blocks_of(plan.chunks());
    let all = if is_search { plan.blocks } else { blocks.end - blocks.start };
    let most = if is_search { "at most " } else { "" };
    let resume = path
        .map_or(String::new(), |path| format!("; to resume: {}", summary::resume(manifest, path)));
    let unit = plural(all, "block");
    format!("Interrupted after {} of {most}{all} {unit}{resume}\n", played.blocks)
}

/// The lines of the thresholds that fail: all that a quiet command prints about them.
pub fn failing(judged: &[(String, bool)]) -> String {
    judged.iter().filter(|(_, holds)| !holds).flat_map(|(line, _)| [line.as_str(), "\n"]).collect()
}
