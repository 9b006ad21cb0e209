//! Cards that stand in for others, and cards saved by a university: SFC-41 and SFC-72.

use super::support::*;
use crate::core::game::ActionFilter;
use crate::core::resources::Resources;
use crate::games::struggle::action::Action;
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::payments::Price;
use crate::games::struggle::rules::{Per, Rules};
use crate::games::struggle::state::Area;
use proptest::prelude::*;

/// Seat 1 with a hand.
fn holding(counts: [u8; 5]) -> Scene {
    Scene::new(3).hand(S1, counts)
}

/// Seat 1 with a hand, a university, and whatever else the change makes of the rules.
fn university(counts: [u8; 5], change: impl FnOnce(&mut Rules)) -> Scene {
    let area = Area { cities: 1, expansions: bits(&[Expansion::University]), ..START };
    Scene::with(3, change).area(S1, area).hand(S1, counts)
}

/// What the list has as payments of a card.
fn listed(scene: &Scene, card: Card, filter: ActionFilter) -> Vec<[u8; 5]> {
    let list = scene.listed(filter);
    let pay = |action: &Action| match action {
        Action::Build { card: built, pay } if *built == card => Some(pay.cards().counts()),
        _ => None,
    };
    list.iter().filter_map(pay).collect()
}

#[test]
fn sfc_41_three_alike_stand_in_for_any_required_card() {
    let mut scene = holding([0, 1, 0, 0, 3]);
    assert_eq!(listed(&scene, Card::Road, ActionFilter::Full), [[0, 1, 0, 0, 3]]);
    scene.play(build_for(Card::Road, [0, 1, 0, 0, 3]), &[]);
    assert_eq!((scene.held(S1), scene.discarded()), ([0; 5], [0, 1, 0, 0, 3]));
    assert!(holding([0, 1, 0, 0, 2]).listed_builds().is_empty(), "two are not enough");
    assert!(holding([0, 1, 0, 1, 2]).listed_builds().is_empty(), "nor three that differ");
}

#[test]
fn sfc_41_as_often_as_wanted() {
    let mut scene = holding([0, 0, 6, 0, 0]);
    assert_eq!(listed(&scene, Card::Road, ActionFilter::Full), [[0, 0, 6, 0, 0]]);
    scene.play(build_for(Card::Road, [0, 0, 6, 0, 0]), &[]);
    let mixed = holding([3, 0, 3, 0, 9]);
    assert!(mixed.allows(build_for(Card::City, [3, 0, 3, 0, 3])), "two grain replaced");
    assert!(holding([3, 3, 3, 6, 0]).allows(build_for(Card::City, [3, 3, 3, 2, 0])), "three ore");
    let wool = Scene::new(3).market([1, 1, 0, 1, 2]).hand(S1, [0, 0, 15, 0, 0]);
    assert_eq!(listed(&wool, Card::City, ActionFilter::Full), [[0, 0, 15, 0, 0]], "all five");
}

#[test]
fn sfc_41_one_group_replaces_one_card() {
    let scene = holding([0, 0, 6, 0, 0]);
    assert!(!scene.allows(build_for(Card::Road, [0, 0, 3, 0, 0])));
    assert!(!holding([0, 1, 6, 0, 0]).allows(build_for(Card::Road, [0, 1, 6, 0, 0])), "too many");
    assert!(!holding([0, 1, 4, 0, 0]).allows(build_for(Card::Road, [0, 1, 4, 0, 0])));
}

#[test]
fn sfc_41_a_card_that_is_held_may_be_replaced() {
    let scene = holding([1, 1, 3, 0, 0]);
    let ways = listed(&scene, Card::Road, ActionFilter::Full);
    assert_eq!(ways, [[1, 1, 0, 0, 0], [0, 1, 3, 0, 0], [1, 0, 3, 0, 0]]);
    assert_eq!(listed(&scene, Card::Road, ActionFilter::Plain), [[1, 1, 0, 0, 0]], "the usual one");
    let lacking = holding([0, 1, 3, 0, 3]);
    assert_eq!(listed(&lacking, Card::Road, ActionFilter::Plain).len(), 1, "a single one");
}

#[test]
fn sfc_41_three_of_the_required_kind_itself_are_allowed_and_not_listed() {
    let scene = holding([3, 1, 0, 0, 0]);
    assert_eq!(listed(&scene, Card::Road, ActionFilter::Full), [[1, 1, 0, 0, 0]]);
    assert!(scene.allows(build_for(Card::Road, [3, 1, 0, 0, 0])), "three brick for a brick");
    assert!(!scene.allows(build_for(Card::Road, [2, 1, 0, 0, 0])));
    let grain = holding([0, 0, 0, 4, 3]);
    assert!(grain.allows(build_for(Card::City, [0, 0, 0, 4, 3])), "three grain for one of two");
    assert!(grain.hand(S1, [0, 0, 3, 0, 0]).allows(build_for(Card::City, [0, 0, 3, 4, 2])));
}

/// The list has payments that replace or save up to six cards; more than the printed rules ever ask for.
#[test]
fn sfc_41_what_is_not_listed_is_not_payable() {
    let price = Price::new(Resources::new([7, 0, 0, 0, 0]));
    let groups = Resources::new([0, 6, 6, 6, 0]);
    assert!(price.ways(groups, 3, true).is_empty() && !price.is_payable(groups, 3, true));
    let with_brick = groups + Resources::new([1, 0, 0, 0, 0]);
    assert!(!price.ways(with_brick, 3, true).is_empty() && price.is_payable(with_brick, 3, true));
}

#[test]
fn sfc_41_the_rule_set_can_change_how_many_replace_one() {
    let at = |rate, counts| Scene::with(3, |rules| rules.substitution.rate = rate).hand(S1, counts);
    assert_eq!(at(2, [0, 1, 0, 0, 2]).listed_builds(), [Card::Road]);
    assert!(!at(2, [0, 1, 0, 0, 3]).allows(build_for(Card::Road, [0, 1, 0, 0, 3])));
    assert!(at(4, [0, 1, 0, 0, 3]).listed_builds().is_empty());
    assert_eq!(at(4, [0, 1, 0, 0, 4]).listed_builds(), [Card::Road]);
}

#[test]
fn sfc_72_a_university_saves_one_card_of_a_price() {
    let mut scene = university([0, 1, 0, 0, 0], |_| {});
    assert_eq!(listed(&scene, Card::Road, ActionFilter::Full), [[0, 1, 0, 0, 0]]);
    scene.play(build_for(Card::Road, [0, 1, 0, 0, 0]), &[]);
    assert_eq!((scene.in_front_of(S1).roads, scene.held(S1)), (2, [0; 5]));
    assert!(!holding([0, 1, 0, 0, 0]).allows(build_for(Card::Road, [0, 1, 0, 0, 0])), "others pay");
    assert!(university([0; 5], |_| {}).listed_builds().is_empty(), "one card, not two");
}

#[test]
fn sfc_72_any_required_card_and_no_other() {
    let scene = university([1, 1, 1, 1, 1], |_| {});
    let ways = listed(&scene, Card::Knight, ActionFilter::Full);
    assert_eq!(ways, [[0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [0, 0, 1, 0, 1], [0, 0, 1, 1, 0]]);
    assert_eq!(listed(&scene, Card::Knight, ActionFilter::Plain), ways, "they replace nothing");
    assert!(!scene.allows(build_for(Card::Knight, [0, 0, 0, 0, 1])), "two cards");
}

#[test]
fn sfc_72_it_need_not_be_used_and_stays_then() {
    let mut scene = university([1, 1, 1, 1, 0], |_| {});
    scene.play(build(Card::Road), &[]);
    assert!(scene.allows(build_for(Card::Knight, [0, 0, 1, 1, 0])), "an ore is saved");
}

#[test]
fn sfc_72_once_a_turn() {
    let mut scene = university([0, 1, 1, 1, 0], |_| {});
    scene.play(build_for(Card::Road, [0, 1, 0, 0, 0]), &[]);
    assert!(!scene.allows(build_for(Card::Knight, [0, 0, 1, 1, 0])));
    for _ in 0..3 {
        scene.end_turn(&[BRICK, BRICK]);
    }
    assert!(scene.allows(build_for(Card::Knight, [0, 0, 1, 1, 0])), "again in the next turn");
}

#[test]
fn sfc_72_the_rule_set_can_make_it_once_a_build() {
    let mut scene = university([0, 1, 1, 1, 0], |rules| rules.university.per = Per::Build);
    scene.play(build_for(Card::Road, [0, 1, 0, 0, 0]), &[]);
    assert!(!scene.allows(build_for(Card::Knight, [0, 0, 1, 0, 0])), "one card of each price");
    scene.play(build_for(Card::Knight, [0, 0, 1, 1, 0]), &[]);
}

#[test]
fn sfc_72_together_with_cards_that_replace_others() {
    // A road for three ore: one of its two cards is replaced, the other saved.
    let mut scene = university([0, 0, 0, 0, 3], |_| {});
    assert_eq!(listed(&scene, Card::Road, ActionFilter::Full), [[0, 0, 0, 0, 3]]);
    scene.play(build_for(Card::Road, [0, 0, 0, 0, 3]), &[]);
    assert!(scene.state.table.so_far.saved);
    // Three of the required kind replace the other card, and nothing is saved twice.
    assert!(!university([3, 0, 0, 0, 0], |_| {}).allows(build_for(Card::Road, [0; 5])));
    let replaced = build_for(Card::Road, [0, 1, 0, 0, 3]);
    let mut scene = university([0, 1, 0, 0, 3], |_| {});
    scene.play(replaced, &[]);
    assert!(!scene.state.table.so_far.saved, "the ore replaced the brick");
}

#[test]
fn sfc_72_it_saves_a_card_of_an_expansion_and_of_a_city() {
    let scene = university([0, 0, 3, 2, 2], |_| {});
    assert!(scene.allows(build_for(Card::Castle, [0, 0, 3, 0, 0])));
    assert!(scene.allows(build_for(Card::City, [0, 0, 0, 2, 2])));
}

/// Whether a payment is one of a price, by trying all that can be replaced and saved, card by card. A card of the price
/// takes one of the payment, or as many as the rate says; one that is saved takes none.
fn pays(price: [u8; 5], pay: [u8; 5], rate: u8, saves: bool) -> bool {
    let [due, paid] = [price, pay].map(|cards| cards.iter().sum::<u8>());
    if paid + u8::from(saves) < due || paid > due * rate {
        return false;
    }
    let Some(kind) = price.iter().position(|&count| count > 0) else {
        return pay == [0; 5];
    };
    let mut rest = price;
    rest[kind] -= 1;
    let less = |from: usize, count: u8| {
        let mut left = pay;
        left[from] = left[from].checked_sub(count)?;
        Some(left)
    };
    let replaced =
        || (0..5).any(|by| less(by, rate).is_some_and(|left| pays(rest, left, rate, saves)));
    less(kind, 1).is_some_and(|left| pays(rest, left, rate, saves))
        || replaced()
        || saves && pays(rest, pay, rate, false)
}

/// Hands of some cards, most kinds few.
fn hands(most: u8) -> impl Strategy<Value = [u8; 5]> {
    prop::array::uniform5(0..=most)
}

proptest! {
    #[test]
    fn sfc_41_and_72_a_payment_is_allowed_if_its_cards_can_be_accounted_for(
        price in hands(2), pay in hands(7), rate in 2_u8..5, saves: bool,
    ) {
        let allowed = Price::new(Resources::new(price)).saved(Resources::new(pay), rate);
        let fits = allowed == Some(false) || allowed == Some(true) && saves;
        prop_assert_eq!(fits, pays(price, pay, rate, saves));
    }

    #[test]
    fn sfc_41_and_72_ways_are_listed_if_there_are_any(
        price in hands(3), hand in hands(14), rate in 2_u8..5, saves: bool,
    ) {
        let (whole, cards) = (Price::new(Resources::new(price)), Resources::new(hand));
        let ways = whole.ways(cards, rate, saves);
        prop_assert_eq!(whole.is_payable(cards, rate, saves), !ways.is_empty());
        for (place, way) in ways.iter().enumerate() {
            prop_assert!(cards.covers(*way));
            let saved = whole.saved(*way, rate);
            prop_assert!(saved == Some(false) || saved == Some(true) && saves);
            prop_assert!(!ways[..place].contains(way));
        }
        // What can be paid at all can be paid without a pointless card: at most a group for each card.
        let few = price.iter().sum::<u8>() <= 3 && hand.iter().all(|&count| count < 7);
        if few {
            let all = (0..7_u32.pow(5)).map(|code| [0, 1, 2, 3, 4].map(|kind| {
                u8::try_from(code / 7_u32.pow(kind) % 7).unwrap()
            }));
            let payable = all.filter(|pay| (0..5).all(|kind| pay[kind] <= hand[kind]))
                .any(|pay| pays(price, pay, rate, saves));
            prop_assert_eq!(!ways.is_empty(), payable);
        }
    }
}
