//! What is said of a match when it is over: luck, mistakes, and where it turned, for the person's seat.

use crate::cli::commands::host::{WATCH, catalogue};
use crate::cli::commands::play::line::Terminal;
use crate::core::types::seat::Seat;
use crate::lab::read::mistakes::seed_of;
use crate::lab::setup::line_up;
use crate::lab::store::quoted::quoted;
use crate::sim::explain::answer::{Cost, Decided, Judged, Question, Scope};
use anyhow::Result;
use std::io::BufRead;
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// Who judges: fast, so that nobody waits long for it.
pub const JUDGE: &str = "mcts:iterations=200";
/// In so many searches.
pub const SEARCHES: u32 = 4;
/// The most decisions that it judges.
pub const JUDGED: usize = 200;

/// Says how the match of a record went for a seat, in three lines, and what says more.
///
/// # Errors
/// If the record is none, or nobody listens.
pub fn say(
    game: &str,
    record: &mut dyn BufRead,
    seat_and_path: (Seat, &Path),
    terminal: &mut Terminal<'_>,
) -> Result<()> {
    for line in lines(game, record, seat_and_path)? {
        terminal.say(&line)?;
    }
    Ok(())
}

/// How the match of a record went for a seat, in three lines, and what says more.
///
/// # Errors
/// If the record is none.
pub fn lines(
    game: &str,
    record: &mut dyn BufRead,
    (seat, path): (Seat, &Path),
) -> Result<Vec<String>> {
    let (played, _) = catalogue().game(game)?.recorded(record)?;
    let course = played.course(seat);
    let luck = format!(
        "Luck: what was drawn and rolled after the deal was worth {} percentage points of winning to you (the planner's \
         judgement, by all cards).",
        signed(course.luck)
    );
    let judge = line_up::agent(JUDGE)?;
    let seed = seed_of(1, None);
    let question = Question { agent: &judge, watch: &WATCH, seed, searches: SEARCHES };
    let judged =
        played.review(Scope { seat: Some(seat), most: JUDGED }, question, &AtomicU64::new(0))?;
    let turning = match course.turning {
        Some(turning) => format!(
            "Turning point: turn {}. {} Your chance to win went from {} to {} %.",
            turning.turn,
            turning.told,
            percent(turning.before),
            percent(turning.after)
        ),
        None => "Turning point: none.".to_owned(),
    };
    let more = format!(
        "Mistakes are judged by {JUDGE} in {SEARCHES} searches, at most {JUDGED} decisions. More: fairhaven explain \
         {} --mistakes",
        quoted(path)
    );
    Ok(vec![luck, mistakes(&judged), turning, more])
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

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn signed(share: f64) -> String {
    format!("{:+.1}", 100.0 * share)
}
