//! Where boats go, how they meet roads, and how they are moved.

use crate::core::chance::ScriptedChance;
use crate::core::resources::Resource::{Lumber, Ore, Wool};
use crate::games::boats::rules::Holder;
use crate::games::boats::tests::support::{
    FOR_BOAT, FOR_ROAD, FOR_SETTLEMENT, KNOWN, S1, S2, Scene, boat, edge, game_with, isa_boat,
    move_boat, move_road, road, settle,
};
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::Vertex;

#[test]
fn boat_10_a_boat_costs_wool_and_lumber_and_lies_at_the_sea() {
    let mut scene = Scene::new(KNOWN).settlement(S1, 20).hand(S1, [1, 2, 2, 1, 1]);
    // From 20: along the coast to 19 and 31, over the sea to 21.
    assert_eq!(scene.berths(), [[19, 20], [20, 21], [20, 31]]);
    scene.play(boat(20, 21), &[]);
    assert_eq!(scene.held(S1), [1, 1, 1, 1, 1]);
    assert!(scene.allows(boat(21, 22)));
    let inland = Scene::new(KNOWN).settlement(S1, 18).hand(S1, FOR_BOAT);
    assert!(inland.berths().is_empty(), "18 lies inland");
    let poor = Scene::new(KNOWN).settlement(S1, 20).hand(S1, [3, 1, 0, 3, 3]);
    assert!(poor.berths().is_empty(), "no wool");
    let dear = Scene::with(KNOWN, |rules| rules.cost.boat.ore = 1);
    let dear = dear.settlement(S1, 20).hand(S1, FOR_BOAT);
    assert!(dear.berths().is_empty(), "a field of the rule set");
}

#[test]
fn boat_10_no_boat_lies_across_a_river_and_the_rim_is_sea() {
    // The north-western side of the second row's first hex, from 7 to 8, is a river.
    let scene = Scene::new(KNOWN).settlement(S1, 7).hand(S1, [1, 1, 1, 0, 0]);
    assert_eq!(scene.berths(), [[7, 17]]);
    assert!(scene.allows(road(7, 8)), "a road may lie there");
    let rim = Scene::new(KNOWN).settlement(S1, 1).hand(S1, FOR_BOAT);
    assert_eq!(rim.berths(), [[0, 1], [1, 2]]);
}

#[test]
fn boat_11_a_path_holds_one_road_or_one_boat() {
    let scene = Scene::new(KNOWN).settlement(S1, 20).hand(S1, [1, 2, 1, 0, 0]);
    let scene = scene.boats(S1, &[20, 31]).roads(S1, &[20, 19]);
    assert!(!scene.allows(boat(20, 19)), "a road lies there");
    assert!(!scene.allows(road(20, 31)), "a boat lies there");
    assert!(!scene.allows(boat(20, 31)));
    let others =
        scene.settlement(S2, 29).turn_of(S2).hand(S2, [1, 1, 1, 0, 0]).roads(S2, &[29, 30]);
    assert!(!others.allows(road(20, 31)) && !others.allows(boat(20, 31)));
    assert!(others.allows(road(30, 31)), "the path beside it is free");
    let mut new = Scene::new(KNOWN).settlement(S1, 20).hand(S1, [1, 2, 1, 0, 0]);
    assert!(new.allows(road(20, 31)));
    new.play(boat(20, 31), &[]);
    assert!(!new.allows(road(20, 31)), "a boat lies there now");
}

#[test]
fn boat_12_a_boat_touches_a_building_or_a_boat_and_may_branch() {
    let first = Scene::new(KNOWN).settlement(S1, 20).hand(S1, FOR_BOAT);
    assert!(first.allows(boat(20, 21)), "at a building");
    let scene = first.boats(S1, &[20, 21]);
    assert_eq!(scene.berths(), [[11, 21], [19, 20], [20, 31], [21, 22]], "both ways at 21");
    let passed = scene.clone().boats(S1, &[21, 22]);
    assert!(passed.allows(boat(22, 33)));
    let walled = passed.settlement(S2, 22);
    assert!(!walled.allows(boat(22, 33)), "past another's building");
    assert!(!walled.allows(boat(22, 23)));
    assert!(walled.allows(boat(11, 21)));
    let own = Scene::new(KNOWN).hand(S1, FOR_BOAT).settlement(S2, 20).boats(S2, &[20, 21]);
    assert!(own.berths().is_empty(), "another's boats and buildings are of no use");
}

#[test]
fn boat_13_roads_and_boats_join_at_an_own_building_only() {
    let scene = Scene::new(KNOWN).settlement(S1, 20).hand(S1, [1, 1, 1, 0, 0]);
    let at_22 = scene.clone().boats(S1, &[20, 21, 22]);
    assert!(!at_22.allows(road(22, 23)), "no road from a boat");
    assert!(at_22.settlement(S1, 22).allows(road(22, 23)), "but from a building");
    let at_31 = scene.roads(S1, &[20, 31]);
    assert!(!at_31.allows(boat(31, 32)), "no boat from a road");
    assert!(at_31.allows(boat(20, 21)), "but from the building");
    let broken = Scene::new(KNOWN).roads(S1, &[18, 19, 20]).boats(S1, &[20, 21, 22, 33]);
    assert_eq!(broken.route(), None, "2 roads and 3 boats");
    let joined = Scene::new(KNOWN).settlement(S1, 20).roads(S1, &[18, 19, 20]);
    assert_eq!(joined.boats(S1, &[20, 21, 22, 33]).route(), Some(S1), "5 in all");
}

#[test]
fn boat_14_a_founding_settlement_on_the_coast_may_have_a_boat() {
    let game = game_with(KNOWN, 2, |_| {});
    let state = game.deal(&mut ScriptedChance::default());
    let mut scene = Scene { game, state };
    assert!(!scene.allows(settle(22)), "the east is no place to found");
    scene.play(settle(20), &[]);
    assert_eq!(scene.state.island.table.phase, Phase::FoundRoad(Vertex::new(20)));
    let ways = scene.listed();
    let due = [road(19, 20), road(20, 31), boat(19, 20), boat(20, 21), boat(20, 31)];
    assert_eq!(ways, due, "on the coast either, on the sea a boat");
    scene.play(boat(20, 21), &[]);
    assert_eq!(scene.held(S1), [0; 5], "at no cost");
    assert_eq!(scene.state.island.table.active, S2);
    scene.play(settle(18), &[]);
    assert!(scene.listed().iter().all(|way| !way.to_string().starts_with("boat")), "inland");
}

#[test]
fn boat_15_settlements_stand_where_a_boat_arrives_at_the_usual_distance() {
    let scene = Scene::new(KNOWN).founded(S1, 20).hand(S1, FOR_SETTLEMENT);
    let scene = scene.boats(S1, &[20, 21, 22]);
    assert!(scene.allows(settle(22)));
    assert!(!scene.allows(settle(21)), "at sea");
    assert!(!scene.allows(settle(33)), "no boat has arrived there");
    assert!(!scene.clone().boats(S1, &[21, 11]).allows(settle(11)), "at sea, far from the others");
    assert!(!scene.clone().turn_of(S2).hand(S2, FOR_SETTLEMENT).allows(settle(22)), "S1's boat");
    assert!(!scene.clone().settlement(S2, 23).allows(settle(22)), "too near");
    let mut scene = scene;
    scene.play(settle(22), &[]);
    assert_eq!(scene.held(S1), [0; 5]);
    assert_eq!(scene.points(S1), 3, "two settlements and a chit");
}

#[test]
fn boat_15_a_settlement_where_a_boat_arrives_needs_its_price_and_one_in_the_supply() {
    let arrived = || Scene::new(KNOWN).founded(S1, 20).boats(S1, &[20, 21, 22]);
    assert!(!arrived().hand(S1, [1, 1, 1, 0, 0]).allows(settle(22)), "no grain");
    let four = arrived().hand(S1, FOR_SETTLEMENT);
    let four = four.settlement(S1, 18).settlement(S1, 8).settlement(S1, 40);
    assert!(four.allows(settle(22)));
    assert!(!four.settlement(S1, 35).allows(settle(22)), "all five stand");
}

#[test]
fn boat_20_one_boat_a_turn_is_moved_and_none_that_is_new() {
    let scene = Scene::new(KNOWN).settlement(S1, 20).settlement(S1, 10).hand(S1, FOR_BOAT);
    let mut scene = scene.boats(S1, &[20, 21]).boats(S1, &[10, 2]).boats(S1, &[10, 11]);
    scene.play(boat(20, 31), &[]);
    assert!(scene.ways_of_boat(20, 31).is_empty(), "built in this turn");
    assert!(!scene.ways_of_boat(10, 2).is_empty());
    scene.play(move_boat([20, 21], [31, 32]), &[]);
    assert!(scene.ways_of_boat(10, 2).is_empty(), "one a turn");
    scene.next_turn();
    assert!(scene.ways_of_boat(10, 2).is_empty(), "another's turn");
    scene.next_turn();
    assert!(!scene.ways_of_boat(10, 2).is_empty());
    assert!(!scene.ways_of_boat(31, 32).is_empty());
    let special = scene.stage(Stage::Special);
    assert!(special.ways_of_boat(10, 2).is_empty(), "in a special building phase");
    assert!(special.clone().hand(S1, FOR_BOAT).allows(boat(20, 21)), "where boats are built");
    let before = special.stage(Stage::Roll).hand(S1, FOR_BOAT);
    assert!(before.ways_of_boat(10, 2).is_empty(), "before the roll");
    assert!(before.berths().is_empty(), "no boat is built before the roll either");
}

#[test]
fn boat_21_a_boat_at_anothers_building_goes_where_another_boat_leads() {
    let scene = Scene::new(KNOWN).settlement(S1, 20).boats(S1, &[20, 21, 22]);
    let scene = scene.boats(S1, &[20, 31, 32, 33]).settlement(S2, 22);
    assert!(scene.allows(move_boat([21, 22], [22, 33])), "33 is reached without it");
    assert!(!scene.allows(move_boat([21, 22], [22, 23])), "past the building");
}

#[test]
fn boat_21_only_a_boat_with_a_free_end_is_moved() {
    let scene = Scene::new(KNOWN).settlement(S1, 20).boats(S1, &[20, 21, 22]);
    assert!(scene.ways_of_boat(20, 21).is_empty(), "a building here, a boat there");
    assert!(!scene.ways_of_boat(21, 22).is_empty());
    let settled = scene.clone().settlement(S1, 22);
    assert!(settled.ways_of_boat(21, 22).is_empty(), "an own building at its end");
    let roads = scene.clone().settlement(S1, 35).roads(S1, &[35, 34, 33, 22]);
    assert!(roads.ways_of_boat(21, 22).is_empty(), "an own road at its end");
    let others = scene.settlement(S2, 22);
    assert!(!others.ways_of_boat(21, 22).is_empty(), "another's building does not hold it");
    let mut longer = Scene::new(KNOWN).settlement(S1, 20).boats(S1, &[20, 21]).hand(S1, FOR_BOAT);
    assert!(!longer.ways_of_boat(20, 21).is_empty());
    longer.play(boat(21, 22), &[]);
    assert!(longer.ways_of_boat(20, 21).is_empty(), "a boat of this turn holds it too");
}

#[test]
fn boat_22_it_goes_where_it_could_be_built_if_it_were_not_there() {
    let scene = Scene::new(KNOWN).settlement(S1, 20).boats(S1, &[20, 21, 22]);
    assert_eq!(scene.ways_of_boat(21, 22), [[11, 21], [19, 20], [20, 31]]);
    let mut scene = scene;
    scene.play(move_boat([21, 22], [20, 31]), &[]);
    assert!(scene.state.own.boats[0].contains(edge(20, 31)));
    assert!(!scene.state.own.boats[0].contains(edge(21, 22)));
    assert!(!scene.clone().hand(S1, FOR_ROAD).allows(road(20, 31)), "no road beside it");
    let coast = Scene::new(KNOWN).settlement(S1, 20).boats(S1, &[20, 31]).hand(S1, FOR_ROAD);
    let mut left = coast;
    left.play(move_boat([20, 31], [20, 21]), &[]);
    assert!(left.allows(road(20, 31)), "the path that it has left is free");
}

#[test]
fn boat_40_isa_makes_a_boat_cheaper_or_moves_a_second_one_twice_in_all() {
    let scene = Scene::with(KNOWN, |rules| rules.isa = Holder::Seat1);
    let scene = scene.settlement(S1, 20).settlement(S1, 10).hand(S1, [1, 1, 1, 0, 1]);
    let mut scene = scene.boats(S1, &[10, 2]).boats(S1, &[10, 11]);
    assert!(scene.allows(isa_boat(20, 21, Lumber)) && scene.allows(isa_boat(20, 21, Wool)));
    assert!(!scene.allows(isa_boat(20, 21, Ore)), "no card of the price");
    scene.play(isa_boat(20, 21, Wool), &[]);
    assert_eq!(scene.held(S1), [1, 1, 0, 0, 1]);
    assert!(!scene.allows(boat(21, 22)), "the full price is due without her");
    scene.play(move_boat([10, 2], [9, 10]), &[]);
    assert_eq!(scene.state.own.isa_left[0], 1, "the first move is free");
    assert!(scene.ways_of_boat(9, 10).is_empty(), "a second boat is another one");
    scene.play(move_boat([10, 11], [2, 10]), &[]);
    assert_eq!(scene.state.own.isa_left[0], 0, "the second flips her, in the same turn");
    assert!(!scene.allows(isa_boat(20, 31, Lumber)), "she is discarded");
    let other = Scene::with(KNOWN, |rules| rules.isa = Holder::Seat2);
    let other = other.settlement(S1, 20).hand(S1, [0, 1, 0, 0, 0]);
    assert!(!other.allows(isa_boat(20, 21, Lumber)), "her holder alone");
    let special = Scene::with(KNOWN, |rules| rules.isa = Holder::Seat1);
    let special = special.settlement(S1, 20).hand(S1, [1, 1, 0, 0, 0]).stage(Stage::Special);
    assert!(!special.allows(isa_boat(20, 21, Lumber)), "on its own turn");
}

#[test]
fn boat_41_louis_moves_a_road_with_a_free_end() {
    let scene = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat1);
    let scene = scene.settlement(S1, 18).roads(S1, &[18, 17, 7]).roads(S1, &[18, 29]);
    assert!(!scene.allows(move_road([17, 18], [18, 19])), "a building here, a road there");
    assert!(scene.allows(move_road([17, 7], [18, 19])));
    assert!(!scene.allows(move_road([17, 7], [7, 8])), "it would hang on nothing");
    assert!(scene.clone().settlement(S2, 7).allows(move_road([17, 7], [18, 19])), "others' pieces");
    let other = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat2);
    let other = other.settlement(S1, 18).roads(S1, &[18, 29]);
    assert!(!other.allows(move_road([18, 29], [18, 19])), "his holder alone");
    let mut moved = scene.clone();
    moved.play(move_road([17, 7], [29, 28]), &[]);
    let net = &moved.state.island.table.pieces.nets[0];
    assert!(net.roads.contains(edge(29, 28)) && !net.roads.contains(edge(17, 7)));
    assert_eq!(moved.held(S1), [0; 5], "at no cost");
    assert!(!moved.allows(move_road([28, 29], [17, 7])), "once a turn");
    // A road that joins a boat at a building, free at its other end.
    let joined = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat1);
    let joined = joined.settlement(S1, 20).boats(S1, &[20, 21]).roads(S1, &[20, 19]);
    assert!(joined.allows(move_road([19, 20], [20, 31])));
    assert!(!joined.allows(move_road([20, 21], [20, 31])), "never a boat");
    let at_boat = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat1);
    let at_boat = at_boat.settlement(S1, 20).roads(S1, &[20, 31]).settlement(S1, 40);
    let at_boat = at_boat.boats(S1, &[40, 41, 42, 32, 31]);
    assert!(at_boat.allows(move_road([20, 31], [19, 20])), "a boat at its end binds it not");
}

#[test]
fn boat_41_a_boat_binds_a_road_by_an_own_building_only() {
    // Roads 18-19-20, and boats that come over the strait to 20.
    let scene = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat1);
    let scene = scene.settlement(S1, 18).roads(S1, &[18, 19, 20]);
    let scene = scene.settlement(S1, 22).boats(S1, &[22, 21, 20]);
    assert!(scene.allows(move_road([19, 20], [18, 29])), "no building joins them");
    assert!(!scene.allows(move_road([18, 19], [18, 29])), "a building here, a road there");
    let others = scene.clone().settlement(S2, 20);
    assert!(others.allows(move_road([19, 20], [18, 29])), "another's building joins nothing");
    let joined = scene.settlement(S1, 20);
    assert!(!joined.allows(move_road([19, 20], [18, 29])), "an own building does");
}

#[test]
fn boat_41_the_road_goes_where_a_road_could_be_built() {
    let scene = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat1);
    let scene = scene.settlement(S1, 18).roads(S1, &[18, 17, 7]).roads(S1, &[18, 29]);
    assert!(scene.allows(move_road([18, 29], [7, 8])));
    assert!(!scene.clone().settlement(S2, 7).allows(move_road([18, 29], [7, 8])), "past another's");
    assert!(!scene.roads(S2, &[8, 7]).allows(move_road([18, 29], [7, 8])), "another's road");
    let coast = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat1);
    let coast = coast.settlement(S1, 20).roads(S1, &[20, 19]);
    assert!(coast.allows(move_road([19, 20], [20, 31])));
    assert!(!coast.allows(move_road([19, 20], [20, 21])), "between two sea hexes");
    assert!(!coast.boats(S1, &[20, 31]).allows(move_road([19, 20], [20, 31])), "a boat");
}

#[test]
fn boat_54_louis_rests_until_the_next_turn_of_his_holder() {
    let scene = Scene::with(KNOWN, |rules| rules.louis = Holder::Seat1);
    let mut scene = scene.settlement(S1, 18).roads(S1, &[18, 29]);
    scene.play(move_road([18, 29], [18, 19]), &[]);
    assert!(!scene.allows(move_road([18, 19], [18, 29])));
    scene.next_turn();
    assert!(!scene.allows(move_road([18, 19], [18, 29])), "another's turn");
    scene.next_turn();
    assert!(scene.allows(move_road([18, 19], [18, 29])));
}
