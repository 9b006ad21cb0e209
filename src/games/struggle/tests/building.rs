//! What may be built, for what, and how often: SFC-40, SFC-42 to SFC-46.

use super::support::*;
use crate::core::game::ActionFilter;
use crate::core::wording::Wording;
use crate::games::struggle::Struggle;
use crate::games::struggle::action::Action::{Draw, Flip, Keep};
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::{Allowed, Rules, Types};
use crate::games::struggle::state::{Area, Phase};
use crate::parts::bundles::Price;

/// Four players; seat 1 has a city without an expansion beside its starting cards, and every card can be paid for.
fn rich() -> Scene {
    rich_with(|_| {})
}

fn rich_with(change: impl FnOnce(&mut Rules)) -> Scene {
    let area = Area { cities: 1, ..START };
    Scene::with(4, change).area(S1, area).hand(S1, [5, 5, 8, 8, 8])
}

#[test]
fn sfc_40_each_card_has_its_price() {
    for card in Card::ALL {
        let mut scene = rich();
        let luck: &[_] =
            if card == Card::City { &[MARKET_DAY, ORE, ORE, ORE, ORE, ORE] } else { &[] };
        let before = scene.held(S1);
        scene.play(build(card), luck);
        let paid: Vec<u8> = before.iter().zip(scene.held(S1)).map(|(had, has)| had - has).collect();
        let due = match card {
            Card::Road => [1, 1, 0, 0, 0],
            Card::Knight => [0, 0, 1, 1, 1],
            Card::Settlement => [1, 1, 1, 1, 0],
            Card::City => [0, 0, 0, 2, 3],
            // A town hall too.
            _ => [0, 0, 3, 0, 1],
        };
        assert_eq!(paid, due, "{card}");
    }
}

#[test]
fn sfc_40_what_is_paid_is_discarded() {
    let mut scene = rich();
    scene.play_all(&[build(Card::Road), build(Card::Knight), build(Card::Castle)]);
    assert_eq!(scene.discarded(), [1, 1, 4, 1, 2]);
}

#[test]
fn sfc_40_a_price_must_be_paid_in_full_and_no_more() {
    let scene = rich();
    assert!(!scene.allows(build_for(Card::Road, [1, 0, 0, 0, 0])));
    assert!(!scene.allows(build_for(Card::Road, [0; 5])));
    assert!(!scene.allows(build_for(Card::Road, [1, 1, 1, 0, 0])));
    assert!(!scene.allows(build_for(Card::Road, [2, 1, 0, 0, 0])));
    assert!(!scene.allows(build_for(Card::Road, [1, 0, 1, 0, 0])), "one card for another");
    assert!(
        !scene.allows(build_for(Card::TownHall, [0, 0, 3, 0, 2])),
        "a town hall costs the same"
    );
    assert!(!scene.allows(build_for(Card::Castle, [0, 0, 3, 0, 2])));
    let poor = Scene::new(3).hand(S1, [1, 0, 1, 1, 1]);
    assert!(!poor.allows(build(Card::Road)) && poor.allows(build(Card::Knight)));
    assert_eq!(poor.listed_builds(), [Card::Knight]);
}

#[test]
fn sfc_40_the_rule_set_can_change_each_price() {
    let other = [1, 0, 0, 0, 2];
    let dear = |card: Card| {
        rich_with(move |rules| {
            let cards = &mut rules.expansion;
            let (price, free) = (Price::new(other), Price::default());
            match card {
                Card::Road => rules.road.cost = price,
                Card::Knight => rules.knight.cost = price,
                Card::Settlement => rules.settlement.cost = price,
                Card::City => rules.city.cost = price,
                _ => cards.cost = free,
            }
            match card {
                Card::TownHall => cards.town_hall.extra = price,
                Card::Castle => cards.castle.extra = price,
                Card::MerchantsGuild => cards.merchants_guild.extra = price,
                Card::Church => cards.church.extra = price,
                Card::Library => cards.library.extra = price,
                Card::University => cards.university.extra = price,
                _ => {}
            }
        })
    };
    for card in Card::ALL {
        let mut scene = dear(card);
        assert!(!scene.allows(build(card)), "{card} for the printed price");
        let luck: &[_] =
            if card == Card::City { &[MARKET_DAY, ORE, ORE, ORE, ORE, ORE] } else { &[] };
        scene.play(build_for(card, other), luck);
    }
    let cost = rich_with(|rules| rules.expansion.cost.brick = 1);
    assert!(cost.allows(build_for(Card::Castle, [1, 0, 3, 0, 1])), "the price of all expansions");
    assert!(cost.allows(build_for(Card::TownHall, [1, 0, 3, 0, 1])), "a town hall's too");
    let both = rich_with(|rules| {
        rules.expansion.cost.brick = 1;
        rules.expansion.town_hall.extra.ore = 1;
    });
    assert!(both.allows(build_for(Card::TownHall, [1, 0, 3, 0, 2])), "and what is added to it");
    assert!(both.allows(build_for(Card::Castle, [1, 0, 3, 0, 1])), "but not to the others");
}

#[test]
fn sfc_40_a_dearer_town_hall_is_a_preset() {
    let preset = Struggle::PRESETS.iter().find(|preset| preset.clause == "SFC-40").unwrap();
    assert_eq!(preset.sets, ["expansion.town_hall.extra.ore=2"]);
    let mut scene = rich_with(|rules| rules.expansion.town_hall.extra.ore = 2);
    assert!(!scene.allows(build(Card::TownHall)) && scene.allows(build(Card::Castle)));
    scene.play(build_for(Card::TownHall, [0, 0, 3, 0, 3]), &[]);
    assert_eq!(scene.discarded(), [0, 0, 3, 0, 3]);
}

#[test]
fn sfc_40_what_costs_nothing_can_be_built_with_an_empty_hand() {
    let free = |rules: &mut Rules| rules.road.cost = Price::default();
    let mut scene = Scene::with(3, free);
    assert!(scene.lists(build_for(Card::Road, [0; 5])));
    scene.play(build_for(Card::Road, [0; 5]), &[]);
    assert_eq!(scene.in_front_of(S1).roads, 2);
}

#[test]
fn sfc_42_each_type_once_a_turn_and_all_types_in_one() {
    let mut scene = rich().hand(S1, [4, 4, 4, 4, 4]);
    scene.play_all(&[build(Card::Road), build(Card::Knight), build(Card::Settlement), Keep]);
    scene.play(build(Card::City), &[MARKET_DAY, ORE, GRAIN, WOOL, LUMBER, BRICK]);
    scene.play(build(Card::Castle), &[]);
    for card in Card::ALL {
        assert!(!scene.allows(build(card)), "a second {card}");
    }
    assert!(scene.listed_builds().is_empty());
}

#[test]
fn sfc_42_expansions_of_all_kinds_are_one_type() {
    let mut scene = rich().area(S1, Area { cities: 2, ..START });
    scene.play(build(Card::Library), &[]);
    assert_eq!(scene.in_front_of(S1).cities, 1, "there is room for another");
    for card in [Card::TownHall, Card::Castle, Card::Church] {
        assert!(!scene.allows(build(card)), "{card}");
    }
    assert!(scene.allows(build(Card::City)) && scene.allows(build(Card::Road)));
}

#[test]
fn sfc_42_the_rule_set_can_make_settlement_and_city_one_type() {
    let four = |rules: &mut Rules| rules.build.types = Types::Four;
    let mut scene = rich_with(four);
    scene.play_all(&[build(Card::Settlement), Keep]);
    assert!(!scene.allows(build(Card::City)));
    assert!(scene.allows(build(Card::Road)) && scene.allows(build(Card::Castle)));
    let mut scene = rich_with(four);
    scene.play(build(Card::City), &[BRIGANDS]);
    while let Phase::Discard { .. } = scene.phase() {
        let first = scene.listed(ActionFilter::Full)[0];
        scene.play(first, &[]);
    }
    assert!(!scene.allows(build_for(Card::Settlement, FOR_SETTLEMENT)));
}

#[test]
fn sfc_43_sides_alternate_and_the_first_is_a() {
    // Points of a row are its B sides; what it may trade or draw is its A sides.
    for (row, a_sides, b_sides) in [(1, 1, 0), (2, 1, 1), (3, 2, 1), (4, 2, 2), (5, 3, 2)] {
        let scene = Scene::new(4).area(S1, Area { roads: row, ..START }).hand(S1, [9, 0, 0, 0, 0]);
        assert_eq!(scene.points()[0], 1 + b_sides, "{row} roads");
        let traded = (1..6).filter(|&cards| scene.allows(stack(cards))).count();
        assert_eq!(traded, a_sides, "{row} roads");
        let mut scene = Scene::new(4).area(S1, Area { knights: row, ..START });
        assert_eq!(scene.points()[0], 1 + b_sides, "{row} knights");
        scene.play(Draw, &[BRICK, BRICK]);
        assert_eq!(scene.phase(), Phase::Extra(a_sides.try_into().unwrap()), "{row} knights");
    }
}

#[test]
fn sfc_43_a_built_road_or_knight_goes_on_the_row() {
    let mut scene = Scene::new(3).hand(S1, [1, 1, 1, 1, 1]);
    scene.play(build(Card::Road), &[]);
    assert_eq!((scene.in_front_of(S1).roads, scene.points()[0]), (2, 2), "a B side");
    assert_eq!(scene.state.table.roads, 7 - 3 - 1);
    scene.play(build(Card::Knight), &[]);
    assert_eq!((scene.in_front_of(S1).knights, scene.points()[0]), (1, 2), "an A side");
    assert_eq!(scene.state.table.knights, 4 - 1);
}

#[test]
fn sfc_44_a_settlement_is_worth_a_point() {
    let mut scene = Scene::new(2).hand(S1, FOR_SETTLEMENT);
    scene.play(build(Card::Settlement), &[]);
    assert_eq!(scene.points(), [2, 1]);
    assert_eq!(scene.state.table.settlements, 7 - 2 - 1);
}

#[test]
fn sfc_44_when_none_is_left_none_is_built() {
    let all = Area { settlements: 6, ..START };
    let scene = Scene::new(2).area(S2, all).hand(S1, FOR_SETTLEMENT);
    assert_eq!(scene.state.table.settlements, 0);
    assert!(!scene.allows(build(Card::Settlement)));
    let one_left =
        Scene::new(2).area(S2, Area { settlements: 5, ..START }).hand(S1, FOR_SETTLEMENT);
    assert!(one_left.allows(build(Card::Settlement)));
}

#[test]
fn sfc_44_its_builder_may_flip_the_destiny_card() {
    for (answer, clockwise) in [(Keep, true), (Flip, false)] {
        let mut scene = Scene::new(3).hand(S1, FOR_SETTLEMENT);
        scene.play(build(Card::Settlement), &[]);
        assert_eq!(scene.phase(), Phase::Flip);
        assert_eq!(scene.listed(ActionFilter::Full), [Keep, Flip]);
        scene.play(answer, &[]);
        assert_eq!(scene.state.table.clockwise, clockwise);
        assert_eq!(scene.phase(), Phase::Act);
    }
    let mut back = Scene::new(3).counterclockwise().hand(S1, FOR_SETTLEMENT);
    back.play_all(&[build(Card::Settlement), Flip]);
    assert!(back.state.table.clockwise);
    assert!(!back.allows(Flip), "once");
    let mut road = Scene::new(3).hand(S1, FOR_ROAD);
    road.play(build(Card::Road), &[]);
    assert!(!road.allows(Flip), "not without a settlement");
}

#[test]
fn sfc_44_the_rule_set_can_leave_the_flip_out() {
    let held = |rules: &mut Rules| rules.destiny.settlement_flips = false;
    let mut scene = Scene::with(3, held).hand(S1, FOR_SETTLEMENT);
    scene.play(build(Card::Settlement), &[]);
    assert_eq!(scene.phase(), Phase::Act);
}

#[test]
fn sfc_45_a_city_turns_one_of_the_builders_settlements() {
    let mut scene = Scene::new(3).hand(S1, FOR_CITY);
    scene.play(build(Card::City), &[MARKET_DAY, ORE, ORE, ORE, ORE, ORE]);
    assert_eq!(scene.in_front_of(S1), Area { settlements: 0, cities: 1, ..START });
    assert_eq!(scene.points(), [2, 1, 1]);
    assert_eq!(scene.state.table.settlements, 11 - 3, "none of the stack");
    let none = Area { settlements: 0, cities: 1, ..START };
    assert!(!Scene::new(3).area(S1, none).hand(S1, FOR_CITY).allows(build(Card::City)));
}

#[test]
fn sfc_46_an_expansion_lies_on_a_city_whose_points_it_replaces() {
    let mut scene = rich();
    assert_eq!(scene.points()[0], 3, "a settlement and a city");
    scene.play(build(Card::Church), &[]);
    assert_eq!(scene.points()[0], 1 + 3);
    assert_eq!(scene.in_front_of(S1).cities, 0);
    assert_eq!(scene.state.table.expansions, [1, 2, 2, 1, 1, 1]);
}

#[test]
fn sfc_46_it_needs_a_city_without_an_expansion() {
    let none = Scene::new(3).hand(S1, FOR_EXPANSION);
    assert!(!none.allows(build(Card::Castle)), "no city");
    let covered = Scene::new(3).expanded(S1, &[Expansion::Church]).hand(S1, FOR_EXPANSION);
    assert!(!covered.allows(build(Card::Castle)), "its city is covered");
    assert!(covered.listed_builds().is_empty());
}

#[test]
fn sfc_46_nobody_has_two_of_a_kind() {
    let area = Area { cities: 1, expansions: bits(&[Expansion::Church]), ..START };
    let scene = Scene::new(3).area(S1, area).hand(S1, FOR_EXPANSION);
    assert_eq!(scene.state.table.expansions[Expansion::Church.idx()], 1, "one is left");
    assert!(!scene.allows(build(Card::Church)));
    assert!(scene.allows(build(Card::Castle)));
}

#[test]
fn sfc_46_what_is_gone_can_not_be_built() {
    let scene = rich().expanded(S2, &[Expansion::Library]);
    assert!(!scene.allows(build(Card::Library)), "there is one");
    let scene = rich().expanded(S2, &[Expansion::Church]);
    assert!(scene.allows(build(Card::Church)), "there are two");
    let scene = rich_with(|rules| rules.expansion.castle.out = true);
    assert!(!scene.allows(build(Card::Castle)));
}

#[test]
fn sfc_46_its_advantage_holds_at_once() {
    let mut scene = rich().hand(S2, [0, 0, 0, 0, 1]);
    assert!(!scene.allows(rob(S2)));
    scene = scene.area(S2, Area { settlements: 5, ..START });
    scene.play(build(Card::MerchantsGuild), &[]);
    assert!(scene.allows(rob(S2)));
}

#[test]
fn sfc_46_the_rule_set_can_say_who_builds_what() {
    let scene = rich_with(|rules| {
        rules.expansion.allowed[0] = Allowed::of_bits(bits(&[Expansion::Castle]));
        rules.expansion.allowed[1] = Allowed::of_bits(bits(&[Expansion::Library]));
    });
    let mut expansions = scene.listed_builds();
    expansions.retain(|card| card.expansion().is_some());
    assert_eq!(expansions, [Card::Castle], "seat 1");
    assert!(!scene.allows(build(Card::Library)));
    let area = Area { cities: 1, ..START };
    let scene = scene.area(S2, area).turn_of(S2).hand(S2, [0, 0, 3, 0, 1]);
    assert!(scene.allows(build(Card::Library)) && !scene.allows(build(Card::Castle)), "seat 2");
}
