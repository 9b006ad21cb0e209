//! `games`, `agents`, `rules`, `schema`, `man`, `completions` and `--help`.

use crate::support::Place;
use fairhaven::lab::registry;
use fairhaven::lab::report::described::TABLES;
use fairhaven::lab::report::schema;
use fairhaven::lab::report::table::ESTIMATE;
use fairhaven::sim::agents::spec::{KINDS, STRATEGIES};
use serde_json::Value;

#[test]
fn games_and_agents_are_listed() {
    let place = Place::new();
    let games =
        "on-the-road  2 to 4 players (unofficial: 2)\nbase  2 to 6 players (unofficial: 2)\n";
    assert_eq!(place.done("games"), games);
    let agents = place.done("agents on-the-road");
    assert_eq!(agents, place.done("agents"), "the game may be left out");
    let names = KINDS.iter().chain(STRATEGIES).map(|(name, _)| *name);
    for name in names.chain(["builder", "drifter", "iterations", "road_love", "from: "]) {
        assert!(agents.contains(name), "no `{name}` in\n{agents}");
    }
    let agents = place.done("agents base");
    assert!(agents.contains("skilled") && !agents.contains("warlord"), "of another game\n{agents}");
    place.refused("agents chess", &["`chess`", "on-the-road"]);
}

#[test]
fn rules_are_toml_with_a_clause_on_each_field() {
    let place = Place::new();
    let rules = place.done("rules on-the-road --set side=b");
    let table: toml::Table = toml::from_str(&rules).expect("TOML");
    assert_eq!(table["side"].as_str(), Some("b"));
    for line in rules.lines().skip(1) {
        assert!(line.contains("# OTR-"), "{line}");
    }
    place.refused("rules chess", &["`chess`", "on-the-road"]);
    place.refused("rules on-the-road --set side=c", &["`c`", "`a`"]);
}

#[test]
fn schemas_name_the_columns_of_their_files() {
    let place = Place::new();
    let names = place.done("schema");
    assert_eq!(names.lines().collect::<Vec<&str>>(), schema::names());
    for (name, keys, metrics) in TABLES {
        let schema = json(&place.done(&format!("schema {name}")));
        let columns: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        let written = keys.iter().chain(&ESTIMATE).map(|column| column.name);
        assert_eq!(columns, written.collect::<Vec<&str>>(), "{name}");
        let words = schema["properties"]["metric"]["enum"].as_array().unwrap();
        assert_eq!(words.len(), metrics.len(), "{name}");
    }
    assert_eq!(place.done("schema cards"), place.done("schema cards.csv"));
    let manifest = json(&place.done("schema manifest"));
    place.done("simulate on-the-road --agents builder --matches 5 --quiet --out out");
    for field in place.manifest("out").as_object().unwrap().keys() {
        assert!(manifest["properties"].get(field).is_some(), "`{field}` is not in the schema");
    }
    place.refused("schema cats", &["`cats`", "cards"]);
    place.refused("schema seat", &["`seat`", "did you mean `seats`?"]);
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("a schema is JSON")
}

/// A parameter that changes no move at either end of its range should not be listed.
#[test]
fn every_parameter_that_is_listed_for_a_heuristic_changes_how_it_plays() {
    let names = |game: &str| -> Vec<(&str, (f64, f64))> {
        let facts = registry::game(game).expect("a game").facts();
        let used = facts.weights.iter().filter(|weight| !weight.search_only);
        used.map(|weight| (weight.name, weight.range.expect("a number"))).collect()
    };
    let place = Place::new();
    for (game, set) in [("on-the-road", "side=b"), ("base", "turns_max=200")] {
        let played = |agent: &str| {
            let line = format!("simulate {game} --set {set} --agents {agent} --matches 12");
            place.done(&format!("{line} --rows csv --quiet --force --out out"));
            let rows = place.read("out/decisions.csv") + &place.read("out/matches.csv");
            rows.replace(agent, "")
        };
        let usual = played("heuristic");
        let listed = place.done(&format!("agents {game}"));
        for (name, (low, high)) in names(game) {
            assert!(listed.contains(&format!("  {name} ")), "{game}: {name}\n{listed}");
            let changes = [low, high].map(|end| played(&format!("heuristic:{name}={end}")));
            assert!(changes.iter().any(|rows| *rows != usual), "{game}: `{name}` does nothing");
        }
    }
}

#[test]
fn each_command_has_a_manual_page() {
    let place = Place::new();
    let balance = place.done("man balance");
    assert!(balance.contains(".TH fairhaven-balance 1"), "{balance}");
    assert!(balance.contains("margin") && balance.contains("1pp"), "{balance}");
    let said = place.done("man --out pages/man1");
    let help = place.done("--help");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 15 && said.starts_with(&format!("{} pages", commands.len() + 1)));
    for name in commands {
        let page = place.read(&format!("pages/man1/fairhaven-{name}.1"));
        assert_eq!(page, place.done(&format!("man {name}")), "{name}");
    }
    assert_eq!(place.read("pages/man1/fairhaven.1"), place.done("man"));
    place.refused("man balanse", &["no command `balanse`", "did you mean `balance`?"]);
}

#[test]
fn manual_completions_and_help_are_printed() {
    let place = Place::new();
    let manual = place.done("man");
    assert!(manual.contains(".TH fairhaven"), "{manual}");
    assert!(manual.contains("simulate"), "{manual}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(place.done(&format!("completions {shell}")).contains("fairhaven"), "{shell}");
    }
    // Names, too: in fish those after a flag only, in elvish and PowerShell none.
    let flags = ["surveyor", "drifter", "robber.hand_limit", "road_love", "metropolis"];
    let first = ["on-the-road", "anomalies"];
    for (shell, names) in [("bash", &first[..]), ("zsh", &first), ("fish", &[])] {
        let script = place.done(&format!("completions {shell}"));
        for name in flags.iter().chain(names) {
            assert!(script.contains(name), "{shell}: no `{name}`");
        }
    }
    assert!(place.done("--help").contains("simulate"));
    assert!(place.done("simulate --help").contains("--allow-oracle"));
    assert!(place.done("--version").starts_with("fairhaven "));
    place.refused("simulat", &["simulate"]);
    place.refused("simulate on-the-road --speed 3", &["--speed"]);
}
