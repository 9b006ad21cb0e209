//! Fixed-sample intervals of artificial blocks, divided into chunks as by the runner.

use crate::figures::{Target, coverage, happens, luck, report, simulations};
use fairhaven::sim::batch::Chunking;
use fairhaven::stats::held::Held;
use fairhaven::stats::jackknife::{Grouped, Sums};
use rand_pcg::Pcg32;

/// The sums of a run: `block` adds those of one block.
fn run(blocks: u64, width: usize, mut block: impl FnMut(&mut [u64])) -> Grouped {
    let plan = Chunking { blocks, chunk: Chunking::chunk_for(blocks) };
    let mut grouped = Grouped::new(width);
    let mut sums = vec![0; width];
    for chunk in 0..plan.chunks() {
        let blocks = plan.blocks_of(chunk..chunk + 1);
        sums.fill(0);
        for _ in blocks.clone() {
            block(&mut sums);
        }
        grouped.add(chunk, blocks.end - blocks.start, &sums);
    }
    grouped
}

/// Wins of the matches of one block, which share their luck in half of the blocks.
fn wins(rng: &mut Pcg32, rate: f64, matches: u64) -> u64 {
    if matches > 1 && happens(rng, 0.5) {
        return matches * u64::from(happens(rng, rate));
    }
    (0..matches).map(|_| u64::from(happens(rng, rate))).sum()
}

fn target(what: &str, setting: String, truth: f64) -> Target {
    (what.to_owned(), setting, truth)
}

#[test]
fn shares_are_covered() {
    let n = simulations(200);
    let mut figures = Vec::new();
    for rate in [0.25, 0.03, 0.005] {
        for blocks in [50, 200, 1000, 20_000] {
            for matches in [1, 4] {
                let setting = format!("{} % {blocks} blocks of {matches}", rate * 100.0);
                let targets = [target("share", setting, rate)];
                figures.extend(coverage(&targets, n, |seed| {
                    let mut rng = luck(1, seed);
                    let grouped = run(blocks, 2, |sums| {
                        sums[0] += wins(&mut rng, rate, matches);
                        sums[1] += matches;
                    });
                    vec![grouped.share(|sums| sums.ratio(0, 1))]
                }));
            }
        }
    }
    report("shares", &figures, SHARES_OUTSIDE);
}

/// With one win or none on the mean, coverage goes by steps (0.5 %, 50 or 200 blocks). Where matches of
/// a block are wholly alike in half of the blocks and few have a win, the sample often shows none
/// with four of them, so nothing in it tells how alike they are.
const SHARES_OUTSIDE: &[(&str, &str)] = &[
    ("share", "3 % 50 blocks of 4"),
    ("share", "0.5 % 50 blocks of 1"),
    ("share", "0.5 % 200 blocks of 4"),
    ("share", "0.5 % 1000 blocks of 4"),
];

/// Turns until something of probability 1/10 happens: a skewed number with mean 10.
fn turns(rng: &mut Pcg32) -> u64 {
    1 + (0..1000).take_while(|_| !happens(rng, 0.1)).count() as u64
}

#[test]
fn means_are_covered() {
    let n = simulations(200);
    let mut figures = Vec::new();
    for blocks in [50, 200, 1000, 20_000] {
        let setting = |of: &str| format!("{of}, {blocks} blocks");
        let targets = [
            target("mean", setting("turns"), 10.0),
            target("mean", setting("0.1 events a match"), 0.1),
            target("mean", setting("0.01 events a match"), 0.01),
            target("average", setting("turns"), 10.0),
            target("average", setting("0.1 events a match"), 0.1),
            target("average", setting("0.01 events a match"), 0.01),
            target("rate", setting("0.1 events a match"), 0.1),
            target("rate", setting("0.01 events a match"), 0.01),
            target("rate", setting("0.1 events a match, one by one"), 0.1),
            target("rate", setting("0.01 events a match, one by one"), 0.01),
        ];
        figures.extend(coverage(&targets, n, |seed| {
            let mut rng = luck(2, seed);
            let grouped = run(blocks, 6, |sums| {
                sums[0] += 1;
                sums[1] += turns(&mut rng);
                // Events come in pairs.
                sums[2] += 2 * u64::from(happens(&mut rng, 0.05));
                sums[3] += 2 * u64::from(happens(&mut rng, 0.005));
                sums[4] += u64::from(happens(&mut rng, 0.1));
                sums[5] += u64::from(happens(&mut rng, 0.01));
            });
            let mean = |of: usize| grouped.mean(|sums| sums.ratio(of, 0));
            let rate =
                |of: usize| grouped.rate(|sums| sums.ratio(of, 0), 1.0 / blocks as f64, None);
            let average = |of: usize| grouped.average(|sums| sums.ratio(of, 0));
            let averages = [average(1), average(2), average(3)];
            vec![
                mean(1),
                mean(2),
                mean(3),
                averages[0],
                averages[1],
                averages[2],
                rate(2),
                rate(3),
                rate(4),
                rate(5),
            ]
        }));
    }
    report("means", &figures, MEANS_OUTSIDE);
}

/// How far the ends of a mean lie below and above it, in standard errors, of 60 blocks with these numbers.
fn reach(number: impl Fn(u64) -> u64) -> (f64, f64) {
    let mut block = 0;
    let grouped = run(60, 2, |sums| {
        sums[0] += 1;
        sums[1] += number(block);
        block += 1;
    });
    let estimate = grouped.average(|sums| sums.ratio(1, 0)).expect("a mean");
    let (se, (low, high)) = (estimate.se.expect("many groups"), estimate.interval.expect("enough"));
    ((estimate.value - low) / se, (high - estimate.value) / se)
}

#[test]
fn a_mean_reaches_further_on_the_side_of_its_tail() {
    // A seat that wins nine matches of ten with 10 points, and else has 2 or 7; a length with a long tail.
    let (below, above) =
        reach(|block| if block % 10 == 3 { 2 + 5 * (block % 20 / 10) } else { 10 });
    assert!(below > above + 0.3 && above > 1.9, "{below} {above}");
    let (below, above) = reach(|block| if block % 20 == 3 { 300 } else { 40 + block % 7 });
    assert!(above > below + 0.3, "{below} {above}");
    // Without skewness both ends are those of Student's t.
    let (below, above) = reach(|block| 100 + block % 5);
    assert!((above - below).abs() < 0.1, "{below} {above}");
}

/// An interval of equal length to both sides fails where a handful of events was seen, and is nothing
/// where none was; that is why anomalies are told as rates. Rates take events for single ones until
/// they have seen some, and go by steps where one is expected at most.
const MEANS_OUTSIDE: &[(&str, &str)] = &[
    ("mean", "0.1 events a match, 50 blocks"),
    ("mean", "0.01 events a match, 50 blocks"),
    ("mean", "0.01 events a match, 200 blocks"),
    ("mean", "0.01 events a match, 1000 blocks"),
    ("rate", "0.1 events a match, 50 blocks"),
    ("rate", "0.01 events a match, 50 blocks"),
    ("rate", "0.01 events a match, one by one, 50 blocks"),
];

#[test]
fn ratios_are_covered() {
    // Seats that take a card, of four in a match, and their wins: both vary, and a seat that takes
    // it wins more often.
    let n = simulations(200);
    let mut figures = Vec::new();
    for take in [0.3, 0.03, 0.99] {
        for blocks in [50, 200, 1000, 20_000] {
            let (with, without) = (0.4, 0.2);
            let setting = format!("{} % of seats take it, {blocks} blocks", take * 100.0);
            let targets = [
                target("ratio by Wilson", setting.clone(), with),
                target("ratio by t", setting.clone(), with),
                target("difference of ratios", setting, with - without),
            ];
            figures.extend(coverage(&targets, n, |seed| {
                let mut rng = luck(3, seed);
                let grouped = run(blocks, 4, |sums| {
                    for _ in 0..4 {
                        let taken = happens(&mut rng, take);
                        let won = happens(&mut rng, if taken { with } else { without });
                        let at = 2 * usize::from(!taken);
                        sums[at] += u64::from(won);
                        sums[at + 1] += 1;
                    }
                });
                vec![
                    grouped.share_among(|sums| sums.ratio(0, 1), Held::anywhere(grouped.sum(1))),
                    grouped.mean(|sums| sums.ratio(0, 1)),
                    grouped.share_difference(
                        (&|sums: Sums<'_>| sums.ratio(0, 1), Held::anywhere(grouped.sum(1))),
                        (&|sums: Sums<'_>| sums.ratio(2, 3), Held::anywhere(grouped.sum(3))),
                    ),
                ]
            }));
        }
    }
    report("ratios", &figures, RATIOS_OUTSIDE);
}

/// Six takers on the mean, or 24: coverage goes by steps, and equal lengths to both sides fail.
const RATIOS_OUTSIDE: &[(&str, &str)] = &[
    ("ratio by t", "3 % of seats take it, 50 blocks"),
    ("difference of ratios", "3 % of seats take it, 50 blocks"),
    ("ratio by Wilson", "3 % of seats take it, 200 blocks"),
];
