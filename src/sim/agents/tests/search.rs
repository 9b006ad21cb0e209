//! What the search chooses when the best move is known.

use super::heap::{Action, Heap, Nothing, Taste};
use crate::core::agent::{Agent, OmniscientAgent};
use crate::core::game::{ActionFilter, Game, Observation};
use crate::core::params::{MctsParams, Opponents, Rollout};
use crate::core::types::actions::Actions;
use crate::core::types::seat::Seat;
use crate::sim::agents::mcts::{Mcts, Oracle, Watch};
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
    Mcts::new(game.clone(), params, &Taste { favours }, Watch::NONE)
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
    assert_eq!(search.take_iterations(), 4 * u64::from(params.iterations));
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
    let mut oracle = Oracle(search(&game, None, params()));
    for card in 0..3 {
        let state = game.start(card);
        let mut legal = Actions::new();
        game.legal(&state, ActionFilter::Full, &mut legal);
        let seen = Observation { seat: Seat::FIRST, view: (0, 1), memory: &Nothing };
        let at = oracle.choose(&state, &seen, &mut legal, &mut Pcg32::new(1, 1));
        assert_eq!(legal[at], Name(card));
    }
    assert_eq!(oracle.take_iterations(), 3 * 2000);
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
