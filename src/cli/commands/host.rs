//! This process as the host of what it plays, and what it can play.

use crate::cli::clock;
use crate::cli::commands::guests::{self, faults, shared};
use crate::cli::commands::{interrupt, threads};
use crate::core::outside::{Invitation, Line};
use crate::core::watch::{Host, Watch};
use crate::lab::questions::catalogue::Catalogue;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

/// The clock, and Ctrl-C, which stops what is played.
struct Process {
    /// Whether a guest that fails stops all that is played. At a table that stands open it ends its own match alone.
    is_run: bool,
}

impl Host for Process {
    fn now(&self) -> Duration {
        clock::now()
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_pressed() || self.is_run && faults::has_failed()
    }

    fn invite(&self, invitation: &Invitation, game: &[u8]) -> Result<Box<dyn Line>, String> {
        guests::invite(invitation, game, self.is_run, ALL_ALLOWED.load(Ordering::Relaxed))
    }

    fn waiting_threads(&self, at_once: usize) -> Option<Arc<ThreadPool>> {
        let pool = threads::pool(Some(rayon::current_num_threads() * at_once)).ok()?;
        shared::share(at_once);
        Some(Arc::new(pool))
    }

    fn guest_failed(&self, report: &str) {
        if self.is_run {
            faults::note(report);
        }
    }
}

/// Whether programs are started that a run or a record names, not only those of the command line.
static ALL_ALLOWED: AtomicBool = AtomicBool::new(false);

/// Says whether all programs may be started that are named anywhere.
pub fn allow_all_programs(all: bool) {
    ALL_ALLOWED.store(all, Ordering::Relaxed);
}

/// The process as what it plays asks it.
pub static WATCH: LazyLock<Watch> = LazyLock::new(|| Watch::new(Process { is_run: true }));

/// The process as a match asks it that stands open: its guests and those of others don't concern each other.
pub static OPEN_WATCH: LazyLock<Watch> = LazyLock::new(|| Watch::new(Process { is_run: false }));

/// What this command line can play and ask.
static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();

/// What this command line can play and ask: what [`offer`] has said, else what the library has.
pub fn catalogue() -> &'static Catalogue {
    CATALOGUE.get_or_init(Catalogue::standard)
}

/// Says what this command line can play and ask, before its first command.
pub fn offer(catalogue: Catalogue) {
    // Whoever has asked already was told of the library's.
    let _ = CATALOGUE.set(catalogue);
}
