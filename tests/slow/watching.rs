//! Tests that look while a run plays: how often they err, and how long they take.

use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::stats::anytime::half_width;
use fairhaven::stats::sequential::{Bounds, Decision, Scores, llr};
use rand_core::Rng;

/// Scores of a duel with four games each way, and chances that are symmetric about 0.
const VALUES: [f64; 9] = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];
const CHANCES: [f64; 9] = [0.01, 0.04, 0.1, 0.2, 0.3, 0.2, 0.1, 0.04, 0.01];
const ALPHA: f64 = 0.05;
const BETA: f64 = 0.1;

/// The chances tilted linearly: the mean moves to `mean`.
fn chances(mean: f64) -> [f64; 9] {
    let square: f64 = VALUES.iter().zip(CHANCES).map(|(value, p)| p * value * value).sum();
    std::array::from_fn(|j| CHANCES[j] * (1.0 + mean / square * VALUES[j]))
}

/// How a test with a look every 10 blocks ends, and after how many blocks.
fn run(seed: u64, mean: f64, (mean0, mean1): (f64, f64)) -> (Decision, u32) {
    let mut rng = BlockSeed::new(seed, 0).stream(Stream::Study, None, 0);
    let (chances, mut counts) = (chances(mean), [0; 9]);
    for block in 1..100_000 {
        let mut left = f64::from(rng.next_u32()) / 4_294_967_296.0;
        let mut past = |p: &f64| {
            left -= p;
            left < 0.0
        };
        counts[chances.iter().position(&mut past).unwrap_or(8)] += 1;
        let ratio = || llr(Scores::new(&VALUES, &counts), mean0, mean1);
        if block % 10 == 0 && Bounds::new(ALPHA, BETA).decide(ratio()) != Decision::Continue {
            return (Bounds::new(ALPHA, BETA).decide(ratio()), block);
        }
    }
    panic!("no decision");
}

#[test]
fn error_rates_and_duration_are_those_of_wald() {
    let means = (0.0, 0.02);
    let variance: f64 = VALUES.iter().zip(CHANCES).map(|(value, p)| p * value * value).sum();
    for mean in [0.0, 0.01, 0.02] {
        let runs = 1000_u32;
        let (mut accepted, mut blocks) = (0, 0);
        for seed in 0..runs {
            let (decision, n) = run(u64::from(seed), mean, means);
            accepted += u32::from(decision == Decision::AcceptAlternative);
            blocks += n;
        }
        let bounds = Bounds::new(ALPHA, BETA);
        let rate = f64::from(accepted) / f64::from(runs);
        let p = bounds.operating_characteristic(mean, means.0, means.1);
        let se = (p * (1.0 - p) / f64::from(runs)).sqrt();
        let variance = variance - mean * mean;
        let n = bounds.expected_blocks(mean, variance, means.0, means.1);
        let mean_blocks = f64::from(blocks) / f64::from(runs);
        assert!((rate - p).abs() < 3.0 * se + 0.005, "{rate} of {p} at {mean}");
        assert!((mean_blocks / n - 1.0).abs() < 0.1, "{mean_blocks} of {n} blocks at {mean}");
    }
}

#[test]
fn watched_from_100_blocks_on_it_misses_in_5_per_cent_of_runs_at_most() {
    // Scores of 1 with a chance of 1/4, else 0; every look from 100 to 4,000.
    let runs = 1000_u32;
    let mut misses = 0;
    for run in 0..runs {
        let mut rng = BlockSeed::new(u64::from(run), 0).stream(Stream::Study, None, 0);
        let mut wins = 0_u32;
        misses += u32::from((1..4000_u32).any(|n| {
            wins += u32::from(rng.next_u32() >> 30 == 0);
            let (n, mean) = (f64::from(n), f64::from(wins) / f64::from(n));
            let se = (mean * (1.0 - mean) / (n - 1.0)).sqrt();
            n >= 100.0 && (mean - 0.25).abs() >= half_width(se, n, 1000.0, 0.05)
        }));
    }
    let se = (0.05 * 0.95 / f64::from(runs)).sqrt();
    assert!(f64::from(misses) / f64::from(runs) <= 0.05 + 2.0 * se, "{misses} of {runs}");
}
