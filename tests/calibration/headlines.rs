//! What the first sentence of an answer claims where nothing is so: it picks one figure of several.

use crate::figures::{Bound, Figure, happens, luck, report, share, simulations};
use fairhaven::lab::questions::studies::at_levels::{Span, Standing, Words, findings, sentence};
use fairhaven::lab::questions::studies::changes::clearest;
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::lab::questions::studies::joint::is_clear;
use fairhaven::lab::questions::studies::simulate::{agents_sentence, seats_sentence};
use fairhaven::lab::report::answer::Tone;
use fairhaven::lab::report::comparison::Comparison;
use fairhaven::lab::report::table::{More, Row};
use fairhaven::stats::held::Held;
use fairhaven::stats::jackknife::{Estimate, Grouped};
use rand_core::Rng;
use rayon::prelude::*;

/// Blocks of a run.
const BLOCKS: u64 = 300;

/// Wins by place in matches between equals: one a block, or as many as there are places, which share luck.
fn wins(seed: u64, places: usize, matches: u64) -> Grouped {
    let mut rng = luck(42, seed);
    let mut grouped = Grouped::new(places + 1);
    for block in 0..BLOCKS {
        let mut sums = vec![0; places + 1];
        let mut winner = 0;
        for number in 0..matches {
            if number == 0 || happens(&mut rng, 0.5) {
                winner = ((u64::from(rng.next_u32()) * places as u64) >> 32) as usize;
            }
            sums[winner] += 1;
            sums[places] += 1;
        }
        grouped.add(block, 1, &sums);
    }
    grouped
}

fn row(key: &str, metric: &'static str, estimate: Option<Estimate>, n: u64) -> Row {
    Row { keys: vec![key.to_owned()], metric, estimate, blocks: BLOCKS, n, more: More::Nothing }
}

/// The rows of win rates, the largest first.
fn rates(grouped: &Grouped, places: usize) -> Vec<Row> {
    let n = grouped.sum(places);
    let of = |place: usize| {
        let held = Held::new(n, BLOCKS);
        let rate = grouped.share_among(|sums| sums.ratio(place, places), held);
        row(&(place + 1).to_string(), "win_rate", rate, n)
    };
    let mut rows: Vec<Row> = (0..places).map(of).collect();
    let value = |row: &Row| row.estimate.expect("a rate").value;
    rows.sort_by(|a, b| value(b).total_cmp(&value(a)));
    rows
}

/// How many of `n` runs make a claim.
fn claims(n: u64, tone: impl Fn(u64) -> Tone + Sync) -> (u64, u64) {
    ((0..n).into_par_iter().map(|seed| u64::from(tone(seed) != Tone::Open)).sum(), n)
}

#[test]
fn first_sentences_seldom_claim_what_is_not_so() {
    let n = simulations(400);
    let mut figures: Vec<Figure> = Vec::new();
    for places in [2, 3, 4, 6] {
        let seats = claims(n, |seed| {
            let rows = rates(&wins(seed, places, 1), places);
            seats_sentence(&rows.iter().collect::<Vec<&Row>>()).tone
        });
        let setting = format!("{places} equal ones, {BLOCKS} blocks");
        figures.push(share("a seat is claimed", &setting, seats, Bound::AtMost(0.05)));
        let agents = claims(n, |seed| {
            let rows = rates(&wins(seed, places, places as u64), places);
            agents_sentence(&rows.iter().collect::<Vec<&Row>>(), "an even share").tone
        });
        figures.push(share("an agent is claimed", &setting, agents, Bound::AtMost(0.05)));
        // Changes without effect, in a watched run, whose rows have no p-values.
        let changes = claims(n, |seed| {
            let rows: Vec<Row> = (0..places as u64)
                .map(|change| {
                    let grouped = wins(1000 * seed + change, 2, 1);
                    let estimator = Estimator::new(&grouped, 0, true);
                    let effect = estimator.mean(|view| {
                        Some((view.get(0) - view.get(1)) / (view.get(0) + view.get(1)))
                    });
                    row("change", "win_rate", effect, BLOCKS)
                })
                .collect();
            clearest("x", &rows.iter().collect::<Vec<&Row>>(), |_, _| String::new()).tone
        });
        figures.push(share("a change is claimed, watched", &setting, changes, Bound::AtMost(0.05)));
    }
    figures.extend(across_levels(n));
    report("headlines", &figures, &[]);
}

/// The rows of some measures at some levels of play: shares of two, in each of which the first is as often chosen as
/// `share` says.
fn at_levels(seed: u64, levels: usize, measures: usize, share: f64) -> Vec<Row> {
    let mut rows = Vec::new();
    for level in 0..levels {
        for measure in 0..measures {
            let mut rng = luck(43, seed * 1000 + (level * measures + measure) as u64);
            let mut grouped = Grouped::new(3);
            for block in 0..BLOCKS {
                let first = u64::from(happens(&mut rng, share));
                grouped.add(block, 1, &[first, 1 - first, 1]);
            }
            let estimator = Estimator::new(&grouped, 0, false);
            let effect = estimator
                .mean(|view| Some((view.get(0) - view.get(1)) / (view.get(0) + view.get(1))));
            let more = More::Comparison(Comparison::default());
            let keys = vec![format!("level {level}"), format!("measure {measure}")];
            rows.push(Row {
                keys,
                metric: "win_rate",
                estimate: effect,
                blocks: BLOCKS,
                n: BLOCKS,
                more,
            });
        }
    }
    rows
}

/// How often the sentence about several levels of play says what is not so: that something is clear at one where nothing
/// is, and that a sign differs where none does.
fn across_levels(n: u64) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (what, share_of_first, wrong) in [
        ("clear at a level, where nothing is", 0.5, &[Tone::Yes, Tone::No, Tone::Open][..]),
        ("the sign differs, where it does not", 0.53, &[Tone::No]),
    ] {
        for (levels, measures) in [(2, 4), (3, 9), (9, 9)] {
            let claims = (0..n).into_par_iter().map(|seed| {
                let rows = at_levels(seed, levels, measures, share_of_first);
                let rows: Vec<&Row> = rows.iter().collect();
                let all = findings(&rows, |row| {
                    let clear = is_clear(row, rows.len());
                    let value = row.estimate.map_or(0.0, |effect| effect.value);
                    if !clear {
                        Standing::Open
                    } else if value > 0.0 {
                        Standing::Above
                    } else {
                        Standing::Below
                    }
                });
                let words = Words {
                    game: "base",
                    span: Span::levels(levels),
                    what: &|row| row.keys[1].clone(),
                    figure: &|_| String::new(),
                    clear: "clear",
                    nothing: (Tone::Plain, "nothing"),
                };
                u64::from(wrong.contains(&sentence(&all, &words).tone))
            });
            let setting = format!("{levels} levels, {measures} measures, {BLOCKS} blocks");
            figures.push(share(what, &setting, (claims.sum(), n), Bound::AtMost(0.05)));
        }
    }
    figures
}

#[test]
fn a_seat_that_is_picked_is_one_of_several() {
    let mut grouped = Grouped::new(4);
    for block in 0..BLOCKS {
        let winner = usize::from(block % 5 == 0) + usize::from(block % 7 == 0);
        let mut sums = vec![0, 0, 0, 1];
        sums[winner] = 1;
        grouped.add(block, 1, &sums);
    }
    let rows = rates(&grouped, 3);
    let text = seats_sentence(&rows.iter().collect::<Vec<&Row>>()).text;
    assert!(text.contains("for all 3 seats together"), "{text}");
}
