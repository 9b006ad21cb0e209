//! Intervals that hold where little was seen: of shares, of means of what is never negative, of differences
//! of shares.
//!
//! A symmetric interval fails where a handful of events was seen, and has no width where none was. Shares
//! have Wilson's form (E. Wilson, 1927), with the sample size that the standard error implies (E. Korn, B.
//! Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated
//! from survey data", 1998). Means have the score interval of a count, in units of what one event adds.
//! Where each block holds one such thing at most, things are independent, and the interval is exact (C.
//! Clopper, E. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
//! 1934). Differences of shares are joined from the intervals of both (R. Newcombe, 1998; G. Zou, A. Donner,
//! "Construction of confidence limits about effect measures", 2008).
//!
//! A ratio may rest on few groups: takers of a rare card, turns that few matches reach. A share or a mean over
//! k groups of g has k − 1 degrees of freedom; the jackknife's variance is then somewhat large, by k/(k − 1),
//! which makes up for weights that differ.

use crate::stats::exact::{self, ALPHA};
use crate::stats::held::Held;
use crate::stats::jackknife::{
    Estimate, Function, GROUPS, GROUPS_LEAST, Grouped, Method, ROUNDING, Sums, carried, t_quantile,
};
use crate::stats::verdict::bonferroni_t;
use crate::stats::wilson::wilson;

/// Groups with an event below which the lower end of an interval is that of no event at all. One event may be
/// the luck of a rare thing: where 0.16 are expected, one run in seven has one, and Wilson's lower end for it
/// is 0.17 (L. Brown, T. Cai, A. DasGupta, "Interval estimation for a binomial proportion", 2001, 4.1.2).
const EVENTS_ALWAYS: usize = 2;

/// The same for what has an interval only because it was seen: its samples all have at least one event. Of
/// those with 1.5 events expected, 8 % have four.
const EVENTS_IF_SEEN: usize = 4;

/// The factor of a skewness that was seen in all [`GROUPS`]. Resampled from 6,000 matches of CATAN for two, `greedy`
/// against `random` (skewness of turns 4.9), intervals of 60 blocks cover 89.2 % without a tail, 90.2 % with a factor
/// of 1, 91.4 % with this one; those of 300 blocks 94.0, 94.6 and 95.2 %. Fewer groups show less of a long tail, so that
/// the factor grows as their square root falls: from 40,000 such matches, intervals of 8, 12, 20 and 30 blocks cover 90.1,
/// 91.7, 90.7 and 91.9 %, and 87.4, 88.8, 89.3 and 91.3 % with the same factor for all.
const SKEWNESS_UNSEEN: f64 = 1.5;

/// The 97.5 % quantile of the normal distribution: at few groups, the tail is not widened as t is.
const Z: f64 = 1.959_963_985;

/// Groups below which a standard error, or a correlation, may be small by luck: then things count as independent
/// ones at most, and no difference gains by what its sides have in common.
pub const GROUPS_SURE: usize = 20;

/// The same where so few groups move the estimate of a side. Of an agent that loses twice in a run, both sides of a
/// difference rest on these two matches.
const CARRIED_SURE: f64 = 10.0;

/// A share, and the things that it is a share of.
pub type Among<'a> = (&'a dyn Fn(Sums<'_>) -> Option<f64>, Held);

/// How wide an interval is.
#[derive(Clone, Copy)]
enum Level {
    /// One minus its level; for one look.
    Alpha(f64),
    /// Its half-width in standard errors; for all looks of a run.
    Sequence(f64),
}

/// What the groups of a run say of a ratio of sums.
struct Shown {
    value: f64,
    /// The ratio in each group that has one.
    by_group: Vec<f64>,
    /// The standard error, and how far each group moves the estimate, if enough groups have a ratio.
    spread: Option<(f64, Vec<f64>)>,
}

impl Shown {
    /// Groups whose ratio lies above something.
    fn above(&self, least: f64) -> usize {
        self.by_group.iter().filter(|&&ratio| ratio > least).count()
    }

    /// Groups whose ratio lies below something.
    fn below(&self, most: f64) -> usize {
        self.by_group.iter().filter(|&&ratio| ratio < most).count()
    }

    /// By how many groups the estimate is moved: see [`carried`].
    fn carried(&self) -> f64 {
        self.spread.as_ref().map_or(0.0, |(_, by_group)| carried(by_group))
    }

    /// The standard error, if there is one.
    fn se(&self) -> Option<f64> {
        self.spread.as_ref().map(|spread| spread.0)
    }
}

impl Grouped {
    /// A share of something that every block has.
    pub fn share(&self, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<Estimate> {
        self.share_among(of, Held::EVERYWHERE)
    }

    /// A share of things.
    pub fn share_among(
        &self,
        of: impl Fn(Sums<'_>) -> Option<f64>,
        held: Held,
    ) -> Option<Estimate> {
        self.share_form(&of, held, EVENTS_ALWAYS, Level::Alpha(ALPHA))
    }

    /// A share of things whose row is there only if it is above 0.
    pub fn share_if_seen(
        &self,
        of: impl Fn(Sums<'_>) -> Option<f64>,
        held: Held,
    ) -> Option<Estimate> {
        self.share_form(&of, held, EVENTS_IF_SEEN, Level::Alpha(ALPHA))
    }

    /// A share of things, one of several whose intervals hold together: of the level 1 − `alpha`.
    pub fn share_joint(
        &self,
        of: impl Fn(Sums<'_>) -> Option<f64>,
        held: Held,
        alpha: f64,
    ) -> Option<Estimate> {
        self.share_form(&of, held, EVENTS_ALWAYS, Level::Alpha(alpha))
    }

    /// The same with a half-width of `z` standard errors, which is that of a sequence.
    pub fn share_at(
        &self,
        of: impl Fn(Sums<'_>) -> Option<f64>,
        held: Held,
        z: f64,
    ) -> Option<Estimate> {
        self.share_form(&of, held, EVENTS_ALWAYS, Level::Sequence(z))
    }

    /// Exact where no block has two of the things, else Wilson's.
    fn share_form(
        &self,
        of: &Function<'_>,
        held: Held,
        events: usize,
        level: Level,
    ) -> Option<Estimate> {
        let shown = self.shown(of)?;
        let value = shown.value;
        let Some(se) = shown.se() else { return Some(Estimate::without_interval(value, None)) };
        let p = value.clamp(0.0, 1.0);
        if let (Some(n), Level::Alpha(alpha)) = (held.independent(), level) {
            let (low, high) = exact::interval(p, n, alpha);
            let low = if events > EVENTS_ALWAYS && shown.above(0.0) < events { 0.0 } else { low };
            let (interval, method) = (Some((low, high)), Method::ClopperPearson);
            return Some(Estimate { value, se: Some(se), interval, method });
        }
        let groups = shown.by_group.len();
        let z = match level {
            Level::Alpha(ALPHA) => t_quantile(groups),
            Level::Alpha(alpha) => Some(bonferroni_t(groups as f64 - 1.0, 1, alpha)),
            Level::Sequence(z) => Some(z),
        };
        let enough = z.filter(|_| groups >= GROUPS_LEAST);
        let Some(z) = enough else { return Some(Estimate::without_interval(value, None)) };
        let (low, high) = wilson(p, self.effective(&shown, p, se, held), z);
        // Wilson's interval holds its share; at 0 and 1 rounding may leave that out.
        let low = if shown.above(0.0) < events { 0.0 } else { low.min(p) };
        let high = if shown.below(1.0) < events { 1.0 } else { high.max(p) };
        let (interval, method) = (Some((low, high)), Method::JackknifeWilson);
        Some(Estimate { value, se: Some(se), interval, method })
    }

    /// The number of independent things that a share is worth. Where all groups have the same share, things of a
    /// block are taken to be wholly alike.
    fn effective(&self, shown: &Shown, p: f64, se: f64, held: Held) -> f64 {
        let alike = self.blocks().min(held.blocks).min(held.things) as f64;
        let groups = self.in_use().count();
        let alike =
            if held.counted { alike } else { alike.min(filled(shown.by_group.len(), groups)) };
        let implied = if se > ROUNDING { p * (1.0 - p) / (se * se) } else { alike };
        let few = shown.by_group.len() < GROUPS_SURE;
        let most = if few { held.things as f64 } else { f64::INFINITY };
        implied.min(most).max(1e-9)
    }

    /// A mean of something that is never negative: how often a thing happens, how many there are. Events are
    /// what lies above the group with the least; if there are none, nothing varied, and there is no interval.
    /// On the side of a long tail the end is at least as far out as Johnson's.
    pub fn average(&self, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<Estimate> {
        self.shown(&of).map(|shown| average(&shown))
    }

    /// How often something happens that should not, where `unit` is what one event adds to the estimate. In a run that is
    /// watched, `half` is half the width of a sequence in standard errors.
    pub fn rate(
        &self,
        of: impl Fn(Sums<'_>) -> Option<f64>,
        unit: f64,
        half: Option<f64>,
    ) -> Option<Estimate> {
        self.rate_form(&of, unit, half)
    }

    fn rate_form(&self, of: &Function<'_>, unit: f64, half: Option<f64>) -> Option<Estimate> {
        let shown = self.shown(of)?;
        let value = shown.value;
        let quantile = self.t_quantile().map(|t| half.unwrap_or(t));
        let (Some(se), Some(t)) = (shown.se(), quantile) else {
            return Some(Estimate::without_interval(value, None));
        };
        // What all groups have alike shows nothing of how it varies.
        if value > 0.0 && se <= ROUNDING {
            return Some(Estimate::without_interval(value, Some(se)));
        }
        let unit = if value > 0.0 { se * se / value } else { unit };
        let (low, high) = score(value, se, unit, t);
        let low = if shown.above(0.0) < EVENTS_ALWAYS { 0.0 } else { low.max(0.0) };
        let method = half.map_or(Method::JackknifeScore, |_| Method::AsymptoticSequence);
        let interval = Some((low, high));
        Some(Estimate { value, se: Some(se), interval, method })
    }

    /// An estimate whose interval reaches further on the side of a long tail, as Johnson's does.
    pub fn with_tail(&self, estimate: Estimate, of: impl Fn(Sums<'_>) -> Option<f64>) -> Estimate {
        let by_group = self.deviations(estimate.value, &of);
        let tail = by_group.zip(estimate.se).map_or(0.0, |(by_group, se)| tail(se, &by_group));
        let further = |(low, high)| (low + tail.min(0.0), high + tail.max(0.0));
        Estimate { interval: estimate.interval.map(further), ..estimate }
    }

    /// What is above 0 and no mean: a variance, or a ratio of two. The interval is symmetrical on the logarithmic scale,
    /// and reaches at least as far up as Johnson's.
    pub fn positive(&self, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<Estimate> {
        self.positive_form(&of)
    }

    fn positive_form(&self, of: &Function<'_>) -> Option<Estimate> {
        let value = of(self.all())?;
        let (Some(by_group), Some(t)) = (self.deviations(value, of), self.t_quantile()) else {
            return Some(Estimate::without_interval(value, None));
        };
        let square: f64 = by_group.iter().map(|deviation| deviation * deviation).sum();
        let se = libm::sqrt(square / by_group.len() as f64);
        if value <= 0.0 || se <= ROUNDING {
            return Some(Estimate::without_interval(value, Some(se)));
        }
        let factor = libm::exp(t * se / value);
        let high = (value * factor).max(value + t * se + tail(se, &by_group));
        let (interval, method) = (Some((value / factor, high)), Method::JackknifeLog);
        Some(Estimate { value, se: Some(se), interval, method })
    }

    /// One share less another, each with the things that it is a share of.
    pub fn share_difference(&self, one: Among<'_>, other: Among<'_>) -> Option<Estimate> {
        self.share_difference_joint(one, other, ALPHA)
    }

    /// The same, one of several whose intervals hold together: of the level 1 − `alpha`.
    pub fn share_difference_joint(
        &self,
        one: Among<'_>,
        other: Among<'_>,
        alpha: f64,
    ) -> Option<Estimate> {
        let first = self.share_joint(one.0, one.1, alpha)?;
        let second = self.share_joint(other.0, other.1, alpha)?;
        let value = first.value - second.value;
        let (Some(ends), Some(other_ends)) = (first.interval, second.interval) else {
            return Some(Estimate::without_interval(value, None));
        };
        let (one, other) = (self.shown(one.0)?, self.shown(other.0)?);
        let (se, rho) = joined(&one, &other);
        let few = one.by_group.len().min(other.by_group.len()) < GROUPS_SURE
            || one.carried().min(other.carried()) < CARRIED_SURE;
        let rho = if few { rho.min(0.0) } else { rho };
        let interval = mover((first.value, ends), (second.value, other_ends), rho);
        let (interval, method) = (Some(interval), Method::JackknifeMover);
        Some(Estimate { value, se, interval, method })
    }

    fn shown(&self, of: &Function<'_>) -> Option<Shown> {
        let value = of(self.all())?;
        let by_group: Vec<f64> = self.in_use().filter_map(|group| of(self.alone(group))).collect();
        let enough = by_group.len() >= GROUPS_LEAST;
        let deviations = if enough { self.deviations(value, of) } else { None };
        let spread = deviations.map(|deviations| {
            let square: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
            (libm::sqrt(square / deviations.len() as f64), deviations)
        });
        Some(Shown { value, by_group, spread })
    }
}

/// See [`Grouped::average`].
fn average(shown: &Shown) -> Estimate {
    let value = shown.value;
    let groups = shown.by_group.len();
    let least = shown.by_group.iter().copied().fold(f64::INFINITY, f64::min);
    let events = shown.above(least);
    let t = t_quantile(groups).filter(|_| events > 0);
    let (Some(se), Some(t)) = (shown.se(), t) else {
        return Estimate::without_interval(value, None);
    };
    let (low, high) = score(value, se, se * se / (value - least).max(ROUNDING), t);
    let tail = shown.spread.as_ref().map_or(0.0, |(se, by_group)| tail(*se, by_group));
    let (low, high) = if tail < 0.0 {
        ((value - t * se + tail).max(0.0), value + t * se)
    } else {
        (low, high.max(value + t * se + tail))
    };
    let low = if events >= EVENTS_IF_SEEN {
        low
    } else if groups - events > events {
        least
    } else {
        (value - t * se).max(0.0)
    };
    let (interval, method) = (Some((low, high)), Method::JackknifeScore);
    Estimate { value, se: Some(se), interval, method }
}

/// How much further an end on the side of a long tail lies than t standard errors, with the sign of the skewness. With
/// γ the skewness of the estimate, N. Johnson's t shifts both ends by γ (1/6 + z²/3) se ("Modified t tests and
/// confidence intervals for asymmetrical populations", 1978). Here only the outer end moves, since a sample without its
/// tail shows little of it, and the skewness counts for more, since that of some groups comes out too small.
fn tail(se: f64, deviations: &[f64]) -> f64 {
    let sum = |power: i32| -> f64 {
        deviations.iter().map(|&deviation| libm::pow(deviation, f64::from(power))).sum()
    };
    let square = sum(2);
    if square <= ROUNDING * ROUNDING {
        return 0.0;
    }
    let skewness = sum(3) / (square * libm::sqrt(square));
    let unseen = SKEWNESS_UNSEEN * libm::sqrt(GROUPS as f64 / deviations.len() as f64);
    unseen * skewness * (1.0 / 6.0 + Z * Z / 3.0) * se
}

/// The number of blocks that would fill so many of the groups, if they fell into them at random; endless if all are
/// filled: 1 − (1 − 1/g)^m = k/g.
fn filled(groups: usize, all: usize) -> f64 {
    let all = all as f64;
    libm::log(1.0 - groups as f64 / all) / libm::log(1.0 - 1.0 / all)
}

/// The interval of p − q from those of p and of q. With l and u the ends of the one, l' and u' those of the
/// other, and ρ the correlation of both, its ends are p − q − √((p − l)² − 2ρ(p − l)(u' − q) + (u' − q)²) and
/// p − q + √((u − p)² − 2ρ(u − p)(q − l') + (q − l')²).
fn mover(one: (f64, (f64, f64)), other: (f64, (f64, f64)), rho: f64) -> (f64, f64) {
    let ((p, ends), (q, other_ends)) = (one, other);
    let end = |a: f64, b: f64| libm::sqrt((a * a - 2.0 * rho * a * b + b * b).max(0.0));
    let low = p - q - end(p - ends.0, other_ends.1 - q);
    let high = p - q + end(ends.1 - p, q - other_ends.0);
    (low, high)
}

/// The standard error of a difference, and the correlation of its two sides; none where one side is the same
/// in all groups.
fn joined(one: &Shown, other: &Shown) -> (Option<f64>, f64) {
    let (Some((a, by_a)), Some((b, by_b))) = (&one.spread, &other.spread) else {
        return (None, 0.0);
    };
    let products: f64 = by_a.iter().zip(by_b).map(|(a, b)| a * b).sum();
    let covariance = products / by_a.len() as f64;
    let se = libm::sqrt((a * a + b * b - 2.0 * covariance).max(0.0));
    let rho = if a.min(*b) > ROUNDING { (covariance / (a * b)).clamp(-1.0, 1.0) } else { 0.0 };
    (Some(se), rho)
}

/// The score interval of a count, in units of what one event adds:
/// θ + u z²/2 ± z √(se² + u² z²/4).
fn score(value: f64, se: f64, unit: f64, z: f64) -> (f64, f64) {
    let (centre, spread) = (value + unit * z * z / 2.0, unit * z / 2.0);
    let half = z * libm::sqrt(se * se + spread * spread);
    (centre - half, centre + half)
}

#[cfg(test)]
mod tests;
