//! The tables of `reliability`: scores of each judge, judges compared on the same positions, and chances against
//! results by bins.
//!
//! A judge's chances raised to a power and made to sum to 1 again are what the judge would say with other certainty: a
//! power below 1 brings them closer together. The power that loses least is what D. Cox ("Two further applications of a
//! model for binary regression", 1958) calls the slope, for several seats; it is 1 over the temperature of C. Guo,
//! G. Pleiss, Y. Sun and K. Weinberger ("On calibration of modern neural networks", 2017). Losses are summed at 17
//! powers, and the lowest is found on the parabola through the least of them and its neighbours.

use crate::lab::questions::studies::estimator::{Compared, Estimator, SectionSums, adjusted};
use crate::lab::report::described::{TableSchema, text};
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{COMPARISON, Row, Table};
use crate::sim::counts::reliability::{
    AS_THEY_ARE, EDGES, EXPONENTS, ONE, PHASES, ReliabilityCount, exponent,
};
use crate::stats::held::Held;
use crate::stats::jackknife::Estimate;

const PHASE: &str = "quarter of the match, from 1, by the leader's points; empty: all of it";

/// Judges by their scores.
pub const SCORES: TableSchema = TableSchema {
    name: "scores",
    keys: &[text("judge", "who judges"), text("phase", PHASE)],
    more: &[],
    metrics: &[
        Metric::number(
            "log_loss",
            "mean of −ln of the chance that the winner was given, in nats; a chance below a millionth counts as one",
        ),
        Metric::number(
            "log_loss_fitted",
            "the same with all chances raised to the exponent that fits best",
        ),
        Metric::number(
            "exponent",
            "that exponent: below 1 for a judge that is too sure, above 1 for one that is not sure enough",
        ),
        Metric::number(
            "brier",
            "mean over positions of the sum over seats of the squared difference of chance and result, 0 to 2",
        ),
        Metric::difference(
            "overconfidence",
            "mean of chance minus result where the chance is above an even share, of result minus chance elsewhere; 0 for a judge that is right about its certainty",
        ),
        Metric::number(
            "calibration_error",
            "mean over chances of the difference of their bin's mean chance and win rate, without sign; noise adds to it, so it is above 0 for any judge, and it has no interval",
        ),
    ],
};

/// Judges against each other.
pub const JUDGES: TableSchema = TableSchema {
    name: "judges",
    keys: &[
        text("judge", "who judges"),
        text("against", "another judge of the same positions"),
        text("phase", PHASE),
    ],
    more: &COMPARISON,
    metrics: &[
        Metric::number(
            "log_loss_difference",
            "log loss of the judge minus that of the other; below 0 if it is better",
        ),
        Metric::number("brier_difference", "the same of the Brier score"),
    ],
};

/// Chances against results.
pub const RELIABILITY: TableSchema = TableSchema {
    name: "reliability",
    keys: &[
        text("judge", "who judges"),
        text("phase", PHASE),
        text("chance_from", "least chance of the bin, in per cent"),
        text("chance_to", "chance that is above the bin, in per cent; 100 is in the last bin"),
    ],
    more: &[],
    metrics: &[
        Metric::share("win_rate_predicted", "mean chance to win that the judge gave"),
        Metric::share("win_rate", "share of those seats that won"),
        Metric::difference(
            "win_rate_missed",
            "win rate minus the mean chance: above 0 if the judge said too little",
        ),
    ],
};

/// What the tables are made of.
pub struct Sources<'a> {
    /// The sums.
    pub estimator: Estimator<'a>,
    /// Where they lie.
    pub count: ReliabilityCount,
    /// The judges' names.
    pub judges: &'a [String],
}

/// All tables; that of judges against each other only if there are several.
pub fn tables(sources: &Sources<'_>) -> Vec<Table> {
    let blocks = sources.estimator.grouped.blocks();
    let mut tables = vec![SCORES.table(blocks, sources.scores())];
    if sources.judges.len() > 1 {
        tables.push(JUDGES.table(blocks, sources.differences()));
    }
    tables.push(RELIABILITY.table(blocks, sources.bins()));
    tables
}

/// A phase as a key.
fn name_of(phase: usize) -> String {
    if phase == 0 { String::new() } else { phase.to_string() }
}

/// Groups of blocks that must hold wins of seats whose chance was below an even share, for scores to have intervals.
/// Where the better agent hardly ever loses, the few matches that it loses make most of a score: in runs that had seen
/// none, the interval of a Brier score held that of a long run in 15 of 100. Groups that must carry the win rate of a bin,
/// which many positions of a handful of matches may make: with fewer, it held in 53 to 78 of 100.
const UPSETS_LEAST: f64 = 10.0;

/// Groups of blocks that must have chances in a bin, for their mean to have an interval.
const BIN_LEAST: f64 = 8.0;

/// A sum of millionths over things, by the counters of both.
fn mean(sums: SectionSums<'_>, above: usize, below: usize) -> Option<f64> {
    sums.ratio(above, below).map(|mean| mean / f64::from(ONE))
}

impl Sources<'_> {
    fn scores(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (judge, name) in self.judges.iter().enumerate() {
            for phase in 0..=PHASES {
                let keys = vec![name.clone(), name_of(phase)];
                self.scores_of(judge, phase, &keys, &mut rows);
            }
        }
        rows
    }

    fn scores_of(&self, judge: usize, phase: usize, keys: &[String], rows: &mut Vec<Row>) {
        let (estimator, at) = (self.estimator, self.count.phase(judge, phase));
        let mut row = |metric, [counter, blocks]: [usize; 2], estimate| {
            let (n, blocks) = (estimator.sum(at + counter), estimator.sum(at + blocks));
            rows.push(Row::new(keys.to_vec(), metric, estimate, blocks, n));
        };
        let decided = [ReliabilityCount::DECIDED, ReliabilityCount::DECIDED_BLOCKS];
        let all = [ReliabilityCount::POSITIONS, ReliabilityCount::BLOCKS];
        let known = self.has_upsets(judge, phase);
        let judged = |estimate: Option<Estimate>| {
            estimate.map(|estimate| if known { estimate } else { estimate.bare() })
        };
        let log_loss = |sums: SectionSums<'_>| loss(sums, at, AS_THEY_ARE);
        row("log_loss", decided, judged(estimator.average(log_loss)));
        // Groups of easy positions have no fit alone, so it is no mean over groups.
        let fitted = estimator.positive(|sums| fit(sums, at).map(|(_, loss)| loss));
        row("log_loss_fitted", decided, judged(fitted));
        let best = estimator.positive(|sums| fit(sums, at).map(|(exponent, _)| exponent));
        let best = judged(best);
        let some = estimator.sum(at + ReliabilityCount::DECIDED) > 0;
        let best = best.or_else(|| some.then(Estimate::no_maximum));
        row("exponent", decided, best);
        let brier = at + ReliabilityCount::BRIER;
        let positions = at + ReliabilityCount::POSITIONS;
        row("brier", all, judged(estimator.average(|sums| mean(sums, brier, positions))));
        let over = estimator.mean(|sums| self.overconfidence(sums, judge, phase));
        row("overconfidence", all, judged(over));
        // Noise adds to each bin's difference without sign, so an interval around the sum lies too high: it
        // held the value of a long run 86 times in 100.
        let error = estimator.mean(|sums| self.calibration_error(sums, judge, phase));
        let error = error.map(Estimate::bare);
        row("calibration_error", all, error);
    }

    /// Whether enough groups of blocks hold wins of seats whose chance a judge put below an even share.
    fn has_upsets(&self, judge: usize, phase: usize) -> bool {
        let at = self.count.bin(judge, phase, ReliabilityCount::BELOW);
        let [wins, chances] =
            [ReliabilityCount::WINS, ReliabilityCount::CHANCES].map(|counter| at + counter);
        self.estimator.carried(|sums| sums.ratio(wins, chances)) >= UPSETS_LEAST
    }

    fn differences(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (judge, name) in self.judges.iter().enumerate() {
            for (other, against) in self.judges.iter().enumerate().take(judge) {
                for phase in 0..=PHASES {
                    let keys = [name.clone(), against.clone(), name_of(phase)];
                    rows.extend(self.difference(judge, other, phase, &keys));
                }
            }
        }
        adjusted(rows)
    }

    /// Both judge the same positions, so what they have in common is in both and falls out.
    fn difference(
        &self,
        judge: usize,
        other: usize,
        phase: usize,
        keys: &[String],
    ) -> [Compared; 2] {
        let estimator = self.estimator;
        let [own, its] = [judge, other].map(|judge| self.count.phase(judge, phase));
        let row = |metric, [counter, blocks]: [usize; 2], estimate: Option<Estimate>| {
            let (n, blocks) = (estimator.sum(own + counter), estimator.sum(own + blocks));
            let p_value = estimator.p_value(estimate.as_ref());
            let row = Row::new(keys.to_vec(), metric, estimate, blocks, n);
            Compared { row, p_value, judgement: None }
        };
        let known = self.has_upsets(judge, phase) && self.has_upsets(other, phase);
        let less = |of: &dyn Fn(SectionSums<'_>, usize) -> Option<f64>| {
            let estimate = estimator.mean(|sums| Some(of(sums, own)? - of(sums, its)?))?;
            Some(if known { estimate } else { estimate.bare() })
        };
        let loss = less(&|sums, at| loss(sums, at, AS_THEY_ARE));
        let brier = less(&|sums, at| {
            mean(sums, at + ReliabilityCount::BRIER, at + ReliabilityCount::POSITIONS)
        });
        [
            row(
                "log_loss_difference",
                [ReliabilityCount::DECIDED, ReliabilityCount::DECIDED_BLOCKS],
                loss,
            ),
            row("brier_difference", [ReliabilityCount::POSITIONS, ReliabilityCount::BLOCKS], brier),
        ]
    }

    fn bins(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (judge, name) in self.judges.iter().enumerate() {
            for phase in 0..=PHASES {
                for (bin, from) in EDGES.iter().enumerate() {
                    let to = EDGES.get(bin + 1).copied().unwrap_or(100);
                    let keys = [name.clone(), name_of(phase), from.to_string(), to.to_string()];
                    rows.extend(self.bin(self.count.bin(judge, phase, bin), &keys));
                }
            }
        }
        rows
    }

    /// The rows of a bin whose counters begin at `at`.
    fn bin(&self, at: usize, keys: &[String]) -> [Row; 3] {
        let estimator = self.estimator;
        let chances = at + ReliabilityCount::CHANCES;
        let n = estimator.sum(chances);
        let blocks = estimator.sum(at + ReliabilityCount::CHANCE_BLOCKS);
        let said = |sums: SectionSums<'_>| mean(sums, at + ReliabilityCount::SUM, chances);
        let won = |sums: SectionSums<'_>| sums.ratio(at + ReliabilityCount::WINS, chances);
        let row = |metric, estimate| Row::new(keys.to_vec(), metric, estimate, blocks, n);
        let held = Held::new(n, blocks);
        let if_known = |is_known: bool, estimate: Option<Estimate>| {
            estimate.map(|estimate| if is_known { estimate } else { estimate.bare() })
        };
        let has_wins = estimator.carried(won) >= UPSETS_LEAST;
        let has_chances = estimator.carried(said) >= BIN_LEAST;
        [
            row("win_rate_predicted", if_known(has_chances, estimator.average(said))),
            row("win_rate", if_known(has_wins, estimator.share_among(won, held))),
            row("win_rate_missed", if_known(has_wins, estimator.share_difference(won, said, held))),
        ]
    }

    /// Mean of chance minus result above an even share, and of result minus chance elsewhere.
    fn overconfidence(&self, sums: SectionSums<'_>, judge: usize, phase: usize) -> Option<f64> {
        let [below, above] = [ReliabilityCount::BELOW, ReliabilityCount::ABOVE]
            .map(|bin| self.excess(sums, judge, phase, bin));
        let ((below, few), (above, many)) = (below, above);
        let chances = few + many;
        (chances > 0.0).then(|| (above - below) / chances)
    }

    /// Mean over chances of the difference of their bin's mean chance and win rate.
    fn calibration_error(&self, sums: SectionSums<'_>, judge: usize, phase: usize) -> Option<f64> {
        let (mut error, mut all) = (0.0, 0.0);
        for bin in 0..EDGES.len() {
            let (excess, chances) = self.excess(sums, judge, phase, bin);
            error += excess.abs();
            all += chances;
        }
        (all > 0.0).then(|| error / all)
    }

    /// What a bin's chances sum up to above its wins, and how many they are.
    fn excess(&self, sums: SectionSums<'_>, judge: usize, phase: usize, bin: usize) -> (f64, f64) {
        let at = self.count.bin(judge, phase, bin);
        let said = sums.get(at + ReliabilityCount::SUM) / f64::from(ONE);
        let won = sums.get(at + ReliabilityCount::WINS);
        (said - won, sums.get(at + ReliabilityCount::CHANCES))
    }
}

/// The mean loss at an exponent, in nats.
fn loss(sums: SectionSums<'_>, at: usize, place: usize) -> Option<f64> {
    mean(sums, at + ReliabilityCount::LOSSES + place, at + ReliabilityCount::DECIDED)
}

/// The exponent that loses least, and that loss; nothing if it lies at an end of the range.
fn fit(sums: SectionSums<'_>, at: usize) -> Option<(f64, f64)> {
    let losses: Option<Vec<f64>> = (0..EXPONENTS).map(|place| loss(sums, at, place)).collect();
    lowest(&losses?)
}

/// Where losses at places in even steps are lowest, by the parabola through the least and its neighbours.
fn lowest(losses: &[f64]) -> Option<(f64, f64)> {
    let least = (0..losses.len()).min_by(|&a, &b| losses[a].total_cmp(&losses[b]))?;
    let before = losses.get(least.checked_sub(1)?)?;
    let (own, after) = (losses[least], losses.get(least + 1)?);
    let (slope, bend) = ((after - before) / 2.0, before - 2.0 * own + after);
    let step = if bend > 0.0 { -slope / bend } else { 0.0 };
    Some((exponent(least as f64 + step), own + slope * step / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_loss_of_a_parabola_is_found() {
        // 0.3 (x − 8.3)² + 0.9 in places, so exponent 2^(0.3 / 4).
        let losses: Vec<f64> =
            (0..EXPONENTS).map(|place| 0.3 * (place as f64 - 8.3).powi(2) + 0.9).collect();
        let (exponent, loss) = lowest(&losses).unwrap();
        assert!((exponent - 2_f64.powf(0.3 / 4.0)).abs() < 1e-12, "{exponent}");
        assert!((loss - 0.9).abs() < 1e-12, "{loss}");
        let falling: Vec<f64> = (0..EXPONENTS).map(|place| -(place as f64)).collect();
        assert_eq!(lowest(&falling), None);
        assert_eq!(lowest(&[1.0; EXPONENTS]), None);
    }
}
