//! B sides of the metropolises: OTR-50 to OTR-55.

use super::support::*;
use crate::core::resources::Resource::{Brick, Ore};
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::rules::{Rules, Side};
use crate::games::on_the_road::state::Area;

const PRICE: [u8; 5] = [0, 0, 3, 0, 1];
const FOR_ROAD: [u8; 5] = [1, 1, 0, 0, 0];
const FOR_KNIGHT: [u8; 5] = [0, 0, 1, 0, 1];

/// Side B with a target that nobody reaches.
fn long_game(change: impl FnOnce(&mut Rules)) -> Scene {
    Scene::with(3, |rules| {
        rules.side = Side::B;
        rules.points_to_win = 40.into();
        change(rules);
    })
}

/// Seat 1 owns the metropolis `route` and seats 1, 2 and 3 have these roads.
fn routes(owner_roads: u8, roads_2: u8, roads_3: u8) -> Scene {
    long_game(|_| {})
        .area(S1, Area { roads: owner_roads, metropolises: ROUTE_BIT, ..START })
        .area(S2, Area { roads: roads_2, ..START })
        .area(S3, Area { roads: roads_3, ..START })
}

/// Seat 1 owns the metropolis `army` and seats 1, 2 and 3 have these knights.
fn armies(owner_knights: u8, knights_2: u8, knights_3: u8) -> Scene {
    long_game(|_| {})
        .area(S1, Area { knights: owner_knights, metropolises: ARMY_BIT, ..START })
        .area(S2, Area { knights: knights_2, ..START })
        .area(S3, Area { knights: knights_3, ..START })
}

#[test]
fn otr_50_building_roads_draws_one_for_each_road() {
    let mut scene = long_game(|_| {})
        .area(S1, Area { roads: 4, cities: 1, knights: 1, ..START })
        .area(S2, Area { roads: 2, ..START })
        .route(S1)
        .hand(S1, PRICE);
    scene.play(build(Card::MetropolisRoads), &[GRAIN, GRAIN, ORE, ORE]);
    assert_eq!(scene.held(S1), [0, 0, 0, 2, 2]);
    assert_eq!(scene.hand_sizes(), [4, 0, 0, 0]);
    scene.play(Action::EndTurn, &[BRICK; 3]);
}

#[test]
fn otr_50_on_the_a_side_nothing_is_drawn() {
    for card in [Card::MetropolisRoads, Card::MetropolisKnights] {
        let area = Area { roads: 2, cities: 1, knights: 1, ..START };
        let mut scene = Scene::new(3).area(S1, area).hand(S1, PRICE);
        scene.play(build(card), &[]);
        assert_eq!(scene.held(S1), [0; 5]);
    }
}

#[test]
fn otr_50_each_card_has_its_own_side() {
    let area = Area { roads: 2, cities: 2, knights: 1, ..START };
    let mut scene = long_game(|_| {}).area(S1, area).hand(S1, [0, 0, 6, 0, 2]);
    scene.state.table.b_sides = KNIGHTS_BIT;
    scene.play(build(Card::MetropolisRoads), &[]);
    scene.play(build(Card::MetropolisKnights), &[BRICK]);
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 0]);
}

#[test]
fn otr_51_building_knights_draws_one_for_each_knight() {
    let mut scene = long_game(|_| {})
        .area(S1, Area { roads: 2, cities: 1, knights: 3, ..START })
        .area(S2, Area { knights: 2, ..START })
        .army(S1)
        .hand(S1, PRICE);
    scene.play(build(Card::MetropolisKnights), &[GRAIN, GRAIN, ORE]);
    assert_eq!(scene.held(S1), [0, 0, 0, 2, 1]);
}

#[test]
fn otr_51_without_knights_nothing_is_drawn() {
    let area = Area { roads: 2, cities: 1, ..START };
    let mut scene = long_game(|_| {}).area(S1, area).hand(S1, PRICE);
    scene.play(build(Card::MetropolisKnights), &[]);
    assert_eq!(scene.held(S1), [0; 5]);
}

#[test]
fn otr_52_the_owner_of_army_has_largest_army_on_a_tie() {
    let mut scene = armies(1, 2, 0).army(S2).hand(S1, FOR_KNIGHT);
    scene.play(build(Card::Knight), &[ROAD]);
    assert_eq!(scene.state.table.army, Some(S1));
    assert_eq!(scene.state.table.route, None);
    assert_eq!(scene.points(), [1 + 3 + 2, 1, 1]);
}

#[test]
fn otr_52_nobody_else_wins_a_tie() {
    let mut scene = armies(0, 2, 1).army(S2).turn_of(S3).hand(S3, FOR_KNIGHT);
    scene.play(build(Card::Knight), &[ROAD]);
    assert_eq!(scene.state.table.army, Some(S2), "the owner of the effect has no part in it");
    let mut scene = armies(2, 1, 0).army(S1).turn_of(S2).hand(S2, FOR_KNIGHT);
    scene.play(build(Card::Knight), &[ROAD]);
    assert_eq!(scene.state.table.army, Some(S1), "a rival who draws level takes nothing");
}

#[test]
fn otr_52_the_a_side_and_the_other_cards_win_no_tie() {
    for owned in [ROADS_BIT, KNIGHTS_BIT, ROUTE_BIT, ARMY_BIT] {
        let mut scene = long_game(|_| {})
            .area(S1, Area { knights: 1, metropolises: owned, ..START })
            .area(S2, Area { knights: 2, ..START })
            .army(S2)
            .hand(S1, FOR_KNIGHT);
        scene.state.table.b_sides = 0b1111 & !ARMY_BIT;
        scene.play(build(Card::Knight), &[ROAD]);
        assert_eq!(scene.state.table.army, Some(S2), "{owned:#b}");
    }
}

#[test]
fn otr_53_the_owner_of_route_has_longest_route_on_a_tie() {
    let mut scene = routes(2, 3, 1).route(S2).hand(S1, FOR_ROAD);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S1));
    assert_eq!(scene.state.table.army, None);
    assert_eq!(scene.points(), [1 + 3 + 2, 1, 1]);
}

#[test]
fn otr_53_nobody_else_wins_a_tie() {
    let mut scene = routes(1, 3, 2).route(S2).turn_of(S3).hand(S3, FOR_ROAD);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S2));
    let mut scene = routes(3, 2, 1).route(S1).turn_of(S2).hand(S2, FOR_ROAD);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S1));
}

#[test]
fn otr_53_the_a_side_and_the_other_cards_win_no_tie() {
    for owned in [ROADS_BIT, KNIGHTS_BIT, ROUTE_BIT, ARMY_BIT] {
        let mut scene = long_game(|_| {})
            .area(S1, Area { roads: 2, metropolises: owned, ..START })
            .area(S2, Area { roads: 3, ..START })
            .route(S2)
            .hand(S1, FOR_ROAD);
        scene.state.table.b_sides = 0b1111 & !ROUTE_BIT;
        scene.play(build(Card::Road), &[ROAD]);
        assert_eq!(scene.state.table.route, Some(S2), "{owned:#b}");
    }
}

#[test]
fn otr_54_the_starting_road_counts() {
    let city = Area { cities: 1, ..START };
    let mut scene = long_game(|_| {}).area(S1, city).hand(S1, PRICE);
    scene.play(build(Card::MetropolisRoads), &[BRICK]);
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 0], "for `roads`");
    let scene = Scene::new(3).hand(S1, [4, 0, 1, 0, 0]);
    assert!(scene.lists(build_with(Card::Knight, Brick, Ore)), "for the substitution");
    let mut scene = Scene::new(3).hand(S1, [2, 2, 0, 0, 0]);
    scene.play(build(Card::Road), &[ROAD]);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S1), "for Longest Route");
}

#[test]
fn otr_54_the_rule_set_can_leave_the_starting_road_out_of_roads() {
    for (roads, drawn) in [(1, 0), (2, 1)] {
        let mut scene = long_game(|rules| rules.metropolis.starting_road_counts = false)
            .area(S1, Area { roads, cities: 1, ..START })
            .hand(S1, PRICE);
        scene.play(build(Card::MetropolisRoads), &[BRICK, BRICK][..drawn]);
        assert!(scene.lists(Action::EndTurn));
    }
}

#[test]
fn otr_55_a_tie_effect_acts_when_its_metropolis_is_built() {
    let area = Area { roads: 3, knights: 2, cities: 2, ..START };
    let rival = Area { roads: 3, knights: 2, ..START };
    let mut scene = long_game(|_| {}).area(S1, area).area(S2, rival).route(S2).army(S2);
    scene = scene.hand(S1, [0, 0, 6, 0, 2]);
    scene.play(build(Card::MetropolisRoute), &[]);
    assert_eq!((scene.state.table.route, scene.state.table.army), (Some(S1), Some(S2)));
    scene.play(build(Card::MetropolisArmy), &[]);
    assert_eq!((scene.state.table.route, scene.state.table.army), (Some(S1), Some(S1)));
}

#[test]
fn otr_55_the_rule_set_can_put_the_effect_off_to_the_next_build() {
    let area = Area { roads: 3, knights: 2, cities: 2, ..START };
    let rival = Area { roads: 3, knights: 2, ..START };
    let mut scene = long_game(|rules| rules.metropolis.tie_at_once = false)
        .area(S1, area)
        .area(S2, rival)
        .route(S2)
        .army(S2)
        .hand(S1, [0, 0, 6, 0, 2])
        .hand(S2, [1, 1, 1, 0, 1]);
    scene.play(build(Card::MetropolisRoute), &[]);
    scene.play(build(Card::MetropolisArmy), &[]);
    assert_eq!((scene.state.table.route, scene.state.table.army), (Some(S2), Some(S2)));
    scene = scene.turn_of(S3).hand(S3, [1, 1, 1, 0, 1]);
    scene.play(build(Card::Road), &[ROAD]);
    scene.play(build(Card::Knight), &[KNIGHT]);
    assert_eq!((scene.state.table.route, scene.state.table.army), (Some(S1), Some(S1)));
}

#[test]
fn otr_55_a_tie_below_the_minimum_wins_nothing() {
    let city = Area { cities: 1, ..START };
    let two_roads = Area { roads: 2, ..city };
    let mut scene = long_game(|_| {}).area(S1, two_roads).area(S2, Area { roads: 2, ..START });
    scene = scene.hand(S1, PRICE);
    scene.play(build(Card::MetropolisRoute), &[]);
    assert_eq!(scene.state.table.route, None);
    let one_knight = Area { knights: 1, ..city };
    let mut scene = long_game(|_| {}).area(S1, one_knight).area(S2, Area { knights: 1, ..START });
    scene = scene.hand(S1, PRICE);
    scene.play(build(Card::MetropolisArmy), &[]);
    assert_eq!(scene.state.table.army, None);
}

#[test]
fn otr_55_the_rule_set_can_do_without_the_minimum() {
    let city = Area { cities: 1, ..START };
    let free = |rules: &mut Rules| rules.metropolis.tie_minimum = false;
    let mut scene = long_game(free).area(S1, city).hand(S1, PRICE);
    scene.play(build(Card::MetropolisRoute), &[]);
    assert_eq!(scene.state.table.route, Some(S1), "all have one road");
    let one_knight = Area { knights: 1, ..city };
    let mut scene = long_game(free).area(S1, one_knight).area(S2, Area { knights: 1, ..START });
    scene = scene.hand(S1, PRICE);
    scene.play(build(Card::MetropolisArmy), &[]);
    assert_eq!(scene.state.table.army, Some(S1));
    let mut scene = long_game(free).area(S1, city).hand(S1, PRICE);
    scene.play(build(Card::MetropolisArmy), &[]);
    assert_eq!(scene.state.table.army, None, "no knights are no army");
}

#[test]
fn otr_55_below_the_minimum_too_a_strictly_larger_rival_takes_the_card() {
    let city = Area { cities: 1, ..START };
    let mut scene = long_game(|rules| rules.metropolis.tie_minimum = false)
        .area(S1, city)
        .hand(S1, [1, 1, 3, 0, 1])
        .hand(S2, FOR_ROAD);
    scene.play(build(Card::MetropolisRoute), &[]);
    scene.play(Action::EndTurn, &[ORE; 3]);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S2), "two roads against one");
    scene = scene.turn_of(S1);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S1), "two against two");
}

#[test]
fn otr_55_a_strictly_larger_rival_takes_the_card_and_the_owner_draws_level_again() {
    let mut scene = routes(3, 3, 3).route(S1).hand(S2, FOR_ROAD).hand(S1, FOR_ROAD);
    scene = scene.turn_of(S2);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S2), "four against three");
    scene = scene.turn_of(S1);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.state.table.route, Some(S1), "four against four");
    let mut scene = armies(2, 2, 2).army(S1).hand(S2, FOR_KNIGHT).hand(S1, FOR_KNIGHT);
    scene = scene.turn_of(S2);
    scene.play(build(Card::Knight), &[ROAD]);
    assert_eq!(scene.state.table.army, Some(S2), "three against two");
    scene = scene.turn_of(S1).row([4, 0, 0, 1]);
    scene.play(build(Card::Knight), &[SETTLEMENT]);
    assert_eq!(scene.state.table.army, Some(S1), "three against three");
}

#[test]
fn otr_55_the_owner_who_has_less_than_the_most_takes_nothing() {
    let area = Area { roads: 3, knights: 2, cities: 2, ..START };
    let rival = Area { roads: 4, knights: 3, ..START };
    let mut scene = long_game(|_| {}).area(S1, area).area(S2, rival).route(S2).army(S2);
    scene = scene.hand(S1, [0, 0, 6, 0, 2]);
    scene.play(build(Card::MetropolisRoute), &[]);
    scene.play(build(Card::MetropolisArmy), &[]);
    assert_eq!((scene.state.table.route, scene.state.table.army), (Some(S2), Some(S2)));
}
