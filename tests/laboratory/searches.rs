//! Searches on responses that are known: a planted one, of which each match is the flip of a coin.

use crate::library::{caller, on_the_road, searched};
use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::question::Question;
use fairhaven::lab::questions::searches::family::Family;
use fairhaven::lab::questions::searches::level_settings::Levels;
use fairhaven::lab::questions::searches::search::{
    CourseStage, Found, Halt, Stage, StageSums, Stages,
};
use fairhaven::lab::report::comparison::Finding;
use fairhaven::lab::report::manifest::Manifest;
use fairhaven::lab::report::table::Table;
use fairhaven::lab::run::{self, Settings};
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::learn::{WeightCourse, WeightState};
use fairhaven::sim::trials;
use fairhaven::stats::jackknife::Grouped;
use rand_core::Rng;
use std::collections::BTreeSet;

/// A lone agent wins each match with a probability that follows from its parameter `iterations` or `haste`, on luck
/// that is the deal's and the seat's.
struct Planted<F> {
    response: F,
    matches: u64,
    seeds: BTreeSet<u64>,
}

impl<F: Fn(f64) -> f64> Stages for Planted<F> {
    fn play(&mut self, stage: &Stage) -> Result<StageSums, Halt> {
        let value = ["iterations", "haste"].iter().find_map(|key| {
            let value = stage.agents[0].parameters.get(*key)?;
            value.as_float().or(value.as_integer().map(|whole| whole as f64))
        });
        let rate = (self.response)(value.expect("an agent with the parameter"));
        let (plan, players) = (stage.chunking(), stage.matches.len());
        let mut grouped = Grouped::new(trials::COMMON + players * players);
        for chunk in 0..plan.chunks() {
            let blocks = plan.blocks_of(chunk..chunk + 1);
            let mut sums = vec![0; grouped.width()];
            for block in blocks.clone() {
                let deal = BlockSeed::new(stage.seed, stage.blocks.start + block);
                let mut luck = deal.stream(Stream::Study, None, 0);
                sums[trials::BLOCKS] += 1;
                sums[trials::MATCHES] += players as u64;
                for seat in 0..players {
                    let won = f64::from(luck.next_u32()) < rate * f64::from(u32::MAX);
                    sums[trials::COMMON + seat * players + seat] += u64::from(won);
                }
            }
            grouped.add(chunk, blocks.end - blocks.start, &sums);
        }
        self.matches += plan.blocks * players as u64;
        self.seeds.insert(stage.seed);
        Ok(StageSums::new(stage, grouped))
    }

    fn learn(&mut self, _: &CourseStage<'_, WeightCourse>) -> Result<WeightState, Halt> {
        Err("no search for a level learns".to_owned().into())
    }
}

fn family(key: &str, low: f64, high: f64, [log, whole]: [bool; 2]) -> Family {
    Family { agent: 0, key: key.to_owned(), low, high, log, whole }
}

fn levels(rates: &[f64], family: Family) -> Levels {
    Levels { rates: rates.to_vec(), families: vec![family], tolerance: 0.02, matches: 1_000_000 }
}

/// The manifest of a search on On the Road.
fn manifest(levels: &Levels, agent: &str, seed: u64) -> Manifest {
    let spec = |name: &str| AgentSpec::parse(name, None).expect("an agent");
    let game = on_the_road();
    let design = levels.clone().design(vec![spec(agent)], spec("greedy"), 4);
    let settings = Settings { seed, ..Settings::default() };
    run::manifest(&*game, design, &settings, &caller(&mut (), Watch::none())).expect("its rules").1
}

/// What a search finds where the response is planted, and the matches that it played.
fn found(levels: &Levels, agent: &str, seed: u64, response: impl Fn(f64) -> f64) -> (Found, u64) {
    let mut planted = Planted { response, matches: 0, seeds: BTreeSet::new() };
    let found = searched(levels, &manifest(levels, agent, seed), &mut planted);
    (found.expect("stages that can be played"), planted.matches)
}

/// By rate: the parameter, the verdict, and the measured rate.
fn verdicts(tables: &[Table]) -> Vec<(f64, f64, String, f64)> {
    let levels = tables.iter().find(|table| table.name == "levels").expect("a table");
    let of = |metric: &'static str| levels.rows.iter().filter(move |row| row.metric == metric);
    let value = |row: &fairhaven::lab::report::table::Row| row.estimate.expect("a number").value;
    let both = of("win_rate").zip(of("parameter"));
    both.map(|(rate, parameter)| {
        let percent = rate.keys[0].parse().expect("a number");
        (
            percent,
            value(parameter),
            rate.finding().map_or(String::new(), Finding::words),
            value(rate),
        )
    })
    .collect()
}

/// Rising on a logarithmic scale, and falling on a plain one.
fn rising(iterations: f64) -> f64 {
    0.05 + 0.6 * (iterations / 2.0).ln() / 2500_f64.ln()
}

fn falling(haste: f64) -> f64 {
    0.1 + 0.5 / (1.0 + (haste - 2.0).exp())
}

#[test]
fn a_planted_rate_is_found_within_the_tolerance() {
    let rates = [15.0, 25.0, 40.0, 55.0];
    let mut certified = 0;
    for seed in 0..10 {
        let whole = levels(&rates, family("iterations", 2.0, 5000.0, [true, true]));
        let plain = levels(&rates, family("haste", 0.0, 6.0, [false, false]));
        let (one, _) = found(&whole, "mcts", seed, rising);
        let (other, _) = found(&plain, "heuristic", seed, falling);
        let one = verdicts(&one.tables)
            .into_iter()
            .map(|(percent, value, verdict, _)| (percent, rising(value), verdict));
        let other = verdicts(&other.tables)
            .into_iter()
            .map(|(percent, value, verdict, _)| (percent, falling(value), verdict));
        for (percent, rate, verdict) in one.chain(other) {
            if verdict == "certified" {
                certified += 1;
                // All intervals hold together with 95 %; here none fails.
                assert!((rate - percent / 100.0).abs() < 0.02, "{percent}: {rate}");
            }
        }
    }
    assert!(certified >= 78, "{certified} of 80");
}

#[test]
fn a_rate_that_no_parameter_reaches_is_said_so_with_the_nearest() {
    let levels = levels(&[2.0, 30.0, 80.0], family("iterations", 2.0, 5000.0, [true, true]));
    let (Found { tables, files }, _) = found(&levels, "mcts", 3, rising);
    let verdicts = verdicts(&tables);
    let said: Vec<(f64, &str)> =
        verdicts.iter().map(|(_, value, said, _)| (*value, said.as_str())).collect();
    assert_eq!(said[0], (2.0, "not reached"));
    assert_eq!(said[1].1, "certified");
    assert_eq!(said[2], (5000.0, "not reached"));
    assert!(levels.has_failed(&tables));
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["level-30.toml"]);
}

#[test]
fn a_rate_between_two_whole_values_is_not_certified() {
    // 10 % up to 20 iterations, 50 % from 21 on.
    let jump = |iterations: f64| if iterations < 20.5 { 0.1 } else { 0.5 };
    let levels = levels(&[30.0], family("iterations", 10.0, 30.0, [false, true]));
    let (Found { tables, files }, matches) = found(&levels, "mcts", 4, jump);
    let (_, value, verdict, rate) = verdicts(&tables).remove(0);
    assert_eq!(verdict, "not certified");
    assert!((18.0..=23.0).contains(&value) && !(0.2..0.4).contains(&rate), "{value} {rate}");
    assert!(files.is_empty() && matches < 150_000, "{matches}");
}

#[test]
fn the_budget_of_matches_holds() {
    let family = family("iterations", 2.0, 5000.0, [true, true]);
    let levels = Levels { matches: 8_000, ..levels(&[25.0], family) };
    for seed in 0..5 {
        let (_, matches) = found(&levels, "mcts", seed, rising);
        assert!(matches <= 8_000 + 9 * 64 * 4, "{matches}");
    }
}

/// What is certified was never searched on, and a try never repeats the deals of another.
#[test]
fn certificates_have_deals_of_their_own() {
    let family = || family("iterations", 2.0, 5000.0, [true, true]);
    let seeds = |rates: &[f64]| {
        let levels = levels(rates, family());
        let mut planted = Planted { response: rising, matches: 0, seeds: BTreeSet::new() };
        searched(&levels, &manifest(&levels, "mcts", 1), &mut planted).expect("stages");
        planted.seeds
    };
    let (one, other) = (seeds(&[25.0]), seeds(&[40.0]));
    assert!(one.len() >= 2 && other.len() >= 2);
    assert_eq!(one.intersection(&other).count(), 1, "the search's deals alone are common");
}

/// A strategy file says what was measured, and is an agent.
#[test]
fn a_level_is_a_strategy_with_its_provenance() {
    let levels = levels(&[25.0], family("iterations", 2.0, 5000.0, [true, true]));
    let (Found { files, tables }, _) = found(&levels, "mcts:exploration=0.5", 5, rising);
    let text = &files[0].text;
    let agent = AgentSpec::parse("level-25.toml", Some(text)).expect("a strategy");
    let value = verdicts(&tables)[0].1;
    assert_eq!(agent.kind, "mcts");
    assert_eq!(agent.parameters["iterations"].as_integer().map(|whole| whole as f64), Some(value));
    assert_eq!(agent.parameters["exploration"].as_float(), Some(0.5));
    for part in [
        "fairhaven levels on-the-road --against greedy --rates 25 --agent mcts:exploration=0.5 --param \
         iterations=2..5000 --players 4 --tolerance 2pp --matches 1000000 --seed 5",
        "on fresh deals",
        &format!("{value} iterations a decision"),
        "[level]\ngame = \"on-the-road\"\nagainst = \"greedy\"\nplayers = 4\nrules_hash = \"",
        "\npercent = 25.0\ntolerance = \"2pp\"\niterations = ",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}
