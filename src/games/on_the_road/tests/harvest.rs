//! The harvest phase and draws: OTR-20 to OTR-22.

use super::support::*;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::{Card, count, size};
use crate::games::on_the_road::rules::{Reshuffle, Rules};
use crate::games::on_the_road::state::Area;

#[test]
fn otr_20_every_player_draws_one_the_current_player_first() {
    let mut scene = Scene::new(3).turn_of(S1);
    scene.play(Action::EndTurn, &[BRICK, LUMBER, WOOL]);
    assert_eq!(scene.held(S2), [1, 0, 0, 0, 0], "whose turn begins draws first");
    assert_eq!(scene.held(S3), [0, 1, 0, 0, 0]);
    assert_eq!(scene.held(S1), [0, 0, 1, 0, 0]);
    assert_eq!(size(scene.state.pile), 58);
}

#[test]
fn otr_20_four_players_draw_four_cards_clockwise() {
    let mut scene = Scene::new(4).turn_of(S2);
    scene.play(Action::EndTurn, &[BRICK, LUMBER, WOOL, GRAIN]);
    assert_eq!(scene.held(S3), [1, 0, 0, 0, 0]);
    assert_eq!(scene.held(S4), [0, 1, 0, 0, 0]);
    assert_eq!(scene.held(S1), [0, 0, 1, 0, 0]);
    assert_eq!(scene.held(S2), [0, 0, 0, 1, 0]);
}

#[test]
fn otr_21_the_current_player_draws_for_each_uncovered_city() {
    let mut scene = Scene::new(3)
        .area(S2, Area { settlements: 2, cities: 2, ..START })
        .area(S3, Area { settlements: 0, cities: 1, ..START });
    scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK, ORE, ORE]);
    assert_eq!(scene.held(S2), [1, 0, 0, 0, 2], "after everyone's first card");
    assert_eq!(scene.held(S3), [1, 0, 0, 0, 0], "cities of the others bring nothing now");
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 0]);
}

#[test]
fn otr_21_an_a_metropolis_brings_two_and_the_city_below_it_nothing() {
    let area = Area { cities: 1, metropolises: ROADS_BIT, ..START };
    let mut scene = Scene::new(3).area(S2, area);
    scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK, ORE, ORE, ORE]);
    assert_eq!(scene.held(S2), [1, 0, 0, 0, 3], "one for the city and two for the metropolis");
}

#[test]
fn otr_21_a_b_metropolis_brings_one() {
    let area = Area { cities: 1, metropolises: KNIGHTS_BIT | ROUTE_BIT, ..START };
    let mut scene = Scene::with(3, |rules| {
        rules.side = crate::games::on_the_road::rules::Side::B;
        rules.points_to_win = 40.into();
    })
    .area(S2, area);
    scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK, ORE, ORE, ORE]);
    assert_eq!(scene.held(S2), [1, 0, 0, 0, 3], "one for the city and one for each metropolis");
}

#[test]
fn otr_21_with_mixed_sides_each_metropolis_brings_what_its_side_says() {
    let area = Area { metropolises: KNIGHTS_BIT | ROUTE_BIT, ..START };
    let mut scene = Scene::with(3, |rules| rules.points_to_win = 40.into()).area(S2, area);
    scene.state.table.b_sides = ROUTE_BIT | ROADS_BIT;
    scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK, ORE, ORE, ORE]);
    assert_eq!(scene.held(S2), [1, 0, 0, 0, 3], "two for the A side and one for the B side");
}

#[test]
fn otr_22_a_draw_that_finds_the_pile_empty_shuffles_the_discards() {
    let mut scene = Scene::new(3).discards([0, 0, 3, 0, 2]).pile([1, 0, 0, 0, 0], S1);
    scene.play(Action::EndTurn, &[BRICK, ORE, WOOL]);
    assert_eq!(scene.held(S2), [1, 0, 0, 0, 0], "the last card of the old pile");
    assert_eq!(scene.held(S3), [0, 0, 0, 0, 1], "the first of the new one");
    assert_eq!(count(scene.state.pile).counts(), [0, 0, 2, 0, 1]);
    assert_eq!(scene.discarded(), [0; 5]);
}

#[test]
fn otr_22_the_pile_stays_empty_until_a_draw_needs_it() {
    let mut scene = Scene::new(3).discards([0, 0, 3, 0, 2]).pile([3, 0, 0, 0, 0], S1);
    scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK]);
    assert_eq!(scene.state.pile, 0);
    assert_eq!(scene.discarded(), [0, 0, 3, 0, 2]);
}

#[test]
fn otr_22_the_rule_set_can_shuffle_as_soon_as_the_pile_is_empty() {
    let change = |rules: &mut Rules| rules.reshuffle = Reshuffle::OnEmpty;
    let mut scene = Scene::with(3, change).discards([0, 0, 3, 0, 2]).pile([3, 0, 0, 0, 0], S1);
    scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK]);
    assert_eq!(count(scene.state.pile).counts(), [0, 0, 3, 0, 2]);
    assert_eq!(scene.discarded(), [0; 5]);
}

#[test]
fn otr_22_shuffling_late_brings_later_discards_into_the_new_pile() {
    for (reshuffle, in_new_pile) in
        [(Reshuffle::OnDraw, [1, 1, 2, 0, 0]), (Reshuffle::OnEmpty, [0, 0, 2, 0, 0])]
    {
        let mut scene = Scene::with(3, |rules| rules.reshuffle = reshuffle)
            .discards([0, 0, 5, 0, 0])
            .pile([3, 0, 0, 0, 0], S3);
        scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK]);
        scene.play(Action::EndTurn, &[WOOL, WOOL, WOOL]);
        assert_eq!(count(scene.state.pile).counts(), [0, 0, 2, 0, 0]);
        let mut scene = Scene::with(3, |rules| rules.reshuffle = reshuffle)
            .discards([0, 0, 5, 0, 0])
            .pile([3, 0, 0, 0, 0], S2);
        scene.play(Action::EndTurn, &[BRICK, BRICK, BRICK]);
        scene.play(build(Card::Road), &[ROAD]);
        scene.play(Action::EndTurn, &[WOOL, WOOL, WOOL]);
        assert_eq!(count(scene.state.pile).counts(), in_new_pile, "{reshuffle:?}");
    }
}

#[test]
fn otr_22_when_both_are_empty_a_draw_gives_nothing_and_the_game_goes_on() {
    let mut scene = Scene::new(3).pile([0; 5], S3);
    scene.play(Action::EndTurn, &[]);
    assert_eq!(scene.hand_sizes(), [0, 0, 61, 0]);
    assert_eq!(scene.state.table.current, S2);
    assert!(scene.lists(Action::EndTurn));
}

#[test]
fn otr_22_the_last_card_goes_to_who_draws_first() {
    let mut scene = Scene::new(3).pile([0, 1, 0, 0, 0], S3);
    scene.play(Action::EndTurn, &[LUMBER]);
    assert_eq!(scene.hand_sizes(), [0, 1, 60, 0]);
}
