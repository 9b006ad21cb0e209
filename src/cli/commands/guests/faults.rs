//! What guests have done wrong.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the first guest that failed was told and said.
static FAULT: Mutex<Option<String>> = Mutex::new(None);

/// Whether one has failed.
static FAILED: AtomicBool = AtomicBool::new(false);

/// A guest has failed; the first is remembered.
pub fn note(report: &str) {
    FAULT.lock().expect("nobody panics with it").get_or_insert_with(|| report.to_owned());
    FAILED.store(true, Ordering::SeqCst);
}

/// Whether a guest has failed.
pub fn has_failed() -> bool {
    FAILED.load(Ordering::SeqCst)
}

/// What the first guest that failed was told and said, if one has; from then on none has.
pub fn take() -> Option<String> {
    FAILED.store(false, Ordering::SeqCst);
    FAULT.lock().expect("nobody panics with it").take()
}
