//! Any estimate from exact sums, with a standard error from leaving out groups of blocks.
//!
//! A run's blocks are assigned to at most 64 groups. With m_j of the n blocks in group j, θ the estimate from
//! all and θ₍ⱼ₎ the one without group j, h_j = n/m_j:
//!
//! * bias-corrected θ_J = Σ (θ − (1 − m_j/n) θ₍ⱼ₎), pseudo-values τ_j = h_j θ − (h_j − 1) θ₍ⱼ₎
//! * variance = (1/g) Σ (τ_j − θ_J)² / (h_j − 1)
//!
//! Source: F. Busing, E. Meijer, R. van der Leeden, "Delete-m Jackknife for Unequal m", 1999. The estimate
//! shown is θ itself. Symmetric intervals use Student's t with g − 1 degrees of freedom; `stats::forms` has
//! those of shares, of means of what is never negative, and of differences of shares.

use crate::stats::lists::at_most;
use crate::stats::packed;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};
use std::ops::Range;
use std::sync::OnceLock;

/// Number of groups that blocks are assigned to.
pub const GROUPS: usize = 64;

/// The fewest groups that an interval rests on.
pub(super) const GROUPS_LEAST: usize = 3;

/// The most counters of a file: 128 MiB of sums. Those of every command are a small part of it.
pub const WIDTH_MAX: usize = 1 << 18;

/// The most that all counters of a file are together, so that no sum of some of them can overflow.
const SUM_MAX: u64 = 1 << 62;

/// Exact sums by group, in one layout for all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Grouped {
    #[serde(skip_serializing)]
    width: usize,
    /// Sums by group, then by counter.
    #[serde(serialize_with = "packed::serialize")]
    sums: Vec<u64>,
    /// Blocks by group.
    blocks: Vec<u64>,
    /// Sums over all groups.
    #[serde(skip_serializing)]
    total: Vec<u64>,
}

/// [`Grouped`] as it stands in a file, which may hold anything.
#[derive(Deserialize)]
struct Unchecked {
    #[serde(deserialize_with = "packed::deserialize::<{ GROUPS * WIDTH_MAX }, _>")]
    sums: Vec<u64>,
    #[serde(deserialize_with = "at_most::<GROUPS, _, _>")]
    blocks: Vec<u64>,
}

impl TryFrom<Unchecked> for Grouped {
    type Error = &'static str;

    /// Refuses sizes that don't fit, and sums above [`SUM_MAX`].
    fn try_from(Unchecked { sums, blocks }: Unchecked) -> Result<Grouped, &'static str> {
        let width = sums.len() / GROUPS;
        if sums.len() != GROUPS * width || blocks.len() != GROUPS {
            return Err("sums that are not in groups");
        }
        let mut total = vec![0_u64; width];
        for group in sums.chunks_exact(width.max(1)) {
            for (total, &more) in total.iter_mut().zip(group) {
                *total = total.saturating_add(more);
            }
        }
        let grouped = Grouped { width, sums, blocks, total };
        if grouped.are_too_large() {
            return Err("sums that are too large");
        }
        Ok(grouped)
    }
}

/// An estimate as a function of sums. Callers pass closures; what does the work is compiled once, for this type.
pub(super) type Function<'a> = dyn Fn(Sums<'_>) -> Option<f64> + 'a;

/// The sums of all groups but one, or of all.
#[derive(Debug, Clone, Copy)]
pub struct Sums<'a> {
    total: &'a [u64],
    without: Option<&'a [u64]>,
    /// Which ones of a [`Grouped`]: [`ALL`], those without a group, or behind these those of a group alone.
    pub(super) place: usize,
}

/// The place of the sums of all groups.
const ALL: usize = 0;
/// All places.
pub(super) const PLACES: usize = 1 + 2 * GROUPS;

impl Sums<'_> {
    /// The sum of a counter.
    #[inline]
    pub fn get(&self, counter: usize) -> f64 {
        let left_out = self.without.map_or(0, |group| group[counter]);
        (self.total[counter] - left_out) as f64
    }

    /// One counter divided by another; `None` if that is 0.
    pub fn ratio(&self, above: usize, below: usize) -> Option<f64> {
        let below = self.get(below);
        (below > 0.0).then(|| self.get(above) / below)
    }
}

/// How an interval was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Estimate ± t · standard error.
    JackknifeT,
    /// The same, for an interval that holds together with those of a family: its share of α.
    BonferroniT,
    /// The exact interval of a binomial share, where no block has two of the things.
    ClopperPearson,
    /// Wilson's interval at the effective sample size.
    JackknifeWilson,
    /// The score interval of a count, for means of what is never negative.
    JackknifeScore,
    /// The intervals of two shares, joined to one of their difference.
    JackknifeMover,
    /// Estimate times or by the exponential of t · standard error / estimate.
    JackknifeLog,
    /// The same with the half-width of an asymptotic confidence sequence.
    AsymptoticLog,
    /// Estimate ± the half-width of an asymptotic confidence sequence: may be watched.
    AsymptoticSequence,
    /// A confidence sequence by betting: may be watched, exact at any size.
    BettingSequence,
    /// Ends at which the interval of the share below reaches the quantile's own share.
    Woodruff,
    /// The estimate and its interval are those of another row, transformed.
    Transformed,
    /// No interval: too few events, or things, or blocks were seen for one that would hold.
    TooFew,
    /// No interval: the design of a block leaves nothing to estimate, such as the win rate of an agent that
    /// sits in all seats.
    Fixed,
    /// No estimate: the likelihood has no largest value, such as for an agent that never won.
    NoMaximum,
    /// No interval: the number is no estimate.
    None,
}

impl Method {
    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Method::JackknifeT => "jackknife_t",
            Method::BonferroniT => "bonferroni_t",
            Method::ClopperPearson => "clopper_pearson",
            Method::JackknifeWilson => "jackknife_wilson",
            Method::JackknifeScore => "jackknife_score",
            Method::JackknifeMover => "jackknife_mover",
            Method::JackknifeLog => "jackknife_log_t",
            Method::AsymptoticLog => "asymptotic_log_sequence",
            Method::AsymptoticSequence => "asymptotic_sequence",
            Method::BettingSequence => "betting_sequence",
            Method::Woodruff => "woodruff",
            Method::Transformed => "transformed",
            Method::TooFew => "too_few",
            Method::Fixed => "fixed",
            Method::NoMaximum => "no_maximum",
            Method::None => "",
        }
    }
}

/// A number with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Standard error over blocks.
    pub se: Option<f64>,
    /// Ends of the 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// How the interval was made.
    pub method: Method,
}

impl Grouped {
    /// No blocks yet, `width` counters.
    pub fn new(width: usize) -> Grouped {
        let sums = vec![0; GROUPS * width];
        Grouped { width, sums, blocks: vec![0; GROUPS], total: vec![0; width] }
    }

    /// Adds the sums of some blocks to the group of their chunk.
    ///
    /// # Panics
    /// If the layout differs.
    pub fn add(&mut self, chunk: u64, blocks: u64, sums: &[u64]) {
        assert_eq!(sums.len(), self.width, "one layout for all");
        let group = usize::try_from(chunk % GROUPS as u64).expect("few groups");
        self.blocks[group] += blocks;
        let into = &mut self.sums[group * self.width..(group + 1) * self.width];
        for ((into, total), add) in into.iter_mut().zip(&mut self.total).zip(sums) {
            *into += add;
            *total += add;
        }
    }

    /// Adds the sums of other blocks, group by group.
    ///
    /// # Panics
    /// If the layout differs.
    pub fn merge(&mut self, other: &Grouped) {
        assert_eq!(self.width, other.width, "one layout for all");
        let mine = self.sums.iter_mut().chain(&mut self.blocks).chain(&mut self.total);
        let theirs = other.sums.iter().chain(&other.blocks).chain(&other.total);
        // Sums of matches never come near the end of 64 bits; those of a forged file may.
        for (mine, &theirs) in mine.zip(theirs) {
            *mine = mine.saturating_add(theirs);
        }
    }

    /// Of some counters in a row, each with all those before it.
    pub(super) fn running(&self, counters: Range<usize>) -> Grouped {
        let running = |sums: &[u64]| {
            let mut sum = 0;
            let add = |more: &u64| {
                sum += more;
                sum
            };
            sums[counters.clone()].iter().map(add).collect::<Vec<u64>>()
        };
        let sums = (0..GROUPS).flat_map(|group| running(self.group(group))).collect();
        let (blocks, total) = (self.blocks.clone(), running(&self.total));
        Grouped { width: counters.len(), sums, blocks, total }
    }

    /// Of some counters in a row.
    #[must_use]
    pub fn part(&self, counters: Range<usize>) -> Grouped {
        let of = |group| self.group(group)[counters.clone()].iter().copied();
        let sums = (0..GROUPS).flat_map(of).collect();
        let (blocks, total) = (self.blocks.clone(), self.total[counters.clone()].to_vec());
        Grouped { width: counters.len(), sums, blocks, total }
    }

    /// Whether they are above what a file may hold.
    pub fn are_too_large(&self) -> bool {
        let added = |all: &[u64]| all.iter().fold(0, |sum: u64, &more| sum.saturating_add(more));
        added(&self.total) > SUM_MAX || added(&self.blocks) > SUM_MAX
    }

    /// Number of counters.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The blocks of each group.
    pub fn blocks_by_group(&self) -> &[u64] {
        &self.blocks
    }

    /// The sums of a group.
    pub fn group(&self, group: usize) -> &[u64] {
        &self.sums[group * self.width..(group + 1) * self.width]
    }

    /// All blocks added.
    pub fn blocks(&self) -> u64 {
        self.blocks.iter().sum()
    }

    /// The sums of all groups.
    pub fn all(&self) -> Sums<'_> {
        Sums { total: &self.total, without: None, place: ALL }
    }

    /// The exact sum of a counter.
    pub fn sum(&self, counter: usize) -> u64 {
        self.total[counter]
    }

    /// The groups of blocks in which a counter is above 0.
    pub fn groups_with(&self, counter: usize) -> usize {
        self.in_use().filter(|&group| self.group(group)[counter] > 0).count()
    }

    /// An estimate whose variance is larger by a given amount.
    pub fn padded(&self, estimate: Estimate, more: f64) -> Estimate {
        let (Some(se), Some(t)) = (estimate.se, self.t_quantile()) else { return estimate };
        let se = libm::sqrt(se * se + more);
        symmetric(estimate.value, se, t)
    }

    /// Any other estimate, with a symmetric interval; none where all groups are alike.
    pub fn mean(&self, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<Estimate> {
        let value = of(self.all())?;
        Some(self.mean_of(value, &self.without(&of)))
    }

    /// The same of a value that was found from all blocks, and from all but each group.
    pub fn mean_of(&self, value: f64, without: &[Option<f64>]) -> Estimate {
        let Some(deviations) = self.deviations_of(value, without) else {
            return Estimate::without_interval(value, None);
        };
        let square: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
        let se = libm::sqrt(square / deviations.len() as f64);
        self.t_quantile()
            .map_or(Estimate::without_interval(value, Some(se)), |t| symmetric(value, se, t))
    }

    /// The sums without each group that holds blocks, in their order.
    pub fn without_each(&self) -> impl Iterator<Item = Sums<'_>> {
        let without =
            |group| Sums { total: &self.total, without: Some(self.group(group)), place: 1 + group };
        self.in_use().map(without)
    }

    /// An estimate without each group that holds blocks.
    fn without(&self, of: &Function<'_>) -> Vec<Option<f64>> {
        self.without_each().map(of).collect()
    }

    /// The groups that hold blocks.
    pub(super) fn in_use(&self) -> impl Iterator<Item = usize> {
        (0..GROUPS).filter(|&group| self.blocks[group] > 0)
    }

    /// The sums of one group alone.
    pub(super) fn alone(&self, group: usize) -> Sums<'_> {
        Sums { total: self.group(group), without: None, place: 1 + GROUPS + group }
    }

    /// (τ_j − θ_J)/√(h_j − 1) by group: their mean square is the variance. Nothing if there are fewer than
    /// two groups or one can't be left out.
    pub(super) fn deviations(&self, value: f64, of: &Function<'_>) -> Option<Vec<f64>> {
        self.deviations_of(value, &self.without(of))
    }

    /// By how many groups of blocks an estimate is moved, if they were moved alike: (Σ d²)²/Σ d⁴ of the deviations d. For
    /// normal ones it is a third of the groups; a handful says that a handful of blocks decides the standard error.
    pub fn carried(&self, value: f64, of: impl Fn(Sums<'_>) -> Option<f64>) -> f64 {
        carried(&self.deviations(value, &of).unwrap_or_default())
    }

    /// The jackknife's bias of an estimate: θ − θ_J. Nothing where there are no deviations.
    pub fn bias(&self, value: f64, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<f64> {
        let left_out = self.left_out(&self.without(&of))?;
        Some(value - self.corrected(value, &left_out))
    }

    /// Blocks of each group and the estimate without it; nothing if there are fewer than two groups or one can't be
    /// left out.
    fn left_out(&self, without: &[Option<f64>]) -> Option<Vec<(f64, f64)>> {
        let mut left_out = Vec::with_capacity(GROUPS);
        for (group, other) in self.in_use().zip(without) {
            left_out.push((self.blocks[group] as f64, (*other)?));
        }
        (left_out.len() >= 2).then_some(left_out)
    }

    /// θ_J.
    fn corrected(&self, value: f64, left_out: &[(f64, f64)]) -> f64 {
        let n = self.blocks() as f64;
        left_out.iter().map(|(m, other)| value - (1.0 - m / n) * other).sum()
    }

    fn deviations_of(&self, value: f64, without: &[Option<f64>]) -> Option<Vec<f64>> {
        let n = self.blocks() as f64;
        let left_out = self.left_out(without)?;
        let corrected = self.corrected(value, &left_out);
        let deviation = |(m, other): &(f64, f64)| {
            let h = n / m;
            let pseudo = h * value - (h - 1.0) * other;
            (pseudo - corrected) / libm::sqrt(h - 1.0)
        };
        Some(left_out.iter().map(deviation).collect())
    }

    /// Degrees of freedom: one less than the groups in use.
    pub fn freedom(&self) -> f64 {
        self.blocks.iter().filter(|&&blocks| blocks > 0).count() as f64 - 1.0
    }

    /// The 97.5 % quantile of Student's t for the groups in use; nothing if there are fewer than three.
    pub(super) fn t_quantile(&self) -> Option<f64> {
        let groups = self.in_use().count();
        t_quantile(groups).filter(|_| groups >= GROUPS_LEAST)
    }
}

/// (Σ d²)²/Σ d⁴ of some deviations d: see [`Grouped::carried`].
pub(super) fn carried(deviations: &[f64]) -> f64 {
    let sum = |power: i32| -> f64 {
        deviations.iter().map(|&deviation| libm::pow(deviation, f64::from(power))).sum()
    };
    let fourth = sum(4);
    if fourth > 0.0 { sum(2) * sum(2) / fourth } else { 0.0 }
}

/// The 97.5 % quantile of Student's t for so many groups, of one degree of freedom less; nothing without one. Those of a
/// run's groups are kept: its tables need them thousands of times.
pub(super) fn t_quantile(groups: usize) -> Option<f64> {
    static KEPT: [OnceLock<Option<f64>>; GROUPS + 1] = [const { OnceLock::new() }; GROUPS + 1];
    let found = || {
        let student = StudentsT::new(0.0, 1.0, groups as f64 - 1.0).ok()?;
        Some(student.inverse_cdf(0.975))
    };
    KEPT.get(groups).map_or_else(found, |kept| *kept.get_or_init(found))
}

/// Standard errors below this come of rounding: one match in a billion blocks would show more.
pub const ROUNDING: f64 = 1e-12;

/// An estimate ± z standard errors.
fn symmetric(value: f64, se: f64, z: f64) -> Estimate {
    if se <= ROUNDING {
        return Estimate::without_interval(value, Some(se));
    }
    let interval = Some((value - z * se, value + z * se));
    Estimate { value, se: Some(se), interval, method: Method::JackknifeT }
}

impl Estimate {
    /// An estimate for whose interval too little was seen.
    pub const fn without_interval(value: f64, se: Option<f64>) -> Estimate {
        Estimate { value, se, interval: None, method: Method::TooFew }
    }

    /// A number that the design of a block fixes.
    pub const fn fixed(value: f64) -> Estimate {
        Estimate { value, se: None, interval: None, method: Method::Fixed }
    }

    /// No number at all, since the likelihood has no largest value.
    pub const fn no_maximum() -> Estimate {
        Estimate { value: f64::NAN, se: None, interval: None, method: Method::NoMaximum }
    }

    /// A number that is no estimate.
    pub const fn plain(value: f64) -> Estimate {
        Estimate { value, se: None, interval: None, method: Method::None }
    }

    /// The same without its interval: too little was seen for one.
    pub fn bare(self) -> Estimate {
        Estimate::without_interval(self.value, self.se)
    }

    /// The estimate of this one times a factor, and something added: the interval goes along.
    pub fn scaled(self, factor: f64, add: f64) -> Estimate {
        let of = |value: f64| value * factor + add;
        let ends =
            |(low, high)| if factor < 0.0 { (of(high), of(low)) } else { (of(low), of(high)) };
        let se = self.se.map(|se| se * factor.abs());
        Estimate { value: of(self.value), se, interval: self.interval.map(ends), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_blocks_give_the_textbook_standard_error() {
        // With one block a group the jackknife of a mean is s/√n exactly.
        let values = [3_u64, 5, 8, 13, 21, 34, 2, 7];
        let mut grouped = Grouped::new(2);
        for (chunk, &value) in values.iter().enumerate() {
            grouped.add(chunk as u64, 1, &[value, 1]);
        }
        let n = values.len() as f64;
        let mean = values.iter().sum::<u64>() as f64 / n;
        let square: f64 = values.iter().map(|&v| (v as f64 - mean).powi(2)).sum();
        let expected = (square / (n - 1.0) / n).sqrt();
        let estimate = grouped.mean(|sums| sums.ratio(0, 1)).unwrap();
        assert!((estimate.se.unwrap() - expected).abs() < 1e-9);
        // t quantile with 7 degrees of freedom: 2.3646 (R, qt(0.975, 7)).
        let (lo, hi) = estimate.interval.unwrap();
        assert!(((hi - lo) / 2.0 / expected - 2.364_624).abs() < 1e-5);
    }

    #[test]
    fn one_block_has_no_interval() {
        let mut grouped = Grouped::new(2);
        grouped.add(0, 1, &[1, 4]);
        let estimate = grouped.share(|sums| sums.ratio(0, 1)).unwrap();
        assert_eq!((estimate.se, estimate.interval), (None, None));
        assert_eq!(grouped.mean(|sums| sums.ratio(0, 1).filter(|_| false)), None);
    }
}
