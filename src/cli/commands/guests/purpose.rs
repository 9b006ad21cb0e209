//! For whom this process plays, and what stops it.

use crate::cli::commands::guests::faults::has_failed;
use crate::cli::commands::interrupt::is_pressed;

/// For whom this process plays. Each has processes of guests of its own, so that none ends those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A run, which ends by Ctrl-C and once a guest has failed.
    Run,
    /// A table that stands open on a page, up to Ctrl-C. A guest that fails ends its own match alone.
    Page,
    /// A match that a program around this library holds open. Whatever is interrupted is another call of that program.
    Embedded,
}

impl Purpose {
    /// Whether what is played shall end now. What is chosen from then on is no agent's choice.
    pub fn is_stopped(self) -> bool {
        match self {
            Purpose::Run => is_pressed() || has_failed(),
            Purpose::Page => is_pressed(),
            Purpose::Embedded => false,
        }
    }
}
