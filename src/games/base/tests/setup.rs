//! What is in the box, the island and the founding: BASE-1 to BASE-16, BASE-80.

use super::support::*;
use crate::core::chance::{RandomChance, Scripted};
use crate::core::game::Game;
use crate::core::resources::Resource;
use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::games::base::Base;
use crate::parts::hexmap::STANDARD;
use crate::parts::island::board::{BEGINNER, Board, EXTENDED_PARTS, Parts, STANDARD_PARTS};
use crate::parts::island::cards::Card;
use crate::parts::island::rules::{Colours, Harbours, Layout, Rules, Tokens};
use crate::parts::island::state::{Phase, Stage, State};
use crate::parts::places::{Hex, Vertex};

fn random(game: &Base, seed: u64) -> State {
    let state = game.deal(&mut RandomChance::new(BlockSeed::new(seed, 0)));
    game.check(&state);
    state
}

fn hexes_of(game: &Base, board: &Board) -> [u8; 6] {
    let mut counts = [0; 6];
    for hex in game.map().all_hexes() {
        counts[board.terrain[hex.idx()].map_or(5, Resource::idx)] += 1;
    }
    counts
}

fn tokens_of(game: &Base, board: &Board) -> Vec<u8> {
    let mut tokens: Vec<u8> =
        game.map().all_hexes().iter().map(|h| board.tokens[h.idx()]).collect();
    tokens.retain(|&token| token > 0);
    tokens.sort_unstable();
    tokens
}

#[test]
fn base_1_terrain() {
    let game = game_with(4, |_| {});
    for seed in 0..20 {
        assert_eq!(hexes_of(&game, &random(&game, seed).table.board), [3, 4, 4, 4, 3, 1]);
    }
}

#[test]
fn base_2_tokens_lie_on_all_hexes_but_the_desert() {
    let all = [2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12];
    for tokens in [Tokens::Letters, Tokens::Shuffled] {
        let game = game_with(4, |rules| rules.tokens = tokens);
        for seed in 0..20 {
            let board = random(&game, seed).table.board;
            assert_eq!(tokens_of(&game, &board), all);
            for hex in game.map().all_hexes() {
                let token = board.tokens[hex.idx()];
                assert_eq!(token == 0, board.terrain[hex.idx()].is_none());
                let sums = board.rolled.iter().enumerate().filter(|(_, set)| set.contains(hex));
                let sums: Vec<usize> = sums.map(|(at, _)| at + 2).collect();
                assert_eq!(sums, if token == 0 { vec![] } else { vec![usize::from(token)] });
            }
        }
    }
}

#[test]
fn base_3_nineteen_cards_of_each_resource() {
    assert_eq!(random(&game_with(4, |_| {}), 1).table.bank.counts(), [19; 5]);
}

#[test]
fn base_4_development_cards() {
    let deck = random(&game_with(4, |_| {}), 1).deck;
    assert_eq!(deck[Card::Knight.idx()], 14);
    assert_eq!(deck[Card::VictoryPoint.idx()], 5);
    for card in [Card::RoadBuilding, Card::YearOfPlenty, Card::Monopoly] {
        assert_eq!(deck[card.idx()], 2);
    }
}

#[test]
fn base_5_a_piece_that_is_used_up_is_not_built() {
    let rich = [9, 9, 9, 9, 9];
    let five = [0, 2, 4, 6, 16].into_iter();
    let scene = five.fold(Scene::new(3), |scene, at| scene.settlement(S1, at));
    let mut scene = scene.roads(S1, &[0, 8, 9, 19, 20]).hand(S1, rich);
    assert!(!scene.allows(settlement(19)) && !scene.allows(settlement(20)), "five stand");
    scene.play(city(0), &[]);
    assert!(scene.allows(settlement(20)), "one went back to the supply");

    let cities = [0, 2, 4, 6].into_iter();
    let scene = cities.fold(Scene::new(3), |scene, at| scene.city(S1, at));
    assert!(!scene.settlement(S1, 16).hand(S1, rich).allows(city(16)), "four cities stand");

    let line = [0, 1, 2, 3, 4, 5, 6, 14, 15, 25, 26, 37, 36, 46, 45];
    let mut scene = Scene::new(3).roads(S1, &line).hand(S1, rich);
    scene.play(road(45, 44), &[]);
    assert_eq!(
        scene.count(|action| matches!(action, crate::parts::island::action::Action::Road { .. })),
        0
    );
}

#[test]
fn base_6_nine_harbours_touch_two_vertices_each() {
    let game = game_with(4, |_| {});
    let board = random(&game, 3).table.board;
    let kinds: Vec<_> = STANDARD_PARTS.harbour_kinds.to_vec();
    assert_eq!(kinds.iter().filter(|kind| kind.is_none()).count(), 4);
    for resource in Resource::ALL {
        assert_eq!(kinds.iter().filter(|&&kind| kind == Some(resource)).count(), 1);
        let at = (0..54).filter(|&vertex| {
            board.harbour_at(game.parts(), Vertex::new(vertex)) == Some(Some(resource))
        });
        assert_eq!(at.count(), 2, "{resource}");
    }
}

fn harbours_are_on_the_coast(parts: &Parts, game: &Base) {
    let map = game.map();
    for place in parts.harbour_places.iter() {
        let [a, b] = place.map(Vertex::new);
        assert!(map.edge_between(a, b).is_some(), "{place:?}");
        let land = map.hexes[a.idx()] & map.hexes[b.idx()];
        assert_eq!(land.len(), 1, "{place:?} is coast");
    }
}

#[test]
fn base_6_harbours_are_on_the_coast() {
    harbours_are_on_the_coast(&STANDARD_PARTS, &game_with(4, |_| {}));
}

#[test]
fn base_10_tokens_follow_their_letters_along_the_spiral() {
    let game = game_with(4, |_| {});
    let mut corners = [false; 6];
    for seed in 0..60 {
        let board = random(&game, seed).table.board;
        let fits = |corner: &usize| {
            let spiral = STANDARD.spiral(*corner).map(|hex| board.tokens[hex.idx()]);
            spiral.filter(|&token| token > 0).eq(STANDARD_PARTS.letters.iter().copied())
        };
        let corner = (0..6).find(fits).expect("the letters start somewhere");
        corners[corner] = true;
        let frame = &board.harbours[..9];
        assert_eq!(*frame, *STANDARD_PARTS.harbour_kinds, "fixed unless told otherwise");
    }
    assert_eq!(corners, [true; 6], "any corner");
}

#[test]
fn base_10_shuffled_tokens_keep_6_and_8_apart() {
    for players in [4, 6] {
        let game = game_with(players, |rules| rules.tokens = Tokens::Shuffled);
        for seed in 0..50 {
            let board = random(&game, seed).table.board;
            let red: Vec<Hex> = game
                .map()
                .all_hexes()
                .iter()
                .filter(|hex| matches!(board.tokens[hex.idx()], 6 | 8))
                .collect();
            for &a in &red {
                assert!(red.iter().all(|&b| !game.map().touch(a, b)));
            }
        }
    }
}

#[test]
fn base_10_harbours_can_be_shuffled_over_their_places() {
    let game = game_with(4, |rules| rules.harbours = Harbours::Shuffled);
    let sorted = |mut kinds: Vec<_>| {
        kinds.sort();
        kinds
    };
    let mut moved = 0;
    for seed in 0..20 {
        let kinds = random(&game, seed).table.board.harbours[..9].to_vec();
        moved += usize::from(kinds != *STANDARD_PARTS.harbour_kinds);
        assert_eq!(sorted(kinds), sorted(STANDARD_PARTS.harbour_kinds.to_vec()));
    }
    assert!(moved > 15);
}

#[test]
fn base_11_the_beginner_island_stands_as_published() {
    let game = game_with(4, |rules| rules.island = Layout::Beginner);
    let state = deal(&game, &[]);
    assert_eq!(hexes_of(&game, &state.table.board), [3, 4, 4, 4, 3, 1]);
    assert_eq!(tokens_of(&game, &state.table.board).len(), 18);
    for (hex, (terrain, token)) in BEGINNER.into_iter().enumerate() {
        assert_eq!(state.table.board.terrain[hex], terrain);
        assert_eq!(state.table.board.tokens[hex], token);
    }
    let stands = |seat: Seat, vertices: [u8; 2], to: [u8; 2]| {
        let net = &state.table.pieces.nets[seat.idx()];
        assert_eq!(net.settlements, vertices.map(Vertex::new).into_iter().collect());
        assert_eq!(net.roads.len(), 2);
        assert!(to.iter().all(|&vertex| net.reach.contains(Vertex::new(vertex))));
    };
    stands(S1, [35, 19], [24, 18]);
    stands(S2, [13, 42], [12, 43]);
    stands(S3, [44, 40], [34, 41]);
    stands(S4, [10, 29], [11, 30]);
    // White 35: lumber 3, ore 8, wool 5. Orange 42: ore, grain, grain. Blue 40: lumber, ore, brick.
    // Red 29: grain, lumber, lumber.
    let hands = [[0, 1, 1, 0, 1], [0, 0, 0, 2, 1], [1, 1, 0, 0, 1], [0, 2, 0, 1, 0]];
    for (seat, hand) in Seat::all(4).zip(hands) {
        assert_eq!(state.hands[seat.idx()].counts(), hand);
    }
    assert_eq!((state.table.stage, state.table.phase), (Stage::Roll, Phase::Act));
}

#[test]
fn base_11_three_play_without_red_and_colours_can_be_passed_on() {
    let beginner = |players, colours| {
        let game = game_with(players, |rules| {
            rules.island = Layout::Beginner;
            rules.colours = colours;
        });
        deal(&game, &[]).table.pieces
    };
    let three = beginner(3, Colours::BlueFirst);
    assert!(three.nets[0].settlements.contains(Vertex::new(44)), "blue");
    assert!(three.nets[1].settlements.contains(Vertex::new(35)), "then white");
    assert!(three.nets[2].settlements.contains(Vertex::new(13)), "then orange");
    let four = beginner(4, Colours::RedFirst);
    assert!(four.nets[0].settlements.contains(Vertex::new(29)), "red");
}

#[test]
fn base_11_the_beginner_island_is_too_small_for_five() {
    let rules = Rules { island: Layout::Beginner, ..Rules::default() };
    let faults = Base::new(rules, 5).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].field, "island");
    assert_eq!(Base::new(Rules::default(), 7).unwrap_err()[0].field, "players");
}

#[test]
fn base_12_the_robber_starts_on_a_desert() {
    for players in [4, 6] {
        let game = game_with(players, |_| {});
        let mut first = 0;
        for seed in 0..40 {
            let table = random(&game, seed).table;
            assert_eq!(table.board.terrain[table.robber.idx()], None);
            let deserts = table.board.deserts(game.map());
            first += usize::from(deserts.iter().next() == Some(table.robber));
        }
        assert_eq!(first == 40, players == 4, "one of two deserts by luck");
    }
}

/// A game for three whose island has been laid, on the terrain of the beginner island.
fn founding(players: u8) -> Scene {
    founding_with(players, |_| {})
}

fn founding_with(players: u8, change: impl FnOnce(&mut Rules)) -> Scene {
    let mut scene = Scene::with(players, change);
    scene.state.table.turn = 0;
    scene.state.table.stage = Stage::Founding(1);
    scene.state.table.phase = Phase::Found;
    scene
}

#[test]
fn base_13_each_founds_in_seat_order_with_a_road_at_the_settlement() {
    let mut scene = founding(3);
    assert_eq!(scene.listed().len(), 54);
    scene.play(settlement(20), &[]);
    assert_eq!(scene.listed(), [road(19, 20), road(20, 21), road(20, 31)]);
    scene.play(road(20, 31), &[]);
    assert_eq!(scene.state.table.active, S2);
    for near in [20, 19, 21, 31] {
        assert!(!scene.allows(settlement(near)), "the distance rule at {near}");
    }
    assert!(scene.allows(settlement(32)), "two edges away");
    scene.play_all(&[settlement(32), road(32, 33)]);
    assert_eq!(scene.state.table.active, S3);
    assert_eq!(scene.state.hands, [crate::core::resources::Resources::NONE; 6]);
}

#[test]
fn base_14_the_second_round_runs_backwards_and_its_road_touches_the_second_settlement() {
    let mut scene = founding(3);
    let first = [(20, 31), (32, 33), (0, 1)];
    for (spot, to) in first {
        scene.play_all(&[settlement(spot), road(spot, to)]);
    }
    assert_eq!(scene.state.table.active, S3, "the last of round 1");
    scene.play(settlement(53), &[]);
    assert_eq!(scene.listed(), [road(45, 53), road(52, 53)], "not at the first settlement");
    scene.play(road(45, 53), &[]);
    assert_eq!(scene.state.table.active, S2);
    scene.play_all(&[settlement(16), road(16, 17)]);
    assert_eq!(scene.state.table.active, S1);
    scene.play_all(&[settlement(47), road(47, 48)]);
    assert_eq!((scene.state.table.turn, scene.state.table.current), (1, S1));
}

#[test]
fn base_15_the_second_settlement_pays_a_card_for_each_terrain() {
    let mut scene = founding(2);
    scene.play_all(&[settlement(0), road(0, 1), settlement(6), road(5, 6)]);
    scene.play(settlement(20), &[]);
    assert_eq!(scene.held(S2), [1, 1, 0, 0, 0], "hills, forest and the desert");
    scene.play_all(&[road(20, 31), settlement(47)]);
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 0], "one hex on the coast");
    assert_eq!(scene.in_bank(), [17, 18, 19, 19, 19]);
}

#[test]
fn base_15_the_bank_pays_what_it_has() {
    let mut scene = founding(2);
    scene.play_all(&[settlement(0), road(0, 1), settlement(6), road(5, 6)]);
    let mut scene = scene.hand(S1, [19, 0, 0, 0, 0]);
    scene.play(settlement(20), &[]);
    assert_eq!(scene.held(S2), [0, 1, 0, 0, 0], "hills pay nothing");
    assert_eq!(scene.in_bank(), [0, 18, 19, 19, 19]);
}

#[test]
fn base_16_who_founded_last_starts_and_turns_go_clockwise() {
    let mut scene = founding(2);
    scene.play_all(&[settlement(0), road(0, 1), settlement(6), road(5, 6)]);
    scene.play_all(&[settlement(20), road(20, 31), settlement(47), road(47, 48)]);
    let table = &scene.state.table;
    assert_eq!((table.current, table.turn, table.stage), (S1, 1, Stage::Roll));
    scene.play(crate::parts::island::action::Action::Roll, &[dice(2)]);
    scene.play(crate::parts::island::action::Action::EndTurn, &[]);
    assert_eq!((scene.state.table.current, scene.state.table.turn), (S2, 2));
}

#[test]
fn base_16_a_study_may_give_the_first_turn_to_another_seat() {
    let mut scene = founding_with(2, |rules| rules.first_turn = 1);
    scene.play_all(&[settlement(0), road(0, 1), settlement(6), road(5, 6)]);
    scene.play_all(&[settlement(20), road(20, 31), settlement(47), road(47, 48)]);
    assert_eq!((scene.state.table.current, scene.state.table.turn), (S2, 1));
    let game = game_with(3, |rules| (rules.first_turn, rules.island) = (1, Layout::Beginner));
    assert_eq!(random(&game, 1).table.current, S2);
    let rules = Rules { first_turn: 3, ..Rules::default() };
    let faults = Base::build(rules, 3).unwrap_err();
    assert_eq!(faults[0].field, "first_turn");
}

#[test]
fn base_80_the_box_for_five_and_six() {
    for players in [5, 6] {
        let game = game_with(players, |_| {});
        harbours_are_on_the_coast(&EXTENDED_PARTS, &game);
        let state = random(&game, u64::from(players));
        assert_eq!(hexes_of(&game, &state.table.board), [5, 6, 6, 6, 5, 2]);
        assert_eq!(state.table.bank.counts(), [24; 5]);
        assert_eq!(state.deck, [20, 3, 3, 3, 5]);
        let tokens = tokens_of(&game, &state.table.board);
        assert_eq!(tokens.len(), 28);
        for token in (2..=12).filter(|&token| token != 7) {
            let count = tokens.iter().filter(|other| **other == token).collect::<Vec<_>>().len();
            assert_eq!(count, if token == 2 || token == 12 { 2 } else { 3 });
        }
        let kinds = &EXTENDED_PARTS.harbour_kinds;
        let of = |kind| kinds.iter().filter(|&&other| other == kind).count();
        assert_eq!((of(None), of(Some(Resource::Wool)), kinds.len()), (5, 2, 11));
    }
}

#[test]
fn base_12_a_script_lays_the_island() {
    let game = game_with(6, |_| {});
    let mut script = vec![];
    for (kind, &count) in EXTENDED_PARTS.terrain.iter().enumerate() {
        let kind = u8::try_from(kind).unwrap();
        script.extend(std::iter::repeat_n(Scripted::Kind(kind), usize::from(count)));
    }
    script.push(Scripted::Card(1));
    script.push(Scripted::Card(1 << 29));
    let state = deal(&game, &script);
    assert_eq!(state.table.robber, Hex::new(29));
    assert_eq!(state.table.board.tokens[0], 2, "the letters start at the top left");
}
