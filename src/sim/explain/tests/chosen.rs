//! What a search chooses, and what that seems to be worth, where all choices are worth the same: a colour of the heap is
//! named, and each of the three is right as often as the others.

use super::{agent, question};
use crate::core::types::seat::Seat;
use crate::sim::agents::tests::heap::{Action, Heap, Nothing, State};
use crate::sim::explain::history::DecisionPoint;
use crate::sim::explain::judge::Asking;

/// Colour 0 was named at a decision with this number.
fn named(state: &State, number: u64) -> DecisionPoint<'_, Heap> {
    DecisionPoint { state, seat: Seat::FIRST, done: Action::Name(0), memory: Nothing, number }
}

/// How many standard errors the mean of some numbers lies above another.
fn errors_above(values: &[f64], due: f64) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean - due) / (variance / n).sqrt()
}

/// To the searches that chose it, what they chose looks better than the colour that was named, or they would not have
/// chosen it (the winner's curse). Those that compare the two don't know that: 1/3 each, and a cost of 0.
#[test]
fn what_is_worth_the_same_costs_nothing_on_average() {
    let game = Heap::of(0, [1, 1, 1]);
    let (state, judge) = (game.start(0), agent("mcts:iterations=12"));
    let [mut hopes, mut costs, mut chances] = [const { Vec::new() }; 3];
    for number in 0..400 {
        let asking = Asking::new(&game, named(&state, number), question(&judge));
        let thoughts = asking.thoughts();
        let Some(cost) = asking.cost(&thoughts) else { continue };
        let considered = thoughts.considered();
        let done = considered.iter().find(|of| of.done).and_then(|of| of.chance);
        let best = considered[0].chance.expect("it was tried");
        hopes.extend(done.map(|done| best.value - done.value));
        costs.push(cost.cost.value);
        chances.push(cost.better_chance.value);
    }
    assert!(costs.len() > 200, "another colour is better about twice in three times");
    let hoped = errors_above(&hopes, 0.0);
    assert!(hoped > 10.0, "{hoped} standard errors");
    let [cost, chance] = [errors_above(&costs, 0.0), errors_above(&chances, 1.0 / 3.0)];
    assert!(cost.abs() < 4.0 && chance.abs() < 4.0, "{cost} and {chance} standard errors");
}

/// Three iterations that try each colour once: a search that nobody explains takes the first of equals.
#[test]
fn of_equally_many_visits_the_first_count_as_the_choice() {
    let game = Heap::of(0, [1, 1, 1]);
    let (state, judge) = (game.start(0), agent("mcts:iterations=3:exploration=100"));
    let asking = Asking::new(&game, named(&state, 0), question(&judge));
    let found = asking.thoughts().considered();
    let mut chosen: Vec<_> = found.iter().map(|of| (of.action.as_str(), of.chosen)).collect();
    chosen.sort_unstable();
    assert_eq!(chosen, [("name 0", 4), ("name 1", 0), ("name 2", 0)]);
    assert!(found.iter().all(|of| of.visits.is_some_and(|visits| (visits - 1.0).abs() < 1e-9)));
}
