//! The rows of `matches.csv`, plain or compressed.

use crate::cli::RowForm;
use crate::report::schema::MATCH_COLUMNS;
use crate::report::schema::SEAT_COLUMNS;
use crate::report::table::number;
use crate::sim::batch::Row;
use crate::sim::measure::Measure;
use crate::types::seat::Seat;
use std::fs::File;
use std::io;
use std::io::BufWriter;
use std::io::Write;
use std::path::Path;
use zstd::stream::write::AutoFinishEncoder;
use zstd::stream::write::Encoder;

/// The file that rows go to.
pub enum RowFile {
    /// Text.
    Csv(BufWriter<File>),
    /// Compressed text.
    Zst(AutoFinishEncoder<'static, BufWriter<File>>),
}

impl RowFile {
    /// A new file with its header.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn create(path: &Path, form: RowForm, seats: u8) -> io::Result<RowFile> {
        let file = BufWriter::new(File::create(path)?);
        let mut rows = match form {
            RowForm::Csv => RowFile::Csv(file),
            RowForm::Zst => RowFile::Zst(Encoder::new(file, 3)?.auto_finish()),
        };
        let mut names: Vec<String> =
            MATCH_COLUMNS.iter().map(|column| column.name.to_owned()).collect();
        for seat in Seat::all(seats) {
            names.extend(SEAT_COLUMNS.iter().map(|column| format!("{}{seat}", column.name)));
        }
        rows.write_all(line(&names).as_slice())?;
        Ok(rows)
    }
}

impl Write for RowFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            RowFile::Csv(file) => file.write(bytes),
            RowFile::Zst(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            RowFile::Csv(file) => file.flush(),
            RowFile::Zst(file) => file.flush(),
        }
    }
}

/// Writes the row of a match.
pub fn write<G: Measure>(game: &G, names: &[String], row: &Row<'_, G>, out: &mut Vec<u8>) {
    let outcome = row.outcome;
    let mut cells = vec![
        row.block.to_string(),
        row.number.to_string(),
        format!("{:016x}", row.deal),
        outcome.map_or("agent_failure", |outcome| outcome.end.name()).to_owned(),
        outcome.and_then(|o| o.winner).map_or(String::new(), |seat| seat.to_string()),
        row.state.map_or(String::new(), |state| game.turn_number(state).to_string()),
    ];
    for seat in Seat::all(game.players()) {
        cells.push(names[row.seat_of[seat.idx()]].clone());
        let ranks = outcome.map(|o| f64::from(o.ranks_doubled()[seat.idx()]) / 2.0);
        cells.push(number(ranks));
        cells.push(outcome.map_or(String::new(), |o| o.points[seat.idx()].to_string()));
        cells.push(row.state.map_or(String::new(), |state| game.points_by_source(state, seat)));
    }
    out.extend_from_slice(&line(&cells));
}

fn line(cells: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells).expect("writing to memory");
    writer.into_inner().expect("writing to memory")
}
