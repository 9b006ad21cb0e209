//! What the search chooses when the best move is known.

use super::heap::{Action, Heap, Nothing, Rules, Taste};
use crate::core::agent::{Agent, Everything};
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::params::{MctsParams, Opponents, Rollout};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::agents::mcts::{Mcts, Oracle};
use crate::sim::search::tree::Tree;
use crate::sim::search::walker::Walker;
use rand_pcg::Pcg32;

use Action::{Name, Take};

/// The card is known: the last stone wins.
const CERTAIN: [u8; 3] = [1, 0, 0];
/// The best guess is right once in three times: the last stone is one to avoid.
const GAMBLE: [u8; 3] = [1, 1, 1];

/// A search by random rollouts to the end.
fn params() -> MctsParams {
    MctsParams {
        iterations: 2000,
        rollout: Rollout::Random,
        truncation: 1000,
        ..MctsParams::DEFAULT
    }
}

fn search(game: &Heap, favours: Option<Action>, params: MctsParams) -> Mcts<Heap> {
    Mcts::new(game.clone(), params, &Taste { favours, adds: None }, &Watch::none())
}

/// The choices of a search from a heap, for some seeds and for either seat.
fn choices(
    (stones, weights): (u8, [u8; 3]),
    favours: Option<Action>,
    params: &MctsParams,
) -> Vec<Action> {
    let game = Heap::of(stones, weights);
    let mut search = search(&game, favours, params.clone());
    let mut chosen = Vec::new();
    for (seed, turn) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
        let mut legal = Actions::new();
        game.legal(&game.start(0), ActionFilter::Full, &mut legal);
        let seat = Seat::new(u8::from(turn == 2));
        let seen = Observation { seat, view: (stones, turn), memory: &Nothing };
        let at = search.choose(&seen, &mut legal, &mut Pcg32::new(seed, 1));
        chosen.push(legal[at]);
    }
    assert!((4..=4 * u64::from(params.iterations)).contains(&search.take_iterations()));
    chosen
}

#[test]
fn it_names_the_likeliest_colour_whatever_the_card_is() {
    for (weights, likeliest) in [([2, 5, 3], 1), ([5, 3, 2], 0), ([1, 2, 3], 2), ([0, 1, 2], 2)] {
        assert_eq!(choices((0, weights), None, &params()), [Name(likeliest); 4], "{weights:?}");
    }
}

#[test]
fn only_the_oracle_names_a_card_that_it_sees() {
    let game = Heap::of(0, [2, 5, 3]);
    let taste = Taste { favours: None, adds: None };
    let mut oracle = Oracle::new(game.clone(), params(), &taste, &Watch::none());
    for card in 0..3 {
        let state = game.start(card);
        let mut legal = Actions::new();
        game.legal(&state, ActionFilter::Full, &mut legal);
        let seen = Observation { seat: Seat::FIRST, view: (0, 1), memory: &Nothing };
        let all = Everything { state: &state, seen };
        let at = oracle.choose(&all, &mut legal, &mut Pcg32::new(1, 1));
        assert_eq!(legal[at], Name(card));
    }
    assert!((3..=3 * 2000).contains(&oracle.take_iterations()));
}

#[test]
fn it_plays_for_a_last_stone_that_wins() {
    for (stones, best) in [(2, 2), (3, 3), (5, 1), (6, 2), (7, 3), (9, 1), (10, 2), (11, 3)] {
        assert_eq!(choices((stones, CERTAIN), None, &params()), [Take(best); 4], "{stones} stones");
    }
}

/// A search that treated the card as known in each of its determinizations would take the last stone.
#[test]
fn it_leaves_a_last_stone_that_is_a_gamble_to_the_other() {
    for (stones, best) in [(2, 1), (3, 2), (4, 3), (6, 1), (7, 2), (8, 3)] {
        assert_eq!(choices((stones, GAMBLE), None, &params()), [Take(best); 4], "{stones} stones");
    }
}

#[test]
fn what_it_finds_outweighs_a_wrong_opinion() {
    for wrong in [Take(1), Take(2)] {
        assert_eq!(choices((7, CERTAIN), Some(wrong), &params()), [Take(3); 4], "{wrong}");
    }
    // After one iteration, the opinion is all that it has.
    let hasty = MctsParams { iterations: 1, ..params() };
    assert_eq!(choices((7, CERTAIN), Some(Take(2)), &hasty), [Take(2); 4]);
}

#[test]
fn it_thinks_about_its_candidates_alone() {
    let narrow = MctsParams { candidates: 1, ..params() };
    assert_eq!(choices((7, CERTAIN), Some(Take(2)), &narrow), [Take(2); 4]);
    assert_eq!(choices((7, CERTAIN), None, &narrow), [Take(1); 4], "the first of equals");
}

/// From eight stones every move loses against a good player. Against one that takes as many as it may,
/// taking 2 or 3 wins, and taking 1 still loses: 7, 4, and the last move is the other's.
#[test]
fn it_reckons_with_the_opponents_that_it_is_told_to() {
    let favours = Some(Take(1));
    assert_eq!(choices((8, CERTAIN), favours, &params()), [Take(1); 4]);
    let planned = MctsParams { opponents: Opponents::Heuristic, ..params() };
    let chosen = choices((8, CERTAIN), favours, &planned);
    assert!(!chosen.contains(&Take(1)), "{chosen:?}");
}

/// A search that ends early, since its choice is settled, chooses what the whole of it would have, and the next decision
/// of its seat has the same luck.
#[test]
fn a_search_ends_once_its_choice_is_settled() {
    let mut spared = 0;
    for (stones, weights) in [(7, CERTAIN), (7, GAMBLE), (0, [1, 1, 1]), (0, [3, 3, 4])] {
        let game = Heap::of(stones, weights);
        for (seed, iterations) in (0..50).zip([40, 63, 64, 65, 200, 1000].into_iter().cycle()) {
            let mut search = search(&game, None, MctsParams { iterations, ..params() });
            let seen = Observation { seat: Seat::FIRST, view: (stones, 1), memory: &Nothing };
            let mut legal = Actions::new();
            game.legal(&game.start(0), ActionFilter::Full, &mut legal);
            let (mut early, mut whole) = (Pcg32::new(seed, 1), Pcg32::new(seed, 1));
            let at = search.choose(&seen, &mut legal, &mut early);
            let chosen = legal[at];
            let fewer = search.take_iterations();
            let mut thoughts = Vec::new();
            search.evaluate(&seen, &mut legal, &mut whole, &mut thoughts);
            assert_eq!(search.take_iterations(), u64::from(iterations));
            let most = thoughts.iter().map(|thought| thought.visits).max();
            let first = thoughts.iter().find(|thought| Some(thought.visits) == most);
            assert_eq!(first.map(|thought| thought.action), Some(chosen), "{stones}, {seed}");
            assert_eq!(early, whole, "{stones}, {seed}");
            spared += u64::from(iterations) - fewer;
        }
    }
    assert!(spared > 0, "no search ended early");
}

/// Each iteration goes through one action at the root of its tree, and in the first of two trees it can't have gone
/// through as many as there are.
#[test]
fn all_trees_are_heard_when_their_roots_are_added_up() {
    let game = Heap::of(7, CERTAIN);
    for trees in [1, 2, 4] {
        let params = MctsParams { iterations: 203, trees, ..params() };
        let (mut legal, mut thoughts) = (Actions::new(), Vec::new());
        game.legal(&game.start(0), ActionFilter::Full, &mut legal);
        let seen = Observation { seat: Seat::FIRST, view: (7, 1), memory: &Nothing };
        let mut search = search(&game, None, params);
        search.evaluate(&seen, &mut legal, &mut Pcg32::new(1, 1), &mut thoughts);
        let visits: u32 = thoughts.iter().filter_map(|thought| thought.visits).sum();
        assert_eq!(visits, 203, "{trees} trees");
        for thought in thoughts {
            let chance = thought.chance.expect("it was tried");
            assert!((0.0..=1.0).contains(&chance), "a mean of wins: {thought:?}");
        }
    }
}

/// Taking 3 of 7 stones wins, and isn't in the list; the planner adds it.
#[test]
fn an_action_that_the_planner_adds_is_considered_and_taken() {
    let game = Heap::of(7, CERTAIN);
    let listed = || Actions::from_iter([Take(1), Take(2)]);
    let taste = Taste { adds: Some(Take(3)), favours: None };
    let seen = Observation { seat: Seat::FIRST, view: (7, 1), memory: &Nothing };
    let (mut legal, mut rng) = (listed(), Pcg32::new(1, 1));
    let mut search = Mcts::<Heap>::new(game.clone(), params(), &taste, &Watch::none());
    let at = search.choose(&seen, &mut legal, &mut rng);
    assert_eq!((legal.len(), legal[at]), (3, Take(3)), "mcts");
    legal = listed();
    let mut oracle = Oracle::new(game.clone(), params(), &taste, &Watch::none());
    let at = oracle.choose(&Everything { state: &game.start(0), seen }, &mut legal, &mut rng);
    assert_eq!((legal.len(), legal[at]), (3, Take(3)), "oracle");
}

/// With card 1 the colours 1 and 2 may be named, with card 0 all three, and then 0 is right. A search that has met card
/// 1 before, and so has the two in its tree, must still come to try the third.
#[test]
fn what_is_legal_with_some_cards_only_is_tried_when_it_comes_up() {
    let rules = Rules { stones: 1, weights: [1, 1, 1], no_lower: true };
    let game = Heap::new(rules, 2).expect("a rule set");
    let mut walker = Walker::new(&game, &params(), &Taste::default(), 200);
    walker.begin(&(1, 1), Seat::FIRST, &[Take(1)]);
    let mut rng = Pcg32::new(1, 1);
    for card in [1, 0] {
        (0..100).for_each(|_| walker.walk(game.start(card), Seat::FIRST, &mut rng));
    }
    let tree = walker.tree_mut();
    let only = tree.edges(Tree::<Action>::ROOT).next().expect("one action at the root");
    let node = tree.child(only).expect("there is room");
    let named: Vec<_> = tree.edges(node).map(|id| *tree.edge(id)).collect();
    assert_eq!(named.len(), 3, "{named:?}");
    let lowest = named.iter().find(|edge| edge.action == Name(0)).expect("it is tried");
    assert!((lowest.mean() - 1.0).abs() < 1e-6, "it is legal where it is right: {lowest:?}");
    assert!((50..=100).contains(&lowest.visits), "it is tried with card 0 alone: {lowest:?}");
}

/// Three iterations that are spread evenly: each colour has been tried once. What the planner rates highest is tried
/// first, and of equals the first in the list.
#[test]
fn of_equally_many_visits_those_of_the_action_that_was_tried_first_count() {
    let even = MctsParams { iterations: 3, exploration: 100.0, prior_scale: 1000.0, ..params() };
    let heap = (0, [1, 1, 1]);
    assert_eq!(choices(heap, None, &even), [Name(0); 4]);
    let hasty = MctsParams { iterations: 1, ..even.clone() };
    assert_eq!(choices(heap, None, &hasty), [Name(0); 4], "the one that was tried");
    for colour in 0..3 {
        assert_eq!(choices(heap, Some(Name(colour)), &even), [Name(colour); 4]);
    }
}
