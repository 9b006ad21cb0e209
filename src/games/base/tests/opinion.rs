//! What a sensible player does when there is little doubt.

use crate::core::game::{ActionFilter, Game};
use crate::core::opinion::{Judge, Opinion, Policy, Rate};
use crate::core::resources::{Resource, Resources};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::games::base::tests::support::{FOR_CARD, FOR_CITY, S1, S2, S3, Scene, bank, offer};
use crate::games::support::choices_have_the_highest_rating;
use crate::parts::island::action::Action;
use crate::parts::island::cards::Card;
use crate::parts::island::opinion::known::Known;
use crate::parts::island::opinion::weights::{FEATURES, Features, Weights};
use crate::parts::island::opinion::worth::Situation;
use crate::parts::island::state::{Phase, Stage};
use crate::parts::places::Hex;
use rand_pcg::Pcg32;

/// What the planner does here.
fn choice(scene: &Scene) -> Action {
    let crate::core::game::Turn::Decide(seat) = scene.game.turn(&scene.state) else {
        panic!("over")
    };
    let mut legal = Actions::new();
    scene.game.legal(&scene.state, ActionFilter::Full, &mut legal);
    let view = scene.game.view(&scene.state, seat);
    let mut planner = scene.game.planner(&Weights::default());
    let idx = planner.choose(&scene.game, &view, &mut legal, &mut Pcg32::new(1, 1));
    legal[idx]
}

/// What the planner thinks of an action.
fn rating(scene: &Scene, action: Action) -> f32 {
    let crate::core::game::Turn::Decide(seat) = scene.game.turn(&scene.state) else {
        panic!("over")
    };
    let view = scene.game.view(&scene.state, seat);
    let mut out = Vec::new();
    let mut planner = scene.game.planner(&Weights::default());
    planner.rate(&scene.game, &view, &[action], &mut out);
    out[0]
}

/// Eight points on the island for one seat, with a settlement left that can become a city.
fn near_the_end(scene: Scene, seat: Seat) -> Scene {
    scene.city(seat, 8).city(seat, 10).city(seat, 12).settlement(seat, 14).settlement(seat, 26)
}

#[test]
fn it_takes_the_build_that_wins() {
    let scene = near_the_end(Scene::new(4), S1).cards(S1, Card::VictoryPoint, 1);
    let scene = scene.settlement(S2, 30).hand(S1, [1, 1, 1, 3, 4]).roads(S1, &[8, 7]);
    assert_eq!(scene.points(S1), 9);
    assert!(matches!(choice(&scene), Action::City { .. }), "{}", choice(&scene));
}

#[test]
fn it_robs_the_leader() {
    // Two hexes with a 9 and one building each: seat 3 leads.
    let scene = Scene::new(4).settlement(S1, 35).settlement(S2, 27).settlement(S3, 2);
    let mut scene = scene.city(S3, 45).city(S3, 43).city(S3, 50).hand(S2, FOR_CARD);
    scene = scene.hand(S3, FOR_CARD);
    scene.state.table.phase = Phase::Robber;
    let Action::Robber { hex, victim } = choice(&scene) else { panic!("{}", choice(&scene)) };
    assert_eq!(victim, Some(S3));
    let own = scene.game.map().hexes[35].contains(hex);
    assert!(!own, "it does not rob itself");
}

#[test]
fn it_does_not_feed_a_rival_on_the_brink() {
    let deal = |scene: Scene| {
        // Seat 2 lacks one lumber for a settlement on vertex 23.
        let scene = scene.settlement(S2, 35).roads(S2, &[35, 24, 23]).hand(S2, [2, 0, 1, 1, 0]);
        let mut scene = scene.hand(S1, [0, 2, 0, 0, 0]);
        scene.play_all(&[offer([0, 1, 0, 0, 0], [1, 0, 0, 0, 0])]);
        rating(&scene, Action::Accept)
    };
    let harmless = deal(Scene::new(4).settlement(S1, 8));
    let brink = deal(near_the_end(Scene::new(4), S1).settlement(S1, 45));
    assert!(harmless > 0.0, "it gains from the trade: {harmless}");
    assert!(brink < harmless && brink < 0.0, "{brink} on the brink, {harmless} else");
}

#[test]
fn it_founds_where_much_and_many_kinds_come() {
    let mut scene = Scene::new(4);
    scene.state.table.stage = Stage::Founding(1);
    scene.state.table.phase = Phase::Found;
    let Action::Settlement { vertex } = choice(&scene) else { panic!("{}", choice(&scene)) };
    let board = &scene.state.table.board;
    let map = scene.game.map();
    let dots = |vertex| board.pips_at(map, vertex);
    let best = map.all_vertices().iter().map(dots).max().unwrap();
    assert!(dots(vertex) + 2 >= best, "{} of at most {best} dots", dots(vertex));
    let kinds = map.hexes[vertex.idx()].iter().filter_map(|hex| board.terrain[hex.idx()]);
    let kinds: std::collections::BTreeSet<Resource> = kinds.collect();
    assert!(kinds.len() >= 2, "{kinds:?}");
}

#[test]
fn it_chases_the_robber_away_before_the_roll() {
    let mut scene = Scene::new(4).settlement(S1, 8).city(S1, 10).settlement(S2, 35).before_roll();
    scene = scene.cards(S1, Card::Knight, 1);
    scene.state.table.robber = Hex::new(0);
    assert_eq!(choice(&scene), Action::Knight);
}

#[test]
fn it_trades_with_the_bank_for_what_a_build_lacks() {
    let scene = Scene::new(2).settlement(S1, 8).settlement(S1, 10).settlement(S2, 35);
    let scene = scene.hand(S1, [0, 4, 0, 1, 3]);
    let wanted = rating(&scene, bank(Resource::Lumber, Resource::Grain));
    let other = rating(&scene, bank(Resource::Lumber, Resource::Wool));
    assert!(wanted > 0.0, "the last card for a city: {wanted}");
    assert!(wanted > other, "{wanted} for grain, {other} for wool");
}

#[test]
fn prices_are_read_from_the_rules() {
    let ready = |brick: u8| {
        let scene = Scene::with(4, |rules| rules.cost.city.brick = brick).settlement(S1, 8);
        let situation = Situation {
            game: &scene.game,
            weights: &Weights::default(),
            table: &scene.state.table,
            seat: S1,
        };
        let mut features = Features::default();
        let known = &mut Known::default();
        situation.goals(known).hand(Resources::new(FOR_CITY), &mut features);
        features.ready
    };
    assert!(ready(0) > ready(2), "a city that costs brick is further away");
}

#[test]
fn chances_sum_to_one_and_follow_points() {
    let scene = Scene::new(3).city(S1, 8).settlement(S2, 30).settlement(S3, 44);
    let mut planner = scene.game.planner(&Weights::default());
    let chances = planner.win_probabilities(&scene.game, &scene.state);
    assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(chances[0] > chances[1] && chances[0] > chances[2], "{chances:?}");
    assert!(chances[3..].iter().all(|&chance| chance < 1e-9), "empty chairs: {chances:?}");
}

#[test]
fn exponents_and_weights_are_two_forms_of_one_thing() {
    let weights = Weights { fog: 2.0, ..Weights::default() };
    let exponents = weights.exponents();
    assert_eq!(exponents.len(), FEATURES.len());
    let mut back = Weights::default();
    back.put_exponents(&exponents);
    assert!((back.fog - 2.0).abs() < 1e-5 && (back.point - 1.0).abs() < 1e-5);
    assert!((back.route - weights.route).abs() < 1e-5);
    let scene = Scene::new(4).city(S1, 8).hand(S1, FOR_CITY);
    let mut planner = scene.game.planner(&weights);
    let features = planner.features(&scene.game, &scene.state, S1);
    let sum: f64 = features.values().iter().zip(&exponents).map(|(&f, e)| f64::from(f) * e).sum();
    let worth = f64::from(weights.worth(&features) / weights.fog);
    assert!((sum - worth).abs() < 1e-4, "{sum} and {worth}");
}

#[test]
fn it_chooses_what_it_rates_highest() {
    let game = Scene::new(4).game;
    // Trades that lose something, and those with a rival about to win, are rated above none by some weights.
    let generous = Weights { trade_margin: -0.4, ..Weights::default() };
    let risky = Weights { peril: -0.5, bold_taken: 0.9, ..Weights::default() };
    for weights in [Weights::default(), generous, risky] {
        let choices = |seed| choices_have_the_highest_rating(&game, &weights, seed);
        let long: usize = (0..2).map(choices).sum();
        assert!(long > 500, "{long} long lists");
    }
}
