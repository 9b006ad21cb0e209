//! What guests hear of each game: the page that documents it has every event that is written, with its fields, and no
//! other.

use fairhaven::core::chance::{ChanceEvent, RandomChance};
use fairhaven::core::game::{ActionFilter, Game, SeatMemory, Step, Turn};
use fairhaven::core::record::ObservedChance;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::types::seat::Seat;
use fairhaven::games::base::Base;
use fairhaven::games::boats::Boats;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::two_player::TwoPlayer;
use rand_core::Rng;
use rand_pcg::Pcg32;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const PAGE: &str = include_str!("../../docs/protocol.md");

/// A match by random choices, and what each seat hears of it, added to what was heard.
fn listen<G: Game>(game: &G, seed: u64, heard: &mut BTreeSet<String>) {
    let seed = BlockSeed::new(seed, 0);
    let mut rng = Pcg32::new(seed.name(), 3);
    let mut luck = RandomChance::new(seed);
    let mut drawn: Vec<ChanceEvent<G::Draw>> = Vec::new();
    let mut list = Actions::new();
    let listener = |event| drawn.push(event);
    let mut state = game.deal(&mut ObservedChance { chance: &mut luck, listener });
    let mut hear = |step: &Step<'_, G>| {
        for seat in Seat::all(game.players()) {
            G::Memory::observe(game, step, seat, |event| {
                note(&serde_json::to_value(event).unwrap(), heard);
            });
        }
    };
    hear(&Step { action: None, chance: &drawn, after: &state });
    while game.turn(&state) != Turn::Over {
        // Full lists are mostly offers, which would crowd out everything else.
        let rarely = rng.next_u32().is_multiple_of(4);
        let filter = if rarely { ActionFilter::Full } else { ActionFilter::NoOffers };
        game.legal(&state, filter, &mut list);
        let action = list[rng.next_u32() as usize % list.len()];
        let before = state;
        drawn.clear();
        let listener = |event| drawn.push(event);
        game.apply(&mut state, action, &mut ObservedChance { chance: &mut luck, listener });
        hear(&Step { action: Some((&before, action)), chance: &drawn, after: &state });
    }
}

/// An event's name, and those of its fields after it.
fn note(event: &Value, heard: &mut BTreeSet<String>) {
    let event = event.as_object().expect("an event is an object");
    assert_eq!(event.len(), 1, "of one name");
    for (name, fields) in event {
        heard.insert(name.clone());
        let fields = fields.as_object().expect("its fields").keys();
        heard.extend(fields.map(|field| format!("{name}.{field}")));
    }
}

/// The first cells of the table below a heading.
fn documented(heading: &str) -> BTreeSet<String> {
    let (_, rest) = PAGE.split_once(&format!("\n{heading}\n")).expect(heading);
    let lines = rest.lines().take_while(|line| !line.starts_with('#'));
    let rows = lines.filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| row.split('`').next().unwrap().to_owned()).collect()
}

fn is_documented<G: Game>(heading: &str, faults: &mut String) {
    let mut heard = BTreeSet::new();
    for game in G::PLAYERS.filter_map(|players| G::new(G::Rules::default(), players).ok()) {
        (0..4).for_each(|seed| listen(&game, seed, &mut heard));
    }
    let found = documented(heading);
    if found != heard {
        let wrong: Vec<_> = found.symmetric_difference(&heard).collect();
        writeln!(faults, "{}: {wrong:?}", G::NAME).unwrap();
    }
}

#[test]
fn the_page_has_the_events_that_are_written_and_no_others() {
    let mut faults = String::new();
    is_documented::<OnTheRoad>("### Events of On the Road", &mut faults);
    is_documented::<Struggle>("### Events of Struggle for Catan", &mut faults);
    let island = "### Events of base CATAN, CATAN for two and boats";
    is_documented::<Base>(island, &mut faults);
    is_documented::<TwoPlayer>(island, &mut faults);
    is_documented::<Boats>(island, &mut faults);
    assert!(faults.is_empty(), "\n{faults}");
}
