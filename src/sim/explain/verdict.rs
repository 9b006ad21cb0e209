//! What is said of a match when it is over, for one seat: luck, mistakes, and where it turned. Whoever says it, the words
//! are these.

use crate::core::seed::BlockSeed;
use crate::core::types::seat::Seat;
use crate::core::watch::Watch;
use crate::sim::agents::spec::{AgentSpec, BadAgent};
use crate::sim::explain::PlayedMatch;
use crate::sim::explain::answer::{Cost, Decided, Judged, Question, Scope};
use crate::sim::explain::course::Course;
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

/// The verdict on a match for a seat: three sentences or more, one for each of luck, mistakes and the turning point.
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
    let judge = AgentSpec::parse(JUDGE, None)?;
    let question = Question { agent: &judge, watch, seed: seed_of(1, 0, 0), searches: SEARCHES };
    let scope = Scope { seat: Some(seat), most: JUDGED };
    let judged = played.review(scope, question, &AtomicU64::new(0))?;
    let course = played.course(seat);
    Ok([luck(&course), mistakes(&judged), turning(&course)])
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
    let ends = cost
        .cost
        .interval
        .map_or(String::new(), |(low, high)| format!(" ({} to {})", percent(low), percent(high)));
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
