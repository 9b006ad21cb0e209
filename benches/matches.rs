//! The engine part by part: rules, legal lists, whole matches, determinization, a search's decision.
//!
//! Every bench asserts its answer: what the rules and the baselines determine is compared with a checksum
//! kept here; what tuned agents do, with what they did a moment before.

use criterion::{BatchSize, Bencher, Criterion, Throughput};
use fairhaven_engine::core::agent::Player;
use fairhaven_engine::core::chance::RandomChance;
use fairhaven_engine::core::game::{ActionFilter, Game, Turn};
use fairhaven_engine::core::record::{Decision, Recorder};
use fairhaven_engine::core::seed::{BlockSeed, Stream, mix};
use fairhaven_engine::core::types::actions::Actions;
use fairhaven_engine::core::types::seat::Seat;
use fairhaven_engine::core::watch::Watch;
use fairhaven_engine::games::base::Base;
use fairhaven_engine::games::on_the_road::OnTheRoad;
use fairhaven_engine::parts::island::rules::Rules;
use fairhaven_engine::sim::agents::spec::AgentSpec;
use fairhaven_engine::sim::any_game::Playable;
use fairhaven_engine::sim::play::Arena;
use fairhaven_engine::sim::play::follower::Follower;
use fairhaven_engine::sim::simulation;
use fairhaven_engine::sim::tally::Tally;
use rand_pcg::Pcg32;
use std::hint::black_box;

/// The master seed of everything here.
const SEED: u64 = 2026;

/// Players at the table.
const PLAYERS: u8 = 4;

/// The seats of one agent.
const ALL_SEATS: [usize; PLAYERS as usize] = [0; PLAYERS as usize];

/// Matches of a round of `matches/…`.
const MATCHES: u64 = 10;

/// What is measured of a game.
trait Benched: Playable {
    /// What the rules and the completely specified agents determine.
    const CHECKSUMS: &'static [(&'static str, u64)];
    /// Agents whose matches are timed.
    const AGENTS: &'static [&'static str];

    /// A checksum of a position.
    fn digest(state: &Self::State) -> u64;
}

impl Benched for OnTheRoad {
    const CHECKSUMS: &'static [(&'static str, u64)] = &[
        ("apply", 0xb98a_6cf7_6fd7_bad3),
        ("legal", 15_973),
        ("determinize", 0x6e05_971b_1075_6a79),
        ("builder", 0x06c1_e7e6_5d61_465f),
        ("drifter", 0xd030_db1c_642e_3373),
        ("random", 0xa8e5_61d2_95b5_20e0),
    ];
    const AGENTS: &'static [&'static str] =
        &["builder", "drifter", "random", "greedy", "heuristic"];

    fn digest(state: &Self::State) -> u64 {
        let hands = state.hands.iter().fold(0, |sum, hand| mix(sum ^ hand.cards()));
        mix(hands ^ state.pile).wrapping_add(u64::from(state.table.turn))
    }
}

impl Benched for Base {
    const CHECKSUMS: &'static [(&'static str, u64)] = &[
        ("apply", 0x2847_3fa0_9dce_3d4e),
        ("legal", 612_115),
        ("random", 0xacaa_7276_6838_4d86),
        ("random without offers", 0x0bd8_00c9_dc55_5e21),
        ("longest trail", 219_708),
    ];
    const AGENTS: &'static [&'static str] = &["random", "greedy", "heuristic"];

    fn digest(state: &Self::State) -> u64 {
        let counts = state.hands.iter().flat_map(|hand| hand.counts());
        let counts = counts.chain(state.cards.into_iter().flatten());
        let sum = counts.fold(0, |sum, count| mix(sum ^ u64::from(count)));
        sum.wrapping_add(u64::from(state.table.turn))
    }
}

/// Compares an answer with its checksum, if there is one.
fn check<G: Benched>(what: &str, answer: u64) {
    let known = G::CHECKSUMS.iter().find(|(name, _)| *name == what);
    if let Some((_, known)) = known {
        let game = G::NAME;
        assert_eq!(
            answer, *known,
            "{game}, {what}: rules, luck or agent have changed; now {answer:#x}"
        );
    }
}

fn game<G: Game>() -> G {
    G::new(G::Rules::default(), PLAYERS).expect("rules to play by")
}

fn player<G: Playable>(name: &str, game: &G) -> Player<G, G::Special> {
    let spec = AgentSpec::parse(name, None).expect("an agent");
    spec.make(game, &Watch::none()).expect("an agent of this game")
}

fn rng() -> Pcg32 {
    BlockSeed::new(SEED, 0).stream(Stream::Study, None, 0)
}

/// Notes the positions and actions of matches.
struct Script<G: Game>(Moves<G>);

/// Positions and actions.
type Moves<G> = Vec<(<G as Game>::State, <G as Game>::Action)>;

impl<G: Game> Recorder<G> for Script<G> {
    fn on_decision(&mut self, _game: &G, decision: &Decision<'_, G>) {
        self.0.push((*decision.before, decision.action));
    }
}

/// The positions and actions of one random match, and where it ends.
fn random_match<G: Playable>(game: &G) -> (Moves<G>, G::State) {
    let mut script = Script(Vec::new());
    let mut players = [player("random", game)];
    let seed = BlockSeed::new(SEED, 0);
    let end = Arena::new(game.clone()).play(&mut players, &ALL_SEATS, seed, &mut script);
    (script.0, end.expect("random keeps to the rules"))
}

/// What seats know at the decisions of one random match, where there is a choice.
fn random_sights<G: Playable>(game: &G) -> Vec<Follower<G>> {
    let dealt = |seat| {
        let mut luck = RandomChance::new(BlockSeed::new(SEED, 0));
        (Follower::deal(game.clone(), Some(seat), &mut luck), luck)
    };
    let mut followers: Vec<_> = Seat::all(PLAYERS).map(dealt).collect();
    let mut sights = Vec::new();
    for (state, action) in random_match(game).0 {
        if let Turn::Decide(seat) = game.turn(&state)
            && game.count(&state, ActionFilter::Full) > 1
        {
            sights.push(followers[seat.idx()].0.clone());
        }
        for (follower, luck) in &mut followers {
            follower.follow(action, luck).expect("it was taken");
        }
    }
    sights
}

/// The deal and every action of a match, without agents and legal lists.
fn bench_apply<G: Benched>(criterion: &mut Criterion) {
    let game: G = game();
    let (script, end) = random_match(&game);
    check::<G>("apply", G::digest(&end));
    let mut group = criterion.benchmark_group(format!("{}/rules", G::NAME));
    group.throughput(Throughput::Elements(script.len() as u64));
    group.bench_function("apply", |bencher| {
        bencher.iter(|| {
            let mut chance = RandomChance::new(BlockSeed::new(SEED, 0));
            let mut state = game.deal(&mut chance);
            for (_, action) in &script {
                game.apply(&mut state, *action, &mut chance);
            }
            assert_eq!(state, end);
        });
    });
}

/// The full list at every position of a match.
fn bench_legal<G: Benched>(criterion: &mut Criterion) {
    let game: G = game();
    let (script, _) = random_match(&game);
    let mut legal = Box::new(Actions::<G::Action>::new());
    let mut list_all = || {
        let lengths = script.iter().map(|(state, _)| {
            game.legal(black_box(state), ActionFilter::Full, &mut legal);
            legal.len() as u64
        });
        lengths.sum::<u64>()
    };
    let listed = list_all();
    check::<G>("legal", listed);
    let mut group = criterion.benchmark_group(format!("{}/rules", G::NAME));
    group.throughput(Throughput::Elements(script.len() as u64));
    group.bench_function("legal", |bencher| bencher.iter(|| assert_eq!(list_all(), listed)));
}

/// Matches as a batch plays them: luck, agents, legal lists, statistics. They are checked under `name`.
fn bench_matches_of<G: Benched>(criterion: &mut Criterion, game: &G, agent: &str, name: &str) {
    let mut table = Arena::new(game.clone());
    let mut tally = Tally::new(simulation::layout(game, 1));
    let mut players = [player(agent, game)];
    let mut play = || {
        let mut sum = 0;
        for block in 0..MATCHES {
            let seed = BlockSeed::new(SEED, block);
            tally.begin(block, 0, &ALL_SEATS);
            let end = table.play(&mut players, &ALL_SEATS, seed, &mut tally);
            tally.end_block();
            sum = mix(sum ^ G::digest(&end.expect("agents keep to the rules")));
        }
        sum
    };
    let answer = play();
    check::<G>(name, answer);
    let mut group = criterion.benchmark_group(format!("{}/matches", G::NAME));
    group.throughput(Throughput::Elements(MATCHES));
    group.bench_function(name, |bencher| bencher.iter(|| assert_eq!(play(), answer)));
}

fn bench_matches<G: Benched>(criterion: &mut Criterion) {
    let game: G = game();
    for name in G::AGENTS {
        bench_matches_of(criterion, &game, name, name);
    }
}

/// Random players who never trade with each other, as in most other programs.
fn bench_matches_without_offers(criterion: &mut Criterion) {
    let mut rules = Rules::default();
    rules.trade.proposals_max = 0;
    let game = Base::new(rules, PLAYERS).expect("rules to play by");
    bench_matches_of(criterion, &game, "random", "random without offers");
}

/// The longest road of each player, in every position of a match.
fn bench_longest_trail(criterion: &mut Criterion) {
    let game: Base = game();
    let (script, _) = random_match(&game);
    let measure_all = || {
        let lengths = script.iter().flat_map(|(state, _)| {
            let pieces = &black_box(state).table.pieces;
            Seat::all(PLAYERS).map(|seat| u64::from(pieces.longest_road(game.map(), seat)))
        });
        lengths.sum::<u64>()
    };
    let answer = measure_all();
    check::<Base>("longest trail", answer);
    let mut group = criterion.benchmark_group("base/rules");
    group.throughput(Throughput::Elements(script.len() as u64 * u64::from(PLAYERS)));
    let measured = |bencher: &mut Bencher<'_>| bencher.iter(|| assert_eq!(measure_all(), answer));
    group.bench_function("longest trail", measured);
}

/// A determinization for every observation of a match.
fn bench_determinize<G: Benched>(criterion: &mut Criterion) {
    let game: G = game();
    let sights = random_sights(&game);
    let deal_all = |mut rng: Pcg32| {
        let deals = sights.iter().map(|sight| {
            let seen = sight.observation().expect("a seat is named");
            G::digest(&seen.determinize(&game, &mut rng))
        });
        deals.fold(0, |sum, deal| mix(sum ^ deal))
    };
    let answer = deal_all(rng());
    check::<G>("determinize", answer);
    let mut group = criterion.benchmark_group(format!("{}/search", G::NAME));
    group.throughput(Throughput::Elements(sights.len() as u64));
    group.bench_function("determinize", |bencher| {
        bencher.iter_batched(rng, |rng| assert_eq!(deal_all(rng), answer), BatchSize::SmallInput);
    });
}

/// One decision of a search with 100 iterations, amid a match.
fn bench_search<G: Benched>(criterion: &mut Criterion) {
    let game: G = game();
    let sights = random_sights(&game);
    let seen = sights[sights.len() / 2].observation().expect("a seat is named");
    let mut legal = Box::new(Actions::<G::Action>::new());
    let state = seen.determinize(&game, &mut rng());
    let Player::Honest(mut search) = player("mcts:iterations=100", &game) else {
        unreachable!("it sees what its seat sees")
    };
    let mut decide = |mut rng: Pcg32| {
        game.legal(&state, ActionFilter::Full, &mut legal);
        search.choose(&seen, &mut legal, &mut rng)
    };
    let answer = decide(rng());
    let mut group = criterion.benchmark_group(format!("{}/search", G::NAME));
    group.throughput(Throughput::Elements(100));
    group.bench_function("mcts_100_iterations", |bencher| {
        bencher.iter_batched(rng, |rng| assert_eq!(decide(rng), answer), BatchSize::SmallInput);
    });
}

fn bench_all<G: Benched>(criterion: &mut Criterion) {
    bench_apply::<G>(criterion);
    bench_legal::<G>(criterion);
    bench_matches::<G>(criterion);
    bench_determinize::<G>(criterion);
    bench_search::<G>(criterion);
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    bench_all::<OnTheRoad>(&mut criterion);
    bench_all::<Base>(&mut criterion);
    bench_matches_without_offers(&mut criterion);
    bench_longest_trail(&mut criterion);
    criterion.final_summary();
}
