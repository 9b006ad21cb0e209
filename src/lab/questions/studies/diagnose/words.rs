//! What stands out, in words.

use crate::lab::questions::studies::diagnose::changes::CHANGES;
use crate::lab::questions::studies::diagnose::findings::{FINDINGS, JOINT, NEUTRAL, RANK};
use crate::lab::report::answer::{header, table};
use crate::lab::report::figures::{self, fixed};
use crate::lab::report::metric::{Unit, unit};
use crate::lab::report::summary::Grid;
use crate::lab::report::table::{Row, Table};
use crate::stats::jackknife::Estimate;

/// A figure that stands out.
#[derive(Debug, Clone, Copy)]
pub struct Finding<'a> {
    row: &'a Row,
    unit: Unit,
}

impl<'a> Finding<'a> {
    /// Which figure it is.
    pub fn metric(self) -> &'static str {
        self.row.metric
    }

    /// What it is about.
    pub fn of(self) -> &'a str {
        &self.row.keys[0]
    }

    fn end(self, at: usize) -> Option<f64> {
        self.row.own(at).parse().ok()
    }

    /// Whether it lies above its neutral range; else it lies below.
    pub fn is_above(self) -> bool {
        let hi = self.end(NEUTRAL[1]);
        hi.is_some_and(|hi| self.row.estimate.is_some_and(|of| of.value > hi))
    }

    /// The figure with the interval that holds together with those of all others.
    pub fn figure(self) -> String {
        let ends = self.end(JOINT[0]).zip(self.end(JOINT[1]));
        let estimate = self.row.estimate.map(|of| Estimate { interval: ends, ..of });
        figures::with_interval(estimate.as_ref(), self.unit)
    }

    pub fn neutral(self) -> String {
        let shown = |end: f64| fixed(end * self.unit.scale(), 1);
        let suffix = self.unit.suffix();
        match NEUTRAL.map(|at| self.end(at)) {
            [Some(lo), Some(hi)] => format!("{} to {}{suffix}", shown(lo), shown(hi)),
            [None, Some(hi)] => format!("at most {}{suffix}", shown(hi)),
            [Some(lo), None] => format!("at least {}{suffix}", shown(lo)),
            [None, None] => String::new(),
        }
    }

    /// What it says, without numbers.
    pub fn said(self) -> String {
        let of = self.of();
        match (self.metric(), self.is_above()) {
            ("seat_share", true) => format!("seat {of} wins more than an even share"),
            ("seat_share", false) => format!("seat {of} wins less than an even share"),
            ("used_share", _) => format!("hardly any seat ever takes {of}"),
            ("spent_share", _) => format!("more cards are spent on {of} than its price suggests"),
            ("worth", true) => format!("buyers of {of} gain more than its price suggests"),
            ("worth", false) => format!("{of} is not worth its price to its buyers"),
            ("lift_matched", true) => format!("takers of {of} win far more than who stood alike"),
            ("lift_matched", false) => format!("takers of {of} win far less than who stood alike"),
            ("winner_share", _) => format!("winners owe most points to {of}"),
            ("leader_wins", true) => "matches are decided at half of their turns".to_owned(),
            ("leader_wins", false) => "who leads at half of the turns hardly gains".to_owned(),
            ("choice_effect", _) => "losers decide which other seat wins".to_owned(),
            ("win_share", _) => format!("skill hardly pays: {of}"),
            ("dead_share", _) => "there is nothing to decide in many turns".to_owned(),
            ("idle_share", _) => "nothing is bought in most turns".to_owned(),
            ("long_share", _) => "matches drag: many take over twice the median".to_owned(),
            _ => "many matches end without a winner".to_owned(),
        }
    }
}

/// What stands out, the farthest first.
pub fn findings(tables: &[Table]) -> Vec<Finding<'_>> {
    let Some(all) = table(tables, FINDINGS.name) else { return Vec::new() };
    let ranked = all.rows.iter().filter(|row| !row.own(RANK).is_empty());
    ranked.map(|row| Finding { row, unit: all.unit(row.metric) }).collect()
}

/// The findings as a table for people, so many at most.
pub fn grid(tables: &[Table], most: usize) -> Grid {
    let cells = |finding: &Finding<'_>| vec![finding.said(), finding.figure(), finding.neutral()];
    Grid {
        title: "What stands out".to_owned(),
        header: header(&["what stands out", "figure (95 % for all)", "neutral"]),
        rows: findings(tables).iter().take(most).map(cells).collect(),
    }
}

/// The differences that are sure, the largest first, as a table for people; nothing if no rule sets are compared.
pub fn changes_grid(tables: &[Table], most: usize) -> Option<Grid> {
    let all = table(tables, CHANGES.name)?;
    let cells = |row: &Row| {
        let (unit, of) = (all.unit(row.metric), unit(FINDINGS.metrics, row.metric));
        let text = |value: f64| fixed(value * of.scale(), 1) + of.suffix();
        let shown = |at: usize| row.own(at).parse().map_or(String::new(), text);
        vec![
            figure_name(row.metric, &row.keys[0]),
            figures::with_interval(row.estimate.as_ref(), unit),
            shown(1),
            shown(2),
        ]
    };
    let ranked = all.rows.iter().filter(|row| !row.own(RANK).is_empty());
    Some(Grid {
        title: "What the change does".to_owned(),
        header: header(&["figure", "difference (95 % for all)", "changed", "base"]),
        rows: ranked.take(most).map(cells).collect(),
    })
}

/// What a figure is, in words.
pub fn figure_name(metric: &str, of: &str) -> String {
    match metric {
        "seat_share" => format!("win rate of seat {of}"),
        "used_share" => format!("seats that take {of}"),
        "spent_share" => format!("cards spent on {of}"),
        "worth" => format!("gain of buyers of {of}, for a card paid"),
        "lift_matched" => format!("gain of takers of {of}"),
        "winner_share" => format!("winners' points from {of}"),
        "leader_wins" => "wins of who leads at half of the turns".to_owned(),
        "choice_effect" => "wins that losers decide".to_owned(),
        "win_share" => format!("wins of {of}"),
        "dead_share" => "turns without a choice".to_owned(),
        "idle_share" => "turns in which nothing is bought".to_owned(),
        "long_share" => "matches over twice the median".to_owned(),
        _ => "matches without a winner".to_owned(),
    }
}
