//! Components and the deal: OTR-1 to OTR-14.

use super::support::*;
use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::Game;
use crate::core::types::by_seat::BySeat;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::{CARDS_ALL, Event, count, kind_of};
use crate::games::on_the_road::rules::{Allowed, Face, Rules, Side, Trade, TradeOrder};
use crate::games::on_the_road::state::Phase;
use crate::parts::bundles::Surcharge;

const ROW: [Scripted; 5] = [ROAD, SETTLEMENT, CITY, KNIGHT, ROAD];

/// Deals with this luck and no other.
#[track_caller]
fn deal(game: OnTheRoad, parts: &[&[Scripted]]) -> Scene {
    let mut chance = ScriptedChance::new(parts.concat());
    let state = game.deal(&mut chance);
    assert!(chance.is_exhausted(), "the deal takes all of the script");
    game.check(&state);
    Scene { game, state }
}

#[test]
fn otr_1_the_box_has_61_resource_cards() {
    let mut by_kind = [0_u8; 5];
    for card in 0..61 {
        by_kind[kind_of(card).idx()] += 1;
    }
    assert_eq!(by_kind, [11, 11, 14, 12, 13]);
    assert_eq!(CARDS_ALL.count_ones(), 61);
    let scene = deal(game_with(3, |_| {}), &[&ROW, &[BRICK; 6], &[ORE; 3]]);
    let mut everywhere = [scene.held(S1), scene.held(S2), scene.held(S3)].to_vec();
    everywhere.push(count(scene.state.pile).counts());
    let total = |kind: usize| everywhere.iter().map(|place| place[kind]).sum::<u8>();
    assert_eq!(std::array::from_fn(total), [11, 11, 14, 12, 13]);
}

#[test]
fn otr_2_the_deck_has_34_building_cards_and_there_are_4_metropolises() {
    let scene = deal(game_with(4, |_| {}), &[&ROW, &[WOOL; 8], &[ORE; 4]]);
    let table = &scene.state.table;
    assert_eq!(table.row, [2, 1, 1, 1]);
    assert_eq!(table.deck, [8, 10, 4, 7], "10 roads, 11 settlements, 5 cities, 8 knights");
    assert_eq!(table.unbuilt, 0b1111);
    assert_eq!(table.areas, [START; 4], "four starting roads and settlements");
}

#[test]
fn otr_3_three_of_the_seven_event_cards_are_robbers() {
    let cards = |event: Event| Event::OF_CARD.iter().filter(|&&card| card == event).count();
    assert_eq!(Event::OF_CARD.len(), 7);
    assert_eq!(cards(Event::Robber), 3);
    for single in [Event::Abundance, Event::Charity, Event::Solstice, Event::Subsidy] {
        assert_eq!(cards(single), 1, "{single:?}");
    }
    let scene = deal(game_with(3, |_| {}), &[&ROW, &[BRICK; 6], &[ORE; 3]]);
    assert_eq!(scene.state.table.events.count_ones(), 7, "all lie in the event deck");
}

#[test]
fn otr_4_a_bonus_card_is_worth_2_points() {
    let scene = Scene::new(3).route(S2).army(S3);
    assert_eq!(scene.points(), [1, 3, 3]);
    assert_eq!(Scene::new(3).route(S2).army(S2).points(), [1, 5, 1]);
}

#[test]
fn otr_4_the_rule_set_can_change_what_a_bonus_card_is_worth() {
    let change = |rules: &mut Rules| {
        rules.route.points = 5;
        rules.army.points = 0;
    };
    assert_eq!(Scene::with(3, change).route(S1).army(S2).points(), [6, 1, 1]);
}

#[test]
fn otr_10_three_or_four_play_and_two_are_unofficial() {
    let game = |players| OnTheRoad::new(Rules::default(), players);
    for players in [3, 4] {
        assert_eq!(game(players).unwrap().unofficial(), None, "{players}");
    }
    assert!(game(2).unwrap().unofficial().is_some());
    for players in [0, 1, 5, 6] {
        assert_eq!(game(players).unwrap_err()[0].field, "players", "{players}");
    }
}

#[test]
fn otr_11_five_cards_of_the_deck_lie_in_the_first_row() {
    let row = [ROAD, ROAD, SETTLEMENT, SETTLEMENT, SETTLEMENT];
    let scene = deal(game_with(3, |_| {}), &[&row, &[BRICK; 6], &[ORE; 3]]);
    assert_eq!(scene.state.table.row, [2, 3, 0, 0], "an unmixed row stands");
    assert_eq!(scene.state.table.deck, [8, 8, 5, 8]);
}

#[test]
fn otr_11_a_mixed_first_row_is_dealt_until_all_four_kinds_lie_in_it() {
    let game = game_with(3, |rules| rules.mixed_first_row = true);
    let no_knight = [ROAD, SETTLEMENT, CITY, CITY, CITY];
    let no_road = [KNIGHT, SETTLEMENT, CITY, CITY, CITY];
    let scene = deal(game, &[&no_knight, &no_road, &ROW, &[BRICK; 6], &[ORE; 3]]);
    assert_eq!(scene.state.table.row, [2, 1, 1, 1]);
    assert_eq!(scene.state.table.deck, [8, 10, 4, 7], "the other rows went back");
}

#[test]
fn otr_12_all_metropolises_lie_on_one_side() {
    for (side, b_sides) in [(Side::A, 0), (Side::B, 0b1111)] {
        let game = game_with(3, |rules| rules.side = side);
        let scene = deal(game, &[&ROW, &[BRICK; 6], &[ORE; 3]]);
        assert_eq!(scene.state.table.b_sides, b_sides);
        assert_eq!(scene.state.table.unbuilt, 0b1111);
    }
    assert_eq!(Rules::default().side, Side::A);
}

#[test]
fn otr_12_mixed_sides_toss_a_coin_for_each_card() {
    let game = game_with(3, |rules| rules.side = Side::Mixed);
    let coins = [Scripted::Kind(1), Scripted::Kind(0), Scripted::Kind(0), Scripted::Kind(1)];
    let scene = deal(game, &[&coins, &ROW, &[BRICK; 6], &[ORE; 3]]);
    assert_eq!(scene.state.table.b_sides, ROADS_BIT | ROUTE_BIT);
}

#[test]
fn otr_12_a_card_can_be_laid_on_a_side_or_left_out() {
    let game = game_with(3, |rules| {
        rules.side = Side::Mixed;
        rules.metropolis.roads.face = Face::Out;
        rules.metropolis.knights.face = Face::B;
        rules.metropolis.army.face = Face::A;
    });
    let scene = deal(game, &[&[Scripted::Kind(0)], &ROW, &[BRICK; 6], &[ORE; 3]]);
    assert_eq!(scene.state.table.unbuilt, KNIGHTS_BIT | ARMY_BIT | ROUTE_BIT);
    assert_eq!(scene.state.table.b_sides, KNIGHTS_BIT);
}

#[test]
fn otr_13_each_player_starts_with_a_road_a_settlement_and_2_cards() {
    for players in [2, 3, 4] {
        let count = usize::from(players);
        let hands = vec![BRICK; 2 * count];
        let harvest = vec![ORE; count];
        let scene = deal(game_with(players, |_| {}), &[&ROW, &hands, &harvest]);
        for seat in &[S1, S2, S3, S4][..count] {
            assert_eq!(scene.state.table.areas[seat.idx()], START);
            assert_eq!(scene.held(*seat), [2, 0, 0, 0, 1], "2 dealt and 1 harvested");
        }
        assert_eq!(scene.points(), vec![1; count]);
        assert_eq!(scene.hand_sizes().iter().sum::<u8>(), 3 * players);
    }
}

#[test]
fn otr_13_the_rule_set_can_change_the_starting_hand() {
    let none = deal(game_with(3, |rules| rules.hand_start = 0.into()), &[&ROW, &[ORE; 3]]);
    assert_eq!(none.held(S2), [0, 0, 0, 0, 1]);
    let three = game_with(3, |rules| rules.hand_start = 3.into());
    let three = deal(three, &[&ROW, &[BRICK; 9], &[ORE; 3]]);
    assert_eq!(three.held(S2), [3, 0, 0, 0, 1]);
}

#[test]
fn otr_13_a_list_deals_each_seat_as_many_cards_as_it_says() {
    let game = game_with(3, |rules| rules.hand_start = BySeat::list(&[1, 3, 0]));
    let scene = deal(game, &[&ROW, &[BRICK; 4], &[ORE; 3]]);
    let held = [S1, S2, S3].map(|seat| scene.held(seat));
    assert_eq!(held, [[1, 0, 0, 0, 1], [3, 0, 0, 0, 1], [0, 0, 0, 0, 1]], "and 1 harvested");
}

/// Who sits in seat 1 is drawn where players are seated; the rules only know that seat 1 starts.
#[test]
fn otr_13_seat_1_is_the_start_player() {
    let scene = deal(game_with(3, |_| {}), &[&ROW, &[BRICK; 6], &[WOOL, GRAIN, ORE]]);
    assert_eq!((scene.state.table.current, scene.state.table.turn), (S1, 1));
    assert_eq!(scene.phase(), Phase::Main);
    assert_eq!(scene.held(S1), [2, 0, 1, 0, 0], "seat 1 harvests first");
    assert_eq!(scene.held(S3), [2, 0, 0, 0, 1]);
}

#[test]
fn otr_14_turns_go_clockwise_and_nothing_must_be_done() {
    for (players, order) in [(3, vec![S2, S3, S1, S2]), (4, vec![S2, S3, S4, S1])] {
        let mut scene = Scene::new(players);
        for ((turn, seat), card) in (2..).zip(order).zip([BRICK, LUMBER, WOOL, GRAIN]) {
            let harvest = vec![card; usize::from(players)];
            assert!(scene.lists(Action::EndTurn));
            scene.play(Action::EndTurn, &harvest);
            assert_eq!((scene.state.table.current, scene.state.table.turn), (seat, turn));
            assert_eq!(scene.phase(), Phase::Main, "after the harvest comes the action phase");
        }
    }
}

#[test]
fn rules_of_cards_and_trades_that_are_left_out_are_not_in_effect() {
    let rules = |change: fn(&mut Rules)| {
        let mut rules = Rules { side: Side::A, ..Rules::default() };
        (rules.trade.proposals_max, rules.metropolis.army.face) = (0, Face::Out);
        change(&mut rules);
        OnTheRoad::build(rules, 3).unwrap().in_effect()
    };
    let other = rules(|rules| {
        rules.trade =
            Trade { order: TradeOrder::TradeFirst, bluff: true, listed_max: 1, ..rules.trade };
        rules.metropolis.army.extra = Surcharge::new([1, 0, 0, 0, 0]);
        rules.metropolis.allowed[3] = Allowed::of_bits(1);
    });
    assert_eq!(other, rules(|_| {}));
}
