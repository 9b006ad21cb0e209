//! The laboratory without the command line: a study is run, stopped, resumed, analyzed and verified by calls of
//! the library alone.

use fairhaven::core::watch::{Host, Watch};
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::questions::searches::search::{Found, Halt, Search, SearchContext, Stages};
use fairhaven::lab::questions::studies::rules::Rules;
use fairhaven::lab::questions::studies::study::Design;
use fairhaven::lab::read::verify::{Sample, verify};
use fairhaven::lab::report::manifest::Manifest;
use fairhaven::lab::run::caller::{Begun, Caller, Progress};
use fairhaven::lab::run::existing::{self, Resumed};
use fairhaven::lab::run::job;
use fairhaven::lab::run::{Finished, Settings};
use fairhaven::lab::setup::line_up::line_up;
use fairhaven::sim::any_game::LoadedGame;
use rayon::ThreadPoolBuilder;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::Duration;

/// Whether a run is to stop.
#[derive(Clone, Default)]
struct Enough(Arc<AtomicBool>);

impl Host for Enough {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Stops the run once a quarter of it has been played.
#[derive(Default)]
struct Quarter {
    enough: Enough,
    all: u64,
    heard: u64,
}

impl Progress for Quarter {
    fn begin(&mut self, run: &Begun<'_>) {
        self.all = run.matches;
    }

    fn set(&mut self, matches: u64, _: &dyn Fn() -> Option<String>) {
        self.heard = matches;
        if 4 * matches > self.all {
            self.enough.0.store(true, Ordering::SeqCst);
        }
    }

    fn end(&mut self) {}
}

/// What the library has.
pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::standard);

/// On the Road for four, by its default rules.
pub fn on_the_road() -> Box<dyn LoadedGame> {
    let game = CATALOGUE.game("on-the-road").expect("a game");
    game.load(game.default_rules(), 4).expect("the default rules")
}

/// Runs a search on stages of the caller's.
pub fn searched(
    search: &impl Search,
    manifest: &Manifest,
    stages: &mut dyn Stages,
) -> Result<Found, Halt> {
    search.search(SearchContext { manifest, game: &*on_the_road() }, stages)
}

/// A caller without a clock, that may stop the run.
pub fn caller(progress: &mut dyn Progress, watch: Watch) -> Caller<'_> {
    Caller {
        catalogue: &CATALOGUE,
        watch,
        progress,
        save_every: Duration::from_secs(5),
        command: Vec::new(),
    }
}

/// Two prices of a city, on the same deals.
fn design(game: &dyn LoadedGame) -> Design {
    let agents = line_up("builder,random", Some(2 + 2)).expect_err("two agents for four seats");
    assert!(agents.to_string().contains("2 agents for 4 players"), "{agents}");
    let line_up = line_up("builder,random,random,random", None).expect("agents");
    let dear = ["city.cost.ore=4".to_owned()];
    let design = Rules::design(game, line_up, [&[], &dear], 640).expect("two rule sets");
    Design { chunk: 1, ..design }
}

fn played(out: &Path, progress: &mut dyn Progress, watch: Watch) -> Finished {
    let game = on_the_road();
    let settings = Settings { seed: 3, out: Some(out.to_owned()), ..Settings::default() };
    job::start(&*game, design(&*game), &settings, caller(progress, watch)).expect("a run")
}

fn values(finished: &Finished) -> Vec<(String, Option<f64>)> {
    let rows = finished.tables.iter().flat_map(|table| &table.rows);
    rows.map(|row| (row.keys.join(" "), row.estimate.map(|estimate| estimate.value))).collect()
}

#[test]
fn a_study_is_run_stopped_resumed_and_read_without_the_command_line() {
    let place = tempfile::tempdir().expect("a directory");
    let (whole, out) = (place.path().join("whole"), place.path().join("out"));
    let all = played(&whole, &mut (), Watch::none());
    assert!(all.manifest.played.complete && all.path.as_deref() == Some(&*whole));
    let mut quarter = Quarter::default();
    let watch = Watch::new(quarter.enough.clone());
    let stopped = played(&out, &mut quarter, watch);
    assert!(!stopped.manifest.played.complete, "{:?}", stopped.manifest.played);
    assert_eq!((quarter.all, all.manifest.played.matches), (640, 640));
    assert_eq!(quarter.heard, stopped.manifest.played.matches);
    let resumed = existing::resume(&out, caller(&mut (), Watch::none())).expect("a run to resume");
    let Resumed::Played { finished, abandoned_by: None, with_zeros: 0 } = resumed else {
        panic!("{resumed:?}")
    };
    assert_eq!(values(&finished), values(&all));
    assert!(values(&all).len() > 20);
    let again = existing::analyze(&CATALOGUE, &out, &["effects.win_rate.max < 2".to_owned()])
        .expect("tables");
    assert_eq!(values(&again), values(&all));
    assert!(again.judged.iter().all(|(_, holds)| *holds) && again.judged.len() == 1);
    let verified =
        verify(&CATALOGUE, &out, Sample { blocks: 20, seed: 1 }, &Watch::none()).expect("a run");
    assert_eq!((verified.faults, verified.blocks, verified.all), (Vec::<String>::new(), 20, 80));
    let resumed = existing::resume(&out, caller(&mut (), Watch::none())).expect("a run");
    assert!(matches!(resumed, Resumed::Complete(rebuilt) if rebuilt.is_empty()));
}

/// Each run has a host and threads of its own.
#[test]
fn two_runs_of_a_process_are_stopped_apart() {
    let place = tempfile::tempdir().expect("a directory");
    let path = |name| place.path().join(name);
    let pool = || Arc::new(ThreadPoolBuilder::new().num_threads(1).build().expect("a thread"));
    let (stopped, whole) = thread::scope(|scope| {
        let stopped = scope.spawn(|| {
            let mut quarter = Quarter::default();
            let watch = Watch::new(quarter.enough.clone()).with_pool(pool());
            played(&path("stopped"), &mut quarter, watch)
        });
        let whole =
            scope.spawn(|| played(&path("whole"), &mut (), Watch::none().with_pool(pool())));
        (stopped.join().expect("a run"), whole.join().expect("a run"))
    });
    let complete = [&stopped, &whole].map(|finished| finished.manifest.played.complete);
    assert_eq!(complete, [false, true]);
}
