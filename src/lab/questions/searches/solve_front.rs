//! Several aims at once: each change that `solve` certified by how even, how short and how close matches are with it, and
//! which changes no other one is shown to beat in all of that.
//!
//! Evenness is the spread that `solve` is about. The others are means of whole matches with the agent in all seats, on the
//! same deals under each change: their differences are paired, by leaving out the same group of blocks of both. A change
//! is beaten if another is clearly better in every aim. Half of the error is for spreads, whose intervals hold together,
//! and half for the differences of all pairs (C. Bonferroni, 1936); of a pair that is wrongly said to be beaten one aim at
//! least is wrong, so no more needs to be allowed for.

use crate::lab::questions::searches::search::StageSums;
use crate::lab::questions::searches::solve_also::{Also, ON_FRONT, whole};
use crate::lab::questions::searches::solve_course::{Final, rates};
use crate::lab::questions::searches::solve_settings::Solve;
use crate::lab::questions::studies::estimator::{ALPHA, SectionSums};
use crate::lab::questions::studies::joint::joint;
use crate::lab::report::table::{More, Row};
use crate::sim::counts::whole::WholeCount;
use crate::stats::jackknife::Estimate;

/// Whether one finalist is clearly better than another in every aim, one of so many finalists.
fn beats(plan: &Solve, players: u8, [one, other]: [&Final; 2], finals: usize) -> bool {
    if one.agent != other.agent || one.candidate == other.candidate {
        return false;
    }
    let spread = |of: &Final| {
        let judged = rates(plan, &of.sums, players).largest_difference_of(2 * finals)?;
        judged.effect.interval
    };
    let is_evener =
        matches!((spread(one), spread(other)), (Some((_, high)), Some((low, _))) if high < low);
    let (Some(one), Some(other)) = (&one.whole, &other.whole) else { return false };
    let pairs = (finals * finals.saturating_sub(1) / 2).max(1) as f64;
    let is_less = |also: &Also| {
        let value = |view: SectionSums<'_>| also.value(&view, usize::from(players));
        difference(one, other, value).is_some_and(|difference| {
            let alpha = ALPHA / 2.0 / pairs;
            let half = difference.se.map(|se| whole(one).half_width(se, alpha));
            half.is_some_and(|half| difference.value + half < 0.0)
        })
    };
    is_evener && plan.also.iter().all(is_less)
}

/// The difference of a mean on common deals.
fn difference(
    one: &StageSums,
    other: &StageSums,
    value: impl Fn(SectionSums<'_>) -> Option<f64>,
) -> Option<Estimate> {
    let (one, other) = (whole(one), whole(other));
    let all = value(one.all())? - value(other.all())?;
    let without = one.without_each().zip(other.without_each());
    let without: Vec<Option<f64>> =
        without.map(|(one, other)| Some(value(one)? - value(other)?)).collect();
    Some(one.mean_of(all, &without))
}

/// The rows of finalists.
pub fn rows(
    plan: &Solve,
    players: u8,
    finals: &[Final],
    named: impl Fn(&Final) -> Vec<String>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for of in finals {
        let Some(sums) = &of.whole else { continue };
        let by = finals.iter().find(|other| beats(plan, players, [other, of], finals.len()));
        let name = |of: &Final| plan.candidates[of.candidate].name();
        let verdict = by.map_or(ON_FRONT.to_owned(), |by| format!("beaten by {}", name(by)));
        let size = plan.candidates[of.candidate].size.to_string();
        let row = |metric, estimate: Option<Estimate>, n: u64, sums: &StageSums| Row {
            keys: named(of),
            metric,
            estimate,
            blocks: sums.blocks().min(n),
            n,
            more: More::Cells(vec![size.clone(), verdict.clone()]),
        };
        let spread = rates(plan, &of.sums, players).largest_difference_of(finals.len());
        rows.push(row("spread", spread.map(|judged| judged.effect), of.sums.matches(), &of.sums));
        // Rounds and points are those of matches that somebody has won.
        let won = whole(sums).sum(WholeCount::WON);
        for also in &plan.also {
            let mean = whole(sums).average(|view| also.value(&view, usize::from(players)));
            let alone = row(also.metric(), mean, won, sums);
            let estimate = joint(&alone, finals.len() * plan.also.len());
            rows.push(Row { estimate, ..alone });
        }
    }
    rows
}
