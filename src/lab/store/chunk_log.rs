//! The sums of each chunk of a wave, one after the other. A part of a wave does not look at its data, so whoever
//! merges it needs what one machine would have looked at: the sums after every chunk.
//!
//! `chunks.bin` has for each chunk of the part its counters, as a list of postcard's format. It grows as rows do,
//! and `sums.bin` has its length and hash in their place: runs that may stop by themselves write no rows. The first
//! match of an anomaly needs no place in it, since the totals have the first of the part, and its block says whether
//! it was played before a stop.

use crate::lab::report::files;
use crate::lab::report::sums::{BadSums, Saved};
use crate::sim::batch::Totals;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The file's name.
pub const CHUNKS: &str = "chunks.bin";

/// The most bytes of a counter in postcard's format: seven bits each.
const COUNTER_MAX: u64 = 10;

/// The most bytes of some chunks of a number of counters each.
pub fn most(width: usize, chunks: u64) -> u64 {
    chunks.saturating_mul(COUNTER_MAX * (width as u64 + 1))
}

/// Takes apart totals that grow chunk by chunk.
#[derive(Debug)]
pub struct ByChunk {
    /// The sums of all chunks that have ended.
    before: Vec<u64>,
}

impl ByChunk {
    /// Behind these totals, whose chunk under way has not ended.
    pub fn behind(totals: &Totals) -> ByChunk {
        let mut before = sums(totals);
        if let Some(open) = &totals.open {
            for (before, open) in before.iter_mut().zip(&open.played.sums) {
                *before -= open;
            }
        }
        ByChunk { before }
    }

    /// The sums of the chunk that has just ended.
    pub fn next(&mut self, totals: &Totals) -> Vec<u64> {
        let all = sums(totals);
        let chunk = all.iter().zip(&self.before).map(|(all, before)| all - before).collect();
        self.before = all;
        chunk
    }
}

/// A chunk in the file.
pub fn bytes(sums: &[u64]) -> Vec<u8> {
    postcard::to_stdvec(sums).expect("writing to memory")
}

fn sums(totals: &Totals) -> Vec<u64> {
    (0..totals.grouped.width()).map(|counter| totals.grouped.sum(counter)).collect()
}

/// The chunks of a part, read one after the other.
pub struct Chunks<'a> {
    path: &'a Path,
    reader: BufReader<File>,
    scratch: Vec<u8>,
    /// What the chunks must add up to, less those that were read.
    rest: Vec<u64>,
}

impl<'a> Chunks<'a> {
    /// The chunks of a part, of which the whole file is checked first.
    ///
    /// # Errors
    /// If it can't be read, or is not what the part wrote.
    pub fn open(path: &'a Path, saved: &Saved) -> Result<Chunks<'a>, BadSums> {
        saved.rows.check_whole(path)?;
        let file = files::open(path).map_err(|error| BadSums::new(path, error.to_string()))?;
        let reader = BufReader::with_capacity(1 << 16, file);
        Ok(Chunks { path, reader, scratch: vec![0; 16], rest: sums(&saved.totals) })
    }

    /// The sums of the next chunk.
    ///
    /// # Errors
    /// If there is none, or the sums are not among those of the part.
    pub fn read(&mut self) -> Result<Vec<u64>, BadSums> {
        let bad = || BadSums::new(self.path, "holds other chunks than the part's sums");
        let read = postcard::from_io::<Vec<u64>, _>((&mut self.reader, &mut self.scratch));
        let (sums, _) = read.map_err(|_| bad())?;
        let fits = sums.len() == self.rest.len()
            && self.rest.iter().zip(&sums).all(|(rest, sum)| sum <= rest);
        if !fits {
            return Err(bad());
        }
        self.rest.iter_mut().zip(&sums).for_each(|(rest, sum)| *rest -= sum);
        Ok(sums)
    }

    /// Makes sure that all was read.
    ///
    /// # Errors
    /// If the chunks are not all of the part's sums.
    pub fn end(self) -> Result<(), BadSums> {
        if self.rest.iter().all(|&rest| rest == 0) {
            return Ok(());
        }
        Err(BadSums::new(self.path, "holds other chunks than the part's sums"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::report::sums::FileDigest;
    use std::fs;

    /// Sums of chunks of one block each, as a part saves them, and the bytes of its log.
    fn played(chunks: &[[u64; 2]]) -> (Saved, Vec<u8>) {
        let mut totals = Totals::new(2, 1, 0);
        let mut by_chunk = ByChunk::behind(&totals);
        let mut bytes = Vec::new();
        for sums in chunks {
            totals.grouped.add(totals.chunks.end, 1, sums);
            totals.chunks.end += 1;
            bytes.extend(super::bytes(&by_chunk.next(&totals)));
        }
        let rows = FileDigest::EMPTY.with(&bytes);
        (Saved { design: 1, totals, rows, digests: FileDigest::EMPTY }, bytes)
    }

    #[test]
    fn chunks_come_back_as_they_were() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(CHUNKS);
        let (saved, bytes) = played(&[[1, 300], [0, 0], [1 << 40, 5]]);
        assert!(bytes.len() as u64 <= most(2, 3));
        fs::write(&path, bytes).unwrap();
        let mut chunks = Chunks::open(&path, &saved).unwrap();
        let read: Vec<Vec<u64>> = (0..3).map(|_| chunks.read().unwrap()).collect();
        assert_eq!(read, [[1, 300], [0, 0], [1 << 40, 5]]);
        assert!(chunks.read().is_err(), "there are three");
        chunks.end().unwrap();
    }

    #[test]
    fn chunks_that_do_not_add_up_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(CHUNKS);
        let (saved, bytes) = played(&[[1, 300], [2, 2]]);
        let others: [&[[u64; 2]]; 4] =
            [&[[1, 301]], &[[3, 302]], &[[1, 300], [u64::MAX >> 1, 0]], &[[1, 300], [2, 1]]];
        for other in others {
            let (forged, bytes) = played(other);
            fs::write(&path, &bytes).unwrap();
            // Somebody made the length and the hash fit.
            let saved = Saved { rows: forged.rows, ..saved.clone() };
            let mut chunks = Chunks::open(&path, &saved).unwrap();
            let refused = (0..2).any(|_| chunks.read().is_err()) || chunks.end().is_err();
            assert!(refused, "{other:?}");
        }
        for damaged in [&bytes[..3], b"", &[&bytes[..], b"1"].concat()[..]] {
            fs::write(&path, damaged).unwrap();
            assert!(Chunks::open(&path, &saved).is_err());
        }
    }
}
