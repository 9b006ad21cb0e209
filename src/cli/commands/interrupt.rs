//! Ctrl-C, and the signals that mean the same (SIGTERM, and SIGHUP of a terminal that is closed): the first press drops the
//! blocks in progress, a second's work or one block a thread, and saves all others; the second ends the process at once.
//! Each says so on standard error, even with `--quiet`: whoever presses a key wants to know what it does.

use crate::lab::store::quoted::quoted;
use indicatif::ProgressBar;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

/// The exit code of an interrupted run.
pub const INTERRUPTED: u8 = 130;

/// Set by the first press.
static PRESSED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether somebody listens: a process has one listener.
static LISTENS: AtomicBool = AtomicBool::new(false);

/// A run that can be interrupted.
pub struct Listening {
    /// The most matches that are in progress at once.
    pub matches: u64,
    /// The command that resumes the run, if it is written.
    pub resume: Option<String>,
    /// Time between two saved states.
    pub save_every: Duration,
    /// Where progress is drawn; it is finished when the last match is.
    pub bar: ProgressBar,
}

/// Whether nothing new may be started.
pub fn is_pressed() -> bool {
    PRESSED.load(Ordering::SeqCst)
}

/// Leaves all signals to somebody else in this process, who calls [`press`] instead.
pub fn leave_signals() {
    LISTENS.store(true, Ordering::SeqCst);
}

/// Does what the first press does.
pub fn press() {
    PRESSED.store(true, Ordering::SeqCst);
}

/// Forgets a press, before the next call.
pub fn release() {
    PRESSED.store(false, Ordering::SeqCst);
}

/// A file that would grow beyond a limit of the system is an error, as a full disk is; otherwise its signal would end
/// the process.
pub fn limits_are_errors() {
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Listens from now on.
pub fn listen(run: Listening) {
    if LISTENS.swap(true, Ordering::SeqCst) {
        return;
    }
    let signals = heard();
    let Ok(mut heard) = Signals::new(&signals) else { return };
    let listener = thread::Builder::new().stack_size(STACK).spawn(move || {
        heard.forever().for_each(|signal| run.hear(signal));
    });
    if listener.is_err() {
        // Where there is no room for a thread, nobody says what a press does; it does the same.
        for signal in signals {
            let end = i32::from(INTERRUPTED);
            let _ = flag::register_conditional_shutdown(signal, end, Arc::clone(&PRESSED));
            let _ = flag::register(signal, Arc::clone(&PRESSED));
        }
    }
}

/// The signals that end a page which is served.
///
/// # Errors
/// If the system does not let them be heard.
pub fn ends() -> io::Result<Signals> {
    Signals::new(heard())
}

/// Waits for one of them.
pub fn wait(mut signals: Signals) {
    let _ = signals.forever().next();
}

/// The stack of the thread that listens: it formats a line.
const STACK: usize = 256 << 10;

/// The signals that are Ctrl-C. Whoever starts a run with `nohup` wants it to outlive the terminal.
fn heard() -> Vec<i32> {
    let mut signals = vec![SIGINT, SIGTERM];
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    signals
}

/// Whether the process was started with a signal that it is to ignore, where the system says so.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The command that resumes a run. Programs outside are not started unless that is said.
pub fn resume_command(directory: &Path, has_guests: bool) -> String {
    let allow = if has_guests { " --allow-exec" } else { "" };
    format!("fairhaven resume {}{allow}", quoted(directory))
}

impl Listening {
    fn hear(&self, signal: i32) {
        if !PRESSED.swap(true, Ordering::SeqCst) {
            let ended = self.bar.is_finished();
            // Built first: the bar is locked while it is suspended.
            let first = self.first();
            self.bar.suspend(|| say(&first));
            if ended {
                process::exit(i32::from(INTERRUPTED));
            }
            return;
        }
        // A terminal that is closed may say so more than once.
        if signal == SIGHUP {
            return;
        }
        // The bar's line ends here. What has been saved is left as `kill` would leave it.
        say(&format!("\n{}", self.second()));
        process::exit(i32::from(INTERRUPTED));
    }

    fn first(&self) -> String {
        let doing = match (self.bar.is_finished(), self.matches) {
            (true, _) => return self.at_the_end(),
            (false, 1) => "Dropping the match in progress".to_owned(),
            (false, matches) => format!("Dropping up to {matches} matches in progress"),
        };
        format!("{doing}; press Ctrl-C again to stop at once.")
    }

    /// All was played; tables of long matches take a while, and are made again from the sums.
    fn at_the_end(&self) -> String {
        let Some(resume) = &self.resume else {
            return "Stopped before the tables. Nothing is kept of a run without --out.".to_owned();
        };
        format!("Stopped before the tables; what was saved is kept. To resume: {resume}")
    }

    fn second(&self) -> String {
        let Some(resume) = &self.resume else {
            return "Stopped at once. Nothing is kept of a run without --out.".to_owned();
        };
        let seconds = self.save_every.as_secs();
        format!(
            "Stopped at once. What was played since the last save (every {seconds} s) is lost. To resume: {resume}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_a_press_does_and_how_to_resume() {
        let mut run = Listening {
            matches: 2,
            resume: Some(resume_command(Path::new("out/b"), false)),
            save_every: Duration::from_secs(5),
            bar: ProgressBar::hidden(),
        };
        assert!(
            run.first().starts_with("Dropping up to 2 matches in progress; press Ctrl-C again")
        );
        assert!(run.second().contains("since the last save (every 5 s) is lost"));
        assert!(run.second().ends_with("To resume: fairhaven resume out/b"));
        run.matches = 1;
        assert!(run.first().starts_with("Dropping the match in progress;"));
        run.bar.finish();
        assert!(run.first().ends_with("what was saved is kept. To resume: fairhaven resume out/b"));
        run.resume = Some(resume_command(Path::new("a b"), true));
        assert!(run.second().ends_with("To resume: fairhaven resume 'a b' --allow-exec"));
        run.resume = None;
        assert!(run.second().contains("Nothing is kept"));
    }
}
