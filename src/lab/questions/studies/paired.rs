//! What a change does: variants compared with the first one, on common chance streams.

use crate::lab::questions::studies::estimator::{
    Compared, Estimator, Judged, SectionSums, adjusted,
};
use crate::lab::report::described::{
    ANOMALIES, COMPARED, DIFFERENCES, LEVEL, OF, ROUNDS, TURNS, TableSchema, text,
};
use crate::lab::report::metric;
use crate::lab::report::table::{Column, JUDGED, Row, Table};
use crate::sim::counts::paired::{Metric, PairedCount};
use crate::stats::held::Held;
use crate::stats::jackknife::Estimate;

/// Blocks from which on a variance of a metric has an interval. Below, the few blocks that differ most decide it: in
/// short runs of the five games such intervals held the variance of a long run in 52 to 92 of 100.
const BLOCKS_FOR_VARIANCE: u64 = 1000;

/// The same for metrics without a largest value, such as turns: a match of a thousand, the only one of its length among
/// hundreds, may be half of the variance.
const BLOCKS_FOR_LONG_TAIL: u64 = 10_000;

/// Matches that must have been seen of what is rare, under both variants together, for a difference of its shares to have
/// an interval. With fewer, intervals for comebacks of base CATAN held in 79 of 100 runs; with more, in 93.
const RARE_LEAST: u64 = 12;

const VARIANT: Column = text("variant", "the rule set or the agent that is compared");

/// Levels by variant.
pub const VARIANTS: TableSchema =
    TableSchema { name: "variants", keys: &[LEVEL, VARIANT, OF], more: &[], metrics: &COMPARED };

/// Differences to the first variant.
pub const EFFECTS: TableSchema = TableSchema {
    name: "effects",
    keys: &[
        LEVEL,
        text("estimand", "removed, rules, factorial, sweep or sensitivity"),
        VARIANT,
        OF,
    ],
    more: &JUDGED,
    metrics: &DIFFERENCES,
};

/// What common luck saves.
pub const PAIRING: TableSchema = TableSchema {
    name: "pairing",
    keys: &[LEVEL, VARIANT, OF, text("measure", "a metric of effects.csv")],
    more: &[],
    metrics: &[
        metric::Metric::number(
            "variance_paired",
            "variance of a match's difference to the first variant, same luck",
        ),
        metric::Metric::number(
            "variance_unpaired",
            "the same if each variant had deals of its own",
        ),
        metric::Metric::number(
            "saved",
            "share of the matches that common luck saves: 1 - paired / unpaired",
        ),
    ],
};

/// One section of a run.
#[derive(Debug, Clone)]
pub struct PairedEffects<'a> {
    /// The sums.
    pub estimator: Estimator<'a>,
    /// The counting.
    pub count: PairedCount,
    /// The level of play.
    pub level: String,
    /// What the differences estimate.
    pub estimand: &'static str,
    /// Names of the variants, the first one included.
    pub variants: Vec<String>,
    /// Names of the roles.
    pub roles: Vec<String>,
    /// Win rates that differ by less count as balanced, if there is a margin.
    pub margin: Option<f64>,
    /// Players by variant.
    pub sizes: Vec<usize>,
    /// Whether all variants are the same rule set: the design then fixes every difference at 0.
    pub same: bool,
}

/// A metric's name in tables.
pub fn name(metric: Metric) -> &'static str {
    match metric {
        Metric::SeatWins(_) | Metric::RoleWins(_) => "win_rate",
        Metric::NoWinner => "no_winner_share",
        Metric::Turns => TURNS,
        Metric::Rounds => ROUNDS,
        Metric::Points => "points_mean",
        Metric::LeadChanges => "lead_changes_mean",
        Metric::Comebacks => "comeback_share",
    }
}

impl PairedEffects<'_> {
    /// What a metric is about.
    pub fn of(&self, metric: Metric) -> String {
        match metric {
            Metric::SeatWins(seat) => format!("seat {}", seat + 1),
            Metric::RoleWins(role) => self.roles[role].clone(),
            _ => String::new(),
        }
    }

    /// The metrics that are reported, rounds beside turns: with one agent in all seats, its win rate says nothing.
    pub fn metrics(&self) -> Vec<(usize, Metric)> {
        let mut reported = Vec::new();
        for (at, metric) in self.measures() {
            reported.push((at, metric));
            if metric == Metric::Turns {
                reported.push((at, Metric::Rounds));
            }
        }
        reported
    }

    /// Those that are comparisons of their own: rounds are turns in another unit.
    pub fn measures(&self) -> Vec<(usize, Metric)> {
        let reported =
            |metric: &Metric| self.count.roles > 1 || !matches!(metric, Metric::RoleWins(_));
        self.count
            .metrics()
            .into_iter()
            .enumerate()
            .filter(|(_, metric)| reported(metric))
            .collect()
    }

    /// Whether the variants seat different numbers of players.
    fn sizes_differ(&self) -> bool {
        self.sizes.windows(2).any(|pair| pair[0] != pair[1])
    }

    /// Whether a metric means the same under all variants: a seat's even share is another at another table.
    fn is_comparable(&self, metric: Metric) -> bool {
        !self.sizes_differ() || !matches!(metric, Metric::SeatWins(_))
    }

    /// The p-value of an effect on a metric between some variants, if it is a comparison of its own: between tables of
    /// different sizes rounds are one beside turns.
    pub fn p_value(
        &self,
        variants: &[usize],
        metric: Metric,
        effect: Option<&Estimate>,
    ) -> Option<f64> {
        let effect = effect.filter(|_| metric != Metric::Rounds || self.sizes_differ());
        self.resting(variants, metric).p_value(effect)
    }

    /// The sums, for what rests on the matches of some variants that a metric is a mean over.
    fn resting(&self, variants: &[usize], metric: Metric) -> Estimator<'_> {
        let counters = variants.iter().map(|&variant| self.count.matches_of(variant, metric));
        self.estimator.resting_on(&counters.collect::<Vec<usize>>())
    }

    /// What a metric of some variants rests on: the matches of the one that has the fewest, and no more blocks than that.
    pub fn seen(&self, variants: &[usize], metric: Metric) -> (u64, u64) {
        let of = |&variant: &usize| self.estimator.sum(self.count.matches_of(variant, metric));
        let n = variants.iter().map(of).min().unwrap_or(0);
        (self.estimator.grouped.blocks().min(n), n)
    }

    /// The seats of a role, in all matches of a variant in one block.
    fn seats_of(&self, role: usize) -> usize {
        self.count.rotations.iter().flatten().filter(|&&of| of == role).count()
    }

    /// The number of parts of a match that a metric is summed over.
    fn parts(&self, variant: usize, metric: Metric) -> f64 {
        match metric {
            Metric::RoleWins(role) => {
                self.seats_of(role) as f64 / self.count.rotations.len() as f64
            }
            Metric::Points | Metric::Rounds => self.sizes[variant] as f64,
            _ => 1.0,
        }
    }

    /// The mean of a metric under a variant.
    pub fn value(
        &self,
        view: &SectionSums<'_>,
        variant: usize,
        metric: (usize, Metric),
    ) -> Option<f64> {
        let sum = self.count.metric(variant, metric.0) + PairedCount::SUM;
        let matches = self.count.matches_of(variant, metric.1);
        Some(view.ratio(sum, matches)? / self.parts(variant, metric.1))
    }

    /// The difference of a metric to the first variant.
    pub fn effect(&self, variant: usize, metric: (usize, Metric)) -> Option<Estimate> {
        if !self.is_comparable(metric.1) {
            return None;
        }
        let effect = self.contrast(&[(variant, 1.0), (0, -1.0)], metric)?;
        Some(if self.same { Estimate::fixed(effect.value) } else { effect })
    }

    /// Whether something that any match may have was hardly seen, or hardly ever missing.
    fn is_rare(&self, variants: &[usize], (at, metric): (usize, Metric)) -> bool {
        let of = |counter: fn(&PairedCount, usize, usize) -> usize| -> u64 {
            variants.iter().map(|&of| self.estimator.sum(counter(&self.count, of, at))).sum()
        };
        let seen = of(|count, variant, at| count.metric(variant, at) + PairedCount::SUM);
        let missing = of(|count, variant, _| count.matches(variant)).saturating_sub(seen);
        matches!(metric, Metric::NoWinner | Metric::Comebacks) && seen.min(missing) < RARE_LEAST
    }

    /// A weighted sum of a metric's means under variants, on common luck; without an interval if the metric is rare.
    pub fn contrast(&self, of: &[(usize, f64)], metric: (usize, Metric)) -> Option<Estimate> {
        let estimate = self.contrast_in(|_| Some(1.0), of, metric)?;
        let variants: Vec<usize> = of.iter().map(|&(variant, _)| variant).collect();
        Some(if self.is_rare(&variants, metric) { estimate.bare() } else { estimate })
    }

    /// The effect of a variant in standard deviations of one match under the first. These are estimated, too, so the
    /// interval is that of the quotient.
    pub fn effect_in_deviations(
        &self,
        variant: usize,
        metric: (usize, Metric),
    ) -> Option<Estimate> {
        let deviation = |view: &SectionSums<'_>| {
            let variance = self.variance_within(view, 0, metric)?;
            (variance > 0.0).then(|| libm::sqrt(variance))
        };
        self.contrast_in(deviation, &[(variant, 1.0), (0, -1.0)], metric)
    }

    /// A contrast in a unit that may follow from the same matches.
    fn contrast_in(
        &self,
        unit: impl Fn(&SectionSums<'_>) -> Option<f64>,
        of: &[(usize, f64)],
        metric: (usize, Metric),
    ) -> Option<Estimate> {
        let all = self.estimator.all();
        let square = unit(&all)?.powi(2);
        let alone = |&(variant, weight): &(usize, f64)| {
            Some(weight * weight * self.variance_within(&all, variant, metric)?)
        };
        let alone: Option<f64> = of.iter().map(alone).sum();
        let alone = alone.map(|variance| variance / square / self.count.rotations.len() as f64);
        let sum = |view: SectionSums<'_>| {
            let term = |&(variant, weight): &(usize, f64)| {
                Some(weight * self.value(&view, variant, metric)?)
            };
            let sum: Option<f64> = of.iter().map(term).sum();
            Some(sum? / unit(&view)?)
        };
        let variants: Vec<usize> = of.iter().map(|&(variant, _)| variant).collect();
        let (blocks, estimator) =
            (self.seen(&variants, metric.1).0 as f64, self.resting(&variants, metric.1));
        if metric.1.has_long_tail() {
            estimator.difference_with_tail(sum, alone, blocks)
        } else {
            estimator.difference(sum, alone, blocks)
        }
    }

    /// The variance of a metric of one match: of a block's sum, by its number of matches.
    fn variance(&self, view: &SectionSums<'_>, of: usize, metric: (usize, Metric)) -> Option<f64> {
        self.variance_over(view, view.blocks(), of, metric)
    }

    /// The same of matches that have it: one without a winner, of 0 turns, is left out if there is one line-up.
    pub fn variance_within(
        &self,
        view: &SectionSums<'_>,
        of: usize,
        metric: (usize, Metric),
    ) -> Option<f64> {
        let matches = view.get(self.count.matches_of(of, metric.1));
        let is_single = self.count.rotations.len() == 1;
        self.variance_over(view, if is_single { matches } else { view.blocks() }, of, metric)
    }

    fn variance_over(
        &self,
        view: &SectionSums<'_>,
        n: f64,
        of: usize,
        metric: (usize, Metric),
    ) -> Option<f64> {
        let at = self.count.metric(of, metric.0);
        let [sum, square] =
            [PairedCount::SUM, PairedCount::SQUARE].map(|counter| view.get(at + counter) / n);
        (n > 0.0).then(|| (square - sum.powi(2)) / self.scale([of; 2], metric.1))
    }

    fn variance_paired(
        &self,
        view: &SectionSums<'_>,
        variant: usize,
        metric: (usize, Metric),
    ) -> Option<f64> {
        let (at, first) = (self.count.metric(variant, metric.0), self.count.metric(0, metric.0));
        let blocks = Some(view.blocks()).filter(|&blocks| blocks > 0.0)?;
        let sums = view.get(at + PairedCount::SUM) * view.get(first + PairedCount::SUM);
        let covariance = view.get(at + PairedCount::PRODUCT) / blocks - sums / (blocks * blocks);
        let variances = self.variance(view, variant, metric)? + self.variance(view, 0, metric)?;
        Some(variances - 2.0 * covariance / self.scale([variant, 0], metric.1))
    }

    /// From the covariance of two variants' sums of a block to that of one match's means over parts.
    fn scale(&self, [one, other]: [usize; 2], metric: Metric) -> f64 {
        let rotations = self.count.rotations.len() as f64;
        rotations * (self.parts(one, metric) * self.parts(other, metric))
    }

    /// What a share of a variant's matches is a share of. Those of a block with one line-up are independent.
    fn held(&self, variant: usize, metric: Metric) -> Held {
        let matches = self.estimator.sum(self.count.matches(variant));
        let rotations = self.count.rotations.len();
        let parts = match metric {
            Metric::RoleWins(role) => self.seats_of(role),
            _ => rotations,
        };
        if rotations == 1 && parts == 1 {
            return Held::new(matches, matches);
        }
        Held::anywhere(matches.saturating_mul(parts as u64) / rotations as u64)
    }

    /// Rows of [`VARIANTS`].
    pub fn levels(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (variant, name) in self.variants.iter().enumerate() {
            for metric in self.metrics() {
                let estimate = self.level_of(variant, metric);
                let keys = vec![self.level.clone(), name.clone(), self.of(metric.1)];
                rows.push(self.row(keys, metric.1, estimate, &[variant]));
            }
        }
        rows
    }

    fn level_of(&self, variant: usize, (at, metric): (usize, Metric)) -> Option<Estimate> {
        let of = |view: SectionSums<'_>| self.value(&view, variant, (at, metric));
        if metric == Metric::Rounds {
            let turns = self.level_of(variant, (at, Metric::Turns))?;
            return Some(turns.scaled(1.0 / self.parts(variant, metric), 0.0));
        }
        if let Metric::SeatWins(seat) = metric
            && seat >= self.sizes[variant]
        {
            return None;
        }
        let is_mean = name(metric).ends_with("_mean");
        if is_mean {
            self.estimator.average(of)
        } else {
            self.estimator.share_among(of, self.held(variant, metric))
        }
    }

    fn row(
        &self,
        keys: Vec<String>,
        metric: Metric,
        estimate: Option<Estimate>,
        variants: &[usize],
    ) -> Row {
        let (blocks, n) = self.seen(variants, metric);
        Row::new(keys, name(metric), estimate, blocks, n)
    }

    /// Rows of [`EFFECTS`], not adjusted yet.
    pub fn effects(&self) -> Vec<Compared> {
        let mut rows = Vec::new();
        let family = self.family();
        for (variant, name) in self.variants.iter().enumerate().skip(1) {
            for metric in self.metrics() {
                let effect = self.effect(variant, metric);
                let keys = vec![
                    self.level.clone(),
                    self.estimand.to_owned(),
                    name.clone(),
                    self.of(metric.1),
                ];
                let asked = self.margin.filter(|_| matches!(metric.1, Metric::SeatWins(_)));
                let judgement =
                    asked.and_then(|margin| Some(self.estimator.judge(&effect?, margin, family)));
                rows.push(Compared {
                    p_value: self.p_value(&[0, variant], metric.1, effect.as_ref()),
                    row: self.row(keys, metric.1, effect, &[0, variant]),
                    judgement,
                });
            }
        }
        rows
    }

    /// How many effects on win rates of seats there are.
    pub fn family(&self) -> usize {
        self.count.players * (self.variants.len() - 1)
    }

    /// The effects on win rates of seats with what is to be said of each, one of `family`, if anyone asks.
    pub fn judged_effects(&self, family: usize) -> Vec<Judged> {
        let Some(margin) = self.margin else { return Vec::new() };
        let mut judged = Vec::new();
        for (variant, name) in self.variants.iter().enumerate().skip(1) {
            for metric in self.metrics() {
                let effect = self.effect(variant, metric);
                if let (Metric::SeatWins(_), Some(effect)) = (metric.1, effect) {
                    let what = format!("{name}, {}", self.of(metric.1));
                    let judgement = self.estimator.judge(&effect, margin, family);
                    judged.push(Judged { what, effect, judgement });
                }
            }
        }
        judged
    }

    /// Rows of [`PAIRING`].
    pub fn pairing(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let blocks = self.estimator.grouped.blocks();
        for (variant, name) in self.variants.iter().enumerate().skip(1) {
            let measures = self.measures().into_iter();
            for metric in measures.filter(|metric| self.is_comparable(metric.1)) {
                let keys = vec![
                    self.level.clone(),
                    name.clone(),
                    self.of(metric.1),
                    self::name(metric.1).to_owned(),
                ];
                let paired = |view: &SectionSums<'_>| self.variance_paired(view, variant, metric);
                let unpaired = |view: &SectionSums<'_>| {
                    Some(self.variance(view, variant, metric)? + self.variance(view, 0, metric)?)
                };
                let ratio = self.estimator.positive(|view: SectionSums<'_>| {
                    let unpaired = unpaired(&view).filter(|&variance| variance > 0.0)?;
                    Some(paired(&view)? / unpaired)
                });
                let saved = ratio.map(|ratio| Estimate {
                    value: 1.0 - ratio.value,
                    interval: ratio.interval.map(|(lo, hi)| (1.0 - hi, 1.0 - lo)),
                    ..ratio
                });
                let n = self.estimator.sum(self.count.matches(variant));
                let is_long = metric.1.has_long_tail();
                let least = if is_long { BLOCKS_FOR_LONG_TAIL } else { BLOCKS_FOR_VARIANCE };
                let is_known = blocks >= least;
                let known = |estimate: Estimate| {
                    let unknown = Estimate::without_interval(estimate.value, estimate.se);
                    if is_known { estimate } else { unknown }
                };
                let row = |metric, estimate: Option<Estimate>| {
                    Row::new(keys.clone(), metric, estimate.map(known), blocks, n)
                };
                rows.push(row("variance_paired", self.estimator.positive(|view| paired(&view))));
                rows.push(row(
                    "variance_unpaired",
                    self.estimator.positive(|view| unpaired(&view)),
                ));
                rows.push(row("saved", saved));
            }
        }
        rows
    }
}

/// The tables of a study that compares variants, without those that are its own.
pub const COMMON: [TableSchema; 4] = [VARIANTS, EFFECTS, PAIRING, ANOMALIES];

/// Rows of effects with their cells filled in; those of rounds have what the turns before them have.
pub fn filled(rows: Vec<Compared>) -> Vec<Row> {
    let mut rows = adjusted(rows);
    for at in 1..rows.len() {
        let is_alone = rows[at].comparison().is_some_and(|said| said.p_value.is_some());
        if rows[at].metric == ROUNDS && !is_alone {
            let (before, rest) = rows.split_at_mut(at);
            rest[0].more.clone_from(&before[at - 1].more);
        }
    }
    rows
}

/// The three tables of some sections.
pub fn tables(sections: &[PairedEffects<'_>], blocks: u64) -> Vec<Table> {
    let effects = filled(sections.iter().flat_map(PairedEffects::effects).collect());
    vec![
        VARIANTS.table(blocks, sections.iter().flat_map(PairedEffects::levels).collect()),
        EFFECTS.table(blocks, effects),
        PAIRING.table(blocks, sections.iter().flat_map(PairedEffects::pairing).collect()),
    ]
}
