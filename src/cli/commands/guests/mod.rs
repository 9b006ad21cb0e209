//! Programs outside that play: processes that are started, kept from match to match, and ended with this one.

pub mod process;
pub mod guard;
pub mod faults;

use crate::cli::commands::guests::process::Process;
use crate::core::outside::{Invitation, Line};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// What may be run: agents that were named on the command line.
static GRANTED: Mutex<Vec<Invitation>> = Mutex::new(Vec::new());

/// Processes that nobody uses now.
static IDLE: Mutex<Vec<(Invitation, Process)>> = Mutex::new(Vec::new());

/// Microseconds by which answers are read late.
static LATE: AtomicU64 = AtomicU64::new(0);

/// Allows a program to be run. A run's directory, or a record, may come from anybody: what it names is not run unless
/// the user says so.
pub fn grant(invitation: Invitation) {
    GRANTED.lock().expect("nobody panics with it").push(invitation);
}

/// Reaches a guest: an idle process of the same kind, or a new one. It is kept for the next when it is dropped.
///
/// # Errors
/// If it may not be run, or can't be started.
pub fn invite(invitation: &Invitation, all_allowed: bool) -> Result<Box<dyn Line>, String> {
    let granted = || GRANTED.lock().expect("nobody panics with it").contains(invitation);
    if !all_allowed && !granted() {
        return Err(
            "this run names a program to be started, which `--allow-exec` allows".to_owned()
        );
    }
    let known = {
        let mut idle = IDLE.lock().expect("nobody panics with it");
        let known = idle.iter().position(|(other, _)| other == invitation);
        known.map(|at| idle.swap_remove(at).1)
    };
    let process = match known {
        Some(process) => process,
        None => Process::start(invitation)?,
    };
    Ok(Box::new(Kept { invitation: invitation.clone(), process: Some(process) }))
}

/// How long a guest may take to end after it was told to.
const LEAVE: Duration = Duration::from_secs(2);

/// Ends all guests: they are told, and what is left of them after a while is killed.
pub fn dismiss() {
    let mut idle = std::mem::take(&mut *IDLE.lock().expect("nobody panics with it"));
    for (_, process) in &mut idle {
        process.say_goodbye();
    }
    for (_, process) in idle {
        process.end(LEAVE);
    }
    guard::leave();
}

/// How a guest has left.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    /// Whether it went by itself.
    pub by_itself: bool,
    /// The most memory that it has had, in bytes, if the system says so.
    pub memory: Option<u64>,
}

/// Ends all guests as [`dismiss`] does, or by closing their pipes without a word, and says how they have left.
pub fn dismissed(word: bool) -> Vec<Left> {
    let idle = std::mem::take(&mut *IDLE.lock().expect("nobody panics with it"));
    let left = idle.into_iter().map(|(_, mut process)| {
        let memory = process.memory();
        if word {
            process.say_goodbye();
        } else {
            process.hang_up();
        }
        let by_itself = process.leaves(LEAVE);
        process.end(Duration::ZERO);
        Left { by_itself, memory }
    });
    left.collect()
}

/// From now on answers are read so much later than they come: a check of guests that must not depend on it.
pub fn read_late(by: Duration) {
    LATE.store(u64::try_from(by.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// A process that goes back to the idle ones when its user is done.
struct Kept {
    invitation: Invitation,
    process: Option<Process>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(process) = self.process.take()
            && let Ok(mut idle) = IDLE.lock()
        {
            idle.push((self.invitation.clone(), process));
        }
    }
}

impl Kept {
    fn process(&mut self) -> Result<&mut Process, String> {
        self.process.as_mut().ok_or_else(|| "it has been ended".to_owned())
    }
}

impl Line for Kept {
    fn send(&mut self, lines: &[u8]) -> Result<(), String> {
        let limit = self.invitation.decision.max(self.invitation.start);
        self.process()?.send(lines, limit)
    }

    fn receive(&mut self, limit: Duration, line: &mut String) -> Result<(), String> {
        let late = LATE.load(Ordering::Relaxed);
        if late > 0 {
            thread::sleep(Duration::from_micros(late));
        }
        self.process()?.receive(limit, line)
    }

    fn greeting(&mut self) -> &mut Option<String> {
        &mut self.process.as_mut().expect("a process that has not failed").greeting
    }

    fn next_number(&mut self) -> u64 {
        let process = self.process.as_mut().expect("a process that has not failed");
        process.number += 1;
        process.number
    }

    fn break_off(&mut self) -> String {
        self.process.take().map(|process| process.end(Duration::ZERO)).unwrap_or_default()
    }
}
