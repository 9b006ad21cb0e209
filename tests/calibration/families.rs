//! Holm's adjustment: how often any of several true null hypotheses is rejected, in the tables that
//! studies write.

use crate::figures::{Bound, happens, luck, report, share, simulations};
use fairhaven::core::game::End;
use fairhaven::core::types::seat::{SEATS_MAX, Seat};
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::lab::questions::studies::{forced, paired};
use fairhaven::lab::report::comparison::Comparison;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::sim::batch::Chunking;
use fairhaven::sim::counts::forced::ForcedCount;
use fairhaven::sim::counts::paired::PairedCount;
use fairhaven::sim::match_summary::MatchSummary;
use fairhaven::sim::trials::{BLOCKS, COMMON, Choosing, Count, Trial};
use fairhaven::stats::jackknife::Grouped;
use fairhaven::stats::multiple;
use rand_pcg::Pcg32;
use rayon::prelude::*;

/// A match that seat 1 wins, or seat 2.
fn summary(first_wins: bool) -> MatchSummary {
    let winner = Seat::new(u8::from(!first_wins));
    MatchSummary {
        end: End::Won,
        winner: Some(winner),
        points: [0; SEATS_MAX],
        turns: 9,
        decisions: 9,
        lead_changes: 0,
        comeback: false,
        luck: [0; SEATS_MAX],
    }
}

/// The sums of a run whose blocks have the trials that `block` makes.
fn run(count: &dyn Count, mut block: impl FnMut() -> Vec<Trial>) -> Grouped {
    let plan = Chunking { blocks: 400, chunk: Chunking::chunk_for(400) };
    let mut grouped = Grouped::new(COMMON + count.width());
    for chunk in 0..plan.chunks() {
        let blocks = plan.blocks_of(chunk..chunk + 1);
        let mut sums = vec![0; COMMON + count.width()];
        sums[BLOCKS] = blocks.end - blocks.start;
        for number in blocks.clone() {
            count.count(number, &block(), &mut sums[COMMON..]);
        }
        grouped.add(chunk, blocks.end - blocks.start, &sums);
    }
    grouped
}

/// Whether any row says that there is a difference: by the p-values of these rows alone, and as the
/// table adjusts them, with its other rows in the family.
fn rejects(table: &Table, wanted: impl Fn(&Row) -> bool) -> [bool; 2] {
    let rows: Vec<&Row> = table.rows.iter().filter(|row| wanted(row)).collect();
    let all = |of: fn(&Comparison) -> Option<f64>| -> Vec<f64> {
        rows.iter().map(|row| row.comparison().and_then(of).expect("a p-value")).collect()
    };
    let any = |adjusted: Vec<f64>| adjusted.into_iter().any(|p| p <= 0.05);
    [any(multiple::holm(&all(|said| said.p_value))), any(all(|said| said.p_holm))]
}

/// Options that are equally good: all of their effects add up to 0, so they depend on each other.
fn forced_options(options: usize, rng: &mut Pcg32) -> [bool; 2] {
    const NAMES: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let count = ForcedCount { options, rotations: 1 };
    let seat = Seat::FIRST;
    let grouped = run(&count, || {
        let choosing = Choosing { seat, wanted: 0, at_once: false };
        (0..options).map(|_| Trial::Forced(summary(happens(rng, 0.3)), choosing)).collect()
    });
    let section = forced::ForcedEffects {
        estimator: Estimator::new(&grouped, COMMON, false),
        count,
        resampled: None,
        level: String::new(),
        players: 4,
        options: NAMES[..options].iter().map(|name| (*name).to_owned()).collect(),
        margin: 0.01,
    };
    // The two kinds of effect are the same numbers here, so the table adjusts for twice as many.
    rejects(&forced::table(&[section], 400), |row| row.metric == "effect")
}

/// Variants that are all like the first one, whose luck they share in a part of the blocks: all
/// effects have the first variant in common.
fn variants(variants: usize, rng: &mut Pcg32) -> [bool; 2] {
    let count = PairedCount { players: 2, roles: 1, variants, rotations: vec![vec![0; 2]] };
    let grouped = run(&count, || {
        let first = happens(rng, 0.3);
        let mut of = |variant: usize| {
            let same = variant == 0 || happens(rng, 0.5);
            Trial::Ended(summary(if same { first } else { happens(rng, 0.3) }))
        };
        (0..variants).map(&mut of).collect()
    });
    let section = paired::PairedEffects {
        estimator: Estimator::new(&grouped, COMMON, false),
        count,
        level: String::new(),
        estimand: "rules",
        variants: (0..variants).map(|variant| variant.to_string()).collect(),
        roles: vec![String::new()],
        margin: None,
        sizes: vec![2; variants],
        same: false,
    };
    let tables = paired::tables(&[section], 400);
    rejects(&tables[1], |row| row.keys[3] == "seat 1")
}

#[test]
fn holm_keeps_its_family_wise_rate() {
    let n = simulations(200);
    let mut figures = Vec::new();
    let mut add = |setting: &str, found: &[[bool; 2]]| {
        for (at, what) in [(0, "any false finding"), (1, "any false finding, whole table")] {
            let wrong = found.iter().filter(|found| found[at]).count() as u64;
            figures.push(share(what, setting, (wrong, n), Bound::AtMost(0.05)));
        }
    };
    for nulls in [1, 4, 12] {
        let of = |one: &(dyn Fn(&mut Pcg32) -> [bool; 2] + Sync)| -> Vec<[bool; 2]> {
            (0..n).into_par_iter().map(|seed| one(&mut luck(100 + nulls as u64, seed))).collect()
        };
        let found = of(&|rng| variants(nulls + 1, rng));
        add(&format!("{nulls} variants like the first"), &found);
        if nulls > 1 {
            let found = of(&|rng| forced_options(nulls, rng));
            add(&format!("{nulls} forced options that are equal"), &found);
        }
    }
    report("holm", &figures, &[]);
}
