//! Agents that are weaker on purpose: temperature, lapses and what is overlooked have the laws that they should have.

use super::heap::{Action, Heap, Nothing, Taste};
use crate::core::agent::{Agent, Everything, Player};
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::opinion::Opinion;
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::tempered::{Tempered, draw};
use rand_core::Rng;
use rand_pcg::Pcg32;

/// How often each is drawn must be as likely as its share: chi-squared below its 99.9th percentile for up to
/// three degrees of freedom (16.3), at a fixed seed.
fn assert_law(counts: &[u32], shares: &[f64]) {
    let all: u32 = counts.iter().sum();
    let misfit: f64 = std::iter::zip(counts, shares)
        .filter(|&(_, share)| *share > 0.0)
        .map(|(&count, share)| (f64::from(count) - share * f64::from(all)).powi(2) / share)
        .sum::<f64>()
        / f64::from(all);
    let impossible = std::iter::zip(counts, shares).any(|(&n, share)| n > 0 && *share <= 0.0);
    assert!(misfit < 16.3 && !impossible, "{counts:?} for {shares:?}");
}

/// How often an agent chooses each of the first four entries from a heap.
fn choices(agent: &mut dyn Agent<Heap>, game: &Heap, stones: u8, times: u64) -> [u32; 4] {
    let mut counts = [0; 4];
    let mut rng = Pcg32::new(5, 5);
    for _ in 0..times {
        let mut legal = Actions::new();
        game.legal(&game.start(0), ActionFilter::Full, &mut legal);
        let seen = Observation { seat: Seat::FIRST, view: (stones, 1), memory: &Nothing };
        counts[agent.choose(&seen, &mut legal, &mut rng)] += 1;
    }
    counts
}

fn make<G: Opinion>(game: &G, agent: &str) -> Player<G, G::Special> {
    AgentSpec::parse(agent, None)
        .and_then(|spec| spec.make(game, &Watch::none()))
        .expect("an agent")
}

fn honest<G: Opinion>(game: &G, agent: &str) -> Box<dyn Agent<G>> {
    let Player::Honest(agent) = make(game, agent) else { panic!("{agent} is another kind") };
    agent
}

/// The best is rated 1 and the two others 0, with a fog of 1 and two seats: chances to win of 1/2 and 1 / (1 + e). The
/// best counts for 0.01 more, since it is what the agent would take.
#[test]
fn actions_are_drawn_in_proportion_to_the_exponent_of_their_worth() {
    let game = Heap::of(5, [1, 0, 0]);
    for (temperature, shares) in [
        (0.1, [0.847_798_62, 0.076_100_69, 0.076_100_69]),
        (100.0, [0.333_869_23, 0.333_065_38, 0.333_065_38]),
        (1e-3, [1.0, 0.0, 0.0]),
    ] {
        let planner = game.planner(&Taste { favours: Some(Action::Take(1)), adds: None });
        let mut agent = Tempered::new(game.clone(), planner, temperature);
        assert_law(&choices(&mut agent, &game, 5, 20_000)[..3], &shares);
    }
}

#[test]
fn what_has_no_worth_is_not_drawn() {
    let mut rng = Pcg32::new(2, 2);
    let mut counts = [0; 4];
    for _ in 0..10_000 {
        let mut worths = [f32::NEG_INFINITY, 0.25, f32::NAN, 0.25];
        counts[draw(&mut worths, 1, 0.1, &mut rng)] += 1;
    }
    // 1 / (1 + e^-0.1)
    assert_law(&counts, &[0.0, 0.524_979_19, 0.0, 0.475_020_81]);
    assert_eq!(draw(&mut [f32::NAN; 3], 2, 0.1, &mut rng), 2, "one must be chosen");
}

/// With two stones that decide, to take both wins and to take one loses: 1 / (1 + e^-2.02) at a temperature of 1/2.
#[test]
fn a_search_draws_by_the_values_that_it_finds() {
    let game = Heap::of(2, [1, 0, 0]);
    let search = "iterations=40:rollout=random:truncation=1000:temperature=0.5";
    for kind in ["mcts", "oracle"] {
        let mut counts = [0; 2];
        let mut agent = make(&game, &format!("{kind}:{search}"));
        let mut rng = Pcg32::new(1, 1);
        for _ in 0..4000 {
            let mut legal = Actions::new();
            game.legal(&game.start(0), ActionFilter::Full, &mut legal);
            let seen = Observation { seat: Seat::FIRST, view: (2, 1), memory: &Nothing };
            let at = match &mut agent {
                Player::Honest(agent) => agent.choose(&seen, &mut legal, &mut rng),
                Player::Omniscient(agent) => {
                    let all = Everything { state: &game.start(0), seen };
                    agent.choose(&all, &mut legal, &mut rng)
                }
                Player::Known(_) | Player::Guest(..) => panic!("the heap has no agents of its own"),
            };
            counts[at] += 1;
        }
        assert_law(&counts, &[0.117_118_99, 0.882_881_01]);
    }
}

/// Greedy takes as many stones as it may; a lapse of it is a uniform choice.
#[test]
fn the_share_of_lapses_is_as_said() {
    let game = Heap::of(5, [1, 0, 0]);
    for lapse in [0.0, 0.3, 1.0] {
        let mut agent = honest(&game, &format!("greedy:lapse={lapse}"));
        let other = lapse / 3.0;
        let shares = [other, other, 1.0 - 2.0 * other];
        assert_law(&choices(&mut *agent, &game, 5, 20_000)[..3], &shares);
    }
}

/// Greedy takes as many stones as it notices that it may. Where it notices nothing it does any of the three: with a share
/// q overlooked, three with 1 - q + q³/3, two with q (1 - q) + q³/3, and one with the rest.
#[test]
fn the_best_of_what_is_not_overlooked_is_taken() {
    let game = Heap::of(5, [1, 0, 0]);
    for share in [0.0, 0.25, 0.6, 1.0] {
        let mut agent = honest(&game, &format!("greedy:overlook={share}"));
        let (seen, any) = (1.0 - share, f64::powi(share, 3) / 3.0);
        let shares = [share * share * seen + any, share * seen + any, seen + any];
        assert_law(&choices(&mut *agent, &game, 5, 20_000)[..3], &shares);
    }
}

/// It sees a card that the search without its eyes can't see: one in three guesses right.
#[test]
fn an_oracle_that_lapses_searches_what_its_seat_knows() {
    let game = Heap::of(0, [1, 1, 2]);
    let parameters = "iterations=300:rollout=random:truncation=1000";
    let mut blind = honest(&game, &format!("mcts:{parameters}"));
    let oracle = |lapse| make(&game, &format!("oracle:{parameters}:lapse={lapse}"));
    for (mut player, sees) in [(oracle("1"), false), (oracle("1e-9"), true)] {
        let Player::Omniscient(agent) = &mut player else { panic!("oracles see everything") };
        for (seed, card) in (1..).zip([0, 1, 2, 0]) {
            let state = game.start(card);
            let seen = Observation { seat: Seat::FIRST, view: (0, 1), memory: &Nothing };
            let mut legal = Actions::new();
            game.legal(&state, ActionFilter::Full, &mut legal);
            // One number says whether it lapses.
            let mut rng = Pcg32::new(seed, 1);
            rng.next_u32();
            let guess = blind.choose(&seen, &mut legal.clone(), &mut rng);
            let mut rng = Pcg32::new(seed, 1);
            let at = agent.choose(&Everything::new(&state, &seen), &mut legal, &mut rng);
            assert_eq!(at, if sees { usize::from(card) } else { guess });
        }
    }
}
