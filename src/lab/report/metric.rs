//! What a table estimates: the name of a metric, its unit, and what it means. Units are said here and nowhere guessed.

use crate::stats::jackknife::Estimate;

/// The widest interval of a share that is shown, and of a difference of shares that may be 0: one that leaves
/// nearly everything possible tells a reader nothing.
const WIDEST_SHARE: f64 = 0.8;

/// What a number measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A share, shown in per cent.
    Share,
    /// A difference of shares, shown in percentage points.
    Difference,
    /// A mean of something that is never negative.
    Mean,
    /// Any other number, with a number of decimals.
    Number(usize),
}

impl Unit {
    /// By what a value is multiplied to be shown.
    pub fn scale(self) -> f64 {
        if matches!(self, Unit::Share | Unit::Difference) { 100.0 } else { 1.0 }
    }

    /// Its name for other programs.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Share => "share",
            Unit::Difference => "difference of shares",
            Unit::Mean => "mean",
            Unit::Number(_) => "number",
        }
    }

    /// What stands behind the number.
    pub fn suffix(self) -> &'static str {
        match self {
            Unit::Share => " %",
            Unit::Difference => " pp",
            Unit::Mean | Unit::Number(_) => "",
        }
    }

    /// Decimals: percentage points get a second one if the interval is narrow enough for it.
    pub(super) fn decimals(self, estimate: &Estimate) -> usize {
        let narrow = estimate.interval.is_some_and(|(lo, hi)| hi - lo < 0.01);
        match self {
            Unit::Share => 1,
            Unit::Difference => 1 + usize::from(narrow),
            Unit::Mean => 2,
            Unit::Number(decimals) => decimals,
        }
    }

    /// An interval without what no difference of shares can be. Shares of a variance may lie below 0.
    pub(super) fn possible(self, lo: f64, hi: f64) -> (f64, f64) {
        if self == Unit::Difference { (lo.max(-1.0), hi.min(1.0)) } else { (lo, hi) }
    }

    /// Whether an interval leaves out anything that the unit allows.
    pub(super) fn means_something(self, (lo, hi): (f64, f64)) -> bool {
        match self {
            Unit::Share => hi - lo <= WIDEST_SHARE,
            Unit::Difference => hi - lo <= WIDEST_SHARE || lo > 0.0 || hi < 0.0,
            Unit::Mean => lo >= 0.0,
            Unit::Number(_) => lo.is_finite() && hi.is_finite(),
        }
    }
}

/// A metric of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    /// As in the column `metric`.
    pub name: &'static str,
    /// What its numbers measure.
    pub unit: Unit,
    /// What it means.
    pub about: &'static str,
}

impl Metric {
    /// A share of things.
    pub const fn share(name: &'static str, about: &'static str) -> Metric {
        Metric { name, unit: Unit::Share, about }
    }

    /// A difference of shares.
    pub const fn difference(name: &'static str, about: &'static str) -> Metric {
        Metric { name, unit: Unit::Difference, about }
    }

    /// A mean of something that is never negative.
    pub const fn mean(name: &'static str, about: &'static str) -> Metric {
        Metric { name, unit: Unit::Mean, about }
    }

    /// A number of another kind.
    pub const fn number(name: &'static str, about: &'static str) -> Metric {
        Metric { name, unit: Unit::Number(3), about }
    }
}

/// What the numbers of a metric measure, by its name; a plain number if it is none of these.
pub fn unit(metrics: &[Metric], name: &str) -> Unit {
    metrics.iter().find(|metric| metric.name == name).map_or(Unit::Number(3), |metric| metric.unit)
}

/// Metrics as differences of what they measure.
pub const fn differences<const N: usize>(mut metrics: [Metric; N]) -> [Metric; N] {
    let mut at = 0;
    while at < N {
        metrics[at].unit = match metrics[at].unit {
            Unit::Share | Unit::Difference => Unit::Difference,
            Unit::Mean | Unit::Number(_) => Unit::Number(2),
        };
        at += 1;
    }
    metrics
}
