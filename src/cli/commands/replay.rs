//! `replay`: plays one match of a run again and prints it, checks a recorded match, or compares another
//! program's matches with our rules.

use crate::cli::commands::choose;
use crate::cli::commands::run::Output;
use crate::cli::runs::{RecordForm, Replay};
use crate::conformance::catanatron;
use crate::core::seed::BlockSeed;
use crate::lab::report::manifest::Manifest;
use crate::lab::rules::game_type;
use crate::lab::runs::manifest_of;
use crate::lab::{job, run};
use crate::sim::any_game::{Form, RecordPlan, Seated};
use crate::sim::records;
use crate::sim::records::error::LINE_MAX;
use crate::sim::records::line::{Header, MatchSeed};
use crate::sim::trials::MatchPlan;
use anyhow::{Context, Result, bail, ensure};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// The exit code for a record that breaks a rule.
const BROKEN_RULE: u8 = 2;

/// Runs the command.
///
/// # Errors
/// If the run, the match or the record can't be read, or the record breaks a rule.
pub fn run(args: &Replay) -> Result<Output> {
    let run = &args.run;
    let id = match (&args.id, args.check) {
        (None, true) => return check(run, args.format.unwrap_or(RecordForm::Jsonl)),
        (Some(id), false) => id,
        _ => bail!("name a run and a match, or a record with --check"),
    };
    let format = args.format.unwrap_or(RecordForm::Text);
    ensure!(format != RecordForm::Catanatron, "--format catanatron is for --check only");
    let (block, number) = parse_id(id)?;
    let manifest = manifest_of(run)?;
    let again = Again { manifest: &manifest, block, number, format };
    again.play().with_context(|| format!("run `{}`", run.display()))
}

fn parse_id(id: &str) -> Result<(u64, usize)> {
    let parts = id.split_once('.');
    let parsed =
        parts.and_then(|(block, number)| Some((block.parse().ok()?, number.parse().ok()?)));
    parsed.with_context(|| format!("`{id}` is no match; write BLOCK.MATCH, such as 12345.0"))
}

struct Again<'a> {
    manifest: &'a Manifest,
    block: u64,
    number: usize,
    format: RecordForm,
}

impl Again<'_> {
    /// The match's plan, if the run played it. A manifest may hold anything.
    fn plan(&self) -> Result<&MatchPlan> {
        let Manifest { plan, played, .. } = self.manifest;
        let first = plan.plan().blocks_of(plan.chunks()).start;
        let blocks = first..first.saturating_add(played.blocks).min(plan.blocks);
        ensure!(!blocks.is_empty(), "it played no blocks");
        let Again { block, number, .. } = self;
        let (first, last) = (blocks.start, blocks.end - 1);
        ensure!(blocks.contains(block), "no block {block}; there are {first} to {last}");
        let matches = &plan.matches_of_a_block;
        let found = matches.get(*number);
        found.with_context(|| format!("no match {number} in a block; each has {}", matches.len()))
    }
}

impl Again<'_> {
    fn play(self) -> Result<Output> {
        let manifest = self.manifest;
        let job = job::job(manifest.clone())?;
        run::shape_of(&job)?;
        let plan = self.plan()?;
        let game = job.games.get(plan.variant).context("a variant of the plan")?;
        let names = plan.seats.iter().map(|&agent| job.agents[agent].name.clone()).collect();
        let match_idx = self.number as u64;
        let id = MatchSeed { master: manifest.seed, block: self.block, match_idx };
        let forced = job.study.forced_choice(job.game.facts().choices);
        let choice = forced.map_err(anyhow::Error::msg)?.map(|forced| forced.choice);
        let record = RecordPlan {
            seed: BlockSeed::new(manifest.seed, self.block),
            seats: &plan.seats,
            forced: plan.forced.zip(choice),
            header: Header::new(names, Some(id)),
            form: match self.format {
                RecordForm::Text => Form::Text,
                RecordForm::Jsonl | RecordForm::Catanatron => Form::JsonLines,
            },
        };
        let seated = Seated { agents: &job.agents, watch: choose::WATCH, timing: None };
        Ok(Output::new(game.record(seated, record)?, 0))
    }
}

/// Checks a record from a file, a pipe or standard input; it is never in memory as a whole.
fn check(path: &Path, format: RecordForm) -> Result<Output> {
    let read = match format {
        RecordForm::Text => bail!("--format text is for people; jsonl and catanatron are checked"),
        RecordForm::Jsonl => check_own,
        RecordForm::Catanatron => conform,
    };
    let reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(path).with_context(|| format!("can't read `{}`", path.display()))?;
        Box::new(BufReader::new(file))
    };
    read(reader).with_context(|| format!("record `{}`", path.display()))
}

/// Checks a record of ours. The first line says which game; the referee reads it again.
fn check_own(mut reader: Box<dyn BufRead>) -> Result<Output> {
    let mut first = Vec::new();
    reader.by_ref().take(LINE_MAX as u64 + 2).read_until(b'\n', &mut first)?;
    let game = records::check::peek_game(first.as_slice())?;
    referee(&game, first.as_slice().chain(reader))
}

/// Replays matches of another program. What the known differences don't explain is printed after the table.
fn conform(reader: Box<dyn BufRead>) -> Result<Output> {
    let agreement = catanatron::check(reader)?;
    Ok(Output::new(agreement.to_string(), if agreement.unexplained == 0 { 0 } else { BROKEN_RULE }))
}

fn referee(game: &str, mut reader: impl BufRead) -> Result<Output> {
    let checked = game_type(game)?.check_record(&mut reader)?;
    let text = format!(
        "The record keeps the rules: {} decisions and {} chance events in {} turns.\n{}",
        checked.decisions,
        checked.chance_events,
        checked.turns,
        choose::unofficial_line(checked.unofficial),
    );
    Ok(Output::new(text, 0))
}
