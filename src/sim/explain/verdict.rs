//! What is said of a match when it is over, for one seat: luck, mistakes, and where it turned. Whoever says it, the words
//! are these.

use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::explain::PlayedMatch;
use crate::sim::explain::answer::{Cost, Decided, Explained, Judged, Question, Scope};
use crate::sim::explain::course::Course;
use crate::stats::replicates::Mean;
use serde::Serialize;
use std::sync::atomic::AtomicU64;

/// Who judges mistakes: fast, so that nobody waits long for it.
pub const JUDGE: &str = "mcts:iterations=200";
/// How often it is asked.
pub const SEARCHES: u32 = 4;
/// The most decisions that it judges.
pub const JUDGED: usize = 200;

/// How often it is asked again of the dearest decision: that one was picked out of all, so its first figures are too
/// high.
pub const FRESH: u32 = 16;

/// Where the searches that look into a match take their random numbers from.
pub fn seed_of(master: u64, block: u64, number: u64) -> u64 {
    BlockSeed::new(BlockSeed::new(master, block).name(), number).name()
}

/// The verdict on a match for a seat: a sentence or several for each of luck, mistakes and the turning point.
///
/// # Errors
/// If the judge can't be made.
///
/// # Panics
/// If there is no such seat.
pub fn verdict(
    played: &dyn PlayedMatch,
    seat: Seat,
    watch: &Watch,
) -> Result<[String; 3], BadAgent> {
    let judged = judged(played, Some(seat), (watch, &AtomicU64::new(0)))?;
    let course = played.course(seat);
    let dearest = dearest(&judged).map(|decided| look_again(played, decided, watch)).transpose()?;
    Ok([luck(&course), mistakes(&judged, dearest.as_ref()), turning(&course)])
}

/// Choices of all seats that cost chance to win by the whole of the interval, as one JSON object (`docs/page.md`). Each
/// choice that has been judged is counted in `progress`.
///
/// # Errors
/// If the judge can't be made.
pub fn costly(
    played: &dyn PlayedMatch,
    watch: &Watch,
    progress: &AtomicU64,
) -> Result<String, BadAgent> {
    let judged = judged(played, None, (watch, progress))?;
    let mistakes: Vec<Costly<'_>> = judged.iter().filter_map(Costly::of).collect();
    let found = Found { judge: JUDGE, searches: SEARCHES, judged: judged.len(), mistakes };
    Ok(serde_json::to_string(&found).expect("it has names for keys"))
}

/// What [`costly`] found.
#[derive(Serialize)]
struct Found<'a> {
    judge: &'a str,
    searches: u32,
    judged: usize,
    mistakes: Vec<Costly<'a>>,
}

/// A choice that cost something.
#[derive(Serialize)]
struct Costly<'a> {
    decision: usize,
    turn: u16,
    seat: Seat,
    action: &'a str,
    better: &'a str,
    cost: Mean,
}

impl Costly<'_> {
    fn of(judged: &Judged) -> Option<Costly<'_>> {
        let Cost { better, cost, .. } =
            judged.cost.as_ref().filter(|cost| cost.cost.is_above_zero())?;
        let Decided { decision, turn, seat, action, .. } = &judged.decided;
        let (decision, turn, seat) = (*decision, *turn, *seat);
        Some(Costly { decision, turn, seat, action, better, cost: *cost })
    }
}

/// What choices cost, of a seat or of all.
fn judged(
    played: &dyn PlayedMatch,
    seat: Option<Seat>,
    (watch, progress): (&Watch, &AtomicU64),
) -> Result<Vec<Judged>, BadAgent> {
    let judge = AgentSpec::parse(JUDGE, None)?;
    let question = Question { agent: &judge, watch, seed: seed_of(1, 0, 0), searches: SEARCHES };
    played.review(Scope { seat, most: JUDGED }, question, progress)
}

fn luck(course: &Course) -> String {
    format!(
        "Luck: what was drawn and rolled after the deal was worth {} percentage points of winning to you (the planner's \
         judgement, by all cards).",
        signed(course.luck)
    )
}

/// Decisions that cost something by the whole of their own interval.
fn costing(judged: &[Judged]) -> impl Iterator<Item = (&Decided, f64)> {
    judged.iter().filter_map(|Judged { decided, cost }| {
        let cost = cost.as_ref()?.cost;
        cost.is_above_zero().then_some((decided, cost.value))
    })
}

/// The dearest of them, by what was found first.
fn dearest(judged: &[Judged]) -> Option<&Decided> {
    costing(judged).max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(decided, _)| decided)
}

/// What fresh searches say of a decision that was picked.
fn look_again(
    played: &dyn PlayedMatch,
    decided: &Decided,
    watch: &Watch,
) -> Result<Explained, BadAgent> {
    let judge = AgentSpec::parse(JUDGE, None)?;
    let question = Question { agent: &judge, watch, seed: seed_of(1, 0, 1), searches: FRESH };
    played.explain(decided.decision, question)
}

/// How many decisions cost something, and what is found of the one that seemed the dearest.
fn mistakes(judged: &[Judged], dearest: Option<&Explained>) -> String {
    let (found, of) = (costing(judged).count(), judged.len());
    let Some(Explained { decided: Decided { turn, action, .. }, cost, .. }) = dearest else {
        let decisions = if of == 1 { "decision" } else { "decisions" };
        return format!("Mistakes: none that chance may not explain, in {of} {decisions}.");
    };
    let again = match cost {
        Some(Cost { better, cost, .. }) => {
            // Of searches that agree to the last digit shown, no interval.
            let ends = cost.interval.map(|(low, high)| (percent(low), percent(high)));
            let ends = ends.filter(|(low, high)| low != high);
            let ends = ends.map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
            let doubt =
                if cost.is_above_zero() { "" } else { ", which chance may explain after all" };
            let cost = percent(cost.value);
            format!("found that it cost {cost} percentage points{ends} against {better}{doubt}")
        }
        None => "would do the same".to_owned(),
    };
    format!(
        "Mistakes: {found} of {of} decisions. The dearest, in turn {turn}: {action}. As it was picked out of {of}, \
         {FRESH} fresh searches looked at it again, and {again}."
    )
}

fn turning(course: &Course) -> String {
    match &course.turning {
        Some(turning) => format!(
            "Turning point: turn {}. {} Your chance to win went from {} to {} %.",
            turning.turn,
            turning.told,
            percent(turning.before),
            percent(turning.after)
        ),
        None => "Turning point: none.".to_owned(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn signed(share: f64) -> String {
    format!("{:+.1}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(decision: usize) -> Decided {
        let (phase, action) = ("main".to_owned(), format!("build {decision}"));
        Decided { decision, turn: 7, seat: Seat::FIRST, phase, legal: 3, action }
    }

    fn judged(decision: usize, by_search: &[f64]) -> Judged {
        Judged { decided: decided(decision), cost: cost(by_search) }
    }

    fn cost(by_search: &[f64]) -> Option<Cost> {
        let cost = Mean::of(by_search)?;
        let chance = Mean { value: 0.5, interval: None };
        let (better, by_search) = ("end turn".to_owned(), by_search.to_vec());
        Some(Cost { better, better_chance: chance, done_chance: chance, cost, by_search })
    }

    fn again(by_search: &[f64]) -> Explained {
        let (decided, cost) = (decided(2), cost(by_search));
        Explained { decided, actions: Vec::new(), others: 0, cost, difference: None }
    }

    /// What picked it says nothing of how dear it is.
    #[test]
    fn the_dearest_has_the_figures_of_fresh_searches_only() {
        let all = [
            judged(0, &[]),
            judged(1, &[0.020, 0.021, 0.022, 0.021]),
            judged(2, &[0.120, 0.121, 0.119, 0.120]),
            judged(3, &[-0.5, 0.9, 0.8, 0.1]),
        ];
        assert_eq!(dearest(&all).map(|decided| decided.decision), Some(2));
        let said = |by_search: &[f64]| mistakes(&all, Some(&again(by_search)));
        let words = "Mistakes: 2 of 4 decisions. The dearest, in turn 7: build 2. As it was picked out of 4, 16 fresh \
                     searches looked at it again, and ";
        let dear = "found that it cost 3.0 percentage points (0.5 to 5.5) against end turn.";
        assert_eq!(said(&[0.03, 0.02, 0.04]), format!("{words}{dear}"));
        let vague = said(&[0.03, -0.02, 0.01]);
        assert!(
            vague.ends_with("against end turn, which chance may explain after all."),
            "{vague}"
        );
        assert_eq!(said(&[]), format!("{words}would do the same."));
        let none = mistakes(&all[..1], None);
        assert_eq!(none, "Mistakes: none that chance may not explain, in 1 decision.");
    }
}
