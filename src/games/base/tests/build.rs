//! Building and buying: BASE-40 to BASE-44.

use super::support::*;
use crate::parts::bundles::Price;
use crate::parts::island::action::Action::{self, Buy};
use crate::parts::island::cards::Card;

#[test]
fn base_40_a_road_touches_the_own_net_on_a_free_path() {
    let scene = Scene::new(3).settlement(S1, 20).hand(S1, FOR_ROAD);
    assert_eq!(scene.count(|action| matches!(action, Action::Road { .. })), 3);
    let mut scene = scene.roads(S1, &[20, 21]).roads(S2, &[21, 22]);
    assert!(scene.allows(road(11, 21)) && scene.allows(road(19, 20)));
    assert!(!scene.allows(road(21, 22)), "a road is there");
    assert!(!scene.allows(road(20, 21)) && !scene.allows(road(22, 33)), "another's road");
    assert!(!scene.allows(road(0, 1)));
    scene.play(road(19, 20), &[]);
    assert!(!scene.allows(road(18, 19)), "the hand is empty");
}

#[test]
fn base_40_what_costs_nothing_needs_no_cards() {
    let scene = Scene::with(3, |rules| rules.cost.road = Price::default()).settlement(S1, 20);
    assert!(scene.allows(road(20, 21)) && scene.allows(road(19, 20)));
}

#[test]
fn base_40_a_road_does_not_pass_anothers_building() {
    let scene = Scene::new(3).roads(S1, &[20, 21]).hand(S1, FOR_ROAD);
    assert!(scene.allows(road(21, 22)));
    let scene = scene.settlement(S2, 21);
    assert!(!scene.allows(road(21, 22)) && !scene.allows(road(11, 21)));
    assert!(scene.allows(road(20, 31)), "the other end is free");
    let scene = scene.roads(S1, &[33, 22]);
    assert!(scene.allows(road(21, 22)), "from the far side");
    let mine = Scene::new(3).roads(S1, &[20, 21]).settlement(S1, 21).hand(S1, FOR_ROAD);
    assert!(mine.allows(road(21, 22)), "the own one is no bar");
}

#[test]
fn base_41_a_settlement_is_reached_by_an_own_road_and_keeps_its_distance() {
    let mut scene = Scene::new(3)
        .settlement(S1, 20)
        .roads(S1, &[20, 21, 22])
        .settlement(S2, 24)
        .roads(S2, &[24, 23])
        .hand(S1, FOR_SETTLEMENT);
    assert!(!scene.allows(settlement(21)), "next to an own one");
    assert!(!scene.allows(settlement(34)), "no own road");
    assert!(scene.allows(settlement(22)), "two edges from either");
    scene.play(settlement(22), &[]);
    assert_eq!(scene.held(S1), [0; 5]);
    assert_eq!(scene.points(S1), 2);
    let near = Scene::new(3).roads(S1, &[20, 21]).settlement(S2, 22).hand(S1, FOR_SETTLEMENT);
    assert!(!near.allows(settlement(21)), "next to another's");
    assert!(!near.clone().settlement(S2, 20).allows(settlement(20)), "on another's");
}

#[test]
fn base_42_a_city_replaces_an_own_settlement() {
    let mut scene =
        Scene::new(3).settlement(S1, 20).settlement(S2, 0).city(S1, 6).hand(S1, FOR_CITY);
    assert!(!scene.allows(city(0)) && !scene.allows(city(6)) && !scene.allows(city(40)));
    scene.play(city(20), &[]);
    assert_eq!((scene.points(S1), scene.held(S1)), (4, [0; 5]));
    let net = &scene.state.table.pieces.nets[0];
    assert_eq!((net.settlements.len(), net.cities.len()), (0, 2));
}

#[test]
fn base_43_a_development_card_is_the_top_card() {
    let mut scene = Scene::new(3).hand(S1, FOR_CARD);
    scene.play(Buy, &[card(Card::Monopoly)]);
    assert_eq!(scene.state.cards[0], [0, 0, 0, 1, 0]);
    assert_eq!(scene.state.deck, [14, 2, 2, 1, 5]);
    assert!(!scene.allows(Buy), "the hand is empty");
}

#[test]
fn base_43_an_empty_deck_sells_nothing() {
    let mut scene = Scene::new(3).hand(S1, [0, 0, 2, 2, 2]);
    for other in [Card::RoadBuilding, Card::YearOfPlenty, Card::Monopoly] {
        scene = scene.cards(S2, other, 2);
    }
    let mut scene = scene.cards(S2, Card::VictoryPoint, 5).cards(S2, Card::Knight, 13);
    scene.play(Buy, &[card(Card::Knight)]);
    assert!(!scene.allows(Buy));
}

#[test]
fn base_44_what_is_paid_goes_back_to_the_bank() {
    let mut scene =
        Scene::new(3).settlement(S1, 20).roads(S1, &[20, 21, 22]).hand(S1, [2, 2, 2, 4, 4]);
    for (action, left) in [
        (road(22, 33), [1, 1, 2, 4, 4]),
        (settlement(22), [0, 0, 1, 3, 4]),
        (city(22), [0, 0, 1, 1, 1]),
    ] {
        scene.play(action, &[]);
        assert_eq!(scene.held(S1), left);
        assert_eq!(scene.in_bank(), left.map(|count| 19 - count));
    }
    scene.play(Buy, &[card(Card::Knight)]);
    assert_eq!(scene.in_bank(), [19; 5]);
}

#[test]
fn base_44_prices_are_those_of_the_rule_set() {
    let mut scene = Scene::with(3, |rules| rules.cost.road.ore = 2)
        .settlement(S1, 20)
        .hand(S1, [1, 1, 0, 0, 2]);
    scene.play(road(20, 21), &[]);
    assert_eq!(scene.held(S1), [0; 5]);
}
