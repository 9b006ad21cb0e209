//! Trade with the stack, the market and other players: SFC-30 to SFC-34.

use super::support::*;
use crate::core::game::ActionFilter;
use crate::core::resources::Resource::{Brick, Grain, Lumber, Ore, Wool};
use crate::core::types::seat::Seat;
use crate::games::struggle::action::Action::{self, Draw};
use crate::games::struggle::action::Partner;
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::{Chosen, Rules};
use crate::games::struggle::state::{Area, Phase};

/// Seat 1 with a row of roads and some brick; seats 2 and 3 hold two cards each.
fn scene(roads: u8) -> Scene {
    scene_with(roads, |_| {})
}

fn scene_with(roads: u8, change: impl FnOnce(&mut Rules)) -> Scene {
    let change = |rules: &mut Rules| {
        rules.road.in_play = [20; 5];
        change(rules);
    };
    Scene::with(4, change)
        .area(S1, Area { roads, ..START })
        .hand(S1, [5, 0, 0, 0, 0])
        .hand(S2, [0, 0, 0, 0, 2])
        .hand(S3, [0, 0, 0, 1, 1])
}

/// The largest lot with a partner that the rules allow.
#[track_caller]
fn largest(scene: &Scene, with: Partner) -> u8 {
    let allowed = |cards: &u8| scene.allows(Action::Trade { with, cards: *cards, choose: false });
    let sizes: Vec<u8> = (1..=12).filter(allowed).collect();
    let most = sizes.last().copied().unwrap_or(0);
    assert_eq!(sizes, (1..=most).collect::<Vec<_>>(), "all smaller lots, too");
    assert_eq!(scene.lots_with(with), usize::from(most), "they are listed");
    most
}

#[test]
fn sfc_30_as_many_cards_as_roads_with_a_sides_up() {
    for (roads, cards) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)] {
        let scene = scene(roads);
        assert_eq!(largest(&scene, Partner::Stack), cards, "{roads} roads");
        assert_eq!(largest(&scene, Partner::Market), cards, "{roads} roads");
        assert_eq!(largest(&scene, Partner::Seat(S2)), cards.min(2), "{roads} roads");
    }
}

#[test]
fn sfc_30_without_a_road_one_card_with_the_stack() {
    let mut scene = scene(0);
    assert_eq!(largest(&scene, Partner::Stack), 1);
    assert_eq!(largest(&scene, Partner::Market), 0);
    assert_eq!(largest(&scene, Partner::Seat(S2)), 0);
    scene.play(stack(1), &[]);
    scene.play(give_back(Brick), &[ORE]);
    assert!(!scene.allows(stack(1)), "one in all");
}

#[test]
fn sfc_30_cards_are_divided_freely_and_in_any_order() {
    let mut scene = scene(5);
    scene.play(trade(S3, 1), &[GRAIN]);
    scene.play_all(&[give_back(Brick), market(1), take(Lumber), give_back(Brick)]);
    assert_eq!(largest(&scene, Partner::Stack), 1, "two of three are traded");
    scene.play(stack(1), &[]);
    scene.play(give_back(Brick), &[WOOL]);
    for with in [Partner::Stack, Partner::Market, Partner::Seat(S2)] {
        assert_eq!(largest(&scene, with), 0);
    }
    assert_eq!(scene.held(S1), [2, 1, 1, 1, 0]);
}

#[test]
fn sfc_30_single_cards_may_come_from_different_players_or_twice_from_one() {
    let mut scene = scene(5);
    for (seat, luck) in [(S2, ORE), (S3, GRAIN), (S2, ORE)] {
        scene.play(trade(seat, 1), &[luck]);
        scene.play(give_back(Brick), &[]);
    }
    assert_eq!(scene.held(S1), [2, 0, 0, 1, 2]);
    assert_eq!((scene.held(S2), scene.held(S3)), ([2, 0, 0, 0, 0], [1, 0, 0, 0, 1]));
}

#[test]
fn sfc_30_a_lot_counts_each_of_its_cards() {
    let mut scene = scene(5);
    scene.play(stack(2), &[]);
    scene.play(give_back(Brick), &[]);
    scene.play(give_back(Brick), &[ORE, WOOL]);
    assert_eq!(largest(&scene, Partner::Stack), 1);
}

#[test]
fn sfc_30_the_shortest_list_has_single_cards_for_stack_and_market() {
    let plain = scene(5).listed(ActionFilter::Plain);
    for (action, listed) in [(stack(1), true), (stack(2), false), (market(1), true)] {
        assert_eq!(plain.contains(&action), listed, "{action}");
    }
    assert!(!plain.contains(&market(2)) && plain.contains(&trade(S2, 2)));
    assert!(scene(5).lists(stack(3)) && scene(5).lists(market(3)));
}

#[test]
fn sfc_31_the_stack_gives_as_many_cards_as_the_discards_get() {
    let mut scene = scene(5);
    scene.play(stack(3), &[]);
    assert_eq!(scene.phase(), Phase::Return(3));
    scene.play(give_back(Brick), &[]);
    assert_eq!(scene.held(S1), [4, 0, 0, 0, 0], "nothing is drawn before all are returned");
    scene.play(give_back(Brick), &[]);
    scene.play(give_back(Brick), &[ORE, BRICK, WOOL]);
    assert_eq!(scene.held(S1), [3, 0, 1, 0, 1]);
    assert_eq!(scene.discarded(), [3, 0, 0, 0, 0]);
    assert_eq!(scene.phase(), Phase::Act);
}

#[test]
fn sfc_31_a_lot_with_the_stack_is_no_larger_than_the_own_hand() {
    let scene = Scene::new(4).area(S1, Area { roads: 5, ..START }).hand(S1, [1, 1, 0, 0, 0]);
    assert_eq!(largest(&scene, Partner::Stack), 2);
    assert_eq!(largest(&Scene::new(3), Partner::Stack), 0, "an empty hand");
}

#[test]
fn sfc_32_the_market_gives_cards_and_gets_as_many() {
    let mut scene = scene(5).market([0, 0, 2, 1, 2]);
    scene.play(market(3), &[]);
    assert!(!scene.allows(take(Brick)), "no brick lies there");
    assert!(!scene.allows(give_back(Brick)), "first all are taken");
    scene.play_all(&[take(Wool), take(Wool)]);
    assert!(!scene.allows(take(Wool)), "both are taken");
    scene.play_all(&[take(Ore), give_back(Brick), give_back(Brick)]);
    assert_eq!(scene.phase(), Phase::Return(1));
    scene.play(give_back(Brick), &[]);
    assert_eq!(scene.held(S1), [2, 0, 2, 0, 1]);
    assert_eq!(scene.in_market(), [3, 0, 0, 1, 1], "five again");
    assert_eq!(scene.discarded(), [0; 5]);
}

#[test]
fn sfc_32_a_card_that_was_taken_may_go_back() {
    let mut scene = Scene::new(3);
    scene.play_all(&[market(1), take(Ore), give_back(Ore)]);
    assert_eq!((scene.held(S1), scene.in_market()), ([0; 5], [1; 5]), "with an empty hand, even");
}

#[test]
fn sfc_32_the_rule_set_can_ask_for_other_cards_back() {
    let mut scene = scene_with(3, |rules| rules.market.same = false).hand(S1, [0, 0, 0, 0, 1]);
    scene.play_all(&[market(2), take(Ore), take(Wool)]);
    assert!(!scene.allows(give_back(Wool)));
    assert!(scene.allows(give_back(Ore)), "an ore was there before");
    scene.play(give_back(Ore), &[]);
    assert!(!scene.allows(give_back(Ore)), "the other was taken");
    scene.play(give_back(Brick), &[]);
    assert_eq!(scene.held(S1), [4, 0, 1, 0, 1]);
    let poor = |cards| {
        let other = |rules: &mut Rules| rules.market.same = false;
        Scene::with(4, other).area(S1, Area { roads: 5, ..START }).hand(S1, [cards, 0, 0, 0, 0])
    };
    assert_eq!(largest(&poor(0), Partner::Market), 0, "nothing to return");
    assert_eq!(largest(&poor(2), Partner::Market), 2);
    // Only the market's own cards stay: what another player gives may go back to it.
    let mut other = poor(2).hand(S2, [0, 0, 0, 0, 1]);
    other.play(trade(S2, 1), &[ORE]);
    other.play(give_back(Ore), &[]);
}

#[test]
fn sfc_33_a_card_is_taken_blind_and_one_is_returned() {
    let mut scene = scene(1);
    scene.play(trade(S3, 1), &[ORE]);
    assert_eq!(scene.phase(), Phase::Return(1));
    assert_eq!((scene.held(S1), scene.held(S3)), ([5, 0, 0, 0, 1], [0, 0, 0, 1, 0]));
    scene.play(give_back(Brick), &[]);
    assert_eq!((scene.held(S1), scene.held(S3)), ([4, 0, 0, 0, 1], [1, 0, 0, 1, 0]));
    assert_eq!(scene.phase(), Phase::Act);
}

#[test]
fn sfc_33_the_same_card_may_be_returned() {
    let mut scene = scene(1);
    scene.play(trade(S3, 1), &[ORE]);
    scene.play(give_back(Ore), &[]);
    assert_eq!((scene.held(S1), scene.held(S3)), ([5, 0, 0, 0, 0], [0, 0, 0, 1, 1]));
}

#[test]
fn sfc_33_all_cards_of_a_lot_are_taken_before_any_is_returned() {
    let mut scene = scene(3);
    scene.play(trade(S3, 2), &[GRAIN, ORE]);
    assert_eq!((scene.held(S3), scene.phase()), ([0; 5], Phase::Return(2)));
    scene.play_all(&[give_back(Grain), give_back(Brick)]);
    assert_eq!((scene.held(S1), scene.held(S3)), ([4, 0, 0, 0, 1], [1, 0, 0, 1, 0]));
}

#[test]
fn sfc_33_no_lot_is_larger_than_the_hand() {
    let scene = scene(7);
    assert_eq!(largest(&scene, Partner::Stack), 4, "four A sides");
    assert_eq!(largest(&scene, Partner::Seat(S2)), 2, "seat 2 holds two cards");
    assert_eq!(largest(&scene, Partner::Seat(S4)), 0, "an empty hand");
    assert_eq!(largest(&scene, Partner::Seat(S1)), 0, "its own");
    assert_eq!(largest(&scene, Partner::Seat(Seat::new(4))), 0, "nobody sits there");
}

#[test]
fn sfc_33_an_empty_hand_can_trade_with_a_full_one() {
    let mut scene = Scene::new(3).hand(S2, [0, 0, 1, 0, 0]);
    scene.play(trade(S2, 1), &[WOOL]);
    scene.play(give_back(Wool), &[]);
    assert_eq!(scene.held(S2), [0, 0, 1, 0, 0]);
}

#[test]
fn sfc_33_the_rule_set_can_limit_a_lot() {
    for (most, with_seat) in [(1, 1), (2, 2), (3, 2)] {
        let scene = scene_with(7, |rules| rules.trade.lot_max = most);
        assert_eq!(largest(&scene, Partner::Stack), most);
        assert_eq!(largest(&scene, Partner::Market), most);
        assert_eq!(largest(&scene, Partner::Seat(S3)), with_seat);
    }
}

/// Seat 1 has a library and trades two cards a turn; seat 2 holds one card of each kind.
fn library(chosen: Chosen) -> Scene {
    Scene::with(3, |rules| rules.library.chosen = chosen)
        .area(S1, Area { roads: 3, expansions: bits(&[Expansion::Library]), ..START })
        .hand(S1, [2, 0, 0, 0, 0])
        .hand(S2, [1, 1, 1, 1, 1])
        .hand(S3, [0, 0, 0, 0, 1])
}

#[test]
fn sfc_34_a_library_chooses_a_card() {
    let mut scene = library(Chosen::First);
    scene.play(choose(S2, 1), &[]);
    assert_eq!(scene.phase(), Phase::Choose);
    let kinds = [Brick, Lumber, Wool, Grain, Ore].map(take);
    assert_eq!(scene.listed(ActionFilter::Full), kinds, "each kind of the hand");
    scene.play_all(&[take(Ore), give_back(Brick)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([1, 0, 0, 0, 1], [2, 1, 1, 1, 0]));
}

#[test]
fn sfc_34_only_a_library_chooses_and_only_from_a_hand() {
    assert!(!scene(3).allows(choose(S2, 1)), "no library");
    let scene = library(Chosen::First);
    for with in [Partner::Stack, Partner::Market] {
        assert!(!scene.allows(Action::Trade { with, cards: 1, choose: true }), "{with}");
    }
    let mut scene = scene;
    scene.play(choose(S3, 1), &[]);
    assert_eq!(scene.listed(ActionFilter::Full), [take(Ore)], "what the hand has");
}

#[test]
fn sfc_34_once_a_turn() {
    let mut scene = library(Chosen::First);
    scene.play_all(&[choose(S2, 1), take(Ore), give_back(Brick)]);
    assert!(!scene.allows(choose(S2, 1)) && !scene.allows(choose(S3, 1)));
    assert!(scene.allows(trade(S2, 1)), "the next is blind again");
    for _ in 0..3 {
        scene.end_turn(&[BRICK, BRICK]);
    }
    assert!(scene.allows(choose(S2, 1)), "again in the next turn");
}

#[test]
fn sfc_34_the_chosen_card_is_one_of_those_traded() {
    let mut scene = library(Chosen::First);
    assert!(scene.allows(choose(S2, 2)) && !scene.allows(choose(S2, 3)));
    scene.play_all(&[choose(S2, 1), take(Ore), give_back(Brick)]);
    assert_eq!(largest(&scene, Partner::Seat(S2)), 1, "one of two is traded");
}

#[test]
fn sfc_34_the_chosen_card_of_a_lot_comes_before_the_blind_ones() {
    let mut scene = library(Chosen::First);
    scene.play(choose(S2, 2), &[]);
    assert_eq!(scene.held(S2), [1, 1, 1, 1, 1], "the whole hand is open");
    scene.play(take(Ore), &[LUMBER]);
    assert_eq!(scene.phase(), Phase::Return(2));
    scene.play_all(&[give_back(Brick), give_back(Brick)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([0, 1, 0, 0, 1], [3, 0, 1, 1, 0]));
}

#[test]
fn sfc_34_the_rule_set_can_have_it_come_after_them() {
    let mut scene = library(Chosen::Last);
    scene.play(choose(S2, 2), &[LUMBER]);
    assert_eq!(scene.phase(), Phase::Choose);
    assert!(!scene.allows(take(Lumber)), "it has gone already");
    scene.play(take(Ore), &[]);
    assert_eq!(scene.phase(), Phase::Return(2));
    scene.play_all(&[give_back(Brick), give_back(Brick)]);
    assert_eq!(scene.held(S1), [0, 1, 0, 0, 1]);
}

#[test]
fn sfc_34_without_a_road_a_library_chooses_nothing() {
    let mut scene = library(Chosen::First);
    scene.state.table.roads += 3;
    scene.state.table.areas[0].roads = 0;
    assert!(!scene.allows(choose(S2, 1)));
}

#[test]
fn sfc_30_nothing_else_is_done_in_the_midst_of_a_trade() {
    let mut scene = scene(3).hand(S1, [1, 1, 0, 0, 0]);
    scene.play(market(1), &[]);
    let others = [stack(1), market(1), trade(S2, 1), build(Card::Road), rob(S2), Draw];
    for action in others {
        assert!(!scene.allows(action), "{action} while taking");
    }
    scene.play(take(Ore), &[]);
    for action in others {
        assert!(!scene.allows(action), "{action} while returning");
    }
    assert!(scene.game.permits(&scene.state, take(Ore)).is_err(), "one card was agreed");
}
