//! The rows of `matches.csv`, plain or compressed.

use crate::core::types::seat::Seat;
use crate::lab::report::files::{self, sync_directory};
use crate::lab::report::manifest::{FileEntry, Manifest, RowForm};
use crate::lab::report::schema::{MATCH_COLUMNS, SEAT_COLUMNS};
use crate::lab::report::sums::Grown;
use crate::lab::report::table::number;
use crate::sim::simulation::MatchRow;
use anyhow::{Context, Result};
use std::fs;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

/// The rows while a run is played; compressed at its end if that was asked for.
pub const ROWS: &str = "matches.csv";

/// The file of rows.
pub const fn rows_name(form: RowForm) -> &'static str {
    match form {
        RowForm::Csv => "matches.csv",
        RowForm::Zst => "matches.csv.zst",
    }
}

/// The compressed file.
const PACKED: &str = "matches.csv.zst";

/// The header for a number of seats.
pub fn header(seats: u8) -> Vec<u8> {
    let mut names: Vec<String> =
        MATCH_COLUMNS.iter().map(|column| column.name.to_owned()).collect();
    for seat in Seat::all(seats) {
        names.extend(SEAT_COLUMNS.iter().map(|column| format!("{}{seat}", column.name)));
    }
    line(&names)
}

/// The most bytes of a row without its seats: a block, a match, a deal, an end, a seat, turns.
const ROW_MAX: u64 = 128;
/// The most bytes of a seat in a row, without its agent's name: rank, points, and where these come from.
const SEAT_MAX: u64 = 192;

/// The most bytes that the rows of a number of blocks can have, in whatever form; none if the run has no rows.
pub fn most(form: Option<RowForm>, manifest: &Manifest, blocks: u64) -> u64 {
    if form.is_none() {
        return 0;
    }
    let names = manifest.agents.iter().map(|agent| agent.name.len() as u64);
    // A name in quotes has every quote twice.
    let seat = SEAT_MAX + 2 * names.max().unwrap_or(0) + 2;
    let row = ROW_MAX + u64::from(manifest.players) * seat;
    let rows = blocks.saturating_mul(manifest.plan.matches_of_a_block.len() as u64);
    rows.saturating_mul(row).saturating_add(header(manifest.players).len() as u64)
}

/// Replaces the plain file of a directory by the compressed one.
///
/// # Errors
/// If it can't be written.
pub fn pack(directory: &Path) -> io::Result<()> {
    let mut plain = BufReader::new(files::open(&directory.join(ROWS))?);
    let packed = BufWriter::new(files::create(&directory.join(PACKED))?);
    let mut encoder = Encoder::new(packed, 3)?;
    io::copy(&mut plain, &mut encoder)?;
    let packed = encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    packed.sync_all()?;
    sync_directory(directory)?;
    fs::remove_file(directory.join(ROWS))
}

/// The manifest's entry of the rows of a directory.
///
/// # Errors
/// If they can't be read.
pub fn entry(directory: &Path, form: RowForm) -> io::Result<FileEntry> {
    let name = rows_name(form);
    let Grown { bytes, hash } = Grown::of(&directory.join(name))?;
    Ok(FileEntry { name: name.to_owned(), bytes, hash: format!("{hash:016x}") })
}

/// Restores the plain file, which had at least this number of bytes; no more than that is unpacked.
///
/// # Errors
/// If the compressed file is damaged or missing.
pub fn unpack(directory: &Path, bytes: u64) -> io::Result<()> {
    let packed = Decoder::new(files::open(&directory.join(PACKED))?)?;
    let mut plain = BufWriter::new(files::create(&directory.join(ROWS))?);
    io::copy(&mut packed.take(bytes), &mut plain)?;
    plain.flush()
}

/// Writes the row of a match.
pub fn write(names: &[String], row: &MatchRow<'_>, out: &mut Vec<u8>) {
    let end = row.end.as_ref();
    let outcome = end.map(|end| end.outcome);
    let mut cells = vec![
        row.block.to_string(),
        row.number.to_string(),
        format!("{:016x}", row.deal),
        outcome.map_or("agent_failure", |outcome| outcome.end.name()).to_owned(),
        outcome.and_then(|o| o.winner).map_or(String::new(), |seat| seat.to_string()),
        end.map_or(String::new(), |end| end.turns.to_string()),
    ];
    for (seat, &agent) in row.seat_of.iter().enumerate() {
        cells.push(names[agent].clone());
        cells.push(number(outcome.map(|o| f64::from(o.ranks_doubled()[seat]) / 2.0)));
        cells.push(outcome.map_or(String::new(), |o| o.points[seat].to_string()));
        cells.push(end.map_or(String::new(), |end| end.sources[seat].clone()));
    }
    out.extend_from_slice(&line(&cells));
}

fn line(cells: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells).expect("writing to memory");
    writer.into_inner().expect("writing to memory")
}

/// Says that rows are damaged.
pub fn damaged(path: &Path, form: RowForm) -> String {
    let place = path.join(rows_name(form));
    format!("`{}` is damaged: it does not hold what the run wrote", place.display())
}

/// Reads the rows of a run piece by piece, and stops a byte past `most`: a small file may unpack to any size.
///
/// # Errors
/// If they can't be read or unpacked.
pub fn read(
    path: &Path,
    form: RowForm,
    most: u64,
    each: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> Result<Grown> {
    let place = path.join(rows_name(form));
    let unreadable = || format!("can't read `{}`", place.display());
    let file = files::open(&place).with_context(unreadable)?;
    let bytes: Box<dyn Read> = match form {
        RowForm::Csv => Box::new(file),
        RowForm::Zst => Box::new(zstd::Decoder::new(file).with_context(unreadable)?),
    };
    let mut bytes = bytes.take(most.saturating_add(1));
    let mut read = Grown::EMPTY;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = bytes.read(&mut buffer).with_context(unreadable)?;
        if count == 0 {
            return Ok(read);
        }
        read = read.with(&buffer[..count]);
        each(&buffer[..count])?;
    }
}
