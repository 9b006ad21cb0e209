//! What `sensitivity` moves in the three games: what a table reads, and nothing else.

use fairhaven::core::game::Steps;
use fairhaven::lab::questions::studies::sensitivity::Sensitivity;
use fairhaven::lab::setup::line_up::line_up;
use fairhaven::lab::setup::rules::changed;
use fairhaven::registry::Games;
use fairhaven::sim::any_game::LoadedGame;
use toml::Value;

fn table(name: &str, players: u8, sets: &[&str]) -> Box<dyn LoadedGame> {
    let games = Games::standard();
    let game = games.get(name).expect("a game");
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    changed(game, game.default_rules(), &sets, players).expect("rules that can be played")
}

/// The changes that are played at a table, settled fields included.
fn moved(game: &dyn LoadedGame) -> Vec<String> {
    let agents = line_up("random", Some(game.players())).expect("agents");
    let design = Sensitivity::design(game, agents, true, 1).expect("fields");
    design.variants.into_iter().skip(1).flat_map(|variant| variant.changes).collect()
}

/// Of these fields, or sections of fields, those that are moved.
fn moved_of<'a>(fields: &[&'a str], name: &str, players: u8, sets: &[&str]) -> Vec<&'a str> {
    let moved = moved(&*table(name, players, sets));
    let is_moved = |field: &str| moved.iter().any(|change| change.starts_with(field));
    fields.iter().copied().filter(|field| is_moved(field)).collect()
}

#[test]
fn of_a_list_by_players_only_the_entry_of_the_table_is_moved() {
    for players in 2..=6 {
        let game = table("struggle", players, &[]);
        let (facts, rules, moved) = (game.game_type().facts(), game.rules(), moved(&*game));
        let entry = usize::from(players) - 2;
        for field in facts.fields.iter().filter(|field| matches!(field.steps, Steps::List(..))) {
            let usual = field.value_in(&rules).and_then(Value::as_array).expect("a list");
            let number = usual[entry].as_integer().expect("a number");
            let with = |number: i64| {
                let mut list = usual.clone();
                list[entry] = number.into();
                format!("{}={}", field.path, Value::Array(list))
            };
            let own = format!("{}=", field.path);
            let found: Vec<&String> =
                moved.iter().filter(|change| change.starts_with(&own)).collect();
            let (up, down) = (with(number + 1), with(number - 1));
            assert!(!found.is_empty(), "{players} players: {own} is not moved");
            assert!(
                found.iter().all(|&change| *change == up || *change == down),
                "{players} players: {found:?}"
            );
        }
    }
}

#[test]
fn struggle_moves_no_rule_about_cards_that_are_not_in_play() {
    let fields = ["destiny.", "guild.", "expansion.two_town_halls", "library.", "protection.roads"];
    let at = |players, sets: &[&str]| moved_of(&fields, "struggle", players, sets);
    // Two players have neither destiny card nor guild, and up to three have as many town halls as castles.
    assert_eq!(at(2, &[]), ["library.", "protection.roads"]);
    assert_eq!(at(3, &[]), ["destiny.", "guild.", "library.", "protection.roads"]);
    assert_eq!(at(4, &[]), fields);
    let out = ["expansion.library.out=true", "expansion.castle.in_play=[1, 1, 0, 2, 3]"];
    assert_eq!(at(4, &out), ["destiny.", "guild.", "expansion.two_town_halls"]);
}

#[test]
fn base_moves_the_box_and_the_island_that_are_played() {
    let fields = ["bank=", "deck.", "extension.", "tokens=", "harbours=", "colours="];
    let at = |players, sets: &[&str]| moved_of(&fields, "base", players, sets);
    for players in 2..=4 {
        assert_eq!(at(players, &[]), ["bank=", "deck.", "tokens=", "harbours="]);
        assert_eq!(at(players, &["island=beginner"]), ["bank=", "deck.", "colours="]);
    }
    for players in 5..=6 {
        assert_eq!(at(players, &[]), ["extension.", "tokens=", "harbours="]);
    }
}

#[test]
fn on_the_road_moves_rules_about_b_sides_if_some_may_be_up() {
    let roads = "metropolis.starting_road_counts=";
    let fields = [roads, "metropolis.tie_at_once=", "metropolis.tie_minimum=", "side="];
    let at = |sets: &[&str]| moved_of(&fields, "on-the-road", 4, sets);
    assert_eq!(at(&["side=a"]), ["side="]);
    assert_eq!(at(&["side=b"]), fields);
    assert_eq!(at(&["side=mixed"]), fields);
    assert_eq!(at(&["side=a", "metropolis.roads.face=b"]), [roads, "side="]);
    let ties = ["metropolis.tie_at_once=", "metropolis.tie_minimum=", "side="];
    assert_eq!(at(&["side=a", "metropolis.army.face=b"]), ties);
    assert_eq!(at(&["side=a", "metropolis.route.face=b"]), ties);
    let route = |sets: &[&str]| {
        let faces = ["a", "b", "side", "out"].map(|face| format!("metropolis.route.face={face}"));
        let moved = moved(&*table("on-the-road", 4, sets));
        faces.into_iter().filter(|face| moved.contains(face)).collect::<Vec<_>>()
    };
    assert_eq!(route(&["side=a"]), ["metropolis.route.face=b", "metropolis.route.face=out"]);
    assert_eq!(route(&["side=b"]), ["metropolis.route.face=a", "metropolis.route.face=out"]);
}
