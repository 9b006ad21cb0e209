//! The decisions of a run's matches as a file to learn from. The matches are played again from the manifest, some at a
//! time on all cores, and written in their order. Their lines wait in packed form: those of a long match are more than a
//! hundred megabytes. `docs/export.md` says what a line holds.

use crate::core::watch::Watch;
use crate::lab::export::file::Output;
use crate::lab::export::kind::Kind;
use crate::lab::read::again::{Again, MatchId};
use crate::lab::read::mistakes::seed_of;
use crate::lab::run::caller::{Begun, Progress};
use crate::sim::any_game::Facts;
use crate::sim::explain::examples::{Ending, Example, Sampling};
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

/// Positions that are imagined for the features of a decision.
const IMAGINED: u16 = 8;

/// Matches in progress for each thread: some are much longer than others.
const EACH_THREAD: usize = 4;

/// The zstd level of lines that wait: fast, and a tenth of the size or less.
const LEVEL: i32 = 1;

/// Bytes that are unpacked at once.
const PIECE: usize = 1 << 16;

/// What is written.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The file: its name ends in `.jsonl`, `.jsonl.zst` or `.parquet`.
    pub file: &'a Path,
    /// Every so many decisions of a match, at least 1.
    pub every: usize,
    /// Matches at most, the first ones of the run; all if it is not given.
    pub matches: Option<u64>,
}

/// What has been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    pub matches: u64,
    /// Lines, one for each decision.
    pub decisions: u64,
}

/// Writes a file of decisions; nothing, and no file, if it was stopped.
///
/// # Errors
/// If the run can't be played again, the file's name has another ending, is taken, or can't be written.
pub fn export(
    again: &Again<'_>,
    export: Export<'_>,
    watch: &Watch,
    progress: &mut dyn Progress,
) -> Result<Option<Exported>> {
    ensure!(export.matches != Some(0), "no match is asked for; write --matches 1 or more");
    let (blocks, each) = (again.blocks()?, again.matches_of_a_block());
    let all = (blocks.end - blocks.start).saturating_mul(each as u64);
    let matches = export.matches.unwrap_or(all).min(all);
    let columns = Columns::of(again);
    let at_once = EACH_THREAD * watch.threads();
    // Who can stop it is listened to before there is a file that would be left.
    progress.begin(&Begun { in_progress: at_once as u64, ..Begun::reading(matches) });
    let mut output = Output::create(export.file, &columns.kinds())?;
    let ids = blocks.flat_map(|block| (0..each).map(move |number| MatchId { block, number }));
    let mut ids = ids.take(usize::try_from(matches).unwrap_or(usize::MAX));
    let mut exported = Exported { matches: 0, decisions: 0 };
    loop {
        let next: Vec<MatchId> = ids.by_ref().take(at_once).collect();
        let lines = |&id: &MatchId| {
            let lines = columns.lines(again, id, export.every, watch);
            lines.with_context(|| format!("match {id}"))
        };
        let written: Result<Vec<Lines>> = watch.on_threads(|| next.par_iter().map(lines).collect());
        if watch.is_stopped() {
            progress.end();
            return Ok(None);
        }
        for lines in written? {
            lines.unpack(&mut output)?;
            exported.matches += 1;
            exported.decisions += lines.count;
        }
        progress.set(exported.matches, &|| None);
        if next.len() < at_once {
            break;
        }
    }
    output.finish()?;
    progress.end();
    Ok(Some(exported))
}

/// The lines of a match, packed.
struct Lines {
    packed: Vec<u8>,
    count: u64,
}

impl Lines {
    fn unpack(&self, output: &mut Output) -> Result<()> {
        let mut lines = BufReader::with_capacity(PIECE, Decoder::new(&self.packed[..])?);
        loop {
            let piece = lines.fill_buf()?;
            if piece.is_empty() {
                return Ok(());
            }
            output.write(piece)?;
            let written = piece.len();
            lines.consume(written);
        }
    }
}

/// The names of a game's features, by seat from the one that decides on.
struct Columns {
    planner: Vec<String>,
    net: Vec<String>,
    seats: u8,
}

impl Columns {
    fn of(again: &Again<'_>) -> Columns {
        let (Facts { lesson, net, .. }, players) = (again.facts(), again.manifest().players);
        let of = |prefix: &str, names: Option<&[&str]>| {
            let seats = (0..players).map(|ahead| match ahead {
                0 => "own".to_owned(),
                ahead => format!("next_{ahead}"),
            });
            let names = names.unwrap_or(&[]);
            seats
                .flat_map(|seat| names.iter().map(move |name| format!("{prefix}_{name}_{seat}")))
                .collect()
        };
        let net = of("net", net.map(|list| list.names));
        Columns { planner: of("planner", lesson), net, seats: players }
    }

    /// What the keys of a line hold, in their order.
    fn kinds(&self) -> Vec<(String, Kind)> {
        let named = |names: &[(&str, Kind)]| -> Vec<(String, Kind)> {
            names.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect()
        };
        let mut all = named(&[
            ("block", Kind::Whole),
            ("match", Kind::Whole),
            ("decision", Kind::Whole),
            ("turn", Kind::Whole),
            ("seat", Kind::Whole),
            ("agent", Kind::Text),
            ("phase", Kind::Text),
            ("legal", Kind::Texts),
            ("chosen", Kind::Whole),
            ("action", Kind::Text),
        ]);
        let features = self.planner.iter().chain(&self.net);
        all.extend(features.map(|name| (name.clone(), Kind::Single)));
        all.extend(named(&[
            ("won", Kind::Flag),
            ("winner", Kind::Whole),
            ("end", Kind::Text),
            ("turns", Kind::Whole),
        ]));
        all.extend((1..=self.seats).map(|seat| (format!("points_{seat}"), Kind::Whole)));
        all
    }

    fn lines(&self, again: &Again<'_>, id: MatchId, every: usize, watch: &Watch) -> Result<Lines> {
        let (agents, played) = (again.agents(id)?, again.play(id, watch)?);
        let (ending, seed) = (played.ending(), seed_of(again.manifest().seed, Some(id)));
        let mut packed = Encoder::new(Vec::new(), LEVEL)?;
        let (mut count, mut written) = (0, Ok(()));
        let sampling = Sampling { every, imagined: IMAGINED, seed };
        played.examples(sampling, watch, &mut |example| {
            let line = self.line(id, &agents[example.seat.idx()].name, example, &ending);
            if written.is_ok() {
                written = writeln!(packed, "{}", Value::Object(line));
            }
            count += 1;
        });
        written?;
        Ok(Lines { packed: packed.finish()?, count })
    }

    fn line(&self, id: MatchId, agent: &str, of: &Example, ending: &Ending) -> Map<String, Value> {
        let Ending { outcome, turns } = ending;
        let mut line = Map::new();
        let mut put = |key: &str, value: Value| drop(line.insert(key.to_owned(), value));
        put("block", json!(id.block));
        put("match", json!(id.number));
        put("decision", json!(of.decision));
        put("turn", json!(of.turn));
        put("seat", json!(of.seat));
        put("agent", json!(agent));
        put("phase", json!(of.phase));
        put("legal", json!(of.legal));
        put("chosen", json!(of.chosen));
        put("action", json!(of.action));
        for (name, &value) in self.planner.iter().zip(&of.planner) {
            put(name, number(value));
        }
        for (name, &value) in self.net.iter().zip(&of.net) {
            put(name, number(value));
        }
        put("won", json!(outcome.winner == Some(of.seat)));
        put("winner", json!(outcome.winner));
        put("end", json!(outcome.end));
        put("turns", json!(turns));
        for (seat, points) in (1..=outcome.seats).zip(outcome.points) {
            put(&format!("points_{seat}"), json!(points));
        }
        line
    }
}

/// The shortest decimal that is read back as the same number; `null` of what is none.
fn number(value: f32) -> Value {
    let shortest = value.to_string().parse::<f64>().ok();
    shortest.filter(|number| number.is_finite()).map_or(Value::Null, Value::from)
}
