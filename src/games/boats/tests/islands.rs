//! Gold, unexplored hexes, islands and their chits.

use crate::core::chance::{RandomChance, ScriptedChance};
use crate::core::game::Game;
use crate::core::resources::Resource::{Brick, Grain, Lumber, Ore, Wool};
use crate::core::seed::BlockSeed;
use crate::core::types::by_seat::BySeat;
use crate::core::types::seat::Seat;
use crate::games::boats::Boats;
use crate::games::boats::action::{Action, OwnAction};
use crate::games::boats::rules::{Allowed, Helper, Helpers, Holder, Rules};
use crate::games::boats::scenario::SHIPPED;
use crate::games::boats::tests::support::{
    END, FOGGY, FOR_BOAT, FOR_SETTLEMENT, KNOWN, S1, S2, S3, Scene, boat, buy, dice, game_with,
    isa_boat, land, move_boat, move_road, road, sea, settle, stolen, token,
};
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::cards::Card;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::{EdgeSet, Hex, Vertex};

const ROLL: Action = Action::Island(IslandAction::Roll);

/// Seat 1 has a boat from 20 to 21 and can pay for more; 22 is a corner of one unexplored hex.
fn at_the_edge() -> Scene {
    Scene::new(FOGGY).founded(S1, 20).boats(S1, &[20, 21]).hand(S1, [2, 4, 4, 2, 0])
}

#[test]
fn boat_2_a_piece_that_reaches_an_unexplored_hex_uncovers_it_for_2_gold() {
    let mut scene = at_the_edge();
    scene.play(boat(21, 22), &[land(Some(Ore)), token(9)]);
    assert_eq!(scene.state.own.gold[0], 2);
    assert!(!scene.state.own.fog.iter().any(|hex| hex.number() == 10));
    let board = &scene.state.island.table.board;
    assert_eq!((board.terrain[10], board.tokens[10]), (Some(Ore), 9));
    // A road does the same, on a strait that is land.
    let strait = FOGGY.replace("wool:8   sea ", "wool:8   lumber:3 ");
    let scene = Scene::with(&strait, |rules| rules.louis = Holder::Seat1);
    let mut scene = scene.settlement(S1, 20).hand(S1, [2, 2, 0, 0, 0]);
    scene.play(road(20, 21), &[]);
    assert_eq!(scene.state.own.gold[0], 0);
    let mut moved = scene.clone();
    scene.play(road(21, 22), &[sea()]);
    assert_eq!(scene.state.own.gold[0], 2);
    // So does a road that Louis moves.
    moved = moved.roads(S1, &[20, 19]);
    moved.play(move_road([20, 19], [21, 22]), &[sea()]);
    assert_eq!(moved.state.own.gold[0], 2);
}

#[test]
fn boat_2_a_founding_boat_uncovers_a_hex_too() {
    let near = FOGGY.replace("sea      sea      ?\ngrain", "sea      ?        sea\ngrain");
    let game = game_with(&near, 2, |_| {});
    let state = game.deal(&mut ScriptedChance::default());
    let mut scene = Scene { game, state };
    scene.play(settle(20), &[]);
    scene.play(boat(20, 21), &[land(Some(Ore)), token(9)]);
    assert_eq!(scene.state.own.gold[0], 2);
}

#[test]
fn boat_2_two_gold_buy_a_card_twice_a_turn() {
    let mut scene = at_the_edge();
    scene.play(boat(21, 22), &[sea()]);
    scene.play(boat(22, 23), &[sea()]);
    scene.play(boat(23, 24), &[land(None)]);
    assert_eq!(scene.state.own.gold[0], 6);
    let before = scene.held(S1);
    scene.play(buy(Ore), &[]);
    scene.play(buy(Ore), &[]);
    assert_eq!(scene.state.own.gold[0], 2);
    assert_eq!(scene.held(S1)[4], before[4] + 2);
    assert!(!scene.allows(buy(Ore)), "twice a turn");
    scene.next_turn();
    assert!(!scene.allows(buy(Ore)), "seat 2 has none");
    scene.next_turn();
    assert!(scene.allows(buy(Brick)));
    let mut poor = scene.clone();
    poor.state.own.gold[0] = 1;
    assert!(!poor.allows(buy(Brick)));
    let left = scene.state.island.table.bank.counts()[Brick.idx()];
    let empty = scene.clone().hand(S2, [left, 0, 0, 0, 0]);
    assert!(!empty.allows(buy(Brick)), "the bank has none");
    assert!(empty.allows(buy(Ore)));
    assert!(!scene.stage(Stage::Special).allows(buy(Brick)), "no time to trade");
}

#[test]
fn boat_22_a_moved_boat_uncovers_hexes_too() {
    let mut scene = at_the_edge().boats(S1, &[20, 31]);
    scene.play(move_boat([20, 31], [21, 22]), &[sea()]);
    assert_eq!(scene.state.own.gold[0], 2);
}

#[test]
fn boat_3_land_is_no_island_while_a_hex_beside_it_is_unknown() {
    let mut scene = at_the_edge();
    scene.play(boat(21, 22), &[land(Some(Ore)), token(5)]);
    scene.play(settle(22), &[]);
    assert_eq!(scene.chits(S1), (0, 1), "hexes beside the ore are unexplored");
    assert_eq!(scene.points(S1), 2, "a chit that waits counts nothing");
}

#[test]
fn boat_3_every_hex_around_every_hex_of_an_island_is_known() {
    // r1c3 and r2c4 are land; r3c5 lies beside the second of them only.
    let text = r#"
map = """
          brick:2  sea      ore:3
     lumber:4  sea      sea      wool:5
grain:6   wool:8   sea      sea      ?
     desert    sea      sea      sea
          wool:12  sea      sea
"""
starts = ["r1c1"]
[unexplored]
terrain = { sea = 1 }
"#;
    let scene = Scene::new(text).founded(S1, 20).boats(S1, &[20, 21, 22, 23]);
    let mut scene = scene.settlement(S1, 5).hand(S1, FOR_BOAT);
    assert_eq!(scene.chits(S1), (0, 1));
    scene.play(boat(23, 24), &[sea()]);
    assert_eq!(scene.chits(S1), (1, 0));
}

#[test]
fn boat_33_a_chit_that_waits_counts_when_the_island_is_known() {
    let mut scene = at_the_edge();
    scene.play(boat(21, 22), &[land(Some(Ore)), token(5)]);
    scene.play(settle(22), &[]);
    // Beside the ore, r3c4, three hexes are unexplored: r2c4, r3c5 and r4c4.
    scene.play(boat(22, 23), &[sea()]);
    let mut scene = scene.hand(S1, [2, 3, 0, 0, 0]);
    scene.play(road(22, 33), &[]);
    scene.play(road(33, 34), &[sea()]);
    assert_eq!((scene.chits(S1), scene.points(S1)), ((0, 1), 2));
    scene.play(road(34, 35), &[land(None)]);
    assert_eq!((scene.chits(S1), scene.points(S1)), ((1, 0), 3), "ore and desert are an island");
}

#[test]
fn boat_33_it_counts_for_every_player_with_a_building_there() {
    let mut scene = at_the_edge().founded(S2, 29);
    scene.play(boat(21, 22), &[land(Some(Ore)), token(5)]);
    scene.play(settle(22), &[]);
    scene.play(boat(22, 23), &[sea()]);
    let mut scene = scene.hand(S1, [2, 3, 1, 0, 0]);
    scene.play(road(22, 33), &[]);
    scene.play(road(33, 34), &[sea()]);
    let mut scene = scene.settlement(S2, 34);
    assert_eq!((scene.chits(S1), scene.chits(S2)), ((0, 1), (0, 1)));
    scene.play(boat(23, 24), &[land(None)]);
    assert_eq!((scene.chits(S1), scene.chits(S2)), ((1, 0), (1, 0)), "whoever has uncovered it");
    assert_eq!((scene.points(S1), scene.points(S2)), (3, 3));
}

#[test]
fn boat_33_pieces_that_prove_to_be_one_island_keep_one_chit() {
    let scene = Scene::new(FOGGY).founded(S1, 20).hand(S1, [9, 9, 9, 9, 0]);
    let mut scene = scene.boats(S1, &[20, 21]);
    scene.play(boat(21, 22), &[sea()]);
    scene.play(boat(22, 23), &[land(Some(Ore)), token(5)]);
    scene.play(settle(23), &[]);
    assert_eq!(scene.chits(S1), (0, 1));
    scene.play(boat(22, 33), &[]);
    scene.play(boat(33, 34), &[land(Some(Brick)), token(9)]);
    scene.play(settle(34), &[]);
    assert_eq!(scene.chits(S1), (0, 2), "two pieces of land, neither of them an island yet");
    scene.play(boat(23, 24), &[land(None)]);
    assert_eq!(scene.chits(S1), (0, 1), "the desert at r3c5 joins them");
}

#[test]
fn boat_53_a_chit_goes_back_when_the_land_proves_to_be_home() {
    // The strait, r3c3, is unexplored, and land there joins both shores.
    let text = r#"
map = """
          brick:2  sea      sea
     lumber:4  sea      sea      sea
grain:6   wool:8   ?        ore:4    sea
     desert    sea      sea      sea
          wool:12  sea      sea
"""
starts = ["r1c1"]
[unexplored]
terrain = { brick = 1 }
tokens = [5]
"#;
    let scene = Scene::new(text).founded(S1, 18).settlement(S1, 35);
    let mut scene = scene.boats(S1, &[35, 34]).hand(S1, FOR_BOAT);
    assert_eq!(scene.chits(S1), (0, 1));
    scene.play(boat(34, 33), &[land(Some(Brick)), token(5)]);
    assert_eq!(scene.chits(S1), (0, 0), "one island, and it is home");
    assert_eq!(scene.points(S1), 2);
}

#[test]
fn boat_31_islands_on_which_a_player_founded_are_home() {
    let scene = Scene::new(KNOWN).founded(S1, 20).settlement(S1, 18);
    assert_eq!(scene.chits(S1), (0, 0), "more settlements at home");
    let scene = scene.founded(S2, 23).settlement(S2, 35);
    assert_eq!(scene.chits(S2), (0, 0), "the east is seat 2's home");
    assert_eq!(scene.clone().settlement(S1, 45).chits(S1), (1, 0), "and foreign to seat 1");
    assert_eq!(scene.settlement(S2, 40).chits(S2), (1, 0), "as the west is to seat 2");
}

#[test]
fn boat_32_the_first_settlement_on_a_foreign_island_earns_a_chit() {
    let scene = Scene::new(KNOWN).founded(S1, 20).founded(S2, 29).hand(S1, FOR_SETTLEMENT);
    let scene = scene.hand(S1, FOR_SETTLEMENT).settlement(S2, 45);
    assert_eq!(scene.chits(S2), (1, 0));
    let mut scene = scene.boats(S1, &[20, 21, 22]);
    scene.play(settle(22), &[]);
    assert_eq!((scene.chits(S1), scene.points(S1)), ((1, 0), 3), "whoever else lives there");
    let mut scene = scene.roads(S1, &[22, 33, 34]);
    scene.play(settle(34), &[]);
    assert_eq!((scene.chits(S1), scene.points(S1)), ((1, 0), 4), "later ones earn none");
}

#[test]
fn boat_32_a_city_keeps_the_chit() {
    let scene = Scene::new(KNOWN).founded(S1, 20).settlement(S1, 22);
    let mut scene = scene.hand(S1, [0, 0, 0, 2, 3]);
    scene.play(Action::Island(IslandAction::City { vertex: Vertex::new(22) }), &[]);
    assert_eq!((scene.chits(S1), scene.points(S1)), ((1, 0), 4));
    let scene = scene.settlement(S1, 35);
    assert_eq!((scene.chits(S1), scene.points(S1)), ((1, 0), 5), "a settlement later");
}

#[test]
fn boat_50_a_chit_counts_1_and_12_points_win_or_13_on_a_map_with_four_islands() {
    let target = |scenario: &str| game_with(scenario, 2, |_| {}).island.rules.points_to_win.of(S1);
    assert_eq!(target(SHIPPED[0].0), 13, "four islands");
    assert_eq!(target(SHIPPED[1].0), 12, "one that is known");
    assert_eq!(target(KNOWN), 12);
    // Four pieces of land, one of them beside a hex that nobody knows: that is no island yet. (BOAT-3)
    let four = |word: &str| {
        let unexplored = if word == "?" { "[unexplored]\nterrain = { sea = 1 }\n" } else { "" };
        let map =
            "brick:2 sea ore:3\nsea sea sea sea\nwool:5 sea sea sea sea\nsea sea sea sea\ngrain:8";
        target(&format!("map = \"\"\"\n{map} {word} sea\n\"\"\"\n{unexplored}"))
    };
    assert_eq!((four("sea"), four("?")), (13, 12));
    let more =
        game_with("shores", 2, |rules| (rules.points_to_win, rules.points_more) = (9.into(), 3));
    assert_eq!(more.island.rules.points_to_win, 12.into());
    let points = |chit| {
        let scene = Scene::with(KNOWN, |rules| rules.chit = chit);
        scene.founded(S1, 20).settlement(S1, 22).points(S1)
    };
    assert_eq!([0, 1, 2].map(points), [2, 3, 4]);
    assert_eq!(Rules::default().chit, 1);
    // A chit wins on the turn on which it is earned.
    let scene = Scene::with(KNOWN, |rules| rules.points_to_win = 3.into());
    let mut scene = scene.founded(S1, 20).boats(S1, &[20, 21, 22]).hand(S1, FOR_SETTLEMENT);
    scene.play(settle(22), &[]);
    assert!(scene.is_won());
}

#[test]
fn boat_50_a_list_says_how_many_points_each_seat_needs() {
    for (needed, wins) in [([3, 12], true), ([12, 3], false)] {
        let scene = Scene::with(KNOWN, |rules| rules.points_to_win = BySeat::list(&needed));
        let mut scene = scene.founded(S1, 20).boats(S1, &[20, 21, 22]).hand(S1, FOR_SETTLEMENT);
        scene.play(settle(22), &[]);
        assert_eq!((scene.points(S1), scene.is_won()), (3, wins));
    }
}

#[test]
fn boat_51_a_player_has_15_boats() {
    let scene = Scene::with(KNOWN, |rules| (rules.boats, rules.isa) = (2, Holder::Seat1));
    let scene = scene.settlement(S1, 20).hand(S1, FOR_BOAT);
    assert!(scene.clone().boats(S1, &[20, 21]).allows(boat(21, 22)));
    let all = scene.boats(S1, &[20, 21, 22]);
    assert!(all.berths().is_empty(), "none is left");
    assert!(!all.allows(isa_boat(22, 23, Wool)), "nor for Isa");
    assert_eq!(game_with(KNOWN, 2, |_| {}).rules.boats, 15);
    // Without boats, nobody founds with one either.
    let game = game_with(KNOWN, 2, |rules| rules.boats = 0);
    let state = game.deal(&mut ScriptedChance::default());
    let mut scene = Scene { game, state };
    scene.play(settle(20), &[]);
    assert!(scene.berths().is_empty());
}

#[test]
fn boat_51_gold_is_no_card() {
    let mut scene = at_the_edge();
    scene.play(boat(21, 22), &[sea()]);
    let gold = scene.state.own.gold;
    let mut seven = scene.clone().stage(Stage::Roll);
    seven.play(ROLL, &[dice(7)]);
    let Phase::Discard { owed, .. } = seven.state.island.table.phase else { panic!("10 cards") };
    assert_eq!(owed, 5, "half of 10 cards, gold aside");
    assert_eq!(seven.state.own.gold, gold);
    let mut monopoly = scene.turn_of(S2);
    monopoly.state.own.still = EdgeSet::default();
    monopoly.state.island.deck[Card::Monopoly.idx()] -= 1;
    monopoly.state.island.cards[1][Card::Monopoly.idx()] += 1;
    let mut thief = monopoly.clone();
    monopoly.play(Action::Island(IslandAction::Monopoly { kind: Wool }), &[]);
    assert_eq!(monopoly.state.own.gold, gold);
    thief.state.island.table.phase = Phase::Robber;
    let steal = IslandAction::Robber { hex: Hex::new(8), victim: Some(S1) };
    thief.play(Action::Island(steal), &[stolen(Wool)]);
    assert_eq!(thief.state.own.gold, gold);
}

#[test]
fn boat_52_an_uncovered_hex_draws_from_what_is_set_aside_and_pays_from_the_next_roll() {
    let mut scene = at_the_edge();
    let aside = scene.state.own.aside;
    let before = scene.held(S1);
    scene.play(boat(21, 22), &[land(Some(Ore)), token(9)]);
    let paid = [before[0], before[1] - 1, before[2] - 1, before[3], before[4]];
    assert_eq!(scene.held(S1), paid, "it does not pay at once");
    let left = scene.state.own.aside;
    assert_eq!(left.terrain.iter().sum::<u8>(), aside.terrain.iter().sum::<u8>() - 1);
    assert_eq!(left.terrain[Ore.idx()], 0);
    assert_eq!(left.tokens.iter().sum::<u8>(), 1, "the other one is left");
    scene.play(settle(22), &[]);
    let before = scene.held(S1);
    scene.play(END, &[]);
    scene.play(ROLL, &[dice(9)]);
    assert_eq!(scene.held(S1)[Ore.idx()], before[Ore.idx()] + 1);
}

#[test]
fn boat_42_the_rules_or_the_scenario_say_who_starts_with_whom() {
    let holders = |scenario: &str, isa, louis| {
        let game = game_with(scenario, 3, |rules| (rules.isa, rules.louis) = (isa, louis));
        let own = game.deal(&mut RandomChance::new(BlockSeed::new(1, 1))).own;
        let seats =
            |held: [bool; 6]| Seat::all(6).filter(|seat| held[seat.idx()]).collect::<Vec<_>>();
        assert_eq!(own.choosing, [false; 6]);
        (seats(own.isa_left.map(|left| left == 2)), seats(own.louis))
    };
    let given = KNOWN.replace("starts", "isa = 2\nlouis = 3\nstarts");
    assert_eq!(
        holders(KNOWN, Holder::Scenario, Holder::Scenario),
        (vec![], vec![]),
        "nobody by default"
    );
    assert_eq!(holders(&given, Holder::Scenario, Holder::Scenario), (vec![S2], vec![S3]));
    assert_eq!(holders(&given, Holder::Nobody, Holder::Seat1), (vec![], vec![S1]));
    for (scenario, _) in SHIPPED {
        assert_eq!(holders(scenario, Holder::Scenario, Holder::Scenario), (vec![], vec![]));
    }
    let rules = Rules { isa: Holder::Seat4, ..Rules::default() };
    assert!(Boats::new(rules, 3).unwrap_err()[0].to_string().contains("`isa`"), "an empty chair");
}

/// Before the first roll of each; nothing is dealt, whatever the scenario says.
#[test]
fn boat_42_each_player_may_choose_a_helper_before_its_first_roll() {
    let given = KNOWN.replace("starts", "isa = 2\nstarts");
    let mut scene = Scene::with(&given, |rules| {
        rules.helpers = Helpers::Chosen;
        rules.helpers_allowed[1] = Allowed::of_bits(Helper::Louis.bit());
    });
    let own = scene.state.own;
    assert_eq!((own.isa_left, own.louis), ([0; 6], [false; 6]), "nothing is dealt");
    assert_eq!(own.choosing, [true, true, false, false, false, false]);
    let [isa, louis] = Helper::ALL.map(|take| Action::Own(OwnAction::Helper { take }));
    scene = scene.stage(Stage::Roll);
    assert_eq!(scene.listed(), [isa, louis]);
    let refused = scene.game.permits(&scene.state, ROLL).unwrap_err().to_string();
    assert!(refused.contains("a helper is chosen first"), "{refused}");
    scene.play(isa, &[]);
    assert_eq!(scene.state.own.isa_left, [2, 0, 0, 0, 0, 0]);
    assert_eq!(scene.listed(), [ROLL]);
    scene.state.island.table.stage = Stage::Main;
    scene.play(END, &[]);
    assert_eq!(scene.listed(), [louis], "seat 2 is allowed no other");
    scene.play(louis, &[]);
    assert_eq!(scene.state.own.louis, [false, true, false, false, false, false]);
    scene.state.island.table.stage = Stage::Main;
    scene.play(END, &[]);
    assert_eq!(scene.listed(), [ROLL], "once in a match");
}

/// What one player takes is there for the others.
#[test]
fn boat_42_a_choice_takes_nothing_from_others() {
    let mut scene = Scene::with(KNOWN, |rules| rules.helpers = Helpers::Chosen);
    for _ in 0..2 {
        scene = scene.stage(Stage::Roll);
        let isa = Action::Own(OwnAction::Helper { take: Helper::Isa });
        assert_eq!(scene.listed().len(), 2);
        scene.play(isa, &[]);
        scene.state.island.table.stage = Stage::Main;
        scene.play(END, &[]);
    }
    assert_eq!(scene.state.own.isa_left, [2, 2, 0, 0, 0, 0]);
}

#[test]
fn boat_1_terrain_and_tokens_of_a_scenario_are_laid_at_random() {
    let game = game_with("shores", 4, |_| {});
    let deal = |block| game.deal(&mut RandomChance::new(BlockSeed::new(3, block)));
    let mut seen = std::collections::BTreeSet::new();
    for block in 0..200 {
        let state = deal(block);
        game.check(&state);
        let board = &state.island.table.board;
        let map = game.island.map;
        let fixed = [(3, Some(Lumber), 9), (4, Some(Ore), 5), (17, Some(Grain), 10)];
        for (hex, terrain, number) in fixed {
            assert_eq!((board.terrain[hex], board.tokens[hex]), (terrain, number));
        }
        let red: Vec<_> = map
            .all_hexes()
            .iter()
            .filter(|hex| [6, 8].contains(&board.tokens[hex.idx()]))
            .collect();
        assert_eq!(red.len(), 4);
        let touching = red.iter().any(|&a| red.iter().any(|&b| map.touch(a, b)));
        assert!(!touching, "6 and 8 lie apart");
        let robber = state.island.table.robber;
        assert!(board.terrain[robber.idx()].is_none(), "the desert");
        seen.insert(board.tokens);
    }
    assert!(seen.len() > 190);
}

#[test]
fn boat_1_harbours_lie_where_the_scenario_says() {
    let text = KNOWN.to_owned() + "[harbours]\n\"r1c1 NW\" = \"wool\"\n\"r5c3 E\" = \"any\"\n";
    let scene = Scene::new(&text);
    let table = &scene.state.island.table;
    let at = |vertex| table.board.harbour_at(&scene.game.island.parts, Vertex::new(vertex));
    assert_eq!([0, 1].map(at), [Some(Some(Wool)); 2]);
    assert_eq!(at(2), None);
    let [one, other] = scene.game.scenario.map.ends[scene.game.scenario.harbours[1].0.idx()];
    assert_eq!([one, other].map(|end| at(end.number())), [Some(None); 2], "3:1");
}

#[test]
fn boat_1_too_many_players_for_a_scenario_are_refused() {
    let main = game_with("shores", 5, |_| {}).founding;
    let all = game_with("shores", 6, |_| {}).founding;
    assert!((main - all).is_empty() && main.len() < all.len(), "six found on all islands");
    let fog = Rules { scenario: "fog".to_owned(), ..Rules::default() };
    let fault = Boats::new(fog, 6).unwrap_err();
    assert!(fault.iter().any(|fault| fault.to_string().contains("room for")), "{fault:?}");
    let rules = Rules { scenario: "map = 1".to_owned(), ..Rules::default() };
    let fault = Boats::new(rules, 3).unwrap_err()[0].to_string();
    assert!(fault.starts_with("rule set field `scenario`: line 1: "), "{fault}");
}

/// The robber moves on land only.
#[test]
fn boat_1_the_robber_stays_on_land() {
    let scene = Scene::new(FOGGY).settlement(S1, 20);
    let mut scene = scene.stage(Stage::Roll);
    scene.play(ROLL, &[dice(7)]);
    let places: Vec<u8> = scene
        .listed()
        .iter()
        .filter_map(|action| match action {
            Action::Island(IslandAction::Robber { hex, .. }) => Some(hex.number()),
            _ => None,
        })
        .collect();
    assert_eq!(places, [0, 3, 7, 8, 16]);
}
