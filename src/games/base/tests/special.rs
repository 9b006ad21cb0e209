//! Longest Road, Largest Army, scoring and the end: BASE-60 to BASE-73, BASE-81.

use super::support::*;
use crate::core::game::{End, Game};
use crate::core::resources::Resource;
use crate::core::types::by_seat::BySeat;
use crate::core::types::seat::Seat;
use crate::parts::island::action::Action::{self, EndTurn, Knight, Roll};
use crate::parts::island::cards::Card;
use crate::parts::island::rules::AfterTurn;
use crate::parts::island::state::{Phase, Stage};

/// Along the north shore, five roads.
const FIVE: [u8; 6] = [0, 1, 2, 3, 4, 5];
/// Along the south shore, five roads.
const SOUTH: [u8; 6] = [47, 48, 49, 50, 51, 52];

fn route(scene: &Scene) -> (Option<Seat>, u8) {
    (scene.state.table.route, scene.state.table.route_length)
}

#[test]
fn base_60_the_first_road_of_five_takes_it() {
    let mut scene = Scene::new(3).roads(S1, &FIVE[..5]).hand(S1, FOR_ROAD);
    assert_eq!(route(&scene), (None, 0));
    scene.play(road(4, 5), &[]);
    assert_eq!(route(&scene), (Some(S1), 5));
    assert_eq!(scene.points(S1), 2);
}

#[test]
fn base_60_another_needs_a_longer_one() {
    let mut scene =
        Scene::new(3).roads(S1, &FIVE).roads(S2, &SOUTH[..5]).hand(S2, [2, 2, 0, 0, 0]).turn_of(S2);
    scene.play(road(51, 52), &[]);
    assert_eq!(route(&scene), (Some(S1), 5), "a tie changes nothing");
    scene.play(road(52, 53), &[]);
    assert_eq!(route(&scene), (Some(S2), 6));
    assert_eq!((scene.points(S1), scene.points(S2)), (0, 2));
}

#[test]
fn base_60_branches_do_not_add_up_and_rings_do() {
    let mut scene =
        Scene::new(3).roads(S1, &[19, 20, 21, 22]).roads(S1, &[20, 31]).hand(S1, [3, 3, 0, 0, 0]);
    scene.play(road(21, 11), &[]);
    assert_eq!(route(&scene), (None, 0), "five roads, three in a line");
    // Around the desert: 20 21 22 33 32 31.
    scene.play_all(&[road(22, 33), road(32, 33)]);
    assert_eq!(route(&scene), (Some(S1), 5), "31 20 21 22 33 32");
    let mut scene = scene.hand(S1, FOR_ROAD);
    scene.play(road(31, 32), &[]);
    assert_eq!(route(&scene).1, 7, "the ring and one branch");
}

#[test]
fn base_60_anothers_building_breaks_it_and_an_own_one_does_not() {
    let scene = Scene::new(3).settlement(S1, 2).roads(S1, &FIVE);
    assert_eq!(route(&scene), (Some(S1), 5));
    let scene = Scene::new(3).settlement(S2, 2).roads(S1, &FIVE[..3]).roads(S1, &FIVE[2..]);
    assert_eq!(route(&scene), (None, 0), "two and three");
}

/// Seat 2 settles at vertex 2 and so cuts the road of seat 1.
fn cut(scene: Scene) -> Scene {
    let mut scene = scene.roads(S2, &[10, 2]).hand(S2, FOR_SETTLEMENT).turn_of(S2);
    scene.play(settlement(2), &[]);
    scene
}

#[test]
fn base_61_a_cut_holder_below_five_loses_it() {
    let scene = cut(Scene::new(3).roads(S1, &FIVE));
    assert_eq!(route(&scene), (None, 0));
    assert_eq!(scene.points(S1), 0);
}

#[test]
fn base_61_a_cut_holder_that_is_still_longest_keeps_it() {
    let line = [0, 1, 2, 3, 4, 5, 6, 14];
    let scene = cut(Scene::new(3).roads(S1, &line));
    assert_eq!(route(&scene), (Some(S1), 5));
    let tied = cut(Scene::new(3).roads(S1, &line).roads(S3, &SOUTH));
    assert_eq!(route(&tied), (Some(S1), 5), "among the longest");
}

#[test]
fn base_61_a_sole_longest_takes_it_from_a_cut_holder() {
    let scene = cut(Scene::new(3).roads(S1, &[0, 1, 2, 3, 4, 5, 6]).roads(S3, &SOUTH));
    assert_eq!(route(&scene), (Some(S3), 5));
}

#[test]
fn base_61_a_tie_without_the_holder_sets_it_aside_until_one_is_alone() {
    let west = [28, 38, 39, 40, 41, 42];
    let scene = Scene::new(4).roads(S1, &[0, 1, 2, 3, 4, 5, 6]).roads(S3, &SOUTH).roads(S4, &west);
    let mut scene = cut(scene);
    assert_eq!(route(&scene), (None, 5));
    scene = scene.hand(S4, FOR_ROAD).turn_of(S4);
    scene.play(road(28, 29), &[]);
    assert_eq!(route(&scene), (Some(S4), 6));
}

#[test]
fn base_60_longest_road_may_win_in_the_middle_of_road_building() {
    let mut scene = Scene::new(3).roads(S1, &FIVE[..5]).cards(S1, Card::RoadBuilding, 1);
    for at in [16, 18, 20, 40] {
        scene = scene.city(S1, at);
    }
    assert_eq!(scene.points(S1), 8);
    scene.play_all(&[Action::RoadBuilding, road(4, 5)]);
    assert!(scene.is_won());
}

#[test]
fn base_62_the_first_three_knights_take_it_and_another_needs_more() {
    let mut scene = Scene::new(3).knights(S1, 2).cards(S1, Card::Knight, 1);
    scene.play_all(&[Knight, robber(0, None)]);
    assert_eq!(scene.state.table.army, Some(S1));
    assert_eq!(scene.points(S1), 2);
    let rival = |knights| {
        let scene = Scene::new(3).knights(S1, 3).army(S1).knights(S2, knights);
        let mut scene = scene.cards(S2, Card::Knight, 1).turn_of(S2);
        scene.play_all(&[Knight, robber(0, None)]);
        scene.state.table.army
    };
    assert_eq!(rival(2), Some(S1), "as many are not enough");
    assert_eq!(rival(3), Some(S2));
    let mut early = Scene::new(3).knights(S1, 1).cards(S1, Card::Knight, 1);
    early.play(Knight, &[]);
    assert_eq!(early.state.table.army, None, "two are not enough");
}

/// Seat 1 with 8 points in four cities.
fn eight(scene: Scene) -> Scene {
    [0, 2, 4, 6].into_iter().fold(scene, |scene, at| scene.city(S1, at))
}

#[test]
fn base_70_points_by_source() {
    let scene = Scene::new(3).settlement(S1, 16).city(S1, 20).roads(S1, &SOUTH).knights(S1, 3);
    let scene = scene.army(S1).cards(S1, Card::VictoryPoint, 2);
    assert_eq!(scene.points(S1), 1 + 2 + 2 + 2 + 2);
}

#[test]
fn base_70_ten_points_on_the_own_turn_win_at_once() {
    let mut scene =
        eight(Scene::new(3)).settlement(S1, 16).roads(S1, &[47, 48]).hand(S1, FOR_SETTLEMENT);
    scene.play(settlement(47), &[]);
    assert!(scene.is_won());
    let outcome = scene.game.outcome(&scene.state);
    assert_eq!((outcome.end, outcome.winner), (End::Won, Some(S1)));
    assert_eq!(scene.listed(), []);
}

#[test]
fn base_70_the_target_is_a_field() {
    let mut scene = Scene::with(3, |rules| rules.points_to_win = 3.into())
        .settlement(S1, 16)
        .settlement(S1, 0)
        .hand(S1, FOR_CITY);
    scene.play(city(0), &[]);
    assert!(scene.is_won());
}

#[test]
fn base_70_a_list_says_how_many_points_each_seat_needs() {
    for (needed, wins) in [([3, 10, 10], true), ([10, 3, 3], false)] {
        let mut scene = Scene::with(3, |rules| rules.points_to_win = BySeat::list(&needed))
            .settlement(S1, 16)
            .settlement(S1, 0)
            .hand(S1, FOR_CITY);
        scene.play(city(0), &[]);
        assert_eq!((scene.points(S1), scene.is_won()), (3, wins));
    }
}

#[test]
fn base_70_who_reaches_ten_on_anothers_turn_wins_when_its_own_comes() {
    // Seat 2 cuts the road of seat 3, and Longest Road falls to seat 1.
    let scene = eight(Scene::new(3)).roads(S1, &SOUTH).roads(S3, &[7, 17, 18, 19, 9, 10, 11]);
    let mut scene = scene.roads(S2, &[20, 19]).hand(S2, FOR_SETTLEMENT).turn_of(S2);
    scene.play(settlement(19), &[]);
    assert_eq!(scene.points(S1), 10);
    assert!(!scene.is_won());
    scene.play_all(&[EndTurn]);
    scene.play(Roll, &[dice(2)]);
    scene.play(EndTurn, &[]);
    assert!(scene.is_won(), "before its roll");
    assert_eq!(scene.game.outcome(&scene.state).winner, Some(S1));
}

#[test]
fn base_71_the_five_parts_sum_to_the_points() {
    let scene = eight(Scene::new(3)).settlement(S1, 16).roads(S2, &SOUTH).knights(S3, 4).army(S3);
    let scene = scene.cards(S2, Card::VictoryPoint, 3);
    for seat in [S1, S2, S3] {
        let table = &scene.state.table;
        let net = &table.pieces.nets[seat.idx()];
        let parts = [
            net.settlements.len(),
            2 * net.cities.len(),
            2 * u8::from(table.route == Some(seat)),
            2 * u8::from(table.army == Some(seat)),
            scene.state.cards[seat.idx()][Card::VictoryPoint.idx()],
        ];
        assert_eq!(parts.iter().sum::<u8>(), scene.points(seat));
    }
    scene.game.check(&scene.state);
}

#[test]
fn base_72_the_others_are_ranked_by_all_their_points() {
    let mut scene = eight(Scene::new(4)).settlement(S1, 16).hand(S1, FOR_CARD);
    scene = scene.settlement(S2, 20).settlement(S3, 22).settlement(S4, 40).city(S4, 42);
    scene = scene.cards(S2, Card::VictoryPoint, 2);
    scene.play(Action::Buy, &[card(Card::VictoryPoint)]);
    let outcome = scene.game.outcome(&scene.state);
    assert_eq!(outcome.points[..4], [10, 3, 1, 3]);
    assert_eq!(outcome.ranks_doubled()[..4], [2, 5, 8, 5], "equals share a rank");
}

#[test]
fn base_73_a_match_at_its_turn_limit_has_no_winner() {
    let mut scene = Scene::with(2, |rules| rules.turns_max = 2);
    scene.play(EndTurn, &[]);
    scene.play(Roll, &[dice(2)]);
    scene.play(EndTurn, &[]);
    assert_eq!(scene.phase(), Phase::Over(End::TurnLimit));
    assert_eq!(scene.game.outcome(&scene.state).winner, None);
}

/// Five or six at the large island, after the roll of seat 1's first turn.
fn large(players: u8, after_turn: AfterTurn) -> Scene {
    let game = game_with(players, |rules| rules.extension.after_turn = after_turn);
    let mut chance =
        crate::core::chance::RandomChance::new(crate::core::seed::BlockSeed::new(5, 0));
    let mut state = game.deal(&mut chance);
    (state.table.turn, state.table.stage, state.table.phase) = (1, Stage::Main, Phase::Act);
    Scene { game, state }
}

#[test]
fn base_81_after_a_turn_every_other_player_may_build_but_not_trade_or_play() {
    let mut scene = large(5, AfterTurn::Special).settlement(S2, 0).hand(S2, [5, 5, 5, 5, 5]).cards(
        S2,
        Card::Knight,
        1,
    );
    scene.play(EndTurn, &[]);
    let table = &scene.state.table;
    assert_eq!((table.active, table.current, table.stage), (S2, S1, Stage::Special));
    assert!(scene.allows(city(0)) && scene.allows(Action::Buy));
    assert!(!scene.allows(Knight) && !scene.allows(bank(Resource::Brick, Resource::Ore)));
    assert!(!scene.allows(offer([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])));
    scene.play(Action::Buy, &[card(Card::Monopoly)]);
    for number in 2..=5 {
        assert_eq!(scene.state.table.active.number(), number);
        scene.play(EndTurn, &[]);
    }
    let table = &scene.state.table;
    assert_eq!((table.active, table.turn, table.stage), (S2, 2, Stage::Roll));
    assert!(scene.allows(Action::Monopoly { kind: Resource::Ore }), "bought on another's turn");
}

#[test]
fn base_81_ten_points_in_the_special_phase_win_on_the_own_turn_only() {
    let mut scene = large(5, AfterTurn::Special).hand(S2, FOR_CITY);
    for at in [0, 2, 4] {
        scene = scene.city(S2, at);
    }
    let mut scene = scene.settlement(S2, 6).settlement(S2, 16).settlement(S2, 72);
    scene.play_all(&[EndTurn, city(6)]);
    assert_eq!(scene.points(S2), 10);
    assert!(!scene.is_won());
    scene.play_all(&[EndTurn; 4]);
    assert!(scene.is_won());
    assert_eq!(scene.game.outcome(&scene.state).winner, Some(S2));
}

#[test]
fn base_81_paired_players_trade_with_the_bank_build_play_a_card_and_may_win() {
    let mut scene = large(6, AfterTurn::Paired).settlement(S4, 0).hand(S4, [4, 0, 0, 2, 3]).cards(
        S4,
        Card::Knight,
        1,
    );
    scene.play(EndTurn, &[]);
    let table = &scene.state.table;
    assert_eq!((table.active, table.current, table.stage), (S4, S1, Stage::Paired));
    assert!(scene.allows(bank(Resource::Brick, Resource::Ore)));
    assert!(scene.allows(city(0)) && scene.allows(Knight));
    assert!(!scene.allows(offer([1, 0, 0, 0, 0], [0, 0, 0, 0, 1])) && !scene.allows(Roll));
    for at in [2, 4, 6] {
        scene = scene.city(S4, at);
    }
    scene = scene.cards(S4, Card::VictoryPoint, 2);
    scene.play(city(0), &[]);
    assert!(scene.is_won());
    assert_eq!(scene.game.outcome(&scene.state).winner, Some(S4));
    let mut next = large(5, AfterTurn::Paired);
    next.play_all(&[EndTurn, EndTurn]);
    assert_eq!((next.state.table.active, next.state.table.turn), (S2, 2));
}

#[test]
fn base_81_three_and_four_have_no_such_phase() {
    let mut scene = Scene::new(4);
    scene.play(EndTurn, &[]);
    assert_eq!(scene.state.table.stage, Stage::Roll);
}
