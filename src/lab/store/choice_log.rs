//! Choices of searches on the disk, for the blocks that are being played: see [`choices`](crate::sim::choices).
//!
//! `unfinished.bin` is replaced as a whole every few seconds by a thread of its own, since an agent may think about one
//! block for hours. It has a mark, the name of the run's design, a hash of the rest, and then for each block its stage,
//! its number, the length of its choices, and these; all numbers have eight bytes, the lowest first. The hash tells
//! damage; it is not tamper-proof. What came of a block is on the disk before its choices
//! are forgotten, and a run that is done has none.

use crate::lab::report::files::{self, remove_replaced, replace, sync_directory};
use crate::lab::report::hash::{FNV_START, fnv};
use crate::lab::store::checkpoint::Saving;
use crate::sim::choices::{CHOICES_MAX, Choices, ChosenInBlock};
use anyhow::{Context, Result, anyhow};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The file's name.
pub const CHOICES: &str = "unfinished.bin";

const MARK: [u8; 8] = *b"fairdid1";
/// The most bytes of the file: choices, and three numbers for each block. More blocks than this are never in progress.
const FILE_MAX: usize = CHOICES_MAX + 24 + 24 * BLOCKS_MAX;
const BLOCKS_MAX: usize = 1 << 20;

/// The most time between two saved states, where agents search.
const EVERY_MOST: Duration = Duration::from_secs(2);
/// The least.
const EVERY_LEAST: Duration = Duration::from_millis(50);
/// Writing may take no more than one in so many parts of the time.
const SHARE: u32 = 10;

/// The stack of the thread that saves, whatever the environment says of stacks.
const STACK: usize = 1 << 20;

/// Saves the choices of a run while it is played.
pub struct Keeper {
    path: PathBuf,
    choices: Arc<Choices>,
    /// Ends the thread when it is dropped.
    thread: Option<(Sender<()>, JoinHandle<io::Result<()>>)>,
}

/// Where choices are saved.
struct Saver {
    path: PathBuf,
    design: u64,
    choices: Arc<Choices>,
}

impl Keeper {
    /// Takes up the choices that a run's directory has, and saves them from now on, as often as sums are saved or
    /// oftener.
    ///
    /// # Errors
    /// If there are some that can't be used.
    pub fn start(
        directory: &Path,
        design: u64,
        choices: &Arc<Choices>,
        saving: &Saving,
    ) -> Result<Keeper> {
        let path = directory.join(CHOICES);
        choices.put(read(&path, design)?);
        let saver = Saver { path: path.clone(), design, choices: Arc::clone(choices) };
        let (send, receive) = mpsc::channel();
        let Saving { watch, every } = saving.clone();
        let every = every.clamp(EVERY_LEAST, EVERY_MOST);
        let keep = move || {
            let mut wait = every;
            while let Err(RecvTimeoutError::Timeout) = receive.recv_timeout(wait) {
                let start = watch.now();
                saver.save().inspect_err(|_| saver.choices.give_up())?;
                wait = every.max(SHARE * watch.now().saturating_sub(start));
            }
            saver.save()
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn(keep);
        let thread = thread.context("no thread can be started that saves what searches choose")?;
        let thread = Some((send, thread));
        Ok(Keeper { path, choices: Arc::clone(choices), thread })
    }

    /// Whether the choices that were taken up fit the matches that were played since.
    ///
    /// # Errors
    /// If they don't.
    pub fn check(&self) -> Result<()> {
        self.choices.fault().map_or(Ok(()), |fault| Err(bad(&self.path, fault)))
    }

    /// Saves the choices for the last time; if the run is done, there are none any more.
    ///
    /// # Errors
    /// If they can't be written.
    pub fn end(mut self, done: bool) -> Result<()> {
        self.join()
            .and_then(|()| if done { remove_replaced(&self.path) } else { Ok(()) })
            .with_context(|| format!("writing `{}`", self.path.display()))
    }

    fn join(&mut self) -> io::Result<()> {
        let Some((send, thread)) = self.thread.take() else { return Ok(()) };
        drop(send);
        thread.join().expect("saving does not panic")
    }
}

impl Drop for Keeper {
    /// Nobody else may write where the run lies once it is given up.
    fn drop(&mut self) {
        let _ = self.join();
    }
}

impl Saver {
    fn save(&self) -> io::Result<()> {
        // What doesn't fit the matches stays as it was found.
        if self.choices.fault().is_some() {
            return Ok(());
        }
        let Some(chosen) = self.choices.changed() else { return Ok(()) };
        replace(&self.path, &written(self.design, &chosen))?;
        sync_directory(self.path.parent().unwrap_or(Path::new(".")))
    }
}

fn bad(path: &Path, reason: &str) -> anyhow::Error {
    let path = path.display();
    anyhow!(
        "`{path}` {reason}; without it, the blocks that were in progress are played from their start"
    )
}

/// The bytes of the file.
fn written(design: u64, chosen: &[ChosenInBlock]) -> Vec<u8> {
    let mut rest = Vec::new();
    for (stage, block, choices) in chosen {
        for number in [*stage, *block, choices.len() as u64] {
            rest.extend(number.to_le_bytes());
        }
        rest.extend(choices);
    }
    let numbers = [design, fnv(FNV_START, &rest)].map(u64::to_le_bytes);
    [&MARK[..], &numbers.concat(), &rest].concat()
}

/// What the file holds; nothing if there is none.
fn read(path: &Path, design: u64) -> Result<Vec<ChosenInBlock>> {
    let mut bytes = Vec::new();
    let file = match files::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        other => other,
    };
    file.and_then(|file| file.take(FILE_MAX as u64 + 1).read_to_end(&mut bytes))
        .with_context(|| format!("can't read `{}`", path.display()))?;
    if bytes.len() > FILE_MAX {
        return Err(bad(path, "is longer than what a run writes"));
    }
    let Some(rest) = bytes.strip_prefix(&MARK) else {
        return Err(bad(path, "is not what a run wrote"));
    };
    let mut rest = rest;
    let mut number =
        || take(&mut rest, 8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("8")));
    let (of, hash) = (number(), number());
    if hash != Some(fnv(FNV_START, rest)) {
        return Err(bad(path, "is damaged"));
    }
    if of != Some(design) {
        return Err(bad(path, "belongs to another run"));
    }
    blocks(rest).ok_or_else(|| bad(path, "is damaged"))
}

fn blocks(mut rest: &[u8]) -> Option<Vec<ChosenInBlock>> {
    let mut chosen = Vec::new();
    while !rest.is_empty() {
        let mut number = || Some(u64::from_le_bytes(take(&mut rest, 8)?.try_into().ok()?));
        let (stage, block, length) = (number()?, number()?, number()?);
        let choices = take(&mut rest, usize::try_from(length).ok()?)?;
        chosen.push((stage, block, choices.to_vec()));
    }
    Some(chosen)
}

/// The next bytes, if there are so many.
fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::watch::Watch;

    #[test]
    fn what_a_kill_has_left_of_a_newer_file_goes_when_the_run_is_done() {
        // The last save before the kill was not put in its place, and nothing had to be saved since.
        let place = tempfile::tempdir().unwrap();
        let path = place.path();
        for name in [CHOICES, "unfinished.bin.new"] {
            std::fs::write(path.join(name), written(7, &[])).unwrap();
        }
        for (done, left) in [(false, 2), (true, 0)] {
            let saving = Saving { watch: Watch::none(), every: EVERY_MOST };
            let choices = Arc::new(Choices::new(&Watch::none()));
            let keeper = Keeper::start(path, 7, &choices, &saving).unwrap();
            keeper.end(done).unwrap();
            assert_eq!(std::fs::read_dir(path).unwrap().count(), left, "done: {done}");
        }
    }
}
