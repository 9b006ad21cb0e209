//! What a run needs from outside: a clock, somebody who may stop it, and somebody who watches.

use crate::core::watch::Watch;
use crate::lab::questions::catalogue::Catalogue;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// Who calls the laboratory.
pub struct Caller<'a> {
    /// What can be played and asked.
    pub catalogue: &'a Catalogue,
    /// The clock, and whether the run is to stop. No result depends on the clock, but for agents that search by
    /// time.
    pub watch: Watch,
    /// Hears how far the run is.
    pub progress: &'a mut dyn Progress,
    /// Time between two saved states.
    pub save_every: Duration,
    /// The command line as the manifest tells it, word by word.
    pub command: Vec<String>,
}

/// A run that begins, or is resumed.
#[derive(Debug)]
pub struct Begun<'a> {
    /// Matches of the plan; if it is watched, at most so many.
    pub matches: u64,
    /// Matches that were played before.
    pub played: u64,
    /// The most matches that are in progress at once.
    pub in_progress: u64,
    /// Counts the decisions of agents that search, those of matches in progress included.
    pub decisions: Arc<AtomicU64>,
    /// Whether the run is sequential.
    pub watched: bool,
    /// Where it is written.
    pub directory: Option<&'a Path>,
    /// Whether programs outside play, which `resume` starts only where that is allowed.
    pub has_guests: bool,
    /// Time between two saved states.
    pub save_every: Duration,
}

impl Begun<'_> {
    /// Some matches of a run that are read, or played again, into a file: nothing of it is left when it is stopped.
    pub fn reading(matches: u64) -> Begun<'static> {
        Begun {
            matches,
            played: 0,
            in_progress: 1,
            decisions: Arc::default(),
            watched: false,
            directory: None,
            has_guests: false,
            save_every: Duration::MAX,
        }
    }
}

/// Hears how far a run is; `()` hears nothing.
pub trait Progress {
    /// It begins, or is resumed.
    fn begin(&mut self, run: &Begun<'_>);

    /// So many matches have been played; `standing` says where the test of a watched run stands, and takes its
    /// time.
    fn set(&mut self, matches: u64, standing: &dyn Fn() -> Option<String>);

    /// The last match has been played.
    fn end(&mut self);
}

impl Progress for () {
    fn begin(&mut self, _: &Begun<'_>) {}

    fn set(&mut self, _: u64, _: &dyn Fn() -> Option<String>) {}

    fn end(&mut self) {}
}
