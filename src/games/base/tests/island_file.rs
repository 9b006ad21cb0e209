//! Islands from files: BASE-10.

use super::support::*;
use crate::core::chance::{RandomChance, ScriptedChance};
use crate::core::game::{BadRule, Game};
use crate::core::measure::Measure;
use crate::core::seed::BlockSeed;
use crate::games::base::Base;
use crate::parts::island::action::Action;
use crate::parts::island::rules::{Harbours, Layout, Rules, Tokens};
use crate::parts::island::state::State;
use crate::parts::map_text::BYTES_MAX;
use crate::parts::places::Vertex;
use std::collections::BTreeSet;

fn dealt(game: &Base, seed: u64) -> State {
    game.deal(&mut RandomChance::new(BlockSeed::new(seed, 0)))
}

fn on(text: &str, players: u8) -> Result<Base, String> {
    let rules = Rules { map: text.to_owned(), ..Rules::default() };
    let all = |faults: Vec<BadRule>| {
        faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    Base::new(rules, players).map_err(all)
}

#[test]
fn base_10_an_island_that_was_dealt_is_laid_from_its_file_in_every_match() {
    for players in [3, 4, 6] {
        let game = game_with(players, |rules| {
            rules.tokens = Tokens::Shuffled;
            rules.harbours = Harbours::Shuffled;
        });
        for seed in 0..10 {
            let state = dealt(&game, seed);
            let map = game.map_facts(&state).expect("an island");
            let laid = on(&map.text, players).expect("a file that we wrote");
            // Nothing is left to luck: an empty script is enough.
            let mut chance = ScriptedChance::new([]);
            let again = laid.deal(&mut chance);
            assert!(chance.is_exhausted());
            laid.check(&again);
            let kinds = game.parts().harbour_kinds.len();
            assert_eq!(again.table.board.terrain, state.table.board.terrain);
            assert_eq!(again.table.board.tokens, state.table.board.tokens);
            assert_eq!(again.table.board.rolled, state.table.board.rolled);
            assert_eq!(again.table.board.harbours[..kinds], state.table.board.harbours[..kinds]);
            assert_eq!(again.table.robber, state.table.robber);
            assert_eq!(laid.parts().harbour_places, game.parts().harbour_places);
            let facts = laid.map_facts(&again).expect("an island");
            assert_eq!((facts.text, facts.hexes), (map.text, map.hexes));
            // What would deal an island is not read.
            assert_eq!(laid.in_effect().tokens, Rules::default().tokens);
        }
    }
}

#[test]
fn base_10_an_island_without_one_of_its_harbours_has_the_others() {
    let game = game_with(4, |_| {});
    let map = game.map_facts(&dealt(&game, 1)).expect("an island");
    for (at, harbour) in map.harbours.iter().enumerate() {
        let without = on(&harbour.without, 4).expect("a file that we wrote");
        let facts = without.map_facts(&dealt(&without, 1)).expect("an island");
        let others = map.harbours.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<&str> = others.map(|(_, harbour)| harbour.name.as_str()).collect();
        let left: Vec<&str> = facts.harbours.iter().map(|of| of.name.as_str()).collect();
        assert_eq!(left, others);
        assert_eq!(facts.hexes, map.hexes);
    }
}

/// A small file that can be laid.
const PLAIN: &str = "map = \"\"\"
ore:8 ore:6 ore:5
ore:9 ore:4 ore:3 ore:2
ore:9 ore:4 desert ore:2 ore:11
wood:9 wheat:4 brick:3 wool:2
wool:9 wool:4 wool:3
\"\"\"
[harbours]
\"r1c1 NW\" = \"any\"
";

#[test]
fn base_12_the_robber_begins_where_the_file_says_or_on_a_desert() {
    let begins = |text: &str| on(text, 4).map(|game| dealt(&game, 1).table.robber.number());
    assert_eq!(begins(PLAIN), Ok(9));
    assert_eq!(begins(&format!("robber = \"r1c2\"\n{PLAIN}")), Ok(1));
    let bare = PLAIN.replace("desert", "ore:10");
    assert_eq!(begins(&format!("robber = \"r5c3\"\n{bare}")), Ok(18));
    let error = begins(&bare).unwrap_err();
    assert!(error.contains("say where the robber begins"), "{error}");
    // Of two deserts luck picks one.
    let two = PLAIN.replace("wool:2", "desert");
    let game = on(&two, 4).unwrap();
    let places: BTreeSet<u8> =
        (0..40).map(|seed| dealt(&game, seed).table.robber.number()).collect();
    assert_eq!(places, [9, 15].into());
}

#[test]
fn a_file_that_is_wrong_is_refused_with_its_line() {
    let harbour = |line: &str| format!("{PLAIN}{line}\n");
    for (text, part) in [
        ("\n".to_owned(), "line 1: missing field `map`"),
        ("map = 7\n".to_owned(), "line 1"),
        (PLAIN.replace("ore:8", "ore:7"), "line 2: `ore:7` is no hex"),
        (PLAIN.replace("ore:8", "gold:8"), "line 2: `gold:8` is no hex"),
        (PLAIN.replace("ore:8", "sea"), "line 2: `sea` is no hex"),
        (PLAIN.replace("ore:8", ""), "have 2-4-5-4-3 hexes; they can have 3-4-5-4-3"),
        (PLAIN.replace("ore:8", &"ore:8 ".repeat(2000)), "hexes; they can have"),
        (PLAIN.replace("ore:8", &"x".repeat(9000)), "line 2: `xxx"),
        (harbour("\"r3c3 NE\" = \"any\""), "line 10: a harbour lies between land and sea"),
        (harbour("\"r1c1 NE\" = \"ore\""), "line 10: another harbour has one"),
        (harbour("\"r9c1 NE\" = \"ore\""), "line 10: `r9c1` is no hex"),
        (harbour("\"r1c1\" = \"ore\""), "line 10: name a hex and one of its sides"),
        (harbour("\"r5c3 E\" = \"gold\""), "line 10: `gold` is no harbour"),
        (format!("robber = \"r0c0\"\n{PLAIN}"), "line 1: `r0c0` is no hex"),
        (format!("colour = 1\n{PLAIN}"), "line 1: unknown field `colour`"),
        (format!("{PLAIN}#{}", "x".repeat(BYTES_MAX)), "an island has at most"),
        ("[".repeat(BYTES_MAX), "line 1"),
        (format!("map = \"{}\"\n", "\u{0}".repeat(50)), "line 1"),
    ] {
        let error = on(&text, 4).map(drop).expect_err(part);
        assert!(error.contains(part) && error.starts_with("rule set field `map`: "), "{error}");
        assert!(error.len() < 400 && !error.contains('\n'), "{error}");
    }
    assert!(on(PLAIN, 5).unwrap_err().contains("they can have 3-4-5-6-5-4-3"));
    let both = Rules { map: PLAIN.to_owned(), island: Layout::Beginner, ..Rules::default() };
    let faults = Base::new(both, 4).unwrap_err();
    assert!(faults[0].to_string().contains("a map of its own"), "{faults:?}");
}

#[test]
fn founders_are_made_to_take_places_that_the_rules_allow() {
    let game = game_with(3, |_| {});
    let state = dealt(&game, 1);
    let map = game.map_facts(&state).expect("an island");
    for place in &map.places {
        let action = Action::Settlement { vertex: Vertex::new(20) };
        let founding = game.founding(&state, action).expect("a founding");
        assert_eq!((founding.place, founding.number), (20, 0));
        let other = game.founded_at(&state, action, place.number).expect("all are free");
        assert_eq!(game.founding(&state, other).map(|of| of.place), Some(place.number));
    }
    let action = Action::EndTurn;
    assert_eq!(game.founded_at(&state, action, 20), None);
    assert_eq!(game.founding(&state, action), None);
}
