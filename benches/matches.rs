//! The engine part by part: rules, legal lists, whole matches, determinization, a search's decision.
//!
//! Every bench asserts its answer: what the rules and the baselines fix is compared with a checksum that
//! stands here, what tuned agents do with what they did a moment before.

use criterion::BatchSize;
use criterion::Criterion;
use criterion::Throughput;
use fairhaven::agent::Agent;
use fairhaven::agent::Player;
use fairhaven::agents::random::Random;
use fairhaven::chance::RandomChance;
use fairhaven::game::Game;
use fairhaven::game::Menu;
use fairhaven::game::Observation;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::on_the_road::action::Action;
use fairhaven::games::on_the_road::rules::Rules;
use fairhaven::games::on_the_road::state::State;
use fairhaven::record::Decision;
use fairhaven::record::Recorder;
use fairhaven::registry::AgentSpec;
use fairhaven::seed::BlockSeed;
use fairhaven::seed::Stream;
use fairhaven::seed::mix;
use fairhaven::sim::lineup;
use fairhaven::sim::play::Table;
use fairhaven::sim::tally::Tally;
use fairhaven::types::actions::Actions;
use rand_pcg::Pcg32;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::Mutex;
use std::time::Duration;

/// The master seed of everything here.
const SEED: u64 = 2026;

/// Players at the table.
const PLAYERS: u8 = 4;

/// The seats of one agent.
const ALL_SEATS: [usize; PLAYERS as usize] = [0; PLAYERS as usize];

/// Matches of a round of `matches/…`.
const MATCHES: u64 = 10;

/// What is fixed by the rules and by agents that are specified to the last choice.
const CHECKSUMS: &[(&str, u64)] = &[
    ("apply", 0xb98a_6cf7_6fd7_bad3),
    ("legal", 15_973),
    ("determinize", 0x6e05_971b_1075_6a79),
    ("builder", 0x06c1_e7e6_5d61_465f),
    ("drifter", 0xd030_db1c_642e_3373),
    ("random", 0xa8e5_61d2_95b5_20e0),
];

/// Compares an answer with its checksum, where there is one.
fn check(what: &str, answer: u64) {
    let known = CHECKSUMS.iter().find(|(name, _)| *name == what);
    if let Some((_, known)) = known {
        assert_eq!(answer, *known, "{what}: rules, luck or agent have changed; now {answer:#x}");
    }
}

fn game() -> OnTheRoad {
    OnTheRoad::new(Rules::default(), PLAYERS).expect("rules to play by")
}

fn player(name: &str, game: &OnTheRoad) -> Player<OnTheRoad> {
    let spec = AgentSpec::parse(name, None).expect("an agent");
    spec.make(game, || Duration::ZERO).expect("an agent of this game")
}

fn rng() -> Pcg32 {
    BlockSeed::new(SEED, 0).stream(Stream::Study, None, 0)
}

/// A number that stands for a position.
fn digest(state: &State) -> u64 {
    let hands = state.hands.iter().fold(0, |sum, &hand| mix(sum ^ hand));
    mix(hands ^ state.pile).wrapping_add(u64::from(state.table.turn))
}

/// Writes down the positions and actions of matches.
#[derive(Default)]
struct Script(Vec<(State, Action)>);

impl Recorder<OnTheRoad> for Script {
    fn on_decision(&mut self, _game: &OnTheRoad, decision: &Decision<'_, OnTheRoad>) {
        self.0.push((*decision.before, decision.action));
    }
}

/// Plays at random and writes down what it sees.
struct Witness(Arc<Mutex<Vec<Observation<OnTheRoad>>>>);

impl Agent<OnTheRoad> for Witness {
    fn remembers(&self) -> bool {
        true
    }

    fn choose(
        &mut self,
        seen: &Observation<OnTheRoad>,
        legal: &mut Actions<Action>,
        rng: &mut Pcg32,
    ) -> usize {
        self.0.lock().expect("one thread").push(seen.clone());
        Agent::<OnTheRoad>::choose(&mut Random, seen, legal, rng)
    }
}

/// The positions and actions of one random match, and where it ends.
fn random_match(game: &OnTheRoad) -> (Vec<(State, Action)>, State) {
    let mut script = Script::default();
    let mut players = [player("random", game)];
    let seed = BlockSeed::new(SEED, 0);
    let end = Table::new(game.clone()).play(&mut players, &ALL_SEATS, seed, &mut script);
    (script.0, end.expect("random keeps to the rules"))
}

/// What seats see at the decisions of one random match.
fn random_sights(game: &OnTheRoad) -> Vec<Observation<OnTheRoad>> {
    let sights = Arc::default();
    let mut players = [Player::Honest(Box::new(Witness(Arc::clone(&sights))) as Box<dyn Agent<_>>)];
    let seed = BlockSeed::new(SEED, 0);
    let end = Table::new(game.clone()).play(&mut players, &ALL_SEATS, seed, &mut ());
    end.expect("random keeps to the rules");
    sights.lock().expect("one thread").clone()
}

/// The deal and every action of a match, without agents and legal lists.
fn bench_apply(criterion: &mut Criterion) {
    let game = game();
    let (script, end) = random_match(&game);
    check("apply", digest(&end));
    let mut group = criterion.benchmark_group("rules");
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

/// The full menu at every position of a match.
fn bench_legal(criterion: &mut Criterion) {
    let game = game();
    let (script, _) = random_match(&game);
    let mut legal = Box::new(Actions::<Action>::new());
    let mut list_all = || {
        let lengths = script.iter().map(|(state, _)| {
            game.legal(black_box(state), Menu::Full, &mut legal);
            legal.len() as u64
        });
        lengths.sum::<u64>()
    };
    let listed = list_all();
    check("legal", listed);
    let mut group = criterion.benchmark_group("rules");
    group.throughput(Throughput::Elements(script.len() as u64));
    group.bench_function("legal", |bencher| bencher.iter(|| assert_eq!(list_all(), listed)));
}

/// Matches as a batch plays them: luck, agents, legal lists, statistics.
fn bench_matches(criterion: &mut Criterion) {
    let game = game();
    let mut group = criterion.benchmark_group("matches");
    group.throughput(Throughput::Elements(MATCHES));
    for name in ["builder", "drifter", "random", "greedy", "heuristic"] {
        let mut table = Table::new(game.clone());
        let mut tally = Tally::new(lineup::layout(&game, 1));
        let mut players = [player(name, &game)];
        let mut play = || {
            let mut sum = 0;
            for block in 0..MATCHES {
                let seed = BlockSeed::new(SEED, block);
                tally.begin(block, 0, &ALL_SEATS);
                let end = table.play(&mut players, &ALL_SEATS, seed, &mut tally);
                tally.end_block();
                sum = mix(sum ^ digest(&end.expect("agents keep to the rules")));
            }
            sum
        };
        let answer = play();
        check(name, answer);
        group.bench_function(name, |bencher| bencher.iter(|| assert_eq!(play(), answer)));
    }
}

/// A determinization for every sight of a match.
fn bench_determinize(criterion: &mut Criterion) {
    let game = game();
    let sights = random_sights(&game);
    let deal_all = |mut rng: Pcg32| {
        let deals = sights.iter().map(|seen| digest(&game.determinize(seen, &mut rng)));
        deals.fold(0, |sum, deal| mix(sum ^ deal))
    };
    let answer = deal_all(rng());
    check("determinize", answer);
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(sights.len() as u64));
    group.bench_function("determinize", |bencher| {
        bencher.iter_batched(rng, |rng| assert_eq!(deal_all(rng), answer), BatchSize::SmallInput);
    });
}

/// One decision of a search with 100 iterations, amid a match.
fn bench_search(criterion: &mut Criterion) {
    let game = game();
    let sights = random_sights(&game);
    let seen = &sights[sights.len() / 2];
    let mut legal = Box::new(Actions::<Action>::new());
    let state = game.determinize(seen, &mut rng());
    let Player::Honest(mut search) = player("mcts:iterations=100", &game) else {
        unreachable!("it sees what its seat sees")
    };
    let mut decide = |mut rng: Pcg32| {
        game.legal(&state, Menu::Full, &mut legal);
        search.choose(seen, &mut legal, &mut rng)
    };
    let answer = decide(rng());
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(100));
    group.bench_function("mcts_100_iterations", |bencher| {
        bencher.iter_batched(rng, |rng| assert_eq!(decide(rng), answer), BatchSize::SmallInput);
    });
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    bench_apply(&mut criterion);
    bench_legal(&mut criterion);
    bench_matches(&mut criterion);
    bench_determinize(&mut criterion);
    bench_search(&mut criterion);
    criterion.final_summary();
}
