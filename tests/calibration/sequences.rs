//! Confidence sequences: runs that are watched, and how often any look misses the truth.

use crate::closed_form::{self, uniform};
use crate::figures::{Bound, Figure, happens, luck, report, share, simulations, simulations_of};
use crate::setup::{Setup, Who, found};
use crate::toy::{Die, Rules};
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::sim::batch::Flow;
use fairhaven::stats::betting;
use fairhaven::stats::jackknife::Grouped;
use rand_pcg::Pcg32;
use rayon::prelude::*;

/// How many runs of `n` something happens in.
fn count(n: u64, happens: impl Fn(u64) -> bool + Sync) -> (u64, u64) {
    ((0..n).into_par_iter().map(|seed| u64::from(happens(seed))).sum(), n)
}

/// Scores of a duel of four players, in wins: each lone agent wins with these chances in each of
/// its four matches.
fn score(rng: &mut Pcg32, [a, b]: [f64; 2]) -> usize {
    let mut wins = |p: f64| (0..4).filter(|_| happens(rng, p)).count();
    4 + wins(a) - wins(b)
}

const VALUES: [f64; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];

#[test]
fn sequences_by_betting_seldom_miss() {
    let n = simulations(40);
    let (looks, blocks_a_look) = (100, 16);
    let mut figures = Vec::new();
    for (setting, rates) in [
        ("equal agents, 25 %", [0.25, 0.25]),
        ("30 % against 25 %", [0.3, 0.25]),
        ("rare wins, 3 % against 0.5 %", [0.03, 0.005]),
    ] {
        let truth = rates[0] - rates[1];
        let misses = count(n, |seed| {
            let mut rng = luck(11, seed);
            let mut counts = [0; 9];
            (0..looks).any(|_| {
                for _ in 0..blocks_a_look {
                    counts[score(&mut rng, rates)] += 1;
                }
                let (lo, hi) = betting::interval(&VALUES, &counts, 0.05);
                truth < lo || hi < truth
            })
        });
        let setting = format!("{setting}, a look each 16 blocks up to 1600");
        figures.push(share("betting, ever missed", &setting, misses, Bound::AtMost(0.05)));
    }
    report("betting", &figures, &[]);
}

#[test]
fn asymptotic_sequences_seldom_miss() {
    let n = simulations_of(40, 100);
    let mut figures: Vec<Figure> = Vec::new();
    for (setting, rate) in [("25 %", 0.25), ("3 %", 0.03), ("0.5 %", 0.005)] {
        let misses = count(n, |seed| {
            let mut rng = luck(12, seed);
            let mut grouped = Grouped::new(2);
            // As `--until` looks: each 32 blocks, from 256 on.
            (0..625).any(|chunk| {
                let wins = (0..32).filter(|_| happens(&mut rng, rate)).count() as u64;
                grouped.add(chunk, 32, &[wins, 32]);
                let estimator = Estimator::new(&grouped, 0, true);
                let share = estimator.share(|view| view.ratio(0, 1));
                let interval = share.and_then(|share| share.interval);
                let missed = interval.is_some_and(|(lo, hi)| rate < lo || hi < rate);
                chunk >= 7 && missed
            })
        });
        let setting = format!("{setting}, a look each 32 blocks from 256 to 20000");
        figures.push(share("asymptotic, ever missed", &setting, misses, Bound::AtMost(0.05)));
    }
    report("asymptotic", &figures, &[]);
}

#[test]
fn runs_that_stop_by_themselves_seldom_miss() {
    // `balance --until` on the dice race: any of four effects, at any look until it stops.
    let n = simulations_of(15, 40);
    let (players, rules) = (3, Rules::default());
    let setup = Setup::balance(rules.clone(), 3, "die", &[Who::Uniform]).until(0.04);
    let success = vec![uniform(&rules); players];
    let rate = |die| closed_form::forced(closed_form::die(&rules, die), &success, 60);
    let mean: f64 = Die::ALL.into_iter().map(rate).sum::<f64>() / 4.0;
    let runs: Vec<(bool, bool)> = (0..n)
        .into_par_iter()
        .map(|seed| {
            let (mut ever, mut last) = (false, false);
            let setup = Setup { seed, ..setup.clone() };
            setup.alone(|study, totals| {
                if totals.blocks() < 256 {
                    return Flow::On;
                }
                let tables = study.tables(totals);
                let effect = found(&tables, "choices", &["uniform", "a"], "effect");
                let (lo, hi) = effect.interval.expect("many blocks");
                let truth = rate(Die::A) - mean;
                last = truth < lo || hi < truth;
                ever |= last;
                study.stop(totals).map_or(Flow::On, |_| Flow::Stop)
            });
            (ever, last)
        })
        .collect();
    let of = |missed: fn(&(bool, bool)) -> bool| {
        (runs.iter().filter(|run| missed(run)).count() as u64, n)
    };
    let setting = "forced effect, balance --until ci=4pp";
    let figures = [
        share("watched run, ever missed", setting, of(|run| run.0), Bound::AtMost(0.05)),
        share("watched run, missed at its stop", setting, of(|run| run.1), Bound::AtMost(0.05)),
    ];
    report("until", &figures, &[]);
}
