//! Trade between players: OTR-30 to OTR-33.

use super::support::*;
use crate::core::game::{ActionFilter, Game};
use crate::core::types::seat::Seat;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::action::Action::{self, Accept, Decline, EndTurn, Refuse};
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::rules::{Rules, TradeOrder};
use crate::games::on_the_road::state::Phase;

const BRICK_1: [u8; 5] = [1, 0, 0, 0, 0];
const LUMBER_1: [u8; 5] = [0, 1, 0, 0, 0];
const WOOL_1: [u8; 5] = [0, 0, 1, 0, 0];
const ORE_1: [u8; 5] = [0, 0, 0, 0, 1];

/// Seat 1 has brick and lumber, the others have wool and ore.
fn market(change: impl FnOnce(&mut Rules)) -> Scene {
    Scene::with(4, change)
        .hand(S1, [3, 3, 0, 0, 0])
        .hand(S2, [0, 0, 3, 0, 3])
        .hand(S3, [0, 0, 3, 0, 3])
        .hand(S4, [0, 0, 3, 0, 3])
}

/// Seat 1 trades a brick for a wool of seat 2, who draws a grain.
fn trade_once(scene: &mut Scene) {
    scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), Accept]);
    scene.play(settle(S2), &[GRAIN]);
}

fn offers_are_open(scene: &Scene) -> bool {
    let open = scene.allows(offer(BRICK_1, ORE_1));
    assert_eq!(open, scene.offer_count() > 0, "the list and the rules agree");
    open
}

#[test]
fn otr_30_trade_and_build_come_in_any_order() {
    let mut scene = market(|_| {});
    scene.play(build(Card::Road), &[ROAD]);
    assert!(offers_are_open(&scene), "after a build");
    trade_once(&mut scene);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.held(S1), [0, 1, 1, 0, 0]);
}

#[test]
fn otr_30_there_is_one_trade_in_a_turn() {
    let mut scene = market(|_| {});
    assert!(offers_are_open(&scene));
    trade_once(&mut scene);
    assert!(!offers_are_open(&scene));
    scene.play(EndTurn, &[ORE; 4]);
    assert!(scene.allows(offer(WOOL_1, LUMBER_1)), "the next player has a trade of its own");
}

#[test]
fn otr_30_the_rule_set_can_ask_for_trade_before_builds() {
    let mut scene = market(|rules| rules.trade.order = TradeOrder::TradeFirst);
    assert!(offers_are_open(&scene));
    scene.play(build(Card::Road), &[ROAD]);
    assert!(!offers_are_open(&scene));
    scene.play(EndTurn, &[ORE; 4]);
    assert!(scene.allows(offer(WOOL_1, LUMBER_1)), "the next turn starts afresh");
}

#[test]
fn otr_31_the_cards_change_hands_in_any_numbers() {
    let mut scene = market(|_| {});
    scene.play_all(&[offer_to(S3, [3, 1, 0, 0, 0], WOOL_1), Accept]);
    scene.play(settle(S3), &[GRAIN]);
    assert_eq!(scene.held(S1), [0, 2, 1, 0, 0]);
    assert_eq!(scene.held(S3), [3, 1, 2, 1, 3], "and a grain drawn");
}

#[test]
fn otr_31_both_sides_give_at_least_one_card() {
    let mut scene = market(|_| {});
    assert!(!scene.allows(offer([0; 5], WOOL_1)));
    assert!(!scene.allows(offer(BRICK_1, [0; 5])));
    scene.play(offer(BRICK_1, WOOL_1), &[]);
    assert!(!scene.allows(counter([0; 5], BRICK_1)));
    assert!(!scene.allows(counter(WOOL_1, [0; 5])));
    assert!(scene.allows(counter(WOOL_1, BRICK_1)));
}

#[test]
fn otr_31_no_kind_stands_on_both_sides() {
    let mut scene = market(|_| {});
    assert!(!scene.allows(offer(BRICK_1, [1, 0, 1, 0, 0])));
    assert!(!scene.allows(offer([2, 1, 0, 0, 0], LUMBER_1)));
    scene.play(offer(BRICK_1, WOOL_1), &[]);
    assert!(!scene.allows(counter(WOOL_1, [1, 0, 1, 0, 0])));
}

#[test]
fn otr_31_who_proposes_holds_what_it_would_give() {
    let scene = market(|_| {});
    assert!(scene.allows(offer([3, 0, 0, 0, 0], WOOL_1)));
    assert!(!scene.allows(offer([4, 0, 0, 0, 0], WOOL_1)), "one brick more than held");
    assert!(!scene.allows(offer(ORE_1, WOOL_1)));
    assert!(scene.allows(offer(BRICK_1, [0, 0, 0, 9, 0])), "what is asked may be nowhere");
}

#[test]
fn otr_31_who_counters_holds_what_it_would_give() {
    let mut scene = market(|_| {});
    scene.play(offer(BRICK_1, WOOL_1), &[]);
    assert!(scene.allows(counter([0, 0, 0, 0, 3], LUMBER_1)));
    assert!(!scene.allows(counter([0, 0, 0, 0, 4], LUMBER_1)), "one ore more than held");
    assert!(!scene.allows(counter(LUMBER_1, BRICK_1)), "the other's cards are no gift of its own");
    assert!(scene.allows(counter(WOOL_1, [0, 0, 0, 5, 0])), "what is asked may be nowhere");
}

#[test]
fn otr_31_who_accepts_holds_what_is_asked() {
    let mut scene = market(|_| {});
    scene.play(offer(BRICK_1, [0, 0, 3, 0, 0]), &[]);
    assert!(scene.allows(Accept) && scene.lists(Accept));
    let mut scene = market(|_| {});
    scene.play(offer(BRICK_1, [0, 0, 4, 0, 0]), &[]);
    assert!(!scene.allows(Accept), "one wool short");
    assert!(scene.lists(Refuse));
}

#[test]
fn otr_31_a_trade_is_with_another_player_at_the_table() {
    let scene = market(|_| {});
    assert!(scene.allows(offer_to(S4, BRICK_1, WOOL_1)));
    assert!(!scene.allows(offer_to(S1, BRICK_1, WOOL_1)), "oneself");
    assert!(!scene.allows(offer_to(Seat::new(4), BRICK_1, WOOL_1)), "an empty chair");
}

#[test]
fn otr_31_the_rule_set_can_allow_proposals_of_cards_not_held() {
    let mut scene = market(|rules| rules.trade.bluff = true);
    assert!(scene.lists(offer(ORE_1, WOOL_1)));
    scene.play(offer([0, 0, 0, 9, 0], WOOL_1), &[]);
    assert!(!scene.allows(counter(BRICK_1, LUMBER_1)), "a counter must be held even so");
    scene.play_all(&[Accept, counter(WOOL_1, BRICK_1), Refuse]);
    assert!(!scene.allows(settle(S2)), "the current player holds no grain");
    assert_eq!(scene.listed(ActionFilter::Full), [Decline, settle(S3)]);
    let mut scene = market(|rules| rules.trade.bluff = true);
    scene.play(offer(BRICK_1, [0, 0, 0, 1, 0]), &[]);
    assert!(!scene.allows(Accept), "who accepts must hold it even so");
}

#[test]
fn otr_31_the_list_shows_offers_of_up_to_two_cards_a_side_unless_told_otherwise() {
    let hand =
        |most: u8| Scene::with(3, |rules| rules.trade.listed_max = most).hand(S1, [3, 0, 0, 0, 0]);
    // Four other kinds: 4 single cards, 10 pairs, 20 triples.
    for (most, offers) in [(0, 0), (1, 4), (2, 2 * 14), (3, 3 * 34)] {
        let scene = hand(most);
        assert_eq!(scene.offer_count(), offers, "{most} cards a side");
        assert!(scene.allows(offer([3, 0, 0, 0, 0], WOOL_1)), "longer offers stay legal");
    }
    let default = Scene::new(3).hand(S1, [3, 0, 0, 0, 0]);
    assert_eq!(default.offer_count(), 28);
    assert!(default.lists(offer([2, 0, 0, 0, 0], [0, 0, 1, 0, 1])));
    assert!(!default.lists(offer([3, 0, 0, 0, 0], WOOL_1)));
}

/// 15 bundles of one kind, 30 of two and 10 of three leave 34, 19 and 9 bundles to ask for.
#[test]
fn otr_31_the_longest_list_of_offers_fits() {
    let scene = market(|rules| {
        rules.trade.bluff = true;
        rules.trade.listed_max = 3;
    });
    assert_eq!(scene.offer_count(), 15 * 34 + 30 * 19 + 10 * 9);
    let beside = 1 + 8 + 8 * 20;
    assert_eq!(OnTheRoad::ACTIONS_MAX, beside + scene.offer_count());
}

#[test]
fn otr_32_those_asked_answer_in_turn_order_each_once() {
    let mut scene = market(|_| {}).turn_of(S3);
    scene.play(offer(ORE_1, BRICK_1), &[]);
    assert_eq!(scene.phase(), Phase::Answer(S4));
    scene.play(Refuse, &[]);
    assert_eq!(scene.phase(), Phase::Answer(S1));
    scene.play(Accept, &[]);
    assert_eq!(scene.phase(), Phase::Answer(S2));
    scene.play(Refuse, &[]);
    assert_eq!(scene.phase(), Phase::Choose, "then the current player chooses");
    assert_eq!(scene.listed(ActionFilter::Full), [Decline, settle(S1)]);
}

#[test]
fn otr_32_a_proposal_to_one_player_asks_nobody_else() {
    let mut scene = market(|_| {});
    scene.play(offer_to(S3, BRICK_1, WOOL_1), &[]);
    assert_eq!(scene.phase(), Phase::Answer(S3));
    scene.play(Accept, &[]);
    assert_eq!(scene.phase(), Phase::Choose);
    assert!(scene.allows(settle(S3)));
    assert!(!scene.allows(settle(S2)) && !scene.allows(settle(S4)));
}

#[test]
fn otr_32_the_current_player_chooses_one_of_the_answers_or_none() {
    let mut scene = market(|_| {});
    let more = counter(WOOL_1, [2, 0, 0, 0, 0]);
    scene.play_all(&[offer(BRICK_1, WOOL_1), Accept, Refuse, more]);
    assert_eq!(scene.listed(ActionFilter::Full), [Decline, settle(S2), settle(S4)]);
    assert!(!scene.allows(settle(S3)), "who refused is no partner");
    assert!(!scene.allows(settle(S1)) && !scene.allows(settle(Seat::new(4))));
    scene.play(settle(S4), &[GRAIN]);
    assert_eq!(scene.held(S1), [1, 3, 1, 0, 0], "two bricks for a wool, as countered");
    assert_eq!(scene.held(S4), [2, 0, 2, 1, 3]);
    assert_eq!(scene.held(S2), [0, 0, 3, 0, 3], "whose acceptance wasn't chosen");
}

#[test]
fn otr_32_a_counter_that_the_current_player_cannot_pay_is_not_to_be_chosen() {
    let mut scene = market(|_| {});
    let all_refuse_but_s2 = [Refuse, Refuse];
    scene.play_all(&[offer(BRICK_1, WOOL_1), counter(WOOL_1, [4, 0, 0, 0, 0])]);
    scene.play_all(&all_refuse_but_s2);
    assert!(!scene.allows(settle(S2)));
    assert_eq!(scene.listed(ActionFilter::Full), [Decline]);
}

#[test]
fn otr_32_a_counter_may_repeat_the_offer() {
    let mut scene = market(|_| {});
    scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), counter(WOOL_1, BRICK_1)]);
    scene.play(settle(S2), &[GRAIN]);
    assert_eq!(scene.held(S1), [2, 3, 1, 0, 0]);
}

#[test]
fn otr_32_a_refused_proposal_does_not_use_up_the_trade() {
    let mut scene = market(|_| {});
    scene.play_all(&[offer(BRICK_1, WOOL_1), Refuse, Refuse, Refuse]);
    assert_eq!(scene.phase(), Phase::Main, "there is nothing to choose from");
    assert!(offers_are_open(&scene));
    scene.play_all(&[offer(BRICK_1, WOOL_1), Refuse, Accept, Refuse, Decline]);
    assert_eq!(scene.phase(), Phase::Main);
    assert_eq!(scene.held(S1), [3, 3, 0, 0, 0], "none was taken");
    trade_once(&mut scene);
}

#[test]
fn otr_32_old_answers_say_nothing_about_a_new_proposal() {
    let mut scene = market(|_| {});
    scene.play_all(&[offer(BRICK_1, WOOL_1), Accept, Accept, Accept, Decline]);
    scene.play_all(&[offer_to(S3, BRICK_1, ORE_1), Accept]);
    assert_eq!(scene.listed(ActionFilter::Full), [Decline, settle(S3)]);
    scene.play_all(&[Decline, offer_to(S3, BRICK_1, ORE_1), Refuse]);
    assert_eq!(scene.phase(), Phase::Main);
}

#[test]
fn otr_32_three_proposals_a_turn() {
    let mut scene = market(|_| {});
    for _ in 0..3 {
        assert!(offers_are_open(&scene));
        scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), Refuse]);
    }
    assert!(!offers_are_open(&scene));
    assert!(scene.lists(build(Card::Road)) && scene.lists(EndTurn), "the turn goes on");
    scene.play(EndTurn, &[ORE; 4]);
    assert!(scene.allows(offer(WOOL_1, LUMBER_1)), "the next player has proposals of its own");
}

#[test]
fn otr_32_the_rule_set_can_change_the_number_of_proposals() {
    for most in [0, 1, 5] {
        let mut scene = market(|rules| rules.trade.proposals_max = most);
        for _ in 0..most {
            assert!(offers_are_open(&scene));
            scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), Refuse]);
        }
        assert!(!offers_are_open(&scene), "{most}");
    }
}

#[test]
fn otr_32_while_a_proposal_is_pending_nothing_else_is_done() {
    let others = [EndTurn, build(Card::Road), offer(BRICK_1, ORE_1), discard_wool(), settle(S2)];
    let mut scene = market(|_| {});
    assert!(!scene.allows(Accept) && !scene.allows(Refuse) && !scene.allows(Decline));
    assert!(!scene.allows(counter(BRICK_1, WOOL_1)) && !scene.allows(settle(S2)));
    scene.play(offer(BRICK_1, WOOL_1), &[]);
    assert!(others.into_iter().all(|action| !scene.allows(action)));
    assert!(!scene.allows(Decline));
    scene.play_all(&[Accept, Refuse, Refuse]);
    assert!(others[..4].iter().all(|&action| !scene.allows(action)));
    assert!(!scene.allows(Accept) && !scene.allows(Refuse));
}

fn discard_wool() -> Action {
    discard(crate::core::resources::Resource::Wool)
}

#[test]
fn otr_32_short_menus_leave_out_offers_and_counters() {
    let mut scene = market(|_| {});
    let no_offers = scene.listed(ActionFilter::NoOffers);
    assert!(no_offers.iter().all(|action| matches!(action, EndTurn | Action::Build { .. })));
    assert_eq!(scene.listed(ActionFilter::Plain), [EndTurn, build(Card::Road)]);
    scene.play(offer(BRICK_1, WOOL_1), &[]);
    for filter in [ActionFilter::Plain, ActionFilter::NoOffers] {
        assert_eq!(scene.listed(filter), [Refuse, Accept]);
    }
    // Wool, ore, both, or two of one: wanted are 3, 9 with pairs, of the kinds not given.
    let counters = scene.listed(ActionFilter::Full).len() - 2;
    assert_eq!(counters, 2 * 14 + 2 * 14 + 9);
}

#[test]
fn otr_33_the_partner_draws_one_card_and_the_current_player_none() {
    let mut scene = market(|_| {});
    scene.play_all(&[offer(BRICK_1, [0, 0, 3, 0, 2]), Refuse, Accept, Accept]);
    scene.play(settle(S3), &[GRAIN]);
    assert_eq!(scene.hand_sizes(), [6 - 1 + 5, 6, 6 + 1 - 5 + 1, 6]);
    assert_eq!(scene.held(S3), [1, 0, 0, 1, 1], "one card, however many were traded");
}

#[test]
fn otr_33_the_partner_of_a_counter_draws_too() {
    let mut scene = market(|_| {});
    scene.play_all(&[offer_to(S4, BRICK_1, WOOL_1), counter(ORE_1, LUMBER_1)]);
    scene.play(settle(S4), &[GRAIN]);
    assert_eq!(scene.held(S4), [0, 1, 3, 1, 2]);
    assert_eq!(scene.held(S1), [3, 2, 0, 0, 1]);
    assert_eq!(scene.phase(), Phase::Main);
}
