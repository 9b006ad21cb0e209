//! The test of `compare` where a block's score has a known law: how often it errs at its hypotheses, how many
//! blocks it takes at any gap beside the likelihood ratio alone, and what estimate and interval are worth
//! where it stops.

use crate::figures::{Bound, Figure, luck, report, share, simulations_of};
use fairhaven::stats::betting;
use fairhaven::stats::mean_test::MeanTest;
use fairhaven::stats::sequential::{Bounds, Decision};
use rand_core::Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::env;
use std::fs::File;
use std::path::Path;

/// 0 against 2 pp with error rates of 5 %, as `compare` asks if nothing else is said.
const USUAL: MeanTest = MeanTest { mean0: 0.0, mean1: 0.02, alpha: 0.05, beta: 0.05 };

/// How often a block had each score, from all matches lost to all won.
struct Law {
    name: &'static str,
    counts: &'static [u32],
}

/// Scores of On the Road, four players, the usual rules and seed 1, as often as they came: small runs of the
/// program's own agents, in even line-ups (six matches a block) and alone (eight). The last two are made up.
static LAWS: [Law; 6] = [
    // `heuristic` against `heuristic:haste=0.6`, 2,000 blocks.
    Law { name: "near", counts: &[15, 0, 138, 0, 400, 0, 755, 0, 470, 0, 198, 0, 24] },
    // The same agents alone, 1,500 blocks.
    Law {
        name: "near alone",
        counts: &[0, 0, 14, 0, 101, 0, 291, 0, 539, 0, 389, 0, 145, 0, 20, 0, 1],
    },
    // `heuristic` against `greedy`, 500 blocks.
    Law { name: "far", counts: &[0, 0, 6, 0, 33, 0, 86, 0, 172, 0, 152, 0, 51] },
    // `heuristic` against `heuristic:haste=0.28`, 1,000 blocks: nearly always the same match.
    Law { name: "alike", counts: &[1, 0, 31, 0, 7, 0, 930, 0, 4, 0, 27, 0, 0] },
    // Hardly ever negative.
    Law { name: "one-sided", counts: &[0, 0, 0, 0, 1, 0, 800, 0, 140, 0, 40, 0, 15] },
    // Small losses, and all or nothing for the rest.
    Law { name: "skewed", counts: &[0, 0, 0, 0, 80, 0, 0, 0, 0, 0, 0, 0, 20] },
];

/// What a rule says of scores.
type Rule = fn(&MeanTest, &[f64], &[u64]) -> Decision;

fn alone(test: &MeanTest, values: &[f64], counts: &[u64]) -> Decision {
    Bounds::new(test.alpha, test.beta).decide(test.llr(values, counts))
}

const RULES: [(&str, Rule); 2] = [("likelihood ratio", alone), ("both", MeanTest::decide)];

/// How a run ended.
struct End {
    accepted: bool,
    blocks: u64,
    estimate: f64,
    covered: bool,
}

impl Law {
    fn values(&self) -> Vec<f64> {
        let most = (self.counts.len() - 1) as f64 / 2.0;
        (0..self.counts.len()).map(|at| at as f64 / most - 1.0).collect()
    }

    /// The law tilted to a mean: p_j in proportion to c_j exp(θ s_j). A score that was not seen, but could
    /// come, counts a tenth.
    fn chances(&self, mean: f64) -> Vec<f64> {
        let values = self.values();
        let open = |at: usize| if at.is_multiple_of(2) { 0.1 } else { 0.0 };
        let tilted = |theta: f64| -> Vec<f64> {
            let weight = |(at, value): (usize, &f64)| {
                f64::from(self.counts[at]).max(open(at)) * (theta * value).exp()
            };
            let all: Vec<f64> = values.iter().enumerate().map(weight).collect();
            let sum: f64 = all.iter().sum();
            all.iter().map(|weight| weight / sum).collect()
        };
        let (mut low, mut high) = (-100.0, 100.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            let chances = tilted(middle);
            let reached: f64 = chances.iter().zip(&values).map(|(p, value)| p * value).sum();
            if reached < mean { low = middle } else { high = middle }
        }
        tilted(low)
    }

    /// Plays until a rule decides, looking at regular intervals.
    fn run(&self, (test, rule): (&MeanTest, Rule), mean: f64, look: u64, seed: u64) -> End {
        let (values, chances) = (self.values(), self.chances(mean));
        let mut counts = vec![0; values.len()];
        let mut rng = luck(31, seed);
        for blocks in 1..1_000_000 {
            let mut left = f64::from(rng.next_u32()) / 4_294_967_296.0;
            let mut past = |p: &f64| {
                left -= p;
                left < 0.0
            };
            counts[chances.iter().position(&mut past).unwrap_or(values.len() - 1)] += 1;
            if blocks % look != 0 {
                continue;
            }
            let decision = rule(test, &values, &counts);
            if decision != Decision::Continue {
                let pairs = values.iter().zip(&counts);
                let sum: f64 = pairs.map(|(value, &count)| value * count as f64).sum();
                let (lo, hi) = betting::interval(&values, &counts, 0.05);
                return End {
                    accepted: decision == Decision::AcceptAlternative,
                    blocks,
                    estimate: sum / blocks as f64,
                    covered: lo <= mean && mean <= hi,
                };
            }
        }
        panic!("no decision");
    }

    fn runs(&self, rule: (&MeanTest, Rule), mean: f64, look: u64, n: u64) -> Vec<End> {
        (0..n).into_par_iter().map(|seed| self.run(rule, mean, look, seed)).collect()
    }
}

#[test]
fn the_test_errs_no_more_often_than_it_may() {
    let n = simulations_of(10, 30);
    let mut figures: Vec<Figure> = Vec::new();
    for law in &LAWS {
        for (mean1, look) in [(0.02, 1), (0.02, 16), (0.1, 1), (0.1, 16)] {
            let test = MeanTest { mean1, ..USUAL };
            for (what, mean, wrong) in
                [("alternative at d0", 0.0, true), ("null at d1", mean1, false)]
            {
                let runs = law.runs((&test, MeanTest::decide), mean, look, n);
                let errors = runs.iter().filter(|end| end.accepted == wrong).count() as u64;
                let pp = mean1 * 100.0;
                let setting = format!("{}, 0 against {pp} pp, a look each {look}", law.name);
                figures.push(share(what, &setting, (errors, n), Bound::AtMost(0.05)));
            }
        }
    }
    report("errors", &figures, &[]);
}

/// A row of `stops.csv`.
#[derive(Serialize)]
struct Stops {
    law: &'static str,
    rule: &'static str,
    gap_pp: f64,
    simulations: u64,
    accepted: f64,
    blocks: f64,
    blocks_se: f64,
    estimate_pp: f64,
    covered: f64,
}

fn stops(law: &Law, (name, rule): (&'static str, Rule), gap: f64, n: u64) -> Stops {
    let runs = law.runs((&USUAL, rule), gap, 4, n);
    let mean = |of: &dyn Fn(&End) -> f64| runs.iter().map(of).sum::<f64>() / n as f64;
    let share = |of: fn(&End) -> bool| mean(&|end: &End| f64::from(u8::from(of(end))));
    let blocks = mean(&|end| end.blocks as f64);
    let square = mean(&|end| (end.blocks as f64 - blocks).powi(2));
    let round = |value: f64| (value * 1e4).round() / 1e4;
    Stops {
        law: law.name,
        rule: name,
        gap_pp: gap * 100.0,
        simulations: n,
        accepted: round(share(|end| end.accepted)),
        blocks: round(blocks),
        blocks_se: round((square / n as f64).sqrt()),
        estimate_pp: round(mean(&|end| end.estimate * 100.0)),
        covered: round(share(|end| end.covered)),
    }
}

#[test]
fn clear_cases_end_early_and_close_ones_hardly_later() {
    let n = simulations_of(15, 40);
    let mut rows = Vec::new();
    for law in &LAWS {
        for gap in [0.0, 0.01, 0.02, 0.05, 0.1, 0.4, 0.9] {
            let [old, new] = RULES.map(|rule| stops(law, rule, gap, n));
            let se = old.blocks_se.hypot(new.blocks_se);
            // The likelihood ratio gains at most ln 1.02 a block, and has to reach ln 19.
            assert!(old.blocks >= 149.0 || gap < 0.01, "{} at {gap}: {}", law.name, old.blocks);
            assert!(new.blocks <= 1.15 * old.blocks + 4.0 * se, "{} at {gap}", law.name);
            if gap >= 0.4 {
                assert!(new.blocks <= 40.0, "{} at {gap}: {}", law.name, new.blocks);
            }
            assert!(new.covered >= 0.95 - 4.0 * (0.05 * 0.95 / n as f64).sqrt());
            rows.extend([old, new]);
        }
    }
    if let Ok(folder) = env::var("FAIRHAVEN_REPORT") {
        let file = File::create(Path::new(&folder).join("stops.csv"));
        let mut writer = csv::Writer::from_writer(file.expect("FAIRHAVEN_REPORT is a folder"));
        for row in rows {
            writer.serialize(row).expect("a row of numbers");
        }
        writer.flush().expect("a file that can be written");
    }
}
