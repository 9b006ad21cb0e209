//! The parts of a turn, the draw step and the draw stack: SFC-20, SFC-21, SFC-80.

use super::support::*;
use crate::core::resources::Resource::{Brick, Ore, Wool};
use crate::games::struggle::action::Action::{Draw, EndTurn};
use crate::games::struggle::action::Partner;
use crate::games::struggle::cards::Card;
use crate::games::struggle::rules::{Extra, Reshuffle, Rules};
use crate::games::struggle::state::{Area, Phase};

/// A seat with some knights.
fn knights(knights: u8) -> Area {
    Area { knights, ..START }
}

#[test]
fn sfc_20_trade_comes_before_building() {
    let area = Area { roads: 3, ..START };
    let scene = Scene::new(3).area(S1, area);
    let mut scene = scene.hand(S1, [2, 2, 1, 0, 0]).hand(S2, [0, 0, 0, 0, 2]);
    assert!(scene.allows(stack(1)) && scene.allows(market(1)) && scene.allows(trade(S2, 1)));
    scene.play(stack(1), &[]);
    scene.play(give_back(Wool), &[ORE]);
    assert!(scene.allows(stack(1)), "one of two cards is traded");
    scene.play(build(Card::Road), &[]);
    for action in [stack(1), market(1), trade(S2, 1)] {
        assert!(!scene.allows(action), "{action}");
    }
}

#[test]
fn sfc_20_a_road_built_gives_no_trade_in_the_same_turn() {
    let area = Area { roads: 2, ..START };
    let mut scene = Scene::new(3).hand(S1, [2, 2, 2, 0, 0]).area(S1, area);
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.in_front_of(S1).roads, 3, "two A sides now");
    assert_eq!(scene.lots_with(Partner::Stack), 0);
}

#[test]
fn sfc_20_trading_and_building_are_optional_and_drawing_comes_last() {
    let mut scene = Scene::new(3).hand(S1, [2, 2, 1, 1, 1]);
    scene.play(Draw, &[WOOL, WOOL]);
    for action in [stack(1), market(1), build(Card::Road), Draw] {
        assert!(!scene.allows(action), "{action} after drawing");
    }
    assert!(scene.allows(EndTurn));
    assert!(!Scene::new(3).allows(EndTurn), "not before drawing");
}

#[test]
fn sfc_20_play_goes_clockwise_wherever_the_destiny_card_points() {
    for scene in [Scene::new(3), Scene::new(3).counterclockwise()] {
        let mut scene = scene;
        for (turn, seat) in (2..).zip([S2, S3, S1, S2]) {
            scene.end_turn(&[BRICK, LUMBER]);
            assert_eq!((scene.state.table.current, scene.state.table.turn), (seat, turn));
            assert_eq!(scene.phase(), Phase::Act);
        }
    }
}

#[test]
fn sfc_20_each_turn_starts_afresh() {
    let mut scene = Scene::new(2).hand(S1, [3, 3, 1, 0, 0]);
    scene.play(stack(1), &[]);
    scene.play(give_back(Wool), &[ORE]);
    scene.play(build(Card::Road), &[]);
    scene.end_turn(&[BRICK, BRICK]);
    scene.end_turn(&[BRICK, BRICK]);
    assert!(scene.allows(stack(1)) && scene.allows(build(Card::Road)));
}

#[test]
fn sfc_21_a_draw_that_finds_no_stack_makes_one_of_the_discards() {
    let mut scene = Scene::new(2).discards([3, 0, 0, 0, 0]).pile([0, 0, 0, 0, 1], S2);
    scene.play(Draw, &[ORE, BRICK]);
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 1]);
    assert_eq!((scene.discarded(), scene.state.pile.counts()), ([0; 5], [2, 0, 0, 0, 0]));
}

#[test]
fn sfc_21_the_discards_stay_until_a_draw_asks_for_them() {
    let drawn = |reshuffle| {
        let mut scene = Scene::with(2, |rules| rules.reshuffle = reshuffle)
            .discards([3, 0, 0, 0, 0])
            .pile([0, 0, 0, 0, 2], S2);
        scene.play(Draw, &[ORE, ORE]);
        (scene.state.pile.counts(), scene.discarded())
    };
    assert_eq!(drawn(Reshuffle::OnDraw), ([0; 5], [3, 0, 0, 0, 0]));
    assert_eq!(drawn(Reshuffle::OnEmpty), ([3, 0, 0, 0, 0], [0; 5]));
}

#[test]
fn sfc_21_with_stack_and_discards_empty_a_draw_gives_nothing() {
    let mut scene = Scene::new(2).pile([0, 0, 1, 0, 0], S2);
    scene.play(Draw, &[WOOL]);
    assert_eq!(scene.held(S1), [0, 0, 1, 0, 0]);
    scene.play(EndTurn, &[]);
    scene.play(Draw, &[]);
    assert!(scene.allows(EndTurn));
}

#[test]
fn sfc_21_cards_returned_in_a_trade_can_be_drawn_again() {
    let mut scene = Scene::new(2).hand(S1, [1, 0, 0, 0, 0]).pile([0; 5], S2);
    scene.play(stack(1), &[]);
    scene.play(give_back(Brick), &[BRICK]);
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 0]);
}

#[test]
fn sfc_80_two_cards_are_drawn() {
    let mut scene = Scene::new(2).hand(S1, [0, 0, 0, 0, 1]);
    scene.play(Draw, &[BRICK, WOOL]);
    assert_eq!(scene.held(S1), [1, 0, 1, 0, 1]);
    assert_eq!(scene.phase(), Phase::Extra(0));
    assert!(!scene.allows(extra(1)), "no knight brings a third");
}

#[test]
fn sfc_80_each_knight_with_its_a_side_up_brings_a_card() {
    for (row, a_sides) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)] {
        let mut scene = Scene::new(3).area(S1, knights(row));
        scene.play(Draw, &[BRICK, BRICK]);
        for _ in 0..a_sides {
            scene.play(extra(1), &[WOOL]);
        }
        assert!(!scene.allows(extra(1)), "{row} knights");
        scene.play(EndTurn, &[]);
        assert_eq!(scene.held(S1), [2, 0, a_sides, 0, 0]);
    }
}

#[test]
fn sfc_80_each_further_card_may_be_declined_after_the_last_is_seen() {
    let mut scene = Scene::new(3).area(S1, knights(3));
    scene.play(Draw, &[BRICK, BRICK]);
    assert!(scene.allows(EndTurn) && scene.allows(extra(1)));
    assert!(!scene.allows(extra(0)) && !scene.allows(extra(2)), "one by one");
    scene.play(extra(1), &[ORE]);
    assert!(scene.allows(EndTurn) && scene.allows(extra(1)));
    scene.play(EndTurn, &[]);
    assert_eq!(scene.held(S1), [2, 0, 0, 0, 1]);
}

#[test]
fn sfc_80_the_rule_set_can_ask_for_the_number_beforehand() {
    let at_once = |rules: &mut Rules| rules.draw.extra = Extra::AtOnce;
    let drawn = |cards: u8| {
        let mut scene = Scene::with(3, at_once).area(S1, knights(3));
        scene.play(Draw, &[BRICK, BRICK]);
        assert!(scene.allows(extra(1)) && scene.allows(extra(2)) && !scene.allows(extra(3)));
        scene.play(extra(cards), &vec![ORE; cards.into()]);
        assert!(!scene.allows(extra(1)), "decided once");
        scene.held(S1)
    };
    assert_eq!((drawn(1), drawn(2)), ([2, 0, 0, 0, 1], [2, 0, 0, 0, 2]));
}

#[test]
fn sfc_80_no_further_card_is_offered_when_there_are_none() {
    let mut scene = Scene::new(3).area(S1, knights(3)).pile([0, 0, 0, 0, 3], S2);
    scene.play(Draw, &[ORE, ORE]);
    scene.play(extra(1), &[ORE]);
    assert!(!scene.allows(extra(1)), "stack and discards are empty");
    scene.play(EndTurn, &[]);
    assert_eq!(scene.held(S1)[Ore.idx()], 3);
}

#[test]
fn sfc_80_a_reshuffle_gives_a_further_card() {
    let mut scene =
        Scene::new(3).area(S1, knights(1)).discards([1, 0, 0, 0, 0]).pile([0, 0, 0, 0, 2], S2);
    scene.play(Draw, &[ORE, ORE]);
    scene.play(extra(1), &[BRICK]);
    assert_eq!(scene.held(S1), [1, 0, 0, 0, 2]);
}
