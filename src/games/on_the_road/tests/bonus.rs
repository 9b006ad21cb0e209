//! Longest Route and Largest Army: OTR-60 and OTR-61.

use super::support::*;
use crate::core::game::End;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::rules::Rules;
use crate::games::on_the_road::state::{Area, Phase};

const FOR_ROAD: [u8; 5] = [1, 1, 0, 0, 0];
const FOR_KNIGHT: [u8; 5] = [0, 0, 1, 0, 1];

/// Roads of seats 1 to 3; seat 2 is to build one more. Nobody owns a tie effect.
fn before_road(roads: [u8; 3], holder: Option<Seat>, change: impl FnOnce(&mut Rules)) -> Scene {
    let mut scene = Scene::with(3, change).turn_of(S2).hand(S2, FOR_ROAD);
    for (seat, roads) in [S1, S2, S3].into_iter().zip(roads) {
        scene = scene.area(seat, Area { roads, ..START });
    }
    scene.state.table.route = holder;
    scene
}

fn route_after_road(roads: [u8; 3], holder: Option<Seat>) -> Option<Seat> {
    let mut scene = before_road(roads, holder, |_| {});
    scene.play(build(Card::Road), &[KNIGHT]);
    assert_eq!(scene.state.table.army, None);
    scene.state.table.route
}

/// Knights of seats 1 to 3; seat 2 is to build one more.
fn before_knight(knights: [u8; 3], holder: Option<Seat>, change: impl FnOnce(&mut Rules)) -> Scene {
    let mut scene = Scene::with(3, change).turn_of(S2).hand(S2, FOR_KNIGHT);
    for (seat, knights) in [S1, S2, S3].into_iter().zip(knights) {
        scene = scene.area(seat, Area { knights, ..START });
    }
    scene.state.table.army = holder;
    scene
}

fn army_after_knight(knights: [u8; 3], holder: Option<Seat>) -> Option<Seat> {
    let mut scene = before_knight(knights, holder, |_| {});
    scene.play(build(Card::Knight), &[ROAD]);
    assert_eq!(scene.state.table.route, None);
    scene.state.table.army
}

#[test]
fn otr_60_the_first_player_with_three_roads_takes_longest_route() {
    assert_eq!(route_after_road([1, 1, 1], None), None, "two roads are too few");
    assert_eq!(route_after_road([2, 2, 2], None), Some(S2));
}

#[test]
fn otr_60_level_is_not_enough_to_take_it() {
    assert_eq!(route_after_road([3, 2, 1], Some(S1)), Some(S1));
    assert_eq!(route_after_road([1, 3, 4], Some(S3)), Some(S3));
    assert_eq!(route_after_road([4, 3, 4], Some(S3)), Some(S3), "three alike: the holder stays");
}

#[test]
fn otr_60_strictly_more_roads_take_it_at_once() {
    assert_eq!(route_after_road([3, 3, 1], Some(S1)), Some(S2));
    assert_eq!(route_after_road([2, 4, 4], Some(S3)), Some(S2));
    assert_eq!(route_after_road([1, 3, 1], Some(S2)), Some(S2), "the holder goes on");
    let mut scene = before_road([3, 3, 1], Some(S1), |_| {});
    scene.play(build(Card::Road), &[KNIGHT]);
    assert_eq!(scene.points(), [1, 3, 1], "the points go with the card");
}

#[test]
fn otr_60_knights_and_metropolises_do_not_move_longest_route() {
    let mut scene = before_road([3, 3, 3], Some(S3), |_| {}).hand(S2, FOR_KNIGHT);
    scene.play(build(Card::Knight), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S3));
    assert_eq!(scene.state.table.army, None, "roads are no knights");
}

#[test]
fn otr_60_the_rule_set_can_change_the_minimum() {
    let five = |rules: &mut Rules| rules.route.minimum = 5;
    for (roads, holder) in [(3, None), (4, Some(S2))] {
        let mut scene = before_road([1, roads, 1], None, five);
        scene.play(build(Card::Road), &[KNIGHT]);
        assert_eq!(scene.state.table.route, holder);
    }
    let mut scene = before_road([1, 1, 1], None, |rules| rules.route.minimum = 2);
    scene.play(build(Card::Road), &[KNIGHT]);
    assert_eq!(scene.state.table.route, Some(S2));
}

#[test]
fn otr_60_where_the_starting_road_is_enough_the_start_player_begins_with_the_card() {
    use crate::core::chance::ScriptedChance;
    for (minimum, holder) in [(1, Some(S1)), (2, None)] {
        let game = game_with(3, |rules| rules.route.minimum = minimum);
        let mut luck = vec![ROAD, SETTLEMENT, CITY, KNIGHT, ROAD];
        luck.extend([BRICK; 9]);
        let mut chance = ScriptedChance::new(luck);
        let state = game.deal(&mut chance);
        assert!(chance.is_exhausted());
        assert_eq!((state.table.route, state.table.army), (holder, None));
        game.check(&state);
    }
}

#[test]
fn otr_61_the_first_player_with_two_knights_takes_largest_army() {
    assert_eq!(army_after_knight([0, 0, 0], None), None, "one knight is too few");
    assert_eq!(army_after_knight([1, 1, 1], None), Some(S2));
}

#[test]
fn otr_61_level_is_not_enough_to_take_it() {
    assert_eq!(army_after_knight([2, 1, 0], Some(S1)), Some(S1));
    assert_eq!(army_after_knight([3, 2, 2], Some(S1)), Some(S1));
}

#[test]
fn otr_61_strictly_more_knights_take_it_at_once() {
    assert_eq!(army_after_knight([2, 2, 0], Some(S1)), Some(S2));
    assert_eq!(army_after_knight([0, 2, 2], Some(S3)), Some(S2));
    assert_eq!(army_after_knight([1, 2, 1], Some(S2)), Some(S2));
    let mut scene = before_knight([2, 2, 0], Some(S1), |_| {});
    scene.play(build(Card::Knight), &[ROAD]);
    assert_eq!(scene.points(), [1, 3, 1]);
}

#[test]
fn otr_61_the_rule_set_can_change_the_minimum() {
    for (minimum, holder) in [(1, Some(S2)), (2, None)] {
        let mut scene = before_knight([0, 0, 0], None, |rules| rules.army.minimum = minimum);
        scene.play(build(Card::Knight), &[ROAD]);
        assert_eq!(scene.state.table.army, holder);
    }
    for (knights, holder) in [(2, None), (3, Some(S2))] {
        let mut scene = before_knight([0, knights, 0], None, |rules| rules.army.minimum = 4);
        scene.play(build(Card::Knight), &[ROAD]);
        assert_eq!(scene.state.table.army, holder);
    }
}

#[test]
fn otr_61_a_bonus_card_can_win_the_match() {
    let area = Area { settlements: 3, cities: 1, knights: 1, ..START };
    let mut scene = Scene::new(3).area(S1, area).hand(S1, FOR_KNIGHT);
    scene.play(build(Card::Knight), &[]);
    assert_eq!(scene.points(), [7, 1, 1]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
}
