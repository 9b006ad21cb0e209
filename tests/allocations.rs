//! A warm match allocates nothing: not the table, not the tally, not an agent, searches included.
//!
//! Allocations are counted by thread, so that those of the harness and of other tests are not.
#![allow(
    unsafe_code,
    reason = "an allocator can't be written without; this one counts and passes on"
)]

use fairhaven::core::agent::Player;
use fairhaven::core::seed::BlockSeed;
use fairhaven::core::watch::Watch;
use fairhaven::games::base::Base;
use fairhaven::games::boats::Boats;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::games::struggle::Struggle;
use fairhaven::games::two_player::TwoPlayer;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::play::Arena;
use fairhaven::sim::simulation;
use fairhaven::sim::tally::Tally;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator with a counter by thread.
struct Counting;

thread_local! {
    /// Allocations of this thread so far.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn note() {
    // While a thread ends, its counter may be gone; nothing is counted then.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator unchanged; counting touches a plain cell that
// needs no allocation and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

/// Everything that one thread of a batch plays with.
struct Seated<G: Playable> {
    table: Arena<G>,
    players: Vec<Player<G, G::Special>>,
    seat_of: Vec<usize>,
    tally: Tally<G>,
}

impl<G: Playable> Seated<G> {
    /// One agent in all seats.
    fn new(agent: &str, players: u8) -> Seated<G> {
        let game = G::new(G::Rules::default(), players).expect("rules to play by");
        let spec = AgentSpec::parse(agent, None).expect("an agent");
        let player = spec.make(&game, &Watch::none()).expect("an agent of this game");
        Seated {
            tally: Tally::new(simulation::layout(&game, 1)),
            table: Arena::new(game),
            players: vec![player],
            seat_of: vec![0; usize::from(players)],
        }
    }

    /// Plays blocks as a worker of a batch does, and returns the allocations.
    fn play(&mut self, blocks: std::ops::Range<u64>) -> u64 {
        self.tally.take();
        let before = allocations();
        for block in blocks {
            self.tally.begin(block, 0, &self.seat_of);
            let seed = BlockSeed::new(11, block);
            let played = self.table.play(&mut self.players, &self.seat_of, seed, &mut self.tally);
            assert!(played.is_ok(), "block {block}");
            self.tally.add_iterations(0, self.players[0].take_iterations());
            self.tally.end_block();
        }
        allocations() - before
    }
}

/// At each table, matches after `warm` ones allocate nothing.
fn plays_without_allocating<G: Playable>(agent: &str, tables: &[u8], warm: u64, counted: u64) {
    for &players in tables {
        let mut seated = Seated::<G>::new(agent, players);
        let warming = seated.play(0..warm);
        let warmed = seated.play(warm..warm + counted);
        let name = G::NAME;
        assert_eq!(warmed, 0, "{name}: {agent}, {players} players; warming up: {warming}");
    }
}

#[test]
fn allocations_are_counted() {
    let before = allocations();
    let list = std::hint::black_box(vec![1_u8; 100]);
    assert_eq!((list.len(), allocations() - before), (100, 1));
    let mut grown: Vec<u8> = Vec::with_capacity(1);
    grown.extend_from_slice(&list);
    assert!(allocations() - before >= 3, "growing counts, too");
}

#[test]
fn baselines_allocate_nothing() {
    plays_without_allocating::<OnTheRoad>("builder", &[3, 4], 20, 500);
    plays_without_allocating::<OnTheRoad>("drifter", &[3, 4], 20, 500);
}

#[test]
fn random_allocates_nothing() {
    plays_without_allocating::<OnTheRoad>("random", &[3, 4], 20, 300);
    plays_without_allocating::<Base>("random", &[2, 3, 4, 5, 6], 5, 20);
    plays_without_allocating::<Struggle>("random", &[2, 3, 4, 5, 6], 5, 50);
    plays_without_allocating::<TwoPlayer>("random", &[2], 5, 50);
    plays_without_allocating::<Boats>("random", &[2, 4], 3, 10);
}

#[test]
fn greedy_allocates_nothing() {
    plays_without_allocating::<OnTheRoad>("greedy", &[3, 4], 20, 200);
    plays_without_allocating::<Base>("greedy", &[3, 4, 6], 5, 100);
    plays_without_allocating::<Struggle>("greedy", &[2, 3, 6], 5, 100);
    plays_without_allocating::<TwoPlayer>("greedy", &[2], 5, 100);
    plays_without_allocating::<Boats>("greedy", &[2, 4], 3, 10);
}

#[test]
fn heuristic_allocates_nothing() {
    plays_without_allocating::<OnTheRoad>("heuristic", &[3, 4], 20, 200);
    plays_without_allocating::<Base>("heuristic", &[3, 4, 6], 5, 40);
    plays_without_allocating::<Struggle>("heuristic", &[2, 3, 6], 5, 40);
    plays_without_allocating::<TwoPlayer>("heuristic", &[2], 5, 40);
    plays_without_allocating::<Boats>("heuristic", &[2, 4], 3, 10);
}

#[test]
fn weaker_agents_allocate_nothing() {
    let planner = "heuristic:temperature=0.05:lapse=0.2";
    plays_without_allocating::<OnTheRoad>(planner, &[4], 20, 50);
    plays_without_allocating::<Base>(planner, &[4], 3, 10);
    plays_without_allocating::<Struggle>(planner, &[3], 3, 20);
    plays_without_allocating::<TwoPlayer>(planner, &[2], 3, 20);
    plays_without_allocating::<Boats>(planner, &[3], 2, 5);
    for search in ["mcts", "oracle"] {
        let search = format!("{search}:iterations=12:temperature=0.05:lapse=0.2");
        plays_without_allocating::<OnTheRoad>(&search, &[4], 2, 5);
        plays_without_allocating::<Base>(&search, &[3], 1, 2);
        plays_without_allocating::<Struggle>(&search, &[3], 1, 2);
        plays_without_allocating::<TwoPlayer>(&search, &[2], 1, 2);
        plays_without_allocating::<Boats>(&search, &[3], 1, 2);
    }
}

#[test]
fn searches_allocate_nothing() {
    for agent in [
        "mcts:iterations=20",
        "mcts:iterations=20:rollout=heuristic",
        "mcts:iterations=20:rollout=random",
        "mcts:iterations=20:opponents=heuristic",
        "oracle:iterations=20",
    ] {
        plays_without_allocating::<OnTheRoad>(agent, &[3, 4], 1, 3);
    }
    for agent in [
        "mcts:iterations=12",
        "mcts:iterations=8:rollout=heuristic:truncation=2",
        "mcts:iterations=8:opponents=heuristic",
        "oracle:iterations=12",
    ] {
        plays_without_allocating::<Base>(agent, &[3, 5], 1, 1);
        plays_without_allocating::<Struggle>(agent, &[3, 5], 1, 1);
        plays_without_allocating::<TwoPlayer>(agent, &[2], 1, 1);
        plays_without_allocating::<Boats>(agent, &[3], 1, 1);
    }
}
