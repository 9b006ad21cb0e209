//! Win rates with the options of a choice, on common luck: how far each lies from their mean, and how far the
//! best lies from the worst.

use crate::lab::questions::studies::estimator::{ALPHA, Estimator, Judged, Judgement, SectionSums};
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Method};
use crate::stats::verdict::{Evidence, Verdict};

/// Win rates by option.
#[derive(Debug, Clone)]
pub struct Rates<'a> {
    /// The sums.
    pub estimator: Estimator<'a>,
    /// By option: the mean of one counter by another, such as wins by matches of each seat.
    pub terms: Vec<Vec<(usize, usize)>>,
    /// Names of the options.
    pub options: Vec<String>,
    /// Blocks, or positions, that a rate rests on.
    pub things: f64,
    /// What the win rate of an option is a share of.
    pub held: Held,
    /// Effects up to this count as balanced.
    pub margin: f64,
    /// The share of positions that could not be used, where it is too large for a verdict.
    pub closed: Option<f64>,
}

impl Rates<'_> {
    /// The win rate with an option.
    pub fn rate(&self, view: &SectionSums<'_>, option: usize) -> Option<f64> {
        let terms = &self.terms[option];
        let sum: Option<f64> = terms.iter().map(|&(above, below)| view.ratio(above, below)).sum();
        Some(sum? / terms.len() as f64)
    }

    /// The variance of one block's rate, with a deal of its own for each match.
    fn variance(&self, view: &SectionSums<'_>, option: usize) -> Option<f64> {
        let terms = &self.terms[option];
        let of = |&(above, below): &(usize, usize)| {
            view.ratio(above, below).map(|rate| rate * (1.0 - rate))
        };
        let sum: Option<f64> = terms.iter().map(of).sum();
        Some(sum? / (terms.len() * terms.len()) as f64)
    }

    /// A contrast on common luck, as the blocks have it that differ.
    fn contrast(&self, weights: &[f64]) -> Option<Estimate> {
        let all = self.estimator.all();
        let alone = weights.iter().enumerate();
        let alone: Option<f64> = alone
            .map(|(option, weight)| Some(weight * weight * self.variance(&all, option)?))
            .sum();
        let of = |view: SectionSums<'_>| -> Option<f64> {
            let weights = weights.iter().enumerate();
            weights.map(|(option, weight)| Some(weight * self.rate(&view, option)?)).sum()
        };
        self.estimator.difference(of, alone, self.things)
    }

    /// The same, no more certain than the win rates are. An option that always won, or never, is alike in all blocks, which
    /// shows little of how it varies: the standard error is at least what the intervals of all rates ask for, joined as
    /// those of two shares are.
    fn no_surer(&self, weights: &[f64], contrast: Estimate) -> Estimate {
        let all = self.estimator.all();
        let used = || weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0);
        let is_extreme = |option| self.rate(&all, option).is_some_and(|p| p <= 0.0 || p >= 1.0);
        if !used().any(|(option, _)| is_extreme(option)) {
            return contrast;
        }
        let (mut below, mut above) = (0.0, 0.0);
        for (option, &weight) in used() {
            let rate = |view: SectionSums<'_>| self.rate(&view, option);
            let rate = self.estimator.share_joint(rate, self.held, ALPHA);
            let Some((p, (lo, hi))) = rate.and_then(|of| Some((of.value, of.interval?))) else {
                return contrast.bare();
            };
            let (down, up) = if weight > 0.0 { (p - lo, hi - p) } else { (hi - p, p - lo) };
            below += (weight * down).powi(2);
            above += (weight * up).powi(2);
        }
        self.estimator.at_least(contrast, libm::sqrt(below.max(above)))
    }

    /// The win rate with an option minus the mean over all options.
    pub fn effect(&self, option: usize) -> Option<Estimate> {
        let share = 1.0 / self.options.len() as f64;
        let mut weights = vec![-share; self.options.len()];
        weights[option] += 1.0;
        let effect = self.contrast(&weights)?;
        // Where nothing varies, nothing is said.
        Some(if effect.interval.is_some() { self.no_surer(&weights, effect) } else { effect })
    }

    /// The effects of all options, in their order.
    pub fn effects(&self) -> Vec<Option<Estimate>> {
        (0..self.options.len()).map(|option| self.effect(option)).collect()
    }

    /// What is to be said of an effect, one of `family`.
    pub fn judge(&self, effect: &Estimate, family: usize) -> Judgement {
        match self.closed {
            Some(closed) => Judgement::withheld(closed, self.margin),
            None => self.estimator.judge(effect, self.margin, family),
        }
    }

    /// The effects with what is to be said of each, one of `family`.
    pub fn judged_effects(&self, family: usize) -> Vec<Judged> {
        let of = |(option, effect): (usize, Option<Estimate>)| {
            let effect = effect?;
            let judgement = self.judge(&effect, family);
            Some(Judged { what: self.options[option].clone(), effect, judgement })
        };
        self.effects().into_iter().enumerate().filter_map(of).collect()
    }

    /// The largest difference between two options: which two, and how large. The interval is for the largest
    /// true one, whichever two it is of: each pair has an interval that holds together with those of all
    /// others (Bonferroni), and the ends are the largest of all lower and of all upper ends. A difference
    /// in size is shown from 0 on; the verdict, and what is missing for one, use the lower end as it is.
    pub fn largest_difference(&self) -> Option<Judged> {
        self.largest_difference_of(1)
    }

    /// The same, with an interval that holds together with those of other families: `families` in all.
    pub fn largest_difference_of(&self, families: usize) -> Option<Judged> {
        let count = self.options.len();
        let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let all: Option<Vec<Pair>> = pairs.map(|(a, b)| self.pair(a, b)).collect();
        let all = all.filter(|all| !all.is_empty())?;
        let largest = all.iter().max_by(|a, b| a.size().total_cmp(&b.size()))?;
        let se = largest.difference.se?;
        let ends = |alpha: f64| {
            let half =
                |pair: &Pair| self.estimator.half_width(pair.difference.se.unwrap_or(0.0), alpha);
            let lo = all.iter().map(|pair| pair.size() - half(pair));
            let hi = all.iter().map(|pair| pair.size() + half(pair));
            (lo.fold(f64::NEG_INFINITY, f64::max), hi.fold(0.0, f64::max))
        };
        let joint = ends(ALPHA / (all.len() * families) as f64);
        let method =
            if self.estimator.watched { Method::AsymptoticSequence } else { Method::BonferroniT };
        let value = largest.size();
        let effect = if all.iter().all(|pair| pair.is_alike) {
            Estimate::without_interval(value, Some(se))
        } else {
            Estimate { value, se: Some(se), interval: Some(from_0(joint)), method }
        };
        let judgement = match self.closed {
            Some(closed) => Judgement::withheld(closed, self.margin),
            None if !self.estimator.tells(&effect) => Judgement::too_few(self.margin),
            None => {
                self.judge_difference(effect.value, se, ends(self.estimator.alpha_inside()), joint)
            }
        };
        let (best, worst) = largest.names();
        let what = format!("{} - {}", self.options[best], self.options[worst]);
        Some(Judged { what, effect, judgement })
    }

    fn pair(&self, a: usize, b: usize) -> Option<Pair> {
        let mut weights = vec![0.0; self.options.len()];
        (weights[a], weights[b]) = (1.0, -1.0);
        let contrast = self.contrast(&weights)?;
        let difference = self.no_surer(&weights, contrast);
        contrast.se.map(|_| Pair { a, b, difference, is_alike: contrast.interval.is_none() })
    }

    /// All pairs lie inside of the margin if the one that reaches farthest does; some pair lies outside if the
    /// one that surely is largest does.
    fn judge_difference(
        &self,
        size: f64,
        se: f64,
        single: (f64, f64),
        joint: (f64, f64),
    ) -> Judgement {
        let evidence = Evidence {
            estimate: size,
            se,
            inside: single.1 - size,
            outside: size - joint.0,
            blocks: self.estimator.grouped.blocks(),
        };
        let small = size < self.margin;
        let pairs = self.options.len() * (self.options.len() - 1) / 2;
        let alpha =
            if small { self.estimator.alpha_inside() } else { self.estimator.alpha_outside(pairs) };
        Judgement {
            verdict: Verdict::new(&evidence, self.margin),
            interval: Some(from_0(if small { single } else { joint })),
            level: Some(1.0 - alpha),
            margin: self.margin,
        }
    }
}

/// The interval of a difference in size, which is never negative.
fn from_0((lo, hi): (f64, f64)) -> (f64, f64) {
    (lo.max(0.0), hi)
}

/// Two options with the difference of their rates.
struct Pair {
    a: usize,
    b: usize,
    difference: Estimate,
    /// Whether all blocks are alike, or there are too few.
    is_alike: bool,
}

impl Pair {
    fn size(&self) -> f64 {
        self.difference.value.abs()
    }

    /// The better one, then the other.
    fn names(&self) -> (usize, usize) {
        if self.difference.value < 0.0 { (self.b, self.a) } else { (self.a, self.b) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::trials;
    use crate::stats::jackknife::Grouped;
    use crate::stats::verdict::{self, Outlook};

    /// One block a group; by block whether each of two options won.
    fn grouped(blocks: &[[u64; 2]]) -> Grouped {
        let mut grouped = Grouped::new(trials::BLOCKS + 4);
        for (chunk, [a, b]) in blocks.iter().enumerate() {
            let mut sums = vec![0; trials::BLOCKS + 4];
            sums[trials::BLOCKS] = 1;
            sums[trials::BLOCKS + 1..].copy_from_slice(&[*a, *b, 1]);
            grouped.add(chunk as u64, 1, &sums);
        }
        grouped
    }

    fn rates(grouped: &Grouped) -> Rates<'_> {
        Rates {
            estimator: Estimator::new(grouped, trials::BLOCKS + 1, false),
            terms: vec![vec![(0, 2)], vec![(1, 2)]],
            options: vec!["a".to_owned(), "b".to_owned()],
            things: grouped.blocks() as f64,
            held: Held::new(grouped.blocks(), grouped.blocks()),
            margin: 0.01,
            closed: None,
        }
    }

    #[test]
    fn blocks_that_settle_a_difference_follow_from_its_whole_half_width() {
        // a wins 8 of 12, b 4 of 12: the lower end of the difference is below 0.
        let blocks: Vec<[u64; 2]> = (0..12).map(|at| [[1, 0], [1, 1], [0, 0]][at % 3]).collect();
        let grouped = grouped(&blocks);
        let judged = rates(&grouped).largest_difference().unwrap();
        let se = judged.effect.se.unwrap();
        let half = verdict::bonferroni_t(11.0, 1, 0.05) * se;
        assert!((judged.effect.value - 1.0 / 3.0).abs() < 1e-12 && half > 1.0 / 3.0);
        assert!(judged.effect.interval.unwrap().0.abs() < 1e-12);
        let ratio = half / (1.0 / 3.0 - 0.01);
        let Verdict::Undecided(Outlook::Outside(more)) = judged.judgement.verdict else {
            panic!("{judged:?}");
        };
        assert!((more - 12.0 * (ratio * ratio - 1.0)).abs() < 1e-9, "{more}");
    }

    #[test]
    fn a_pair_that_all_blocks_are_alike_for_is_not_certain() {
        // a always wins, b never does, c wins one of three.
        let mut grouped = Grouped::new(trials::BLOCKS + 5);
        for chunk in 0..3 {
            let mut sums = vec![0; trials::BLOCKS + 1];
            sums[trials::BLOCKS] = 1;
            sums.extend([1, 0, u64::from(chunk == 0), 1]);
            grouped.add(chunk, 1, &sums);
        }
        let terms = (0..3).map(|option| vec![(option, 3)]).collect();
        let options = ["a", "b", "c"].map(str::to_owned).to_vec();
        let judged = Rates { terms, options, ..rates(&grouped) }.largest_difference().unwrap();
        let (lo, hi) = judged.effect.interval.unwrap();
        assert!(judged.effect.value > 0.999 && lo < 0.3 && hi >= 1.0, "{judged:?}");
        assert!(matches!(judged.judgement.verdict, Verdict::Undecided(_)), "{judged:?}");
    }

    #[test]
    fn too_few_blocks_tell_nothing_and_have_no_interval_of_a_verdict() {
        // Two blocks have one degree of freedom; where nobody ever wins, nothing varies.
        for blocks in [&[[1, 0], [0, 0]][..], &[[1, 0], [1, 0]], &[[1, 0]], &[[0, 0]; 9]] {
            let grouped = grouped(blocks);
            let rates = rates(&grouped);
            let judged = rates.judged_effects(2).into_iter().chain(rates.largest_difference());
            for of in judged {
                let few = Judgement::too_few(0.01);
                assert_eq!(of.judgement, few, "{blocks:?}");
                let cells = few.comparison().cells();
                assert_eq!(cells[2..], ["undecided: too few blocks to tell", "", "", ""]);
            }
        }
    }
}
