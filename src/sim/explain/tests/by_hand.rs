//! Positions built by hand: a seat can win at once, and so can the next one.

use super::{agent, question};
use crate::core::game::{Game, Observation, SeatMemory};
use crate::core::opinion::{Judge, Opinion};
use crate::core::resources::Resource;
use crate::core::types::actions::Actions;
use crate::core::types::seat::{PerSeat, Seat};
use crate::core::watch::Watch;
use crate::games::base::tests::support as base;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::action::Action;
use crate::games::on_the_road::cards::Card;
use crate::games::on_the_road::state::Area;
use crate::games::on_the_road::tests::support as road;
use crate::parts::island::action::Action as Act;
use crate::parts::island::memory::Memory;
use crate::sim::explain::answer::{Considered, Cost};
use crate::sim::explain::history::DecisionPoint;
use crate::sim::explain::judge::{Asking, Thoughts};
use rand_pcg::Pcg32;
use std::fmt::Display;

/// What an agent thinks is of what it would do.
#[test]
fn an_agent_thinks_nothing_of_what_it_does_without() {
    let scene = base::Scene::new(3).settlement(base::S1, 20).hand(base::S1, base::FOR_CITY);
    let memory = Memory::knowing(base::S1, scene.state.hands);
    let view = scene.game.view(&scene.state, base::S1);
    let seen = Observation { seat: base::S1, view, memory: &memory };
    let thinks = |name: &str| {
        let mut player = agent(name).make(&scene.game, &Watch::none()).expect("an agent");
        let mut among: Actions<Act> = [base::city(20), Act::EndTurn].into_iter().collect();
        let (mut rng, mut out) = (Pcg32::new(1, 1), Vec::new());
        player.evaluate(&scene.state, &seen, &mut among, &mut rng, &mut out);
        out.iter().map(|value| value.action).collect::<Vec<Act>>()
    };
    assert!(thinks("heuristic").contains(&base::city(20)));
    assert_eq!(thinks("heuristic:without=city"), [Act::EndTurn]);
    // Nothing else is left.
    let mut player =
        agent("heuristic:without=city").make(&scene.game, &Watch::none()).expect("one");
    let mut only: Actions<Act> = [base::city(20)].into_iter().collect();
    let (mut rng, mut out) = (Pcg32::new(1, 1), Vec::new());
    player.evaluate(&scene.state, &seen, &mut only, &mut rng, &mut out);
    assert_eq!(out.len(), 1);
}

/// What is known of seats that can each build what they lack: all hands are open.
fn on_the_road(points: [Area; 2]) -> (road::Scene, <OnTheRoad as Game>::Memory) {
    let scene = road::Scene::new(3)
        .area(road::S1, points[0])
        .area(road::S2, points[1])
        .hand(road::S1, road::FOR_SETTLEMENT)
        .hand(road::S2, road::FOR_SETTLEMENT);
    let mut memory = <OnTheRoad as Game>::Memory::new(&scene.game, road::S1);
    for seat in [road::S1, road::S2] {
        for kind in [Resource::Brick, Resource::Lumber, Resource::Wool, Resource::Grain] {
            memory.drew(seat.idx(), Some(kind));
        }
    }
    (scene, memory)
}

/// Six points: one settlement is missing.
const NEAR: Area = Area { settlements: 2, cities: 2, ..road::START };

fn asked<G: Opinion>(
    game: &G,
    state: &G::State,
    memory: &G::Memory,
    done: G::Action,
    name: &str,
) -> (Vec<Considered>, Option<Cost>) {
    let agent = agent(name);
    let memory = memory.clone();
    let moment = DecisionPoint { state, seat: Seat::FIRST, done, memory, number: 0 };
    let asking = Asking::new(game, moment, question(&agent));
    let thoughts: Thoughts<G::Action> = asking.thoughts();
    (thoughts.considered(), asking.cost(&thoughts))
}

/// The first action wins for sure; what was done loses nearly all of that.
fn wins(found: &(Vec<Considered>, Option<Cost>), best: impl Display) {
    let (actions, cost) = found;
    assert_eq!(actions[0].action, best.to_string());
    assert_eq!(actions[0].chosen, 4, "every search chooses it");
    let chance = actions[0].chance.expect("it was tried");
    assert!((chance.value - 1.0).abs() < 1e-6, "{chance:?}");
    assert_eq!(chance.interval, Some((1.0, 1.0)));
    assert_eq!(actions.iter().filter(|action| action.done).count(), 1);
    let cost = cost.as_ref().expect("something else was done");
    assert_eq!(cost.better, best.to_string());
    assert!(cost.cost.value > 0.8 && cost.cost.is_above_zero(), "{cost:?}");
    assert!(cost.done_chance.value < 0.2, "the next seat wins: {cost:?}");
    let difference = cost.better_chance.value - cost.done_chance.value;
    assert!((cost.cost.value - difference).abs() < 1e-9);
}

#[test]
fn on_the_road_a_settlement_that_wins_is_worth_1_and_ending_the_turn_loses_to_the_next() {
    let (scene, memory) = on_the_road([NEAR, NEAR]);
    let best = road::build(Card::Settlement);
    let judge = "mcts:iterations=150";
    let found = asked(&scene.game, &scene.state, &memory, Action::EndTurn, judge);
    wins(&found, best);
    let (_, cost) = asked(&scene.game, &scene.state, &memory, best, judge);
    assert_eq!(cost, None, "what is best costs nothing");
}

#[test]
fn on_base_catan_a_city_that_wins_is_worth_1_and_ending_the_turn_loses_to_the_next() {
    let near = |rules: &mut crate::parts::island::rules::Rules| rules.points_to_win = 4.into();
    let scene = base::Scene::with(3, near)
        .city(base::S1, 6)
        .settlement(base::S1, 20)
        .city(base::S2, 0)
        .settlement(base::S2, 24)
        .hand(base::S1, base::FOR_CITY)
        .hand(base::S2, base::FOR_CITY);
    let memory = Memory::knowing(base::S1, scene.state.hands);
    let best = base::city(20);
    let found = asked(&scene.game, &scene.state, &memory, Act::EndTurn, "mcts:iterations=150");
    wins(&found, best);
}

/// A planner has an opinion without an interval, and chooses what a search would choose here.
#[test]
fn a_planner_is_asked_once() {
    let (scene, memory) = on_the_road([NEAR, NEAR]);
    let (actions, cost) = asked(&scene.game, &scene.state, &memory, Action::EndTurn, "heuristic");
    assert_eq!(actions[0].action, road::build(Card::Settlement).to_string());
    let chance = actions[0].chance.expect("an opinion");
    assert!((chance.value - 1.0 / 3.0).abs() < 1e-6, "an even share of three: {chance:?}");
    assert_eq!((chance.interval, actions[0].visits, actions[0].prior), (None, None, None));
    assert_eq!(cost, None, "what it costs takes a search");
    let (actions, _) = asked(&scene.game, &scene.state, &memory, Action::EndTurn, "random");
    assert!(actions.is_empty(), "random has no opinions");
}

fn log_odds(chances: PerSeat<f32>, seat: Seat) -> f64 {
    let own = f64::from(chances[seat.idx()]);
    libm::log(own / (1.0 - own))
}

/// All hands are known, and neither action takes luck that the features see: the parts add up to the difference of
/// the log-odds that the planner itself gives.
#[test]
fn the_parts_of_a_difference_add_up_to_what_the_planner_says() {
    let scene = base::Scene::new(3)
        .settlement(base::S1, 20)
        .settlement(base::S1, 6)
        .settlement(base::S2, 0)
        .settlement(base::S3, 24)
        .hand(base::S1, base::FOR_CITY);
    let memory = Memory::knowing(base::S1, scene.state.hands);
    let actions = [base::city(20), base::city(6)];
    let agent = agent("heuristic");
    let (state, seat) = (&scene.state, base::S1);
    let moment = || {
        let memory = memory.clone();
        DecisionPoint { state, seat, done: actions[1], memory, number: 0 }
    };
    let asking = Asking::new(&scene.game, moment(), question(&agent));
    let found = asking.difference(actions).expect("base CATAN has a lesson");
    // What an agent is made to miss, or does without, is no judgement of it.
    for weaker in ["heuristic:overlook=0.2:lapse=0.1", "heuristic:without=trade"].map(self::agent) {
        let asking = Asking::new(&scene.game, moment(), question(&weaker));
        assert_eq!(asking.difference(actions).map(|parts| parts.total), Some(found.total));
    }
    let sum: f64 = found.parts.iter().map(|part| part.adds).sum();
    assert!((sum - found.total).abs() < 0.01, "{found:?}");
    let mut planner = scene.game.planner(&scene.game.weights());
    let after = actions.map(|action| {
        let mut scene = scene.clone();
        scene.play(action, &[]);
        log_odds(planner.win_probabilities(&scene.game, &scene.state), base::S1)
    });
    let due = after[0] - after[1];
    assert!(due.abs() > 0.01, "the places differ");
    assert!((found.total - due).abs() < 1e-3, "{} for {due}", found.total);
    assert!(found.parts.windows(2).all(|pair| pair[0].adds.abs() >= pair[1].adds.abs()));
}
