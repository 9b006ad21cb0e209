//! How estimates are read from the sums of a run: which counters, and which kind of interval.

use crate::lab::report::comparison::{Comparison, Finding};
use crate::lab::report::table::{More, Row};
use crate::sim::batch::Totals;
use crate::sim::trials;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Grouped, Method, Sums};
use crate::stats::verdict::{self, Evidence, Outlook, Verdict};
use crate::stats::{anytime, multiple};

/// An effect, what it is about, and its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// What it is of.
    pub what: String,
    /// The effect.
    pub effect: Estimate,
    /// What is to be said of it.
    pub judgement: Judgement,
}

/// A verdict with the interval that it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The ends of the interval; nothing where the verdict is withheld, or too little was seen.
    pub interval: Option<(f64, f64)>,
    /// Its level.
    pub level: Option<f64>,
    /// The margin that was asked for.
    pub margin: f64,
}

impl Judgement {
    /// No verdict on an effect that is one of too few of the positions.
    pub fn withheld(closed: f64, margin: f64) -> Judgement {
        Judgement { verdict: Verdict::Withheld { closed }, interval: None, level: None, margin }
    }

    /// No verdict on an effect for whose interval too little was seen.
    pub fn too_few(margin: f64) -> Judgement {
        let verdict = Verdict::Undecided(Outlook::Wide);
        Judgement { verdict, interval: None, level: None, margin }
    }

    /// As a table has it.
    pub fn comparison(&self) -> Comparison {
        let finding = Some(Finding::Margin(self.verdict, self.margin));
        Comparison { finding, interval: self.interval, level: self.level, ..Comparison::default() }
    }
}

/// Blocks at which the intervals of a watched run are narrowest for their size; an order of magnitude to
/// either side costs little.
pub const INTENDED_BLOCKS: f64 = 10_000.0;

/// One minus the coverage of intervals, and the family-wise error rate of verdicts.
pub const ALPHA: f64 = 0.05;

/// Degrees of freedom that a verdict, and an interval of a watched run, takes at least: with one, the standard error is a guess, and so are the
/// blocks that would settle it.
const FREEDOM_MIN: f64 = 2.0;

/// Blocks of unpaired luck that are added to the variance of each difference on common luck: two, as A.
/// Agresti and Y. Min ("Simple improved confidence intervals for comparing matched proportions", 2005) add
/// two unrelated pairs. If luck was common almost everywhere, a difference rests on
/// the few blocks that differ; its standard error is too small with few of them, and 0 with none. In large
/// runs it makes no difference.
const BLOCKS_ALONE: f64 = 2.0;

/// The sums of a section, and whether the run was watched.
#[derive(Debug, Clone, Copy)]
pub struct Estimator<'a> {
    /// All sums.
    pub grouped: &'a Grouped,
    /// Where the section's counters begin.
    pub offset: usize,
    /// Whether the run could stop depending on what it saw.
    pub watched: bool,
    /// Degrees of freedom of a standard error: one less than the groups of blocks that an estimate rests on.
    freedom: f64,
}

/// A section's sums, of all groups or all but one.
#[derive(Debug, Clone, Copy)]
pub struct SectionSums<'a> {
    sums: Sums<'a>,
    offset: usize,
}

impl SectionSums<'_> {
    /// A counter of the section.
    pub fn get(&self, counter: usize) -> f64 {
        self.sums.get(self.offset + counter)
    }

    /// Blocks.
    pub fn blocks(&self) -> f64 {
        self.sums.get(trials::BLOCKS)
    }

    /// A counter divided by another; `None` if that is 0.
    pub fn ratio(&self, above: usize, below: usize) -> Option<f64> {
        self.sums.ratio(self.offset + above, self.offset + below)
    }
}

impl<'a> Estimator<'a> {
    /// The sums of a section, for what each block has.
    pub fn new(grouped: &'a Grouped, offset: usize, watched: bool) -> Estimator<'a> {
        Estimator { grouped, offset, watched, freedom: grouped.freedom() }
    }

    /// The sums of the first section.
    pub fn first(totals: &'a Totals, watched: bool) -> Estimator<'a> {
        Estimator::new(&totals.grouped, trials::COMMON, watched)
    }

    /// The same for what rests on the groups of blocks that have some of each of these counters.
    #[must_use]
    pub fn resting_on(self, counters: &[usize]) -> Estimator<'a> {
        let groups = |&counter: &usize| self.grouped.groups_with(self.offset + counter) as f64;
        let freedom = counters.iter().map(|counter| groups(counter) - 1.0);
        Estimator { freedom: freedom.fold(self.freedom, f64::min), ..self }
    }

    /// The sums without each group of blocks.
    pub fn without_each(&self) -> impl Iterator<Item = SectionSums<'a>> + use<'a> {
        let offset = self.offset;
        self.grouped.without_each().map(move |sums| SectionSums { sums, offset })
    }
}

impl Estimator<'_> {
    /// A share of something that every block has, with Wilson's interval.
    pub fn share(&self, of: impl Fn(SectionSums<'_>) -> Option<f64>) -> Option<Estimate> {
        self.share_among(of, Held::EVERYWHERE)
    }

    /// A share of things. In a watched run its interval is Wilson's, since a rare outcome that has not come yet has no
    /// standard error; its quantile is that of the sequence.
    pub fn share_among(
        &self,
        of: impl Fn(SectionSums<'_>) -> Option<f64>,
        held: Held,
    ) -> Option<Estimate> {
        self.share_joint(of, held, ALPHA)
    }

    /// The same with an interval of level 1 − `alpha`, which holds together with others.
    pub fn share_joint(
        &self,
        of: impl Fn(SectionSums<'_>) -> Option<f64>,
        held: Held,
        alpha: f64,
    ) -> Option<Estimate> {
        if self.watched {
            return self.sequence_share(of, held, self.sequence(alpha, INTENDED_BLOCKS));
        }
        let of = |sums: Sums<'_>| of(SectionSums { sums, offset: self.offset });
        self.grouped.share_joint(of, held, alpha)
    }

    /// A share at all looks together, with half the width of a sequence in standard errors.
    pub fn sequence_share(
        &self,
        of: impl Fn(SectionSums<'_>) -> Option<f64>,
        held: Held,
        half: f64,
    ) -> Option<Estimate> {
        let of = |sums: Sums<'_>| of(SectionSums { sums, offset: self.offset });
        let share = self.grouped.share_at(of, held, half)?;
        let method = share.interval.map_or(Method::TooFew, |_| Method::AsymptoticSequence);
        Some(Estimate { method, ..share })
    }

    /// Half the width of a sequence of level 1 − `alpha`, in standard errors, narrowest at a number of blocks. That of
    /// the source is for a known standard error; one from g groups of blocks is uncertain, so it is as much wider as
    /// the quantile of Student's t with g − 1 degrees of freedom is than the normal one.
    pub fn sequence(&self, alpha: f64, intended: f64) -> f64 {
        let blocks = self.grouped.blocks() as f64;
        let half = anytime::half_width(1.0, blocks, intended, alpha);
        half * verdict::student_by_normal(self.freedom, alpha)
    }

    /// A mean of what is never negative.
    pub fn average(&self, of: impl Fn(SectionSums<'_>) -> Option<f64>) -> Option<Estimate> {
        if self.watched {
            return self.mean(of);
        }
        self.grouped.average(|sums: Sums<'_>| of(SectionSums { sums, offset: self.offset }))
    }

    /// The sums of all groups.
    pub fn all(&self) -> SectionSums<'_> {
        SectionSums { sums: self.grouped.all(), offset: self.offset }
    }

    /// A difference on common luck. `alone` is the variance that one of these blocks would have with luck
    /// of its own on each side; `BLOCKS_ALONE` such blocks are added to what was seen.
    pub fn difference(
        &self,
        of: impl Fn(SectionSums<'_>) -> Option<f64>,
        alone: Option<f64>,
        blocks: f64,
    ) -> Option<Estimate> {
        let of = |sums: Sums<'_>| of(SectionSums { sums, offset: self.offset });
        let more = BLOCKS_ALONE * alone?.max(0.0) / (blocks * blocks);
        Some(self.widened(self.grouped.padded(self.grouped.mean(of)?, more)))
    }

    /// The same of what has no largest value: the interval reaches further on the side of a long tail.
    pub fn difference_with_tail(
        &self,
        of: impl Fn(SectionSums<'_>) -> Option<f64>,
        alone: Option<f64>,
        blocks: f64,
    ) -> Option<Estimate> {
        let estimate = self.difference(&of, alone, blocks)?;
        Some(self.with_tail(estimate, of))
    }

    /// An estimate of a run that is not watched, with an interval that reaches further on the side of a long tail.
    pub fn with_tail(
        &self,
        estimate: Estimate,
        of: impl Fn(SectionSums<'_>) -> Option<f64>,
    ) -> Estimate {
        if self.watched {
            return estimate;
        }
        let of = |sums: Sums<'_>| of(SectionSums { sums, offset: self.offset });
        self.grouped.with_tail(estimate, of)
    }

    /// Any other estimate.
    pub fn mean(&self, of: impl Fn(SectionSums<'_>) -> Option<f64>) -> Option<Estimate> {
        let of = |sums: Sums<'_>| of(SectionSums { sums, offset: self.offset });
        Some(self.widened(self.grouped.mean(of)?))
    }

    /// [`Estimator::mean`], without an interval where fewer than `least` groups carry the estimate.
    pub fn mean_if_carried(
        &self,
        of: impl Fn(SectionSums<'_>) -> Option<f64>,
        least: f64,
    ) -> Option<Estimate> {
        let estimate = self.mean(&of)?;
        let is_carried = self.carried(of) >= least;
        Some(if is_carried { estimate } else { estimate.bare() })
    }

    /// By how many groups an estimate is moved: see [`Grouped::carried`]; by none if there is no estimate.
    pub fn carried(&self, of: impl Fn(SectionSums<'_>) -> Option<f64>) -> f64 {
        let of = |sums: Sums<'_>| of(SectionSums { sums, offset: self.offset });
        of(self.grouped.all()).map_or(0.0, |value| self.grouped.carried(value, of))
    }

    /// One share minus another of the same things, in a run that is not watched.
    pub fn share_difference(
        &self,
        one: impl Fn(SectionSums<'_>) -> Option<f64>,
        other: impl Fn(SectionSums<'_>) -> Option<f64>,
        held: Held,
    ) -> Option<Estimate> {
        self.share_difference_joint((one, held), (other, held), ALPHA)
    }

    /// One share minus another, each of its own things, with an interval of level 1 − `alpha`.
    pub fn share_difference_joint(
        &self,
        (one, held): (impl Fn(SectionSums<'_>) -> Option<f64>, Held),
        (other, other_held): (impl Fn(SectionSums<'_>) -> Option<f64>, Held),
        alpha: f64,
    ) -> Option<Estimate> {
        let offset = self.offset;
        let one = |sums: Sums<'_>| one(SectionSums { sums, offset });
        let other = |sums: Sums<'_>| other(SectionSums { sums, offset });
        self.grouped.share_difference_joint((&one, held), (&other, other_held), alpha)
    }

    /// [`Estimator::mean`] of a value that was found from all blocks, and from all but each group of them.
    pub fn mean_of(&self, value: f64, without: &[Option<f64>]) -> Estimate {
        self.widened(self.grouped.mean_of(value, without))
    }

    /// An estimate of something that is never negative, such as a variance: its interval is symmetrical on
    /// the logarithmic scale, and of a run that is not watched reaches further on the side of a long tail.
    pub fn positive(&self, of: impl Fn(SectionSums<'_>) -> Option<f64>) -> Option<Estimate> {
        if !self.watched {
            let of = |sums: Sums<'_>| of(SectionSums { sums, offset: self.offset });
            return self.grouped.positive(of);
        }
        let estimate = self.mean(of)?;
        let Some((lo, hi)) = estimate.interval.filter(|_| estimate.value > 0.0) else {
            return Some(Estimate::without_interval(estimate.value, estimate.se));
        };
        let factor = libm::exp((hi - lo) / 2.0 / estimate.value);
        let interval = Some((estimate.value / factor, estimate.value * factor));
        Some(Estimate { interval, method: Method::AsymptoticLog, ..estimate })
    }

    /// An estimate with a symmetric interval as wide as the groups that it rests on, and the looks at the run, ask for.
    fn widened(&self, estimate: Estimate) -> Estimate {
        let is_plain = !self.watched && self.freedom >= self.grouped.freedom();
        let se = estimate.se.filter(|_| estimate.interval.is_some() && !is_plain);
        let Some(se) = se else { return estimate };
        if self.freedom < FREEDOM_MIN {
            return estimate.bare();
        }
        let half = self.half_width(se, ALPHA);
        let interval = Some((estimate.value - half, estimate.value + half));
        let method = if self.watched { Method::AsymptoticSequence } else { estimate.method };
        Estimate { interval, method, ..estimate }
    }

    /// An estimate with a standard error of which the interval reaches at least so far to either side.
    pub fn at_least(&self, estimate: Estimate, half: f64) -> Estimate {
        let Some(own) = estimate.se.filter(|_| self.freedom >= FREEDOM_MIN) else {
            return estimate.bare();
        };
        let se = own.max(half / self.half_width(1.0, ALPHA));
        let half = self.half_width(se, ALPHA);
        let interval = Some((estimate.value - half, estimate.value + half));
        let method = if self.watched { Method::AsymptoticSequence } else { Method::JackknifeT };
        Estimate { se: Some(se), interval, method, ..estimate }
    }

    /// The exact sum of a counter.
    pub fn sum(&self, counter: usize) -> u64 {
        self.grouped.sum(self.offset + counter)
    }

    /// Half the width of an interval of level 1 − `alpha` for a standard error.
    pub fn half_width(&self, se: f64, alpha: f64) -> f64 {
        if self.watched {
            se * self.sequence(alpha, INTENDED_BLOCKS)
        } else {
            se * verdict::bonferroni_t(self.freedom, 1, alpha)
        }
    }

    /// One minus the level of the interval that must lie inside the margin. A sequence of level 1 − 2α is not
    /// surely wrong on one side at α only, since it may cross both in turn; so a watched run stays at 1 − α.
    pub fn alpha_inside(&self) -> f64 {
        if self.watched { ALPHA } else { 2.0 * ALPHA }
    }

    /// One minus the level of the interval that must lie outside of the margin, for one of `family` effects.
    pub fn alpha_outside(&self, family: usize) -> f64 {
        ALPHA / family.max(1) as f64
    }

    /// Whether an effect rests on enough for a verdict: three groups of blocks, and an interval.
    pub fn tells(&self, effect: &Estimate) -> bool {
        self.freedom >= FREEDOM_MIN && effect.interval.is_some()
    }

    /// The verdict on an effect, one of `family`.
    pub fn judge(&self, effect: &Estimate, margin: f64, family: usize) -> Judgement {
        let Some(se) = effect.se.filter(|_| self.tells(effect)) else {
            return Judgement::too_few(margin);
        };
        let evidence = Evidence {
            estimate: effect.value,
            se,
            inside: self.half_width(se, self.alpha_inside()),
            outside: self.half_width(se, self.alpha_outside(family)),
            blocks: self.grouped.blocks(),
        };
        let half = evidence.half_width(margin);
        let looks_small = effect.value.abs() < margin;
        let alpha = if looks_small { self.alpha_inside() } else { self.alpha_outside(family) };
        Judgement {
            verdict: Verdict::new(&evidence, margin),
            interval: Some((effect.value - half, effect.value + half)),
            level: Some(1.0 - alpha),
            margin,
        }
    }

    /// The two-sided p-value of no effect; `None` in a watched run, and where too little was seen for an
    /// interval.
    pub fn p_value(&self, effect: Option<&Estimate>) -> Option<f64> {
        let effect = effect.filter(|effect| !self.watched && effect.interval.is_some())?;
        Some(multiple::p_value(effect.value, effect.se?, self.freedom))
    }
}

/// A row that compares: its p-value is kept until all rows are there.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The row, its further cells still empty.
    pub row: Row,
    /// The p-value of no difference.
    pub p_value: Option<f64>,
    /// What is said of it, if anyone asks.
    pub judgement: Option<Judgement>,
}

/// Fills in what is said of the rows, adjusted over all of them.
pub fn adjusted(rows: Vec<Compared>) -> Vec<Row> {
    let known: Vec<f64> = rows.iter().filter_map(|row| row.p_value).collect();
    let mut holm = multiple::holm(&known).into_iter();
    let fill = |Compared { row, p_value, judgement }: Compared| {
        let p_holm = p_value.and_then(|_| holm.next());
        let said = judgement.as_ref().map_or(Comparison::default(), Judgement::comparison);
        let more = More::Comparison(Comparison { p_value, p_holm, ..said });
        Row { more, ..row }
    };
    rows.into_iter().map(fill).collect()
}
