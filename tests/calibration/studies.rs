//! Fixed-sample intervals of whole studies of the dice race, where the truth has a formula.

use crate::closed_form::{self, Taker, turns, uniform, wins};
use crate::figures::{Figure, Target, coverage, report, simulations_of};
use crate::setup::{Setup, Who, blocks};
use crate::toy::{DiceRace, Die, Rules, race};
use fairhaven::core::measure::Names;
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::question::Question;
use fairhaven::lab::questions::studies;
use fairhaven::lab::report::simulated;
use fairhaven::lab::report::table::Table;
use fairhaven::lab::report::tables::Source;
use fairhaven::sim::batch::{Flow, Totals};
use fairhaven::sim::choices::Pad;
use fairhaven::sim::experiment::Experiment;
use fairhaven::sim::simulation::{Simulation, layout};
use fairhaven::stats::factorial;
use fairhaven::stats::jackknife::Estimate;

/// Blocks of a run: fewer than groups, a few a group, and a usual small run.
const BLOCKS: [u64; 3] = [50, 200, 1000];

/// A number in a table: what it is called here, where it stands, and the truth.
struct Cell {
    what: &'static str,
    table: &'static str,
    keys: Vec<String>,
    metric: &'static str,
    truth: f64,
}

impl Cell {
    fn new(what: &'static str, table: &'static str, keys: &[&str]) -> Cell {
        let keys = keys.iter().map(|&key| key.to_owned()).collect();
        Cell { what, table, keys, metric: "", truth: 0.0 }
    }

    fn is(self, metric: &'static str, truth: f64) -> Cell {
        Cell { metric, truth, ..self }
    }

    fn find(&self, tables: &[Table]) -> Option<Estimate> {
        let keys: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        let table = tables.iter().find(|table| table.name == self.table);
        table.expect("the table").find(&keys, self.metric).expect("the row").estimate
    }

    fn target(&self, setting: &str, blocks: u64) -> Target {
        let setting = format!("{setting}: {}, {blocks} blocks", self.metric);
        (self.what.to_owned(), setting, self.truth)
    }
}

/// How often cells of a study's tables cover the truth.
fn of_study(setup: &Setup, setting: &str, runs: &[u64], cells: &[Cell]) -> Vec<Figure> {
    let n = simulations_of(50, 100);
    let mut figures = Vec::new();
    for &count in runs {
        let targets: Vec<Target> = cells.iter().map(|cell| cell.target(setting, count)).collect();
        figures.extend(coverage(&targets, n, |seed| {
            let mut tables = Vec::new();
            let setup = Setup { plan: blocks(count), seed, ..setup.clone() };
            let last = setup.plan.chunks();
            setup.alone(|study, totals| {
                if totals.chunks.end == last {
                    tables = study.tables(totals);
                }
                Flow::On
            });
            cells.iter().map(|cell| cell.find(&tables)).collect()
        }));
    }
    figures
}

#[test]
fn paired_differences_are_covered() {
    // Everyone rolls die a, so the luck of two variants is the same wherever both roll.
    let seats = [Who::Fixed(Die::A); 4];
    let changes = ["", "a=27", "a=75"];
    let setup =
        Setup::paired(studies::rules::Rules::default().spec(), Rules::default(), &changes, &seats);
    let rate = |p: f64| wins(&[p; 4], 60)[0];
    let length = |p: f64| turns(&[p; 4], 60);
    let mut cells = vec![
        Cell::new("level", "variants", &["fixed(a)", "base", "seat 4"])
            .is("win_rate", wins(&[0.25; 4], 60)[3]),
        Cell::new("level", "variants", &["fixed(a)", "base", ""]).is("turns_mean", length(0.25)),
    ];
    for (change, size, p) in [("a=27", "small", 0.27), ("a=75", "large", 0.75)] {
        let what = if size == "small" { "paired, small effect" } else { "paired, large effect" };
        let effect = |of| Cell::new(what, "effects", &["fixed(a)", "rules", change, of]);
        cells.push(effect("seat 1").is("win_rate", rate(p) - rate(0.25)));
        cells.push(effect("").is("turns_mean", length(p) - length(0.25)));
        let (one, other) = (rate(0.25), rate(p));
        let both = closed_form::both((0.25, p), 0, 4, 60);
        let unpaired = one * (1.0 - one) + other * (1.0 - other);
        let paired = one + other - 2.0 * both - (other - one) * (other - one);
        let row = || Cell::new(what, "pairing", &["fixed(a)", change, "seat 1", "win_rate"]);
        cells.push(row().is("variance_paired", paired));
        cells.push(row().is("variance_unpaired", unpaired));
        cells.push(row().is("saved", 1.0 - paired / unpaired));
    }
    report("paired", &of_study(&setup, "4 players", &BLOCKS, &cells), PAIRED_OUTSIDE);
}

/// The small effect changes who wins in 3.6 % of blocks: two of 50, seven of 200. Intervals of effects
/// are wide enough for that; how much differences vary can't be read off so few.
const PAIRED_OUTSIDE: &[(&str, &str)] = &[
    ("paired, small effect", "4 players: win_rate, 50 blocks"),
    ("paired, small effect", "4 players: variance_paired, 50 blocks"),
    ("paired, small effect", "4 players: variance_unpaired, 50 blocks"),
    ("paired, small effect", "4 players: saved, 50 blocks"),
    ("paired, large effect", "4 players: variance_paired, 50 blocks"),
    ("paired, small effect", "4 players: turns_mean, 200 blocks"),
    ("paired, large effect", "4 players: variance_paired, 200 blocks"),
];

#[test]
fn a_planted_effect_is_recovered() {
    // Two percentage points more for die a, which players roll a quarter of the time.
    let seats = [Who::Uniform; 4];
    let setup = Setup::paired(
        studies::rules::Rules::default().spec(),
        Rules::default(),
        &["", "a=27"],
        &seats,
    );
    let of = |variant: usize| {
        let rules = setup.rules_of(variant);
        let success = [uniform(&rules); 4];
        (wins(&success, 60)[0], turns(&success, 60))
    };
    let (base, planted) = (of(0), of(1));
    let row = |of| Cell::new("planted +2 pp", "effects", &["uniform", "rules", "a=27", of]);
    let cells = [
        row("seat 1").is("win_rate", planted.0 - base.0),
        row("").is("turns_mean", planted.1 - base.1),
    ];
    report("planted", &of_study(&setup, "4 players", &[200, 1000], &cells), PLANTED_OUTSIDE);
}

/// The effect changes who wins in 1.2 % of blocks, two or three of 200: the interval is on the safe side.
const PLANTED_OUTSIDE: &[(&str, &str)] = &[("planted +2 pp", "4 players: win_rate, 200 blocks")];

#[test]
fn forced_and_removed_dice_are_covered() {
    let rules = Rules::default();
    let setup = Setup::balance(rules.clone(), 3, "late", &[Who::Uniform]);
    let success = [uniform(&rules); 3];
    let forced = |die| closed_form::forced(closed_form::die(&rules, die), &success, 57);
    let mean: f64 = Die::ALL.into_iter().map(forced).sum::<f64>() / 4.0;
    let mut cells = Vec::new();
    for (die, name, what) in [(Die::A, "a", "forced die a"), (Die::D, "d", "forced die d")] {
        let row = || Cell::new(what, "choices", &["uniform", name]);
        cells.push(row().is("effect", forced(die) - mean));
        cells.push(row().is("win_rate", forced(die)));
        cells.push(row().is("at_once_share", closed_form::die(&rules, die)));
    }
    let absent = 1.0 - (1.0 - success[0]).powi(3);
    cells.push(Cell::new("forced", "choices", &["uniform", ""]).is("absent_share", absent));
    let without = [uniform(&setup.rules_of(1)); 3];
    let removed = |of| Cell::new("removed", "effects", &["uniform", "removed", "a=0", of]);
    let rate = wins(&without, 60)[0] - wins(&success, 60)[0];
    cells.push(removed("seat 1").is("win_rate", rate));
    let length = turns(&without, 60) - turns(&success, 60);
    cells.push(removed("").is("turns_mean", length));
    report("forced", &of_study(&setup, "3 players", &BLOCKS, &cells), FORCED_OUTSIDE);
}

/// Few of 50 blocks differ without die a, some of them much in length.
const FORCED_OUTSIDE: &[(&str, &str)] = &[
    ("removed", "3 players: win_rate, 50 blocks"),
    ("removed", "3 players: turns_mean, 50 blocks"),
];

#[test]
fn factorial_effects_are_covered() {
    let factors = [("a", 10, 40), ("b", 5, 30)];
    let setup = Setup::factorial(Rules::default(), &factors, &[Who::Shy(50); 3]);
    let success = |run| [Who::Shy(50).success(&setup.rules_of(run)); 3];
    let rates: Vec<f64> = (0..4).map(|run| wins(&success(run), 60)[0]).collect();
    let lengths: Vec<f64> = (0..4).map(|run| turns(&success(run), 60)).collect();
    let contrasts = factorial::design(2).expect("two factors").contrasts();
    let mut cells = Vec::new();
    for (contrast, name) in contrasts.iter().zip(["a", "b", "a x b"]) {
        let row = |of| Cell::new("factorial", "factors", &["shy(50)", name, of]);
        cells.push(row("seat 1").is("win_rate", contrast.effect(&rates)));
        cells.push(row("").is("turns_mean", contrast.effect(&lengths)));
    }
    let mut figures = of_study(&setup, "3 players", &BLOCKS, &cells);
    for (at, figure) in figures.iter_mut().enumerate() {
        let name = ["a", "a", "b", "b", "a x b", "a x b"][at % 6];
        figure.what = format!("factorial, {name}");
    }
    report("factorial", &figures, &[]);
}

/// What `cards.csv` estimates of die a where everyone is uniform: the win rate of takers and of
/// others, and the matched lift.
///
/// Who rolls die a now wins at once with its own probability, who rolls another with theirs; after a miss
/// both are the last of those to roll, whatever they have rolled before. That the turn limit is nearer in
/// later turns is less than one in a hundred thousand.
fn lifts(players: usize) -> (f64, f64, f64) {
    let rules = Rules::default();
    let others = uniform(&rules);
    let special = closed_form::die(&rules, Die::A);
    let rest = (4.0 * others - special) / 3.0;
    let taker = Taker { share: 0.25, special, rest, others };
    let mut all = [[0.0; 2]; 2];
    for seat in 0..players {
        for end in taker.ends(seat, players, 60) {
            for (taken, by_result) in end.iter().enumerate() {
                for (won, p) in by_result.iter().enumerate() {
                    all[taken][won] += p;
                }
            }
        }
    }
    let rate = |[lost, won]: [f64; 2]| won / (lost + won);
    let last = wins(&vec![others; players], 60)[players - 1];
    (rate(all[1]), rate(all[0]), (special - rest) * (1.0 - last))
}

#[test]
fn lifts_are_covered() {
    let n = simulations_of(30, 60);
    let game = race(Rules::default(), 3);
    let (with, without, matched) = lifts(3);
    let row = |what| Cell::new(what, "cards", &["uniform", "a"]);
    let cells = [
        row("cards").is("win_rate_with", with),
        row("cards").is("win_rate_without", without),
        row("cards").is("lift", with - without),
        row("cards").is("lift_matched", matched),
    ];
    let sit = |_: &DiceRace, _: &Pad| vec![Who::Uniform.player()];
    let mut figures = Vec::new();
    for count in BLOCKS {
        let targets: Vec<Target> =
            cells.iter().map(|cell| cell.target("3 players", count)).collect();
        figures.extend(coverage(&targets, n, |seed| {
            let simulation = Simulation {
                game: &game,
                seed,
                rotations: vec![vec![0; 3]],
                layout: layout(&game, 1),
                agents: Box::new(sit),
                write: None,
                watch: &Watch::none(),
            };
            let tables = simulated(&simulation, count);
            cells.iter().map(|cell| cell.find(&tables)).collect()
        }));
    }
    report("lifts", &figures, &[]);
}

/// The tables of a plain run, on one thread.
fn simulated(simulation: &Simulation<'_, DiceRace>, count: u64) -> Vec<Table> {
    let plan = blocks(count);
    let mut worker = simulation.worker();
    let mut totals = Totals::new(simulation.width(), simulation.anomalies(), 0);
    for chunk in 0..plan.chunks() {
        let blocks = plan.blocks_of(chunk..chunk + 1);
        let count = blocks.end - blocks.start;
        totals.grouped.add(chunk, count, &worker.play(blocks).sums);
    }
    simulated::all(Source {
        names: Names::of::<DiceRace>(),
        grouped: &totals.grouped,
        layout: &simulation.layout,
        agents: &["uniform".to_owned()],
        players: 3,
        firsts: &totals.firsts,
    })
}
