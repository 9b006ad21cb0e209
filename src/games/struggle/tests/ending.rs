//! Points, the end of a match, and where the cards are: SFC-90 to SFC-92.

use super::support::*;
use crate::core::chance::{RandomChance, below};
use crate::core::game::{ActionFilter, End, Game, Turn};
use crate::core::resources::Resources;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::by_seat::BySeat;
use crate::games::struggle::Struggle;
use crate::games::struggle::action::Action;
use crate::games::struggle::cards::{Card, Expansion};
use crate::games::struggle::rules::Rules;
use crate::games::struggle::state::{Area, Phase, State};
use crate::parts::bundles::Price;

#[test]
fn sfc_90_points_of_each_card() {
    let row = |area: Area| Scene::new(4).area(S1, area).points()[0];
    assert_eq!(row(START), 1, "a settlement");
    assert_eq!(row(Area { settlements: 3, ..START }), 3);
    assert_eq!(row(Area { cities: 2, ..START }), 1 + 4);
    assert_eq!(row(Area { roads: 4, ..START }), 1 + 2, "two B sides");
    assert_eq!(row(Area { knights: 5, ..START }), 1 + 2, "two B sides");
    let all = Area {
        roads: 2,
        knights: 2,
        settlements: 1,
        cities: 1,
        expansions: bits(&[Expansion::TownHall, Expansion::Church]),
    };
    assert_eq!(row(all), 1 + 1 + 1 + 2 + 4 + 3);
}

/// Seat 1 with 9 points and all it needs; a road brings the tenth.
fn nine_points(change: impl FnOnce(&mut Rules)) -> Scene {
    let expansions = bits(&[Expansion::TownHall, Expansion::Castle]);
    let area = Area { settlements: 2, expansions, ..START };
    Scene::with(4, change).area(S1, area).hand(S1, [2, 2, 2, 2, 2])
}

#[test]
fn sfc_90_10_points_on_ones_own_turn_win_at_once() {
    let mut scene = nine_points(|_| {});
    assert_eq!(scene.points()[0], 9);
    scene.play(build(Card::Knight), &[]);
    assert_eq!(scene.phase(), Phase::Act, "an A side");
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
    let outcome = scene.game.outcome(&scene.state);
    assert_eq!((outcome.end, outcome.winner), (End::Won, Some(S1)));
    assert_eq!((outcome.points[..4].to_vec(), outcome.seats), (vec![10, 1, 1, 1], 4));
    assert!(scene.listed(ActionFilter::Full).is_empty());
}

#[test]
fn sfc_90_a_list_says_how_many_points_each_seat_needs() {
    for (needed, wins) in [([10, 14, 14, 14], true), ([11, 10, 10, 10], false)] {
        let mut scene = nine_points(|rules| rules.points_to_win = BySeat::list(&needed));
        scene.play(build(Card::Road), &[]);
        assert_eq!((scene.points()[0], scene.phase() == Phase::Over(End::Won)), (10, wins));
    }
}

#[test]
fn sfc_90_a_settlement_that_wins_asks_for_no_flip() {
    let mut scene = nine_points(|_| {});
    scene.play(build(Card::Settlement), &[]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
}

#[test]
fn sfc_90_a_knight_and_an_expansion_win_too() {
    let mut scene = nine_points(|_| {});
    let area = scene.in_front_of(S1);
    scene = scene.area(S1, Area { knights: 1, ..area });
    scene.play(build(Card::Knight), &[]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
    let expansions = bits(&[Expansion::TownHall]);
    let area = Area { roads: 2, settlements: 1, cities: 1, expansions, knights: 2 };
    let mut scene = Scene::new(4).area(S1, area).hand(S1, FOR_EXPANSION);
    assert_eq!(scene.points()[0], 9);
    scene.play(build(Card::Church), &[]);
    assert_eq!(scene.phase(), Phase::Over(End::Won));
}

#[test]
fn sfc_90_the_rule_set_can_change_the_points_that_win() {
    let mut scene = nine_points(|rules| rules.points_to_win = 11.into());
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.phase(), Phase::Act);
    let mut scene = Scene::with(3, |rules| rules.points_to_win = 2.into()).hand(S1, FOR_ROAD);
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.phase(), Phase::Over(End::Won), "two points");
}

/// Only on one's own turn: a player can lose points in another's, and gets none.
#[test]
fn sfc_90_who_loses_a_b_side_loses_its_point() {
    let rows = [(S1, 1), (S2, 4), (S3, 4)];
    let mut scene = Scene::with(3, |rules| rules.road.in_play[1] = 9).hand(S1, FOR_ROAD);
    for (seat, roads) in rows {
        scene = scene.area(seat, Area { roads, ..START });
    }
    assert_eq!(scene.points(), [1, 3, 3]);
    scene.play(build(Card::Road), &[]);
    assert_eq!(scene.points(), [2, 2, 3]);
}

#[test]
fn sfc_91_a_match_ends_at_its_turn_limit_without_a_winner() {
    let mut scene = Scene::with(3, |rules| rules.turns_max = 2);
    scene.end_turn(&[BRICK, BRICK]);
    assert_eq!(scene.phase(), Phase::Act, "turns are those of single players");
    scene.end_turn(&[BRICK, BRICK]);
    assert_eq!(scene.phase(), Phase::Over(End::TurnLimit));
    let outcome = scene.game.outcome(&scene.state);
    assert_eq!((outcome.end, outcome.winner), (End::TurnLimit, None));
    assert_eq!(scene.game.turn_number(&scene.state), 2);
}

#[test]
fn sfc_91_the_limit_is_500_turns() {
    let mut scene = Scene::new(2);
    assert_eq!(scene.game.turns_max(), 500);
    scene.state.table.turn = 499;
    scene.end_turn(&[BRICK, BRICK]);
    assert_eq!(scene.phase(), Phase::Act);
    scene.end_turn(&[BRICK, BRICK]);
    assert_eq!(scene.phase(), Phase::Over(End::TurnLimit));
}

#[test]
fn sfc_92_a_card_that_is_nowhere_or_twice_is_found() {
    let broken = |change: fn(&mut State)| {
        let mut scene = Scene::new(3).hand(S1, [1; 5]);
        change(&mut scene.state);
        std::panic::catch_unwind(|| scene.game.check(&scene.state)).is_err()
    };
    assert!(!broken(|_| {}));
    assert!(broken(|state| state.pile = state.pile - Resources::each(1)), "nowhere");
    assert!(broken(|state| state.hands[1] = Resources::each(1)), "in two hands");
    assert!(broken(|state| state.table.discards = Resources::each(1)));
    let no_seat = |state: &mut State| state.hands[5] = std::mem::take(&mut state.hands[0]);
    assert!(broken(no_seat), "nobody sits there");
    assert!(broken(|state| state.table.areas[0].roads += 1));
    assert!(broken(|state| state.table.areas[0].expansions = 1));
    assert!(broken(|state| state.table.areas[0].settlements = 10));
}

/// A random match under a rule set, checked at every decision. Returns how it ended.
fn random_match(game: &Struggle, block: u64) -> End {
    let seed = BlockSeed::new(3, block);
    let mut chance = RandomChance::new(seed);
    let mut rng = seed.stream(Stream::Agent, None, 0);
    let mut state = game.deal(&mut chance);
    let (mut legal, mut plain) = (Actions::new(), Actions::new());
    let mut decisions = 0;
    while let Turn::Decide(_) = game.turn(&state) {
        game.check(&state);
        game.legal(&state, ActionFilter::Full, &mut legal);
        game.legal(&state, ActionFilter::Plain, &mut plain);
        assert!(
            plain.iter().all(|action| legal.contains(action)),
            "the shortest list is part of it"
        );
        let pick = below(&mut rng, u32::try_from(legal.len()).unwrap());
        let action: Action = legal[pick as usize];
        assert_eq!(game.permits(&state, action), Ok(()), "{action}");
        game.apply(&mut state, action, &mut chance);
        decisions += 1;
        assert!(decisions <= game.decisions_max(), "more decisions than there can be");
    }
    game.check(&state);
    game.outcome(&state).end
}

#[test]
fn sfc_92_every_card_is_in_one_place_in_random_matches() {
    for players in 2..=6 {
        let game = game_with(players, |_| {});
        let won = (0..6).filter(|&block| random_match(&game, block) == End::Won).count();
        assert!(won > 0, "{players} players");
    }
}

#[test]
fn sfc_92_it_holds_under_odd_rule_sets() {
    let odd: [fn(&mut Rules); 8] = [
        |rules| rules.points_to_win = 2.into(),
        |rules| (rules.knight.in_play, rules.resource_copies) = ([0; 5], [1; 5]),
        |rules| (rules.brigands.hand_limit, rules.hand_start) = (0, 10.into()),
        |rules| (rules.build.in_vain, rules.points_to_win) = (true, 40.into()),
        |rules| rules.market.same = false,
        |rules| (rules.substitution.rate, rules.brigands.hand_limit) = (2, 134),
        |rules| {
            rules.expansion.town_hall.extra = Price::new([5; 5]);
            rules.expansion.cost = Price::new([5; 5]);
            rules.substitution.rate = 2;
        },
        |rules| {
            rules.road.cost = Price::default();
            rules.city.cost = Price::default();
            rules.resource_copies = [1; 5];
            rules.hand_start = 10.into();
        },
    ];
    for (idx, change) in odd.into_iter().enumerate() {
        for players in [2, 6] {
            let shorter = |rules: &mut Rules| {
                rules.turns_max = 150;
                change(rules);
            };
            random_match(&game_with(players, shorter), idx as u64);
        }
    }
}
