//! Every metric of every table that a study writes, in all five games: how often the intervals of short runs hold what
//! a long run of the same study estimates. Rows of a metric are pooled, and the row that covers least stands beside
//! them; an interval that is not given covers nothing and misses nothing.
//!
//! Agents that are strong and weak sit together, and agents that are alike; runs have two sizes; sequential ones end
//! where they would.

use crate::figures::{Figure, check, simulations, write};
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::questions::studies::balance::Balance;
use fairhaven::lab::questions::studies::diagnose::Diagnose;
use fairhaven::lab::questions::studies::duel::{Duel, Hypotheses, Pair, Seatings};
use fairhaven::lab::questions::studies::factorial::{Factor, Factorial};
use fairhaven::lab::questions::studies::luck::Luck;
use fairhaven::lab::questions::studies::map::settings::MapJudge;
use fairhaven::lab::questions::studies::options::Judging;
use fairhaven::lab::questions::studies::reliability::Reliability;
use fairhaven::lab::questions::studies::rules::Rules;
use fairhaven::lab::questions::studies::sensitivity::Sensitivity;
use fairhaven::lab::questions::studies::simulate::Simulate;
use fairhaven::lab::questions::studies::study::Design;
use fairhaven::lab::questions::studies::sweep::Sweep;
use fairhaven::lab::questions::studies::tournament::Tournament;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::lab::run::Settings;
use fairhaven::lab::run::caller::Caller;
use fairhaven::lab::run::job;
use fairhaven::lab::setup::line_up::{agent, line_up};
use fairhaven::lab::setup::rules::changed;
use fairhaven::registry::Games;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::LoadedGame;
use fairhaven::sim::line_up::LineUp;
use std::collections::BTreeMap;
use std::env;
use std::thread;
use std::time::Duration;

/// Runs from which on a row is looked at by itself.
const ROW_RUNS: u64 = 100;

/// The share of a metric's intervals that should hold, of all rows together; and of the row that holds least.
const POOLED: f64 = 0.92;
const WORST: f64 = 0.85;

/// A game as it is played here: rules that let a choice be balanced, and points that win in all studies but `simulate`:
/// fewer than usual, so that matches are short, and fewer still in the variant.
struct Place {
    name: &'static str,
    players: u8,
    set: &'static [&'static str],
    choice: Option<&'static str>,
    points: [&'static str; 2],
}

const PLACES: [Place; 5] = [
    Place {
        name: "on-the-road",
        players: 3,
        set: &["side=b"],
        choice: Some("metropolis"),
        points: ["7", "6"],
    },
    Place { name: "struggle", players: 3, set: &[], choice: Some("expansion"), points: ["7", "5"] },
    Place { name: "base", players: 3, set: &[], choice: None, points: ["7", "5"] },
    Place { name: "two-player", players: 2, set: &[], choice: None, points: ["7", "5"] },
    Place {
        name: "boats",
        players: 3,
        set: &["helpers=chosen"],
        choice: Some("helper"),
        points: ["8", "6"],
    },
];

fn an(name: &str) -> AgentSpec {
    agent(name).expect("an agent")
}

fn judging(blocks: u64) -> Judging {
    Judging { levels: vec![an("greedy")], margin: 0.02, until: None, blocks: Some(blocks) }
}

/// An agent that is much stronger than the others.
fn mixed(players: u8) -> LineUp {
    let agents = ["greedy", "random", "random"][..usize::from(players)].join(",");
    line_up(&agents, None).expect("agents")
}

fn alike(players: u8) -> LineUp {
    line_up("greedy", Some(players)).expect("agents")
}

/// `compare A B`, of which the long run never stops by itself: it asks for what no test decides.
fn duel(pair: Pair, whole: bool) -> Design {
    let until = whole.then_some(1e-6);
    let design = Duel::design(pair, Hypotheses::Shares(0.0, 0.02), [0.05; 2], until);
    design.expect("a pair")
}

fn tournament(agents: &[&str], players: u8, blocks: u64, until: Option<f64>) -> Design {
    let agents = agents.iter().map(|name| an(name)).collect();
    let study = Tournament { anchor: None, gauntlet: false, until, onto: None };
    study.design(agents, players, Some(blocks)).expect("agents")
}

fn sweep(of: &str, values: [&str; 2]) -> Sweep {
    Sweep { of: of.to_owned(), values: values.map(str::to_owned).to_vec() }
}

/// Studies that a game may have; `simulate` is played to the game's own number of points.
const STUDIES: [&str; 21] = [
    "simulate, one strong",
    "simulate, alike",
    "compare, far apart",
    "compare, near",
    "compare, less luck",
    "compare rules",
    "tournament",
    "tournament, watched",
    "balance, choice",
    "balance, factor",
    "sweep, field",
    "sweep, parameter",
    "sweep, sizes",
    "sensitivity",
    "sensitivity, far",
    "luck",
    "luck, few",
    "reliability",
    "reliability, few",
    "diagnose",
    "map judge",
];

/// A study of so many blocks; nothing if the game has none such. The long run is `whole`.
fn design(
    study: &str,
    place: &Place,
    game: &dyn LoadedGame,
    blocks: u64,
    whole: bool,
) -> Option<Design> {
    let players = place.players;
    let rotated = blocks * u64::from(players);
    let near = || Pair {
        agents: ["greedy", "greedy:lapse=0.1"].map(an),
        players,
        line_ups: Seatings::Even,
        matches: Some(6 * blocks),
        look: None,
        less_luck: false,
    };
    let [usual, fewer] = place.points;
    Some(match study {
        "simulate, one strong" => Simulate { rows: None }.design(mixed(players), rotated),
        "simulate, alike" => Simulate { rows: None }.design(alike(players), blocks),
        "compare, far apart" => {
            let agents = ["greedy", "random"].map(an);
            duel(Pair { agents, line_ups: Seatings::Alone, ..near() }, whole)
        }
        "compare, near" => duel(near(), whole),
        "compare, less luck" => {
            duel(Pair { less_luck: true, matches: Some(blocks), ..near() }, whole)
        }
        "compare rules" => {
            let fewer = [format!("points_to_win={fewer}")];
            Rules::design(game, mixed(players), [&[], &fewer], 2 * rotated).expect("two rule sets")
        }
        "tournament" => {
            let agents = ["greedy", "greedy:lapse=0.3", "greedy:lapse=0.6", "random"];
            tournament(&agents, players, blocks, None)
        }
        "tournament, watched" => {
            let agents = ["", ":lapse=0.01", ":lapse=0.02", ":lapse=0.03"];
            let agents = agents.map(|weakness| format!("greedy{weakness}"));
            let until = (!whole).then_some(60.0);
            tournament(&agents.each_ref().map(String::as_str), players, blocks, until)
        }
        "balance, choice" => {
            Balance::design(game, place.choice?, &[], judging(blocks)).expect("a choice")
        }
        "balance, factor" => {
            let [low, high] = place.points.map(str::to_owned);
            let factor = Factor { field: "points_to_win".to_owned(), low, high };
            Factorial::design(vec![factor], judging(blocks), players).expect("a factor")
        }
        "sweep, field" => sweep("points_to_win", [usual, fewer]).over_field(alike(players), blocks),
        "sweep, parameter" => {
            let swept = sweep("lapse", ["0", "0.5"]).over_param(&mixed(players), blocks);
            swept.expect("a parameter")
        }
        "sweep, sizes" if players > 2 => Sweep::over_players(an("greedy"), &[3, 4], blocks),
        "sensitivity" | "sensitivity, far" => {
            let all = study.ends_with("far");
            Sensitivity::design(game, alike(players), all, blocks.div_ceil(3)).expect("fields")
        }
        "luck" => Luck::design(mixed(players), 2, blocks),
        "luck, few" => Luck::design(alike(players), 2, blocks.div_ceil(4)),
        "reliability" => reliability(game, &["heuristic", "mcts"], rotated),
        "reliability, few" => reliability(game, &["heuristic"], rotated.div_ceil(3)),
        "diagnose" => {
            let levels = ["random", "greedy"].map(an).to_vec();
            Diagnose::design(levels, None, players, blocks).expect("two levels")
        }
        "map judge" => map_judge(game, players, blocks)?,
        _ => return None,
    })
}

fn reliability(game: &dyn LoadedGame, judges: &[&str], matches: u64) -> Design {
    let judges = judges.iter().map(|name| an(name)).collect();
    Reliability::design(game, mixed(game.players()), judges, 17, matches).expect("judges")
}

/// A study of a game's map, which all seeds have alike: see [`of_map`]. Nothing if it has none.
fn map_judge(game: &dyn LoadedGame, players: u8, blocks: u64) -> Option<Design> {
    let field = game.game_type().facts().map_field?;
    let map = game.map(BlockSeed::new(MAP, 0))?;
    let open: Vec<u8> = map.open().map(|place| place.number).collect();
    let pairs = vec![[open[0], open[open.len() - 1]]];
    let run = (an("greedy"), players, blocks);
    Some(MapJudge::design(&map, field, pairs, 2, run).expect("a map"))
}

/// The tables of a run.
fn tables(game: &dyn LoadedGame, design: Design, seed: u64) -> Vec<Table> {
    let mut silent = ();
    let catalogue = Catalogue::standard();
    let caller = Caller {
        catalogue: &catalogue,
        watch: Watch::none(),
        progress: &mut silent,
        save_every: Duration::MAX,
        command: Vec::new(),
    };
    let settings = Settings { seed, ..Settings::default() };
    job::start(game, design, &settings, caller).expect("a run").tables
}

/// A table, the keys of a row but the first match of an anomaly, its metric.
type Key = (&'static str, Vec<String>, &'static str);

/// Where a row stands; nothing of counts, which grow with the run, and of the agent that has the next rank, which may be
/// another one in each run.
fn key(table: &Table, row: &Row) -> Option<Key> {
    let keys = if table.name == "anomalies" { row.keys[..1].to_vec() } else { row.keys.clone() };
    let counts = ["wins", "count", "matches_unpaired", "elo_above_next"].contains(&row.metric)
        || ["path", "design"].contains(&table.name);
    (!counts).then_some((table.name, keys, row.metric))
}

/// How often rows were given an interval, and how often that held the truth.
type Held = BTreeMap<Key, (u64, u64)>;

fn held(truth: &BTreeMap<Key, f64>, tables: &[Table]) -> Held {
    let mut found = Held::new();
    for table in tables {
        for row in &table.rows {
            let interval = row.estimate.and_then(|estimate| estimate.interval);
            let key = key(table, row);
            let known = key.as_ref().and_then(|key| truth.get(key));
            let (Some(key), Some(truth), Some((lo, hi))) = (key, known, interval) else { continue };
            let near = 1e-9 * truth.abs().max(1.0);
            found.insert(key, (1, u64::from(lo - near <= *truth && *truth <= hi + near)));
        }
    }
    found
}

fn added(mut all: Held, more: Held) -> Held {
    for (key, (given, held)) in more {
        let sum = all.entry(key).or_default();
        *sum = (sum.0 + given, sum.1 + held);
    }
    all
}

/// What all runs say. Their threads are not rayon's: a run waits for its blocks, which those play.
fn side_by_side(runs: u64, run: impl Fn(u64) -> Held + Sync) -> Held {
    let threads = rayon::current_num_threads();
    let some = |first: u64| (first..runs).step_by(threads).map(&run).fold(Held::new(), added);
    thread::scope(|scope| {
        let all: Vec<_> =
            (0..threads as u64).map(|first| scope.spawn(move || some(first))).collect();
        all.into_iter().map(|one| one.join().expect("a run")).fold(Held::new(), added)
    })
}

/// A share of things of which 95 % should be held, and of which this many are. `runs` of them are independent: rows of a
/// run go together.
fn figure(
    what: String,
    setting: String,
    (given, held): (u64, u64),
    runs: u64,
    bound: f64,
) -> Figure {
    let (n, observed) = (given.min(runs) as f64, held as f64 / given as f64);
    let of = |p: f64| (p * (1.0 - p) / n).sqrt();
    let errors = if runs >= ROW_RUNS { 2.0 } else { 4.0 };
    let lo = (bound - errors * of(bound)).max(0.0);
    Figure {
        what,
        setting,
        simulations: given,
        expected: 0.95,
        observed,
        se: of(observed),
        lo,
        hi: 1.0,
        holds: lo <= observed,
    }
}

/// How often the intervals of a metric held: all rows together, and the row with the smallest share.
#[derive(Default)]
struct Pool {
    given: u64,
    held: u64,
    worst: Option<(f64, u64, u64, String)>,
}

/// By table and metric: all rows together, and the row that covers least of those that enough runs have.
fn figures(rows: &Held, setting: &str, runs: u64) -> Vec<Figure> {
    let mut metrics: BTreeMap<String, Pool> = BTreeMap::new();
    for ((table, keys, metric), &(given, held)) in rows {
        let pool = metrics.entry(format!("{table} {metric}")).or_default();
        (pool.given, pool.held) = (pool.given + given, pool.held + held);
        let share = held as f64 / given as f64;
        let is_worst = pool.worst.as_ref().is_none_or(|worst| share < worst.0);
        if given >= ROW_RUNS && is_worst {
            pool.worst = Some((share, given, held, keys.join(" ")));
        }
    }
    let mut figures = Vec::new();
    for (what, Pool { given, held, worst }) in metrics {
        // Where hardly any run gives an interval, those that do are the lucky ones.
        if given >= runs {
            figures.push(figure(what.clone(), setting.to_owned(), (given, held), runs, POOLED));
        }
        if let Some((_, given, held, keys)) = worst {
            let setting = format!("{setting}, worst row: {keys}");
            figures.push(figure(what, setting, (given, held), runs, WORST));
        }
    }
    figures
}

/// The runs of a calibration: how many, and of how many blocks.
struct Runs {
    count: u64,
    sizes: &'static [u64],
    /// Blocks of the long run. Thirty times as many as of the others make its error a fifth of theirs.
    whole: u64,
}

/// How often the intervals of a study hold what its long run estimates; nothing of one that the game does not have.
fn covered(study: &str, place: &Place, game: &dyn LoadedGame, runs: &Runs) -> Option<Vec<Figure>> {
    let long = tables(game, design(study, place, game, runs.whole, true)?, u64::MAX);
    let rows = long.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let truth: BTreeMap<Key, f64> =
        rows.filter_map(|(table, row)| Some((key(table, row)?, row.estimate?.value))).collect();
    let mut all = Vec::new();
    for &blocks in runs.sizes {
        let run = |seed| {
            let design = design(study, place, game, blocks, false).expect("as the long run");
            held(&truth, &tables(game, design, seed))
        };
        let rows = side_by_side(runs.count, run);
        let setting = format!("{}, {study}, {blocks} blocks", place.name);
        all.extend(figures(&rows, &setting, runs.count));
    }
    Some(all)
}

/// A game with its usual rules but for what lets a choice be balanced, and this many points that win.
fn game_of(place: &Place, points: &str) -> Box<dyn LoadedGame> {
    let games = Games::standard();
    let game_type = games.get(place.name).expect("a game");
    let points = format!("points_to_win={points}");
    let words = place.set.iter().map(|&word| word.to_owned()).chain([points]);
    let words: Vec<String> = words.collect();
    let game = changed(game_type, game_type.default_rules(), &words, place.players);
    game.expect("rules that can be played")
}

/// The seed that deals the map of a game.
const MAP: u64 = 1;

/// The same game with a map that is laid in every match, if it has one.
fn of_map(game: &dyn LoadedGame, place: &Place) -> Option<Box<dyn LoadedGame>> {
    let field = game.game_type().facts().map_field?;
    let map = game.map(BlockSeed::new(MAP, 0)).expect("a map");
    let words = [format!("{field}={}", map.text)];
    let laid = changed(game.game_type(), game.rules(), &words, place.players);
    Some(laid.expect("a file that we wrote"))
}

/// All studies of a game, or those whose names the environment asks for, such as `boats, luck`.
fn of_game(place: &Place) -> Vec<Figure> {
    let count = simulations(200) / 20;
    let (sizes, whole): (&[u64], u64) =
        if count >= ROW_RUNS { (&[40, 160], 4800) } else { (&[20], 200) };
    let runs = Runs { count, sizes, whole };
    let only = env::var("FAIRHAVEN_STUDY").unwrap_or_default();
    let usual = Games::standard().get(place.name).expect("a game").default_rules()["points_to_win"]
        .to_string();
    let (whole, short) = (game_of(place, &usual), game_of(place, place.points[0]));
    let asked =
        STUDIES.into_iter().filter(|study| format!("{}, {study}", place.name).contains(&only));
    let laid = of_map(&*short, place);
    let of_study = |study: &str| {
        let game = match study {
            "map judge" => laid.as_ref()?,
            _ if study.starts_with("simulate") => &whole,
            _ => &short,
        };
        covered(study, place, &**game, &runs)
    };
    asked.filter_map(of_study).flatten().collect()
}

#[test]
fn every_metric_of_every_table_is_covered() {
    // Where every position is checked, as in tests, matches of the other games take a hundred times as long as those
    // of On the Road: the long form plays all.
    let all = simulations(200) >= 20 * ROW_RUNS;
    let mut figures = Vec::new();
    for place in if all { &PLACES[..] } else { &PLACES[..1] } {
        let of_game = of_game(place);
        write(&format!("tables-{}", place.name), &of_game);
        figures.extend(of_game);
    }
    check(&figures, &[]);
}
