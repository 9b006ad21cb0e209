//! What each game's rule set says of its fields, which agents are one, and what levels each game has.

use crate::rule_sets::with;
use fairhaven::core::game::Steps;
use fairhaven::core::params::Handicap;
use fairhaven::registry::Games;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::agents::strategies::STRATEGIES;
use fairhaven::sim::agents::strategy::Strategy;
use fairhaven::sim::guests::seating;
use toml::{Table, Value};

/// The paths of all values in a rule set; a price is one value.
fn leaves(value: &Value, path: &str, out: &mut Vec<String>) {
    match value.as_table().filter(|_| value.get("brick").is_none()) {
        Some(table) => {
            for (key, value) in table {
                let dot = if path.is_empty() { "" } else { "." };
                leaves(value, &format!("{path}{dot}{key}"), out);
            }
        }
        None => out.push(path.to_owned()),
    }
}

#[test]
fn every_field_is_described_once_by_what_it_may_be() {
    for game in Games::standard().iter() {
        let (fields, rules) = (game.facts().fields, game.default_rules());
        let mut paths = Vec::new();
        leaves(&Value::Table(rules.clone()), "", &mut paths);
        paths.sort();
        let mut described: Vec<&str> = fields.iter().map(|field| field.path).collect();
        described.sort_unstable();
        assert_eq!(paths, described);
        for field in fields {
            let value = field.value_in(&rules).expect("a default");
            let fits = match field.steps {
                Steps::Whole(..) | Steps::BySeat(..) => value.is_integer(),
                Steps::Words(words) | Steps::File(words) => {
                    value.as_str().is_some_and(|word| words.contains(&word))
                }
                Steps::Flag => value.is_bool(),
                Steps::Price(_) | Steps::Surcharge(_) => value.is_table(),
                Steps::List(..) | Steps::Sets(_) => value.is_array(),
            };
            assert!(fits, "{}: {value}", field.path);
        }
    }
}

#[test]
fn a_file_that_names_one_field_leaves_all_others_at_their_defaults() {
    for game in Games::standard().iter() {
        let defaults = game.default_rules();
        for field in game.facts().fields {
            let value = field.value_in(&defaults).expect("a default");
            let read = game.read_rules(&format!("{} = {value}", field.path));
            assert_eq!(read.expect("a rule set"), defaults, "{}", field.path);
        }
    }
}

#[test]
fn every_game_has_nine_levels_that_are_measured_against_their_neighbours() {
    let levels = [
        "newcomer",
        "novice",
        "beginner",
        "easy",
        "medium",
        "hard",
        "expert",
        "master",
        "grandmaster",
    ];
    for game in Games::standard().iter() {
        let name = game.facts().name;
        let shipped: Vec<&str> = seating::levels(name);
        assert_eq!(shipped, levels, "from the weakest up");
        let even = 100.0 / f64::from(if name == "two-player" { 2 } else { 4 });
        for (at, level) in levels.iter().enumerate() {
            let level = format!("levels/{name}/{level}");
            let (_, text) = STRATEGIES.iter().find(|(known, _)| *known == level).expect("it");
            let strategy: Strategy = toml::from_str(text).expect(&level);
            let measured = strategy.level.expect(&level);
            assert_eq!(measured.game, name);
            assert!(measured.decision_us.is_some(), "{level}");
            // Those that overlook more and more are measured among the next stronger, those that search among the next
            // weaker; the planner among its equals.
            let (against, wins) = match at {
                0..6 => (levels[at + 1], measured.percent < even),
                6 => ("expert", (measured.percent - even).abs() < 1e-9),
                _ => (levels[at - 1], measured.percent > even),
            };
            assert_eq!(measured.against, format!("levels/{name}/{against}"));
            assert!(wins, "{level}: {}", measured.percent);
        }
    }
}

/// Its default may depend on the number of players.
#[test]
fn no_parameter_with_its_default_makes_another_agent() {
    let mut tried = 0;
    for game in Games::standard().iter() {
        let facts = game.facts();
        for players in facts.players.clone() {
            let game = game.load(game.default_rules(), players).expect("a table");
            let search = Table::try_from(&facts.search).expect("parameters");
            let handicap = Table::try_from(Handicap::DEFAULT).expect("parameters");
            let named: Vec<(&str, Vec<Table>)> = vec![
                ("greedy", vec![handicap.clone()]),
                ("heuristic", vec![game.default_weights(), handicap.clone()]),
                ("mcts", vec![game.default_weights(), handicap.clone(), search.clone()]),
                ("oracle", vec![game.default_weights(), handicap, search]),
            ];
            for (kind, tables) in named {
                let plain = AgentSpec::parse(kind, None).expect("a kind");
                for (key, value) in tables.into_iter().flatten() {
                    let text = match &value {
                        Value::String(word) => word.clone(),
                        Value::Float(number) => format!("{number:.6e}"),
                        other => other.to_string(),
                    };
                    let Ok(settled) = game.settled(&plain.with(&key, &text).expect("a parameter"))
                    else {
                        // A planner refuses what only searches read.
                        assert_eq!(kind, "heuristic", "{key}");
                        continue;
                    };
                    assert!(settled == plain, "{}: {kind}:{key}={text}", facts.name);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 1500, "{tried} were tried");
}

#[test]
fn what_makes_another_agent_is_kept_as_it_was_named() {
    let games = Games::standard();
    let game = games.get("on-the-road").expect("a game");
    let game = game.load(game.default_rules(), 4).expect("a table");
    let settled = |name: &str| {
        let agent = AgentSpec::parse(name, None).expect("an agent");
        game.settled(&agent).expect("an agent of this game")
    };
    let haste = settled("heuristic:haste=.5:knight_love=0.2");
    assert_eq!(haste.name, "heuristic:haste=.5:knight_love=0.2");
    assert!(haste.is(&settled("heuristic:knight_love=.2:haste=0.50")));
    assert!(!haste.is(&settled("heuristic:haste=0.5")));
    assert_eq!(settled("heuristic:haste=.5:lapse=0").name, "heuristic:haste=.5");
    // What a strategy sets is its own default; the kind's default is another value there.
    let strategy = STRATEGIES.iter().find(|(name, _)| *name == "no-trade").expect("a strategy");
    let strategy: Strategy = toml::from_str(strategy.1).expect("a strategy");
    assert_eq!(strategy.parameters.get("proposals"), Some(&Value::Float(0.0)));
    assert_eq!(settled("no-trade:proposals=0"), settled("no-trade"));
    assert_eq!(settled("no-trade:proposals=2").name, "no-trade:proposals=2");
    // A level with another parameter is that level no more.
    let level = settled("levels/on-the-road/easy:lapse=0");
    assert_eq!(level, settled("levels/on-the-road/easy"));
    assert!(level.measured_at.is_some());
    assert_eq!(settled("levels/on-the-road/easy:lapse=0.1").measured_at, None);
}

#[test]
fn a_number_past_its_range_is_refused_by_its_name() {
    for game in Games::standard().iter() {
        for field in game.facts().fields {
            let wrong: Vec<Value> = match field.steps {
                Steps::Whole(0, most) | Steps::BySeat(0, most) => vec![i64::from(most) + 1],
                Steps::Whole(least, most) | Steps::BySeat(least, most) => {
                    vec![i64::from(least) - 1, i64::from(most) + 1]
                }
                _ => Vec::new(),
            }
            .into_iter()
            .map(Value::Integer)
            .collect();
            for value in wrong {
                let rules = with(game.default_rules(), field, value.clone());
                let fault = game.load(rules, *game.facts().players.start());
                let fault = fault.map(|_| ()).unwrap_err().to_string();
                assert!(fault.contains(&format!("`{}`: {value} ", field.path)), "{fault}");
            }
        }
    }
}

/// A list by seat is one for each seat of the table, and a list of the same for all is that number.
#[test]
fn a_field_by_seat_takes_a_list_for_its_table_alone() {
    for game in Games::standard().iter() {
        let facts = game.facts();
        let players = *facts.players.start();
        let by_seat: Vec<_> = facts.fields.iter().filter(|field| field.is_by_seat()).collect();
        assert!(by_seat.iter().any(|field| field.path == "points_to_win"), "{}", facts.name);
        for field in by_seat {
            let usual = field.value_in(&game.default_rules()).cloned().expect("a default");
            let load = |entries: u8, last: i64| {
                let mut list = vec![usual.clone(); entries.into()];
                let more = usual.as_integer().map(|number| number + last);
                *list.last_mut().expect("an entry") = Value::Integer(more.expect("a number"));
                let rules = with(game.default_rules(), field, Value::Array(list));
                game.load(rules, players).map_err(|fault| fault.to_string())
            };
            let same = load(players, 0).expect("the default, as a list").rules();
            assert_eq!(same, game.default_rules(), "{}: the same bytes and hash", field.path);
            let less = load(players, -1).expect("one less for the last seat").rules();
            assert!(field.value_in(&less).is_some_and(Value::is_array), "{}", field.path);
            assert!(load(players + 1, -1).is_err(), "{}", field.path);
            for entries in [players - 1, players + 1] {
                // One entry is the same for all.
                let Err(fault) = load(entries, -1) else { continue };
                let due = format!("{entries} entries are not one for each of {players} seats");
                assert!(fault.contains(&due), "{}: {fault}", field.path);
            }
        }
    }
}
