//! Mistakes that are planted in matches, and what players without a plan lose.

use super::{agent, question};
use crate::core::game::{ActionFilter, Turn};
use crate::core::measure::Measure;
use crate::core::opinion::Opinion;
use crate::core::seed::BlockSeed;
use crate::core::types::actions::Actions;
use crate::core::watch::{Host, Watch};
use crate::core::wording::Wording;
use crate::games::base::Base;
use crate::games::on_the_road::OnTheRoad;
use crate::games::on_the_road::action::Action;
use crate::parts::island::action::Action as Act;
use crate::sim::explain::answer::{Judged, Question, Scope};
use crate::sim::explain::examples::Sampling;
use crate::sim::explain::history::MatchHistory;
use crate::sim::explain::{Played, PlayedMatch};
use crate::sim::play::Arena;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A match of agents by seat.
fn played<G: Opinion + Measure + Wording>(agents: &[&str], block: u64) -> Played<G> {
    let players = u8::try_from(agents.len()).expect("a table");
    let game = G::new(G::Rules::default(), players).expect("the default rules");
    let mut seated: Vec<_> = agents
        .iter()
        .map(|name| agent(name).make(&game, &Watch::none()).expect("a known agent"))
        .collect();
    let seat_of: Vec<usize> = (0..agents.len()).collect();
    let mut taken = MatchHistory::default();
    let seed = BlockSeed::new(5, block);
    let end = Arena::new(game.clone()).play(&mut seated, &seat_of, seed, &mut taken);
    end.expect("agents that keep the rules");
    Played { game, added: Arc::new([]), taken }
}

/// The match with the last decision, which wins, left out: the winner ends its turn instead.
fn spoiled<G: Opinion + Measure + Wording>(
    match_: &Played<G>,
    end_turn: G::Action,
) -> Option<Played<G>> {
    let number = match_.taken.decisions().len() - 1;
    let game = match_.game.clone();
    let (_, done) = match_.taken.decisions()[number];
    let before = match_.taken.moment(&game, number).state;
    let mut legal = Box::new(Actions::new());
    game.legal(before, ActionFilter::Full, &mut legal);
    let ends = done != end_turn && legal.contains(&end_turn);
    ends.then(|| {
        let taken = match_.taken.altered(number, end_turn);
        Played { game, added: Arc::new([]), taken }
    })
}

/// By cost, the most expensive first.
fn ranked(mut judged: Vec<Judged>) -> Vec<Judged> {
    let cost = |judged: &Judged| judged.cost.as_ref().map_or(0.0, |cost| cost.cost.value);
    judged.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    judged
}

fn a_planted_blunder_is_first<G: Opinion + Measure + Wording>(end_turn: G::Action, judge: &str) {
    let agents = ["heuristic"; 3];
    let spoiled = (0..40).find_map(|block| spoiled(&played::<G>(&agents, block), end_turn));
    let spoiled = spoiled.expect("a match that is won by an action other than ending the turn");
    let planted = spoiled.taken.decisions().len() - 1;
    assert!(matches!(
        spoiled.game.turn(spoiled.taken.moment(&spoiled.game, planted).state),
        Turn::Decide(_)
    ));
    let (judge, progress) = (agent(judge), AtomicU64::new(0));
    let judged = spoiled.review(Scope::ALL, question(&judge), &progress).expect("a judge");
    assert_eq!(progress.load(Ordering::Relaxed), judged.len() as u64);
    let all = spoiled.decisions().iter().filter(|decided| decided.legal > 1).count();
    assert_eq!(judged.len(), all, "each decision with a choice is judged once");
    let ranked = ranked(judged);
    assert_eq!(ranked[0].decided.decision, planted, "{:?}", &ranked[..2]);
    let cost = ranked[0].cost.as_ref().expect("a cost");
    assert!((cost.better_chance.value - 1.0).abs() < 1e-6 && cost.cost.is_above_zero());
}

#[test]
fn on_the_road_a_win_that_was_passed_up_is_found_first() {
    a_planted_blunder_is_first::<OnTheRoad>(Action::EndTurn, "mcts:iterations=40");
}

#[test]
fn on_base_catan_a_win_that_was_passed_up_is_found_first() {
    // By the net a poor founding costs more than a win that is only put off.
    a_planted_blunder_is_first::<Base>(Act::EndTurn, "mcts:iterations=20:judgement=weights");
}

/// A seat knows at each decision what an agent there was given; what it did is among what it considers.
#[test]
fn random_choices_cost_far_more_than_those_of_a_planner() {
    let played = played::<OnTheRoad>(&["random", "heuristic"], 1);
    // By the net the planner gives away much, too, between two.
    let judge = agent("mcts:iterations=60:judgement=weights");
    let judged = played.review(Scope::ALL, question(&judge), &AtomicU64::new(0)).expect("a judge");
    let mut sums = [[0.0; 4]; 2];
    for Judged { decided, cost } in &judged {
        for (search, cost) in cost.iter().flat_map(|cost| &cost.by_search).enumerate() {
            sums[decided.seat.idx()][search] += cost;
        }
    }
    for search in 0..4 {
        let [random, heuristic] = [sums[0][search], sums[1][search]];
        assert!(random > 3.0 * heuristic.max(0.1), "{sums:?}");
    }
}

/// On any number of threads, and each time.
#[test]
fn the_same_question_has_the_same_answer() {
    let played = played::<OnTheRoad>(&["heuristic", "random", "greedy"], 2);
    let judge = agent("mcts:iterations=20");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let ask = || {
            let judged =
                played.review(Scope::ALL, question(&judge), &AtomicU64::new(0)).expect("a judge");
            (judged, played.explain(30, question(&judge)).expect("an agent"))
        };
        pool.expect("threads").install(ask)
    };
    assert_eq!(on(1), on(3));
}

/// Stops everything at once.
struct Stopped;

impl Host for Stopped {
    fn is_stopped(&self) -> bool {
        true
    }
}

/// A match may have thousands of decisions; who has stopped it does not wait for them.
#[test]
fn nothing_more_is_judged_or_handed_out_once_it_is_stopped() {
    let played = played::<OnTheRoad>(&["heuristic", "random"], 3);
    let (judge, stopped) = (agent("mcts:iterations=5"), Watch::new(Stopped));
    let asked = Question { watch: &stopped, ..question(&judge) };
    let judged = played.review(Scope::ALL, asked, &AtomicU64::new(0)).expect("a judge");
    assert!(judged.is_empty());
    let sampling = Sampling { every: 1, imagined: 1, seed: 1 };
    let handed_out = |watch: &Watch| {
        let mut count = 0;
        played.examples(sampling, watch, &mut |_| count += 1);
        count
    };
    assert_eq!(handed_out(&stopped), 0);
    assert_eq!(handed_out(&Watch::none()), played.taken.decisions().len());
}
