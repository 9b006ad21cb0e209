//! What city sides bring: SFC-45, SFC-51, SFC-52.

use super::support::*;
use crate::core::chance::Scripted;
use crate::core::game::End;
use crate::core::resources::Resource::{Brick, Grain, Lumber, Ore, Wool};
use crate::games::struggle::action::Action::{self, Draw};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::{Reshuffle, Rules};
use crate::games::struggle::state::{Area, Phase};
use crate::parts::bundles::Price;

const FIVE_ORE: [Scripted; 6] = [MARKET_DAY, ORE, ORE, ORE, ORE, ORE];

/// Seat 1 builds a city, which turns up brigands.
fn attacked(scene: Scene) -> Scene {
    let mut scene = scene.hand(S1, FOR_CITY);
    scene.play(build(Card::City), &[BRIGANDS]);
    scene
}

#[test]
fn sfc_51_every_player_with_more_than_7_cards_discards_down_to_7() {
    let scene = Scene::new(4).hand(S1, [8, 1, 0, 0, 0]).hand(S2, [0, 7, 0, 0, 0]);
    let mut scene = attacked(scene.hand(S3, [0, 0, 8, 0, 0]).hand(S4, [0, 0, 0, 5, 5]));
    assert_eq!(scene.phase(), Phase::Discard { seat: S1, owed: 2 }, "who is on turn comes first");
    scene.play_all(&[discard(Brick), discard(Lumber)]);
    assert_eq!(scene.phase(), Phase::Discard { seat: S3, owed: 1 }, "seat 2 has just 7");
    scene.play(discard(Wool), &[]);
    assert_eq!(scene.phase(), Phase::Discard { seat: S4, owed: 3 });
    scene.play_all(&[discard(Ore), discard(Ore), discard(Grain)]);
    assert_eq!(scene.phase(), Phase::Act);
    let hands = [S1, S2, S3, S4].map(|seat| scene.held(seat));
    assert_eq!(hands, [[7, 0, 0, 0, 0], [0, 7, 0, 0, 0], [0, 0, 7, 0, 0], [0, 0, 0, 4, 3]]);
    assert_eq!(scene.discarded(), [1, 1, 1, 2 + 1, 3 + 2], "with the price");
}

#[test]
fn sfc_51_each_chooses_what_it_discards() {
    let mut scene = attacked(Scene::new(3).hand(S2, [7, 0, 1, 0, 1]));
    for card in [Brick, Wool, Ore] {
        assert!(scene.allows(discard(card)), "{card}");
    }
    assert!(!scene.allows(discard(Grain)), "seat 2 has none");
    for action in [Draw, stack(1), build(Card::Road)] {
        assert!(!scene.allows(action), "{action}");
    }
    scene.play_all(&[discard(Ore), discard(Brick)]);
    assert_eq!(scene.held(S2), [6, 0, 1, 0, 0]);
}

#[test]
fn sfc_51_then_the_destiny_card_flips() {
    let mut scene = attacked(Scene::new(3).hand(S2, [8, 0, 0, 0, 0]));
    assert!(scene.state.table.clockwise, "not before all have discarded");
    scene.play(discard(Brick), &[]);
    assert!(!scene.state.table.clockwise);
    let back = attacked(Scene::new(3).counterclockwise());
    assert!(back.state.table.clockwise, "though nobody discards");
    let mut day = Scene::new(3).hand(S1, FOR_CITY);
    day.play(build(Card::City), &FIVE_ORE);
    assert!(day.state.table.clockwise, "a market day flips nothing");
}

#[test]
fn sfc_51_the_rule_set_can_change_the_limit_and_leave_out_the_flip() {
    let limited = |limit: u8| {
        let change = move |rules: &mut Rules| rules.brigands.hand_limit = limit;
        attacked(Scene::with(3, change).hand(S2, [5, 0, 0, 0, 0])).phase()
    };
    assert_eq!(limited(0), Phase::Discard { seat: S2, owed: 5 });
    assert_eq!(limited(4), Phase::Discard { seat: S2, owed: 1 });
    assert_eq!(limited(5), Phase::Act);
    let held = Scene::with(3, |rules| rules.destiny.brigands_flip = false);
    assert!(attacked(held).state.table.clockwise);
}

#[test]
fn sfc_51_with_a_limit_of_0_all_hands_are_lost() {
    let scene = Scene::with(2, |rules| rules.brigands.hand_limit = 0);
    let mut scene = attacked(scene.hand(S1, [1, 0, 0, 0, 0]).hand(S2, [0, 1, 0, 0, 1]));
    scene.play_all(&[discard(Brick), discard(Lumber), discard(Ore)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([0; 5], [0; 5]));
    assert_eq!(scene.phase(), Phase::Act);
}

#[test]
fn sfc_52_five_new_cards_replace_those_of_the_market() {
    let mut scene = Scene::new(3).hand(S1, FOR_CITY).market([5, 0, 0, 0, 0]);
    scene.play(build(Card::City), &[MARKET_DAY, WOOL, WOOL, GRAIN, LUMBER, BRICK]);
    assert_eq!(scene.in_market(), [1, 1, 2, 1, 0]);
    assert_eq!(scene.discarded(), [5, 0, 0, 2, 3]);
    assert_eq!(scene.phase(), Phase::Act);
}

#[test]
fn sfc_52_the_old_cards_are_discarded_before_the_new_ones_come() {
    let scene = Scene::new(3).hand(S1, FOR_CITY).market([5, 0, 0, 0, 0]);
    let mut scene = scene.pile([0, 0, 1, 0, 0], S3);
    scene.play(build(Card::City), &[MARKET_DAY, WOOL, BRICK, BRICK, GRAIN, ORE]);
    assert_eq!(scene.in_market(), [2, 0, 1, 1, 1], "reshuffled: 5 brick, 2 grain, 3 ore");
    assert_eq!(scene.discarded(), [0; 5]);
}

/// With every other card in a hand, a market day still finds five: those that it has just discarded.
#[test]
fn sfc_52_five_cards_are_always_to_be_had() {
    for reshuffle in [Reshuffle::OnDraw, Reshuffle::OnEmpty] {
        let change = |rules: &mut Rules| {
            rules.reshuffle = reshuffle;
            rules.city.cost = Price::default();
        };
        let scene = Scene::with(3, change).market([0, 0, 2, 2, 1]).hand(S1, [3, 1, 0, 0, 0]);
        let mut scene = scene.pile([0; 5], S3);
        assert_eq!(scene.discarded(), [0; 5]);
        scene.play(build_for(Card::City, [0; 5]), &[MARKET_DAY, WOOL, GRAIN, WOOL, ORE, GRAIN]);
        assert_eq!(scene.in_market(), [0, 0, 2, 2, 1]);
        assert_eq!((scene.discarded(), scene.state.pile.counts()), ([0; 5], [0; 5]));
    }
}

/// Seat 1 is two points short of a win and builds a city and then a settlement, or a city alone.
fn before_the_win(change: impl FnOnce(&mut Rules)) -> Scene {
    let area = Area {
        settlements: 2,
        expansions: bits(&[Expansion::TownHall, Expansion::Castle]),
        ..START
    };
    Scene::with(3, change).area(S1, area).hand(S1, FOR_CITY).hand(S2, [8, 0, 0, 0, 0])
}

#[test]
fn sfc_45_the_event_comes_before_anything_else_the_win_included() {
    let mut scene = before_the_win(|_| {});
    assert_eq!(scene.points()[0], 9);
    scene.play(build(Card::City), &[BRIGANDS]);
    assert_eq!(scene.points()[0], 10);
    assert_eq!(scene.phase(), Phase::Discard { seat: S2, owed: 1 }, "all players resolve it");
    scene.play(discard(Brick), &[]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
    assert!(!scene.state.table.clockwise);
    let mut scene = before_the_win(|_| {});
    scene.play(build(Card::City), &FIVE_ORE);
    assert_eq!(scene.in_market(), [0, 0, 0, 0, 5]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
}

#[test]
fn sfc_45_the_rule_set_can_have_the_win_come_first() {
    let first = |rules: &mut Rules| rules.build.win_before_event = true;
    let mut scene = before_the_win(first);
    scene.play(build(Card::City), &[BRIGANDS]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
    assert_eq!(scene.held(S2), [8, 0, 0, 0, 0]);
    // Without a win the event comes as ever.
    let mut scene = Scene::with(3, first).hand(S1, FOR_CITY).hand(S2, [8, 0, 0, 0, 0]);
    scene.play(build(Card::City), &[BRIGANDS]);
    assert_eq!(scene.phase(), Phase::Discard { seat: S2, owed: 1 });
}

#[test]
fn sfc_45_the_builder_goes_on_after_the_event() {
    let mut scene = Scene::new(3).hand(S1, [1, 1, 3, 2, 4]);
    scene.play(build(Card::City), &FIVE_ORE);
    scene.play_all(&[build(Card::Castle), build(Card::Road)]);
    let others = [Action::Keep, Action::Flip];
    assert!(others.iter().all(|&action| !scene.allows(action)), "a city flips nothing by choice");
}
