//! Building and the row: OTR-40, OTR-41 and OTR-43 to OTR-46.

use super::support::*;
use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::ActionFilter;
use crate::core::resources::Resource::{Grain, Ore, Wool};
use crate::games::on_the_road::cards::{Card, Metropolis};
use crate::games::on_the_road::rules::{Allowed, Rules, Side};
use crate::games::on_the_road::state::Area;
use crate::parts::bundles::{Price, Surcharge};

const METROPOLISES: [Card; 4] =
    [Card::MetropolisRoads, Card::MetropolisKnights, Card::MetropolisArmy, Card::MetropolisRoute];

/// What the rules print on the cards, and what a build of each draws beside the row: an event.
const PRICES: [(Card, [u8; 5]); 8] = [
    (Card::Road, [1, 1, 0, 0, 0]),
    (Card::Settlement, [1, 1, 1, 1, 0]),
    (Card::City, [0, 0, 0, 2, 3]),
    (Card::Knight, [0, 0, 1, 0, 1]),
    (Card::MetropolisRoads, [0, 0, 3, 0, 1]),
    (Card::MetropolisKnights, [0, 0, 3, 0, 1]),
    (Card::MetropolisArmy, [0, 0, 3, 0, 1]),
    (Card::MetropolisRoute, [0, 0, 3, 0, 1]),
];

/// The luck of a build without consequences: a Robber among small hands, and a road for the row.
fn luck_of(card: Card) -> &'static [Scripted] {
    match card {
        Card::Settlement => &[ROBBER, ROAD],
        Card::Road | Card::City | Card::Knight => &[ROAD],
        _ => &[],
    }
}

fn paying(cost: [u8; 5], change: impl FnOnce(&mut Rules)) -> Scene {
    Scene::with(3, change).area(S1, Area { cities: 1, ..START }).hand(S1, cost)
}

#[test]
fn otr_40_any_number_of_builds_in_a_turn() {
    let mut scene = Scene::new(3).hand(S1, [2, 2, 2, 0, 2]);
    scene.play(build(Card::Road), &[KNIGHT]);
    scene.play(build(Card::Knight), &[ROAD]);
    scene.play(build(Card::Road), &[ROAD]);
    scene.play(build(Card::Knight), &[ROAD]);
    let area = scene.state.table.areas[0];
    assert_eq!((area.roads, area.knights), (3, 2));
    assert_eq!(scene.discarded(), [2, 2, 2, 0, 2], "the prices lie among the discards");
    assert_eq!(scene.held(S1), [0; 5]);
}

#[test]
fn otr_40_only_cards_of_the_row_and_unbuilt_metropolises_are_built() {
    let kinds = [Card::Road, Card::Settlement, Card::City, Card::Knight];
    for (idx, gone) in kinds.into_iter().enumerate() {
        let mut row = [2, 2, 2, 2];
        row[idx] = 0;
        row[(idx + 1) % 4] = 1;
        let scene = paying([9, 9, 9, 9, 9], |_| {}).row(row);
        scene.game.check(&scene.state);
        for card in kinds {
            assert_eq!(scene.allows(build(card)), card != gone, "{card} from {row:?}");
            assert_eq!(scene.lists(build(card)), card != gone, "{card} from {row:?}");
        }
    }
    let rival = Area { settlements: 0, metropolises: ROADS_BIT, ..START };
    let scene = paying([9, 9, 9, 9, 9], |_| {}).area(S2, rival);
    assert!(!scene.allows(build(Card::MetropolisRoads)), "seat 2 has it");
    assert!(scene.allows(build(Card::MetropolisKnights)));
}

#[test]
fn otr_40_only_the_builder_pays_and_only_into_the_discards() {
    let mut scene = Scene::new(3).turn_of(S2).hand(S2, [1, 1, 0, 0, 0]).hand(S1, [1, 1, 0, 0, 0]);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([1, 1, 0, 0, 0], [0; 5]));
    assert_eq!(scene.state.table.areas[1].roads, 2);
    assert_eq!(scene.state.table.areas[0].roads, 1);
}

#[test]
fn otr_41_each_card_costs_what_is_printed() {
    for side in [Side::A, Side::B] {
        for (card, cost) in PRICES {
            let mut scene = paying(cost, |rules| rules.side = side);
            assert!(scene.allows(build(card)), "{card}");
            let luck: &[Scripted] = if side == Side::B && card == Card::MetropolisRoads {
                &[ORE] // for the starting road
            } else {
                luck_of(card)
            };
            scene.play(build(card), luck);
            assert_eq!(scene.discarded(), cost, "{card}");
        }
    }
}

#[test]
fn otr_41_one_card_short_is_not_enough() {
    for (card, cost) in PRICES {
        for kind in (0..5).filter(|&kind| cost[kind] > 0) {
            let mut short = [5; 5];
            short[kind] = cost[kind] - 1;
            let scene = paying(short, |_| {});
            assert!(!scene.allows(build(card)), "{card} for {short:?}");
        }
    }
}

#[test]
fn otr_41_the_rule_set_can_change_each_price() {
    let changed = |rules: &mut Rules| {
        rules.road.cost = Price::new([2, 0, 0, 0, 0]);
        rules.settlement.cost = Price::new([0, 3, 0, 0, 0]);
        rules.city.cost = Price::new([0, 0, 4, 0, 0]);
        rules.knight.cost = Price::new([0, 0, 1, 1, 1]);
        rules.metropolis.cost = Price::new([0, 0, 0, 1, 0]);
        rules.metropolis.roads.extra = Surcharge::new([1, 0, 0, 0, 0]);
        rules.metropolis.knights.extra = Surcharge::new([0, 1, 0, 0, 0]);
        rules.metropolis.army.extra = Surcharge::new([0, 0, 1, 0, 0]);
        rules.metropolis.route.extra = Surcharge::new([0, 0, 0, 1, 1]);
    };
    for (card, cost) in [
        (Card::Road, [2, 0, 0, 0, 0]),
        (Card::Settlement, [0, 3, 0, 0, 0]),
        (Card::City, [0, 0, 4, 0, 0]),
        (Card::Knight, [0, 0, 1, 1, 1]),
        (Card::MetropolisRoads, [1, 0, 0, 1, 0]),
        (Card::MetropolisKnights, [0, 1, 0, 1, 0]),
        (Card::MetropolisArmy, [0, 0, 1, 1, 0]),
        (Card::MetropolisRoute, [0, 0, 0, 2, 1]),
    ] {
        let mut scene = paying(cost, changed);
        assert!(scene.lists(build(card)), "{card}");
        scene.play(build(card), luck_of(card));
        assert_eq!(scene.discarded(), cost, "{card}");
    }
}

#[test]
fn otr_43_the_row_is_refilled_after_a_build() {
    let mut scene = Scene::new(3).hand(S1, [1, 1, 0, 0, 0]);
    scene.play(build(Card::Road), &[CITY]);
    assert_eq!(scene.state.table.row, [1, 1, 2, 1]);
    assert_eq!(scene.state.table.deck, [8, 10, 3, 7]);
}

#[test]
fn otr_43_five_of_a_kind_go_back_again_if_need_be() {
    let mut scene = Scene::new(3).row([4, 0, 0, 1]).hand(S1, [0, 0, 1, 0, 1]);
    let mut luck = vec![ROAD];
    luck.extend([SETTLEMENT; 5]);
    luck.extend([ROAD, ROAD, ROAD, ROAD, CITY]);
    scene.play(build(Card::Knight), &luck);
    assert_eq!(scene.state.table.row, [4, 0, 1, 0]);
    assert_eq!(scene.state.table.deck, [6, 11, 4, 7]);
}

#[test]
fn otr_43_the_first_row_is_not_five_of_a_kind_either() {
    let game = game_with(3, |_| {});
    let mut luck = vec![KNIGHT; 5];
    luck.extend([ROAD, ROAD, ROAD, ROAD, KNIGHT]);
    luck.extend([BRICK; 9]);
    let mut chance = ScriptedChance::new(luck);
    let state = game.deal(&mut chance);
    assert!(chance.is_exhausted());
    assert_eq!(state.table.row, [4, 0, 0, 1]);
    assert_eq!(state.table.deck, [6, 11, 5, 7]);
}

/// Nearly everything is built: of the row's kinds, 1 knight, 4 roads and the given deck are left.
fn late(deck: [u8; 4]) -> Scene {
    let scene = Scene::with(3, |rules| rules.points_to_win = 40.into())
        .row([4, 0, 0, 1])
        .area(S1, Area { roads: 7 - deck[0], settlements: 6, knights: 3, ..START })
        .area(S2, Area { settlements: 2, cities: 5, knights: 4 - deck[3], ..START })
        .route(S1)
        .army(S2)
        .hand(S1, [1, 1, 1, 0, 1]);
    assert_eq!(scene.state.table.deck, deck);
    scene
}

#[test]
fn otr_43_five_of_a_kind_stand_when_no_other_kind_is_left() {
    for roads in [1, 2] {
        let mut scene = late([roads, 0, 0, 0]);
        scene.play(build(Card::Knight), &[ROAD]);
        assert_eq!(scene.state.table.row, [5, 0, 0, 0]);
        assert_eq!(scene.state.table.deck, [roads - 1, 0, 0, 0]);
    }
    let mut scene = late([1, 0, 0, 1]);
    scene.play(build(Card::Knight), &[ROAD, ROAD, ROAD, ROAD, ROAD, KNIGHT]);
    assert_eq!(scene.state.table.row, [4, 0, 0, 1], "with another kind left they go back");
    assert_eq!(scene.state.table.deck, [1, 0, 0, 0]);
}

#[test]
fn otr_44_when_the_deck_is_empty_the_row_shrinks() {
    let mut scene = late([0; 4]);
    scene.play(build(Card::Knight), &[]);
    assert_eq!(scene.state.table.row, [4, 0, 0, 0], "four of a kind stand anyway");
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.state.table.row, [3, 0, 0, 0]);
    for _ in 0..3 {
        scene = scene.hand(S1, [1, 1, 0, 0, 0]);
        scene.play(build(Card::Road), &[]);
    }
    scene = scene.hand(S1, [2, 2, 2, 2, 3]);
    assert_eq!(scene.row_size(), 0);
    assert!(scene.listed_builds(ActionFilter::Full).is_empty(), "nothing is left to build");
}

#[test]
fn otr_45_a_city_covers_an_uncovered_settlement_of_the_builder() {
    let mut scene = Scene::new(3).hand(S1, [0, 0, 0, 2, 3]);
    scene.play(build(Card::City), &[CITY]);
    assert_eq!(scene.state.table.areas[0], Area { settlements: 0, cities: 1, ..START });
    assert_eq!(scene.points(), [2, 1, 1], "the settlement below counts for nothing");
    let scene = scene.hand(S1, [0, 0, 0, 9, 9]);
    assert!(!scene.allows(build(Card::City)), "the one settlement is covered");
    assert!(!scene.allows(build_with(Card::City, Ore, Grain)));
    assert!(
        scene.listed_builds(ActionFilter::Full).iter().all(|&action| action != build(Card::City))
    );
}

#[test]
fn otr_45_a_metropolis_covers_an_uncovered_city_of_the_builder() {
    let rich = [0, 0, 9, 0, 9];
    let mut scene = Scene::new(3).area(S1, Area { cities: 1, ..START }).hand(S1, rich);
    assert!(scene.lists(build(Card::MetropolisRoads)));
    scene.play(build(Card::MetropolisArmy), &[]);
    assert_eq!(scene.state.table.areas[0], Area { metropolises: ARMY_BIT, ..START });
    assert_eq!(scene.state.table.unbuilt, 0b1011);
    assert_eq!(scene.points(), [4, 1, 1], "the city below counts for nothing");
    assert!(!scene.allows(build(Card::MetropolisRoads)), "the one city is covered");
    assert!(!scene.allows(build_with(Card::MetropolisRoads, Ore, Wool)));
    let others = Area { cities: 1, ..START };
    let scene = Scene::new(3).area(S2, others).hand(S1, rich);
    assert!(!scene.allows(build(Card::MetropolisRoads)), "a city of someone else");
    assert!(METROPOLISES.iter().all(|&card| !scene.lists(build(card))));
}

#[test]
fn otr_46_on_b_the_player_chooses_any_unbuilt_metropolis() {
    let rich = [0, 0, 3, 0, 1];
    let city = Area { cities: 1, ..START };
    let scene = Scene::side_b(3).area(S1, city).row([5, 0, 0, 0]).hand(S1, rich);
    assert_eq!(scene.listed_builds(ActionFilter::Plain), METROPOLISES.map(build));
    let rival = Area { settlements: 0, metropolises: KNIGHTS_BIT, ..START };
    let scene = scene.area(S2, rival);
    let left = [Card::MetropolisRoads, Card::MetropolisArmy, Card::MetropolisRoute];
    assert_eq!(scene.listed_builds(ActionFilter::Plain), left.map(build));
}

#[test]
fn otr_46_on_a_the_list_has_one_metropolis_for_all() {
    let city = Area { cities: 1, ..START };
    let scene = Scene::new(3).area(S1, city).row([5, 0, 0, 0]).hand(S1, [0, 0, 3, 0, 1]);
    assert_eq!(scene.listed_builds(ActionFilter::Plain), [build(Card::MetropolisRoads)]);
    assert!(METROPOLISES.iter().all(|&card| scene.allows(build(card))), "all may be taken");
    let rival = Area { settlements: 0, metropolises: ROADS_BIT | KNIGHTS_BIT, ..START };
    let scene = scene.area(S2, rival);
    assert_eq!(scene.listed_builds(ActionFilter::Plain), [build(Card::MetropolisArmy)]);
    let mut mixed = scene.clone();
    mixed.state.table.b_sides = ARMY_BIT | ROADS_BIT;
    let both = [build(Card::MetropolisArmy), build(Card::MetropolisRoute)];
    assert_eq!(mixed.listed_builds(ActionFilter::Plain), both);
}

#[test]
fn otr_46_a_sides_of_different_prices_are_all_listed() {
    let scene = paying([0, 0, 4, 0, 1], |rules| {
        rules.metropolis.roads.extra = Surcharge::new([1, 0, 0, 0, 0]);
        rules.metropolis.army.extra = Surcharge::new([0, 0, 1, 0, 0]);
    })
    .row([5, 0, 0, 0]);
    let affordable = [build(Card::MetropolisKnights), build(Card::MetropolisArmy)];
    assert_eq!(scene.listed_builds(ActionFilter::Plain), affordable);
}

#[test]
fn otr_46_a_sides_that_different_seats_may_build_are_all_listed() {
    let city = Area { cities: 1, ..START };
    let scene = Scene::with(3, |rules| {
        rules.side = Side::A;
        rules.metropolis.allowed[1] = Allowed::of_bits(Metropolis::Knights.bit());
    });
    let scene = scene.area(S1, city).row([5, 0, 0, 0]).hand(S1, [0, 0, 3, 0, 1]);
    // To build `knights` leaves the second seat nothing; which of the others is built is the same to all.
    let two = [build(Card::MetropolisRoads), build(Card::MetropolisKnights)];
    assert_eq!(scene.listed_builds(ActionFilter::Plain), two);
}

#[test]
fn otr_46_the_rule_set_may_leave_a_seat_only_some_metropolises() {
    let city = Area { cities: 1, ..START };
    let rich = [0, 0, 3, 0, 1];
    for side in [Side::A, Side::B] {
        let scene = Scene::with(3, |rules| {
            rules.side = side;
            rules.metropolis.allowed[0] = Allowed::of_bits(Metropolis::Army.bit());
        });
        let scene = scene.area(S1, city).area(S2, city).row([5, 0, 0, 0]).hand(S1, rich);
        assert_eq!(scene.listed_builds(ActionFilter::Plain), [build(Card::MetropolisArmy)]);
        for card in METROPOLISES {
            assert_eq!(scene.allows(build(card)), card == Card::MetropolisArmy, "{card}");
        }
        // Others may build what it may not; what others have built, it can't build either.
        let other = scene.clone().turn_of(S2).hand(S2, rich);
        assert!(METROPOLISES.iter().all(|&card| other.allows(build(card))));
        let taken = scene.area(S3, Area { settlements: 0, metropolises: ARMY_BIT, ..START });
        assert!(taken.listed_builds(ActionFilter::Full).is_empty());
        assert!(METROPOLISES.iter().all(|&card| !taken.allows(build(card))));
    }
}
