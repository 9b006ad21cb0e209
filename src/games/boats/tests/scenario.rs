//! Scenario files: the two that ship, and hostile ones.

use crate::core::chance::{RandomChance, below};
use crate::core::game::Game;
use crate::core::measure::Measure;
use crate::core::measure::maps::{HexFacts, MapFacts};
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::games::boats::Boats;
use crate::games::boats::rules::Rules;
use crate::games::boats::scenario::{SHIPPED, Scenario, Spot, pieces};
use crate::games::boats::scenario_file::scenario;
use crate::parts::map_text::BYTES_MAX;
use crate::parts::places::{Hex, HexSet, Vertex};
use rand_pcg::Pcg32;

const SMALL: &str = r#"
map = """
      land   land   land
   land   sea    ore:8  ?
land   land  ?      ?      sea
   desert  sea    ?      sea
      sea    sea    wool:3
"""
[land]
terrain = { brick = 2, lumber = 2, desert = 1, wheat = 1 }
tokens = [2, 3, 4, 5, 6]
[unexplored]
terrain = { sea = 3, wood = 1 }
tokens = [12]
[harbours]
"r1c1 NW" = "any"
"r5c3 SE" = "wheat"
"#;

fn fault(text: &str) -> (usize, String) {
    let bad = scenario(text).expect_err("a scenario that can't be played");
    (bad.line, bad.reason)
}

/// What is dealt at the start can be written into the file; what is unexplored stays so.
#[test]
fn boat_1_a_map_that_was_dealt_is_a_scenario_of_its_own() {
    for name in [SHIPPED[0].0, SHIPPED[1].0, SMALL] {
        let rules = |scenario: &str| Rules { scenario: scenario.to_owned(), ..Rules::default() };
        let game = Boats::new(rules(name), 2).expect("a scenario for two");
        for seed in 0..10 {
            let deal = |game: &Boats| game.deal(&mut RandomChance::new(BlockSeed::new(seed, 0)));
            let state = deal(&game);
            let map = game.map_facts(&state).expect("a map");
            let laid = Boats::new(rules(&map.text), 2).expect("a file that we wrote");
            let again = laid.map_facts(&deal(&laid)).expect("a map");
            assert_eq!(again.text, map.text);
            assert_eq!(laid.scenario().fog(), game.scenario().fog());
            assert_eq!(laid.scenario().founding, game.scenario().founding);
            assert_eq!(laid.scenario().harbours, game.scenario().harbours);
            assert_eq!(laid.scenario().unexplored, game.scenario().unexplored);
            let words = |map: &MapFacts| map.hexes.iter().map(HexFacts::word).collect::<Vec<_>>();
            assert_eq!(words(&again), words(&map));
        }
    }
}

#[test]
fn boat_1_two_scenarios_ship_one_known_and_one_to_discover() {
    let [shores, fog] = SHIPPED.map(|(name, _)| scenario(name).expect("a shipped scenario"));
    let islands = |scenario: &Scenario| {
        let map = scenario.map;
        let land = map.all_hexes() - scenario.sea() - scenario.fog();
        let mut sizes: Vec<u8> = pieces(map, land).map(HexSet::len).collect();
        sizes.sort_unstable();
        sizes
    };
    assert_eq!(islands(&shores), [2, 2, 2, 13]);
    assert!(shores.fog().is_empty());
    assert_eq!(islands(&fog), [13]);
    assert_eq!(fog.fog().len(), 13);
    for scenario in [shores, fog] {
        assert!(scenario.room() >= 4, "room for {} players", scenario.room());
    }
}

#[test]
fn boat_1_a_map_is_drawn_in_words() {
    let small = scenario(SMALL).expect("a scenario");
    assert_eq!(small.spots[3], Spot::Land);
    assert_eq!(small.spots[6], Spot::Unexplored);
    assert_eq!(small.sea().iter().map(Hex::number).collect::<Vec<u8>>(), [4, 11, 13, 15, 16, 17]);
    assert_eq!(small.land.terrain, [2, 2, 0, 1, 0, 1, 0]);
    assert_eq!(small.unexplored.terrain, [0, 1, 0, 0, 0, 0, 3]);
    let harbours: Vec<[u8; 2]> = small
        .harbours
        .iter()
        .map(|(edge, _)| small.map.ends[edge.idx()].map(Vertex::number))
        .collect();
    assert_eq!(harbours, [[0, 1], [52, 53]]);
    let held = SMALL.replace("[land]", "isa = 2\nlouis = 6\n[land]");
    let held = scenario(&held).expect("a scenario");
    assert_eq!((held.isa, held.louis), (Some(Seat::new(1)), Some(Seat::new(5))));
}

#[test]
fn boat_1_a_scenario_that_is_wrong_is_refused_with_its_line() {
    let changed = |from: &str, to: &str| fault(&SMALL.replacen(from, to, 1));
    for (from, to, line, part) in [
        ("ore:8", "ore:7", 4, "`ore:7` is no hex"),
        ("wool:3", "wolle:3", 7, "`wolle:3` is no hex"),
        ("wool:3", "wool:3 sea", 2, "3-4-5-4-4"),
        ("brick = 2", "brick = 3", 9, "terrain for 7 hexes; the map has 6"),
        ("brick = 2", "brick = 256", 10, "256"),
        ("brick = 2", "bricks = 2", 10, "bricks"),
        ("brick = 2", "brick = 1, sea = 1", 9, "tokens for"),
        ("[2, 3, 4, 5, 6]", "[2, 3, 4, 5, 6, 7]", 9, "6 tokens for 5 hexes"),
        ("[2, 3, 4, 5, 6]", "[2, 3, 4, 5, 7]", 11, "7 is no token"),
        ("[12]", "[1]", 14, "1 is no token"),
        ("r1c1 NW", "r1c1 E", 16, "between land and sea"),
        ("r1c1 NW", "r3c2 E", 16, "between land and sea"),
        ("r1c1 NW", "r1c1 N", 16, "one of its sides"),
        ("r1c1 NW", "r6c1 W", 16, "`r6c1` is no hex of this map"),
        ("r1c1 NW", "r1c4 W", 16, "`r1c4` is no hex of this map"),
        ("r5c3 SE\"", "r1c1 NE\" = \"any\"\n\"r1c1 W\"", 17, "one of these intersections"),
        ("\"wheat\"\n", "\"gold\"\n", 17, "`gold` is no harbour"),
        ("[land]", "isa = 0\n[land]", 9, "0 is no seat"),
        ("[land]", "isa = \"me\"\n[land]", 9, "u8"),
        ("[land]", "starts = [\"r1c1\",\n\"r2c2\"]\n[land]", 10, "is no land"),
        ("[land]", "starts = [\"r5c3\"]\n[land]", 9, "two need 13"),
        ("[land]", "rivers = [\"r1c1\"]\n[land]", 9, "one of its sides"),
        ("[land]", "[lands]", 9, "lands"),
        ("\"\"\"\n[land]", "\n[land]", 18, "string"),
    ] {
        let (at, reason) = changed(from, to);
        assert!(reason.contains(part), "{to}: line {at}: {reason}");
        assert_eq!(at, line, "{to}: {reason}");
    }
    let (line, reason) = fault(&SMALL.replace("[unexplored]", "[more]"));
    assert!(line == 12 && reason.contains("more"), "{line}: {reason}");
    let long = format!("{SMALL}#{}", "x".repeat(BYTES_MAX));
    assert_eq!(fault(&long), (1, format!("a scenario has at most {BYTES_MAX} bytes")));
    assert_eq!(fault("").0, 1);
    assert_eq!(fault("shore").0, 1);
}

/// Bytes are cut out, doubled, swapped and replaced: the answer is a scenario or a line of the text.
#[test]
fn boat_1_damaged_scenarios_get_an_answer() {
    let mut rng = Pcg32::new(1, 1);
    let mut refused = 0;
    for round in 0..2000 {
        let text = [SHIPPED[0].1, SHIPPED[1].1, SMALL][round % 3];
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=below(&mut rng, 4) {
            damage(&mut bytes, &mut rng);
        }
        let text = String::from_utf8_lossy(&bytes);
        match scenario(&text) {
            Ok(scenario) => assert!(scenario.room() >= 2),
            Err(bad) => {
                refused += 1;
                let lines = text.lines().count().max(1) + 1;
                assert!((1..=lines).contains(&bad.line), "line {} of {lines}", bad.line);
                assert!(bad.reason.len() < 500, "{}", bad.reason);
            }
        }
    }
    assert!(refused > 1000, "only {refused} of 2000 damaged scenarios were refused");
}

fn damage(bytes: &mut Vec<u8>, rng: &mut Pcg32) {
    let mut any = |bytes: &Vec<u8>| below(rng, u32::try_from(bytes.len()).unwrap().max(1)) as usize;
    let (one, other, how) = (any(bytes), any(bytes), any(bytes) % 5);
    let (from, to) = (one.min(other), one.max(other).min(one.min(other) + 40));
    match how {
        0 => drop(bytes.drain(from..to)),
        1 => bytes.extend_from_within(from..to),
        2 => bytes.swap(one, other),
        3 => bytes[one] = b"[]{}=\",:#?\n0179rc"[other % 17],
        _ => bytes.truncate(other + 1),
    }
}

#[test]
fn boat_1_nested_and_huge_texts_end_soon() {
    for text in [
        "[".repeat(BYTES_MAX),
        format!("map = {}", "[".repeat(8000)),
        format!("map = {}", "{a=".repeat(5000)),
        format!("map = \"\"\"\n{}\"\"\"", "sea ".repeat(4000)),
        format!("map = \"\"\"\n{}\"\"\"", "sea\n".repeat(4000)),
        "a.".repeat(8000) + "b = 1",
    ] {
        assert!(scenario(&text).is_err());
    }
}
