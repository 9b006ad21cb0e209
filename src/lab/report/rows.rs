//! The rows of `matches.csv`, plain or compressed.

use crate::core::types::seat::Seat;
use crate::lab::report::files::{self, sync_directory};
use crate::lab::report::manifest::{Manifest, RowForm};
use crate::lab::report::schema::{MATCH_COLUMNS, POINTS_OF, SEAT_COLUMNS};
use crate::lab::report::sums::FileDigest;
use crate::lab::report::table::cell;
use crate::sim::simulation::{MatchRow, MatchRowEnd};
use crate::words::cells::Cells;
use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek};
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

/// The header for a number of seats, and what a game's points come from.
pub fn header(seats: u8, sources: &[&str]) -> Vec<u8> {
    let mut names: Vec<String> =
        MATCH_COLUMNS.iter().map(|column| column.name.to_owned()).collect();
    for seat in Seat::all(seats) {
        names.extend(SEAT_COLUMNS.iter().map(|column| format!("{}{seat}", column.name)));
        names.extend(sources.iter().map(|source| format!("{POINTS_OF}{source}_{seat}")));
    }
    line(&names)
}

/// The most bytes of a header.
const HEADER_MAX: u64 = 4096;
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
    // A name in quotes has every quote twice; one that looks like a formula has an apostrophe.
    let seat = SEAT_MAX + 2 * names.max().unwrap_or(0) + 3;
    let row = ROW_MAX + u64::from(manifest.players) * seat;
    let rows = blocks.saturating_mul(manifest.plan.matches_of_a_block.len() as u64);
    rows.saturating_mul(row).saturating_add(HEADER_MAX)
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

/// Restores the plain file, which had at least this number of bytes; no more than that is unpacked.
///
/// # Errors
/// If the compressed file is damaged or missing.
pub fn unpack(directory: &Path, bytes: u64) -> io::Result<()> {
    let packed = Decoder::new(files::open(&directory.join(PACKED))?)?;
    let mut plain = BufWriter::new(files::create(&directory.join(ROWS))?);
    io::copy(&mut packed.take(bytes), &mut plain)?;
    let plain = plain.into_inner().map_err(io::IntoInnerError::into_error)?;
    plain.sync_all()
}

/// Agents' names as cells of a row, in quotes where they need them.
pub fn labels(names: &[String]) -> Vec<Vec<u8>> {
    let quoted = |name: &String| {
        let mut cells = line(&[cell(name).into_owned(), String::new()]);
        cells.truncate(cells.len() - ",\n".len());
        cells
    };
    names.iter().map(quoted).collect()
}

/// Writes the row of a match of a game whose points come from a number of sources. Agents' labels aside, no cell can
/// need quotes.
pub fn write(labels: &[Vec<u8>], sources: usize, row: &MatchRow<'_>, out: &mut Vec<u8>) {
    let mut cells = Cells::new(out);
    cells.number(row.block).text(b",").number(row.number).text(b",").hex(row.deal);
    let Some(MatchRowEnd { outcome, turns, by_source }) = &row.end else {
        cells.text(b",agent_failure,,");
        for &agent in row.seat_of {
            cells.text(b",").text(&labels[agent]).text(b",,");
            for _ in 0..sources {
                cells.text(b",");
            }
        }
        cells.text(b"\n");
        return;
    };
    cells.text(b",").text(outcome.end.name().as_bytes()).text(b",");
    if let Some(winner) = outcome.winner {
        cells.number(winner.number().into());
    }
    cells.text(b",").number((*turns).into());
    let ranks = outcome.ranks_doubled();
    for (seat, &agent) in row.seat_of.iter().enumerate() {
        cells.text(b",").text(&labels[agent]).text(b",").half(ranks[seat]);
        cells.text(b",").number(outcome.points[seat].into());
        for &points in &by_source[seat] {
            cells.text(b",").number(points.into());
        }
    }
    cells.text(b"\n");
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

/// The rows of a run, which end a byte past `most`: a small file may unpack to any size.
///
/// # Errors
/// If they can't be opened.
pub fn open(path: &Path, form: RowForm, most: u64) -> Result<impl Read + use<>> {
    let place = path.join(rows_name(form));
    let unreadable = || format!("can't read `{}`", place.display());
    let file = files::open(&place).with_context(unreadable)?;
    plain(file, form, most).with_context(unreadable)
}

/// The same of a run that has ended, whose manifest says what they are: all of them are compared with it first.
///
/// # Errors
/// If they can't be read, or are not what the run wrote.
pub fn open_listed(path: &Path, form: RowForm, manifest: &Manifest) -> Result<impl Read + use<>> {
    let place = path.join(rows_name(form));
    let unreadable = || format!("can't read `{}`", place.display());
    let mut file = files::open(&place).with_context(unreadable)?;
    let listed = manifest.files.iter().find(|file| file.name == rows_name(form));
    let bytes = file.metadata().with_context(unreadable)?.len();
    let same = match listed.filter(|listed| listed.bytes == bytes) {
        None => false,
        Some(listed) => {
            let found = FileDigest::read(&mut (&file).take(bytes)).with_context(unreadable)?;
            found.bytes == bytes && format!("{:016x}", found.hash) == listed.hash
        }
    };
    ensure!(same, "{}", damaged(path, form));
    file.rewind().with_context(unreadable)?;
    let most = most(Some(form), manifest, manifest.plan.blocks);
    plain(file, form, most).with_context(unreadable)
}

fn plain(file: File, form: RowForm, most: u64) -> io::Result<impl Read + use<>> {
    let bytes: Box<dyn Read> = match form {
        RowForm::Csv => Box::new(file),
        RowForm::Zst => Box::new(zstd::Decoder::new(file)?),
    };
    Ok(bytes.take(most.saturating_add(1)))
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
) -> Result<FileDigest> {
    let place = path.join(rows_name(form));
    let unreadable = || format!("can't read `{}`", place.display());
    let mut bytes = open(path, form, most)?;
    let mut read = FileDigest::EMPTY;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::game::{End, Outcome};
    use crate::core::measure::Sources;

    /// The cells of a row, as a reader of CSV finds them.
    fn cells(row: &[u8]) -> Vec<String> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(row);
        let rows: Vec<Vec<String>> = reader.deserialize().map(|row| row.unwrap()).collect();
        assert_eq!(rows.len(), 1);
        rows.into_iter().next().unwrap()
    }

    const SOURCES: [&str; 2] = ["cities", "army"];
    const NAMES: [&str; 3] = ["builder", "a \"quoted\" name, with a comma", "two\nlines"];

    fn written(end: Option<MatchRowEnd>) -> Vec<u8> {
        let labels = labels(&NAMES.map(str::to_owned));
        let mut row = b"before".to_vec();
        let seat_of = &[2, 0, 1];
        let match_row = MatchRow { block: 12, number: 3, deal: 0xab, seat_of, end };
        write(&labels, SOURCES.len(), &match_row, &mut row);
        assert_eq!(&row[..6], b"before", "a row is added to what is there");
        row.split_off(6)
    }

    #[test]
    fn a_row_reads_back_with_any_names() {
        let outcome = Outcome {
            winner: Some(Seat::FIRST),
            points: [7, 4, 4, 0, 0, 0],
            seats: 3,
            end: End::Won,
        };
        let sources = |points| Sources::from_iter([points, 0]);
        let by_source = [7, 4, 4].into_iter().map(sources).collect();
        let row = written(Some(MatchRowEnd { outcome, turns: 231, by_source }));
        let due = [
            ["12", "3", "00000000000000ab", "won", "1", "231"].as_slice(),
            &[NAMES[2], "1", "7", "7", "0"],
            &[NAMES[0], "2.5", "4", "4", "0"],
            &[NAMES[1], "2.5", "4", "4", "0"],
        ];
        assert_eq!(cells(&row), due.concat());
        let names = cells(&header(3, &SOURCES));
        assert_eq!(names.len(), due.concat().len());
        assert_eq!(
            &names[6..11],
            ["agent_1", "rank_1", "points_1", "points_cities_1", "points_army_1"]
        );
    }

    #[test]
    fn a_match_without_a_result_has_empty_cells() {
        let due = [
            ["12", "3", "00000000000000ab", "agent_failure", "", ""].as_slice(),
            &[NAMES[2], "", "", "", "", NAMES[0], "", "", "", "", NAMES[1], "", "", "", ""],
        ];
        assert_eq!(cells(&written(None)), due.concat());
    }

    #[test]
    fn only_names_that_need_quotes_get_them() {
        let [plain, quoted, lines] = NAMES.map(|name| labels(&[name.to_owned()]).remove(0));
        assert_eq!(plain, b"builder");
        assert_eq!(quoted, br#""a ""quoted"" name, with a comma""#);
        assert_eq!(lines, b"\"two\nlines\"");
    }
}
