//! Development cards: BASE-50 to BASE-55.

use super::support::*;
use crate::core::game::ActionFilter;
use crate::core::resources::Resource::{self, Brick, Grain, Ore, Wool};
use crate::parts::island::action::Action::{self, EndTurn, Knight, RoadBuilding};
use crate::parts::island::cards::Card;
use crate::parts::island::state::{Phase, Stage};

fn plenty(first: Resource, second: Option<Resource>) -> Action {
    Action::YearOfPlenty { first, second }
}

fn is_plenty(action: Action) -> bool {
    matches!(action, Action::YearOfPlenty { .. })
}

#[test]
fn base_50_a_knight_moves_the_robber_steals_and_stays_face_up() {
    let mut scene = Scene::new(3)
        .settlement(S2, 20)
        .hand(S2, [0, 1, 0, 0, 0])
        .cards(S1, Card::Knight, 1)
        .before_roll();
    scene.play(Knight, &[]);
    assert!(!scene.allows(robber(DESERT, None)), "another hex");
    scene.play(robber(4, Some(S2)), &[stolen(Resource::Lumber)]);
    assert_eq!((scene.held(S1), scene.held(S2)), ([0, 1, 0, 0, 0], [0; 5]));
    assert_eq!(scene.state.table.knights[0], 1);
    assert_eq!(scene.state.cards[0], [0; 5]);
    assert_eq!(scene.state.table.stage, Stage::Roll);
}

#[test]
fn base_51_road_building_lays_two_free_roads() {
    let mut scene = Scene::new(3).settlement(S1, 20).cards(S1, Card::RoadBuilding, 1);
    scene.play(RoadBuilding, &[]);
    assert_eq!(scene.phase(), Phase::FreeRoads(2));
    assert_eq!(scene.listed(), [road(19, 20), road(20, 21), road(20, 31), Action::Stop]);
    scene.play(road(20, 21), &[]);
    assert!(scene.allows(road(21, 22)), "the second may go on from the first");
    assert!(!scene.allows(EndTurn));
    scene.play(road(21, 22), &[]);
    assert_eq!(scene.phase(), Phase::Act);
    assert_eq!(scene.state.table.pieces.nets[0].roads.len(), 2);
}

#[test]
fn base_51_its_player_may_stop_before_either_road() {
    for (stage, laid) in [(Stage::Main, 0), (Stage::Main, 1), (Stage::Roll, 0), (Stage::Roll, 1)] {
        let mut scene = Scene::new(3).settlement(S1, 20).cards(S1, Card::RoadBuilding, 1);
        assert!(!scene.allows(Action::Stop), "there is nothing to stop");
        scene.state.table.stage = stage;
        scene.play(RoadBuilding, &[]);
        if laid == 1 {
            scene.play(road(20, 21), &[]);
        }
        scene.play(Action::Stop, &[]);
        assert_eq!((scene.phase(), scene.state.table.stage), (Phase::Act, stage));
        assert_eq!(scene.state.table.pieces.nets[0].roads.len(), laid);
        assert!(!scene.allows(RoadBuilding) && !scene.allows(Action::Stop));
        assert_eq!(scene.state.cards[0], [0; 5], "the card is played all the same");
    }
}

#[test]
fn base_51_road_building_lays_fewer_where_pieces_or_places_run_out() {
    let line = [0, 1, 2, 3, 4, 5, 6, 14, 15, 25, 26, 37, 36, 46, 45];
    let mut scene = Scene::new(3).roads(S1, &line).cards(S1, Card::RoadBuilding, 2);
    scene.play_all(&[RoadBuilding, road(45, 44)]);
    assert_eq!(scene.phase(), Phase::Act, "that was the fifteenth");
    scene.state.table.so_far.played = false;
    assert!(!scene.allows(RoadBuilding), "none is left");
    // A corner of the island that others close in leaves one place.
    let mut corner = Scene::new(3)
        .settlement(S1, 0)
        .settlement(S2, 2)
        .settlement(S2, 7)
        .roads(S1, &[0, 8])
        .roads(S2, &[7, 8, 9])
        .cards(S1, Card::RoadBuilding, 1);
    corner.play_all(&[RoadBuilding, road(0, 1)]);
    assert_eq!(corner.phase(), Phase::FreeRoads(1));
    corner.play(road(1, 2), &[]);
    let mut closed = Scene::new(3)
        .settlement(S1, 0)
        .settlement(S2, 2)
        .roads(S1, &[0, 8])
        .roads(S2, &[7, 8, 9])
        .roads(S2, &[2, 1])
        .cards(S1, Card::RoadBuilding, 1);
    closed.play_all(&[RoadBuilding, road(0, 1)]);
    assert_eq!(closed.phase(), Phase::Act, "no place is left");
}

#[test]
fn base_51_free_roads_can_be_laid_before_the_roll() {
    let mut scene = Scene::new(3).settlement(S1, 20).cards(S1, Card::RoadBuilding, 1).before_roll();
    scene.play_all(&[RoadBuilding, road(20, 21), road(20, 31)]);
    assert_eq!((scene.phase(), scene.state.table.stage), (Phase::Act, Stage::Roll));
}

#[test]
fn base_52_year_of_plenty_takes_any_two_cards() {
    let mut scene = Scene::new(3).roads(S1, &[20, 21]).cards(S1, Card::YearOfPlenty, 1);
    assert_eq!(scene.count(|&action| is_plenty(action)), 15);
    scene.play(plenty(Brick, Some(Brick)), &[]);
    assert_eq!((scene.held(S1), scene.in_bank()), ([2, 0, 0, 0, 0], [17, 19, 19, 19, 19]));
    let mut scene = Scene::new(3).roads(S1, &[20, 21]).hand(S1, [0, 1, 0, 0, 0]).cards(
        S1,
        Card::YearOfPlenty,
        1,
    );
    scene.play_all(&[plenty(Brick, Some(Wool)), road(21, 22)]);
    assert_eq!(scene.held(S1), [0, 0, 1, 0, 0], "usable the same turn");
}

#[test]
fn base_52_year_of_plenty_takes_what_the_bank_has() {
    let scene = || Scene::new(3).cards(S1, Card::YearOfPlenty, 1);
    let few = scene().bank([1, 0, 0, 0, 2], S2);
    assert!(few.allows(plenty(Brick, Some(Ore))) && few.allows(plenty(Ore, Some(Ore))));
    assert_eq!(few.count(|&action| is_plenty(action)), 2);
    let one = scene().bank([0, 0, 0, 1, 0], S2);
    assert_eq!(one.count(|&action| is_plenty(action)), 1);
    assert!(one.allows(plenty(Grain, None)));
    assert_eq!(scene().bank([0; 5], S2).count(|&action| is_plenty(action)), 0);
}

#[test]
fn base_53_monopoly_takes_all_cards_of_a_kind_from_everyone() {
    let mut scene = Scene::new(4)
        .hand(S1, [0, 0, 0, 1, 0])
        .hand(S2, [2, 0, 0, 3, 0])
        .hand(S4, [0, 0, 0, 1, 1])
        .cards(S1, Card::Monopoly, 1);
    scene.play(Action::Monopoly { kind: Grain }, &[]);
    assert_eq!(scene.held(S1), [0, 0, 0, 5, 0]);
    assert_eq!((scene.held(S2), scene.held(S4)), ([2, 0, 0, 0, 0], [0, 0, 0, 0, 1]));
}

#[test]
fn base_54_progress_cards_leave_the_game() {
    let mut scene = Scene::new(3).cards(S1, Card::Monopoly, 1);
    scene.play(Action::Monopoly { kind: Grain }, &[]);
    assert_eq!(scene.state.table.gone, [0, 0, 0, 1, 0]);
    assert_eq!((scene.state.cards[0], scene.state.deck[Card::Monopoly.idx()]), ([0; 5], 1));
}

#[test]
fn base_55_a_victory_point_card_is_hidden_and_may_win_when_bought() {
    let mut scene = Scene::new(3).cards(S1, Card::VictoryPoint, 2).hand(S1, FOR_CARD);
    for at in [0, 2, 4] {
        scene = scene.city(S1, at);
    }
    scene = scene.settlement(S1, 6);
    assert_eq!((scene.points(S1), scene.state.table.points(&scene.game, S1)), (9, 7));
    assert_eq!(scene.list(ActionFilter::NoOffers), [EndTurn, Action::Buy], "it is never played");
    scene.play(Action::Buy, &[card(Card::VictoryPoint)]);
    assert!(scene.is_won(), "three are shown at once");
}
