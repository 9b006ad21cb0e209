//! The longest trade route: what counts, when it is determined, and who keeps it.

use crate::core::game::{Game, SeatMemory};
use crate::games::boats::action::Action;
use crate::games::boats::rules::{Holder, When};
use crate::games::boats::tests::support::{
    END, FOR_BOAT, FOR_ROAD, FOR_SETTLEMENT, KNOWN, S1, S2, Scene, boat, game_with, move_boat,
    move_road, road, settle,
};
use crate::parts::island::action::Action as IslandAction;
use crate::parts::island::cards::Card;
use crate::parts::island::memory::Memory;
use crate::parts::island::state::Stage;
use crate::parts::places::Vertex;
use rand_pcg::Pcg32;

#[test]
fn boat_30_roads_and_boats_count_together_where_a_building_joins_them() {
    let scene = Scene::new(KNOWN).roads(S1, &[18, 19]).settlement(S1, 20).roads(S1, &[19, 20]);
    let scene = scene.boats(S1, &[20, 21, 22]).settlement(S1, 22).roads(S1, &[22, 33]);
    assert_eq!(scene.route(), Some(S1), "5 in a row");
    let apart = Scene::new(KNOWN).settlement(S1, 18).roads(S1, &[18, 19, 20]);
    let apart = apart.boats(S1, &[20, 21, 22]).settlement(S1, 22).roads(S1, &[22, 33]);
    assert_eq!(apart.route(), None, "nothing joins them at 20");
    let branch = Scene::new(KNOWN).settlement(S1, 20).boats(S1, &[20, 21, 22, 33]);
    let branch = branch.boats(S1, &[21, 11]).boats(S1, &[20, 31]);
    assert_eq!(branch.route(), None, "5 boats, 4 in a row");
    let walled = Scene::new(KNOWN).settlement(S1, 20).settlement(S2, 22);
    assert_eq!(walled.boats(S1, &[31, 20, 21, 22, 33, 34]).route(), None, "another's building");
}

#[test]
fn boat_30_it_is_determined_at_the_end_of_the_turn_or_at_once() {
    let scene = |when| {
        let scene = Scene::with(KNOWN, |rules| rules.route.when = when).founded(S1, 20);
        scene.boats(S1, &[31, 20, 21, 22, 33]).hand(S1, FOR_BOAT)
    };
    let mut later = scene(When::EndOfTurn);
    later.play(boat(33, 34), &[]);
    assert_eq!((later.route(), later.points(S1)), (None, 1));
    later.play(END, &[]);
    assert_eq!((later.route(), later.points(S1)), (Some(S1), 3));
    let mut at_once = scene(When::AtOnce);
    at_once.play(boat(33, 34), &[]);
    assert_eq!((at_once.route(), at_once.points(S1)), (Some(S1), 3));
    // Whoever ends a turn with it may win by it.
    let mut wins = Scene::with(KNOWN, |rules| rules.points_to_win = 3.into()).founded(S1, 20);
    wins = wins.boats(S1, &[31, 20, 21, 22, 33]).hand(S1, FOR_BOAT);
    wins.play(boat(33, 34), &[]);
    assert!(!wins.is_won());
    wins.play(END, &[]);
    assert!(wins.is_won());
    assert_eq!(wins.game.outcome(&wins.state).winner, Some(S1));
}

#[test]
fn boat_30_a_move_may_shorten_a_route() {
    let lose = |when, louis: bool| {
        let scene = Scene::with(KNOWN, |rules| {
            rules.route.when = when;
            rules.louis = if louis { Holder::Seat1 } else { Holder::Nobody };
        });
        let scene = scene.settlement(S1, 20).settlement(S1, 22);
        let scene = scene.roads(S1, &[22, 33, 34]).boats(S1, &[31, 20, 21, 22]);
        assert_eq!(scene.route(), Some(S1));
        scene
    };
    let mut boats = lose(When::AtOnce, false);
    boats.play(move_boat([31, 20], [21, 11]), &[]);
    assert_eq!(boats.route(), None, "4 are left");
    let mut roads = lose(When::AtOnce, true);
    roads.play(move_road([33, 34], [22, 23]), &[]);
    assert_eq!(roads.route(), None);
    let mut later = lose(When::EndOfTurn, true);
    later.play(move_road([33, 34], [22, 23]), &[]);
    assert_eq!(later.route(), Some(S1));
    later.play(END, &[]);
    assert_eq!(later.route(), None);
}

/// Seat 1 holds the longest trade route and moves a piece of it in the turn in which it would win with it.
#[test]
fn boat_30_a_route_that_its_holder_has_just_broken_does_not_win() {
    let holder = |points_to_win: u8| {
        let scene = Scene::with(KNOWN, |rules| {
            rules.points_to_win = points_to_win.into();
            rules.louis = Holder::Seat1;
        });
        let scene = scene.founded(S1, 20).settlement(S1, 22);
        let scene = scene.roads(S1, &[22, 33, 34]).boats(S1, &[31, 20, 21, 22]);
        assert_eq!((scene.route(), scene.points(S1)), (Some(S1), 5), "and a chit");
        scene.hand(S1, [2, 2, 2, 2, 3])
    };
    let city = Action::Island(IslandAction::City { vertex: Vertex::new(20) });
    let mut whole = holder(6);
    whole.play(city, &[]);
    assert!(whole.is_won(), "with the route it has 6");
    // A road by Louis, or a boat.
    for way in [move_road([33, 34], [22, 23]), move_boat([31, 20], [21, 11])] {
        let mut broken = holder(6);
        broken.play(way, &[]);
        broken.play(city, &[]);
        assert!(!broken.is_won(), "4 are left: {way}");
        assert_eq!((broken.route(), broken.points(S1)), (Some(S1), 6), "until the turn ends");
        broken.play(END, &[]);
        assert_eq!((broken.route(), broken.points(S1)), (None, 4));
    }
    // Its points don't win, so they say nothing of a hidden one.
    let mut hidden = holder(7);
    let state = &mut hidden.state.island;
    (state.cards[0][Card::VictoryPoint.idx()], state.deck[Card::VictoryPoint.idx()]) = (1, 4);
    hidden.play(move_road([33, 34], [22, 23]), &[]);
    hidden.play(city, &[]);
    let (view, mut rng) = (hidden.game.view(&hidden.state, S2), Pcg32::new(1, 1));
    let memory = Memory::knowing(S2, hidden.state.island.hands);
    let mut imagined = || SeatMemory::determinize(&memory, &hidden.game, &view, &mut (), &mut rng);
    let with_point = (0..500).filter(|_| imagined().island.cards[0][Card::VictoryPoint.idx()] == 1);
    // 5 of 25 cards.
    assert!((60..140).contains(&with_point.count()));
    // Who mends it in the same turn wins.
    let mut mended = holder(6);
    mended.play(move_road([33, 34], [22, 23]), &[]);
    mended.play(city, &[]);
    mended.play(boat(31, 32), &[]);
    assert!(mended.is_won(), "5 again");
    // It is broken, too, if it leaves another's longer.
    let mut rival = holder(6).boats(S1, &[31, 32]).roads(S2, &[7, 8, 0, 1, 2, 10, 9]);
    assert_eq!(rival.route(), Some(S1), "a tie at 6");
    rival.play(move_road([33, 34], [22, 23]), &[]);
    rival.play(city, &[]);
    assert!(!rival.is_won());
    // What it has beside the route wins as ever.
    let mut beside = holder(7).founded(S1, 40).hand(S1, [0, 0, 0, 4, 6]);
    beside.play(move_road([33, 34], [22, 23]), &[]);
    beside.play(city, &[]);
    beside.play(Action::Island(IslandAction::City { vertex: Vertex::new(40) }), &[]);
    assert!(!beside.is_won(), "8 with the route, 6 without");
    beside.play(Action::Island(IslandAction::City { vertex: Vertex::new(22) }), &[]);
    assert!(beside.is_won());
}

#[test]
fn boat_30_at_once_a_road_makes_a_route_longer_and_a_settlement_cuts_one() {
    let scene = Scene::with(KNOWN, |rules| rules.route.when = When::AtOnce);
    let scene = scene.founded(S1, 20).boats(S1, &[20, 21, 22]);
    let scene = scene.roads(S2, &[34, 33, 22, 23, 24]).turn_of(S2).hand(S2, FOR_ROAD);
    let mut scene = scene.hand(S1, FOR_SETTLEMENT);
    assert_eq!(scene.route(), None, "4 roads");
    scene.play(road(24, 25), &[]);
    assert_eq!(scene.route(), Some(S2));
    let mut scene = scene.turn_of(S1);
    scene.play(settle(22), &[]);
    assert_eq!(scene.route(), None, "3 and 2 are left");
}

#[test]
fn boat_30_a_tie_leaves_it_with_its_holder() {
    let scene = Scene::new(KNOWN).roads(S2, &[34, 33, 22, 23, 24, 25]);
    assert_eq!(scene.route(), Some(S2));
    let scene = scene.settlement(S1, 20).boats(S1, &[31, 20, 21, 11, 10, 2]);
    assert_eq!(scene.route(), Some(S2), "5 each");
    assert_eq!(scene.boats(S1, &[31, 32]).route(), Some(S1), "6");
}

#[test]
fn boat_30_it_is_determined_after_a_special_building_phase_too() {
    let scene = Scene::of(game_with(KNOWN, 5, |_| {})).founded(S2, 20);
    let mut scene = scene.boats(S2, &[31, 20, 21, 22, 33]).hand(S2, FOR_BOAT);
    scene.play(END, &[]);
    let table = &scene.state.island.table;
    assert_eq!((table.active, table.stage), (S2, Stage::Special));
    scene.play(boat(33, 34), &[]);
    assert_eq!(scene.route(), None);
    scene.play(END, &[]);
    assert_eq!((scene.route(), scene.points(S2)), (Some(S2), 3));
}
