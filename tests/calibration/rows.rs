//! What the rows of `simulate` say of themselves: how many blocks they rest on, what is fixed, which intervals
//! are those of other rows.

use fairhaven::core::game::Game;
use fairhaven::core::measure::Names;
use fairhaven::core::watch::Watch;
use fairhaven::games::base::Base;
use fairhaven::games::on_the_road as road;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::lab::report::format::number;
use fairhaven::lab::report::simulated;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::lab::report::tables::Source;
use fairhaven::parts::island;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::batch::Chunking;
use fairhaven::sim::choices::Pad;
use fairhaven::sim::experiment::Experiment;
use fairhaven::sim::simulation::{self, Simulation};
use fairhaven::stats::jackknife::Grouped;
use fairhaven::stats::jackknife::Method;
use rayon::prelude::*;
use std::ops::Range;

/// A line-up at a table.
struct Setting<'a, G> {
    /// The rules.
    game: G,
    /// Distinct agents.
    agents: &'a [&'a str],
    /// Who of them sits where.
    seats: &'a [usize],
}

impl<G: Playable> Setting<'_, G> {
    /// The tables of some blocks.
    fn tables(&self, seed: u64, blocks: Range<u64>) -> Vec<Table> {
        let sit = |game: &G, _: &Pad| {
            let make = |name: &&str| {
                let spec = AgentSpec::parse(name, None).expect("a known agent");
                spec.make(game, &Watch::none()).expect("of this game")
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
            watch: &Watch::none(),
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
        simulated::all(Source {
            names: Names::of::<G>(),
            grouped: &grouped,
            layout: &simulation.layout,
            agents: &agents,
            players: u8::try_from(self.seats.len()).expect("few seats"),
            firsts: &[],
        })
    }
}

/// On the Road, side B.
fn on_the_road(players: u8) -> OnTheRoad {
    let mut rules = road::rules::Rules::default();
    rules.side = road::rules::Side::B;
    OnTheRoad::new(rules, players).expect("the rules of side B")
}

/// Base CATAN.
fn base(players: u8) -> Base {
    Base::new(island::rules::Rules::default(), players).expect("the usual rules")
}

/// Each row with its table; a lift rests on two kinds of seats, which need not meet in a block.
fn rows(tables: &[Table]) -> impl Iterator<Item = (&'static str, &Row)> {
    let all = tables.iter().flat_map(|table| table.rows.iter().map(|row| (table.name, row)));
    all.filter(|(table, row)| !row.metric.starts_with("lift") && *table != "anomalies")
}

fn rests_on_blocks_that_show_it<G: Playable>(setting: &Setting<'_, G>) {
    let whole = setting.tables(5, 0..12);
    let single: Vec<Vec<Table>> =
        (0..12).map(|block| setting.tables(5, block..block + 1)).collect();
    for (table, row) in rows(&whole) {
        let same = |tables: &&Vec<Table>| {
            rows(tables).any(|(other, seen)| {
                (other, &seen.keys, seen.metric) == (table, &row.keys, row.metric) && seen.n > 0
            })
        };
        let seen = match row.metric {
            // A length's share is one of all matches, though the row is there only if it was seen.
            "share" | "alive_share" => 12,
            _ => single.iter().filter(same).count() as u64,
        };
        assert_eq!(row.blocks, seen, "{table} {:?} {}", row.keys, row.metric);
    }
}

#[test]
fn a_row_rests_on_the_blocks_that_hold_such_a_thing() {
    rests_on_blocks_that_show_it(&Setting {
        game: on_the_road(3),
        agents: &["builder", "random"],
        seats: &[0, 1, 1],
    });
    rests_on_blocks_that_show_it(&Setting {
        game: base(3),
        agents: &["greedy", "random"],
        seats: &[0, 0, 1],
    });
}

/// The numbers of a row as its file has them.
fn printed(row: &Row) -> Vec<f64> {
    let estimate = row.estimate.expect("an estimate");
    let (low, high) = estimate.interval.expect("an interval");
    let read = |value| number(Some(value)).parse().expect("a number");
    [estimate.value, low, high].map(read).to_vec()
}

#[test]
fn advantage_is_the_win_rate_less_an_even_share_to_the_last_digit() {
    let game = on_the_road(3);
    let setting = Setting { game, agents: &["builder", "drifter", "random"], seats: &[0, 1, 2] };
    for seed in 0..4 {
        let tables = setting.tables(seed, 0..31);
        let seats = tables.iter().find(|table| table.name == "seats").expect("of every run");
        for rate in seats.rows.iter().filter(|row| row.metric == "win_rate") {
            let keys: Vec<&str> = rate.keys.iter().map(String::as_str).collect();
            let advantage = seats.find(&keys, "advantage").expect("beside the win rate");
            let less = |rate: &f64| number(Some(rate - 1.0 / 3.0));
            let expected: Vec<String> = printed(rate).iter().map(less).collect();
            let found: Vec<String> =
                printed(advantage).iter().map(|&value| number(Some(value))).collect();
            assert_eq!(expected, found);
        }
    }
}

#[test]
fn what_the_design_fixes_has_no_interval_and_says_so() {
    let game = on_the_road(4);
    let setting = Setting { game, agents: &["builder"], seats: &[0; 4] };
    let tables = setting.tables(1, 0..40);
    let table = |name: &str| tables.iter().find(|table| table.name == name).expect("of every run");
    let fixed = |table: &Table, keys: &[&str], metric: &str| {
        let row = table.find(keys, metric).expect("a row");
        let estimate = row.estimate.expect("an estimate");
        assert_eq!((estimate.method, estimate.interval), (Method::Fixed, None), "{metric}");
        number(Some(estimate.value))
    };
    let agents = table("agents");
    assert_eq!(fixed(agents, &["builder"], "win_rate"), "0.25");
    assert_eq!(fixed(agents, &["builder"], "wins"), "40");
    assert_eq!(fixed(agents, &["builder"], "rank_mean"), "2.5");
    assert_eq!(fixed(table("tension"), &["1"], "alive_share"), "1");
    assert_eq!(fixed(table("tension"), &["1"], "lead_changed"), "0");
    let seat = table("seats").find(&["1", "builder"], "win_rate").and_then(|row| row.estimate);
    assert!(seat.expect("an estimate").interval.is_some(), "what a seat wins is not fixed");
}

#[test]
fn points_of_a_seat_that_hardly_loses_have_no_interval() {
    // Twelve blocks of one match in each seat: `builder` wins nearly all of them, `random` nearly none.
    let setting =
        Setting { game: on_the_road(3), agents: &["builder", "random"], seats: &[0, 1, 1] };
    let tables = setting.tables(5, 0..12);
    for table in tables.iter().filter(|table| ["agents", "seats"].contains(&table.name)) {
        for points in table.rows.iter().filter(|row| row.metric == "points_mean") {
            let keys: Vec<&str> = points.keys.iter().map(String::as_str).collect();
            let rate = table.find(&keys, "win_rate").and_then(|row| row.estimate);
            let won = rate.expect("beside the points").value * points.n as f64;
            let lost = (points.n as f64 - won).round();
            let estimate = points.estimate.expect("an estimate");
            assert_eq!(estimate.method == Method::TooFew, lost < 10.0, "{keys:?}: {lost} not won");
        }
    }
}
