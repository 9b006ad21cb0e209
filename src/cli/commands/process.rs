//! What this process is: the program, or another one that calls it, such as Python; and by which words it is called.

use std::ffi::OsString;
use std::iter;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The words that the program was called by.
static WORDS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// How the whole program is called where this process is another one.
static PROGRAM: OnceLock<Vec<OsString>> = OnceLock::new();

/// Whether the program is called for its text.
static FOR_TEXT: AtomicBool = AtomicBool::new(false);

/// Matches that have been played, and those of the plan.
static PLAYED: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Says by which words the program is called, its name first.
pub fn called_by(words: &[OsString]) {
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    *WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words.collect();
}

/// The words that the program was called by, without the place of the program.
pub fn command_line() -> Vec<String> {
    let words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    iter::once("fairhaven".to_owned()).chain(words.iter().skip(1).cloned()).collect()
}

/// Lets all threads of this process share two heaps, for as long as it lives.
///
/// The allocator of glibc gives new threads heaps of their own, of which it keeps up to eight for each core, and what is
/// freed in one is used again there alone. A process whose threads come and go for hours grows by these holes until all
/// heaps are as large as the largest has ever been. Matches allocate nothing while they are played, so threads seldom
/// wait for each other.
pub fn share_heaps() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    set_allocator(libc::M_ARENA_MAX, 2);
}

/// Gives large pieces of memory back to the system when they are freed. Else the allocator of glibc holds on to as much
/// as the largest piece that was ever freed, such as the positions of a long match, and another one of the like.
pub fn give_back_large_pieces() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for which in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        set_allocator(which, 128 << 10);
    }
}

/// Gives back to the system what is free in all heaps: pages between pieces that are in use are kept otherwise, for as
/// long as the process lives.
pub fn give_back_free_pages() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "no crate has a safe form of it")]
    // SAFETY: it takes a number, and each heap's lock while it looks at it.
    let _ = unsafe { libc::malloc_trim(0) };
}

/// Sets one of glibc's numbers, unless whoever started the process has set some.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no crate has a safe form of it")]
fn set_allocator(which: i32, value: i32) {
    let is_set = |name: &&str| std::env::var_os(name).is_some();
    if ["GLIBC_TUNABLES", "MALLOC_ARENA_MAX"].iter().any(is_set) {
        return;
    }
    // SAFETY: it takes two numbers, under a lock of its own. Where it is refused, all stays as it was.
    let _ = unsafe { libc::mallopt(which, value) };
}

/// Says how the whole program is called from this process, which is another one: word by word.
pub fn embed(program: Vec<OsString>) {
    // Whoever came first is part of the same process.
    let _ = PROGRAM.set(program);
}

/// How the whole program is called, if this process is another one.
pub fn program() -> Option<&'static [OsString]> {
    PROGRAM.get().map(Vec::as_slice)
}

/// From now on this process calls the program for its text.
pub fn call_for_text() {
    FOR_TEXT.store(true, Ordering::Relaxed);
    note(0, 0);
}

/// Whether this process calls the program for its text: nothing else is said.
pub fn is_for_text() -> bool {
    FOR_TEXT.load(Ordering::Relaxed)
}

/// Notes how many matches have been played, of how many.
pub fn note(played: u64, planned: u64) {
    PLAYED[0].store(played, Ordering::Relaxed);
    PLAYED[1].store(planned, Ordering::Relaxed);
}

/// How many matches have been played, of how many; 0 if none are.
pub fn played() -> (u64, u64) {
    (PLAYED[0].load(Ordering::Relaxed), PLAYED[1].load(Ordering::Relaxed))
}
