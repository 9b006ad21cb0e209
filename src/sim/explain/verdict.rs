//! What is said of a match when it is over, for one seat: luck, mistakes, and where it turned. Whoever says it, the words
//! are these.

use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::explain::PlayedMatch;
use crate::sim::explain::answer::{Cost, Decided, Judged, Question, Scope};
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
    Ok([luck(&course), mistakes(&judged), turning(&course)])
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

/// How many decisions cost something, and the dearest.
fn mistakes(judged: &[Judged]) -> String {
    let cost = |judged: &Judged| judged.cost.clone().filter(|cost| cost.cost.is_above_zero());
    let mut found: Vec<(&Decided, Cost)> =
        judged.iter().filter_map(|judged| Some((&judged.decided, cost(judged)?))).collect();
    found.sort_by(|(_, a), (_, b)| b.cost.value.total_cmp(&a.cost.value));
    let Some((decided, cost)) = found.first() else {
        return format!(
            "Mistakes: none that chance may not explain, in {} decisions.",
            judged.len()
        );
    };
    // Of searches that agree to the last digit shown, no interval.
    let ends = cost.cost.interval.map(|(low, high)| (percent(low), percent(high)));
    let ends = ends.filter(|(low, high)| low != high);
    let ends = ends.map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
    format!(
        "Mistakes: {} of {} decisions. The dearest, in turn {}: {} cost {} percentage points{ends} against {}.",
        found.len(),
        judged.len(),
        decided.turn,
        decided.action,
        percent(cost.cost.value),
        cost.better,
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
