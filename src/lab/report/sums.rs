//! The exact sums of a run on disk: tables are made from them, and a run is resumed from them. The file is
//! replaced as a whole, so that it always holds the state between two chunks.
//!
//! `sums.bin` is a zstd frame with a checksum of its content, which is one value in postcard's format: a mark,
//! the design's name, how far rows and digests have grown, and the [`Totals`], whose sums are a list of bytes
//! ([`packed`](crate::stats::packed)).

use crate::lab::report::files::{self, replace};
use crate::lab::report::hash::{FNV_START, fnv};
use crate::sim::batch::{Open, Totals};
use crate::sim::experiment::ANOMALIES_MAX;
use crate::sim::looks::{self, LOOKED_WIDTH_MAX};
use crate::stats::jackknife::{GROUPS, WIDTH_MAX};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};
use zstd::stream::write::Encoder;

/// The file's name.
pub const SUMS: &str = "sums.bin";
/// The file with a digest of each chunk, four bytes each.
pub const DIGESTS: &str = "digests.bin";

/// What is said of sums that a file may not hold.
const TOO_LARGE: &str = "its sums are above 2^62, the most that can be read again: it has too many matches. \
                         A run of fewer can be played, or several with other seeds";
const MARK: [u8; 8] = *b"fairsum6";
/// The most bytes of an integer in postcard's format: seven bits each.
const INTEGER_MAX: usize = 10;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// Bytes.
    pub bytes: u64,
    /// Their FNV-1a hash.
    pub hash: u64,
}

impl FileDigest {
    /// An empty file.
    pub const EMPTY: FileDigest = FileDigest { bytes: 0, hash: FNV_START };

    /// The same after more bytes.
    pub fn with(self, bytes: &[u8]) -> FileDigest {
        FileDigest { bytes: self.bytes + bytes.len() as u64, hash: fnv(self.hash, bytes) }
    }

    /// A whole file.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn of(path: &Path) -> io::Result<FileDigest> {
        FileDigest::read(&mut files::open(path)?)
    }

    /// All that a reader gives.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn read(bytes: &mut impl Read) -> io::Result<FileDigest> {
        let (mut grown, mut buffer) = (FileDigest::EMPTY, vec![0; 1 << 16]);
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
        if long && FileDigest::read(&mut file.take(self.bytes)).map_err(bad)? == self {
            return Ok(());
        }
        Err(BadSums::new(path, "is damaged: it does not hold what the run wrote"))
    }

    /// The same for a file that must not have grown since.
    ///
    /// # Errors
    /// If it is shorter or longer, or its bytes differ.
    pub fn check_whole(self, path: &Path) -> Result<(), BadSums> {
        let found = files::found(path).map_err(|error| BadSums::new(path, error.to_string()))?;
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
    pub rows: FileDigest,
    /// [`DIGESTS`].
    pub digests: FileDigest,
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
    /// Whether looks are kept.
    pub looks: bool,
}

impl Shape {
    /// Whether sums of this shape are kept in memory. Those of every command are a small part of it; a
    /// forged manifest may ask for anything.
    pub fn is_bearable(self) -> bool {
        self.width <= if self.looks { LOOKED_WIDTH_MAX } else { WIDTH_MAX }
    }

    /// The most bytes that sums of this shape have when they are unpacked.
    fn bytes_max(self) -> usize {
        let looked_width = self.width.min(LOOKED_WIDTH_MAX);
        let looks = if self.looks { looks::MOST * (looked_width + 3) } else { 0 };
        let integers = 32 + GROUPS + 6 * self.anomalies + (GROUPS + 1) * self.width + looks;
        MARK.len() + INTEGER_MAX * integers
    }

    fn fits(self, totals: &Totals) -> bool {
        let open = totals.open.as_ref().map(|open| &open.played);
        totals.grouped.width() == self.width
            && totals.firsts.len() == self.anomalies
            && totals.looks.is_some() == self.looks
            && open.is_none_or(|played| {
                played.sums.len() == self.width && played.firsts.len() == self.anomalies
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
        Saved::read_if(directory, shape.design, shape.bytes_max(), |totals| shape.fits(totals))
    }

    /// The same for somebody who does not know the counters, and only asks how far it is.
    ///
    /// # Errors
    /// If they are damaged or belong to something else.
    pub fn read_any(directory: &Path, design: u64) -> Result<Option<Saved>, BadSums> {
        let most = Shape { design, width: WIDTH_MAX, anomalies: ANOMALIES_MAX, looks: true };
        Saved::read_if(directory, design, most.bytes_max(), |_| true)
    }

    fn read_if(
        directory: &Path,
        design: u64,
        most: usize,
        fits: impl Fn(&Totals) -> bool,
    ) -> Result<Option<Saved>, BadSums> {
        let path = directory.join(SUMS);
        let bad = |reason: String| BadSums::new(&path, reason);
        let file = match files::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(bad(error.to_string())),
        };
        let bytes = unpacked(file, most as u64).map_err(bad)?;
        parse(&bytes, design, fits).map(Some).map_err(|reason| bad(reason.to_owned()))
    }
}

/// Saves sums, and how far rows and digests have grown, as [`Saved::write`] does.
///
/// # Errors
/// If they can't be written, or are more than can be read again; an earlier file is then untouched.
pub fn write(
    directory: &Path,
    design: u64,
    totals: &Totals,
    grown: [FileDigest; 2],
) -> io::Result<()> {
    if totals.grouped.are_too_large() {
        return Err(io::Error::other(TOO_LARGE));
    }
    replace(&directory.join(SUMS), &packed(design, totals, grown)?)
}

/// The bytes of a file.
fn packed(design: u64, totals: &Totals, [rows, digests]: [FileDigest; 2]) -> io::Result<Vec<u8>> {
    // Sums are packed as they are encoded: they are large, and a copy of them would be, too.
    let mut packed = Encoder::new(Vec::new(), 1)?;
    packed.include_checksum(true)?;
    let content = (MARK, design, rows, digests, totals);
    let out = postcard::to_io(&content, BufWriter::new(packed)).map_err(io::Error::other)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}

/// The content of a file, which zstd compares with its checksum; never more than `most` bytes.
fn unpacked(file: File, most: u64) -> Result<Vec<u8>, String> {
    let damaged = |error: io::Error| format!("is damaged: it can't be unpacked ({error})");
    let packed = file.metadata().map_err(damaged)?.len();
    if packed > files::packed_most(most) {
        return Err(format!("is damaged: {packed} bytes are more than its sums can have"));
    }
    let mut bytes = Vec::new();
    let content = zstd::Decoder::new(file).map_err(damaged)?;
    content.take(most + 1).read_to_end(&mut bytes).map_err(damaged)?;
    if bytes.len() as u64 > most {
        return Err(format!("is damaged: it holds more than the {most} bytes of this run's sums"));
    }
    Ok(bytes)
}

/// Reads the content; its checksum was right, but the file may still belong to another run or be forged.
fn parse(content: &[u8], due: u64, fits: impl Fn(&Totals) -> bool) -> Result<Saved, &'static str> {
    const IMPOSSIBLE: &str = "holds what no run saves";
    let head = postcard::take_from_bytes::<([u8; 8], u64)>(content);
    let Ok(((MARK, design), content)) = head else {
        return Err("holds no sums of this program");
    };
    if design != due {
        return Err("belongs to another run, or to another build of the program");
    }
    let read = postcard::take_from_bytes::<(FileDigest, FileDigest, Totals)>(content);
    let ((rows, digests, totals), rest) = read.map_err(|_| IMPOSSIBLE)?;
    if !rest.is_empty() || !fits(&totals) {
        return Err("holds other counters than this run has");
    }
    if totals.chunks.start > totals.chunks.end {
        return Err("ends before it begins");
    }
    let looks = totals.chunks.end - totals.chunks.start;
    if totals.looks.as_ref().is_some_and(|kept| !kept.fit(looks, &totals.grouped)) {
        return Err("holds looks that the run did not have");
    }
    if let Some(Open { blocks, played }) = &totals.open {
        let known = played.sums.len() == totals.grouped.width();
        let mut counters = played.sums.iter().enumerate().take_while(|_| known);
        if *blocks == 0 {
            return Err("holds a chunk in progress without blocks");
        }
        if counters.any(|(counter, &open)| open > totals.grouped.sum(counter)) {
            return Err("holds more of a chunk than of all");
        }
    }
    Ok(Saved { design, totals, rows, digests })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::experiment::BlockSums;
    use crate::stats::jackknife::Grouped;
    use std::fs;

    const SHAPE: Shape = Shape { design: 77, width: 3, anomalies: 2, looks: false };

    fn saved() -> Saved {
        let mut totals = Totals::new(3, 2, 5);
        totals.grouped.add(5, 10, &[1, 2, 3]);
        totals.grouped.add(6, 4, &[4, 5, 6]);
        totals.chunks.end = 7;
        totals.firsts[1] = Some((60, 2));
        let digests = FileDigest::EMPTY.with(b"12345678");
        Saved { design: 77, totals, rows: FileDigest::EMPTY, digests }
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
            let played = BlockSums { sums: open.to_vec(), firsts: vec![None; 2], rows: Vec::new() };
            forged.totals.open = Some(Open { blocks: 1, played });
            let written = forged.write(place.path());
            assert_eq!(written.is_err(), forged.totals.grouped.are_too_large());
            if let Err(error) = written {
                assert!(error.to_string().contains("too many matches"), "{error}");
                let grown = [forged.rows, forged.digests];
                let bytes = packed(forged.design, &forged.totals, grown).unwrap();
                fs::write(place.path().join(SUMS), bytes).unwrap();
            }
            Saved::read(place.path(), SHAPE).map(|read| read == Some(forged))
        };
        assert!(with([1 << 61, 0, 1 << 61], [1, 0, 1]).unwrap());
        for sums in [[1 << 62, 0, 1], [u64::MAX, 0, 0], [1 << 63, 1 << 63, 0]] {
            let error = with(sums, [0; 3]).unwrap_err().to_string();
            assert!(error.contains("what no run saves"), "{error}");
        }
        let error = with([9, 9, 9], [0, 10, 0]).unwrap_err().to_string();
        assert!(error.contains("more of a chunk than of all"), "{error}");
    }

    #[test]
    fn files_that_promise_more_than_they_may_hold_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let refused = |content: &[u8], part: &str| {
            let packed = zstd::encode_all(content, 1).unwrap();
            fs::write(place.path().join(SUMS), packed).unwrap();
            let error = Saved::read(place.path(), SHAPE).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        let head = (MARK, SHAPE.design, FileDigest::EMPTY, FileDigest::EMPTY, 5_u64, 7_u64);
        let head = postcard::to_stdvec(&head).unwrap();
        // A list of 2^60 sums, of which three are there.
        refused(
            &[&head[..], &postcard::to_stdvec(&(1_u64 << 60, [1; 3])).unwrap()].concat(),
            "no run",
        );
        refused(&[&head[..], &vec![0; 10 << 20]].concat(), "holds more than");
        // A run of more zeros than any run has sums, in six bytes.
        let many = postcard::to_stdvec(&[0, 0xff, 0xff, 0xff, 0xff, 0x7f].as_slice()).unwrap();
        let packed = zstd::encode_all(&[&head[..], &many].concat()[..], 1).unwrap();
        fs::write(place.path().join(SUMS), packed).unwrap();
        let error = Saved::read_any(place.path(), SHAPE.design).unwrap_err().to_string();
        assert!(error.contains("no run"), "{error}");
        refused(&[], "no sums of this program");
        refused(b"fairsum4", "no sums of this program");
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
        let grown = FileDigest::EMPTY.with(b"ab").with(b"cd");
        for (bytes, fits) in [("abcd", true), ("abcdef", true), ("abc", false), ("abxd", false)] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(grown.check(&path).is_ok(), fits, "{bytes}");
        }
    }
}
