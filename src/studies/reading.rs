//! How estimates are read off the sums of a run: which counters, and which kind of interval.

use crate::report::table::Row;
use crate::sim::trials;
use crate::stats::anytime;
use crate::stats::jackknife::Estimate;
use crate::stats::jackknife::Grouped;
use crate::stats::jackknife::Method;
use crate::stats::jackknife::Sums;
use crate::stats::multiple;
use crate::stats::verdict;
use crate::stats::verdict::Verdict;

/// An effect with what it is of, and what is to be said of it.
pub type Judged = (String, Estimate, Verdict);

/// Blocks at which the intervals of a watched run are narrowest for their size; an order of magnitude to
/// either side costs little.
pub const INTENDED_BLOCKS: f64 = 10_000.0;

/// One minus the coverage of intervals, and the family-wise error rate of verdicts.
pub const ALPHA: f64 = 0.05;

/// Blocks of unpaired luck that are added to the variance of each difference on common luck: two, as A.
/// Agresti and Y. Min ("Simple improved confidence intervals for comparing matched proportions", 2005) add
/// two pairs that know nothing of each other. Where luck was common almost everywhere, a difference rests on
/// the few blocks that differ; its standard error is too small with few of them, and 0 with none. In large
/// runs it makes no difference.
const BLOCKS_ALONE: f64 = 2.0;

/// The sums of a section, and whether the run was watched.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// All sums.
    pub grouped: &'a Grouped,
    /// Where the section's counters begin.
    pub offset: usize,
    /// Whether the run could stop by what it saw.
    pub watched: bool,
}

/// A section's sums, of all groups or all but one.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    sums: Sums<'a>,
    offset: usize,
}

impl View<'_> {
    /// A counter of the section.
    pub fn get(&self, counter: usize) -> f64 {
        self.sums.get(self.offset + counter)
    }

    /// Blocks.
    pub fn blocks(&self) -> f64 {
        self.sums.get(trials::BLOCKS)
    }

    /// A counter by another; nothing where that is 0.
    pub fn ratio(&self, above: usize, below: usize) -> Option<f64> {
        self.sums.ratio(self.offset + above, self.offset + below)
    }
}

impl Reading<'_> {
    /// A share of something that every block has, with Wilson's interval.
    pub fn share(&self, of: impl Fn(View<'_>) -> Option<f64>) -> Option<Estimate> {
        self.share_among(of, u64::MAX)
    }

    /// A share of so many things. In a watched run its interval is Wilson's, too, since a rare outcome that
    /// has not come yet has no standard error; its quantile is that of the sequence.
    pub fn share_among(
        &self,
        of: impl Fn(View<'_>) -> Option<f64>,
        things: u64,
    ) -> Option<Estimate> {
        let of = |sums: Sums<'_>| of(View { sums, offset: self.offset });
        if !self.watched {
            return self.grouped.share_among(of, things);
        }
        let estimate = self.grouped.mean(of)?;
        let z = anytime::half_width(1.0, self.grouped.blocks() as f64, INTENDED_BLOCKS, ALPHA);
        let share = self.grouped.in_wilsons_form(estimate, things, z);
        let method = share.se.map_or(Method::None, |_| Method::AsymptoticSequence);
        Some(Estimate { method, ..share })
    }

    /// The sums of all groups.
    pub fn all(&self) -> View<'_> {
        View { sums: self.grouped.all(), offset: self.offset }
    }

    /// A difference on common luck. `alone` is the variance that one of so many blocks would have with luck
    /// of its own on each side; `BLOCKS_ALONE` such blocks are added to what was seen.
    pub fn difference(
        &self,
        of: impl Fn(View<'_>) -> Option<f64>,
        alone: Option<f64>,
        blocks: f64,
    ) -> Option<Estimate> {
        let of = |sums: Sums<'_>| of(View { sums, offset: self.offset });
        let more = BLOCKS_ALONE * alone?.max(0.0) / (blocks * blocks);
        let estimate = self.grouped.padded(self.grouped.mean(of)?, more);
        if self.watched { self.widened(Some(estimate)) } else { Some(estimate) }
    }

    /// Any other estimate.
    pub fn mean(&self, of: impl Fn(View<'_>) -> Option<f64>) -> Option<Estimate> {
        let of = |sums: Sums<'_>| of(View { sums, offset: self.offset });
        let estimate = self.grouped.mean(of);
        if self.watched { self.widened(estimate) } else { estimate }
    }

    /// An estimate of something that is never negative, such as a variance: its interval is symmetrical on
    /// the logarithmic scale.
    pub fn positive(&self, of: impl Fn(View<'_>) -> Option<f64>) -> Option<Estimate> {
        let estimate = self.mean(of)?;
        let Some((lo, hi)) = estimate.interval.filter(|_| estimate.value > 0.0) else {
            return Some(Estimate { interval: None, method: Method::None, ..estimate });
        };
        let factor = libm::exp((hi - lo) / 2.0 / estimate.value);
        let interval = Some((estimate.value / factor, estimate.value * factor));
        let method = if self.watched { Method::AsymptoticLog } else { Method::JackknifeLog };
        Some(Estimate { interval, method, ..estimate })
    }

    fn widened(&self, estimate: Option<Estimate>) -> Option<Estimate> {
        let estimate = estimate?;
        let Some(se) = estimate.se else { return Some(estimate) };
        let blocks = self.grouped.blocks() as f64;
        let half = anytime::half_width(se, blocks, INTENDED_BLOCKS, ALPHA);
        let interval = Some((estimate.value - half, estimate.value + half));
        Some(Estimate { interval, method: Method::AsymptoticSequence, ..estimate })
    }

    /// The exact sum of a counter.
    pub fn sum(&self, counter: usize) -> u64 {
        self.grouped.sum(self.offset + counter)
    }

    /// Half the width of an interval that holds together with those of `family` − 1 others.
    fn joint_half_width(&self, se: f64, family: usize) -> f64 {
        let alpha = ALPHA / family.max(1) as f64;
        let blocks = self.grouped.blocks() as f64;
        if self.watched {
            anytime::half_width(se, blocks, INTENDED_BLOCKS, alpha)
        } else {
            se * verdict::bonferroni_t(self.grouped.freedom(), family.max(1), ALPHA)
        }
    }

    /// What is to be said of an effect, one of `family`.
    pub fn verdict(&self, effect: &Estimate, margin: f64, family: usize) -> Option<Verdict> {
        let half = self.joint_half_width(effect.se?, family);
        Some(Verdict::new(effect.value, half, margin, self.grouped.blocks()))
    }

    /// The two-sided p-value of no effect; nothing in a watched run.
    pub fn p_value(&self, effect: Option<&Estimate>) -> Option<f64> {
        let effect = effect.filter(|_| !self.watched)?;
        Some(multiple::p_value(effect.value, effect.se?, self.grouped.freedom()))
    }
}

/// A row that compares: its p-value is kept until all rows are there.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The row, its further cells still empty.
    pub row: Row,
    /// The p-value of no difference.
    pub p_value: Option<f64>,
    /// What is said of it.
    pub verdict: String,
}

/// Fills in the cells of [`crate::report::table::COMPARISON`], adjusted over all rows.
pub fn adjusted(rows: Vec<Compared>) -> Vec<Row> {
    let known: Vec<f64> = rows.iter().filter_map(|row| row.p_value).collect();
    let mut holm = multiple::holm(&known).into_iter();
    let fill = |compared: Compared| {
        let adjusted = compared.p_value.and_then(|_| holm.next());
        let more = vec![p_text(compared.p_value), p_text(adjusted), compared.verdict];
        Row { more, ..compared.row }
    };
    rows.into_iter().map(fill).collect()
}

/// A p-value with four significant digits.
fn p_text(p: Option<f64>) -> String {
    p.map_or(String::new(), |p| if p < 1e-3 { format!("{p:.2e}") } else { format!("{p:.4}") })
}
