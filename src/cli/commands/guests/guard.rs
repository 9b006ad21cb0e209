//! A process that outlives this one for a moment: when this one is gone, however it ended, it kills the groups of guests
//! that are left. It hears by a pipe which there are, and that this process is gone by the end of the pipe.

use crate::cli::commands::process;
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

/// The only argument of this program when it stands guard.
pub const COMMAND: &str = "--guard-guests";

/// The guard, from the first guest on.
static GUARD: Mutex<Option<Child>> = Mutex::new(None);

/// A group is to be killed when this process is gone.
pub fn watch(group: u32) {
    let Ok(mut guard) = GUARD.lock() else { return };
    if guard.is_none() {
        *guard = start();
    }
    say(&mut guard, '+', group);
}

/// A group has ended.
pub fn forget(group: u32) {
    let Ok(mut guard) = GUARD.lock() else { return };
    say(&mut guard, '-', group);
}

/// No guests are left: the guard leaves.
pub fn leave() {
    let Ok(mut guard) = GUARD.lock() else { return };
    if let Some(mut guard) = guard.take() {
        drop(guard.stdin.take());
        let _ = guard.wait();
    }
}

/// Where no guard can be started, guests that don't notice that nobody asks them any more stay behind after a kill.
fn start() -> Option<Child> {
    let mut guard = match process::program() {
        Some([program, words @ ..]) => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        _ => Command::new(std::env::current_exe().ok()?),
    };
    let guard = guard
        .arg(COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    guard.ok()
}

fn say(guard: &mut Option<Child>, what: char, group: u32) {
    if let Some(pipe) = guard.as_mut().and_then(|guard| guard.stdin.as_mut()) {
        let _ = writeln!(pipe, "{what}{group}");
    }
}

/// Stands guard: until the end of `input`.
pub fn stand(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        match line.split_at_checked(1).map(|(what, group)| (what, group.parse::<i32>())) {
            Some(("+", Ok(group))) => drop(groups.insert(group)),
            Some(("-", Ok(group))) => drop(groups.remove(&group)),
            _ => {}
        }
    }
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}
