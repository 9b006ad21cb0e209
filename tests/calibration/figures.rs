//! Figures of a calibration: what is expected, what was observed, and whether that is good enough.

use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::stats::jackknife::Estimate;
use rand_core::Rng;
use rand_pcg::Pcg32;
use rayon::prelude::*;
use serde::Serialize;
use std::env;
use std::fs::File;
use std::path::Path;

/// Simulations from which on the bounds are those of the long form.
const LONG: u64 = 2000;

/// One figure.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// What is calibrated.
    pub what: String,
    /// The setting.
    pub setting: String,
    /// Runs that were simulated.
    pub simulations: u64,
    /// The expected value.
    pub expected: f64,
    /// The observed value.
    pub observed: f64,
    /// The standard error of the observed value.
    pub se: f64,
    /// The lower bound.
    pub lo: f64,
    /// The upper bound.
    pub hi: f64,
    /// Whether the observed value is within the bounds.
    pub holds: bool,
}

/// What an observed figure is compared with.
#[derive(Debug, Clone, Copy)]
pub enum Bound {
    /// Intervals of level 95 % should cover in 93 to 97 % of runs.
    Coverage,
    /// Something should happen in this share of runs at most, plus two standard errors.
    AtMost(f64),
    /// Something should happen in about this share of runs, give or take an absolute tolerance.
    About(f64, f64),
}

/// How many runs to simulate: the short form's number, or what the environment asks for.
pub fn simulations(short: u64) -> u64 {
    let asked = env::var("FAIRHAVEN_SIMULATIONS").ok();
    asked.map_or(short, |text| text.parse().expect("FAIRHAVEN_SIMULATIONS is a number"))
}

/// The same, where runs take long: a part of them, and all if `FAIRHAVEN_CASES` is `all`.
pub fn simulations_of(part: u64, all: u64) -> u64 {
    let takes_all = env::var("FAIRHAVEN_CASES").is_ok_and(|which| which == "all");
    simulations(if takes_all { all } else { part })
}

/// A share of `n` runs, with how far it may lie by chance. The long form has the bounds that are
/// asked for; the short one adds 4 standard errors, so that only a gross fault shows.
pub fn share(what: &str, setting: &str, (hits, n): (u64, u64), bound: Bound) -> Figure {
    let (count, observed) = (n as f64, hits as f64 / n as f64);
    let of = |p: f64| (p * (1.0 - p) / count).sqrt();
    let long = n >= LONG;
    let errors = if long { 2.0 } else { 4.0 };
    let (expected, lo, hi) = match bound {
        Bound::Coverage if long => (0.95, 0.93, 0.97),
        Bound::Coverage => (0.95, 0.93 - 4.0 * of(0.93), 1.0),
        Bound::AtMost(p) => (p, 0.0, p + errors * of(p)),
        Bound::About(p, tolerance) => {
            let width = tolerance + 4.0 * of(p);
            (p, p - width, p + width)
        }
    };
    Figure {
        what: what.to_owned(),
        setting: setting.to_owned(),
        simulations: n,
        expected,
        observed,
        se: of(observed),
        lo: lo.max(0.0),
        hi: hi.min(1.0),
        holds: lo <= observed && observed <= hi,
    }
}

/// A mean over `n` runs that should be `expected`, within a share of it and 4 standard errors.
pub fn mean(what: &str, setting: &str, values: &[f64], (expected, within): (f64, f64)) -> Figure {
    let n = values.len() as f64;
    let observed = values.iter().sum::<f64>() / n;
    let square: f64 = values.iter().map(|v| (v - observed) * (v - observed)).sum();
    let se = (square / (n - 1.0) / n).sqrt();
    let width = expected * within + 4.0 * se;
    Figure {
        what: what.to_owned(),
        setting: setting.to_owned(),
        simulations: values.len() as u64,
        expected,
        observed,
        se,
        lo: expected - width,
        hi: expected + width,
        holds: (observed - expected).abs() <= width,
    }
}

/// What an interval should cover: its name, its setting, the truth.
pub type Target = (String, String, f64);

/// How often the estimates of each run cover the truth, of those that have an interval.
pub fn coverage(
    targets: &[Target],
    n: u64,
    run: impl Fn(u64) -> Vec<Option<Estimate>> + Sync,
) -> Vec<Figure> {
    let covers = |estimate: &Option<Estimate>, truth: f64| {
        let interval = estimate.as_ref().and_then(|estimate| estimate.interval);
        let held = interval.map(|(lo, hi)| lo - 1e-12 <= truth && truth <= hi + 1e-12);
        held.map_or((0, 0), |held| (u64::from(held), 1))
    };
    let of_run = |seed: u64| -> Vec<(u64, u64)> {
        let found = run(seed);
        assert_eq!(found.len(), targets.len(), "an estimate for each target");
        found.iter().zip(targets).map(|(one, (_, _, truth))| covers(one, *truth)).collect()
    };
    let add = |mut sum: Vec<(u64, u64)>, more: Vec<(u64, u64)>| {
        sum.iter_mut().zip(more).for_each(|(sum, more)| *sum = (sum.0 + more.0, sum.1 + more.1));
        sum
    };
    let none = || vec![(0, 0); targets.len()];
    let all = (0..n).into_par_iter().map(of_run).reduce(none, add);
    let figure = |((what, setting, _), (held, given)): (&Target, (u64, u64))| {
        share(what, setting, (held, given.max(1)), Bound::Coverage)
    };
    targets.iter().zip(all).map(figure).collect()
}

/// Writes the figures where the environment asks for them, and fails if one does not hold and is
/// not known to.
///
/// `outside` names the settings that are known to lie outside the bounds of the long form, and why.
pub fn report(name: &str, figures: &[Figure], outside: &[(&str, &str)]) {
    write(name, figures);
    check(figures, outside);
}

/// Writes the figures where the environment asks for them.
pub fn write(name: &str, figures: &[Figure]) {
    let Ok(folder) = env::var("FAIRHAVEN_REPORT") else { return };
    let file = File::create(Path::new(&folder).join(format!("{name}.csv")));
    let mut writer = csv::Writer::from_writer(file.expect("FAIRHAVEN_REPORT is a folder"));
    for figure in figures {
        writer.serialize(rounded(figure)).expect("a row of numbers");
    }
    writer.flush().expect("a file that can be written");
}

/// Fails if a figure does not hold and is not among those that are known not to.
pub fn check(figures: &[Figure], outside: &[(&str, &str)]) {
    let known = |figure: &Figure| {
        outside.iter().any(|(what, setting)| *what == figure.what && *setting == figure.setting)
    };
    let faults: Vec<&Figure> = figures.iter().filter(|one| !one.holds && !known(one)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

fn rounded(figure: &Figure) -> Figure {
    let round = |value: f64| (value * 1e6).round() / 1e6;
    Figure {
        expected: round(figure.expected),
        observed: round(figure.observed),
        se: round(figure.se),
        lo: round(figure.lo),
        hi: round(figure.hi),
        ..figure.clone()
    }
}

/// The luck of one run of a calibration.
pub fn luck(calibration: u64, run: u64) -> Pcg32 {
    BlockSeed::new(calibration, run).stream(Stream::Study, None, 0)
}

/// Something with this probability.
pub fn happens(rng: &mut Pcg32, p: f64) -> bool {
    f64::from(rng.next_u32()) < p * 4_294_967_296.0
}
