//! The one place that reads a clock: for progress, for `bench` and for searches with a time budget. No
//! result depends on it unless an agent is told to search by time.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time since the first call.
#[allow(clippy::disallowed_methods, reason = "the one place that reads a clock")]
pub fn now() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
