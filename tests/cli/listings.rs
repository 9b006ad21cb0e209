//! `games`, `agents`, `rules`, `schema`, `man`, `completions` and `--help`.

use crate::support::{Place, some};
use fairhaven::core::watch::Watch;
use fairhaven::lab::questions::catalogue::Catalogue;
use fairhaven::lab::report::described::TableSchema;
use fairhaven::lab::report::schema;
use fairhaven::lab::report::simulated::TABLES;
use fairhaven::lab::report::table::ESTIMATE;
use fairhaven::registry::Games;
use fairhaven::sim::agents::spec::KINDS;
use fairhaven::sim::agents::strategies::STRATEGIES;
use fairhaven::sim::any_game::GameType;
use fairhaven::sim::guests::open_match::OpenPlan;
use fairhaven::sim::guests::protocol::Want;
use fairhaven::sim::play::table::OnlyChoice;
use fairhaven::sim::records::line::{Header, MatchSeed};
use serde_json::{Value, json};

#[test]
fn games_and_agents_are_listed() {
    let place = Place::new();
    let games = "on-the-road  2 to 4 players (unofficial: 2)\n\
                 base  2 to 6 players (unofficial: 2)\n\
                 struggle  2 to 6 players\n\
                 two-player  2 players\n\
                 boats  2 to 6 players (unofficial: 2)\n";
    assert_eq!(place.done("games"), games);
    assert_eq!(place.done("agents on-the-road"), place.done("agents"), "the game may be left out");
    let agents = place.done("agents on-the-road --full");
    let names = KINDS.iter().chain(STRATEGIES).map(|(name, _)| *name);
    let fits =
        |name: &&str| !name.starts_with("levels/") || name.starts_with("levels/on-the-road/");
    for name in
        names.filter(fits).chain(["builder", "drifter", "iterations", "road_love", "from: "])
    {
        assert!(agents.contains(name), "no `{name}` in\n{agents}");
    }
    let agents = place.done("agents base --full");
    assert!(agents.contains("skilled") && !agents.contains("warlord"), "of another game\n{agents}");
    assert!(!agents.contains("levels/on-the-road"), "{agents}");
    assert!(agents.contains("levels/base/hard") && !agents.contains("levels/struggle"), "{agents}");
    let agents = place.done("agents struggle --full");
    assert!(agents.contains("prior_scale") && !agents.contains("warlord"), "{agents}");
    let fog = agents.lines().find(|line| line.starts_with("  fog ")).expect("a parameter");
    assert!(fog.ends_with("[1.76; 2.5 with 5 players or more, 0.01 to 100]"), "{fog}");
    place.refused("agents chess", &["`chess`", "on-the-road"]);
}

/// What a newcomer sees first fits a terminal of 24 lines, with a prompt below.
#[test]
fn the_agents_of_each_game_fit_a_screen() {
    let place = Place::new();
    for game in Games::standard().iter().map(GameType::facts) {
        let listed = place.done(&format!("agents {}", game.name));
        assert!(listed.lines().count() <= 23, "{listed}");
        assert!(listed.lines().all(|line| line.chars().count() <= 80), "{listed}");
        let kinds =
            KINDS.iter().map(|(name, _)| *name).chain(game.specials.iter().map(|(name, _)| *name));
        for name in kinds.chain(["skilled", "expert", "iterations", "temperature", "--full"]) {
            assert!(listed.contains(name), "no `{name}` in\n{listed}");
        }
        assert!(!listed.contains("from: "), "{listed}");
    }
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
    assert_eq!(
        names.lines().collect::<Vec<&str>>(),
        schema::names(&Catalogue::standard().tables())
    );
    for TableSchema { name, keys, metrics, .. } in TABLES {
        let schema = json(&place.done(&format!("schema {name}")));
        let columns: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        let written = keys.iter().chain(&ESTIMATE).map(|column| column.name);
        assert_eq!(columns, written.collect::<Vec<&str>>(), "{name}");
        let words = schema["properties"]["metric"]["enum"].as_array().unwrap();
        let units = schema["properties"]["metric"]["units"].as_object().unwrap();
        assert!(units.keys().eq(words.iter().map(|word| word.as_str().unwrap())), "{name}");
        assert_eq!(words.len(), metrics.len(), "{name}");
    }
    assert_eq!(place.done("schema cards"), place.done("schema cards.csv"));
    place.refused("schema cats", &["`cats`", "cards"]);
    place.refused("schema seat", &["`seat`", "did you mean `seats`?"]);
}

/// Every object of a manifest has the fields that its schema asks for, and no others.
#[test]
fn manifests_fit_their_schema() {
    let place = Place::new();
    let schema = json(&place.done("schema manifest"));
    for (name, line) in [
        ("a", "simulate on-the-road --agents mcts:iterations=2,random --matches 5 --rows csv"),
        ("b", "compare on-the-road builder random --matches 40"),
        ("c", "compare on-the-road --rules-b points_to_win=6 --agents builder --matches 40"),
        ("d", "balance on-the-road --choice metropolis --set side=b --levels builder --blocks 4"),
        ("e", "balance on-the-road --factor points_to_win=7,6 --levels builder --blocks 4"),
        ("f", "sweep on-the-road --param haste --values 0,1 --agents heuristic --blocks 2"),
        (
            "h",
            "levels on-the-road --agent greedy --param lapse=0..1 --against greedy --rates 15 --tolerance 10pp",
        ),
        ("i", "tune on-the-road greedy:lapse=1 --param lapse=0..1 --players 3 --matches 960"),
        ("k", "learn base --players 2 --matches 4 --hold ready"),
        ("n", "learn base --net --from heuristic --players 2 --matches 4"),
        ("g", "sensitivity on-the-road --agents builder --blocks 1 --shard 1/1"),
        ("l", "luck on-the-road --agents builder --repeats 2 --blocks 2"),
        ("m", "compare on-the-road builder random --matches 40 --less-luck"),
        ("j", "tournament on-the-road builder random --blocks 4"),
        ("o", "reliability on-the-road --judges heuristic,mcts:fog=2 --matches 4"),
        ("p", "diagnose on-the-road --set side=b --against base-rules --blocks 2"),
        ("q", "map judge base --players 3 --agent random --free 1 --pairs 1 --blocks 2"),
        (
            "r",
            "map make two-player --agent random --maps 2 --matches 8 --finalists 1 --certify 1k --fair 30pp",
        ),
    ] {
        place.done(&format!("{line} --quiet --out {name}"));
        let manifest = place.manifest(name);
        assert!(fits(&schema, &schema, &manifest), "{line}");
        for (object, field, other) in [
            ("", "players", json!("four")),
            ("/question", "kind", json!("guess")),
            ("/plan/matches_of_a_block/0", "seats", json!([-1.5])),
            ("/played", "more", json!(1)),
        ] {
            let mut altered = manifest.clone();
            altered.pointer_mut(object).expect("an object")[field] = other;
            assert!(!fits(&schema, &schema, &altered), "{line}: {object}/{field}");
        }
    }
}

/// Every line that outside seats of a match are told fits the schema of the protocol, and so do the examples of the page.
#[test]
fn lines_of_the_protocol_fit_their_schema() {
    let schema = json(&Place::new().done("schema protocol"));
    let page = include_str!("../../docs/protocol.md");
    let blocks = page.split("```json\n").skip(1).filter_map(|block| block.split("```").next());
    let mut lines: Vec<String> = blocks
        .flat_map(str::lines)
        .filter(|line| line.contains("\"type\""))
        .map(str::to_owned)
        .collect();
    for game in Games::standard().names() {
        let entry = Games::standard();
        let entry = entry.get(game).expect("a game");
        let players = *entry.facts().players.start();
        let loaded = entry.load(entry.default_rules(), players).expect("default rules");
        let agents = vec![None; players.into()];
        let header = Header::new(vec!["guest".to_owned(); players.into()], None);
        let seed = MatchSeed { master: 8, block: 0, match_idx: 0 };
        let wants = vec![Want::Events, Want::Steps, Want::View, Want::Words, Want::Inputs];
        let (watch, only) = (&Watch::none(), OnlyChoice::Taken);
        let plan = OpenPlan { agents: &agents, header, seed, watch, wants, only };
        let mut open = loaded.open_match(plan).expect("nobody of ours plays");
        for question in 0..40 {
            let Some(seat) = open.advance().expect("nobody of ours plays") else { break };
            let told = open.tell(seat);
            lines.extend(told.lines().map(str::to_owned));
            let asked = json(told.lines().last().expect("a question"));
            let legal = asked["legal"].as_array().expect("a list").len();
            let answer =
                json!({"type": "choose", "id": asked["id"], "index": question * 7 % legal});
            lines.push(answer.to_string());
            open.answer(seat, &answer.to_string()).expect("it is on the list");
            assert!(open.answer(seat, &answer.to_string()).is_err(), "answered twice");
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    for line in &lines {
        let message = json(line);
        assert!(fits(&schema, &schema, &message), "{line}");
        seen.insert(message["type"].as_str().expect("a word").to_owned());
        for (field, other) in [("type", json!("hum")), ("match", json!("one")), ("id", json!(-1.5))]
        {
            let mut altered = message.clone();
            if altered.get(field).is_some() {
                altered[field] = other;
                assert!(!fits(&schema, &schema, &altered), "{field} of {line}");
            }
        }
    }
    let kinds = [
        "bye", "choose", "decide", "event", "game", "go", "hello", "match", "over", "ready", "step",
    ];
    assert_eq!(seen, kinds.map(str::to_owned).into());
}

/// Whether a value fits a schema, as far as schemars uses JSON Schema for structures of serde. A crate that
/// knows all of it takes 30 CPU seconds to build.
fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(root, root.pointer(&name[1..]).expect("a definition"), value);
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = |due: &Value| due == kind || due == "number" && kind == "integer";
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(is_kind),
        Value::Null => true,
        due => is_kind(due),
    };
    let is_one = ["oneOf", "anyOf"].into_iter().all(|key| {
        let all = schema[key].as_array();
        all.is_none_or(|all| all.iter().any(|one| fits(root, one, value)))
    });
    let is_const = schema.get("const").is_none_or(|due| due == value);
    let all = schema["enum"].as_array();
    let is_const = is_const && all.is_none_or(|all| all.contains(value));
    let required = schema["required"].as_array().into_iter().flatten();
    let has_all = required
        .into_iter()
        .all(|name| name.as_str().is_some_and(|name| value.get(name).is_some()));
    let fields_fit = value.as_object().into_iter().flatten().all(|(name, value)| {
        match schema["properties"].get(name) {
            Some(schema) => fits(root, schema, value),
            None => schema["additionalProperties"] != false,
        }
    });
    let items = value.as_array().into_iter().flatten();
    let items_fit = items.into_iter().all(|item| fits(root, &schema["items"], item));
    kinds && is_one && is_const && has_all && fields_fit && items_fit
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("a schema is JSON")
}

/// A parameter that changes no move at either end of its range should not be listed.
#[test]
fn every_parameter_that_is_listed_for_a_heuristic_changes_how_it_plays() {
    let names = |game: &str| -> Vec<(&str, (f64, f64))> {
        let facts = Games::standard().get(game).expect("a game").facts();
        let used = facts.weights.iter().filter(|weight| !weight.search_only);
        used.map(|weight| (weight.name, weight.range.expect("a number"))).collect()
    };
    let place = Place::new();
    for (game, set) in
        [("on-the-road", "side=b"), ("base", "turns_max=100"), ("struggle", "points_to_win=10")]
    {
        let played = |agent: &str, matches: u32| {
            let line = format!("simulate {game} --set {set} --agents {agent} --matches {matches}");
            place.done(&format!("{line} --rows csv --quiet --force --out out"));
            let rows = place.read("out/decisions.csv") + &place.read("out/matches.csv");
            rows.replace(agent, "")
        };
        // Most parameters change the first match; others take more of them.
        let sizes = [1, 12].map(|matches| (matches, played("heuristic", matches)));
        let listed = place.done(&format!("agents {game} --full"));
        for (name, _) in names(game) {
            assert!(listed.contains(&format!("  {name} ")), "{game}: {name}\n{listed}");
        }
        for (name, (low, high)) in some(&names(game)) {
            let changes = sizes.iter().any(|(matches, usual)| {
                let mut ends = [low, high].into_iter();
                ends.any(|end| played(&format!("heuristic:{name}={end}"), *matches) != *usual)
            });
            assert!(changes, "{game}: `{name}` does nothing");
        }
    }
}

#[test]
fn what_makes_agents_weaker_is_listed_and_can_be_swept() {
    let place = Place::new();
    for game in ["on-the-road", "base", "struggle", "two-player", "boats"] {
        let listed = place.done(&format!("agents {game} --full"));
        assert!(listed.contains("  temperature ") && listed.contains("  lapse "), "{listed}");
    }
    let line = "sweep struggle --agents greedy,heuristic,heuristic --blocks 2";
    let said = place.done(&format!("{line} --param lapse --values 0,0.5,1"));
    assert!(said.contains("lapse"), "{said}");
    place.done(&format!("{line} --param temperature --values 0,0.05"));
    place.refused(&format!("{line} --param lapse --values 0,2"), &["`lapse` is 2", "in 0 to 1"]);
    place.refused(&format!("{line} --param laps --values 0,1"), &["did you mean `lapse`?"]);
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
    // Those of `map` have pages of their own.
    let pages = std::fs::read_dir(place.path("pages/man1")).expect("pages").count();
    assert!(commands.len() > 15 && pages > commands.len() + 1);
    assert!(said.starts_with(&format!("{pages} pages")), "{said}");
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
