//! The log of a search: what came of each chunk of each stage, in the order in which they were played. A search that
//! is resumed, analyzed or verified gets its stages from here.
//!
//! `stages.jsonl` has a line of JSON for each chunk: the stage's name (a hash of what was asked for), the chunk's
//! number in the stage, its blocks and its sums. Each line ends with a hash of itself and of all lines before it,
//! from the name of the run's design on; so a line that was altered, moved or taken from another run is noticed.
//! It is not tamper-proof. A last line without its end was torn off when the process was
//! killed, and is cut off when the search is resumed; so is all behind a zero, which no line holds: a power cut leaves
//! zeros where the file had grown and what it grew by was not on the disk. `resume` says so, and refuses a log that has
//! fewer blocks than the manifest counts.

use crate::lab::report::files;
use crate::lab::report::hash::fnv;
use crate::lab::report::manifest::Manifest;
use crate::lab::report::sums::FileDigest;
use crate::lab::store::append_log::AppendLog;
use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The file's name.
pub const STAGES: &str = "stages.jsonl";

/// The name of the log of a part of a wave: its own chunks, behind those of [`STAGES`].
pub const WAVE: &str = "wave.jsonl";

/// The chunk that comes next, and what its sums may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedChunk {
    /// The stage's name.
    pub stage: u64,
    /// The chunk in the stage, from 0.
    pub chunk: u64,
    pub blocks: u64,
    /// The counters.
    pub width: usize,
}

/// A line without its hash.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    stage: String,
    chunk: u64,
    blocks: u64,
    sums: Vec<u64>,
    /// Empty while it is computed.
    hash: String,
}

impl Line {
    fn new(due: ExpectedChunk, sums: &[u64]) -> Line {
        let ExpectedChunk { stage, chunk, blocks, .. } = due;
        let stage = format!("{stage:016x}");
        Line { stage, chunk, blocks, sums: sums.to_vec(), hash: String::new() }
    }

    /// The state of the hash behind this line.
    fn hash(&self, before: u64) -> u64 {
        let text = serde_json::to_string(self).expect("a line is JSON");
        fnv(fnv(before, &before.to_le_bytes()), text.as_bytes())
    }
}

/// The most bytes of any line.
const LINE_MAX: u64 = 1 << 20;

/// The most bytes of a line with a number of counters: 20 digits and a comma each.
fn line_max(width: usize) -> u64 {
    256 + 21 * width as u64
}

/// Whether a line is not on the disk as it was written.
fn is_torn(line: &[u8]) -> bool {
    line.last() != Some(&b'\n') || line.contains(&0)
}

/// The log of a search that grows: that of a part of a wave is its own.
pub fn growing(manifest: &Manifest) -> &'static str {
    if manifest.plan.wave.is_some() { WAVE } else { STAGES }
}

/// What the log of a directory holds, which may have a torn end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// Blocks of all lines before it.
    pub blocks: u64,
    /// Bytes of the torn end, if zeros are in it: there may be whole lines behind them.
    pub with_zeros: u64,
}

/// What the log of a directory holds; nothing if there is none.
///
/// # Errors
/// If it can't be read, or holds something else.
pub fn kept(directory: &Path, name: &str) -> Result<Kept> {
    #[derive(Deserialize)]
    struct Blocks {
        blocks: u64,
    }
    let path = directory.join(name);
    let bad = || format!("`{}` is damaged", path.display());
    let mut reader = match files::open(&path) {
        Ok(file) => BufReader::new(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
        Err(error) => {
            return Err(error).with_context(|| format!("can't read `{}`", path.display()));
        }
    };
    let (mut blocks, mut read_bytes) = (0_u64, 0_u64);
    loop {
        let mut line = Vec::new();
        (&mut reader).take(LINE_MAX).read_until(b'\n', &mut line).with_context(bad)?;
        if is_torn(&line) {
            let has_zeros = line.contains(&0);
            let is_long = line.len() as u64 == LINE_MAX && !has_zeros;
            ensure!(!is_long, "{}: it has a line that is too long", bad());
            let length = reader.get_ref().metadata().with_context(bad)?.len();
            let with_zeros = if has_zeros { length.saturating_sub(read_bytes) } else { 0 };
            return Ok(Kept { blocks, with_zeros });
        }
        let read: Blocks = serde_json::from_slice(&line).with_context(bad)?;
        blocks = blocks.saturating_add(read.blocks);
        read_bytes += line.len() as u64;
    }
}

/// The log of a directory, as a whole.
///
/// # Errors
/// If it can't be read.
pub fn digest_of(directory: &Path, name: &str) -> Result<FileDigest> {
    let path = directory.join(name);
    FileDigest::of(&path).with_context(|| format!("can't read `{}`", path.display()))
}

/// The log of a search.
pub struct Log {
    path: PathBuf,
    state: State,
    /// The hash of all lines so far.
    hash: u64,
    /// All lines so far.
    read: FileDigest,
    /// Whether lines may be added where it ends.
    grows: bool,
}

enum State {
    /// Lines are read; there may be more.
    Reading(BufReader<File>),
    /// Lines are added.
    Writing(AppendLog),
    /// Nothing is kept.
    Off,
}

impl Log {
    /// No log: nothing is kept.
    pub fn off() -> Log {
        Log {
            path: PathBuf::new(),
            state: State::Off,
            hash: 0,
            read: FileDigest::EMPTY,
            grows: true,
        }
    }

    /// A new log in a directory, for the design of a run; that of a part, behind a log with this hash.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn create(directory: &Path, name: &str, design: u64) -> Result<Log> {
        let path = directory.join(name);
        let created = AppendLog::create(&path).and_then(|file| {
            files::sync_directory(directory)?;
            files::sync_parent(directory)?;
            Ok(file)
        });
        let file = created.with_context(|| format!("writing `{}`", path.display()))?;
        Ok(Log { path, state: State::Writing(file), ..Log::empty(design) })
    }

    /// The log of a search that stopped: it is read, and then grows.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn resume(directory: &Path, name: &str, design: u64) -> Result<Log> {
        let path = directory.join(name);
        if !path.exists() {
            return Log::create(directory, name, design);
        }
        Ok(Log { grows: true, ..Log::read(directory, name, design)? })
    }

    /// The log of a search that has ended: it is read, and never changed.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn read(directory: &Path, name: &str, design: u64) -> Result<Log> {
        let path = directory.join(name);
        let file =
            files::open(&path).with_context(|| format!("can't read `{}`", path.display()))?;
        Ok(Log { path, state: State::Reading(BufReader::new(file)), ..Log::empty(design) })
    }

    fn empty(design: u64) -> Log {
        Log { hash: design, grows: false, ..Log::off() }
    }

    /// The hash of all lines so far: another log that begins with it continues this one.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    fn bad(&self, reason: &str) -> anyhow::Error {
        anyhow!("`{}` {reason}", self.path.display())
    }

    /// The sums of the chunk that is due, if the log has them; nothing once it has ended.
    ///
    /// # Errors
    /// If it can't be read, is damaged, or holds something else.
    pub fn next(&mut self, due: ExpectedChunk) -> Result<Option<Vec<u64>>> {
        let Some(bytes) = self.line(line_max(due.width))? else { return Ok(None) };
        let read: Line = serde_json::from_slice(&bytes)
            .map_err(|error| self.bad(&format!("is damaged: {error}")))?;
        let bare = Line { hash: String::new(), ..read };
        let hash = bare.hash(self.hash);
        if read.hash != format!("{hash:016x}") {
            return Err(
                self.bad("is damaged, or belongs to another run: a line's hash does not fit")
            );
        }
        if bare != Line::new(due, &bare.sums) || bare.sums.len() != due.width {
            return Err(self.bad("holds another stage than this search asks for"));
        }
        self.hash = hash;
        self.read = self.read.with(&bytes);
        Ok(Some(bare.sums))
    }

    /// The bytes of the next line, with its end.
    fn line(&mut self, most: u64) -> Result<Option<Vec<u8>>> {
        let State::Reading(reader) = &mut self.state else { return Ok(None) };
        let mut bytes = Vec::new();
        let read = reader.take(most).read_until(b'\n', &mut bytes);
        read.with_context(|| format!("can't read `{}`", self.path.display()))?;
        if !is_torn(&bytes) || !self.grows && bytes.contains(&0) {
            return Ok(Some(bytes));
        }
        if bytes.len() as u64 == most && !bytes.contains(&0) {
            return Err(self.bad("is damaged: it has a line that is too long"));
        }
        if !bytes.is_empty() && !self.grows {
            return Err(self.bad("is damaged: its last line has no end"));
        }
        if self.grows {
            // From here on lines are added; a torn one is cut off.
            let log = AppendLog::reopen(&self.path, self.read);
            let log = log.with_context(|| format!("writing `{}`", self.path.display()))?;
            self.state = State::Writing(log);
        }
        Ok(None)
    }

    /// Adds the sums of a chunk.
    ///
    /// # Errors
    /// If they can't be written, or if the log has ended and may not grow.
    pub fn add(&mut self, due: ExpectedChunk, sums: &[u64]) -> Result<()> {
        let log = match &mut self.state {
            State::Off => return Ok(()),
            State::Reading(_) => bail!("`{}` ends before its search does", self.path.display()),
            State::Writing(log) => log,
        };
        let line = Line::new(due, sums);
        self.hash = line.hash(self.hash);
        let line = Line { hash: format!("{:016x}", self.hash), ..line };
        let text = serde_json::to_string(&line)? + "\n";
        let written = log.add(text.as_bytes());
        written.with_context(|| format!("writing `{}`", self.path.display()))
    }

    /// Whether stages may be played where the log ends.
    ///
    /// # Errors
    /// If it has ended and may not grow.
    pub fn ensure_grows(&self) -> Result<()> {
        ensure!(
            self.grows || !matches!(self.state, State::Reading(_)),
            "{}",
            self.bad("ends before its search does")
        );
        Ok(())
    }

    /// Flushes and syncs the log.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn sync(&mut self) -> Result<()> {
        let State::Writing(log) = &mut self.state else { return Ok(()) };
        log.flush().with_context(|| format!("writing `{}`", self.path.display()))?;
        Ok(())
    }

    /// The search has ended: the log is on the disk, and there is nothing more in it.
    ///
    /// # Errors
    /// If it holds more, or can't be written.
    pub fn end(mut self) -> Result<()> {
        if let State::Reading(reader) = &mut self.state {
            let rest = reader.fill_buf();
            let rest = rest.with_context(|| format!("can't read `{}`", self.path.display()))?;
            // A torn line is part of one that the search asks for.
            if !rest.is_empty() {
                return Err(self.bad("holds more than its search asks for"));
            }
        }
        self.sync()
    }
}
