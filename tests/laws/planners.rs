//! Agents that judge play to an end by any lawful rule set, however dear or far away its goals: no arithmetic
//! on a user's numbers overflows, and no agent breaks a rule.
//!
//! `FAIRHAVEN_RULE_SETS` says how many random rule sets are played of each game; the default is a few.

use crate::random::below;
use crate::rule_sets::cases;
use crate::{Case, Lawful};
use fairhaven::core::agent::Player;
use fairhaven::core::chance::RandomChance;
use fairhaven::core::game::{ActionFilter, Game, Turn};
use fairhaven::core::opinion::{Judge, Opinion, PolicyAgent, Rate};
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::types::actions::Actions;
use fairhaven::core::watch::Watch;
use fairhaven::games::base::Base;
use fairhaven::games::boats::Boats;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::struggle::opinion::weights::Weights;
use fairhaven::games::struggle::rules::Rules;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::play::Arena;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rand_pcg::Pcg32;
use rayon::prelude::*;

/// Who sits at each table, in turn.
const AGENTS: [&str; 4] = ["heuristic", "greedy", "mcts:iterations=3", "heuristic"];

fn rule_sets(default: u64) -> u64 {
    let asked = std::env::var("FAIRHAVEN_RULE_SETS").ok();
    asked.map_or(default, |text| text.parse().expect("FAIRHAVEN_RULE_SETS is a number"))
}

fn case<G: Lawful>(number: u64) -> Case<G::Rules> {
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    cases::<G>(G::PLAYERS).new_tree(&mut runner).expect("a case").current()
}

fn play<G: Lawful + Playable>(number: u64) {
    let Case { rules, players, seed, .. } = case::<G>(number);
    let game = G::new(rules.clone(), players).expect("rules in range");
    let sit = |name: &str| -> Player<G, G::Special> {
        let agent = AgentSpec::parse(name, None).expect("an agent");
        agent.make(&game, &Watch::none()).expect("an agent of this game")
    };
    let mut sitting: Vec<Player<G, G::Special>> = AGENTS.into_iter().map(sit).collect();
    let seats: Vec<usize> = (0..usize::from(players)).map(|seat| seat % AGENTS.len()).collect();
    let mut table = Arena::new(game.clone()).checking_each_action();
    let end = table.play(&mut sitting, &seats, BlockSeed::new(seed, 1), &mut ());
    assert!(end.is_ok(), "rule set {number}: {rules:?}");
}

fn all<G: Lawful + Playable>(default: u64) {
    (0..rule_sets(default)).into_par_iter().for_each(play::<G>);
}

#[test]
fn judging_agents_play_on_the_road_by_any_rule_set() {
    all::<OnTheRoad>(200);
}

#[test]
fn judging_agents_play_base_catan_by_any_rule_set() {
    all::<Base>(100);
}

#[test]
fn judging_agents_play_struggle_by_any_rule_set() {
    all::<Struggle>(100);
}

#[test]
fn judging_agents_play_boats_by_any_rule_set() {
    all::<Boats>(60);
}

#[test]
fn judging_agents_play_two_player_by_any_rule_set() {
    all::<TwoPlayer>(100);
}

#[test]
fn dear_prices_and_far_goals_are_planned_for() {
    // Plans of more cards than fit a byte.
    let dear = "points_to_win = 20
        city.cost = { grain = 4, ore = 4, wool = 4 }
        settlement.cost = { brick = 4, lumber = 4, wool = 4, grain = 4 }
        metropolis.cost = { wool = 4, ore = 4, grain = 4 }";
    for points in [20, 40] {
        let text = dear.replace("20", &points.to_string());
        let rules = toml::from_str(&text).expect("a rule set");
        let game = OnTheRoad::new(rules, 4).expect("rules in range");
        let agent = AgentSpec::parse("heuristic", None).expect("an agent");
        let mut sitting = vec![agent.make(&game, &Watch::none()).expect("an agent")];
        let mut table = Arena::new(game.clone()).checking_each_action();
        for block in 0..5 {
            let end = table.play(&mut sitting, &[0; 4], BlockSeed::new(1, block), &mut ());
            assert!(end.is_ok(), "{points} points");
        }
    }
}

/// Plays a match by uniform choices; at every decision a planner that has judged all positions before judges
/// as one that has judged none.
fn judge<G: Lawful + Playable>(number: u64) {
    let Case { rules, players, seed, .. } = case::<G>(number);
    let game = G::new(rules, players).expect("rules in range");
    let weights = game.weights();
    let mut old = game.planner(&weights);
    let (mut legal, mut ratings) = (Actions::new(), [Vec::new(), Vec::new()]);
    for block in 0..2 {
        let mut chance = RandomChance::new(BlockSeed::new(seed, block));
        let mut rng = Pcg32::new(seed, block);
        let mut state = game.deal(&mut chance);
        for _ in 0..400 {
            let Turn::Decide(seat) = game.turn(&state) else { break };
            let mut new = game.planner(&weights);
            game.legal(&state, ActionFilter::NoOffers, &mut legal);
            let view = game.view(&state, seat);
            for (planner, ratings) in [&mut old, &mut new].into_iter().zip(&mut ratings) {
                planner.rate(&game, &view, &legal, ratings);
                ratings.extend(planner.win_probabilities(&game, &state));
            }
            let bits = ratings.each_ref().map(|all| all.iter().map(|value| value.to_bits()));
            let [old, new] = bits;
            assert!(old.eq(new), "rule set {number}: {ratings:?} at {state:?}");
            let choice = below(&mut rng, legal.len());
            game.apply(&mut state, legal[choice], &mut chance);
        }
    }
}

#[test]
fn a_planner_with_experience_judges_as_a_new_one() {
    (0..rule_sets(8)).into_par_iter().for_each(judge::<OnTheRoad>);
    (0..rule_sets(8)).into_par_iter().for_each(judge::<Base>);
    (0..rule_sets(8)).into_par_iter().for_each(judge::<Struggle>);
    (0..rule_sets(8)).into_par_iter().for_each(judge::<TwoPlayer>);
    (0..rule_sets(8)).into_par_iter().for_each(judge::<Boats>);
}

/// Among planners of Struggle for Catan with the weights of small tables, one with those of large tables wins at least
/// half as often again as an equal would.
#[test]
fn large_tables_have_weights_that_win_there() {
    const MATCHES: u32 = 60;
    for players in [5, 6] {
        let game = Struggle::new(Rules::default(), players).expect("rules to play by");
        let planner = |weights: &Weights| {
            let (game, policy) = (game.clone(), game.planner(weights));
            Player::<Struggle>::Honest(Box::new(PolicyAgent { game, policy }))
        };
        let mut sitting = [planner(&game.weights()), planner(&Weights::default())];
        let mut table = Arena::new(game.clone()).checking_each_action();
        let is_won = |number: &u32| {
            let alone = number % u32::from(players);
            let seats: Vec<usize> =
                (0..u32::from(players)).map(|seat| usize::from(seat != alone)).collect();
            let seed = BlockSeed::new(11, u64::from(*number));
            let end = table.play(&mut sitting, &seats, seed, &mut ()).expect("lawful agents");
            let winner = game.outcome(&end).winner;
            winner.is_some_and(|seat| seat.idx() == alone as usize)
        };
        let wins = (0..MATCHES).filter(is_won).count();
        let even = MATCHES as usize / usize::from(players);
        assert!(wins > even + even / 2, "{wins} of {MATCHES} at a table of {players}");
    }
}
