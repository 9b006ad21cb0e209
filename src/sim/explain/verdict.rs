//! What is said of a match when it is over, for one seat: luck, mistakes, and where it turned. Whoever says it, the words
//! are these.

use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::explain::PlayedMatch;
use crate::sim::explain::answer::{Cost, Decided, Explained, Judged, Question, Scope};
use crate::sim::explain::course::{Course, Foreseen, Turning};
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
    Ok([luck(&course), mistakes(&judged, dearest.as_ref()), turning(&course, seat)])
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

/// How mistakes are judged, behind the verdict.
pub fn how_judged() -> String {
    format!(
        "Mistakes are judged by {JUDGE} in {SEARCHES} searches, at most {JUDGED} decisions. Each decision has a 95 % interval \
         of its own, so that about 1 in 40 of those that cost nothing is counted, too."
    )
}

fn luck(course: &Course) -> String {
    // To the digit that is shown.
    let luck = Some(signed(course.luck)).filter(|luck| luck != "-0.0");
    let luck = luck.unwrap_or_else(|| "+0.0".to_owned());
    let although =
        match (course.won, luck.starts_with('+') && luck != "+0.0", luck.starts_with('-')) {
            (true, _, true) => {
                " It was won all the same: what was chosen, by you and the others, weighed more."
            }
            (false, true, _) => {
                " It was lost all the same: what was chosen, by you and the others, weighed more."
            }
            _ => "",
        };
    format!(
        "Luck: what chance brought all seats after the deal was worth {luck} percentage points of winning to you, where 0 \
         is average luck (the planner's judgement, by all cards).{although}"
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
            // Searches may agree to the last digit shown.
            let ends = cost.interval.map(|(low, high)| (percent(low), percent(high)));
            let ends = ends.map_or(String::new(), |(low, high)| {
                if low == high { " (all agree)".to_owned() } else { format!(" ({low} to {high})") }
            });
            let doubt =
                if cost.is_above_zero() { "" } else { ", which chance may explain after all" };
            let cost = percent(cost.value);
            format!("found that it cost {cost} percentage points{ends} against {better}{doubt}")
        }
        None => "would do the same".to_owned(),
    };
    format!(
        "Mistakes: {found} of {of} decisions. The dearest, on turn {turn}: {action}. {FRESH} more searches looked at it alone, since \
         what looks dearest of many does so partly by chance, and {again}."
    )
}

fn turning(course: &Course, seat: Seat) -> String {
    let Some(Turning { turn, over: [from, to], told, at: [before, after], .. }) = &course.turning
    else {
        return "Turning point: none.".to_owned();
    };
    format!(
        "Turning point: turn {turn}, during which your chance to win went from {} to {} %. The step that did most of it: {told} \
         It took the chance from {} to {}. So the planner judges, which sees all cards and plays the turn to its end \
         in its own way.",
        percent(from.chance),
        percent(to.chance),
        foreseen(before, seat),
        foreseen(after, seat)
    )
}

/// A chance, and why it is certain if it is.
fn foreseen(of: &Foreseen, seat: Seat) -> String {
    let won = match of.winner {
        None => String::new(),
        Some(winner) if winner == seat => " (you would have won in that turn)".to_owned(),
        Some(winner) => format!(" (seat {winner} would have won in that turn)"),
    };
    format!("{} %{won}", percent(of.chance))
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

    /// Luck is told against its average: who lost although it was good is told so.
    #[test]
    fn luck_that_does_not_fit_the_end_is_explained() {
        let said = |luck: f64, won: bool| super::luck(&Course { luck, won, turning: None });
        let plain = "(the planner's judgement, by all cards).";
        for (share, won) in [(0.2, true), (-0.2, false), (0.0, false), (-0.0001, true)] {
            assert!(said(share, won).ends_with(plain), "{}", said(share, won));
        }
        assert!(said(0.588, false).contains("was worth +58.8 percentage points of winning to you"));
        assert!(said(0.588, false).contains("It was lost all the same"));
        assert!(said(-0.2, true).contains("It was won all the same"));
    }

    #[test]
    fn a_turning_point_has_its_turn_its_step_and_who_would_have_won() {
        let foreseen =
            |chance: f64, winner: Option<u8>| Foreseen { chance, winner: winner.map(Seat::new) };
        let turning = Turning {
            turn: 16,
            over: [foreseen(0.0, Some(3)), foreseen(0.618, None)],
            decision: 152,
            told: "Seat 2: refuse.".to_owned(),
            at: [foreseen(0.0, Some(3)), foreseen(0.537, None)],
        };
        let course = Course { luck: 0.0, won: true, turning: Some(turning) };
        let said = super::turning(&course, Seat::FIRST);
        let due = "Turning point: turn 16, during which your chance to win went from 0.0 to 61.8 %. The step that did most of \
                   it: Seat 2: refuse. It took the chance from 0.0 % (seat 4 would have won in that turn) to 53.7 %. So \
                   the planner judges, which sees all cards and plays the turn to its end in its own way.";
        assert_eq!(said, due);
        let own = super::turning(&course, Seat::new(3));
        assert!(own.contains("0.0 % (you would have won in that turn)"), "{own}");
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
        let words = "Mistakes: 2 of 4 decisions. The dearest, on turn 7: build 2. 16 more searches looked \
                     at it alone, since what looks dearest of many does so partly by chance, and ";
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
