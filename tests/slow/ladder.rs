//! Matches of the real games in which the better agent must win, at fixed seeds.

use fairhaven::core::seed::BlockSeed;
use fairhaven::core::watch::Watch;
use fairhaven::games::base::Base;
use fairhaven::games::on_the_road::OnTheRoad;
use fairhaven::sim::agents::spec::AgentSpec;
use fairhaven::sim::any_game::Playable;
use fairhaven::sim::play::Arena;

/// How many duels one agent wins and loses against another, each deal played from both seats.
fn duels<G: Playable>(one: &str, other: &str, deals: u64) -> (u64, u64) {
    let game = G::new(G::Rules::default(), 2).expect("the default rules");
    let make = |name| AgentSpec::parse(name, None).and_then(|it| it.make(&game, &Watch::none()));
    let mut players = [one, other].map(|name| make(name).expect("an agent"));
    let mut table = Arena::new(game.clone());
    let (mut won, mut lost) = (0, 0);
    for deal in 0..deals {
        for seats in [[0, 1], [1, 0]] {
            let seed = BlockSeed::new(20, deal);
            let end = table.play(&mut players, &seats, seed, &mut ()).expect("lawful agents");
            if let Some(winner) = game.outcome(&end).winner {
                let by_one = seats[winner.idx()] == 0;
                won += u64::from(by_one);
                lost += u64::from(!by_one);
            }
        }
    }
    (won, lost)
}

#[test]
fn the_search_beats_the_greedy_one_on_the_road() {
    let (won, lost) = duels::<OnTheRoad>("mcts:iterations=40", "greedy", 16);
    assert!(won >= 2 * lost, "{won} won, {lost} lost");
}

#[test]
fn the_search_beats_the_greedy_one_on_base_catan() {
    let (won, lost) = duels::<Base>("mcts:iterations=20", "greedy", 6);
    assert!(won >= 2 * lost, "{won} won, {lost} lost");
}

#[test]
fn the_planner_beats_the_greedy_one_and_that_one_chance_on_the_road() {
    let (won, lost) = duels::<OnTheRoad>("heuristic", "greedy", 60);
    assert!(2 * won >= 3 * lost, "{won} won, {lost} lost");
    let (won, lost) = duels::<OnTheRoad>("greedy", "random", 20);
    assert!(won >= 3 * lost, "{won} won, {lost} lost");
}
