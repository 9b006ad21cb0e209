//! The rows of a run as a file for other programs: those of `matches.csv`, with numbers as numbers.

use crate::core::watch::Watch;
use crate::lab::export::file::Output;
use crate::lab::export::kind::Kind;
use crate::lab::read::rows::Rows;
use crate::lab::report::schema::{MATCH_COLUMNS, SEAT_COLUMNS};
use crate::lab::run::caller::{Begun, Progress};
use anyhow::{Context, Result};
use csv::StringRecord;
use serde_json::{Map, Value};
use std::path::Path;

/// Lines that are written at once.
const AT_ONCE: usize = 1 << 16;

/// Writes the rows of a run to a file whose name says its form, and returns how many there are; nothing if it was
/// stopped.
///
/// # Errors
/// If the rows can't be read, or the file's name has another ending, is taken, or can't be written.
pub fn export(
    mut rows: Rows<'_>,
    file: &Path,
    watch: &Watch,
    progress: &mut dyn Progress,
) -> Result<Option<u64>> {
    progress.begin(&Begun::reading(rows.matches));
    let header = rows.header()?;
    let columns: Vec<(String, Kind)> =
        header.iter().map(|name| (name.to_owned(), kind(name))).collect();
    let mut output = Output::create(file, &columns)?;
    let (mut lines, mut count) = (String::new(), 0);
    let mut row = StringRecord::new();
    while rows.read(&mut row)? {
        let cells = columns.iter().zip(&row);
        let object: Option<Map<String, Value>> =
            cells.map(|((name, kind), text)| Some((name.clone(), cell(*kind, text)?))).collect();
        lines.push_str(&Value::Object(object.with_context(|| rows.damaged())?).to_string());
        lines.push('\n');
        count += 1;
        if lines.len() >= AT_ONCE {
            output.write(lines.as_bytes())?;
            lines.clear();
            progress.set(count, &|| None);
            if watch.is_stopped() {
                progress.end();
                return Ok(None);
            }
        }
    }
    output.write(lines.as_bytes())?;
    output.finish()?;
    progress.end();
    Ok(Some(count))
}

/// What a column of `matches.csv` holds, by its name.
fn kind(name: &str) -> Kind {
    let match_column = MATCH_COLUMNS.iter().find(|column| column.name == name);
    let seat_column = || SEAT_COLUMNS.iter().find(|column| name.starts_with(column.name));
    match match_column.or_else(seat_column).map(|column| column.kind) {
        Some("integer") => Kind::Whole,
        Some("number") => Kind::Number,
        _ => Kind::Text,
    }
}

/// A cell as a value, if it is one; an empty cell is null.
fn cell(kind: Kind, text: &str) -> Option<Value> {
    match kind {
        _ if text.is_empty() => Some(Value::Null),
        Kind::Whole => text.parse::<i64>().ok().map(Value::from),
        Kind::Number => {
            text.parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)
        }
        _ => Some(Value::from(text)),
    }
}
