//! `faults.csv`: matches that guests have lost by failing, where a failure doesn't stop the run.

use crate::core::outside::{LostMatch, LostMatches};
use crate::lab::report::files;
use crate::lab::report::files::replace;
use crate::lab::report::manifest::FileEntry;
use crate::lab::report::table::cell;
use anyhow::{Context, Result, ensure};
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::PoisonError;

/// The file.
pub const FAULTS: &str = "faults.csv";

/// Its columns: the block and the number of the match in it, both from 0; the seat, from 1; the guest's command; why it
/// failed.
const COLUMNS: [&str; 5] = ["block", "match", "seat", "guest", "reason"];

/// The longest file that is read, in bytes: far above what a run writes that did not stop.
const BYTES_MAX: u64 = 1 << 28;

/// What was lost in the blocks before one, by match and seat.
fn before(lost: &LostMatches, block: u64) -> Vec<LostMatch> {
    let lost = lost.lock().unwrap_or_else(PoisonError::into_inner);
    let mut kept: Vec<LostMatch> = lost.iter().filter(|it| it.id.0 < block).cloned().collect();
    kept.sort();
    // A block that was played again may have failed again.
    kept.dedup_by_key(|it| (it.id, it.seat));
    kept
}

/// Writes what was lost in the blocks before one.
///
/// # Errors
/// If it can't be written.
pub fn save(directory: &Path, lost: &LostMatches, block: u64) -> Result<FileEntry> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for LostMatch { id: (block, number), seat, guest, reason } in before(lost, block) {
        let numbers = [block.to_string(), number.to_string(), seat.to_string()];
        let words = [cell(&guest).into_owned(), cell(&reason).into_owned()];
        writer.write_record(numbers.iter().chain(&words))?;
    }
    let bytes = writer.into_inner().context("writing to memory")?;
    replace(&directory.join(FAULTS), &bytes).with_context(|| format!("writing {FAULTS}"))?;
    Ok(FileEntry::of(FAULTS.to_owned(), &bytes))
}

/// What an earlier session of a run has lost in the blocks before one.
///
/// # Errors
/// If the file can't be read, or is not one that a run wrote.
pub fn read(directory: &Path, block: u64) -> Result<Vec<LostMatch>> {
    let path = directory.join(FAULTS);
    let file = match files::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened.with_context(|| format!("can't read `{}`", path.display()))?,
    };
    let mut text = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut text)?;
    ensure!(text.len() as u64 <= BYTES_MAX, "`{}` is too long", path.display());
    let mut reader = csv::Reader::from_reader(&text[..]);
    let rows = reader.deserialize::<(u64, u64, u8, String, String)>();
    let lost = rows.map(|row| {
        let (block, number, seat, guest, reason) =
            row.with_context(|| format!("`{}` is damaged", path.display()))?;
        Ok(LostMatch { id: (block, number), seat, guest, reason })
    });
    let lost: Result<Vec<LostMatch>> = lost.collect();
    Ok(lost?.into_iter().filter(|it| it.id.0 < block).collect())
}
