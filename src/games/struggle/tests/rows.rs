//! Roads and knights that change hands: SFC-60 to SFC-62.

use super::support::*;
use crate::core::types::seat::Seat;
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::Rules;
use crate::games::struggle::state::Area;

/// Four players who have all nine roads and all five knights: seat 1 has one of each, and can pay for more.
fn taken_all(rows: [(u8, u8); 4], change: impl FnOnce(&mut Rules)) -> Scene {
    let mut scene = Scene::with(4, change).hand(S1, [3, 3, 3, 3, 3]);
    let seats = [S1, S2, S3, S4];
    scene =
        seats.into_iter().fold(scene, |scene, seat| scene.area(seat, Area { roads: 0, ..START }));
    for (seat, (roads, knights)) in seats.into_iter().zip(rows) {
        scene = scene.area(seat, Area { roads, knights, ..START });
    }
    assert_eq!((scene.state.table.roads, scene.state.table.knights), (0, 0), "all are built");
    scene
}

/// The usual rows.
fn rows() -> Scene {
    taken_all([(1, 1), (3, 1), (2, 2), (3, 1)], |_| {})
}

fn roads(scene: &Scene) -> [u8; 4] {
    [S1, S2, S3, S4].map(|seat| scene.in_front_of(seat).roads)
}

fn knights(scene: &Scene) -> [u8; 4] {
    [S1, S2, S3, S4].map(|seat| scene.in_front_of(seat).knights)
}

/// Gives a seat an expansion on a city, beside its rows.
fn with(mut scene: Scene, seat: Seat, expansion: Expansion) -> Scene {
    let area = scene.in_front_of(seat);
    scene = scene.area(seat, Area { expansions: area.expansions | expansion.bit(), ..area });
    scene
}

#[test]
fn sfc_60_a_road_comes_from_the_stack_as_long_as_there_are_any() {
    let area = Area { roads: 3, ..START };
    let mut scene = Scene::new(3).area(S2, area).area(S3, area).hand(S1, FOR_ROAD);
    assert_eq!(scene.state.table.roads, 7 - 7);
    scene = scene.area(S3, Area { roads: 2, ..START });
    scene.play(build(Card::Road), &[]);
    assert_eq!(roads(&scene)[..3], [2, 3, 2], "the last of the stack");
    assert_eq!(scene.state.table.roads, 0);
}

#[test]
fn sfc_60_with_none_left_the_next_player_loses_one() {
    let mut scene = rows();
    scene.play(build(Card::Road), &[]);
    assert_eq!(roads(&scene), [2, 2, 2, 3], "seat 2 is next, clockwise");
    assert_eq!(scene.held(S1), [2, 2, 3, 3, 3], "and it is paid for");
    scene.play(build(Card::Knight), &[]);
    assert_eq!(knights(&scene), [2, 0, 2, 1]);
}

#[test]
fn sfc_60_the_destiny_card_says_who_is_next() {
    let mut scene = rows().counterclockwise();
    scene.play(build(Card::Road), &[]);
    assert_eq!(roads(&scene), [2, 3, 2, 2], "seat 4");
    scene.play(build(Card::Knight), &[]);
    assert_eq!(knights(&scene), [2, 1, 2, 0]);
    let mut other = rows().turn_of(S3).hand(S3, FOR_ROAD);
    other.play(build(Card::Road), &[]);
    assert_eq!(roads(&other), [1, 3, 3, 2], "after seat 3 comes seat 4");
    let mut back = rows().turn_of(S3).hand(S3, FOR_ROAD).counterclockwise();
    back.play(build(Card::Road), &[]);
    assert_eq!(roads(&back), [1, 2, 3, 3], "before seat 3 comes seat 2");
}

#[test]
fn sfc_60_who_has_none_is_passed_over() {
    let mut scene = taken_all([(1, 0), (0, 0), (5, 3), (3, 2)], |_| {});
    scene.play(build(Card::Road), &[]);
    assert_eq!(roads(&scene), [2, 0, 4, 3]);
    scene.play(build(Card::Knight), &[]);
    assert_eq!(knights(&scene), [1, 0, 2, 2]);
    let mut back = taken_all([(1, 0), (5, 3), (3, 2), (0, 0)], |_| {}).counterclockwise();
    back.play(build(Card::Road), &[]);
    assert_eq!(roads(&back), [2, 5, 2, 0]);
}

#[test]
fn sfc_60_with_two_players_it_comes_from_the_other() {
    for scene in [Scene::new(2), Scene::new(2).counterclockwise()] {
        let mut scene = scene.area(S2, Area { roads: 4, knights: 2, ..START }).hand(S1, [1; 5]);
        scene.play(build(Card::Road), &[]);
        assert_eq!(roads(&scene)[..2], [2, 3]);
        scene.play(build(Card::Knight), &[]);
        assert_eq!(knights(&scene)[..2], [1, 1]);
    }
}

#[test]
fn sfc_60_with_nobody_to_take_from_nothing_is_built() {
    let mut scene =
        taken_all([(9, 5), (0, 0), (0, 0), (0, 0)], |rules| rules.points_to_win = 20.into());
    assert!(!scene.allows(build(Card::Road)) && !scene.allows(build(Card::Knight)));
    scene = scene.area(S1, Area { roads: 8, knights: 4, ..START });
    assert!(scene.allows(build(Card::Road)) && scene.allows(build(Card::Knight)), "of the stack");
}

#[test]
fn sfc_60_the_rule_set_can_let_a_player_pay_in_vain() {
    let vain = |rules: &mut Rules| {
        rules.build.in_vain = true;
        rules.points_to_win = 20.into();
    };
    let mut scene = taken_all([(9, 5), (0, 0), (0, 0), (0, 0)], vain);
    scene.play_all(&[build(Card::Road), build(Card::Knight)]);
    assert_eq!((roads(&scene), knights(&scene)), ([9, 0, 0, 0], [5, 0, 0, 0]));
    assert_eq!(scene.held(S1), [2, 2, 2, 2, 2]);
    assert!(!scene.allows(build(Card::Road)), "the one of this turn");
}

#[test]
fn sfc_42_a_card_taken_from_another_is_the_one_of_its_type() {
    let mut scene = rows();
    scene.play(build(Card::Road), &[]);
    assert!(!scene.allows(build(Card::Road)) && scene.allows(build(Card::Knight)));
}

#[test]
fn sfc_61_the_taken_card_lies_with_the_side_that_is_due() {
    // Seat 2 loses its third road, an A side. With seat 1 it is the second, a B side, worth a point.
    let mut scene = rows();
    assert_eq!(scene.points(), [1, 2, 3, 2]);
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.points(), [2, 2, 3, 2]);
    // Seat 4 loses its fourth road, a B side. With seat 1 it is the third, an A side.
    let mut scene = taken_all([(2, 2), (2, 1), (1, 1), (4, 1)], |_| {}).counterclockwise();
    assert_eq!(scene.points(), [3, 2, 1, 3]);
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.points(), [3, 2, 1, 2]);
}

#[test]
fn sfc_61_the_other_row_stays_as_it_is() {
    let mut scene = rows();
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.in_front_of(S2), Area { roads: 2, knights: 1, ..START }, "the topmost only");
    assert_eq!(scene.held(S2), [0; 5], "and nothing is given for it");
}

#[test]
fn sfc_62_a_castle_protects_three_roads() {
    for (own, second, after) in [(2, 3, [3, 3, 1, 2]), (1, 4, [2, 3, 2, 2])] {
        let third = 9 - own - second - 2;
        let scene = taken_all([(own, 1), (second, 1), (third, 2), (2, 1)], |_| {});
        let mut scene = with(scene, S2, Expansion::Castle);
        scene.play(build(Card::Road), &[]);
        assert_eq!(roads(&scene), after, "seat 2 had {second}");
    }
}

#[test]
fn sfc_62_a_church_protects_a_knight() {
    let mut scene = with(rows(), S2, Expansion::Church);
    scene.play(build(Card::Knight), &[]);
    assert_eq!(knights(&scene), [2, 1, 1, 1], "seat 2 keeps its first");
    let scene = taken_all([(1, 1), (3, 2), (2, 1), (3, 1)], |_| {});
    let mut scene = with(scene, S2, Expansion::Church);
    scene.play(build(Card::Knight), &[]);
    assert_eq!(knights(&scene), [2, 1, 1, 1], "and loses its second");
}

#[test]
fn sfc_62_each_protects_its_own_kind_and_its_owner_alone() {
    let mut scene = with(with(rows(), S2, Expansion::Church), S3, Expansion::Castle);
    scene.play(build(Card::Road), &[]);
    assert_eq!(roads(&scene), [2, 2, 2, 3], "a church protects no road");
    let mut scene = with(with(rows(), S2, Expansion::Castle), S3, Expansion::Church);
    scene.play(build(Card::Knight), &[]);
    assert_eq!(knights(&scene), [2, 0, 2, 1], "a castle protects no knight");
}

#[test]
fn sfc_62_protected_cards_can_make_a_build_impossible() {
    let scene =
        taken_all([(6, 4), (3, 1), (0, 0), (0, 0)], |rules| rules.points_to_win = 20.into());
    let scene = with(with(scene, S2, Expansion::Castle), S2, Expansion::Church);
    assert!(!scene.allows(build(Card::Road)) && !scene.allows(build(Card::Knight)));
}

#[test]
fn sfc_62_the_rule_set_can_change_what_is_protected() {
    let protects = |roads, knights| {
        let scene = taken_all([(1, 1), (3, 1), (2, 2), (3, 1)], |rules| {
            (rules.protection.roads, rules.protection.knights) = (roads, knights);
        });
        with(with(scene, S2, Expansion::Castle), S2, Expansion::Church)
    };
    for (safe, after) in [(0, [2, 2, 2, 3]), (2, [2, 2, 2, 3]), (3, [2, 3, 1, 3])] {
        let mut scene = protects(safe, 0);
        scene.play(build(Card::Road), &[]);
        assert_eq!(roads(&scene), after, "{safe} roads are safe");
    }
    for (safe, after) in [(0, [2, 0, 2, 1]), (1, [2, 1, 1, 1])] {
        let mut scene = protects(0, safe);
        scene.play(build(Card::Knight), &[]);
        assert_eq!(knights(&scene), after, "{safe} knights are safe");
    }
}
