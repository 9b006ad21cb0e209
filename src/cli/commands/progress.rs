//! The progress of a run, on standard error: a bar on a terminal, lines elsewhere, nothing if quiet.
//!
//! A bar is drawn a few times a second whether a match has ended or not. Where agents search, it moves with
//! their decisions, which are counted as they are timed; see `sim::timing`.

use crate::cli::clock;
use crate::cli::commands::interrupt::{self, Listening, resume_command};
use crate::cli::commands::process;
use crate::lab::report::figures::grouped;
use crate::lab::run::caller::{self, Begun};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time between two lines if there is no terminal to draw on.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Time between two looks at where a test stands.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Time between two drawings of a bar: a sign of life.
const DRAW_EVERY: Duration = Duration::from_millis(250);

/// The stack of the thread that draws, whatever the environment says of stacks.
const STACK: usize = 512 << 10;

/// What a run has done, as it is shown.
#[derive(Debug, Clone, Copy)]
pub struct ProgressLine<'a> {
    /// Matches that have ended.
    pub matches: u64,
    /// Matches of the plan.
    pub all: u64,
    /// Decisions of agents that search, including those of matches under way; 0 if none does.
    pub decisions: u64,
    /// Matches a second.
    pub rate: f64,
    /// Where the test of a watched run stands; empty if nothing is watched.
    pub watched: &'a str,
}

/// The progress of the run of this process, and Ctrl-C.
pub struct Shown {
    quiet: bool,
    /// Matches of the plan.
    planned: u64,
    /// What is said before the first match.
    first: Option<String>,
    progress: Option<Progress>,
}

impl Shown {
    /// Nothing is shown yet, and nothing will be if quiet.
    pub fn new(quiet: bool) -> Shown {
        let quiet = quiet || process::is_for_text();
        Shown { quiet, planned: 0, first: None, progress: None }
    }

    /// The same, with something to say when everything is ready to be played.
    pub fn saying(self, first: Option<String>) -> Shown {
        Shown { first, ..self }
    }
}

impl caller::Progress for Shown {
    fn begin(&mut self, run: &Begun<'_>) {
        self.planned = run.matches;
        process::note(run.played, run.matches);
        let decisions = Arc::clone(&run.decisions);
        let mut progress = Progress::new(run.matches, decisions, run.watched, self.quiet);
        interrupt::listen(Listening {
            matches: run.in_progress,
            resume: run.directory.map(|path| resume_command(path, run.has_guests)),
            save_every: run.save_every,
            bar: progress.bar().clone(),
        });
        if let Some(first) = self.first.take().filter(|_| !self.quiet) {
            // Whoever has closed standard error doesn't want to read it.
            let _ = writeln!(std::io::stderr(), "{first}");
        }
        progress.start(run.played);
        self.progress = Some(progress);
    }

    fn set(&mut self, matches: u64, standing: &dyn Fn() -> Option<String>) {
        process::note(matches, self.planned);
        if let Some(progress) = &mut self.progress {
            progress.set(matches, standing);
        }
    }

    fn end(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.finish();
        }
    }
}

/// The progress of one run.
struct Progress {
    bar: ProgressBar,
    decisions: Arc<AtomicU64>,
    /// Whether lines are written instead of a bar.
    lines: bool,
    ticking: Option<Ticking>,
    /// When it was last asked where a test stands.
    looked: Duration,
}

/// A thread that draws, or writes lines.
struct Ticking {
    done: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Progress {
    /// The progress of a number of matches; of at most that number, if a run is watched.
    pub fn new(matches: u64, decisions: Arc<AtomicU64>, watched: bool, quiet: bool) -> Progress {
        if quiet || !std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(matches), ProgressDrawTarget::hidden());
            let lines = !quiet;
            return Progress { bar, decisions, lines, ticking: None, looked: clock::now() };
        }
        let bar = ProgressBar::new(matches).with_style(style(Arc::clone(&decisions), watched));
        Progress { bar, decisions, lines: false, ticking: None, looked: clock::now() }
    }

    /// The bar, for those who write beside it.
    pub fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    /// Begins at a run's present state.
    pub fn start(&mut self, matches: u64) {
        self.bar.set_position(matches);
        self.bar.reset_eta();
        let bar = self.bar.clone();
        if !self.bar.is_hidden() {
            self.ticking = Ticking::start(DRAW_EVERY, move || bar.tick());
        } else if self.lines {
            let decisions = Arc::clone(&self.decisions);
            let first = bar.position();
            let line = move || write_line(&bar, first, &decisions);
            self.ticking = Ticking::start(LINE_EVERY, line);
        }
    }

    /// More has been played; `standing` says where the test of a watched run stands, and is asked now and
    /// then only, since it takes its time.
    pub fn set(&mut self, matches: u64, standing: impl FnOnce() -> Option<String>) {
        self.bar.set_position(matches);
        let shown = self.lines || !self.bar.is_hidden();
        let now = clock::now();
        if !shown || now.saturating_sub(self.looked) < LOOK_EVERY {
            return;
        }
        self.looked = now;
        if let Some(standing) = standing() {
            self.bar.set_message(standing);
        }
    }

    /// Ends the progress.
    pub fn finish(mut self) {
        if let Some(ticking) = self.ticking.take() {
            ticking.stop();
        }
        self.bar.finish_and_clear();
    }
}

impl Ticking {
    /// Nothing where there is no room for a thread: a run is played without a sign of it.
    fn start(every: Duration, tick: impl Fn() + Send + 'static) -> Option<Ticking> {
        let done = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&done);
        let thread = thread::Builder::new().stack_size(STACK).spawn(move || {
            loop {
                thread::park_timeout(every);
                if seen.load(Ordering::Relaxed) {
                    return;
                }
                tick();
            }
        });
        Some(Ticking { done, thread: thread.ok()? })
    }

    fn stop(self) {
        self.done.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        // A thread that only writes lines has nothing to report at its end.
        let _ = self.thread.join();
    }
}

/// A line about a run whose bar began at a number of matches.
fn write_line(bar: &ProgressBar, first: u64, decisions: &AtomicU64) {
    let seconds = bar.elapsed().as_secs_f64();
    let watched = bar.message();
    let standing = ProgressLine {
        matches: bar.position(),
        all: bar.length().unwrap_or(0),
        decisions: decisions.load(Ordering::Relaxed),
        rate: (bar.position() - first) as f64 / seconds.max(1e-3),
        watched: &watched,
    };
    let _ = writeln!(std::io::stderr(), "{}", standing.line());
}

/// A bar with the text beside it.
fn style(decisions: Arc<AtomicU64>, watched: bool) -> ProgressStyle {
    let beside = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let standing = ProgressLine {
            matches: state.pos(),
            all: state.len().unwrap_or(0),
            decisions: decisions.load(Ordering::Relaxed),
            rate: state.per_sec(),
            watched: "",
        };
        let text = if watched { standing.so_far() } else { standing.beside_a_bar() };
        let _ = out.write_str(&text);
    };
    // A watched run ends when it has seen enough: a bar towards the most it may play would mislead.
    let template = if watched { "{spinner} {beside} {msg}" } else { "{spinner} {bar:12} {beside}" };
    let style = ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar());
    style.with_key("beside", beside)
}

impl ProgressLine<'_> {
    /// The text beside a bar: at most 45 columns, so that a line with its bar keeps to the fewest that a terminal has (`cli::terminal`).
    pub fn beside_a_bar(&self) -> String {
        let (matches, all) = (short(self.matches as f64), short(self.all as f64));
        format!("{matches}/{all} matches, {}", self.pace())
    }

    /// The text before the message of a watched run: at most 25 columns in any run that a person watches.
    fn so_far(&self) -> String {
        let matches = short(self.matches as f64);
        match self.decisions {
            0 => format!("{matches} matches"),
            decisions => format!("{matches} matches, {} decisions", short(decisions as f64)),
        }
    }

    /// A line of its own.
    pub fn line(&self) -> String {
        let (matches, all) = (grouped(self.matches), grouped(self.all));
        if self.watched.is_empty() {
            return format!("{matches} of {all} matches, {}", self.pace());
        }
        format!("{matches} of at most {all} matches: {}", self.watched)
    }

    /// How fast it goes and how long it will take; decisions where matches are slow.
    fn pace(&self) -> String {
        let left = self.all.saturating_sub(self.matches) as f64 / self.rate;
        let left =
            if left.is_finite() { format!(", {} left", duration(left)) } else { String::new() };
        match self.decisions {
            0 => format!("{}/s{left}", short(self.rate)),
            decisions => format!("{} decisions{left}", short(decisions as f64)),
        }
    }
}

/// A number to three digits: `7`, `950`, `1.2k`, `35k`, `10m`.
fn short(number: f64) -> String {
    let (scaled, suffix) = match number {
        ..1e3 => (number, ""),
        1e3..1e6 => (number / 1e3, "k"),
        1e6..1e9 => (number / 1e6, "m"),
        _ => (number / 1e9, "g"),
    };
    let rounded =
        if scaled < 10.0 { libm::floor(scaled * 10.0) / 10.0 } else { libm::floor(scaled) };
    format!("{rounded}{suffix}")
}

/// A time to its two largest units: `45s`, `12m30s`, `3h05m`, `4d`.
pub fn duration(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    const MONTHS: f64 = 99.0 * DAY;
    match seconds {
        ..60.0 => format!("{}s", libm::ceil(seconds)),
        60.0..3600.0 => {
            format!("{}m{:02}s", libm::floor(seconds / 60.0), libm::floor(seconds % 60.0))
        }
        3600.0..DAY => {
            let minutes = libm::floor(seconds % 3600.0 / 60.0);
            format!("{}h{minutes:02}m", libm::floor(seconds / 3600.0))
        }
        ..MONTHS => format!("{}d", short(seconds / DAY)),
        _ => ">99d".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::terminal::LEAST;

    fn standing(matches: u64, all: u64, decisions: u64, rate: f64) -> ProgressLine<'static> {
        ProgressLine { matches, all, decisions, rate, watched: "" }
    }

    #[test]
    fn what_stands_beside_a_bar_is_rounded() {
        let beside =
            |matches, all, decisions, rate| standing(matches, all, decisions, rate).beside_a_bar();
        assert_eq!(beside(0, 20_000, 0, 0.0), "0/20k matches, 0/s");
        assert_eq!(beside(12_345, 100_000, 0, 1234.56), "12k/100k matches, 1.2k/s, 1m11s left");
        assert_eq!(beside(3, 400, 1_270, 0.02), "3/400 matches, 1.2k decisions, 5h30m left");
        assert_eq!(beside(0, 400, 31, 0.0), "0/400 matches, 31 decisions");
    }

    #[test]
    fn a_line_with_its_bar_keeps_to_the_fewest_columns() {
        for matches in [0, 999, 999_999, 999_999_999, 1_000_000_000_000] {
            for decisions in [0, 999_999, 999_999_999_999] {
                for rate in [1e-9, 0.37, 999.9, 999_999.0] {
                    let text = standing(matches, 1_000_000_000_000, decisions, rate).beside_a_bar();
                    assert!(text.chars().count() + 15 <= usize::from(LEAST), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_watched_run_shows_its_test_and_not_the_most_it_may_play() {
        let before = |matches, decisions| standing(matches, 10_000_000, decisions, 9.0).so_far();
        assert_eq!(before(1_280, 0), "1.2k matches");
        assert_eq!(before(12, 31_400), "12 matches, 31k decisions");
        // A spinner, and the longest of what `Study::standing` says.
        let line = format!("⠁ {} {}", before(950, 999_000), "LLR -2.9 [-3.2, 3.2], -12.3 pp");
        assert!(line.chars().count() <= usize::from(LEAST), "{line}");
    }

    #[test]
    fn lines_say_of_how_many_and_where_a_test_stands() {
        let line = standing(12_000, 100_000, 0, 1000.0).line();
        assert_eq!(line, "12,000 of 100,000 matches, 1k/s, 1m28s left");
        let watched = ProgressLine { watched: "LLR 1.3", ..standing(1280, 10_000_000, 0, 9.0) };
        assert_eq!(watched.line(), "1,280 of at most 10,000,000 matches: LLR 1.3");
    }
}
