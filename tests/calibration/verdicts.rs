//! Verdicts on the options of a choice: how often they are wrong where the truth lies at an end of the margin,
//! which is where they are wrong most often.

use crate::figures::{Bound, Figure, happens, luck, report, share, simulations, simulations_of};
use fairhaven::core::game::End;
use fairhaven::core::types::seat::{SEATS_MAX, Seat};
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::lab::questions::studies::restricted::RestrictedEffects;
use fairhaven::lab::questions::studies::verdicts;
use fairhaven::lab::report::comparison::Finding;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::sim::counts::restricted::RestrictedCount;
use fairhaven::sim::match_summary::MatchSummary;
use fairhaven::sim::trials::{BLOCKS, COMMON, Count, Trial};
use fairhaven::stats::jackknife::Grouped;
use rand_pcg::Pcg32;
use rayon::prelude::*;

/// Options, each for the one seat of a match: all that the count needs.
const COUNT: RestrictedCount = RestrictedCount { options: 4, players: 1 };
/// Blocks of a run that is played to its end, and of one that is watched.
const FIXED: u64 = 640;
const WATCHED: u64 = 2048;
/// Blocks between two looks.
const LOOK: u64 = 256;

/// Win rates by option at one level of play, and the margin.
type Truth = ([f64; 4], f64);

/// One option lies at the margin, the others inside of it.
const ONE_AT_THE_MARGIN: Truth = ([0.6, 0.4667, 0.4667, 0.4666], 0.1);
/// All options lie at the margin.
const ALL_AT_THE_MARGIN: Truth = ([0.6, 0.6, 0.4, 0.4], 0.1);
/// The best and the worst differ by the margin, the others lie between.
const PAIR_AT_THE_MARGIN: Truth = ([0.6, 0.5, 0.5, 0.4], 0.2);
/// Each of the better ones differs from each of the worse ones by the margin.
const PAIRS_AT_THE_MARGIN: Truth = ([0.6, 0.6, 0.4, 0.4], 0.2);
/// One wins most of the time, one seldom: of a handful of blocks all may be alike for these two.
const FAR_APART: Truth = ([0.8, 0.5, 0.5, 0.2], 0.1);
/// One wins nearly always: of a dozen blocks all are often alike for it, while the others vary.
const FAR_AHEAD: Truth = ([0.95, 0.1, 0.1, 0.1], 0.1);
/// Nothing differs.
const EQUAL: Truth = ([0.5; 4], 0.1);

fn match_of(won: bool) -> Trial {
    Trial::Ended(MatchSummary {
        end: End::Won,
        winner: won.then_some(Seat::FIRST),
        points: [0; SEATS_MAX],
        turns: 9,
        decisions: 9,
        lead_changes: 0,
        comeback: false,
        luck: [0; SEATS_MAX],
    })
}

/// Adds one block to a group; half of the blocks have the same luck for all options.
fn add_block(grouped: &mut Grouped, block: u64, rates: &[f64; 4], rng: &mut Pcg32) {
    let common = happens(rng, 0.5);
    let mut shared = rng.clone();
    let trials = rates.map(|rate| {
        let mut own = shared.clone();
        let won = happens(if common { &mut own } else { &mut shared }, rate);
        match_of(won)
    });
    happens(&mut shared, 0.5);
    *rng = shared;
    let mut sums = vec![0; COMMON + COUNT.width()];
    sums[BLOCKS] = 1;
    COUNT.count(block, &trials, &mut sums[COMMON..]);
    grouped.add(block, 1, &sums);
}

fn section((at, grouped): (usize, &Grouped), margin: f64, watched: bool) -> RestrictedEffects<'_> {
    RestrictedEffects {
        estimator: Estimator::new(grouped, COMMON, watched),
        count: COUNT,
        level: format!("level {at}"),
        options: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        margin,
    }
}

fn table(levels: &[Grouped], margin: f64, watched: bool) -> Table {
    let section = |of| section(of, margin, watched);
    let sections: Vec<RestrictedEffects<'_>> = levels.iter().enumerate().map(section).collect();
    verdicts::table(&[], &sections, &[], 0)
}

/// The verdicts of a run of so many blocks, or of each look of one that is watched.
fn tables(
    (rates, margin): Truth,
    (levels, blocks): (usize, u64),
    watched: bool,
    rng: &mut Pcg32,
) -> Vec<Table> {
    let mut grouped = vec![Grouped::new(COMMON + COUNT.width()); levels];
    let mut tables = Vec::new();
    for block in 0..blocks {
        for level in &mut grouped {
            add_block(level, block, &rates, rng);
        }
        if block + 1 == blocks || watched && (block + 1) % LOOK == 0 {
            tables.push(table(&grouped, margin, watched));
        }
    }
    tables
}

fn row<'t>(table: &'t Table, level: &str, metric: &str) -> &'t Row {
    let wanted =
        |row: &&Row| row.keys[0] == level && row.keys[2].is_empty() && row.metric == metric;
    table.rows.iter().find(wanted).expect("a row for each level")
}

/// How often any look of a run gives a verdict that begins so.
fn wrongly(
    word: &str,
    (setting, truth): (&str, Truth),
    (level, metric): (&str, &str),
    watched: bool,
) -> Figure {
    let n = simulations_of(60, 200);
    let levels = if level == "all" { 2 } else { 1 };
    let says = |seed: &u64| {
        let blocks = if watched { WATCHED } else { FIXED };
        let tables = tables(truth, (levels, blocks), watched, &mut luck(300, *seed));
        let said = |finding: &Finding| finding.words().starts_with(word);
        tables.iter().any(|table| row(table, level, metric).finding().is_some_and(said))
    };
    let wrong = (0..n).into_par_iter().filter(says).count() as u64;
    let how = if watched { "watched" } else { "fixed" };
    let setting = format!("{metric}, {level}, {how}: {setting}");
    share(&format!("wrongly {word}"), &setting, (wrong, n), Bound::AtMost(0.05))
}

#[test]
fn verdicts_are_wrong_as_seldom_as_promised() {
    let one = ("one option at the margin", ONE_AT_THE_MARGIN);
    let all = ("all options at the margin", ALL_AT_THE_MARGIN);
    let pair = ("one pair at the margin", PAIR_AT_THE_MARGIN);
    let pairs = ("four pairs at the margin", PAIRS_AT_THE_MARGIN);
    let mut figures = Vec::new();
    for watched in [false, true] {
        for level in ["level 0", "all"] {
            let of = (level, "largest_effect");
            figures.push(wrongly("balanced", one, of, watched));
            figures.push(wrongly("unbalanced", all, of, watched));
        }
        let of = ("level 0", "largest_difference");
        figures.push(wrongly("balanced", pair, of, watched));
        figures.push(wrongly("unbalanced", pairs, of, watched));
    }
    report("verdicts", &figures, &[]);
}

/// How often the interval of the effect of the first option, or of the last, does not hold it, of the runs that have one.
fn effect_misses((rates, margin): Truth, blocks: u64, option: usize) -> (u64, u64) {
    let effect = rates[option] - rates.iter().sum::<f64>() / 4.0;
    let of_run = |seed: u64| {
        let mut grouped = Grouped::new(COMMON + COUNT.width());
        let mut rng = luck(302, seed);
        (0..blocks).for_each(|block| add_block(&mut grouped, block, &rates, &mut rng));
        let (lo, hi) = section((0, &grouped), margin, false).rates().effect(option)?.interval?;
        Some(!(lo <= effect && effect <= hi))
    };
    let found: Vec<bool> = (0..simulations(200)).into_par_iter().filter_map(of_run).collect();
    (found.iter().filter(|missed| **missed).count() as u64, found.len() as u64)
}

#[test]
fn the_largest_difference_is_covered_though_it_was_picked() {
    let n = simulations(200);
    let mut figures = Vec::new();
    for (setting, truth, largest, blocks) in [
        ("equal options", EQUAL, 0.0, FIXED),
        ("four pairs alike", PAIRS_AT_THE_MARGIN, 0.2, FIXED),
        ("one pair far apart, 3 blocks", FAR_APART, 0.6, 3),
        ("one pair far apart, 4 blocks", FAR_APART, 0.6, 4),
        ("one pair far apart, 6 blocks", FAR_APART, 0.6, 6),
        ("one pair far apart, 20 blocks", FAR_APART, 0.6, 20),
        ("one far ahead, 12 blocks", FAR_AHEAD, 0.85, 12),
        ("one far ahead, 20 blocks", FAR_AHEAD, 0.85, 20),
    ] {
        let misses = |seed: &u64| {
            let tables = tables(truth, (1, blocks), false, &mut luck(301, *seed));
            let row = row(&tables[0], "level 0", "largest_difference");
            // Where all blocks are alike for all options, nothing is said.
            let interval = row.estimate.and_then(|row| row.interval);
            assert!(interval.is_some() || blocks < FIXED, "many blocks");
            interval.is_some_and(|(lo, hi)| !(lo <= largest && largest <= hi))
        };
        let missed = (0..n).into_par_iter().filter(misses).count() as u64;
        figures.push(share("interval misses", setting, (missed, n), Bound::AtMost(0.05)));
        for (what, option) in [("effect of the first", 0), ("effect of the last", 3)] {
            let missed = effect_misses(truth, blocks, option);
            figures.push(share(what, setting, missed, Bound::AtMost(0.05)));
        }
    }
    report("largest", &figures, &[]);
}
