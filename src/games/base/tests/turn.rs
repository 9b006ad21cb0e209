//! The turn, the roll and the 7: BASE-20 to BASE-25.

use super::support::*;
use crate::core::resources::Resource::{Brick, Grain, Lumber, Ore, Wool};
use crate::parts::island::action::Action::{self, EndTurn, Knight, Roll};
use crate::parts::island::cards::Card;
use crate::parts::island::rules::{Order, Shortage, Steal};
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::Hex;

#[test]
fn base_20_before_the_roll_there_is_nothing_but_the_roll_and_a_card() {
    let scene = Scene::new(3).settlement(S1, 0).hand(S1, [9, 9, 9, 9, 9]).before_roll();
    assert_eq!(scene.listed(), [Roll]);
    assert_eq!(scene.cards(S1, Card::Knight, 1).listed(), [Roll, Knight]);
}

#[test]
fn base_20_mixed_turns_trade_and_build_in_any_order() {
    let mut scene = Scene::new(3).roads(S1, &[0, 1]).hand(S1, [5, 1, 0, 0, 0]);
    scene.play(road(1, 2), &[]);
    assert!(scene.allows(bank(Brick, Ore)));
    assert!(scene.allows(offer([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])));
    scene.play(bank(Brick, Lumber), &[]);
    let mut harbour = Scene::new(3).roads(S1, &[2, 1]).hand(S1, [1, 1, 4, 1, 0]);
    harbour.play(settlement(1), &[]);
    assert!(harbour.allows(bank(Wool, Ore)), "a harbour serves at once");
}

#[test]
fn base_20_strict_turns_trade_before_they_build() {
    let strict = || Scene::with(3, |rules| rules.order = Order::Strict).roads(S1, &[2, 1]);
    let builds = [
        (road(2, 3), [5, 1, 0, 0, 0]),
        (settlement(1), [5, 1, 1, 1, 0]),
        (Action::Buy, [4, 0, 1, 1, 1]),
    ];
    for (build, hand) in builds {
        let mut scene = strict().hand(S1, hand);
        assert!(scene.allows(bank(Brick, Wool)));
        let luck = if build == Action::Buy { vec![card(Card::Monopoly)] } else { vec![] };
        scene.play(build, &luck);
        assert!(!scene.allows(bank(Brick, Wool)), "after {build}");
        assert!(!scene.allows(offer([1, 0, 0, 0, 0], [0, 0, 1, 0, 0])));
        scene.play(EndTurn, &[]);
        scene.play(Roll, &[dice(2)]);
        assert!(scene.game.may_trade(&scene.state.table), "the next turn starts afresh");
    }
}

#[test]
fn base_20_strict_turns_make_a_new_harbour_wait() {
    let mut scene = Scene::with(3, |rules| rules.order = Order::Strict)
        .roads(S1, &[2, 1])
        .hand(S1, [4, 1, 1, 1, 0]);
    scene.play(settlement(1), &[]);
    assert!(!scene.allows(bank(Brick, Ore)));
    for _ in 0..3 {
        scene.play(EndTurn, &[]);
        scene.play(Roll, &[dice(2)]);
    }
    assert!(scene.allows(bank(Brick, Ore)), "three for one from the next own turn");
}

#[test]
fn base_21_one_card_a_turn_before_the_roll_or_after_it() {
    let held = || Scene::new(3).cards(S1, Card::Knight, 1).cards(S1, Card::Monopoly, 1);
    let mut scene = held().before_roll();
    scene.play_all(&[Knight, robber(0, None)]);
    assert_eq!(scene.state.table.stage, Stage::Roll, "the roll is still to come");
    assert_eq!(scene.listed(), [Roll]);
    scene.play(Roll, &[dice(2)]);
    assert_eq!(scene.listed(), [EndTurn], "one card a turn");
    let mut scene = held();
    scene.play(Action::Monopoly { kind: Ore }, &[]);
    assert!(!scene.allows(Knight));
}

#[test]
fn base_21_a_card_bought_this_turn_waits() {
    let mut scene = Scene::new(2).hand(S1, [0, 0, 1, 1, 1]);
    scene.play(Action::Buy, &[card(Card::Knight)]);
    assert!(!scene.allows(Knight));
    scene.play(EndTurn, &[]);
    scene.play(Roll, &[dice(2)]);
    scene.play(EndTurn, &[]);
    assert!(scene.allows(Knight), "before the roll of the next turn");
    let mut scene = Scene::new(2).hand(S1, [0, 0, 1, 1, 1]).cards(S1, Card::Knight, 1);
    scene.play(Action::Buy, &[card(Card::Knight)]);
    assert!(scene.allows(Knight), "an older one of the kind does not wait");
}

#[test]
fn base_22_settlements_yield_one_and_cities_two_unless_the_robber_is_there() {
    // Vertex 20: hills 6, forest 11, desert. Vertex 11: pasture 2, hills 6, pasture 4.
    let scene = || Scene::new(3).settlement(S1, 20).city(S2, 11).before_roll();
    let mut rolled = scene();
    rolled.play(Roll, &[dice(6)]);
    assert_eq!((rolled.held(S1), rolled.held(S2)), ([1, 0, 0, 0, 0], [2, 0, 0, 0, 0]));
    assert_eq!(rolled.in_bank(), [16, 19, 19, 19, 19]);
    assert_eq!(rolled.state.table.stage, Stage::Main);
    let mut blocked = scene();
    blocked.state.table.robber = Hex::new(4);
    blocked.play(Roll, &[dice(6)]);
    assert_eq!((blocked.held(S1), blocked.held(S2)), ([0; 5], [0; 5]));
    blocked.state.table.stage = Stage::Roll;
    blocked.play(Roll, &[dice(11)]);
    assert_eq!(blocked.held(S1), [0, 1, 0, 0, 0], "other hexes yield");
}

#[test]
fn base_23_what_several_claim_and_the_bank_lacks_nobody_gets() {
    let mut scene =
        Scene::new(3).settlement(S1, 20).city(S2, 11).bank([2, 19, 19, 19, 19], S3).before_roll();
    scene.play(Roll, &[dice(6)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([0; 5], [0; 5]));
    let mut exact =
        Scene::new(3).settlement(S1, 20).city(S2, 11).bank([3, 19, 19, 19, 19], S3).before_roll();
    exact.play(Roll, &[dice(6)]);
    assert_eq!((exact.held(S1)[0], exact.held(S2)[0]), (1, 2));
}

#[test]
fn base_23_a_sole_claimant_gets_what_is_left() {
    for (shortage, left) in [(Shortage::Sole, 1), (Shortage::Nobody, 0)] {
        let mut scene = Scene::with(3, |rules| rules.shortage = shortage)
            .city(S2, 11)
            .bank([1, 19, 19, 19, 19], S3)
            .before_roll();
        scene.play(Roll, &[dice(6)]);
        assert_eq!(scene.held(S2), [left, 0, 0, 0, 0]);
    }
}

#[test]
fn base_24_a_seven_halves_large_hands_in_secret_until_all_have_chosen() {
    let mut scene = Scene::new(3)
        .settlement(S1, 20)
        .hand(S1, [4, 0, 0, 0, 5])
        .hand(S2, [7, 0, 0, 0, 0])
        .hand(S3, [0, 8, 0, 0, 0])
        .turn_of(S2)
        .before_roll();
    scene.play(Roll, &[dice(7)]);
    assert_eq!(scene.held(S1), [4, 0, 0, 0, 5], "a 7 yields nothing");
    assert_eq!(scene.phase(), Phase::Discard { seat: S3, owed: 4 }, "from the roller clockwise");
    scene.play_all(&[discard(Lumber); 4]);
    assert_eq!(scene.phase(), Phase::Discard { seat: S1, owed: 4 }, "half of 9, rounded down");
    assert_eq!(scene.held(S3), [0, 8, 0, 0, 0], "nothing is shown before all have chosen");
    scene.play_all(&[discard(Brick), discard(Brick), discard(Brick)]);
    assert_eq!(scene.listed(), [discard(Brick), discard(Ore)]);
    scene.play(discard(Brick), &[]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([0, 0, 0, 0, 5], [7, 0, 0, 0, 0]));
    assert_eq!(scene.held(S3), [0, 4, 0, 0, 0]);
    assert_eq!(scene.phase(), Phase::Robber);
}

#[test]
fn base_24_the_robber_moves_and_steals_one_card() {
    let mut scene = Scene::new(3)
        .settlement(S2, 20)
        .city(S3, 10)
        .settlement(S1, 12)
        .hand(S1, [1, 0, 0, 0, 0])
        .hand(S2, [0, 2, 0, 0, 1])
        .cards(S2, Card::Monopoly, 1)
        .before_roll();
    scene.play(Roll, &[dice(7)]);
    assert!(!scene.allows(robber(DESERT, None)), "another hex");
    assert!(!scene.allows(robber(4, None)), "it must steal where it can");
    assert!(!scene.allows(robber(4, Some(S3))), "an empty hand");
    assert!(!scene.allows(robber(5, Some(S1))), "oneself");
    assert!(scene.allows(robber(1, None)), "nobody to rob");
    assert_eq!(scene.listed().len(), 18, "one way to each other hex");
    scene.play(robber(4, Some(S2)), &[stolen(Ore)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([1, 0, 0, 0, 1], [0, 2, 0, 0, 0]));
    assert_eq!(scene.state.table.robber, Hex::new(4));
    assert!(scene.allows(EndTurn), "the turn goes on");
}

#[test]
fn base_24_the_robber_may_go_back_to_the_desert() {
    let mut scene = Scene::new(3).before_roll();
    scene.state.table.robber = Hex::new(0);
    scene.play(Roll, &[dice(7)]);
    assert!(scene.allows(robber(DESERT, None)));
}

#[test]
fn base_24_the_rule_set_can_leave_stealing_to_the_player_and_spare_the_weak() {
    let scene = |spares_below| {
        let mut scene = Scene::with(3, |rules| {
            rules.robber.steal = Steal::May;
            rules.robber.spares_below = spares_below;
        })
        .settlement(S2, 20)
        .hand(S2, [1, 0, 0, 0, 0])
        .before_roll();
        scene.play(Roll, &[dice(7)]);
        scene
    };
    assert!(scene(0).allows(robber(4, None)) && scene(0).allows(robber(4, Some(S2))));
    assert!(!scene(2).allows(robber(4, None)) && scene(1).allows(robber(4, None)));
}

/// Seat 2 is at every hex but the desert, where the robber stands.
#[test]
fn base_24_where_the_weak_are_everywhere_the_robber_comes_and_takes_nothing() {
    let mut scene = Scene::with(3, |rules| rules.robber.spares_below = 10);
    for vertex in [9, 12, 24, 29, 41] {
        scene = scene.settlement(S2, vertex);
    }
    let mut scene = scene.city(S2, 44).hand(S2, [1, 0, 0, 0, 0]).before_roll();
    scene.play(Roll, &[dice(7)]);
    assert_eq!(scene.count(|action| matches!(action, Action::Robber { victim: None, .. })), 18);
    assert_eq!(scene.listed().len(), 18);
}

#[test]
fn base_24_the_rule_set_can_change_what_is_safe() {
    let mut scene =
        Scene::with(3, |rules| rules.robber.hand_limit = 9).hand(S2, [9, 0, 0, 0, 0]).before_roll();
    scene.play(Roll, &[dice(7)]);
    assert_eq!(scene.phase(), Phase::Robber);
}

#[test]
fn base_25_a_knight_makes_nobody_discard() {
    let mut scene = Scene::new(3).hand(S1, [9, 0, 0, 0, 0]).hand(S2, [0, 0, 0, 9, 0]).cards(
        S1,
        Card::Knight,
        1,
    );
    scene.play(Knight, &[]);
    assert_eq!(scene.phase(), Phase::Robber);
    scene.play(robber(0, None), &[]);
    assert_eq!((scene.held(S1)[0], scene.held(S2)[Grain.idx()]), (9, 9));
}
