//! This process as the host of what it plays.

use crate::cli::clock;
use crate::cli::commands::interrupt;
use crate::core::watch::{Host, Watch};
use std::sync::LazyLock;
use std::time::Duration;

/// The clock, and Ctrl-C, which stops what is played.
struct Process;

impl Host for Process {
    fn now(&self) -> Duration {
        clock::now()
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_pressed()
    }
}

/// The clock alone: for what ends soon, where a press ends the process.
pub struct Clock;

impl Host for Clock {
    fn now(&self) -> Duration {
        clock::now()
    }
}

/// The process as what it plays asks it.
pub static WATCH: LazyLock<Watch> = LazyLock::new(|| Watch::new(Process));
