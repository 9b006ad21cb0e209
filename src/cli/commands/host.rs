//! This process as the host of what it plays, and what it can play.

use crate::cli::clock;
use crate::cli::commands::guests::purpose::Purpose;
use crate::cli::commands::guests::{self, faults, shared};
use crate::cli::commands::threads;
use crate::core::outside::{Invitation, Line};
use crate::core::watch::{Host, Watch};
use crate::lab::questions::catalogue::Catalogue;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

/// The clock, and Ctrl-C, which stops what is played.
struct Process {
    purpose: Purpose,
}

impl Host for Process {
    fn now(&self) -> Duration {
        clock::now()
    }

    fn is_stopped(&self) -> bool {
        self.purpose.is_stopped()
    }

    fn invite(&self, invitation: &Invitation, game: &[u8]) -> Result<Box<dyn Line>, String> {
        guests::invite(invitation, game, self.purpose, ALL_ALLOWED.load(Ordering::Relaxed))
    }

    fn waiting_threads(&self, at_once: usize) -> Option<Arc<ThreadPool>> {
        let pool = threads::pool(Some(rayon::current_num_threads() * at_once)).ok()?;
        shared::share(at_once);
        Some(Arc::new(pool))
    }

    fn guest_failed(&self, report: &str) {
        if self.purpose == Purpose::Run {
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

fn watch(purpose: Purpose) -> Watch {
    Watch::new(Process { purpose })
}

/// The process as a run asks it.
pub static WATCH: LazyLock<Watch> = LazyLock::new(|| watch(Purpose::Run));

/// The process as a match on a page asks it.
pub static PAGE_WATCH: LazyLock<Watch> = LazyLock::new(|| watch(Purpose::Page));

/// The process as a match asks it that a program around this library holds open.
pub static EMBEDDED_WATCH: LazyLock<Watch> = LazyLock::new(|| watch(Purpose::Embedded));

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
