//! The difference of two agents less what they owe to luck: the rows that `compare --less-luck` adds.
//!
//! With S the score of a block and C its luck (A's minus B's, see [`luck`](crate::sim::luck)), E C = 0, so E (S − c C) =
//! E S for every c. The least variance is that of c = cov(S, C) / var(C): (1 − ρ²) var(S). A c that was found from the
//! same blocks would make the mean slightly biased, so the blocks of each group get the c of all other groups.

use crate::lab::questions::studies::estimator::{ALPHA, Estimator, SectionSums};
use crate::lab::report::table::Row;
use crate::sim::counts::duel::{DuelCount, LuckSum, ROUGH, Sign};
use crate::sim::luck::WHOLE;
use crate::stats::jackknife::{Estimate, Method};

/// Blocks at which the intervals of shares and of their difference less luck are narrowest for their size: some
/// hundred, where tests end.
pub const INTENDED_BLOCKS: f64 = 500.0;

/// A duel whose luck was judged.
#[derive(Debug, Clone, Copy)]
pub struct Controlled<'a> {
    /// The counting.
    pub duel: &'a DuelCount,
    /// The sums.
    pub estimator: Estimator<'a>,
}

/// Moments of score and luck over blocks; both are differences in matches.
#[derive(Debug, Clone, Copy)]
struct Moments {
    blocks: f64,
    /// Sum of scores.
    score: f64,
    /// Sum of luck.
    luck: f64,
    variance: f64,
    luck_variance: f64,
    covariance: f64,
}

impl Controlled<'_> {
    fn moments(&self, view: &SectionSums<'_>) -> Option<Moments> {
        let most = i64::try_from(self.duel.matches()).expect("few matches");
        let scores =
            || (-most..=most).map(|score| (score as f64, view.get(self.duel.score(score))));
        let blocks: f64 = scores().map(|(_, count)| count).sum();
        if blocks < 3.0 {
            return None;
        }
        let signed = |sum: fn(Sign) -> LuckSum| {
            let [plus, minus] =
                [Sign::Plus, Sign::Minus].map(|sign| view.get(self.duel.luck(sum(sign))));
            plus - minus
        };
        let score: f64 = scores().map(|(score, count)| score * count).sum();
        let squares: f64 = scores().map(|(score, count)| score * score * count).sum();
        let rough = ROUGH as f64;
        let luck = signed(LuckSum::Rough) / rough;
        let luck_squares = view.get(self.duel.luck(LuckSum::Square)) / (rough * rough);
        let products = signed(LuckSum::Product) / rough;
        Some(Moments {
            blocks,
            score,
            luck: signed(LuckSum::Luck) / WHOLE as f64,
            variance: (squares - score * score / blocks) / (blocks - 1.0),
            luck_variance: (luck_squares - luck * luck / blocks) / (blocks - 1.0),
            covariance: (products - score * luck / blocks) / (blocks - 1.0),
        })
    }

    /// The difference of shares, with an interval.
    pub fn difference(&self) -> Option<Estimate> {
        let matches = self.duel.matches() as f64;
        let all = self.moments(&self.estimator.all())?;
        let without: Vec<Option<Moments>> =
            self.estimator.without_each().map(|view| self.moments(&view)).collect();
        let mut luck = 0.0;
        for without in &without {
            let without = without.as_ref()?;
            luck += without.coefficient() * (all.luck - without.luck);
        }
        let value = (all.score - luck) / (all.blocks * matches);
        let less = |part: &Moments| {
            (part.score - part.coefficient() * part.luck) / (part.blocks * matches)
        };
        let without: Vec<Option<f64>> =
            without.iter().map(|part| part.as_ref().map(less)).collect();
        // The form for any watched mean, at its narrowest where runs of `compare` end.
        let estimate = self.estimator.mean_of(value, &without);
        let Some(se) = estimate.se.filter(|_| estimate.interval.is_some()) else {
            return Some(estimate);
        };
        let half = se * self.estimator.sequence(ALPHA, INTENDED_BLOCKS);
        Some(Estimate { interval: Some((value - half, value + half)), ..estimate })
    }

    /// The rows of the table.
    pub fn rows(&self, row: impl Fn(&'static str, Option<Estimate>) -> Row) -> Vec<Row> {
        let matches = self.duel.matches() as f64;
        let of = |value: fn(&Moments) -> Option<f64>| {
            move |view: SectionSums<'_>| value(&self.moments(&view)?)
        };
        let luck = self.estimator.mean(of(|all| Some(all.luck / all.blocks)));
        let left = self.estimator.positive(of(Moments::variance_left));
        let saved = left.map(|left| Estimate {
            value: 1.0 - left.value,
            interval: left.interval.map(|(lo, hi)| (1.0 - hi, 1.0 - lo)),
            method: if left.interval.is_some() { Method::Transformed } else { left.method },
            se: None,
        });
        vec![
            row("win_difference_less_luck", self.difference()),
            row("luck", luck.map(|luck| luck.scaled(1.0 / matches, 0.0))),
            row("luck_coefficient", self.estimator.mean(of(|all| Some(all.coefficient())))),
            row("variance_left", left),
            row("matches_saved", saved),
        ]
    }
}

impl Moments {
    /// How much of the luck is taken from the score.
    fn coefficient(&self) -> f64 {
        if self.luck_variance > 0.0 { self.covariance / self.luck_variance } else { 0.0 }
    }

    /// The variance of what is left by that of the score, 1 − ρ², corrected for the coefficient being an estimate.
    fn variance_left(&self) -> Option<f64> {
        let correction = (self.blocks - 1.0) / (self.blocks - 2.0);
        let explained = self.coefficient() * self.covariance;
        (self.variance > 0.0).then(|| (self.variance - explained) / self.variance * correction)
    }
}
