//! Estimates of watched runs that end with a few groups of blocks: how often their intervals miss.

use crate::figures::{Bound, Figure, happens, luck, report, share, simulations};
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::stats::held::Held;
use fairhaven::stats::jackknife::{Estimate, Grouped};
use rayon::prelude::*;

/// Turns until something of probability 1/10 happens: mean 10, as skewed as lengths of matches.
const LENGTH: f64 = 10.0;

/// The estimates of a run of some groups: a share, a mean, a difference on common luck, a variance that is 1/4.
fn estimates(seed: u64, groups: u64, chunk: u64) -> [Option<Estimate>; 3] {
    let mut rng = luck(41, seed);
    let mut grouped = Grouped::new(4);
    for group in 0..groups {
        let mut sums = [0; 4];
        for _ in 0..chunk {
            sums[0] += 1;
            let (a, b) = (happens(&mut rng, 0.25), happens(&mut rng, 0.25));
            sums[1] += u64::from(a);
            sums[2] += u64::from(b);
            sums[3] += 1 + (0..1000).take_while(|_| !happens(&mut rng, 0.1)).count() as u64;
        }
        grouped.add(group, chunk, &sums);
    }
    let estimator = Estimator::new(&grouped, 0, true);
    let blocks = grouped.blocks() as f64;
    let all = Held::new(grouped.blocks(), grouped.blocks());
    let difference = |view: fairhaven::lab::questions::studies::estimator::SectionSums<'_>| {
        Some(view.ratio(1, 0)? - view.ratio(2, 0)?)
    };
    [
        estimator.share_among(|view| view.ratio(1, 0), all),
        estimator.average(|view| view.ratio(3, 0)),
        estimator.difference(difference, Some(0.375), blocks),
    ]
}

#[test]
fn few_groups_of_a_watched_run_seldom_miss() {
    let n = simulations(200);
    let mut figures: Vec<Figure> = Vec::new();
    for groups in [2, 3, 4, 8] {
        for chunk in [4, 32] {
            let missed = |seed: u64| {
                let truths = [0.25, LENGTH, 0.0];
                let estimates = estimates(seed, groups, chunk);
                let miss = |(estimate, truth): (&Option<Estimate>, f64)| {
                    let ends = estimate.and_then(|estimate| estimate.interval);
                    u64::from(ends.is_some_and(|(lo, hi)| truth < lo || hi < truth))
                };
                let missed: Vec<u64> = estimates.iter().zip(truths).map(miss).collect();
                missed
            };
            let add = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(b).map(|(a, b)| a + b).collect();
            let hits = (0..n).into_par_iter().map(missed).reduce(|| vec![0; 3], add);
            let setting = format!("{groups} groups of {chunk} blocks");
            for (what, hits) in ["share", "mean", "difference"].into_iter().zip(hits) {
                let what = format!("{what} of a watched run is missed");
                figures.push(share(&what, &setting, (hits, n), Bound::AtMost(0.05)));
            }
        }
    }
    report("groups", &figures, &[]);
}
