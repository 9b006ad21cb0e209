//! What seats see, in JSON: it is read back as it was written, and what was damaged is refused; the page that documents
//! it has all fields.

use fairhaven::core::chance::RandomChance;
use fairhaven::core::game::{ActionFilter, Game, SeatMemory, Turn};
use fairhaven::core::resources::Resource;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::core::wording::Wording;
use fairhaven::games::base::Base;
use fairhaven::games::boats::rules::{Helpers, When};
use fairhaven::games::boats::{self, Boats, scenario};
use fairhaven::games::on_the_road::rules::Discards;
use fairhaven::games::on_the_road::{self, OnTheRoad};
use fairhaven::games::struggle::Struggle;
use fairhaven::games::struggle::cards::Expansion;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::parts::allowed::Named;
use fairhaven::parts::island::rules::{self as base, Layout};
use rand_core::Rng;
use rand_pcg::Pcg32;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The game by its default rules, if so many can play.
fn usual<G: Game>(players: u8) -> Option<G> {
    G::new(G::Rules::default(), players).ok()
}

/// What a seat sees, as it is written.
fn written<G: Wording>(game: &G, view: &G::View<'_>) -> String {
    let mut out = Vec::new();
    game.write_view(view, &mut out);
    String::from_utf8(out).unwrap()
}

fn below(rng: &mut Pcg32, bound: usize) -> usize {
    rng.next_u32() as usize % bound
}

/// A match by random choices: something is asked of every position with a decision, and of the last.
fn play<G: Game>(game: &G, seed: u64, mut ask: impl FnMut(&G::State)) {
    let seed = BlockSeed::new(seed, 0);
    let mut rng = Pcg32::new(seed.name(), 1);
    let mut chance = RandomChance::new(seed);
    let mut state = game.deal(&mut chance);
    let mut list = Actions::new();
    loop {
        ask(&state);
        if game.turn(&state) == Turn::Over {
            return;
        }
        // Full lists are mostly offers, which would crowd out everything else.
        let offers = below(&mut rng, 4) == 0;
        let filter = if offers { ActionFilter::Full } else { ActionFilter::NoOffers };
        game.legal(&state, filter, &mut list);
        let action = list[below(&mut rng, list.len())];
        game.apply(&mut state, action, &mut chance);
    }
}

/// At every decision what each seat sees is read back as it was written.
fn round_trips<G: Wording>(
    game: &G,
    matches: std::ops::Range<u64>,
    same: impl Fn(&G::View<'_>, &G::View<'_>) -> bool,
) {
    for seed in matches {
        play(game, seed, |state| {
            for seat in Seat::all(game.players()) {
                let view = game.view(state, seat);
                let text = written(game, &view);
                let memory = G::Memory::new(game, seat);
                let read = game.read_view(&text, &memory, |seen| {
                    let read = &seen.view;
                    assert_eq!(seen.seat, seat);
                    assert!(same(read, &view), "{text}\n{read:?}\n{view:?}");
                });
                read.unwrap_or_else(|error| panic!("{error}\n{text}"));
            }
        });
    }
}

/// All values in a value that can be replaced, as paths.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(list) => {
            for (place, value) in list.iter().enumerate() {
                paths(value, &format!("{at}/{place}"), found);
            }
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| paths(value, &format!("{at}/{name}"), found));
        }
        _ => {}
    }
}

/// Changes something at random.
fn damage(value: &mut Value, rng: &mut Pcg32) {
    let mut found = Vec::new();
    paths(value, "", &mut found);
    let path = &found[below(rng, found.len())];
    let other = found[below(rng, found.len())].clone();
    let other = value.pointer(&other).unwrap().clone();
    let spot = value.pointer_mut(path).unwrap();
    match (below(rng, 4), &mut *spot) {
        (0 | 1, Value::Object(fields)) if !fields.is_empty() => {
            let name = fields.keys().nth(below(rng, fields.len())).unwrap().clone();
            fields.remove(&name);
        }
        (0, Value::Array(list)) if !list.is_empty() => {
            list.remove(below(rng, list.len()));
        }
        (1, Value::Array(list)) if !list.is_empty() => list.push(list[0].clone()),
        (2, _) => *spot = other,
        _ => {
            let words = ["\"desert\"", "\"brick\"", "null", "true", "[]", "{}", "\"\""];
            let numbers = ["0", "1", "2", "5", "6", "7", "12", "30", "53", "79", "108", "127"];
            let wild = ["128", "255", "256", "-1", "1e300", "0.5", "65535", "4294967296"];
            let all: Vec<&str> = words.into_iter().chain(numbers).chain(wild).collect();
            *spot = serde_json::from_str(all[below(rng, all.len())]).unwrap();
        }
    }
}

/// What was damaged is refused or read, and what is read can be written.
fn damaged_is_refused<G: Wording>(game: &G, seed: u64) {
    let mut rng = Pcg32::new(seed, 2);
    let (mut refused, mut all) = (0, 0);
    play(game, seed, |state| {
        if below(&mut rng, 16) > 0 {
            return;
        }
        let seat = Seat::new(u8::try_from(below(&mut rng, game.players().into())).unwrap());
        let (memory, text) = (G::Memory::new(game, seat), written(game, &game.view(state, seat)));
        for _ in 0..20 {
            let mut value: Value = serde_json::from_str(&text).unwrap();
            for _ in 0..=below(&mut rng, 3) {
                damage(&mut value, &mut rng);
            }
            let again = value.to_string();
            let read = game.read_view(&again, &memory, |seen| written(game, &seen.view));
            all += 1;
            refused += u32::from(read.is_err());
        }
        let cut = &text[..below(&mut rng, text.len())];
        assert!(game.read_view(cut, &memory, |_| ()).is_err(), "{cut}");
    });
    assert!(2 * refused > all, "{refused} of {all} were refused");
}

#[test]
fn views_of_on_the_road_are_read_as_written() {
    for players in 2..=4 {
        let game = usual::<OnTheRoad>(players).unwrap();
        round_trips(&game, 0..4, |read, view| read == view);
        damaged_is_refused(&game, u64::from(players));
    }
}

#[test]
fn hidden_discards_of_on_the_road_are_not_written() {
    let mut rules = on_the_road::rules::Rules::default();
    rules.robber.discards = Discards::Hidden;
    let game = OnTheRoad::new(rules, 3).unwrap();
    round_trips(&game, 0..2, |read, view| read == view);
    play(&game, 3, |state| {
        let value: Value =
            serde_json::from_str(&written(&game, &game.view(state, Seat::FIRST))).unwrap();
        assert_eq!(value["discards"], Value::Null);
    });
}

#[test]
fn views_of_struggle_are_read_as_written() {
    for players in 2..=6 {
        let game = usual::<Struggle>(players).unwrap();
        round_trips(&game, 0..4, |read, view| read == view);
        damaged_is_refused(&game, u64::from(players));
    }
}

#[test]
fn views_of_base_catan_are_read_as_written() {
    for players in 2..=6 {
        for island in [Layout::Variable, Layout::Beginner] {
            if island == Layout::Beginner && players > 4 {
                continue;
            }
            let rules = base::Rules { island, ..Default::default() };
            let game = Base::new(rules, players).unwrap();
            round_trips(&game, 0..1, |read, view| read == view);
            damaged_is_refused(&game, u64::from(players));
        }
    }
}

#[test]
fn views_of_catan_for_two_are_read_as_written() {
    let game = usual::<TwoPlayer>(2).unwrap();
    round_trips(&game, 0..3, |read, view| read == view);
    damaged_is_refused(&game, 1);
}

#[test]
fn views_of_boats_are_read_as_written() {
    let settings = [(When::EndOfTurn, Helpers::Chosen), (When::AtOnce, Helpers::Dealt)];
    for (at, scenario) in scenario::NAMES.iter().enumerate() {
        for players in 2..=6 {
            let (when, helpers) = settings[(at + usize::from(players)) % 2];
            let mut rules = boats::rules::Rules { helpers, ..Default::default() };
            rules.scenario = (*scenario).to_owned();
            rules.route.when = when;
            rules.turns_max = 150;
            let Ok(game) = Boats::new(rules, players) else { continue };
            round_trips(&game, 0..1, |read, view| read == view);
            damaged_is_refused(&game, u64::from(players));
        }
    }
}

/// Every catalogue, for each number of players.
fn catalogues<G: Wording>() -> Vec<Value> {
    let games = G::PLAYERS.filter_map(usual::<G>);
    let written = games.map(|game| {
        let mut out = Vec::new();
        game.write_catalogue(&mut out);
        serde_json::from_slice(&out).unwrap()
    });
    written.collect()
}

#[test]
fn catalogues_of_card_games_have_words() {
    for catalogue in catalogues::<OnTheRoad>().into_iter().chain(catalogues::<Struggle>()) {
        let lists = catalogue.as_object().unwrap().values();
        assert!(lists.flat_map(|list| list.as_array().unwrap()).all(Value::is_string));
    }
}

#[test]
fn vertices_are_corners_of_their_hexes_and_edges_are_as_long_as_each_other() {
    let islands = catalogues::<Base>().into_iter();
    let nested = catalogues::<TwoPlayer>().into_iter().chain(catalogues::<Boats>());
    for island in islands.chain(nested.map(|catalogue| catalogue["island"].clone())) {
        let number = |value: &Value| value.as_i64().unwrap();
        let list = |value: &Value| value.as_array().unwrap().clone();
        let point = |place: &Value| (number(&place["x"]), number(&place["y"]));
        let [hexes, vertices] = ["hexes", "vertices"].map(|name| list(&island[name]));
        let at = |place: &Value| &vertices[usize::try_from(number(place)).unwrap()];
        // Three times dx² and dy² are squares of fourths of an edge.
        let squared = |(x, y): (i64, i64), (u, v): (i64, i64)| 3 * (x - u).pow(2) + (y - v).pow(2);
        for (hex, form) in hexes.iter().enumerate() {
            let corners = list(&form["vertices"]);
            for (corner, next) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                assert_eq!(squared(point(form), point(at(corner))), 4);
                assert_eq!(squared(point(at(corner)), point(at(next))), 4);
                assert!(list(&at(corner)["hexes"]).contains(&hex.into()));
            }
        }
        for (edge, form) in list(&island["edges"]).iter().enumerate() {
            let ends = list(form);
            assert_eq!(squared(point(at(&ends[0])), point(at(&ends[1]))), 4);
            assert!(ends.iter().all(|end| list(&at(end)["edges"]).contains(&edge.into())));
        }
        let all: BTreeSet<_> = vertices.iter().map(point).collect();
        assert_eq!(all.len(), vertices.len(), "each vertex has its place");
        assert!(all.iter().all(|&(x, y)| x >= 0 && y >= 0));
        assert!(all.iter().any(|&(x, _)| x == 0) && all.iter().any(|&(_, y)| y == 0));
    }
}

const PAGE: &str = include_str!("../../docs/views.md");

/// Whether an object says how many there are of some things: its names are words, not fields.
fn counts(fields: &serde_json::Map<String, Value>) -> bool {
    let kinds = Resource::ALL.map(Resource::name);
    let things = ["knight", "road", "road_building", "year_of_plenty", "monopoly", "victory_point"];
    let cards = ["settlement", "city", "desert", "sea", "brigands", "market_day"];
    let is = |name: &str| [&kinds[..], &things, &cards, Expansion::NAMES].concat().contains(&name);
    fields.keys().all(|name| is(name))
}

/// All fields of the objects in a value, with dots between those that lie in each other.
fn fields(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| fields(value, at, found)),
        Value::Object(all) if !counts(all) => {
            for (name, value) in all {
                let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                fields(value, &path, found);
                found.insert(path);
            }
        }
        _ => {}
    }
}

/// The part of the page below a heading, up to the next of its level or above.
fn below_heading(heading: &str) -> &'static str {
    let level = heading.split(' ').next().unwrap();
    let (_, rest) = PAGE.split_once(&format!("\n{heading}\n")).expect(heading);
    let ends =
        |line: &&str| line.starts_with('#') && line.split(' ').next().unwrap().len() <= level.len();
    let end = rest.lines().find(ends).and_then(|line| rest.find(&format!("\n{line}\n")));
    &rest[..end.unwrap_or(rest.len())]
}

/// The fields in the table below a heading.
fn documented(heading: &str) -> BTreeSet<String> {
    let rows = below_heading(heading).lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| row.split('`').next().unwrap().to_owned()).collect()
}

/// The page has all fields of a game and no others, and its example is what a seat of the first match saw.
fn is_documented<G: Wording>(title: &str, faults: &mut String) {
    let (mut written_fields, mut example) = (BTreeSet::new(), None);
    for players in G::PLAYERS {
        let Some(game) = usual::<G>(players) else { continue };
        for seed in 0..3 {
            let mut decisions = 0_u32;
            play(&game, seed, |state| {
                decisions += 1;
                // Every third, of one seat after the other: to read a view takes longer than to write it.
                if !decisions.is_multiple_of(3) {
                    return;
                }
                let seat = Seat::all(players).nth(decisions as usize / 3 % usize::from(players));
                let seat = seat.unwrap();
                let view = serde_json::from_str(&written(&game, &game.view(state, seat))).unwrap();
                fields(&view, "", &mut written_fields);
                if decisions == 60 {
                    example.get_or_insert(view);
                }
            });
        }
    }
    let mut words = BTreeSet::new();
    for catalogue in catalogues::<G>() {
        fields(&catalogue, "", &mut words);
    }
    for (part, mut due) in [("View", written_fields), ("Catalogue", words)] {
        due.retain(|path| !path.starts_with("island."));
        let found = documented(&format!("### {part} of {title}"));
        if found != due {
            let wrong: Vec<_> = found.symmetric_difference(&due).collect();
            writeln!(faults, "{part} of {title}: {wrong:?}").unwrap();
        }
    }
    let block = below_heading(&format!("### Example of {title}")).split("```").nth(1).unwrap();
    let shown: Value = serde_json::from_str(block.trim_start_matches("json")).unwrap();
    let example = example.unwrap();
    if shown != example {
        writeln!(faults, "Example of {title}: {example}").unwrap();
    }
}

#[test]
fn the_page_has_the_fields_that_are_written_and_real_examples() {
    let mut faults = String::new();
    is_documented::<OnTheRoad>("On the Road", &mut faults);
    is_documented::<Struggle>("Struggle for Catan", &mut faults);
    is_documented::<Base>("base CATAN", &mut faults);
    is_documented::<TwoPlayer>("CATAN for two", &mut faults);
    is_documented::<Boats>("boats", &mut faults);
    assert!(faults.is_empty(), "\n{faults}");
}
