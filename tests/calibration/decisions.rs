//! The sequential test: how often it errs and how long it takes, compared with Wald's formulas.

use crate::closed_form::even_difference;
use crate::figures::{Bound, Figure, happens, luck, mean, report, share, simulations};
use crate::setup::{Setup, Who};
use crate::toy::Rules;
use fairhaven::sim::batch::{Chunking, Flow};
use fairhaven::sim::counts::duel::DuelCount;
use fairhaven::sim::trials;
use fairhaven::stats::mean_test::LIKELIHOOD;
use fairhaven::stats::sequential::{self, Bounds, Decision, Scores};
use rayon::prelude::*;

/// Rates of both errors that are asked for.
const RATES: (f64, f64) = (0.05, 0.05);

/// The part of them that the likelihood ratio has in a duel; between agents that are close, betting hardly
/// ever decides.
const SHARED: (f64, f64) = (LIKELIHOOD * RATES.0, LIKELIHOOD * RATES.1);

/// Whether runs accepted the alternative, and after how many blocks.
fn figures(
    setting: &str,
    runs: &[(bool, u64)],
    rates: (f64, f64),
    (mean0, mean1, truth, variance): (f64, f64, f64, f64),
) -> Vec<Figure> {
    let bounds = Bounds::new(rates.0, rates.1);
    let accept = bounds.operating_characteristic(truth, mean0, mean1);
    let blocks = bounds.expected_blocks(truth, variance, mean0, mean1);
    let accepted = runs.iter().filter(|run| run.0).count() as u64;
    let lengths: Vec<f64> = runs.iter().map(|run| run.1 as f64).collect();
    vec![
        share(
            "alternative accepted",
            setting,
            (accepted, runs.len() as u64),
            Bound::About(accept, 0.01),
        ),
        // By exceeding its bound, the last look makes a run a little longer.
        mean("blocks", setting, &lengths, (blocks, 0.1)),
    ]
}

#[test]
fn the_sequential_test_errs_and_lasts_as_wald_says() {
    const VALUES: [f64; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];
    let n = simulations(200);
    let (mean0, mean1) = (0.0, 0.02);
    let mut all = Vec::new();
    for (setting, truth) in [("null", 0.0), ("between", 0.01), ("alternative", 0.02)] {
        let rates = [0.25 + truth / 2.0, 0.25 - truth / 2.0];
        let variance = rates.iter().map(|p| p * (1.0 - p) / 4.0).sum::<f64>();
        let run = |seed| {
            let mut rng = luck(21, seed);
            let mut counts = [0; 9];
            for look in 1..100_000 {
                for _ in 0..16 {
                    let mut wins = |p: f64| (0..4).filter(|_| happens(&mut rng, p)).count();
                    counts[4 + wins(rates[0]) - wins(rates[1])] += 1;
                }
                let llr = sequential::llr(Scores::new(&VALUES, &counts), mean0, mean1);
                match Bounds::new(RATES.0, RATES.1).decide(llr) {
                    Decision::Continue => {}
                    decision => return (decision == Decision::AcceptAlternative, look * 16),
                }
            }
            panic!("no decision");
        };
        let runs: Vec<(bool, u64)> = (0..n).into_par_iter().map(run).collect();
        let setting = format!("made-up score, 2 pp, truth: {setting}");
        all.extend(figures(&setting, &runs, RATES, (mean0, mean1, truth, variance)));
    }
    report("sequential", &all, &[]);
}

/// The variance of a block's score, as a difference of win rates, from many blocks.
fn variance(setup: &Setup) -> f64 {
    let (duel, blocks) = (DuelCount::of(&setup.matches).expect("a duel"), 100_000);
    let setup = Setup { plan: Chunking { blocks, chunk: 1000 }, seed: 999, ..setup.clone() };
    let mut moments = [0.0; 2];
    setup.alone(|_, totals| {
        let n = i64::try_from(setup.matches.len()).expect("few matches");
        let at = |score| totals.grouped.sum(trials::COMMON + duel.score(score)) as f64;
        let moment = |power: i32| -> f64 {
            let value = |score: i64| (score as f64 / n as f64).powi(power);
            (-n..=n).map(|score| at(score) * value(score)).sum::<f64>() / blocks as f64
        };
        moments = [moment(1), moment(2)];
        Flow::On
    });
    moments[1] - moments[0] * moments[0]
}

#[test]
fn duels_err_and_last_as_wald_says() {
    let n = simulations(60);
    // The alternative is planted. One who rolls dice of 30 and 10 per cent evenly is as strong as one
    // who rolls either at random, and draws otherwise; one who prefers die a a little is stronger.
    let rules = Rules::of([30, 10, 0, 0]);
    let [bold, even] = [Who::Shy(58), Who::Mirror];
    let planted = even_difference(bold.success(&rules), even.success(&rules), 4, 60);
    let mut all = Vec::new();
    for (setting, agents, truth) in [
        ("equal agents", [Who::Uniform, Who::Mirror], 0.0),
        ("planted strength", [bold, even], planted),
        // Where one wins whatever the other wins on the same luck, and more, scores are one-sided.
        ("planted strength, one-sided scores", [bold, Who::Shy(50)], planted),
    ] {
        let setup = Setup::duel(rules.clone(), 4, agents, planted);
        let run = |seed| {
            let (mut accepted, mut blocks) = (None, 0);
            let setup = Setup { seed, ..setup.clone() };
            setup.alone(|study, totals| {
                let stopped = study.stop(totals);
                blocks = totals.blocks();
                accepted = stopped.map(|says| !says.contains("accepts a difference of 0 pp"));
                accepted.map_or(Flow::On, |_| Flow::Stop)
            });
            (accepted.expect("a decision"), blocks)
        };
        let runs: Vec<(bool, u64)> = (0..n).into_par_iter().map(run).collect();
        let setting = format!("dice race, {:.2} pp, {setting}", planted * 100.0);
        let truth = (0.0, planted, truth, variance(&setup));
        all.extend(figures(&setting, &runs, SHARED, truth));
    }
    report("duels", &all, DUELS_OUTSIDE);
}

/// Wald's formulas are for scores that are nearly normal where the hypotheses differ little. Scores
/// that are hardly ever negative are not, however little they differ: the test errs less often
/// there than it may, and takes longer.
const DUELS_OUTSIDE: &[(&str, &str)] = &[
    ("alternative accepted", "dice race, 4.25 pp, planted strength, one-sided scores"),
    ("blocks", "dice race, 4.25 pp, planted strength, one-sided scores"),
];
