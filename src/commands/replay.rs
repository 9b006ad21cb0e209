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
use crate::report::record_check;
use crate::report::record_jsonl::JsonlRecorder;
use crate::report::record_line::Header;
use crate::report::record_line::MatchSeed;
use crate::report::record_text::TextRecorder;
use crate::seed::BlockSeed;
use crate::sim::play::Table;
use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use anyhow::ensure;
use std::fs::File;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Seek;
use std::path::Path;

/// Largest record that is read from standard input.
const RECORD_MAX: u64 = 64 << 20;

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
    let manifest: Manifest = serde_json::from_str(&choose::read(&path)?)
        .with_context(|| format!("`{}` is no manifest", path.display()))?;
    let (block, number) = parse_id(id)?;
    let game = manifest.game.clone();
    let visitor = Again { manifest: &manifest, block, number, format: args.format };
    with_game(&game, visitor).unwrap_or_else(|| Err(choose::no_such_game(&game)))
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

impl Visitor for Again<'_> {
    type Out = Result<Said>;

    fn visit<G: Playable>(self) -> Result<Said> {
        let manifest = self.manifest;
        let plan = &manifest.plan;
        let matches = &plan.matches_of_a_block;
        ensure!(self.block < plan.blocks, "the run has blocks 0 to {}", plan.blocks - 1);
        let seat_of = matches.get(self.number);
        let seat_of = seat_of.with_context(|| format!("a block has {} matches", matches.len()))?;
        let game: G = choose::make(manifest.rules.clone(), manifest.players)?;
        let specs: Vec<AgentSpec> = manifest.agents.iter().map(AgentEntry::spec).collect();
        let fits = seat_of.len() == usize::from(manifest.players)
            && seat_of.iter().all(|&agent| agent < specs.len());
        ensure!(fits, "the manifest's plan does not fit its agents");
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

/// Referees a record from a file or from standard input.
fn check(path: &Path) -> Result<Said> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(RECORD_MAX).read_to_end(&mut bytes)?;
        let game = record_check::peek_game(bytes.as_slice())?;
        return referee(&game, bytes.as_slice());
    }
    let open = || File::open(path).with_context(|| format!("can't read `{}`", path.display()));
    let mut file = open()?;
    let game = record_check::peek_game(BufReader::new(&mut file))?;
    file.rewind()?;
    referee(&game, BufReader::new(file))
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
