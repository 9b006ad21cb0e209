//! `map judge`: the intervals of places hold all of them together, the ranks that they leave hold the true ones, and what
//! chance adds is taken out of how far places are apart. Trials are drawn, so that the truth is known; those of a block
//! have most of their luck in common.

use crate::figures::{Bound, Figure, report, share, simulations};
use fairhaven::core::game::End;
use fairhaven::core::measure::maps::{MapFacts, PlaceFacts};
use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::core::types::seat::{SEATS_MAX, Seat};
use fairhaven::lab::questions::studies::estimator::Estimator;
use fairhaven::lab::questions::studies::map::places::{ENDS, PIPS, RANKS};
use fairhaven::lab::questions::studies::map::settings::MapJudge;
use fairhaven::lab::questions::studies::map::tables::Sources;
use fairhaven::lab::report::table::Table;
use fairhaven::sim::counts::founded::FoundedCount;
use fairhaven::sim::match_summary::MatchSummary;
use fairhaven::sim::trials::{self, Choosing, Count, Trial};
use fairhaven::stats::jackknife::Grouped;
use rand_core::Rng;

const PLACES: usize = 20;
const PLAYERS: usize = 4;
const FREE: usize = 2;

/// What each place wins: pips say a part of it. Some are alike, and some win so seldom that few blocks show no win.
fn rate(place: usize) -> f64 {
    let least = if place % 5 == 1 { 0.04 } else { 0.15 };
    least + 0.01 * (place / 2) as f64 + if place.is_multiple_of(4) { 0.06 } else { 0.0 }
}

fn map() -> MapFacts {
    let place = |at: usize| PlaceFacts {
        number: u8::try_from(at).expect("few places"),
        at: (0, 0),
        hexes: Vec::new(),
        pips: u8::try_from(at / 2).expect("few pips"),
        harbour: None,
        is_open: true,
    };
    let places = (0..PLACES).map(place).collect();
    MapFacts { text: String::new(), hexes: Vec::new(), harbours: Vec::new(), places }
}

fn summary(winner: Seat) -> MatchSummary {
    MatchSummary {
        end: End::Won,
        winner: Some(winner),
        points: [0; SEATS_MAX],
        turns: 1,
        decisions: 1,
        lead_changes: 0,
        comeback: false,
        luck: [0; SEATS_MAX],
    }
}

/// A number between 0 and 1.
fn unit(rng: &mut impl Rng) -> f64 {
    f64::from(rng.next_u32()) / f64::from(u32::MAX)
}

fn tables(seed: u64, blocks: u64) -> [Table; 2] {
    let count = FoundedCount { players: PLAYERS, free: FREE, places: PLACES, others: 0 };
    let mut grouped = Grouped::new(trials::COMMON + count.width());
    for block in 0..blocks {
        let mut rng = BlockSeed::new(seed, block).stream(Stream::Study, None, 0);
        let mut all = Vec::new();
        for _ in 0..FREE {
            let seat = Seat::new(u8::try_from(rng.next_u32() % 4).expect("a seat"));
            all.push(Trial::Ended(summary(seat)));
        }
        let common = unit(&mut rng);
        for place in 0..PLACES {
            let own = unit(&mut rng);
            let luck = if unit(&mut rng) < 0.7 { common } else { own };
            let winner = if luck < rate(place) { Seat::FIRST } else { Seat::new(1) };
            let choosing = Choosing { seat: Seat::FIRST, wanted: 3, at_once: false };
            all.push(Trial::Forced(summary(winner), choosing));
        }
        let mut sums = vec![0; grouped.width()];
        sums[trials::BLOCKS] = 1;
        count.count(block, &all, &mut sums[trials::COMMON..]);
        grouped.add(block, 1, &sums);
    }
    let places = (0..PLACES).map(|at| u8::try_from(at).expect("few places")).collect();
    let study = MapJudge { places, pairs: Vec::new(), harbours: Vec::new(), free: 2 };
    let map = map();
    let estimator = Estimator::new(&grouped, trials::COMMON, false);
    let sources = Sources { study: &study, map: &map, estimator, count };
    [sources.places(), sources.spread()]
}

/// How often all of a run's places, their ranks, and the spread are held.
fn figures_of(runs: u64, blocks: u64) -> Vec<Figure> {
    let all: Vec<f64> = (0..PLACES).map(rate).collect();
    let mean = all.iter().sum::<f64>() / PLACES as f64;
    let spread = all.iter().map(|rate| (rate - mean) * (rate - mean)).sum::<f64>() / PLACES as f64;
    let (mut together, mut alone, mut ranked, mut spreads) = (0, 0, 0, 0);
    for seed in 0..runs {
        let [places, spread_table] = tables(seed, blocks);
        let worth: Vec<_> = places.rows.iter().filter(|row| row.metric == "worth").collect();
        assert_eq!(worth.len(), PLACES);
        let of = |row: &fairhaven::lab::report::table::Row| {
            let place: usize = row.keys[0].parse().expect("a place");
            assert_eq!(row.own(PIPS), (place / 2).to_string());
            place
        };
        let holds = |(lo, hi): (f64, f64), truth: f64| lo <= truth && truth <= hi;
        let number = |row: &fairhaven::lab::report::table::Row, at: usize| {
            row.own(at).parse::<f64>().expect("a number")
        };
        together +=
            u64::from(worth.iter().all(|row| {
                holds((number(row, ENDS[0]), number(row, ENDS[1])), all[of(row)] - mean)
            }));
        alone += worth
            .iter()
            .filter(|row| {
                let ends = row.estimate.and_then(|found| found.interval).expect("an interval");
                holds(ends, all[of(row)] - mean)
            })
            .count() as u64;
        // Of places that are alike any order is true.
        ranked += u64::from(worth.iter().all(|row| {
            let own = all[of(row)];
            let best = 1 + all.iter().filter(|&&rate| rate > own + 1e-9).count();
            let worst = all.iter().filter(|&&rate| rate > own - 1e-9).count();
            number(row, RANKS[0]) <= worst as f64 && best as f64 <= number(row, RANKS[1])
        }));
        let found = spread_table.find(&["places"], "spread").and_then(|row| row.estimate);
        let ends = found.and_then(|found| found.interval).expect("an interval");
        spreads += u64::from(holds(ends, spread.sqrt()));
    }
    let setting = format!("{PLACES} places, {blocks} blocks");
    let of = |what: &str, hits: u64, n: u64, bound| share(what, &setting, (hits, n), bound);
    vec![
        of("a place is not held with all others", runs - together, runs, Bound::AtMost(0.05)),
        // With few blocks intervals are exact, and take no luck to be common: they hold more often than they say.
        if blocks < 20 {
            let all = runs * PLACES as u64;
            of("a place alone is missed", all - alone, all, Bound::AtMost(0.05))
        } else {
            of("a place alone", alone, runs * PLACES as u64, Bound::Coverage)
        },
        of("a rank is not held with all others", runs - ranked, runs, Bound::AtMost(0.05)),
        of("spread of places", spreads, runs, Bound::Coverage),
    ]
}

#[test]
fn intervals_and_ranks_of_places_hold() {
    let runs = simulations(200);
    let figures: Vec<Figure> =
        [16, 64, 200, 1000].into_iter().flat_map(|blocks| figures_of(runs, blocks)).collect();
    report("maps", &figures, &[]);
}
