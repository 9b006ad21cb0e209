//! Trade with players and with the bank: BASE-30 to BASE-35.

use super::support::*;
use crate::core::game::ActionFilter;
use crate::core::resources::Resource::{self, Brick, Grain, Lumber, Ore, Wool};
use crate::core::types::seat::Seat;
use crate::parts::island::action::Action::{self, Accept, Decline, EndTurn, Refuse};
use crate::parts::island::legal::DEALS_MAX;
use crate::parts::island::state::Phase;

const BRICK_1: [u8; 5] = [1, 0, 0, 0, 0];
const WOOL_1: [u8; 5] = [0, 0, 1, 0, 0];
const ORE_1: [u8; 5] = [0, 0, 0, 0, 1];

/// Seat 1 has brick and lumber, the others have wool and ore.
fn market() -> Scene {
    let scene = Scene::new(4).hand(S1, [3, 3, 0, 0, 0]);
    [S2, S3, S4].into_iter().fold(scene, |scene, seat| scene.hand(seat, [0, 0, 3, 0, 3]))
}

#[test]
fn base_30_the_current_player_trades_as_often_as_it_likes() {
    let mut scene = market();
    for _ in 0..3 {
        scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), Accept, settle(S2)]);
    }
    assert_eq!((scene.held(S1), scene.held(S2)), ([0, 3, 3, 0, 0], [3, 0, 0, 0, 3]));
    assert!(scene.allows(offer([0, 1, 0, 0, 0], ORE_1)));
    scene.state.table.so_far.deals = DEALS_MAX;
    assert!(!scene.allows(offer([0, 1, 0, 0, 0], ORE_1)), "a match must end");
}

#[test]
fn base_30_others_never_trade_among_themselves() {
    let mut scene = market();
    scene.play_all(&[offer(BRICK_1, WOOL_1), Accept, Accept, Accept]);
    assert_eq!(scene.state.table.current, S1);
    assert!(!scene.allows(settle(S1)), "oneself is no partner");
    assert!(!scene.allows(offer_to(S1, BRICK_1, WOOL_1)));
    assert!(!market().allows(offer_to(Seat::new(4), BRICK_1, WOOL_1)), "an empty chair");
}

#[test]
fn base_31_both_sides_give_and_no_kind_stands_on_both() {
    let mut scene = market();
    assert!(!scene.allows(offer([0; 5], WOOL_1)) && !scene.allows(offer(BRICK_1, [0; 5])));
    assert!(!scene.allows(offer(BRICK_1, [1, 0, 1, 0, 0])));
    assert!(!scene.allows(offer([4, 0, 0, 0, 0], WOOL_1)), "one brick more than held");
    assert!(scene.allows(offer([3, 2, 0, 0, 0], [0, 0, 9, 9, 9])), "in any numbers");
    scene.play(offer(BRICK_1, WOOL_1), &[]);
    assert!(!scene.allows(counter([0; 5], BRICK_1)) && !scene.allows(counter(WOOL_1, [0; 5])));
    assert!(!scene.allows(counter(WOOL_1, [1, 0, 1, 0, 0])));
    assert!(!scene.allows(counter([0, 0, 4, 0, 0], BRICK_1)), "one wool more than held");
    assert!(scene.allows(counter([0, 0, 2, 0, 1], [1, 1, 0, 0, 0])));
}

#[test]
fn base_31_short_menus_leave_out_offers() {
    let mut scene = market();
    let offers = |scene: &Scene| scene.count(|action| matches!(action, Action::Offer { .. }));
    // Brick, lumber, two of one or one of each; of what is not given, 4 or 3 kinds in ones and twos.
    assert_eq!(offers(&scene), 4 * 14 + 9);
    for filter in [ActionFilter::Plain, ActionFilter::NoOffers] {
        assert!(!scene.list(filter).iter().any(|action| matches!(action, Action::Offer { .. })));
    }
    scene.play(offer(BRICK_1, WOOL_1), &[]);
    assert_eq!(scene.list(ActionFilter::NoOffers), [Refuse, Accept]);
    assert_eq!(scene.listed().len(), 2 + 4 * 14 + 9);
}

#[test]
fn base_32_counters_are_taken_or_not() {
    let mut scene = market();
    let more = counter(WOOL_1, [2, 0, 0, 0, 0]);
    scene.play_all(&[offer(BRICK_1, WOOL_1), Refuse, more, Refuse]);
    assert_eq!(scene.listed(), [Decline, settle(S3)]);
    scene.play(settle(S3), &[]);
    assert_eq!((scene.held(S1), scene.held(S3)), ([1, 3, 1, 0, 0], [2, 0, 2, 0, 3]));
    scene.play_all(&[offer(BRICK_1, WOOL_1), counter(WOOL_1, [2, 0, 0, 0, 0]), Refuse, Refuse]);
    assert_eq!(scene.phase(), Phase::Choose);
    assert_eq!(scene.listed(), [Decline], "a counter that can't be paid is not to be chosen");
}

#[test]
fn base_33_four_alike_for_one_of_the_bank() {
    let mut scene = Scene::new(3).hand(S1, [4, 3, 0, 0, 0]);
    let trades = scene.count(|action| matches!(action, Action::BankTrade { .. }));
    assert_eq!(trades, 4, "brick for each other kind");
    scene.play(bank(Brick, Ore), &[]);
    assert_eq!((scene.held(S1), scene.in_bank()), ([0, 3, 0, 0, 1], [19, 16, 19, 19, 18]));
}

#[test]
fn base_33_harbours_make_it_cheaper() {
    // 3:1 at vertex 0, grain at 3, brick at 28.
    let rates = |vertices: &[u8]| {
        let scene = Scene::new(3);
        let scene = vertices.iter().fold(scene, |scene, &at| scene.settlement(S1, at));
        scene.state.table.rates[S1.idx()]
    };
    assert_eq!(rates(&[20]), [4; 5]);
    assert_eq!(rates(&[0]), [3; 5]);
    assert_eq!(rates(&[3]), [4, 4, 4, 2, 4], "no 3:1 for others");
    assert_eq!(rates(&[28, 0]), [2, 3, 3, 3, 3]);
    let mut scene = Scene::new(3).settlement(S1, 28).hand(S1, [2, 3, 0, 0, 0]);
    assert!(!scene.allows(bank(Lumber, Ore)));
    scene.play(bank(Brick, Wool), &[]);
    assert_eq!(scene.held(S1), [0, 3, 1, 0, 0]);
}

#[test]
fn base_33_the_bank_must_have_the_card() {
    let scene = Scene::new(3).hand(S1, [4, 0, 0, 0, 0]).bank([15, 19, 19, 0, 19], S2);
    assert!(!scene.allows(bank(Brick, Grain)) && scene.allows(bank(Brick, Ore)));
    assert!(!scene.allows(bank(Brick, Brick)));
}

#[test]
fn base_34_only_resource_cards_can_be_named_in_a_trade() {
    // Offers, counters and trades with the bank are made of resources: nothing else can be written.
    let kinds = Resource::ALL.map(Resource::name);
    assert_eq!(kinds, ["brick", "lumber", "wool", "grain", "ore"]);
    let other = r#"{"do":"offer","to":0,"give":{"knight":1},"want":{"ore":1}}"#;
    assert!(serde_json::from_str::<Action>(other).is_err());
}

#[test]
fn base_35_those_asked_answer_in_turn_order_each_once() {
    let mut scene = market().turn_of(S3);
    scene.play(offer(ORE_1, BRICK_1), &[]);
    assert_eq!(scene.phase(), Phase::Answer(S4));
    scene.play(Refuse, &[]);
    assert_eq!(scene.phase(), Phase::Answer(S1));
    assert!(!scene.allows(EndTurn) && !scene.allows(settle(S1)));
    scene.play(Accept, &[]);
    assert_eq!(scene.phase(), Phase::Answer(S2));
    assert!(!scene.allows(Accept), "who accepts must hold what is asked");
    scene.play(Refuse, &[]);
    assert_eq!(scene.listed(), [Decline, settle(S1)]);
    let mut scene = market();
    scene.play_all(&[offer_to(S3, BRICK_1, WOOL_1), Accept]);
    assert_eq!(scene.listed(), [Decline, settle(S3)], "a proposal to one player asks nobody else");
}

#[test]
fn base_35_refused_proposals_are_limited_and_trades_are_not() {
    let mut scene = market();
    scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), Refuse]);
    scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), Accept, settle(S2)]);
    scene.play_all(&[offer_to(S2, BRICK_1, WOOL_1), Accept, Decline]);
    assert!(scene.allows(offer_to(S2, BRICK_1, WOOL_1)), "two came to nothing");
    scene.play_all(&[offer(BRICK_1, WOOL_1), Refuse, Refuse, Refuse]);
    assert!(!scene.allows(offer_to(S2, BRICK_1, WOOL_1)));
    assert_eq!(scene.count(|action| matches!(action, Action::Offer { .. })), 0);
    let none = Scene::with(3, |rules| rules.trade.proposals_max = 0).hand(S1, [3, 0, 0, 0, 0]);
    assert!(!none.allows(offer(BRICK_1, WOOL_1)));
    assert!(none.lists(EndTurn) && !none.allows(bank(Ore, Wool)));
}
