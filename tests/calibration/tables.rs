//! Every metric of every table of `simulate`, of both games: how often the intervals of short runs hold what
//! a long run estimates. Rows of a metric are pooled; an interval that is not given covers nothing and misses
//! nothing.

use crate::figures::{Figure, report, simulations};
use fairhaven::core::game::Game;
use fairhaven::core::measure::Names;
use fairhaven::games::base::Base;
use fairhaven::games::on_the_road as road;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::lab::report::tables;
use fairhaven::parts::island;
use fairhaven::sim::agents::mcts::Watch;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::batch::Chunking;
use fairhaven::sim::choices::Pad;
use fairhaven::sim::experiment::Experiment;
use fairhaven::sim::simulation::{self, Simulation};
use fairhaven::stats::jackknife::Grouped;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// A line-up at a table.
pub struct Setting<'a, G> {
    /// What it is called.
    pub name: &'a str,
    /// The rules.
    pub game: G,
    /// Distinct agents.
    pub agents: &'a [&'a str],
    /// Who of them sits where.
    pub seats: &'a [usize],
    /// Blocks of the long run.
    pub reference: u64,
}

impl<G: Playable> Setting<'_, G> {
    /// The tables of some blocks.
    pub fn tables(&self, seed: u64, blocks: Range<u64>) -> Vec<Table> {
        let sit = |game: &G, _: &Pad| {
            let make = |name: &&str| {
                let spec = AgentSpec::parse(name, None).expect("a known agent");
                spec.make(game, Watch::NONE).expect("of this game")
            };
            self.agents.iter().map(make).collect()
        };
        let simulation = Simulation {
            game: &self.game,
            seed,
            rotations: simulation::rotations(self.seats),
            layout: simulation::layout(&self.game, self.agents.len()),
            agents: Box::new(sit),
            write: None,
            stopped: || false,
        };
        let count = blocks.end - blocks.start;
        let plan = Chunking { blocks: count, chunk: Chunking::chunk_for(count) };
        let empty = || (simulation.worker(), Grouped::new(simulation.width()));
        let parts =
            (0..plan.chunks()).into_par_iter().fold(empty, |(mut worker, mut sums), chunk| {
                let part = plan.blocks_of(chunk..chunk + 1);
                let count = part.end - part.start;
                let part = blocks.start + part.start..blocks.start + part.end;
                sums.add(chunk, count, &worker.play(part).sums);
                (worker, sums)
            });
        let parts = parts.map(|(_, sums)| sums);
        let grouped = parts.reduce(
            || Grouped::new(simulation.width()),
            |mut all, part| {
                all.merge(&part);
                all
            },
        );
        let agents: Vec<String> = self.agents.iter().map(|&name| name.to_owned()).collect();
        tables::all(tables::Source {
            names: Names::of::<G>(),
            grouped: &grouped,
            layout: &simulation.layout,
            agents: &agents,
            players: u8::try_from(self.seats.len()).expect("few seats"),
            firsts: &[],
        })
    }

    /// How often the rows of a metric cover, of `runs` runs of some blocks.
    fn figures(&self, counts: &[u64], runs: u64) -> Vec<Figure> {
        let truth: BTreeMap<Key, f64> = self
            .tables(u64::MAX, 0..self.reference)
            .iter()
            .flat_map(|table| table.rows.iter().map(|row| (key(table, row), row)))
            .filter_map(|(key, row)| Some((key, row.estimate?.value)))
            .collect();
        let mut figures = Vec::new();
        for &blocks in counts {
            let mut rows: BTreeMap<&Key, (u64, u64)> = BTreeMap::new();
            for seed in 0..runs {
                for table in self.tables(seed, 0..blocks) {
                    for row in &table.rows {
                        let interval = row.estimate.and_then(|estimate| estimate.interval);
                        let known = truth.get_key_value(&key(&table, row));
                        let (Some((key, truth)), Some((lo, hi))) = (known, interval) else {
                            continue;
                        };
                        let (given, held) = rows.entry(key).or_default();
                        *given += 1;
                        *held += u64::from(lo - 1e-9 <= *truth && *truth <= hi + 1e-9);
                    }
                }
            }
            figures.extend(self.pooled(&rows, blocks, runs));
        }
        figures
    }

    fn pooled(&self, rows: &BTreeMap<&Key, (u64, u64)>, blocks: u64, runs: u64) -> Vec<Figure> {
        // By table and metric: given, held, and the row that covers least of those given in half of the runs.
        let mut metrics: BTreeMap<String, (u64, u64, f64)> = BTreeMap::new();
        for ((table, _, metric), &(given, held)) in rows {
            let pool = metrics.entry(format!("{table} {metric}")).or_insert((0, 0, 1.0));
            (pool.0, pool.1) = (pool.0 + given, pool.1 + held);
            if 2 * given >= runs {
                pool.2 = pool.2.min(held as f64 / given as f64);
            }
        }
        let mut figures = Vec::new();
        for (what, (given, held, worst)) in metrics {
            let of = |suffix: &str| format!("{}, {blocks} blocks{suffix}", self.name);
            let share = held as f64 / given as f64;
            // Rows of a run go together: the run is what a pooled share has many of. A row that few runs have,
            // such as the win rate of equal agents where a match had no winner, has only those.
            figures.push(figure(&what, of(""), runs.min(given), share, (0.92, 4.0)));
            figures.push(figure(&what, of(", worst row"), runs, worst, (0.85, 5.0)));
        }
        figures
    }
}

/// A table, the keys of a row but the first match of an anomaly, its metric.
type Key = (&'static str, Vec<String>, &'static str);

/// Counts grow with the run, so that those of a long one say nothing of a short one.
fn key(table: &Table, row: &Row) -> Key {
    let keys = if table.name == "anomalies" { row.keys[..1].to_vec() } else { row.keys.clone() };
    let metric = if ["wins", "count"].contains(&row.metric) { "" } else { row.metric };
    (table.name, keys, metric)
}

/// A share of runs that should be 95 %, and at least the bound less some standard errors of it.
fn figure(
    what: &str,
    setting: String,
    runs: u64,
    share: f64,
    (bound, errors): (f64, f64),
) -> Figure {
    let of = |p: f64| (p * (1.0 - p) / runs as f64).sqrt();
    let lo = (bound - errors * of(bound)).max(0.0);
    Figure {
        what: what.to_owned(),
        setting,
        simulations: runs,
        expected: 0.95,
        observed: share,
        se: of(share),
        lo,
        hi: 1.0,
        holds: lo <= share,
    }
}

/// On the Road, side B.
pub fn on_the_road(players: u8) -> OnTheRoad {
    let mut rules = road::rules::Rules::default();
    rules.side = road::rules::Side::B;
    OnTheRoad::new(rules, players).expect("the rules of side B")
}

/// Base CATAN.
pub fn base(players: u8) -> Base {
    Base::new(island::rules::Rules::default(), players).expect("the usual rules")
}

#[test]
fn every_metric_of_every_table_is_covered() {
    // A tenth of the other calibrations' runs: each has whole matches.
    let runs = simulations(100) / 10;
    let long = runs >= 200;
    let counts: &[u64] = if long { &[20, 60, 200] } else { &[40] };
    // The long run's own error is a sixth of a short one's, or less.
    let reference = 40 * counts.iter().max().copied().unwrap_or_default();
    let mixed: &[&str] =
        if long { &["heuristic", "greedy", "random"] } else { &["builder", "drifter", "random"] };
    let road = Setting {
        name: "on-the-road, three agents",
        game: on_the_road(3),
        agents: mixed,
        seats: &[0, 1, 2],
        reference,
    };
    let equal = Setting {
        name: "on-the-road, four alike",
        game: on_the_road(4),
        agents: if long { &["greedy"] } else { &["builder"] },
        seats: &[0, 0, 0, 0],
        reference,
    };
    let island = Setting {
        name: "base, greedy and random",
        game: base(3),
        agents: &["greedy", "random"],
        seats: &[0, 0, 1],
        reference,
    };
    let mut figures = road.figures(counts, runs);
    figures.extend(equal.figures(counts, runs));
    figures.extend(island.figures(counts, runs));
    figures.retain(|figure| !figure.what.ends_with(' '));
    report("tables", &figures, &[]);
}
