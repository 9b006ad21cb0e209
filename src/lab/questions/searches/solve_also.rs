//! Further aims of `solve`, that matches are short and that they are close: how they are measured, which candidates the
//! search keeps for them, the table of the finalists by all aims, and what is said of it.

use crate::lab::questions::searches::search::StageSums;
use crate::lab::questions::studies::estimator::{Estimator, SectionSums};
use crate::lab::report::answer::{Sentence, Tone, table};
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::figures;
use crate::lab::report::metric::{Metric, Unit};
use crate::lab::report::table::{Column, Row, Table};
use crate::sim::counts::whole::WholeCount;
use crate::sim::trials;
use crate::words::lists::capital;
use serde::{Deserialize, Serialize};

/// Who plays a finalist.
pub const KIND_OF_AGENT: Column =
    text("agent", "who plays: the agent, or the same tuned again for this rule set");
/// What is changed.
pub const CHANGE: Column =
    text("change", "fields with their new values; no change: the run's own rule set");

/// What else is wanted of matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Also {
    /// That they take few rounds.
    Short,
    /// That the next one has nearly as many points as the winner.
    Close,
}

impl Also {
    /// The metric.
    pub fn metric(self) -> &'static str {
        match self {
            Also::Short => "rounds_mean",
            Also::Close => "apart_mean",
        }
    }

    /// In a sentence.
    fn word(self) -> &'static str {
        match self {
            Also::Short => "short",
            Also::Close => "close",
        }
    }

    /// Its value, the smaller the better.
    pub fn value(self, view: &SectionSums<'_>, players: usize) -> Option<f64> {
        match self {
            Also::Short => {
                Some(view.ratio(WholeCount::TURNS, WholeCount::WON)? / players.max(1) as f64)
            }
            Also::Close => view.ratio(WholeCount::APART, WholeCount::WON),
        }
    }
}

/// The finalists by all aims.
pub const FRONT: TableSchema = TableSchema {
    name: "front",
    keys: &[CHANGE, KIND_OF_AGENT],
    more: &[
        text("size", "steps from the run's own rule set, over all fields"),
        text(
            "verdict",
            "beaten by CHANGE: that one is clearly better in every aim; on the front: none is shown to be",
        ),
    ],
    metrics: &[
        Metric::difference("spread", "even: as in `finalists.csv`"),
        Metric::mean(
            "rounds_mean",
            "short: rounds of a match with the agent in all seats; the intervals of all finalists and of both means hold \
             together",
        ),
        Metric::mean("apart_mean", "close: points of the winner minus those of the next, likewise"),
    ],
};

/// The verdict on a change that none is shown to beat.
pub const ON_FRONT: &str = "on the front";

/// The sums of whole matches.
pub fn whole(sums: &StageSums) -> Estimator<'_> {
    Estimator::new(&sums.grouped, trials::COMMON, false)
}

/// The rows of one metric.
fn of_metric<'t>(tables: &'t [Table], metric: &str) -> Vec<&'t Row> {
    let rows = table(tables, FRONT.name).into_iter().flat_map(|table| &table.rows);
    rows.filter(|row| row.metric == metric).collect()
}

/// What stands of a change in a grid or a sentence: its means, and its verdict.
pub fn cells(tables: &[Table], also: &[Also], keys: &[String]) -> Option<(Vec<String>, String)> {
    let find = |metric| of_metric(tables, metric).into_iter().find(|row| row.keys == keys);
    let mean = |also: &Also| figures::cell(find(also.metric()), Unit::Mean);
    let verdict = find("spread")?.own(1).to_owned();
    Some((also.iter().map(mean).collect(), verdict))
}

/// The most changes that the sentence names.
const NAMED: usize = 4;

/// Which changes are on the front, for one agent.
pub fn sentence(tables: &[Table], also: &[Also], agent: &str) -> Option<Sentence> {
    let all = of_metric(tables, "spread");
    let own: Vec<&Row> = all.into_iter().filter(|row| row.keys[1] == agent).collect();
    let front: Vec<&&Row> = own.iter().filter(|row| row.own(1) == ON_FRONT).collect();
    let aims: Vec<&str> =
        std::iter::once("even").chain(also.iter().map(|also| also.word())).collect();
    let (last, first) = aims.split_last()?;
    let mut names: Vec<&str> = front.iter().take(NAMED).map(|row| row.keys[0].as_str()).collect();
    let more = front.len().saturating_sub(NAMED);
    let rest = format!("{more} more");
    names.extend((more > 0).then_some(rest.as_str()));
    let text = if front.len() == own.len() {
        format!(
            "{} and {last} at once: no change is shown to beat another in each, so all {} are on the front.",
            first.join(", "),
            own.len()
        )
    } else {
        format!(
            "{} and {last} at once: {} of {} are on the front, which no other is shown to beat in each: {}.",
            first.join(", "),
            front.len(),
            own.len(),
            names.join("; ")
        )
    };
    (!own.is_empty()).then(|| Sentence::new(Tone::Plain, capital(&text)))
}

/// How many of these are clearly dominated by estimates alone: what the search keeps the longest is what the fewest beat.
pub fn dominators(values: &[Vec<f64>]) -> Vec<usize> {
    let dominates = |one: &[f64], other: &[f64]| {
        one.iter().zip(other).all(|(one, other)| one <= other) && one != other
    };
    values.iter().map(|of| values.iter().filter(|by| dominates(by, of)).count()).collect()
}

/// The means of a candidate in the search; infinite where nothing was seen.
pub fn means(also: &[Also], sums: &StageSums, players: u8) -> Vec<f64> {
    let view = whole(sums);
    let of = |also: &Also| also.value(&view.all(), usize::from(players)).unwrap_or(f64::INFINITY);
    also.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::dominators;

    #[test]
    fn what_is_no_better_in_anything_is_dominated() {
        let values =
            [vec![1.0, 5.0], vec![2.0, 4.0], vec![2.0, 6.0], vec![3.0, 6.0], vec![1.0, 5.0]];
        assert_eq!(dominators(&values), [0, 0, 3, 4, 0]);
        assert_eq!(dominators(&[vec![1.0], vec![2.0]]), [0, 1]);
    }
}
