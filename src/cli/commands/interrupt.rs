//! Ctrl-C: the first press drops the blocks in progress, a second's work or one block a thread,
//! and saves all others; the second ends the process at once. Each
//! says so on standard error, even with `--quiet`: whoever presses a key wants to know what it does.

use indicatif::ProgressBar;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The exit code of an interrupted run.
pub const INTERRUPTED: u8 = 130;

/// Set by the first press.
static PRESSED: AtomicBool = AtomicBool::new(false);

/// A run that can be interrupted.
pub struct Listening {
    /// The most matches that are in progress at once.
    pub matches: u64,
    /// The run's directory, if it is written.
    pub directory: Option<PathBuf>,
    /// Time between two saved states.
    pub save_every: Duration,
    /// Where progress is drawn; it is finished when the last match is.
    pub bar: ProgressBar,
}

/// Whether nothing new may be started.
pub fn is_pressed() -> bool {
    PRESSED.load(Ordering::SeqCst)
}

/// Listens from now on.
pub fn listen(run: Listening) {
    // A process has one handler; setting a second fails.
    let _ = ctrlc::set_handler(move || {
        if !PRESSED.swap(true, Ordering::SeqCst) {
            // Built first: the bar is locked while it is suspended.
            let first = run.first();
            run.bar.suspend(|| say(&first));
            return;
        }
        // The bar's line ends here. What has been saved is left as `kill` would leave it.
        say(&format!("\n{}", run.second()));
        process::exit(i32::from(INTERRUPTED));
    });
}

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The command that resumes a run.
pub fn resume_command(directory: &Path) -> String {
    format!("fairhaven resume {}", directory.display())
}

impl Listening {
    fn first(&self) -> String {
        let doing = match (self.bar.is_finished(), self.matches) {
            (true, _) => "Writing the tables".to_owned(),
            (false, 1) => "Dropping the match in progress".to_owned(),
            (false, matches) => format!("Dropping up to {matches} matches in progress"),
        };
        format!("{doing}; press Ctrl-C again to stop at once.")
    }

    fn second(&self) -> String {
        let Some(directory) = &self.directory else {
            return "Stopped at once. Nothing is kept of a run without --out.".to_owned();
        };
        let seconds = self.save_every.as_secs();
        format!(
            "Stopped at once. What was played since the last save (every {seconds} s) is lost. To resume: {}",
            resume_command(directory)
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
            directory: Some("out/b".into()),
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
        assert!(run.first().starts_with("Writing the tables;"));
        run.directory = None;
        assert!(run.second().contains("Nothing is kept"));
    }
}
