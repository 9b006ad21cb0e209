//! Agents that are weaker on purpose, in matches of the real games, and trees on several threads.

use fairhaven::core::agent::{Agent, Player};
use fairhaven::core::game::{ActionFilter, Game, Observation, SeatMemory, Turn};
use fairhaven::core::opinion::Opinion;
use fairhaven::core::params::MctsParams;
use fairhaven::core::seed::{BlockSeed, Stream};
use fairhaven::core::types::actions::Actions;
use fairhaven::core::watch::Watch;
use fairhaven::games::base::Base;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::opinion::weights::Weights;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::games::struggle::Struggle;
use fairhaven::sim::agents::mcts::Mcts;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::play::Arena;
use fairhaven::sim::play::fork::Paused;

fn make<G: Opinion>(game: &G, agent: &str) -> Player<G, G::Special> {
    AgentSpec::parse(agent, None)
        .and_then(|spec| spec.make(game, &Watch::none()))
        .expect("an agent")
}

fn honest<G: Opinion>(game: &G, agent: &str) -> Box<dyn Agent<G>> {
    let Player::Honest(agent) = make(game, agent) else { panic!("{agent} is another kind") };
    agent
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

/// The first position of a match of the planner with a list of so many actions, where the luck is fixed.
fn plays_uniformly_when_hot<G: Playable>() {
    let game = G::new(G::Rules::default(), 3).expect("the default rules");
    let mut players = [make(&game, "heuristic")];
    let mut table = Arena::new(game.clone());
    let mut long = |game: &G, state: &G::State, _: G::Action| {
        (4..=40).contains(&game.count(state, ActionFilter::Full))
    };
    let seed = BlockSeed::new(31, 0);
    let paused = table.play_until(&mut players, &[0; 3], seed, &mut (), &mut long).expect("legal");
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

/// Four trees: what is chosen does not depend on the threads that they grow on, and all iterations are made.
#[test]
fn trees_grow_alike_on_any_number_of_threads() {
    let game = OnTheRoad::new(Rules::default(), 3).expect("the default rules");
    let params = MctsParams { iterations: 203, trees: 4, ..OnTheRoad::SEARCH };
    let play = |threads: usize| {
        let watch = Watch::none().with_think_threads(threads);
        let agent = Mcts::new(game.clone(), params.clone(), &Weights::default(), &watch);
        let mut players = [Player::<OnTheRoad>::Honest(Box::new(agent))];
        let end =
            Arena::new(game.clone()).play(&mut players, &[0; 3], BlockSeed::new(5, 0), &mut ());
        (end.expect("no fault"), players[0].take_iterations())
    };
    let alone = play(1);
    assert!(alone.1 > 0 && alone.1.is_multiple_of(203), "{} iterations", alone.1);
    for threads in [2, 3, 5] {
        assert_eq!(play(threads), alone);
    }
}
