//! What each weight of the planner does, on positions made by hand, and what a sensible player does where
//! there is little doubt. Times are computed by hand from the formula at the head of `plan`.

use crate::core::chance::{RandomChance, below};
use crate::core::game::{ActionFilter, Game, Turn};
use crate::core::opinion::{Judge, Opinion, Policy, Rate, first_best};
use crate::core::resources::{Resource, Resources};
use crate::core::seed::BlockSeed;
use crate::core::types::actions::Actions;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::opinion::planner::Planner;
use crate::games::on_the_road::opinion::situation::{KnownOptions, Situation};
use crate::games::on_the_road::opinion::weights::Weights;
use crate::games::on_the_road::state::{Area, Phase};
use crate::games::on_the_road::tests::support::{
    S1, S2, S3, START, Scene, build, counter, discard, game_with, give, offer, offer_to,
};
use crate::parts::trade::Audience;
use rand_pcg::Pcg32;

/// Weights that count nothing but cards.
fn bare() -> Weights {
    let text: String =
        OnTheRoad::WEIGHTS.iter().flat_map(|weight| [weight.name, " = 0.0\n"]).collect();
    toml::from_str(&text).expect("all weights are numbers")
}

/// Rounds that seat 1 plans for with a hand.
fn time(scene: &Scene, weights: &Weights, hand: [u8; 5]) -> f32 {
    let hand = Resources::new(hand);
    let table = &scene.state.table;
    let situation = Situation { game: &scene.game, weights, table, seat: S1 };
    let known = &mut KnownOptions::default();
    let rounds = situation.time(known, hand);
    assert_eq!(rounds.to_bits(), situation.plans(known, hand).time(weights, hand).to_bits());
    rounds
}

#[track_caller]
fn same(found: f32, due: f32) {
    assert!((found - due).abs() < 1e-4, "{found} is not {due}");
}

/// A rival who can't be caught up with: 9 roads, 7 knights, both bonus cards.
fn with_a_rival(scene: Scene, settlements: u8) -> Scene {
    let area = Area { roads: 9, settlements, cities: 0, knights: 7, metropolises: 0 };
    scene.area(S2, area).route(S2).army(S2)
}

/// Nothing but one settlement wins for seat 1. It costs four cards; seven come in a round, one for each
/// player and one for each of three cities.
fn needs_a_settlement() -> Scene {
    let scene = with_a_rival(Scene::new(4), 1);
    let mut scene = scene.area(S1, Area { settlements: 0, cities: 3, ..START });
    scene.state.table.unbuilt = 0;
    assert_eq!(scene.points()[0], 6);
    scene
}

/// Nothing but one city wins for seat 1. It costs two grain and three ore; six cards come in a round.
fn needs_a_city() -> Scene {
    let scene =
        Scene::new(4).row([2, 0, 2, 1]).area(S1, Area { settlements: 2, cities: 2, ..START });
    let mut scene = with_a_rival(scene, 9);
    scene.state.table.unbuilt = 0;
    assert_eq!((scene.points()[0], scene.state.table.deck[1]), (6, 0));
    scene
}

/// Two points are missing, and nothing but a bonus card brings them: two roads, or two knights. Six cards
/// come in a round.
fn needs_a_bonus_card(rival: Area) -> Scene {
    let scene = Scene::with(4, |rules| rules.points_to_win = 6.into()).row([2, 0, 2, 1]);
    let scene = scene.area(S1, Area { settlements: 0, cities: 2, ..START });
    let mut scene = scene.area(S2, Area { settlements: 11, ..rival });
    scene.state.table.unbuilt = 0;
    assert_eq!((scene.points()[0], scene.state.table.deck[1]), (4, 0));
    scene
}

#[test]
fn a_plan_takes_its_missing_cards_over_the_income() {
    same(time(&needs_a_settlement(), &bare(), [0; 5]), 4.0 / 7.0);
    same(time(&needs_a_settlement(), &bare(), [1, 0, 1, 0, 3]), 2.0 / 7.0);
    same(time(&needs_a_settlement(), &bare(), [1, 1, 1, 1, 0]), 0.0);
    same(time(&needs_a_city(), &bare(), [0; 5]), 5.0 / 6.0);
}

#[test]
fn row_wait_counts_builds_that_are_not_in_the_row() {
    let weights = Weights { row_wait: 1.0, ..bare() };
    same(time(&needs_a_settlement(), &weights, [0; 5]), 4.0 / 7.0);
    same(time(&needs_a_settlement().row([2, 0, 2, 1]), &weights, [0; 5]), 5.0 / 7.0);
}

#[test]
fn bottleneck_counts_the_kind_that_is_lacked_most() {
    let weights = Weights { bottleneck: 1.0, ..bare() };
    same(time(&needs_a_city(), &weights, [0; 5]), (5.0 + 3.0) / 6.0);
    same(time(&needs_a_city(), &weights, [0, 0, 0, 0, 2]), (3.0 + 2.0) / 6.0);
}

#[test]
fn swap_trust_counts_on_substitutions() {
    // With one road, four cards stand in for one.
    let spare = [0, 0, 0, 0, 4];
    same(time(&needs_a_settlement(), &bare(), spare), 4.0 / 7.0);
    let weights = Weights { swap_trust: 1.0, ..bare() };
    same(time(&needs_a_settlement(), &weights, spare), 3.0 / 7.0);
    let weights = Weights { swap_trust: 0.5, ..bare() };
    same(time(&needs_a_settlement(), &weights, spare), 3.5 / 7.0);
}

#[test]
fn city_growth_adds_to_the_income_of_a_planned_city() {
    let weights = Weights { city_growth: 4.0, ..bare() };
    same(time(&needs_a_city(), &weights, [0; 5]), 5.0 / 10.0);
    same(time(&needs_a_settlement(), &weights, [0; 5]), 4.0 / 7.0);
}

#[test]
fn loves_are_cards_that_a_build_costs_less() {
    let roads = Area { roads: 1, knights: 7, ..START };
    let knights = Area { roads: 9, knights: 0, ..START };
    let route = needs_a_bonus_card(roads).army(S2);
    let army = needs_a_bonus_card(knights).route(S2);
    for scene in [&route, &army] {
        same(time(scene, &bare(), [0; 5]), 4.0 / 6.0);
    }
    let love = Weights { road_love: 0.5, ..bare() };
    same(time(&route, &love, [0; 5]), 3.0 / 6.0);
    same(time(&army, &love, [0; 5]), 4.0 / 6.0);
    let love = Weights { knight_love: 0.5, ..bare() };
    same(time(&route, &love, [0; 5]), 4.0 / 6.0);
    same(time(&army, &love, [0; 5]), 3.0 / 6.0);
    let love = Weights { settlement_love: 0.5, ..bare() };
    same(time(&needs_a_settlement(), &love, [0; 5]), 3.5 / 7.0);
    same(time(&needs_a_city(), &love, [0; 5]), 5.0 / 6.0);
}

#[test]
fn hold_risk_counts_bonus_cards_that_are_held_by_one() {
    let risk = Weights { hold_risk: 1.0, ..bare() };
    let to_take = needs_a_bonus_card(Area { roads: 1, knights: 7, ..START }).army(S2);
    same(time(&to_take, &risk, [0; 5]), 5.0 / 6.0);
    // It holds the route already; a settlement is what it lacks.
    let held = |roads| {
        let mut scene = Scene::with(4, |rules| rules.points_to_win = 9.into());
        scene = scene.area(S2, Area { roads: 3, knights: 7, ..START }).army(S2);
        scene = scene.area(S1, Area { roads, settlements: 0, cities: 3, ..START }).route(S1);
        scene.state.table.unbuilt = 0;
        assert_eq!(scene.points()[0], 8);
        scene
    };
    let [by_one, by_three] = [4, 6].map(|roads| time(&held(roads), &risk, [0; 5]));
    same(by_one, (4.0 + 1.0) / 7.0);
    same(by_three, 4.0 / 7.0);
}

#[test]
fn robber_fear_counts_cards_that_are_not_safe() {
    let weights = Weights { robber_fear: 1.0, ..bare() };
    same(time(&needs_a_settlement(), &weights, [1, 1, 1, 1, 3]), 0.0);
    same(time(&needs_a_settlement(), &weights, [1, 1, 1, 1, 5]), 2.0);
    // A knight guards one card more.
    let mut guarded = needs_a_settlement();
    guarded.state.table.areas[0].knights = 1;
    same(time(&guarded, &weights, [1, 1, 1, 1, 5]), 1.0);
}

/// What the planner thinks of an action of the seat that decides.
fn rating(scene: &Scene, weights: &Weights, action: Action) -> f32 {
    let Turn::Decide(seat) = scene.game.turn(&scene.state) else { panic!("the match is over") };
    let mut out = Vec::new();
    let view = scene.game.view(&scene.state, seat);
    Planner::new(weights.clone()).rate(&scene.game, &view, &[action], &mut out);
    out[0]
}

/// By how much a change of the usual weights changes a rating.
fn moved(scene: &Scene, action: Action, change: impl FnOnce(&mut Weights)) -> f32 {
    let mut weights = Weights::default();
    change(&mut weights);
    rating(scene, &weights, action) - rating(scene, &Weights::default(), action)
}

/// What the planner does.
fn choice(scene: &Scene, weights: &Weights) -> Action {
    let Turn::Decide(seat) = scene.game.turn(&scene.state) else { panic!("the match is over") };
    let mut legal = Actions::new();
    scene.game.legal(&scene.state, ActionFilter::Full, &mut legal);
    let view = scene.game.view(&scene.state, seat);
    let mut planner = Planner::new(weights.clone());
    let at = planner.choose(&scene.game, &view, &mut legal, &mut Pcg32::new(1, 1));
    legal[at]
}

#[test]
fn haste_is_worth_rounds_to_any_build() {
    let scene = Scene::new(4).hand(S1, [1, 1, 1, 1, 1]);
    for card in [Card::Road, Card::Knight, Card::Settlement] {
        same(moved(&scene, build(card), |weights| weights.haste += 1.0), 1.0);
    }
    same(moved(&scene, Action::EndTurn, |weights| weights.haste += 1.0), 0.0);
}

#[test]
fn deny_is_worth_more_the_closer_the_rival_is_to_winning() {
    let deny = |settlements, cities| {
        let scene = Scene::new(4).hand(S1, [1, 1, 0, 0, 0]).area(S1, Area { roads: 3, ..START });
        let rival = Area { roads: 3, settlements, cities, ..START };
        let scene = scene.area(S2, rival).route(S2);
        assert_eq!(scene.points()[1], 2 + settlements + 2 * cities);
        moved(&scene, build(Card::Road), |weights| weights.deny += 1.0)
    };
    // Three points from the target, and one.
    let [far, near] = [deny(2, 0), deny(2, 1)];
    same(far, 0.3);
    same(near, 0.3 + 2.0 / 3.0);
    // A road that takes nothing denies nothing.
    let scene = Scene::new(4).hand(S1, [1, 1, 0, 0, 0]);
    same(moved(&scene, build(Card::Road), |weights| weights.deny += 1.0), 0.0);
}

#[test]
fn tie_worth_is_that_of_the_two_tie_effects() {
    let at_city = |scene: Scene| {
        scene.hand(S1, [0, 0, 3, 0, 1]).area(S1, Area { settlements: 0, cities: 1, ..START })
    };
    let worth = |scene: &Scene, card| moved(scene, build(card), |weights| weights.tie_worth += 1.0);
    let side_b = at_city(Scene::side_b(4));
    same(worth(&side_b, Card::MetropolisArmy), 1.0);
    same(worth(&side_b, Card::MetropolisRoute), 1.0);
    same(worth(&side_b, Card::MetropolisRoads), 0.0);
    same(worth(&at_city(Scene::new(4)), Card::MetropolisArmy), 0.0);
}

/// Seat 1 lacks one grain for a settlement and has ore to spare; seats 2 and 3 hold grain. There are only
/// settlements and cities to be had.
fn lacks_a_grain() -> Scene {
    let scene = Scene::new(4).row([0, 3, 2, 0]).hand(S1, [1, 1, 1, 0, 2]);
    scene.hand(S2, [0, 0, 0, 2, 0]).hand(S3, [0, 0, 0, 2, 0])
}

#[test]
fn it_proposes_what_it_lacks_and_as_often_as_it_may() {
    let scene = lacks_a_grain();
    let Action::Offer { want, .. } = choice(&scene, &Weights::default()) else {
        panic!("{}", choice(&scene, &Weights::default()))
    };
    assert_eq!(want.cards(), Resources::one(Resource::Grain));
    let never = Weights { proposals: 0.0, ..Weights::default() };
    assert!(!matches!(choice(&scene, &never), Action::Offer { .. }));
    // Nor does it repeat what was refused.
    let mut refused = scene;
    let again = offer([0, 0, 0, 0, 1], [0, 0, 0, 1, 0]);
    let before = rating(&refused, &Weights::default(), again);
    refused.play_all(&[again, Action::Refuse, Action::Refuse, Action::Refuse]);
    let after = rating(&refused, &Weights::default(), again);
    assert!(before > 0.0 && after < 0.0, "{before} before, {after} after");
}

#[test]
fn margins_are_what_a_trade_must_bring() {
    let scene = lacks_a_grain();
    let even = offer([0, 0, 0, 0, 1], [0, 0, 0, 1, 0]);
    let likely = Weights::default().taken_if_even;
    same(moved(&scene, even, |weights| weights.trade_margin += 1.0), -likely);
    let mut asked = lacks_a_grain().turn_of(S2);
    asked.play_all(&[offer_to(S1, [0, 0, 0, 1, 0], [0, 0, 0, 0, 1])]);
    same(moved(&asked, Action::Accept, |weights| weights.answer_margin += 1.0), -1.0);
    same(moved(&asked, Action::Refuse, |weights| weights.answer_margin += 1.0), 0.0);
}

#[test]
fn chances_to_be_taken_up_go_by_what_an_offer_gives_and_asks() {
    let scene = lacks_a_grain();
    let offers = [
        offer([0, 0, 0, 0, 2], [0, 0, 0, 1, 0]),
        offer([0, 0, 0, 0, 1], [0, 0, 0, 1, 0]),
        offer([0, 0, 0, 0, 1], [0, 0, 0, 2, 0]),
    ];
    for sure in 0..3 {
        let mut weights = Weights::default();
        let usual = offers.map(|action| rating(&scene, &weights, action));
        let chance =
            [&mut weights.taken_if_more, &mut weights.taken_if_even, &mut weights.taken_if_less];
        let was = std::mem::replace(chance[sure], 1.0);
        let now = offers.map(|action| rating(&scene, &weights, action));
        for at in 0..3 {
            same(now[at], if at == sure { usual[at] / was } else { usual[at] });
        }
    }
    let mut asked = lacks_a_grain().turn_of(S2);
    asked.play_all(&[offer_to(S1, [0, 0, 0, 1, 0], [1, 0, 0, 0, 0])]);
    let ours = counter([0, 0, 0, 0, 1], [0, 0, 0, 1, 0]);
    let [half, sure] = [0.5, 1.0].map(|counter_taken| {
        rating(&asked, &Weights { counter_taken, ..Weights::default() }, ours)
    });
    assert!(half.abs() > 1e-3);
    same(2.0 * half, sure);
}

#[test]
fn enable_is_worth_rounds_to_a_trade_that_allows_a_build() {
    // Brick and two grain build nothing; brick and lumber are a road.
    let scene = Scene::new(4).hand(S1, [1, 0, 0, 2, 0]).hand(S2, [0, 2, 2, 0, 0]);
    let likely = Weights::default().taken_if_even;
    let enabled =
        |want| moved(&scene, offer([0, 0, 0, 1, 0], want), |weights| weights.enable += 1.0);
    same(enabled([0, 1, 0, 0, 0]), likely);
    same(enabled([0, 0, 1, 0, 0]), 0.0);
}

/// A seat with one point less than the target, if it is `near`.
fn seat_2(scene: Scene, near: bool) -> Scene {
    let cities = if near { 2 } else { 0 };
    let scene = scene.area(S2, Area { settlements: 2, cities, ..START });
    assert_eq!(scene.points()[1], if near { 6 } else { 2 });
    scene
}

#[test]
fn threat_and_peril_count_what_a_rival_about_to_win_gets() {
    let mut charity = seat_2(Scene::new(4).hand(S1, [1, 1, 1, 1, 1]), true);
    charity.state.table.phase = Phase::Charity(S1);
    let threat = |to| moved(&charity, give(Resource::Ore, to), |weights| weights.threat += 1.0);
    same(threat(S2), -(0.2 + 0.8 * 2.0 / 3.0));
    same(threat(S3), -0.2);
    let accepted = |near| {
        let mut scene = seat_2(lacks_a_grain(), near).turn_of(S2);
        scene.play_all(&[offer_to(S1, [0, 0, 0, 1, 0], [0, 0, 0, 0, 1])]);
        let peril = moved(&scene, Action::Accept, |weights| weights.peril += 1.0);
        (peril, rating(&scene, &Weights::default(), Action::Accept))
    };
    let ((far, harmless), (near, brink)) = (accepted(false), accepted(true));
    same(far, 0.0);
    same(near, -4.0 / 9.0);
    assert!(harmless > brink, "{harmless} else, {brink} on the brink");
}

/// Chances are a softmax of what is judged, as `learn` takes them to be: by their default weights, and by others.
#[test]
fn chances_are_a_softmax_of_what_is_judged() {
    let area = Area { roads: 3, settlements: 2, cities: 1, knights: 2, ..START };
    let scene = Scene::new(3).area(S1, area).army(S2).hand(S1, [1, 0, 2, 0, 0]);
    let others = Weights {
        fog: 1.5,
        judged_point: 0.3,
        judged_card: 0.1,
        judged_road: -0.2,
        judged_knight: 0.25,
        judged_route: 0.5,
        judged_army: 0.75,
        ..Weights::default()
    };
    for weights in [Weights::default(), others.clone()] {
        let mut planner = Planner::new(weights.clone());
        let chances = planner.win_probabilities(&scene.game, &scene.state);
        let exponents = weights.exponents();
        let weight = |seat| {
            let mut judged = Vec::new();
            planner.features(&scene.game, &scene.state, seat, &mut judged);
            let worth = judged.iter().zip(&exponents).map(|(&of, by)| f64::from(of) * by).sum();
            libm::exp(worth)
        };
        let all = [S1, S2, S3].map(weight);
        for (chance, weight) in chances.iter().zip(all) {
            let due = weight / all.iter().sum::<f64>();
            assert!((f64::from(*chance) - due).abs() < 1e-5, "{chance} is not {due}");
        }
        let mut put = Weights::default();
        put.put_exponents(&exponents);
        for (found, due) in put.exponents().iter().zip(&exponents) {
            assert!((found - due).abs() < 1e-6, "{found} is not {due}");
        }
    }
    let chance = |weights: &Weights| {
        Planner::new(weights.clone()).win_probabilities(&scene.game, &scene.state)[S2.idx()]
    };
    let without = Weights { judged_army: 0.0, ..others.clone() };
    assert!(chance(&others) > chance(&without), "the bonus card counts for whoever holds it");
}

#[test]
fn fog_makes_leads_count_less() {
    let scene = Scene::new(3).area(S1, Area { settlements: 2, cities: 1, ..START });
    let chances = |fog| {
        let weights = Weights { fog, ..Weights::default() };
        Planner::new(weights).win_probabilities(&scene.game, &scene.state)
    };
    for fog in [0.5, 1.0, 10.0] {
        let chances = chances(fog);
        same(chances.iter().sum(), 1.0);
        assert!(chances[0] > chances[1] && chances[0] > chances[2], "{fog}: {chances:?}");
        assert!(chances[3..].iter().all(|&chance| chance < 1e-9), "empty chairs: {chances:?}");
    }
    assert!(chances(0.5)[0] > chances(1.0)[0] && chances(1.0)[0] > chances(10.0)[0]);
    // The lead in rounds is what e-folds.
    let ratio = |fog: f32| libm::logf(chances(fog)[0] / chances(fog)[1]) * fog;
    assert!((ratio(1.0) - ratio(2.0)).abs() < 1e-2, "{} {}", ratio(1.0), ratio(2.0));
}

#[test]
fn it_takes_the_build_that_wins() {
    // A city would bring more cards, a road comes first in the list.
    let scene = needs_a_settlement().hand(S1, [2, 2, 1, 3, 3]);
    assert_eq!(choice(&scene, &Weights::default()), build(Card::Settlement));
    let scene = needs_a_city().hand(S1, [1, 1, 1, 2, 4]);
    assert_eq!(choice(&scene, &Weights::default()), build(Card::City));
}

#[test]
fn it_parts_with_what_its_plan_does_not_need() {
    let mut scene = needs_a_settlement().hand(S1, [1, 1, 1, 1, 5]);
    scene.state.table.phase = Phase::Discard { seat: S1, owed: 4 };
    assert_eq!(choice(&scene, &Weights::default()), discard(Resource::Ore));
    // To the seat that is farthest from winning.
    let mut scene = needs_a_settlement().hand(S1, [1, 1, 1, 1, 1]);
    scene.state.table.phase = Phase::Charity(S1);
    let Action::Give { card, to } = choice(&scene, &Weights::default()) else { panic!("a gift") };
    assert_eq!((card, to), (Resource::Ore, S3));
}

#[test]
fn it_does_not_tell_a_rival_about_to_win_of_its_offer() {
    let scene = lacks_a_grain();
    let all = choice(&scene, &Weights::default());
    assert!(matches!(all, Action::Offer { to: Audience::All, .. }), "{all}");
    let one = choice(&seat_2(lacks_a_grain(), true), &Weights::default());
    assert!(matches!(one, Action::Offer { to: Audience::One(S3), .. }), "{one}");
}

/// Weights anywhere in their ranges.
fn random_weights(rng: &mut Pcg32) -> Weights {
    let lines = OnTheRoad::WEIGHTS.iter().map(|weight| {
        let (low, high) = weight.range.expect("a number");
        // Half of them near zero, as those in use are.
        let share = f64::from(below(rng, 1001)) / 1000.0;
        let near = if below(rng, 2) == 0 { 0.01 } else { 1.0 };
        format!("{} = {:?}\n", weight.name, low.max((low + share * (high - low)) * near))
    });
    toml::from_str(&lines.collect::<String>()).expect("all weights are numbers")
}

/// Plays a match at random; at each decision the planner has to choose what it rates highest.
fn choices_have_the_highest_rating(game: &OnTheRoad, weights: &Weights, seed: u64) -> usize {
    let rng = &mut Pcg32::new(seed, 5);
    let chance = &mut RandomChance::new(BlockSeed::new(seed, 0));
    let mut planner = Planner::new(weights.clone());
    let (mut state, mut legal, mut ratings) = (game.deal(chance), Actions::new(), Vec::new());
    let mut trades = 0;
    while let Turn::Decide(seat) = game.turn(&state) {
        game.legal(&state, ActionFilter::Full, &mut legal);
        let view = game.view(&state, seat);
        planner.rate(game, &view, &legal, &mut ratings);
        let due = legal[first_best(&ratings)];
        let listed = legal.len();
        let chosen = planner.choose(game, &view, &mut legal, rng);
        let found = legal[chosen];
        match (found, due) {
            // An offer that the leader is not to hear of.
            (
                Action::Offer { to: Audience::One(_), give, want },
                Action::Offer { give: g, want: w, .. },
            ) => assert_eq!((give, want), (g, w), "seed {seed}, {weights:?}"),
            _ => assert_eq!(found, due, "seed {seed}, {weights:?}"),
        }
        trades += usize::from(matches!(due, Action::Offer { .. } | Action::Counter { .. }));
        let pick = below(rng, u32::try_from(listed).expect("a short list"));
        game.apply(&mut state, legal[pick as usize], chance);
    }
    trades
}

#[test]
fn it_chooses_what_it_rates_highest() {
    let games = [
        game_with(4, |_| {}),
        game_with(3, |rules| rules.trade.listed_max = 3),
        game_with(4, |rules| rules.trade.bluff = true),
    ];
    let mut trades = 0;
    for (seed, game) in (1..).zip(games.iter().cycle().take(12)) {
        let rng = &mut Pcg32::new(seed, 6);
        trades += choices_have_the_highest_rating(game, &Weights::default(), seed);
        trades += choices_have_the_highest_rating(game, &random_weights(rng), seed);
    }
    assert!(trades > 500, "{trades} trades among the choices");
}

#[test]
fn no_weight_is_left_out_here() {
    let source = include_str!("tests.rs");
    for weight in OnTheRoad::WEIGHTS {
        assert!(source.contains(weight.name), "no test of `{}`", weight.name);
    }
}
