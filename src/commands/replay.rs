//! `replay`: plays one match of a run again and prints it, or referees a recorded match.

use crate::cli::RecordForm;
use crate::cli::Replay;
use crate::commands::choose;
use crate::commands::simulate::Said;
use crate::registry::AgentSpec;
use crate::registry::Playable;
use crate::registry::Visitor;
use crate::registry::with_game;
use crate::report::manifest::AgentEntry;
use crate::report::manifest::Manifest;
use crate::report::manifest::SCHEMA_VERSION;
use crate::report::record_check;
use crate::report::record_error::LINE_MAX;
use crate::report::record_jsonl::JsonlRecorder;
use crate::report::record_line::Header;
use crate::report::record_line::MatchSeed;
use crate::report::record_text::TextRecorder;
use crate::seed::BlockSeed;
use crate::sim::play::Table;
use anyhow::Context;
use anyhow::Result;
use anyhow::anyhow;
use anyhow::bail;
use anyhow::ensure;
use std::fs::File;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// If the run, the match or the record can't be read, or the record breaks a rule.
pub fn run(args: &Replay) -> Result<Said> {
    if let Some(path) = &args.check {
        return check(path);
    }
    let (Some(run), Some(id)) = (&args.run, &args.id) else { bail!("name a run and a match") };
    let path = run.join("manifest.json");
    let (block, number) = parse_id(id)?;
    let manifest: Manifest = serde_json::from_str(&choose::read(&path)?)
        .with_context(|| format!("`{}` is no manifest", path.display()))?;
    let version = manifest.schema_version;
    let game = manifest.game.clone();
    let visitor = Again { manifest: &manifest, block, number, format: args.format };
    let played = if version == SCHEMA_VERSION {
        with_game(&game, visitor).unwrap_or_else(|| Err(choose::no_such_game(&game)))
    } else {
        Err(anyhow!("schema version {version}; this program reads {SCHEMA_VERSION}"))
    };
    played.with_context(|| format!("run `{}`", run.display()))
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
    /// Which agent sits in each seat of the match, if the run played it. A manifest may hold anything.
    fn seat_of(&self) -> Result<&[usize]> {
        let Manifest { plan, played, agents, players, .. } = self.manifest;
        let matches = &plan.matches_of_a_block;
        let seated = |seat_of: &Vec<usize>| {
            seat_of.len() == usize::from(*players) && seat_of.iter().all(|&at| at < agents.len())
        };
        let fits = !matches.is_empty() && matches.iter().all(seated);
        ensure!(
            fits,
            "the manifest's plan does not fit its {} agents, {players} players",
            agents.len()
        );
        let ended = played.matches.checked_add(played.failures);
        let fits = played.blocks <= plan.blocks
            && played.blocks.checked_mul(matches.len() as u64) == ended;
        ensure!(fits, "the manifest's number of matches does not fit its blocks");
        let last = played.blocks.checked_sub(1).context("it played no blocks")?;
        let Again { block, number, .. } = self;
        ensure!(*block <= last, "no block {block}; there are 0 to {last}");
        let (seat_of, count) = (matches.get(*number), matches.len());
        Ok(seat_of.with_context(|| format!("no match {number} in a block; each has {count}"))?)
    }
}

impl Visitor for Again<'_> {
    type Out = Result<Said>;

    fn visit<G: Playable>(self) -> Result<Said> {
        let manifest = self.manifest;
        let seat_of = self.seat_of()?;
        let game: G = choose::make(manifest.rules.clone(), manifest.players)?;
        let specs: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
        let mut players = choose::players(&game, &specs)?;
        let agents = seat_of.iter().map(|&agent| specs[agent].name.clone()).collect();
        let match_idx = self.number as u64;
        let id = MatchSeed { master: manifest.seed, block: self.block, match_idx };
        let header = Header::new(agents, Some(id));
        let seed = BlockSeed::new(manifest.seed, self.block);
        let mut table = Table::new(game);
        let text = match self.format {
            RecordForm::Text => {
                let mut recorder = TextRecorder::new(header);
                table.play(&mut players, seat_of, seed, &mut recorder)?;
                recorder.into_string()
            }
            RecordForm::Jsonl => {
                let mut recorder = JsonlRecorder::new(header);
                table.play(&mut players, seat_of, seed, &mut recorder)?;
                String::from_utf8(recorder.into_bytes()).context("a record is text")?
            }
        };
        Ok(Said { text, code: 0 })
    }
}

/// Referees a record from a file, a pipe or standard input; it is never in memory as a whole.
fn check(path: &Path) -> Result<Said> {
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(path).with_context(|| format!("can't read `{}`", path.display()))?;
        Box::new(BufReader::new(file))
    };
    // The first line says which game; the referee reads it again.
    let mut first = Vec::new();
    let checked = reader
        .by_ref()
        .take(LINE_MAX as u64 + 2)
        .read_until(b'\n', &mut first)
        .map_err(anyhow::Error::from)
        .and_then(|_| Ok(record_check::peek_game(first.as_slice())?))
        .and_then(|game| referee(&game, first.as_slice().chain(reader)));
    checked.with_context(|| format!("record `{}`", path.display()))
}

fn referee(game: &str, reader: impl BufRead) -> Result<Said> {
    with_game(game, Referee { reader }).unwrap_or_else(|| Err(choose::no_such_game(game)))
}

struct Referee<R> {
    reader: R,
}

impl<R: BufRead> Visitor for Referee<R> {
    type Out = Result<Said>;

    fn visit<G: Playable>(self) -> Result<Said> {
        let checked = record_check::check::<G>(self.reader)?;
        let text = format!(
            "The record keeps the rules: {} decisions and {} chance events in {} turns.\n",
            checked.decisions, checked.chance_events, checked.turns,
        );
        Ok(Said { text, code: 0 })
    }
}
