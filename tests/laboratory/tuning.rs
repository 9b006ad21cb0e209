//! Tuning where the best parameters are known: each match is the flip of a coin that falls with the distance from them.

use crate::library::{caller, on_the_road, searched};
use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::question::Question;
use fairhaven::lab::questions::searches::family::Family;
use fairhaven::lab::questions::searches::search::{
    CourseStage, Found, Halt, Metric, Stage, StageSums, Stages,
};
use fairhaven::lab::questions::searches::tune_course::Tune;
use fairhaven::lab::report::comparison::Finding;
use fairhaven::lab::report::manifest::Manifest;
use fairhaven::lab::report::table::{Row, Table};
use fairhaven::lab::run::{self, Settings};
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::counts::score::ScoreCount;
use fairhaven::sim::learn::{WeightCourse, WeightState};
use fairhaven::sim::trials;
use fairhaven::stats::jackknife::Grouped;
use rand_core::Rng as _;
use std::collections::{BTreeMap, BTreeSet};

/// Agents whose strength falls with the squared distance of their parameters from the best ones.
struct Planted {
    best: [f64; 2],
    /// What a distance of 1 costs, in matches.
    depth: f64,
    /// The blocks that were played of each stream of deals.
    deals: BTreeMap<u64, u64>,
}

const KEYS: [&str; 2] = ["haste", "knight_love"];

impl Planted {
    fn new(depth: f64) -> Planted {
        Planted { best: [3.0, 0.8], depth, deals: BTreeMap::new() }
    }

    /// What an agent loses by its parameters, both of ranges from 0 to 4.
    fn loss(&self, agent: &AgentSpec) -> f64 {
        let off = |(key, best): (&str, f64)| {
            let value = &agent.parameters[key];
            let value = value.as_float().or(value.as_integer().map(|whole| whole as f64));
            (value.expect("a number") - best) / 4.0
        };
        KEYS.into_iter().zip(self.best).map(off).map(|off| self.depth * off * off).sum()
    }

    /// The chance that agent 0 wins a match, and that agent 1 does.
    fn chances(&self, stage: &Stage, seats: &[usize]) -> [f64; 2] {
        let sits = [0, 1].map(|agent| seats.contains(&agent));
        let loss = [0, 1].map(|agent| self.loss(&stage.agents[agent]));
        match sits {
            [true, true] => [0.5 + loss[1] - loss[0], 0.5 + loss[0] - loss[1]],
            _ => [0, 1].map(|at| if sits[at] { (0.4 - loss[at]).max(0.0) } else { 0.0 }),
        }
    }
}

impl Stages for Planted {
    fn play(&mut self, stage: &Stage) -> Result<StageSums, Halt> {
        let (plan, players) = (stage.chunking(), stage.matches[0].seats.len());
        let scores = ScoreCount::of(&stage.matches);
        let mut grouped = Grouped::new(trials::COMMON + stage.count().width());
        for chunk in 0..plan.chunks() {
            let blocks = plan.blocks_of(chunk..chunk + 1);
            let mut sums = vec![0; grouped.width()];
            for block in blocks.clone() {
                let deal = BlockSeed::new(stage.seed, stage.blocks.start + block);
                let mut luck = deal.stream(Stream::Study, None, 0);
                let mut score = scores.most();
                let mut lost = 0;
                sums[trials::BLOCKS] += 1;
                sums[trials::MATCHES] += stage.matches.len() as u64;
                for (number, of) in stage.matches.iter().enumerate() {
                    let [first, second] = self.chances(stage, &of.seats);
                    let drawn = f64::from(luck.next_u32()) / f64::from(u32::MAX);
                    let winner = match drawn {
                        drawn if drawn < first => 0,
                        drawn if drawn < first + second => 1,
                        _ => continue,
                    };
                    let seat = of.seats.iter().position(|&agent| agent == winner);
                    let seat = seat.expect("a winner at the table");
                    sums[trials::COMMON + number * players + seat] += 1;
                    if winner == 0 { score += 1 } else { lost += 1 }
                }
                if stage.counted == Metric::Scores {
                    sums[trials::COMMON + scores.first() + score - lost] += 1;
                }
            }
            grouped.add(chunk, blocks.end - blocks.start, &sums);
        }
        *self.deals.entry(stage.seed).or_default() += plan.blocks;
        Ok(StageSums::new(stage, grouped))
    }

    fn learn(&mut self, _: &CourseStage<'_, WeightCourse>) -> Result<WeightState, Halt> {
        Err("tuning learns nothing".to_owned().into())
    }
}

fn spec(name: &str) -> AgentSpec {
    AgentSpec::parse(name, None).expect("an agent")
}

/// The search, from the values 1 and 2 on, and its manifest.
fn tune(pool: &[&str], matches: u64, seed: u64) -> (Tune, Manifest) {
    let family = |key: &&str| Family {
        agent: 0,
        key: (*key).to_owned(),
        low: 0.0,
        high: 4.0,
        log: false,
        whole: false,
    };
    let families = KEYS.iter().map(family).collect();
    let tune = Tune::new(families, vec![1.0, 2.0], matches, pool.len(), 4).expect("matches");
    let game = on_the_road();
    let start = spec("heuristic:haste=1:knight_love=2");
    let pool = pool.iter().map(|name| spec(name)).collect();
    let settings = Settings { seed, ..Settings::default() };
    let design = tune.clone().design(start, pool, 4);
    let (_, manifest) = run::manifest(&*game, design, &settings, &caller(&mut (), Watch::none()))
        .expect("its rules");
    (tune, manifest)
}

fn rows<'a>(tables: &'a [Table], name: &str) -> &'a [Row] {
    &tables.iter().find(|table| table.name == name).expect("a table").rows
}

fn value(row: &Row) -> f64 {
    row.estimate.expect("a number").value
}

/// The values found, and the verdict.
fn found(tables: &[Table]) -> ([f64; 2], String) {
    let rows = rows(tables, "tuned");
    ([value(&rows[1]), value(&rows[2])], rows[0].finding().map_or(String::new(), Finding::words))
}

#[test]
fn a_planted_optimum_is_found_and_proven() {
    for pool in [&[][..], &["greedy"], &["greedy", "heuristic"]] {
        let mut squares = 0.0;
        for seed in 0..10 {
            let (tune, manifest) = tune(pool, 50_000, seed);
            let mut planted = Planted::new(0.6);
            let Found { tables, files } = searched(&tune, &manifest, &mut planted).expect("stages");
            let (values, verdict) = found(&tables);
            squares += values.iter().zip(planted.best).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            assert_eq!(verdict, "stronger", "{pool:?} {values:?}");
            assert!(!tune.has_failed(&tables));
            // The true difference, of the chances where they meet, lies in the interval.
            let agent = AgentSpec::parse("tuned.toml", Some(&files[0].text)).expect("a strategy");
            let gain =
                planted.loss(&spec("heuristic:haste=1:knight_love=2")) - planted.loss(&agent);
            let truth = if pool.is_empty() { 2.0 * gain } else { gain };
            let (low, high) = rows(&tables, "tuned")[0].estimate.unwrap().interval.unwrap();
            assert!(low <= truth && truth <= high, "{truth} in {low} to {high}");
        }
        let error = (squares / 20.0).sqrt();
        assert!(error < 0.25, "{error} on a range of 4, {pool:?}");
    }
}

/// Where nothing depends on the parameters, nothing is proven: in no more than 5 % of searches, of which 2 of 20 would
/// be a chance of 26 %, and 4 one of 2 %.
#[test]
fn where_nothing_is_to_be_found_no_strategy_is_written() {
    let mut proven = 0;
    for seed in 0..20 {
        let (tune, manifest) = tune(&[], 4_000, seed);
        let found = searched(&tune, &manifest, &mut Planted::new(0.0)).expect("stages");
        let (_, verdict) = self::found(&found.tables);
        let is_proven = verdict == "stronger";
        assert_eq!(tune.has_failed(&found.tables), !is_proven);
        assert_eq!(found.files.is_empty(), !is_proven);
        proven += u32::from(is_proven);
        let said = tune.answer(&manifest, &found.tables).sentences.remove(0).text;
        assert_eq!(said.contains("is not shown to be stronger"), verdict.starts_with(['n', 'u']));
        assert_eq!(rows(&found.tables, "tune").len(), 3 * tune.iterations as usize);
    }
    assert!(proven < 4, "{proven} of 20");
}

#[test]
fn the_comparison_has_deals_of_its_own_and_keeps_to_its_matches() {
    let (tune, manifest) = tune(&["greedy"], 2_000, 1);
    let mut planted = Planted::new(0.0);
    searched(&tune, &manifest, &mut planted).expect("stages");
    let blocks: BTreeSet<u64> = planted.deals.values().copied().collect();
    let searched = u64::from(tune.iterations) * tune.blocks;
    assert_eq!(planted.deals.len(), 2, "{:?}", planted.deals);
    assert!(blocks.contains(&searched) && 8 * searched <= 2_000, "{blocks:?}");
    assert!(blocks.iter().all(|blocks| 8 * blocks <= 2_000), "{blocks:?}");
    assert!(planted.deals.values().sum::<u64>() <= manifest.plan.blocks);
}

#[test]
fn a_tuned_strategy_says_where_it_comes_from() {
    let (tune, manifest) = tune(&["greedy"], 50_000, 7);
    let Found { files, tables } =
        searched(&tune, &manifest, &mut Planted::new(0.6)).expect("stages");
    let text = &files[0].text;
    let agent = AgentSpec::parse("tuned.toml", Some(text)).expect("a strategy");
    let (values, _) = found(&tables);
    let written = KEYS.map(|key| agent.parameters[key].as_float().unwrap());
    assert!(written.iter().zip(values).all(|(written, value)| (written - value).abs() < 1e-12));
    for part in [
        "fairhaven tune on-the-road heuristic:haste=1:knight_love=2 --param haste=0..4 --param knight_love=0..4 \
         --against greedy --players 4 --matches 50000 --seed 7; 250 iterations; ",
        "the tuned agent is stronger than heuristic:haste=1:knight_love=2 by ",
        "matches on fresh deals)",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}
