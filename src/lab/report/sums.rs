//! The exact sums of a run on disk: tables are made from them, and a run is resumed from them. The file is
//! replaced as a whole, so that it always holds the state between two chunks.
//!
//! `sums.bin` is a zstd frame of little-endian 64-bit words: a mark, the design's name, first and next
//! chunk, the length and FNV-1a state of each file that grows (rows, digests), blocks by group, the first
//! match of each anomaly (two words, all ones where there is none), sums by group, then of the chunk under
//! way how many of its blocks were played, its firsts and its sums, and at the end FNV-1a of all bytes before.

use crate::lab::report::files::{self, replace};
use crate::lab::report::manifest::{FNV_START, fnv};
use crate::sim::batch::{Open, Totals};
use crate::sim::experiment::{MatchId, Part};
use crate::stats::jackknife::{GROUPS, Grouped};
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use zstd::stream::write::Encoder;

/// The file's name.
pub const SUMS: &str = "sums.bin";
/// The file with a digest of each chunk, four bytes each.
pub const DIGESTS: &str = "digests.bin";

const MARK: u64 = u64::from_le_bytes(*b"fairsum3");
const WORD: usize = 8;
const NONE: u64 = u64::MAX;
/// The most counters: 128 MiB of sums.
const WIDTH_MAX: usize = 1 << 18;

/// Sums that can't be used.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {reason}", path.display())]
pub struct BadSums {
    path: PathBuf,
    reason: String,
}

impl BadSums {
    /// A complaint about a file.
    pub fn new(path: &Path, reason: impl Into<String>) -> BadSums {
        BadSums { path: path.to_owned(), reason: reason.into() }
    }
}

/// The length and hash of a file at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grown {
    /// Bytes.
    pub bytes: u64,
    /// Their FNV-1a hash.
    pub hash: u64,
}

impl Grown {
    /// An empty file.
    pub const EMPTY: Grown = Grown { bytes: 0, hash: FNV_START };

    /// The same after more bytes.
    pub fn with(self, bytes: &[u8]) -> Grown {
        Grown { bytes: self.bytes + bytes.len() as u64, hash: fnv(self.hash, bytes) }
    }

    /// A whole file.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn of(path: &Path) -> io::Result<Grown> {
        Grown::read(&mut files::open(path)?)
    }

    fn read(bytes: &mut impl Read) -> io::Result<Grown> {
        let (mut grown, mut buffer) = (Grown::EMPTY, vec![0; 1 << 16]);
        loop {
            let read = bytes.read(&mut buffer)?;
            if read == 0 {
                return Ok(grown);
            }
            grown = grown.with(&buffer[..read]);
        }
    }

    /// Reads the file again up to here, and says whether it is what it was; it may have grown since.
    ///
    /// # Errors
    /// If it is shorter or its bytes differ.
    pub fn check(self, path: &Path) -> Result<(), BadSums> {
        let bad = |error: io::Error| BadSums::new(path, error.to_string());
        let file = files::open(path).map_err(bad)?;
        let long = file.metadata().map_err(bad)?.len() >= self.bytes;
        if long && Grown::read(&mut file.take(self.bytes)).map_err(bad)? == self {
            return Ok(());
        }
        Err(BadSums::new(path, "is damaged: it does not hold what the run wrote"))
    }

    /// The same for a file that must not have grown since.
    ///
    /// # Errors
    /// If it is shorter or longer, or its bytes differ.
    pub fn check_whole(self, path: &Path) -> Result<(), BadSums> {
        let found = fs::metadata(path).map_err(|error| BadSums::new(path, error.to_string()))?;
        if found.len() > self.bytes {
            return Err(BadSums::new(path, "is damaged: it is longer than what the run wrote"));
        }
        self.check(path)
    }
}

/// What a run has written up to a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The design that it belongs to.
    pub design: u64,
    /// What was played.
    pub totals: Totals,
    /// `matches.csv`, while it is plain.
    pub rows: Grown,
    /// [`DIGESTS`].
    pub digests: Grown,
}

/// The shape that sums must have to fit an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The design's name.
    pub design: u64,
    /// Counters.
    pub width: usize,
    /// Kinds of anomalies.
    pub anomalies: usize,
}

impl Shape {
    /// Whether sums of this shape are kept in memory. Those of every command are a small part of it; a
    /// forged manifest may ask for anything.
    pub fn is_bearable(self) -> bool {
        self.width <= WIDTH_MAX
    }

    fn words(self) -> usize {
        let part = 2 * self.anomalies + self.width;
        8 + GROUPS + 2 * self.anomalies + GROUPS * self.width + 1 + part + 1
    }
}

/// Words on their way to the disk. They are hashed and packed as they come: sums are large, and a copy of them
/// for each step would be, too.
struct Words<W: Write> {
    out: W,
    hash: u64,
}

impl<W: Write> Words<W> {
    fn put(&mut self, words: &[u64]) -> io::Result<()> {
        for word in words {
            let bytes = word.to_le_bytes();
            self.hash = fnv(self.hash, &bytes);
            self.out.write_all(&bytes)?;
        }
        Ok(())
    }

    fn put_firsts(&mut self, firsts: &[Option<MatchId>]) -> io::Result<()> {
        firsts.iter().try_for_each(|first| {
            let (block, number) = first.unwrap_or((NONE, NONE));
            self.put(&[block, number])
        })
    }
}

impl Saved {
    /// Saves the sums in a directory: under another name first, flushed to disk, then renamed.
    ///
    /// # Errors
    /// If they can't be written; an earlier file is then untouched.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        write(directory, self.design, &self.totals, [self.rows, self.digests])
    }

    /// The sums of a directory; `None` if none were saved yet.
    ///
    /// # Errors
    /// If they are damaged or belong to something else.
    pub fn read(directory: &Path, shape: Shape) -> Result<Option<Saved>, BadSums> {
        let path = directory.join(SUMS);
        let bad = |reason: String| BadSums::new(&path, reason);
        let file = match files::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(bad(error.to_string())),
        };
        let size = shape.words() * WORD;
        let mut bytes = Vec::new();
        let damaged = || bad("is damaged: it can't be unpacked".to_owned());
        let packed = file.metadata().map_err(|_| damaged())?.len();
        if packed > files::packed_most(size as u64) {
            return Err(bad(format!("is damaged: {packed} bytes are more than its sums can have")));
        }
        let unpacked = zstd::Decoder::new(file).map_err(|_| damaged())?;
        unpacked.take(size as u64 + 1).read_to_end(&mut bytes).map_err(|_| damaged())?;
        if bytes.len() != size {
            return Err(bad(format!("holds {} bytes, not the {size} of this run", bytes.len())));
        }
        let (body, hash) = bytes.split_at(size - WORD);
        if fnv(FNV_START, body).to_le_bytes() != hash {
            return Err(bad("is damaged: its check sum does not fit".to_owned()));
        }
        let saved = parse(body, shape).map_err(bad)?;
        Ok(Some(saved))
    }
}

/// Saves sums, and how far rows and digests have grown, as [`Saved::write`] does.
///
/// # Errors
/// If they can't be written; an earlier file is then untouched.
pub fn write(
    directory: &Path,
    design: u64,
    totals: &Totals,
    [rows, digests]: [Grown; 2],
) -> io::Result<()> {
    let packed = Encoder::new(Vec::new(), 1)?;
    let mut words = Words { out: BufWriter::new(packed), hash: FNV_START };
    words.put(&[MARK, design, totals.chunks.start, totals.chunks.end])?;
    words.put(&[rows.bytes, rows.hash, digests.bytes, digests.hash])?;
    words.put(totals.grouped.blocks_by_group())?;
    words.put_firsts(&totals.firsts)?;
    for group in 0..GROUPS {
        words.put(totals.grouped.group(group))?;
    }
    let none = Open { blocks: 0, part: Part::new(totals.grouped.width(), totals.firsts.len()) };
    let Open { blocks, part } = totals.open.as_ref().unwrap_or(&none);
    words.put(&[*blocks])?;
    words.put_firsts(&part.firsts)?;
    words.put(&part.sums)?;
    words.put(&[words.hash])?;
    let packed = words.out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
    replace(&directory.join(SUMS), &packed)
}

/// Parses the words; the checksum was right, but the file may still belong to another run or be forged.
fn parse(body: &[u8], shape: Shape) -> Result<Saved, String> {
    let (words, _) = body.as_chunks::<WORD>();
    let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
    let mut next = || words.next().unwrap_or_default();
    if next() != MARK {
        return Err("holds no sums of this program".to_owned());
    }
    let design = next();
    if design != shape.design {
        return Err("belongs to another run, or to another build of the program".to_owned());
    }
    let chunks = next()..next();
    let rows = Grown { bytes: next(), hash: next() };
    let digests = Grown { bytes: next(), hash: next() };
    let blocks = (0..GROUPS).map(|_| next()).collect();
    let firsts_of = |next: &mut dyn FnMut() -> u64| -> Vec<Option<MatchId>> {
        let first = |pair: (u64, u64)| (pair != (NONE, NONE)).then_some(pair);
        (0..shape.anomalies).map(|_| first((next(), next()))).collect()
    };
    let firsts = firsts_of(&mut next);
    let sums = (0..GROUPS * shape.width).map(|_| next()).collect();
    let grouped = Grouped::from_parts(shape.width, sums, blocks);
    let grouped = grouped.ok_or("holds sums that are too large")?;
    if chunks.start > chunks.end {
        return Err("ends before it begins".to_owned());
    }
    let (blocks, open_firsts) = (next(), firsts_of(&mut next));
    let part = Part {
        sums: (0..shape.width).map(|_| next()).collect(),
        firsts: open_firsts,
        rows: Vec::new(),
    };
    let mut counters = part.sums.iter().enumerate();
    if counters.any(|(counter, &open)| open > grouped.sum(counter)) {
        return Err("holds more of a chunk than of all".to_owned());
    }
    let open = (blocks > 0).then_some(Open { blocks, part });
    Ok(Saved { design, totals: Totals { chunks, grouped, firsts, open }, rows, digests })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { design: 77, width: 3, anomalies: 2 };

    fn saved() -> Saved {
        let mut totals = Totals::new(3, 2, 5);
        totals.grouped.add(5, 10, &[1, 2, 3]);
        totals.grouped.add(6, 4, &[4, 5, 6]);
        totals.chunks.end = 7;
        totals.firsts[1] = Some((60, 2));
        let digests = Grown::EMPTY.with(b"12345678");
        Saved { design: 77, totals, rows: Grown::EMPTY, digests }
    }

    #[test]
    fn sums_come_back_as_they_were() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(Saved::read(place.path(), SHAPE).unwrap(), None);
        saved().write(place.path()).unwrap();
        assert_eq!(Saved::read(place.path(), SHAPE).unwrap(), Some(saved()));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        let place = tempfile::tempdir().unwrap();
        saved().write(place.path()).unwrap();
        let said = |shape| Saved::read(place.path(), shape).unwrap_err().to_string();
        assert!(said(Shape { design: 78, ..SHAPE }).contains("another run"));
        assert!(said(Shape { width: 2, ..SHAPE }).contains("sums.bin"));
    }

    #[test]
    fn sums_that_could_overflow_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let with = |sums: [u64; 3], open: [u64; 3]| {
            let mut forged = saved();
            forged.totals.grouped = Grouped::new(3);
            forged.totals.grouped.add(5, 10, &sums);
            let part = Part { sums: open.to_vec(), firsts: vec![None; 2], rows: Vec::new() };
            forged.totals.open = Some(Open { blocks: 1, part });
            forged.write(place.path()).unwrap();
            Saved::read(place.path(), SHAPE).map(|read| read == Some(forged))
        };
        assert!(with([1 << 61, 0, 1 << 61], [1, 0, 1]).unwrap());
        for sums in [[1 << 62, 0, 1], [u64::MAX, 0, 0], [1 << 63, 1 << 63, 0]] {
            let error = with(sums, [0; 3]).unwrap_err().to_string();
            assert!(error.contains("too large"), "{error}");
        }
        let error = with([9, 9, 9], [0, 10, 0]).unwrap_err().to_string();
        assert!(error.contains("more of a chunk than of all"), "{error}");
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let place = tempfile::tempdir().unwrap();
        saved().write(place.path()).unwrap();
        let path = place.path().join(SUMS);
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x10;
            fs::write(&path, &other).unwrap();
            // A frame's header has bits without a meaning; with those changed the sums are what they were.
            if let Ok(read) = Saved::read(place.path(), SHAPE) {
                assert_eq!(read, Some(saved()), "byte {at}");
            }
        }
        for length in [0, 1, 4, bytes.len() / 2, bytes.len() - 1] {
            fs::write(&path, &bytes[..length]).unwrap();
            assert!(Saved::read(place.path(), SHAPE).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_grown_file_is_checked_up_to_where_it_was() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("rows");
        let grown = Grown::EMPTY.with(b"ab").with(b"cd");
        for (bytes, fits) in [("abcd", true), ("abcdef", true), ("abc", false), ("abxd", false)] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(grown.check(&path).is_ok(), fits, "{bytes}");
        }
    }
}
