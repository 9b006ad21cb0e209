//! Any estimate from exact sums, with a standard error from leaving out groups of blocks.
//!
//! A run's blocks are dealt to at most 64 groups. With m_j of the n blocks in group j, θ the estimate from
//! all and θ₍ⱼ₎ the one without group j, h_j = n/m_j:
//!
//! * bias-corrected θ_J = Σ (θ − (1 − m_j/n) θ₍ⱼ₎), pseudo-values τ_j = h_j θ − (h_j − 1) θ₍ⱼ₎
//! * variance = (1/g) Σ (τ_j − θ_J)² / (h_j − 1)
//!
//! Source: F. Busing, E. Meijer, R. van der Leeden, "Delete-m Jackknife for Unequal m", 1999. The estimate
//! shown is θ itself. Intervals use Student's t with g − 1 degrees of freedom; shares use Wilson's form
//! (E. Wilson, 1927) with the sample size that the standard error implies.

use statrs::distribution::ContinuousCDF;
use statrs::distribution::StudentsT;

/// Groups that blocks are dealt to.
pub const GROUPS: usize = 64;

/// Exact sums by group, in one layout for all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouped {
    width: usize,
    /// Sums by group, then by counter.
    sums: Vec<u64>,
    /// Blocks by group.
    blocks: Vec<u64>,
    /// Sums over all groups.
    total: Vec<u64>,
}

/// The sums of all groups but one, or of all.
#[derive(Debug, Clone, Copy)]
pub struct Sums<'a> {
    total: &'a [u64],
    without: Option<&'a [u64]>,
}

impl Sums<'_> {
    /// The sum of a counter.
    #[inline]
    pub fn get(&self, counter: usize) -> f64 {
        let left_out = self.without.map_or(0, |group| group[counter]);
        (self.total[counter] - left_out) as f64
    }

    /// One counter divided by another; nothing where that is 0.
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
    /// Wilson's interval at the effective sample size.
    JackknifeWilson,
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
    /// No interval: the number is no estimate.
    None,
}

impl Method {
    /// The word in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Method::JackknifeT => "jackknife_t",
            Method::BonferroniT => "bonferroni_t",
            Method::JackknifeWilson => "jackknife_wilson",
            Method::JackknifeLog => "jackknife_log_t",
            Method::AsymptoticLog => "asymptotic_log_sequence",
            Method::AsymptoticSequence => "asymptotic_sequence",
            Method::BettingSequence => "betting_sequence",
            Method::Woodruff => "woodruff",
            Method::Transformed => "transformed",
            Method::TooFew => "too_few",
            Method::Fixed => "fixed",
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
        // Sums of matches never come near the end of 64 bits; those of a made-up file may.
        for (mine, &theirs) in mine.zip(theirs) {
            *mine = mine.saturating_add(theirs);
        }
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

    /// Sums by group, then counter, and blocks by group, as they were read from a file; nothing if a sum
    /// over groups is too large or the sizes don't fit.
    pub fn from_parts(width: usize, sums: Vec<u64>, blocks: Vec<u64>) -> Option<Grouped> {
        if sums.len() != GROUPS * width || blocks.len() != GROUPS {
            return None;
        }
        blocks.iter().try_fold(0_u64, |sum, &blocks| sum.checked_add(blocks))?;
        let total = |counter: usize| {
            let of = |group: usize| sums[group * width + counter];
            (0..GROUPS).try_fold(0_u64, |sum, group| sum.checked_add(of(group)))
        };
        let total = (0..width).map(total).collect::<Option<Vec<u64>>>()?;
        Some(Grouped { width, sums, blocks, total })
    }

    /// All blocks added.
    pub fn blocks(&self) -> u64 {
        self.blocks.iter().sum()
    }

    /// The sums of all groups.
    pub fn all(&self) -> Sums<'_> {
        Sums { total: &self.total, without: None }
    }

    /// The exact sum of a counter.
    pub fn sum(&self, counter: usize) -> u64 {
        self.total[counter]
    }

    /// A share of something that every block has, with Wilson's interval.
    pub fn share(&self, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<Estimate> {
        self.share_among(of, u64::MAX)
    }

    /// A share of so many things, which may be fewer than the blocks.
    pub fn share_among(
        &self,
        of: impl Fn(Sums<'_>) -> Option<f64>,
        things: u64,
    ) -> Option<Estimate> {
        let estimate = self.mean(of)?;
        let Some(t) = self.t_quantile() else { return Some(estimate) };
        Some(self.in_wilsons_form(estimate, things, t))
    }

    /// An estimate of a share of so many things with Wilson's interval at a quantile `z`. Where all
    /// groups have the same share, matches of a block are taken to be wholly alike.
    pub fn in_wilsons_form(&self, estimate: Estimate, things: u64, z: f64) -> Estimate {
        let Some(se) = estimate.se else { return estimate };
        let p = estimate.value.clamp(0.0, 1.0);
        let alike = self.blocks().min(things) as f64;
        // All groups alike leave no more of a standard error than rounding does.
        let n = if se > ROUNDING { p * (1.0 - p) / (se * se) } else { alike };
        let (low, high) = wilson(p, n.max(1e-9), z);
        // Wilson's interval holds its share; at 0 and 1 rounding may leave that out.
        let interval = Some((low.min(p), high.max(p)));
        Estimate { interval, method: Method::JackknifeWilson, ..estimate }
    }

    /// How often something rare happens, where `unit` is what one event adds to the estimate: the
    /// score interval of a count, which is Wilson's where events are rare. With u = se²/θ, or `unit`
    /// where nothing happened, its ends are θ + u z²/2 ± z √(se² + u² z²/4).
    pub fn rate(&self, of: impl Fn(Sums<'_>) -> Option<f64>, unit: f64) -> Option<Estimate> {
        let estimate = self.mean(of)?;
        let (Some(se), Some(z)) = (estimate.se, self.t_quantile()) else { return Some(estimate) };
        let value = estimate.value;
        let unit = if value > 0.0 { se * se / value } else { unit };
        let (centre, spread) = (value + unit * z * z / 2.0, unit * z / 2.0);
        let half = z * libm::sqrt(se * se + spread * spread);
        let interval = Some(((centre - half).max(0.0), centre + half));
        Some(Estimate { interval, method: Method::JackknifeWilson, ..estimate })
    }

    /// An estimate whose variance is larger by so much.
    pub fn padded(&self, estimate: Estimate, more: f64) -> Estimate {
        let (Some(se), Some(t)) = (estimate.se, self.t_quantile()) else { return estimate };
        let se = libm::sqrt(se * se + more);
        let interval = Some((estimate.value - t * se, estimate.value + t * se));
        Estimate { se: Some(se), interval, ..estimate }
    }

    /// Any other estimate, with a symmetric interval.
    pub fn mean(&self, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<Estimate> {
        let value = of(self.all())?;
        let alone = Estimate { value, se: None, interval: None, method: Method::None };
        let Some(variance) = self.variance(value, of) else { return Some(alone) };
        let Some(t) = self.t_quantile() else { return Some(alone) };
        let se = libm::sqrt(variance);
        let interval = Some((value - t * se, value + t * se));
        Some(Estimate { value, se: Some(se), interval, method: Method::JackknifeT })
    }

    /// The delete-a-group variance; nothing if there are fewer than two groups or one can't be left out.
    fn variance(&self, value: f64, of: impl Fn(Sums<'_>) -> Option<f64>) -> Option<f64> {
        let n = self.blocks() as f64;
        let mut left_out = Vec::with_capacity(GROUPS);
        for (group, &blocks) in self.blocks.iter().enumerate().filter(|&(_, &blocks)| blocks > 0) {
            let without = Some(self.group(group));
            left_out.push((blocks as f64, of(Sums { total: &self.total, without })?));
        }
        if left_out.len() < 2 {
            return None;
        }
        let corrected: f64 = left_out.iter().map(|(m, other)| value - (1.0 - m / n) * other).sum();
        let spread = left_out.iter().map(|(m, other)| {
            let h = n / m;
            let pseudo = h * value - (h - 1.0) * other;
            (pseudo - corrected) * (pseudo - corrected) / (h - 1.0)
        });
        Some(spread.sum::<f64>() / left_out.len() as f64)
    }

    /// Degrees of freedom: one less than the groups in use.
    pub fn freedom(&self) -> f64 {
        self.blocks.iter().filter(|&&blocks| blocks > 0).count() as f64 - 1.0
    }

    /// The 97.5 % quantile of Student's t for the groups in use.
    fn t_quantile(&self) -> Option<f64> {
        StudentsT::new(0.0, 1.0, self.freedom()).ok().map(|t| t.inverse_cdf(0.975))
    }
}

/// Standard errors of shares below this come of rounding: one match in a billion blocks would show more.
const ROUNDING: f64 = 1e-12;

/// Wilson's score interval for a share `p` of `n`, at the quantile `z`.
pub fn wilson(p: f64, n: f64, z: f64) -> (f64, f64) {
    let zz = z * z / n;
    let centre = (p + zz / 2.0) / (1.0 + zz);
    let half = z / (1.0 + zz) * libm::sqrt(p * (1.0 - p) / n + zz / (4.0 * n));
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::unit;
    use crate::seed::BlockSeed;
    use crate::seed::Stream;

    #[test]
    fn wilson_agrees_with_a_published_value() {
        // 10 of 100 at 95 %: 0.0552 to 0.1744 (statsmodels proportion_confint, method "wilson").
        let (lo, hi) = wilson(0.1, 100.0, 1.959_963_985);
        assert!((lo - 0.055_229_14).abs() < 1e-6 && (hi - 0.174_365_66).abs() < 1e-6, "{lo} {hi}");
    }

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
    fn a_share_of_few_things_is_not_taken_for_one_of_all_blocks() {
        // 60 blocks, 3 things in all, none of them won: Wilson's upper end is t²/(3 + t²).
        let mut grouped = Grouped::new(2);
        for chunk in 0..60 {
            grouped.add(chunk, 1, &[0, u64::from(chunk < 3)]);
        }
        let estimate = grouped.share_among(|sums| sums.ratio(0, 1), grouped.sum(1)).unwrap();
        let tt = grouped.t_quantile().unwrap().powi(2);
        let (lo, hi) = estimate.interval.unwrap();
        assert!(lo.abs() < 1e-12 && (hi - tt / (3.0 + tt)).abs() < 1e-12, "{lo} {hi}");
    }

    #[test]
    fn a_share_that_is_all_or_nothing_has_one_end_inside() {
        // Groups of unequal weight, whose jackknife leaves a standard error of rounding.
        for all in [0, 1] {
            let mut grouped = Grouped::new(2);
            for chunk in 0..100 {
                let matches = 1 + chunk % 7;
                grouped.add(chunk, matches, &[all * matches, matches]);
            }
            let estimate = grouped.share(|sums| sums.ratio(0, 1)).unwrap();
            let (tt, n) = (grouped.t_quantile().unwrap().powi(2), grouped.blocks() as f64);
            let (lo, hi) = estimate.interval.unwrap();
            let width = tt / (n + tt);
            assert!((hi - lo - width).abs() < 1e-9, "{all}: {lo} to {hi}, not {width} wide");
            assert!(lo <= estimate.value && estimate.value <= hi, "{lo} to {hi}");
            assert!((estimate.value - if all == 1 { hi } else { lo }).abs() < 1e-9);
        }
    }

    #[test]
    fn a_rate_of_nothing_seen_has_an_upper_end_and_a_common_one_is_symmetrical() {
        let of = |events: u64| {
            let mut grouped = Grouped::new(2);
            for chunk in 0..64 {
                grouped.add(chunk, 1, &[events + chunk % 2, 1]);
            }
            grouped
        };
        let mut none = Grouped::new(2);
        (0..64).for_each(|chunk| none.add(chunk, 1, &[0, 1]));
        let estimate = none.rate(|sums| sums.ratio(0, 1), 1.0 / 64.0).unwrap();
        let tt = none.t_quantile().unwrap().powi(2);
        assert!((estimate.interval.unwrap().1 - tt / 64.0).abs() < 1e-12);
        let common = of(1000);
        let [rate, mean] = [
            common.rate(|sums| sums.ratio(0, 1), 1.0 / 64.0).unwrap(),
            common.mean(|sums| sums.ratio(0, 1)).unwrap(),
        ];
        let (one, other) = (rate.interval.unwrap(), mean.interval.unwrap());
        assert!((one.0 - other.0).abs() < 1e-4 && (one.1 - other.1).abs() < 1e-4);
    }

    #[test]
    fn one_block_has_no_interval() {
        let mut grouped = Grouped::new(2);
        grouped.add(0, 1, &[1, 4]);
        let estimate = grouped.share(|sums| sums.ratio(0, 1)).unwrap();
        assert_eq!((estimate.se, estimate.interval), (None, None));
        assert_eq!(grouped.mean(|sums| sums.ratio(0, 1).filter(|_| false)), None);
    }

    #[test]
    fn intervals_cover_a_share_as_often_as_they_say() {
        // 1,000 runs of 200 blocks of 4 correlated matches; 95 % ± 4 standard errors of 0.69 %.
        for truth in [0.25_f32, 0.03] {
            let mut covered = 0;
            for run in 0..1000 {
                let mut rng = BlockSeed::new(run, 0).stream(Stream::Study, None, 0);
                let mut grouped = Grouped::new(2);
                for chunk in 0..200 {
                    // Matches of a block share half of their luck.
                    let shared = unit(&mut rng) < 0.5;
                    let first = u64::from(unit(&mut rng) < truth);
                    let wins: u64 = (0..4)
                        .map(|_| if shared { first } else { u64::from(unit(&mut rng) < truth) })
                        .sum();
                    grouped.add(chunk, 1, &[wins, 4]);
                }
                let estimate = grouped.share(|sums| sums.ratio(0, 1)).unwrap();
                let (lo, hi) = estimate.interval.unwrap();
                covered += u32::from(lo <= f64::from(truth) && f64::from(truth) <= hi);
            }
            assert!((922..=978).contains(&covered), "{covered} of 1000 at {truth}");
        }
    }
}
