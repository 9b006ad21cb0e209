//! Points and the end of a match: OTR-80 to OTR-82.

use super::support::*;
use crate::core::game::{ActionFilter, End, Game, Turn};
use crate::core::types::by_seat::BySeat;
use crate::core::types::seat::Seat;
use crate::games::on_the_road::action::Action::{self, EndTurn};
use crate::games::on_the_road::cards::{Card, Hand};
use crate::games::on_the_road::rules::{Rules, Side};
use crate::games::on_the_road::state::{Area, Phase};

const WON: Phase = Phase::Over(End::Won);

/// Six points: three cities.
const SIX: Area = Area { settlements: 0, cities: 3, ..START };

#[track_caller]
fn assert_won(scene: &Scene, seat: Seat) {
    assert_eq!(scene.phase(), WON);
    assert_eq!(scene.game.turn(&scene.state), Turn::Over);
    let outcome = scene.game.outcome(&scene.state);
    assert_eq!((outcome.end, outcome.winner), (End::Won, Some(seat)));
    assert_eq!(outcome.points[..3], scene.points());
    assert!(scene.listed(ActionFilter::Full).is_empty(), "nothing is left to do");
    assert!(!scene.allows(EndTurn));
}

#[test]
fn otr_80_settlements_1_cities_2_metropolises_3_and_bonus_cards_2() {
    let one = |area: Area| Scene::new(3).area(S1, area).points()[0];
    assert_eq!(one(Area { settlements: 3, ..START }), 3);
    assert_eq!(one(Area { settlements: 0, cities: 2, ..START }), 4);
    assert_eq!(one(Area { settlements: 0, metropolises: ROADS_BIT | ROUTE_BIT, ..START }), 6);
    assert_eq!(one(Area { roads: 2, knights: 1, ..START }), 1, "roads and knights count nothing");
    let all = Area { settlements: 2, cities: 2, metropolises: ARMY_BIT, roads: 3, knights: 2 };
    assert_eq!(Scene::new(3).area(S1, all).route(S1).army(S1).points(), [2 + 4 + 3 + 4, 1, 1]);
}

#[test]
fn otr_81_seven_points_win_at_once_and_nothing_is_drawn_or_refilled() {
    let mut scene = Scene::new(3).area(S1, SIX).hand(S1, FOR_SETTLEMENT);
    scene.play(build(Card::Settlement), &[]);
    assert_won(&scene, S1);
    assert_eq!(scene.points(), [7, 1, 1]);
    assert_eq!(scene.state.table.events.count_ones(), 7, "no event");
    assert_eq!(scene.row_size(), 4, "no new card in the row");
}

#[test]
fn otr_81_six_points_do_not_win() {
    let area = Area { settlements: 1, cities: 2, ..START };
    let mut scene = Scene::new(3).area(S1, area).hand(S1, FOR_SETTLEMENT);
    scene.play(build(Card::Settlement), &[ROBBER, ROAD]);
    assert_eq!((scene.points()[0], scene.phase()), (6, Phase::Main));
}

/// Seat 1 gets its third point.
#[test]
fn otr_81_a_list_says_how_many_points_each_seat_needs() {
    let third = |needed: [u8; 3]| {
        let area = Area { settlements: 2, ..START };
        Scene::with(3, |rules| rules.points_to_win = BySeat::list(&needed))
            .area(S1, area)
            .hand(S1, FOR_SETTLEMENT)
    };
    let mut wins = third([3, 7, 7]);
    wins.play(build(Card::Settlement), &[]);
    assert_won(&wins, S1);
    let mut not_yet = third([7, 3, 3]);
    not_yet.play(build(Card::Settlement), &[ROBBER, ROAD]);
    assert_eq!((not_yet.points()[0], not_yet.phase()), (3, Phase::Main));
}

#[test]
fn otr_81_longest_route_can_win_with_more_than_seven() {
    let area = Area { roads: 2, ..SIX };
    let mut scene = Scene::new(3).area(S1, area).hand(S1, [1, 1, 0, 0, 0]);
    scene.play(build(Card::Road), &[]);
    assert_won(&scene, S1);
    assert_eq!(scene.points(), [8, 1, 1]);
}

#[test]
fn otr_81_a_winning_metropolis_draws_nothing() {
    let area = Area { settlements: 4, cities: 1, roads: 2, knights: 1, ..START };
    for card in [Card::MetropolisRoads, Card::MetropolisKnights] {
        let mut scene = Scene::side_b(3).area(S1, area).hand(S1, [0, 0, 3, 0, 1]);
        scene.play(build(card), &[]);
        assert_won(&scene, S1);
        assert_eq!(scene.held(S1), [0; 5]);
    }
}

#[test]
fn otr_81_a_tie_effect_can_win_at_once() {
    let area = Area { settlements: 2, cities: 1, roads: 3, ..START };
    let mut scene = Scene::side_b(3)
        .area(S1, area)
        .area(S2, Area { roads: 3, ..START })
        .route(S2)
        .hand(S1, [0, 0, 3, 0, 1]);
    scene.play(build(Card::MetropolisRoute), &[]);
    assert_won(&scene, S1);
    assert_eq!(scene.points(), [2 + 3 + 2, 1, 1]);
}

#[test]
fn otr_81_the_rule_set_can_change_the_target() {
    let build_to_seven = |target: u8| {
        let mut scene = Scene::with(3, |rules| rules.points_to_win = target.into())
            .area(S1, SIX)
            .hand(S1, FOR_SETTLEMENT);
        scene.play(build(Card::Settlement), if target <= 7 { &[] } else { &[ROBBER, ROAD] });
        scene.phase()
    };
    assert_eq!(build_to_seven(7), WON);
    assert_eq!(build_to_seven(8), Phase::Main);
    assert_eq!(build_to_seven(5), WON, "checked after a build");
}

#[test]
fn otr_81_nobody_wins_on_the_turn_of_another() {
    let rich = Area { settlements: 1, cities: 3, ..START };
    let mut scene = Scene::new(3).area(S2, rich).turn_of(S3).hand(S3, [1, 1, 0, 0, 0]);
    assert_eq!(scene.points(), [1, 7, 1]);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!(scene.phase(), Phase::Main);
    scene.play(EndTurn, &[WOOL, WOOL, WOOL]);
    assert_eq!((scene.state.table.current, scene.phase()), (S1, Phase::Main));
    scene.play(EndTurn, &[]);
    assert_won(&scene, S2);
    assert_eq!(scene.hand_sizes(), [1, 1, 1, 0], "before the harvest of its own turn");
}

/// A tie effect that waits for the next build can act on another's turn.
#[test]
fn otr_81_points_gained_on_another_turn_win_when_the_own_turn_starts() {
    let change = |rules: &mut Rules| {
        rules.side = Side::B;
        rules.metropolis.tie_at_once = false;
    };
    let area = Area { settlements: 2, roads: 3, metropolises: ROUTE_BIT, ..START };
    let mut scene = Scene::with(3, change)
        .turn_of(S3)
        .area(S1, area)
        .area(S2, Area { roads: 3, ..START })
        .route(S2)
        .hand(S3, [1, 1, 0, 0, 0]);
    scene.play(build(Card::Road), &[ROAD]);
    assert_eq!((scene.points(), scene.phase()), (vec![7, 1, 1], Phase::Main));
    scene.play(EndTurn, &[]);
    assert_won(&scene, S1);
}

#[test]
fn otr_82_the_turn_limit_ends_a_match_without_a_winner() {
    let mut scene = Scene::with(3, |rules| rules.turns_max = 2);
    scene.play(EndTurn, &[WOOL; 3]);
    assert_eq!((scene.phase(), scene.state.table.turn), (Phase::Main, 2));
    scene.play(EndTurn, &[]);
    assert_eq!(scene.phase(), Phase::Over(End::TurnLimit), "no third harvest");
    let outcome = scene.game.outcome(&scene.state);
    assert_eq!((outcome.end, outcome.winner), (End::TurnLimit, None));
    assert_eq!(outcome.points[..3], [1, 1, 1]);
    assert_eq!(outcome.seats, 3);
    assert!(scene.listed(ActionFilter::Full).is_empty());
}

#[test]
fn otr_82_the_limit_is_200_turns_unless_told_otherwise() {
    for (turn, over) in [(199, false), (200, true)] {
        let mut scene = Scene::new(3);
        scene.state.table.turn = turn;
        scene.play(EndTurn, if over { &[] } else { &[WOOL; 3] });
        assert_eq!(scene.phase() == Phase::Over(End::TurnLimit), over, "turn {turn}");
    }
}

/// Seat 3 holds everything, and the match ends after some turns of plain passing.
fn stuck(players: u8, turns: u16) -> Scene {
    Scene::with(players, |rules| rules.turns_max = turns).pile([0; 5], S3)
}

#[test]
fn otr_82_a_full_round_without_a_moving_card_is_a_standstill() {
    for (players, turns, end) in [
        (3, 2, End::TurnLimit),
        (3, 3, End::Standstill),
        (3, 5, End::Standstill),
        (4, 3, End::TurnLimit),
        (4, 4, End::Standstill),
    ] {
        let mut scene = stuck(players, turns);
        for _ in 0..turns {
            assert_eq!(scene.phase(), Phase::Main);
            scene.play(EndTurn, &[]);
        }
        assert_eq!(scene.phase(), Phase::Over(end), "{players} players, {turns} turns");
        assert_eq!(scene.game.outcome(&scene.state).winner, None);
    }
}

/// All wool is in the hand of seat 1, everything else in that of seat 3, who is to move in turn 3.
fn third_turn(turns: u16) -> Scene {
    const WOOLS: u64 = 0x3fff << 22;
    let mut scene = stuck(3, turns);
    scene.state.hands[0] = Hand::of(WOOLS);
    scene.state.hands[2] = Hand::of(scene.state.hands[2].cards() & !WOOLS);
    scene.play_all(&[EndTurn, EndTurn]);
    scene
}

#[test]
fn otr_82_a_trade_puts_a_standstill_off() {
    for (turns, end) in [(3, End::TurnLimit), (5, End::TurnLimit), (6, End::Standstill)] {
        let mut scene = third_turn(turns);
        let offer = offer_to(S1, [1, 0, 0, 0, 0], [0, 0, 1, 0, 0]);
        scene.play_all(&[offer, Action::Accept, settle(S1)]);
        for _ in 3..=turns {
            scene.play(EndTurn, &[]);
        }
        assert_eq!(scene.phase(), Phase::Over(end), "the trade in turn 3 of {turns}");
    }
}

#[test]
fn otr_82_talk_without_a_trade_does_not() {
    let mut scene = third_turn(3);
    let offer = offer_to(S1, [1, 0, 0, 0, 0], [0, 0, 1, 0, 0]);
    scene.play_all(&[offer, Action::Accept, Action::Decline, EndTurn]);
    assert_eq!(scene.phase(), Phase::Over(End::Standstill));
}

#[test]
fn otr_82_a_build_puts_a_standstill_off() {
    let mut scene = third_turn(3);
    scene.play(build(Card::Road), &[ROAD]);
    scene.play(EndTurn, &[]);
    assert_eq!(scene.phase(), Phase::Over(End::TurnLimit));
}

#[test]
fn otr_82_a_harvest_puts_a_standstill_off() {
    let mut scene = Scene::with(3, |rules| rules.turns_max = 4).pile([2, 0, 0, 0, 0], S3);
    scene.play(EndTurn, &[BRICK, BRICK]);
    scene.play_all(&[EndTurn, EndTurn, EndTurn]);
    assert_eq!(scene.phase(), Phase::Over(End::TurnLimit), "cards moved in turn 2 of 4");
}
