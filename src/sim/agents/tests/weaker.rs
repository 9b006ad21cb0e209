//! Agents that are weaker on purpose: temperature and lapses have the laws that they should have.

use super::heap::{Action, Heap, Nothing, Taste};
use crate::core::agent::{Agent, Everything, Player};
use crate::core::game::{ActionFilter, Game, Observation, SeatMemory, Turn};
use crate::core::opinion::Opinion;
use crate::core::seed::{BlockSeed, Stream};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::games::base::Base;
use crate::games::on_the_road::OnTheRoad;
use crate::games::struggle::Struggle;
use crate::sim::agents::spec::AgentSpec;
use crate::sim::agents::tempered::{Tempered, draw};
use crate::sim::any_game::Playable;
use crate::sim::play::{Arena, Paused};
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

/// The ends of matches of one agent in all seats.
fn ends<G: Playable>(agent: &str, matches: u64) -> Vec<G::State> {
    let game = G::new(G::Rules::default(), 3).expect("the default rules");
    let mut players = [make(&game, agent)];
    let mut table = Arena::new(game);
    let play =
        |deal| table.play(&mut players, &[0; 3], BlockSeed::new(30, deal), &mut ()).expect("legal");
    (0..matches).map(play).collect()
}

/// As the temperature goes to 0, the choices become those of the plain agent, where others are as good, too.
#[test]
fn a_very_low_temperature_changes_nothing() {
    for agent in ["greedy", "heuristic"] {
        let cold = format!("{agent}:temperature=1e-6");
        assert_eq!(ends::<OnTheRoad>(&cold, 20), ends::<OnTheRoad>(agent, 20), "{agent}");
        assert_eq!(ends::<Base>(&cold, 4), ends::<Base>(agent, 4), "{agent}");
        assert_eq!(ends::<Struggle>(&cold, 8), ends::<Struggle>(agent, 8), "{agent}");
    }
}

fn no_handicap_changes_nothing<G: Playable>() {
    for (agent, matches) in [("greedy", 20), ("heuristic", 8), ("mcts:iterations=16", 2)] {
        let plain = ends::<G>(agent, matches);
        assert_eq!(plain, ends::<G>(&format!("{agent}:temperature=0:lapse=0"), matches), "{agent}");
        assert_ne!(plain, ends::<G>(&format!("{agent}:temperature=0.2"), matches), "{agent}");
        assert_ne!(plain, ends::<G>(&format!("{agent}:lapse=0.2"), matches), "{agent}");
    }
}

#[test]
fn without_temperature_and_lapses_it_is_the_plain_agent() {
    no_handicap_changes_nothing::<OnTheRoad>();
    no_handicap_changes_nothing::<Base>();
    no_handicap_changes_nothing::<Struggle>();
}

/// Neither greedy nor heuristic draws anything, so the same choices make the same matches.
#[test]
fn an_agent_that_always_lapses_is_the_weaker_kind() {
    assert_eq!(ends::<OnTheRoad>("heuristic:lapse=1", 20), ends::<OnTheRoad>("greedy", 20));
    assert_eq!(ends::<Base>("heuristic:lapse=1", 8), ends::<Base>("greedy", 8));
    for weights in ["", ":haste=1"] {
        let lapsed = ends::<OnTheRoad>(&format!("mcts:lapse=1{weights}"), 8);
        assert_eq!(lapsed, ends::<OnTheRoad>(&format!("heuristic{weights}"), 8));
    }
    assert_eq!(ends::<Struggle>("mcts:lapse=1", 8), ends::<Struggle>("heuristic", 8));
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

/// The first position of a match of the planner with a list of so many actions, where the luck is fixed.
fn plays_uniformly_when_hot<G: Playable>() {
    let game = G::new(G::Rules::default(), 3).expect("the default rules");
    let mut players = [make(&game, "heuristic")];
    let mut table = Arena::new(game.clone());
    let long = |game: &G, state: &G::State, _: G::Action| {
        (4..=40).contains(&game.count(state, ActionFilter::Full))
    };
    let seed = BlockSeed::new(31, 0);
    let paused = table.play_until(&mut players, &[0; 3], seed, &mut (), long).expect("legal");
    let Paused::At(fork) = paused else { panic!("no such list") };
    let Turn::Decide(seat) = game.turn(fork.state()) else { panic!("the match is over") };
    let memory = G::Memory::new(&game, seat);
    let mut agent = honest(&game, "heuristic:temperature=100");
    let mut rng = seed.stream(Stream::Study, None, 0);
    let mut counts = Vec::new();
    for _ in 0..4000 {
        let mut legal = Actions::new();
        game.legal(fork.state(), ActionFilter::Full, &mut legal);
        let seen = Observation { seat, view: game.view(fork.state(), seat), memory: &memory };
        let at = agent.choose(&seen, &mut legal, &mut rng);
        counts.resize(legal.len(), 0_u32);
        counts[at] += 1;
    }
    let due = 4000.0 / counts.len() as f64;
    // Six standard deviations of a Poisson count.
    let fits = |&count: &u32| (f64::from(count) - due).abs() < 6.0 * due.sqrt();
    assert!(counts.iter().all(fits), "{}: {counts:?}", G::NAME);
}

#[test]
fn at_a_high_temperature_all_actions_are_equal() {
    plays_uniformly_when_hot::<OnTheRoad>();
    plays_uniformly_when_hot::<Base>();
    plays_uniformly_when_hot::<Struggle>();
}
