//! The neutral players: TWO-1, TWO-7, TWO-8, TWO-13, TWO-14.

use super::support::*;
use crate::core::chance::{Scripted, ScriptedChance};
use crate::core::game::{Game, Turn};
use crate::core::types::seat::Seat;
use crate::games::two_player::state::Owed;
use crate::parts::island::cards::Card;
use crate::parts::island::state::Phase;
use crate::parts::places::Edge;

#[test]
fn two_1_neutral_players_get_nothing_and_have_no_turn() {
    // Vertex 11 is at pastures with 2 and 4 and at hills with 6.
    let mut scene = Scene::new().before_rolls();
    let bank = scene.state.island.table.bank;
    scene.play(ROLL, &[dice(&[6])]);
    scene.play(ROLL, &[dice(&[4])]);
    assert_eq!(scene.state.island.table.bank, bank);
    assert_eq!((scene.held(N3), scene.held(N4)), ([0; 5], [0; 5]));
    scene.play(END_TURN, &[]);
    assert_eq!(scene.game.turn(&scene.state), Turn::Decide(S2));
    scene.play(ROLL, &[dice(&[2])]);
    scene.play(ROLL, &[dice(&[7])]);
    assert!(scene.allows(robber(1, None)), "there is nobody to rob at seat 3's settlement");
    scene.play_all(&[robber(1, None), END_TURN]);
    assert_eq!(scene.game.turn(&scene.state), Turn::Decide(S1));
}

#[test]
fn two_1_a_neutral_settlement_shares_no_scarce_cards_and_opens_no_harbour() {
    let scene = Scene::new().neutral(N3, 0);
    assert_eq!(scene.state.island.table.rates[N3.idx()], [4; 5]);
    assert_eq!(scene.state.island.table.pieces.yields[0].total(), 0);
}

#[test]
fn two_7_a_road_brings_one_for_a_neutral_player_of_ones_choice() {
    let scene = Scene::new().settlement(S1, 0).hand(S1, FOR_ROAD);
    let mut other = scene.clone();
    let mut scene = scene;
    scene.play(road(0, 1), &[]);
    assert_eq!(scene.owed(), Owed::Road);
    assert_eq!(scene.game.turn(&scene.state), Turn::Decide(S1));
    assert!(!scene.allows(END_TURN), "straight afterwards");
    // Three edges at each neutral settlement.
    assert_eq!(scene.listed().len(), 6);
    assert!(!scene.allows(neutral_road(N3, 42, 43)), "a road of one at the other's settlement");
    assert!(!scene.allows(neutral_road(S2, 11, 12)), "the opponent is not neutral");
    scene.play(neutral_road(N3, 11, 12), &[]);
    assert_eq!(scene.held(S1), [0; 5], "for nothing");
    assert_eq!(scene.state.island.table.pieces.nets[N3.idx()].roads.len(), 1);
    assert!(scene.allows(END_TURN));
    other.play_all(&[road(0, 1), neutral_road(N4, 42, 43), END_TURN]);
}

#[test]
fn two_7_a_settlement_brings_one_where_a_neutral_player_can_have_it() {
    let mut scene = Scene::new()
        .roads(S1, &[0, 1, 2])
        .roads(N3, &[11, 21, 22])
        .roads(N4, &[42, 41, 40])
        .hand(S1, FOR_SETTLEMENT);
    scene.play(settlement(0), &[]);
    assert_eq!(scene.owed(), Owed::Settlement);
    let due = [neutral_settlement(N3, 22), neutral_settlement(N4, 40)];
    assert_eq!(scene.listed(), due, "at its own road, keeping the distance");
    scene.play(due[0], &[]);
    assert_eq!(scene.held(S1), [0; 5]);
    assert_eq!(scene.state.island.table.pieces.nets[N3.idx()].settlements.len(), 2);
    assert!(scene.allows(END_TURN));
}

#[test]
fn two_7_a_road_comes_where_no_neutral_player_can_have_a_settlement() {
    let mut scene = Scene::new().roads(S1, &[0, 1, 2]).hand(S1, FOR_SETTLEMENT);
    scene.play(settlement(0), &[]);
    assert_eq!(scene.owed(), Owed::Road);
    scene.play(neutral_road(N4, 42, 32), &[]);
    // Five settlements are all that there are.
    let all = Scene::new().neutral(N3, 4).neutral(N3, 6).neutral(N3, 25).neutral(N3, 46);
    let mut scene = all.roads(N3, &[11, 21, 22]).roads(S1, &[0, 1, 2]).hand(S1, FOR_SETTLEMENT);
    scene.play(settlement(0), &[]);
    assert_eq!(scene.owed(), Owed::Road, "seat 3 has no settlement left, seat 4 no road");
}

/// The supply of fifteen roads runs out for one, then for both.
#[test]
fn two_14_without_a_place_for_a_road_nothing_is_built() {
    let fifteen = |seat, from: u8| -> Vec<(Seat, u8)> {
        (from..from + 15).map(|edge| (seat, edge)).collect()
    };
    let scene = Scene::new().settlement(S1, 36).hand(S1, [2, 2, 0, 0, 0]);
    let lay = |mut scene: Scene, roads: Vec<(Seat, u8)>| {
        let map = scene.game.island().map();
        for (seat, edge) in roads {
            scene.table().pieces.lay_road(map, seat, Edge::new(edge));
        }
        let island = scene.game.island().clone();
        island.award_route(scene.table());
        scene
    };
    let mut one = lay(scene.clone(), fifteen(N3, 0));
    one.play(road(36, 46), &[]);
    assert_eq!(one.owed(), Owed::Road);
    assert!(one.listed().iter().all(|action| action.to_string().contains("seat 4")));
    let both = [fifteen(N3, 0), fifteen(N4, 15)].concat();
    let mut both = lay(scene, both);
    both.play_all(&[road(36, 46), END_TURN]);
}

#[test]
fn two_8_a_neutral_player_may_hold_longest_road() {
    let mut scene = Scene::new()
        .settlement(S1, 53)
        .roads(N3, &[11, 12, 4, 3, 2])
        .roads(S2, &[47, 48, 49, 50, 51])
        .hand(S1, FOR_ROAD);
    scene.play(road(53, 52), &[]);
    scene.play(neutral_road(N3, 2, 1), &[]);
    assert_eq!(scene.route(), Some(N3));
    // It takes more than five to get it from there.
    let mut scene = scene.hand(S2, [2, 2, 0, 0, 0]);
    scene.table().active = S2;
    scene.table().current = S2;
    scene.play_all(&[road(47, 39), neutral_road(N4, 42, 43)]);
    assert_eq!((scene.route(), scene.points(S2)), (Some(N3), 0));
    scene.play(road(39, 40), &[]);
    assert_eq!((scene.route(), scene.points(S2)), (Some(S2), 2));
}

#[test]
fn two_8_a_neutral_settlement_that_cuts_a_road_may_win_the_match() {
    // Seat 2 holds Longest Road with six roads, seat 1 has five.
    let mut scene = Scene::with(|rules| rules.points_to_win = 5.into())
        .roads(S2, &[0, 1, 2, 3, 4, 5, 6])
        .roads(S1, &[47, 48, 49, 50, 51, 52])
        .roads(N3, &[11, 10, 2])
        .settlement(S1, 47)
        .settlement(S1, 52)
        .hand(S1, FOR_SETTLEMENT);
    assert_eq!(scene.route(), Some(S2));
    scene.play(settlement(50), &[]);
    assert!(!scene.is_won());
    scene.play(neutral_settlement(N3, 2), &[]);
    assert_eq!(scene.route(), Some(S1));
    assert!(scene.is_won());
}

#[test]
fn two_13_nothing_follows_founding_a_city_or_a_purchase() {
    let game = game_with(|_| {});
    let state = game.deal(&mut ScriptedChance::default());
    let mut founding = Scene { game, state };
    founding.play_all(&[settlement(0), road(0, 1)]);
    assert_eq!(founding.owed(), Owed::Nothing);
    assert_eq!(founding.game.turn(&founding.state), Turn::Decide(S2));
    let mut scene = Scene::new().settlement(S1, 0).hand(S1, FOR_CITY).hand(S1, FOR_CARD);
    scene.play(city(0), &[]);
    assert_eq!(scene.owed(), Owed::Nothing);
    scene.play(BUY, &[Scripted::Kind(0)]);
    assert_eq!(scene.owed(), Owed::Nothing);
}

#[test]
fn two_13_each_road_of_road_building_brings_one() {
    let mut scene = Scene::new().settlement(S1, 0).cards(S1, Card::RoadBuilding, 1);
    scene.play_all(&[ROAD_BUILDING, road(0, 1)]);
    assert_eq!(scene.owed(), Owed::Road);
    scene.play(neutral_road(N3, 11, 12), &[]);
    assert_eq!(scene.state.island.table.phase, Phase::FreeRoads(1));
    scene.play(road(1, 2), &[]);
    assert_eq!(scene.owed(), Owed::Road);
    scene.play(neutral_road(N3, 12, 13), &[]);
    assert_eq!(scene.state.island.table.phase, Phase::Act);
}

#[test]
fn two_13_who_stops_after_one_free_road_spares_the_neutral_player_one() {
    let mut scene = Scene::new().settlement(S1, 0).cards(S1, Card::RoadBuilding, 1);
    scene.play_all(&[ROAD_BUILDING, road(0, 1)]);
    assert!(!scene.allows(STOP), "the neutral road is due first");
    scene.play(neutral_road(N3, 11, 12), &[]);
    scene.play(STOP, &[]);
    assert_eq!(scene.owed(), Owed::Nothing);
    assert_eq!(scene.state.island.table.phase, Phase::Act);
    let roads = |seat: Seat| scene.state.island.table.pieces.nets[seat.idx()].roads.len();
    assert_eq!([S1, N3].map(roads), [1, 1]);
}

/// The only place for the second free road goes to the neutral player.
#[test]
fn two_13_a_neutral_road_may_take_the_last_place_for_a_free_one() {
    let mut scene = Scene::new().settlement(S1, 0).neutral(N3, 2).roads(S2, &[0, 8]).cards(
        S1,
        Card::RoadBuilding,
        1,
    );
    scene.play_all(&[ROAD_BUILDING, road(0, 1)]);
    assert_eq!(scene.state.island.table.phase, Phase::FreeRoads(1));
    scene.play(neutral_road(N3, 2, 1), &[]);
    assert_eq!(scene.state.island.table.phase, Phase::Act);
    assert!(scene.allows(END_TURN));
}

#[test]
fn two_7_a_build_that_wins_brings_nothing() {
    let mut scene = Scene::with(|rules| rules.points_to_win = 3.into())
        .settlement(S1, 53)
        .settlement(S1, 51)
        .roads(S1, &[0, 1, 2])
        .hand(S1, FOR_SETTLEMENT);
    scene.play(settlement(0), &[]);
    assert!(scene.is_won());
    assert_eq!(scene.owed(), Owed::Nothing);
}
