//! `diagnose`: a fault that is planted stands in the first three lines of its list, and where none was planted a line is
//! seldom false.

use crate::figures::{Bound, Figure, report, share, simulations};
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::questions::studies::diagnose::Diagnose;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::lab::run::caller::Caller;
use fairhaven::lab::run::{Settings, job};
use fairhaven::lab::setup::line_up::agent;
use fairhaven::lab::setup::rules::changed;
use fairhaven::registry::Games;
use std::collections::BTreeMap;
use std::time::Duration;

/// Faults: the game, what is changed in its rules, and what then has to stand out.
const PLANTED: [(&str, &[&str], (&str, &str)); 10] = [
    // A card at two fifths of its price.
    ("on-the-road", &["city.cost.grain=1", "city.cost.ore=1"], ("worth", "city")),
    // A card that nobody can use.
    (
        "on-the-road",
        &["metropolis.cost.ore=4", "metropolis.cost.wool=6"],
        ("used_share", "metropolis_a"),
    ),
    // A rule that makes matches drag.
    ("on-the-road", &["points_to_win=10"], ("unfinished_share", "matches")),
    // Hands so full that whoever comes last is too late.
    ("on-the-road", &["hand_start=8"], ("seat_share", "4")),
    ("base", &["cost.city.grain=1", "cost.city.ore=1"], ("winner_share", "cities")),
    (
        "base",
        &["cost.card.grain=4", "cost.card.ore=4", "cost.card.wool=4"],
        ("used_share", "largest_army"),
    ),
    ("two-player", &["cost.city.grain=1", "cost.city.ore=1"], ("winner_share", "cities")),
    ("two-player", &["trade_tokens.knight=0"], ("used_share", "knight_turned_in")),
    ("struggle", &["expansion.castle.extra={ ore = 5 }"], ("used_share", "castle")),
    ("boats", &["cost.boat.lumber=4", "cost.boat.wool=4"], ("long_share", "matches")),
];

/// Games in which nothing was planted.
const GAMES: [&str; 5] = ["on-the-road", "two-player", "base", "boats", "struggle"];

/// Faults and games of the short form: those of the first game.
const SHORT: usize = 4;

/// Simulations from which on all games are played.
const LONG: u64 = 20;

/// The findings of a run.
fn findings(name: &str, sets: &[&str], blocks: u64, seed: u64) -> Table {
    let games = Games::standard();
    let game = games.get(name).expect("a game");
    let players = if name == "two-player" { 2 } else { 4 };
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let game = changed(game, game.default_rules(), &sets, players).expect("rules");
    let weaker = ["easy", "hard"].map(|level| format!("levels/{name}/{level}"));
    let levels = weaker.iter().map(String::as_str).chain(["heuristic"]);
    let levels = levels.map(|level| game.settled(&agent(level).expect("an agent")).expect("it"));
    let design = Diagnose::design(levels.collect(), None, players, blocks).expect("levels");
    let (mut silent, catalogue) = ((), Catalogue::standard());
    let caller = Caller {
        catalogue: &catalogue,
        watch: Watch::none(),
        progress: &mut silent,
        save_every: Duration::MAX,
        command: Vec::new(),
    };
    let settings = Settings { seed, ..Settings::default() };
    let mut tables = job::start(&*game, design, &settings, caller).expect("a run").tables;
    tables.swap_remove(0)
}

/// A cell behind the estimate, as a number.
fn number(row: &Row, at: usize) -> Option<f64> {
    row.own(at).parse().ok()
}

#[test]
fn a_planted_fault_stands_in_the_first_three_lines() {
    let is_long = simulations(1) >= LONG;
    let all = if is_long { &PLANTED[..] } else { &PLANTED[..SHORT] };
    let blocks = if is_long { 1000 } else { 200 };
    let mut missed = Vec::new();
    for &(game, sets, (metric, of)) in all {
        let table = findings(game, sets, blocks, 1);
        let first = table.rows.iter().take(3).filter(|row| !row.own(0).is_empty());
        let is_found = first.clone().any(|row| row.metric == metric && row.keys[0] == of);
        if !is_found {
            let lines: Vec<String> =
                first.map(|row| format!("{} {}", row.metric, row.keys[0])).collect();
            missed.push(format!("{game} {sets:?}: no {metric} of {of} in {lines:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Of a figure: the sum of its estimates, how many there are, its neutral range, and in how many runs it stands out.
type Seen = (f64, u64, [Option<f64>; 2], u64);

/// What is true is what all runs of a game say together.
#[test]
fn where_nothing_was_planted_a_line_is_seldom_false() {
    let runs = simulations(4);
    let is_long = runs >= LONG;
    let (games, blocks) = if is_long { (&GAMES[..], 300) } else { (&GAMES[..1], 100) };
    let mut figures: Vec<Figure> = Vec::new();
    for &game in games {
        let mut seen: BTreeMap<(&str, String), Seen> = BTreeMap::new();
        for seed in 0..runs {
            for row in &findings(game, &[], blocks, 101 + seed).rows {
                let Some(estimate) = row.estimate else { continue };
                let ends = [1, 2].map(|at| number(row, at));
                let of = seen.entry((row.metric, row.keys[0].clone())).or_default();
                (of.0, of.1, of.2) = (of.0 + estimate.value, of.1 + 1, ends);
                of.3 += u64::from(!row.own(0).is_empty());
            }
        }
        let is_neutral = |(sum, n, [lo, hi], _): &Seen| {
            let mean = sum / *n as f64;
            lo.is_none_or(|lo| mean >= lo) && hi.is_none_or(|hi| mean <= hi)
        };
        let wrong: u64 = seen.values().filter(|of| is_neutral(of)).map(|of| of.3).sum();
        let setting = format!("{game}, {blocks} blocks");
        figures.push(share("a line is false", &setting, (wrong, runs), Bound::AtMost(0.05)));
    }
    report("diagnosed", &figures, &[]);
}
