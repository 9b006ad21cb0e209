//! What holds for every study in the list: it writes the tables that it describes, its settings come back from the
//! manifest as they were, and the command that it names exists.

use crate::library::caller;
use clap::CommandFactory;
use fairhaven::cli::Cli;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::questions::studies::STUDIES;
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
use fairhaven::lab::report::described::TableSchema;
use fairhaven::lab::report::manifest::{Manifest, RowForm};
use fairhaven::lab::run::job;
use fairhaven::lab::run::{Finished, Settings};
use fairhaven::lab::setup::line_up::{agent, line_up};
use fairhaven::registry::Games;
use fairhaven::sim::any_game::LoadedGame;
use fairhaven::sim::line_up::LineUp;
use std::collections::BTreeSet;

fn game() -> Box<dyn LoadedGame> {
    let games = Games::standard();
    let game_type = games.get("on-the-road").expect("a game");
    let mut rules = game_type.default_rules();
    rules["side"] = "b".into();
    game_type.load(rules, 4).expect("rules that can be played")
}

fn judging(until: Option<f64>) -> Judging {
    let levels = vec![agent("builder").expect("an agent")];
    Judging { levels, margin: 0.02, until, blocks: Some(4) }
}

/// Each study, with settings of which none is the default.
fn designs(game: &dyn LoadedGame) -> Vec<Design> {
    let seated = || line_up("builder,random,random,random", None).expect("agents");
    let alone = || line_up("builder", None).expect("an agent");
    let agents_of = |names: [&str; 2]| names.map(|name| agent(name).expect("an agent")).to_vec();
    let agents = ["builder", "random"].map(|name| agent(name).expect("an agent"));
    let tournament = || Tournament {
        anchor: Some("random".to_owned()),
        gauntlet: true,
        until: Some(30.0),
        onto: None,
    };
    let pair = Pair {
        agents,
        players: 4,
        line_ups: Seatings::Alone,
        matches: Some(32),
        look: Some(2),
        less_luck: true,
    };
    let hypotheses = Hypotheses::Elo(-3.0, 40.0);
    let dear = ["city.cost.ore=4".to_owned()];
    let factor = |field: &str, [low, high]: [&str; 2]| Factor {
        field: field.to_owned(),
        low: low.to_owned(),
        high: high.to_owned(),
    };
    let factors = vec![factor("points_to_win", ["7", "6"]), factor("city.cost.ore", ["3", "2"])];
    let sweep = |of: &str, values: [&str; 2]| {
        let values = values.map(str::to_owned).to_vec();
        Sweep { of: of.to_owned(), values }
    };
    let heuristic =
        || -> LineUp { line_up("heuristic,random,random,random", None).expect("agents") };
    vec![
        Simulate { rows: Some(RowForm::Csv) }.design(seated(), 8),
        Duel::design(pair, hypotheses, [0.04, 0.06], Some(0.03)).expect("a pair"),
        tournament().design(agents_of(["builder", "random"]), 4, Some(2)).expect("two agents"),
        Rules::design(game, seated(), [&[], &dear], 16).expect("two rule sets"),
        Balance::design(game, "metropolis", &[], judging(Some(0.01))).expect("a choice"),
        Factorial::design(factors, judging(Some(0.01)), 4).expect("two factors"),
        sweep("points_to_win", ["6", "7"]).over_field(alone(), 2),
        sweep("haste", ["0.5", "1"]).over_param(&heuristic(), 2).expect("a parameter"),
        Sensitivity::design(game, alone(), false, 2).expect("fields"),
        Luck::design(seated(), 2, 4),
        Reliability::design(game, seated(), agents_of(["heuristic", "mcts:fog=2"]), 7, 8)
            .expect("two judges"),
        Diagnose::design(agents_of(["random", "builder"]), Some(dear.to_vec()), 4, 4)
            .expect("two levels"),
    ]
}

/// The same with the games that they are about: one of them is about a map.
fn all_designs() -> Vec<(Box<dyn LoadedGame>, Design)> {
    let of_game = designs(&*game()).into_iter().map(|design| (game(), design));
    of_game.chain([of_map()]).collect()
}

/// What is asked of an island.
fn of_map() -> (Box<dyn LoadedGame>, Design) {
    let games = Games::standard();
    let base = games.get("base").expect("a game");
    let game = base.load(base.default_rules(), 3).expect("rules that can be played");
    let map = game.map(BlockSeed::new(3, 0)).expect("an island");
    let mut rules = base.default_rules();
    rules["map"] = map.text.clone().into();
    let game = base.load(rules, 3).expect("a file that we wrote");
    let agent = agent("random").expect("an agent");
    let design = MapJudge::design(&map, "map", vec![[20, 31]], 2, (agent, 3, 2));
    (game, design.expect("a map"))
}

fn played(game: &dyn LoadedGame, design: Design) -> Finished {
    let settings = Settings { seed: 3, ..Settings::default() };
    job::start(game, design, &settings, caller(&mut (), Watch::none())).expect("a run")
}

/// An interval rests on no more blocks than things, and is no single number, unless it is one of whole turns.
#[test]
fn no_interval_rests_on_more_blocks_than_things() {
    for (game, design) in all_designs() {
        let kind = design.question.spec().kind;
        for table in played(&*game, design).tables {
            for row in &table.rows {
                let Some((lo, hi)) = row.estimate.and_then(|of| of.interval) else { continue };
                let what = format!("{kind}, {}: {row:?}", table.name);
                assert!(row.blocks <= row.n, "{what}");
                assert!(lo < hi || table.name == "length", "{what}");
            }
        }
    }
}

#[test]
fn each_study_writes_the_tables_that_it_describes() {
    let known: Vec<TableSchema> = STUDIES.iter().flat_map(|study| study.tables).copied().collect();
    let mut seen = BTreeSet::new();
    for (game, design) in all_designs() {
        let kind = design.question.spec().kind;
        let Finished { tables, asked, .. } = played(&*game, design);
        let due = asked.described();
        let names = |of: &[&'static str]| of.join(", ");
        let written: Vec<&str> = tables.iter().map(|table| table.name).collect();
        let described: Vec<&str> = due.iter().map(|table| table.name).collect();
        assert_eq!(names(&written), names(&described), "{kind}");
        for (table, described) in tables.iter().zip(&due) {
            assert_eq!((table.keys, table.more), (described.keys, described.more), "{kind}");
            let metrics = described.metrics.iter().map(|metric| metric.name);
            let metrics: BTreeSet<&str> = metrics.collect();
            assert!(table.rows.iter().all(|row| metrics.contains(row.metric)), "{kind}");
            assert!(!table.rows.is_empty(), "{kind}: {}", table.name);
            assert!(known.contains(described), "{kind}: `{}` is in no list", table.name);
        }
        seen.extend(written);
    }
    let all: BTreeSet<&str> = known.iter().map(|table| table.name).collect();
    assert_eq!(all.len(), known.len(), "each table is listed once");
    assert_eq!(seen, all, "each table is written by some study");
}

#[test]
fn settings_come_back_from_the_manifest_as_they_were() {
    let mut kinds = BTreeSet::new();
    for (game, design) in all_designs() {
        let asked = format!("{:?}", design.question);
        let manifest = played(&*game, design).manifest;
        let text = manifest.to_json();
        let again: Manifest = serde_json::from_str(&text).expect("a manifest");
        let study = Catalogue::standard().question(&again.question).expect("a study");
        assert_eq!(format!("{:?}", study.study().expect("a study")), asked);
        assert_eq!(study.spec(), manifest.question);
        assert_eq!(again.to_json(), text);
        kinds.insert(manifest.question.kind);
    }
    let listed: BTreeSet<String> = STUDIES.iter().map(|study| study.kind.to_owned()).collect();
    assert_eq!(kinds, listed, "all studies were tried");
}

#[test]
fn settings_of_another_study_are_refused() {
    for (_, design) in all_designs() {
        let mut question = design.question.spec();
        question.settings.insert("luck".to_owned(), 1.into());
        let error = format!(
            "{:#}",
            Catalogue::standard().question(&question).expect_err("an unknown setting")
        );
        assert!(error.contains(&question.kind) && error.contains("`luck`"), "{error}");
        question.kind = "guess".to_owned();
        let error =
            Catalogue::standard().question(&question).expect_err("no such study").to_string();
        assert!(error.contains("no study `guess`"), "{error}");
    }
}

#[test]
fn the_command_of_each_study_exists() {
    let cli = Cli::command();
    for (_, design) in all_designs() {
        let command = design.question.command();
        // A command may have several words: `map judge`.
        let found = command.split(' ').try_fold(&cli, |cli, word| cli.find_subcommand(word));
        let found = found.expect("a command of that name");
        let flag = if design.question.is_in_matches() { "matches" } else { "blocks" };
        assert!(found.get_arguments().any(|known| known.get_id() == flag), "{command} --{flag}");
    }
}
