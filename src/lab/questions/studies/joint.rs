//! Intervals of rows that hold together: what a sentence says of one row that it picked from several rests on an
//! interval of level 1 − 0.05/k for each of the k (C. Bonferroni, 1936). It is made from the row alone, since an
//! answer is read from tables.

use crate::lab::questions::studies::estimator::{ALPHA, INTENDED_BLOCKS};
use crate::lab::report::figures::{ends, value};
use crate::lab::report::metric::Unit;
use crate::lab::report::table::Row;
use crate::sim::batch::Chunking;
use crate::stats::forms::GROUPS_SURE;
use crate::stats::jackknife::{Estimate, GROUPS, Method, ROUNDING};
use crate::stats::verdict::{bonferroni_t, student_by_normal};
use crate::stats::wilson::wilson;
use crate::stats::{anytime, exact};

/// The estimate of a row with its interval among those of a family; without one where the row has none, or none that
/// could be made wider.
pub fn joint(row: &Row, family: usize) -> Option<Estimate> {
    let estimate = row.estimate?;
    let interval = estimate.interval.and_then(|ends| wider(row, &estimate, ends, family));
    let method = if interval.is_some() { estimate.method } else { Method::TooFew };
    let method = if estimate.interval.is_none() { estimate.method } else { method };
    Some(Estimate { interval, method, ..estimate })
}

fn wider(row: &Row, of: &Estimate, (lo, hi): (f64, f64), family: usize) -> Option<(f64, f64)> {
    if family < 2 {
        return Some((lo, hi));
    }
    let alpha = ALPHA / family as f64;
    let chunks = row.blocks.div_ceil(Chunking::chunk_for(row.blocks));
    let freedom = chunks.min(GROUPS as u64) as f64 - 1.0;
    let student = |alpha: f64| bonferroni_t(freedom, 1, alpha);
    let stretched = |by: f64| (of.value - by * (of.value - lo), of.value + by * (hi - of.value));
    match of.method {
        Method::ClopperPearson => Some(exact::interval(of.value, row.n, alpha)),
        Method::JackknifeWilson => {
            let p = of.value;
            // At 0 and 1 a standard error is no more than what rounding leaves of it.
            let n = of
                .se
                .filter(|&se| se > ROUNDING && p > 0.0 && p < 1.0)
                .map_or(row.blocks as f64, |se| p * (1.0 - p) / (se * se));
            let most = if chunks < GROUPS_SURE as u64 { row.n as f64 } else { f64::INFINITY };
            let (low, high) = wilson(p, n.min(most).max(1e-9), student(alpha));
            // Rules for a handful of events have moved an end outwards.
            Some((low.min(lo), high.max(hi)))
        }
        Method::JackknifeT | Method::JackknifeScore | Method::JackknifeMover => {
            Some(stretched(student(alpha) / student(ALPHA)))
        }
        Method::AsymptoticSequence => {
            let half = |alpha: f64| {
                let blocks = row.blocks as f64;
                let half = anytime::half_width(1.0, blocks, INTENDED_BLOCKS, alpha);
                half * student_by_normal(GROUPS as f64 - 1.0, alpha)
            };
            Some(stretched(half(alpha) / half(ALPHA)))
        }
        _ => None,
    }
}

/// Whether a difference, one of a family, is clear: by its adjusted p-value, or in a watched run by its interval among
/// those of all.
pub fn is_clear(row: &Row, family: usize) -> bool {
    let p_value = row.comparison().and_then(|said| said.p_holm);
    p_value.map_or_else(|| holds_no_0(row, family), |p_value| p_value < ALPHA)
}

/// Whether the interval of a difference among those of its family lies on one side of 0.
pub fn holds_no_0(row: &Row, family: usize) -> bool {
    let ends = joint(row, family).and_then(|estimate| estimate.interval);
    ends.is_some_and(|(lo, hi)| lo > 0.0 || hi < 0.0)
}

/// A row of a family with the interval that it has among them: `2.1 pp (0.3 to 3.9)`.
pub fn joint_cell(row: &Row, unit: Unit, family: usize) -> String {
    joint(row, family).map_or("–".to_owned(), |of| value(&of, unit) + &ends(&of, unit))
}

/// A row with the interval that its verdict was given by, in the columns of a judged table.
pub fn judged_cell(row: &Row, unit: Unit) -> String {
    let interval = row.comparison().and_then(|said| said.interval);
    let shown = row.estimate.map(|estimate| Estimate { interval, ..estimate });
    shown.map_or("–".to_owned(), |of| value(&of, unit) + &ends(&of, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(method: Method, value: f64, se: f64, interval: (f64, f64)) -> Row {
        let estimate = Some(Estimate { value, se: Some(se), interval: Some(interval), method });
        Row::new(Vec::new(), "m", estimate, 300, 300)
    }

    #[test]
    fn each_form_is_as_wide_as_its_level_asks() {
        let ends = |row: &Row, family| joint(row, family).unwrap().interval.unwrap();
        let t = |family| bonferroni_t(63.0, family, ALPHA);
        let mean = row(Method::JackknifeT, 1.0, 0.1, (1.0 - 0.1 * t(1), 1.0 + 0.1 * t(1)));
        assert!((ends(&mean, 15).1 - 1.0 - 0.1 * t(15)).abs() < 1e-9);
        assert!((ends(&mean, 1).1 - 1.0 - 0.1 * t(1)).abs() < 1e-9);
        let share = row(Method::ClopperPearson, 0.4, 0.03, exact::interval(0.4, 300, ALPHA));
        assert_eq!(ends(&share, 6), exact::interval(0.4, 300, ALPHA / 6.0));
        let n = 0.4 * 0.6 / 0.0009;
        let share = row(Method::JackknifeWilson, 0.4, 0.03, wilson(0.4, n, t(1)));
        let (low, high) = wilson(0.4, n, t(6));
        let (lo, hi) = ends(&share, 6);
        assert!((lo - low).abs() < 1e-9 && (hi - high).abs() < 1e-9);
        // Who won every match has an interval as well, whatever rounding has left of its standard error.
        let all =
            [0.0, 1e-17].map(|se| ends(&row(Method::JackknifeWilson, 1.0, se, (0.95, 1.0)), 2));
        assert!(all[0] == all[1] && all[0].0 > 0.9, "{all:?}");
        let watched = row(Method::AsymptoticSequence, 0.0, 0.1, (-0.6, 0.6));
        assert!(ends(&watched, 6).1 > 0.6 && ends(&watched, 6).0 < -0.6);
        let other = row(Method::Transformed, 0.0, 0.1, (-0.6, 0.6));
        assert_eq!(joint(&other, 6).unwrap().interval, None);
    }
}
