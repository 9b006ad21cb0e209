//! The two rolls: TWO-5, TWO-6.

use super::support::*;
use crate::core::game::{Game, Turn};
use crate::core::resources::Resource;
use crate::games::two_player::action::Action;
use crate::parts::island::action;
use crate::parts::island::cards::Card;
use crate::parts::island::state::{Phase, Stage};

fn stage(scene: &Scene) -> Stage {
    scene.state.island.table.stage
}

#[test]
fn two_5_both_rolls_pay_and_the_second_ends_the_rolling() {
    // Forest with 11 and hills with 6 around 20; the desert is the third.
    let mut scene = Scene::new().settlement(S1, 20).before_rolls();
    scene.play(ROLL, &[dice(&[11])]);
    assert_eq!(scene.held(S1), [0, 1, 0, 0, 0]);
    assert_eq!(stage(&scene), Stage::Roll, "one more roll");
    assert!(!scene.allows(END_TURN));
    scene.play(ROLL, &[dice(&[6])]);
    assert_eq!(scene.held(S1), [1, 1, 0, 0, 0], "hills with 6");
    assert_eq!(stage(&scene), Stage::Main);
    assert!(!scene.allows(ROLL));
    scene.play(END_TURN, &[]);
    assert_eq!(scene.game.turn(&scene.state), Turn::Decide(S2));
    assert_eq!(stage(&scene), Stage::Roll);
}

#[test]
fn two_5_the_second_roll_shows_another_sum() {
    for (first, due) in [(6, [0, 1, 0, 0, 0]), (11, [1, 0, 0, 0, 0])] {
        let mut scene = Scene::new().settlement(S1, 20).before_rolls();
        scene.play(ROLL, &[dice(&[first])]);
        let before = scene.held(S1);
        // The dice may show 6 or 11; one of them has been rolled.
        scene.play(ROLL, &[dice(&[6, 11])]);
        let more: Vec<u8> = scene.held(S1).iter().zip(before).map(|(now, was)| now - was).collect();
        assert_eq!(more, due, "after {first}");
    }
    // The next turn begins afresh.
    let mut scene = Scene::new().before_rolls();
    scene.play(ROLL, &[dice(&[6])]);
    scene.play(ROLL, &[dice(&[8])]);
    scene.play(END_TURN, &[]);
    scene.play(ROLL, &[dice(&[8])]);
}

#[test]
fn two_5_a_seven_moves_the_robber_before_the_second_roll() {
    let mut scene = Scene::new()
        .settlement(S2, 0)
        .hand(S1, [2, 2, 2, 2, 0])
        .hand(S2, [0, 0, 0, 0, 1])
        .before_rolls();
    scene.play(ROLL, &[dice(&[7])]);
    for card in [Resource::Brick, Resource::Lumber, Resource::Wool, Resource::Grain] {
        scene.play(Action::Island(action::Action::Discard { card }), &[]);
    }
    assert!(!scene.allows(ROLL));
    scene.play(robber(0, Some(S2)), &[stolen(Resource::Ore)]);
    assert_eq!((stage(&scene), scene.state.island.table.phase), (Stage::Roll, Phase::Act));
    scene.play(ROLL, &[dice(&[7, 10])]);
    assert_eq!(scene.held(S2), [0; 5], "the robber stands on the mountains with 10");
    assert_eq!(stage(&scene), Stage::Main);
}

#[test]
fn two_6_a_knight_or_a_token_action_may_come_between_the_rolls() {
    let scene = Scene::new().cards(S1, Card::Knight, 1).tokens([1, 0]).robber_on(0).before_rolls();
    let mut with_knight = scene.clone();
    with_knight.play(ROLL, &[dice(&[4])]);
    with_knight.play_all(&[KNIGHT, robber(3, None)]);
    with_knight.play(ROLL, &[dice(&[4, 5])]);
    assert_eq!(stage(&with_knight), Stage::Main);
    let mut with_token = scene;
    with_token.play(ROLL, &[dice(&[4])]);
    assert!(with_token.allows(Action::RobberHome));
    with_token.play_all(&[Action::RobberHome]);
    assert_eq!(with_token.state.island.table.robber.number(), DESERT);
    with_token.play(ROLL, &[dice(&[4, 5])]);
}
