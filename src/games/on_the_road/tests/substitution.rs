//! Substitution, and what a building is good for at once: OTR-42 and OTR-47.

use super::support::*;
use crate::core::game::ActionFilter;
use crate::core::resources::Resource;
use crate::core::resources::Resource::{Brick, Grain, Lumber, Ore, Wool};
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::state::Area;

#[test]
fn otr_42_roads_set_the_rate() {
    for (roads, rate) in [(1, 4), (2, 3), (3, 2), (4, 1)] {
        let with = |bricks: u8| {
            let area = Area { roads, ..START };
            let scene = Scene::new(3).row([0, 2, 2, 1]).area(S1, area);
            let scene = scene.hand(S1, [bricks, 0, 1, 0, 0]);
            if roads < 3 { scene } else { scene.route(S1) }
        };
        let knight = build_with(Card::Knight, Brick, Ore);
        assert!(!with(rate - 1).allows(knight), "{roads} roads");
        let mut scene = with(rate);
        assert_eq!(scene.listed_builds(ActionFilter::Full), [knight], "{roads} roads");
        scene.play(knight, &[ROAD]);
        assert_eq!(scene.discarded(), [rate, 0, 1, 0, 0], "{roads} roads");
    }
}

/// Every way to pay for a card, in the order of the list.
fn payments(card: Card) -> impl Iterator<Item = Action> {
    let pairs =
        Resource::ALL.into_iter().flat_map(|replaced| Resource::ALL.map(|by| (by, replaced)));
    pairs.map(move |(by, replaced)| build_with(card, by, replaced))
}

#[test]
fn otr_42_every_payment_that_is_allowed_is_listed() {
    use Card::{City, Knight, MetropolisRoads, Road, Settlement};
    let order = [MetropolisRoads, City, Settlement, Knight, Road];
    for key in 0..1024_u16 {
        let hand = std::array::from_fn(|kind| (key >> (2 * kind) & 3) as u8);
        let roads = 2 + (key % 3) as u8;
        let area = Area { roads, cities: 1, ..START };
        let scene = Scene::new(3).row([2, 1, 1, 1]).area(S1, area).hand(S1, hand);
        let scene = if roads < 3 { scene } else { scene.route(S1) };
        let exact = order.map(build).into_iter();
        let due: Vec<Action> = exact
            .chain(order.into_iter().flat_map(payments))
            .filter(|&action| scene.game.permits(&scene.state, action).is_ok())
            .collect();
        assert_eq!(scene.listed_builds(ActionFilter::Full), due, "{hand:?}, {roads} roads");
        let payable = |filter| scene.game.payable(&scene.state, filter, u8::MAX);
        let cards = |built: &[Action]| {
            built.iter().fold(0, |cards, action| match *action {
                Action::Build { card, .. } => cards | 1 << card.idx(),
                _ => cards,
            })
        };
        assert_eq!(payable(ActionFilter::Full), cards(&due), "{hand:?}, {roads} roads");
        let plain = scene.listed_builds(ActionFilter::Plain);
        assert_eq!(payable(ActionFilter::Plain), cards(&plain), "{hand:?}, {roads} roads");
    }
}

#[test]
fn otr_42_fifth_road_gives_no_more() {
    for roads in [5, 9] {
        let area = Area { roads, ..START };
        let mut scene = Scene::new(3).area(S1, area).route(S1).hand(S1, [1, 0, 2, 0, 0]);
        let knight = build_with(Card::Knight, Brick, Ore);
        assert!(scene.lists(knight));
        scene.play(knight, &[KNIGHT]);
        assert_eq!(scene.discarded(), [1, 0, 1, 0, 0]);
    }
}

#[test]
fn otr_42_roads_of_the_others_do_not_help() {
    let rival = Area { roads: 4, ..START };
    let scene = Scene::new(3).area(S2, rival).route(S2).hand(S1, [3, 0, 1, 0, 0]);
    assert!(!scene.allows(build_with(Card::Knight, Brick, Ore)));
}

#[test]
fn otr_42_substitution_comes_once_in_a_turn() {
    let area = Area { roads: 4, ..START };
    let mut scene = Scene::new(3).area(S1, area).route(S1).row([2, 1, 0, 2]);
    scene = scene.hand(S1, [2, 0, 2, 0, 2]).hand(S2, [4, 0, 1, 0, 0]);
    let knight = build_with(Card::Knight, Brick, Ore);
    scene.play(build(Card::Knight), &[KNIGHT]);
    assert!(scene.lists(knight), "a plain build uses up nothing");
    scene.play(knight, &[KNIGHT]);
    scene = scene.hand(S1, [0, 0, 2, 0, 0]);
    assert!(!scene.allows(knight));
    assert_eq!(scene.listed_builds(ActionFilter::Full), [build(Card::Knight)]);
    scene.play(Action::EndTurn, &[WOOL, WOOL, WOOL]);
    assert!(scene.lists(knight), "the next player has one of its own");
}

#[test]
fn otr_42_a_plain_build_does_not_bring_the_substitution_back() {
    let mut scene = Scene::new(3).hand(S1, [9, 1, 2, 0, 0]);
    scene.play(build_with(Card::Knight, Brick, Ore), &[KNIGHT]);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.held(S1), [4, 0, 1, 0, 0], "enough for another knight at three for one");
    assert!(!scene.allows(build_with(Card::Knight, Brick, Ore)));
    assert!(scene.listed_builds(ActionFilter::Full).is_empty());
}

#[test]
fn otr_42_the_cards_that_stand_in_and_the_rest_must_both_be_held() {
    let area = Area { roads: 3, ..START };
    let hand = |counts| Scene::new(3).area(S1, area).route(S1).hand(S1, counts);
    let settlement = build_with(Card::Settlement, Wool, Grain);
    assert!(hand([1, 1, 3, 0, 0]).lists(settlement), "two wool for the grain and one of its own");
    assert!(!hand([1, 1, 2, 0, 0]).allows(settlement));
    assert!(!hand([1, 0, 4, 0, 0]).allows(settlement), "one kind only is replaced");
    let mut scene = hand([1, 1, 3, 0, 0]);
    scene.play(settlement, &[ROBBER, ROAD]);
    assert_eq!(scene.discarded(), [1, 1, 3, 0, 0]);
}

#[test]
fn otr_42_one_card_of_the_price_is_replaced_by_another_kind() {
    let area = Area { roads: 4, ..START };
    let scene = Scene::new(3).area(S1, area).route(S1).hand(S1, [5, 5, 0, 1, 5]);
    assert!(!scene.allows(build_with(Card::Road, Lumber, Lumber)), "no kind stands in for itself");
    assert!(!scene.allows(build_with(Card::Road, Brick, Ore)), "a road asks for no ore");
    assert!(scene.lists(build_with(Card::City, Ore, Grain)), "one of the two grain");
    let scene = Scene::new(3).area(S1, area).route(S1).hand(S1, [9, 9, 0, 0, 9]);
    assert!(!scene.allows(build_with(Card::City, Ore, Grain)), "not both");
}

#[test]
fn otr_42_metropolises_can_be_paid_with_a_substitution() {
    let area = Area { roads: 2, cities: 1, ..START };
    let mut scene = Scene::new(3).area(S1, area).hand(S1, [0, 0, 2, 0, 4]);
    let metropolis = build_with(Card::MetropolisRoads, Ore, Wool);
    assert!(scene.lists(metropolis), "three ore for the third wool");
    scene.play(metropolis, &[]);
    assert_eq!(scene.discarded(), [0, 0, 2, 0, 4]);
}

#[test]
fn otr_42_the_list_has_every_payment_and_the_plain_menu_none() {
    let area = Area { roads: 4, ..START };
    let scene = Scene::new(3).area(S1, area).route(S1).row([5, 0, 0, 0]);
    let scene = scene.hand(S1, [2, 2, 1, 1, 1]);
    let mut expected = vec![build(Card::Road)];
    for (replaced, others) in
        [(Brick, [Lumber, Wool, Grain, Ore]), (Lumber, [Brick, Wool, Grain, Ore])]
    {
        expected.extend(others.map(|by| build_with(Card::Road, by, replaced)));
    }
    assert_eq!(scene.listed_builds(ActionFilter::Full), expected);
    assert_eq!(scene.listed_builds(ActionFilter::NoOffers), expected);
    assert_eq!(scene.listed_builds(ActionFilter::Plain), [build(Card::Road)]);
}

#[test]
fn otr_42_the_rule_set_can_change_the_rates() {
    for (roads, rate) in [(1, 5), (2, 6), (3, 7), (4, 8), (5, 8)] {
        let scene = Scene::with(3, |rules| rules.substitution.rates = [5, 6, 7, 8])
            .area(S1, Area { roads, ..START })
            .hand(S1, [0, rate, 1, 0, 0]);
        let mut scene = if roads < 3 { scene } else { scene.route(S1) };
        assert_eq!(
            scene.listed_builds(ActionFilter::Full),
            [build_with(Card::Knight, Lumber, Ore)],
            "{roads} roads"
        );
        scene.play(build_with(Card::Knight, Lumber, Ore), &[ROAD]);
        assert_eq!(scene.held(S1), [0; 5]);
    }
}

#[test]
fn otr_47_a_road_counts_for_a_substitution_later_in_the_turn() {
    let mut scene = Scene::new(3).hand(S1, [4, 1, 1, 0, 0]);
    let knight = build_with(Card::Knight, Brick, Ore);
    assert!(scene.allows(knight), "four for one");
    scene.play(build(Card::Road), &[ROAD]);
    assert!(scene.lists(knight), "three for one");
    scene.play(knight, &[ROAD]);
    assert_eq!(scene.held(S1), [0; 5]);
}

#[test]
fn otr_47_a_road_does_not_count_for_its_own_payment() {
    let mut scene = Scene::new(3).hand(S1, [0, 1, 0, 0, 4]);
    let road = build_with(Card::Road, Ore, Brick);
    assert!(!Scene::new(3).hand(S1, [0, 1, 0, 0, 3]).allows(road));
    scene.play(road, &[ROAD]);
    assert_eq!(scene.discarded(), [0, 1, 0, 0, 4]);
    let scene = scene.hand(S1, [9, 9, 9, 9, 9]);
    assert!(!scene.allows(build_with(Card::Knight, Brick, Ore)), "the turn's one is used");
}

#[test]
fn otr_47_a_settlement_can_be_covered_in_the_turn_in_which_it_is_built() {
    let area = Area { settlements: 0, cities: 1, ..START };
    let mut scene = Scene::new(3).area(S1, area).hand(S1, [1, 1, 1, 3, 3]);
    assert!(!scene.allows(build(Card::City)));
    scene.play(build(Card::Settlement), &[ROBBER, ROAD]);
    scene.play(build(Card::City), &[ROAD]);
    assert_eq!(scene.state.table.areas[0], Area { settlements: 0, cities: 2, ..START });
}
