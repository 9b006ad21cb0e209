//! The tables of `map judge`, but for those of places.

use crate::core::measure::maps::MapFacts;
use crate::core::types::seat::Seat;
use crate::lab::questions::studies::estimator::{ALPHA, Estimator, SectionSums};
use crate::lab::questions::studies::joint::joint;
use crate::lab::questions::studies::map::settings::MapJudge;
use crate::lab::report::described::{TableSchema, integer, text};
use crate::lab::report::format::number;
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{Column, More, Row, Table};
use crate::sim::counts::founded::FoundedCount;
use crate::stats::held::Held;
use crate::stats::jackknife::{Estimate, Method};

/// Ends of intervals that hold together.
pub const JOINT: [Column; 2] = [
    Column {
        name: "joint_lo",
        kind: "number",
        about: "lower end of the interval that holds together with those of all other rows of this metric",
    },
    Column { name: "joint_hi", kind: "number", about: "upper end of that interval" },
];

/// Shares of seats.
pub const SEATS: TableSchema = TableSchema {
    name: "map_seats",
    keys: &[integer("seat", "place in turn order, from 1; seat 1 founds first")],
    more: &JOINT,
    metrics: &[
        Metric::share("share", "share of matches with a winner that the seat wins"),
        Metric::difference("advantage", "that share minus 1/players"),
    ],
};

/// Harbours.
pub const HARBOURS: TableSchema = TableSchema {
    name: "harbours",
    keys: &[
        text("harbour", "the hex and the side of it where it lies"),
        text("kind", "the resource that it takes 2 of, or any: 3 of a kind"),
    ],
    more: &JOINT,
    metrics: &[
        Metric::difference(
            "worth",
            "win rate of the first founder made to found at it, minus the same without it; mean over its vertices",
        ),
        Metric::share("win_rate", "win rate of the first founder made to found at it"),
    ],
};

/// How much the map decides.
pub const SPREAD: TableSchema = TableSchema {
    name: "map_spread",
    keys: &[text("of", "seats, or places of the first founder")],
    more: &[],
    metrics: &[
        Metric::difference(
            "spread",
            "standard deviation of win rates over seats or over places, without what chance adds to it",
        ),
        Metric::share(
            "decided_share",
            "share of the variance of who wins that it is, were places drawn at random",
        ),
        Metric::share("pips_share", "share of the variance over places that their pips explain"),
    ],
};

/// The fewest blocks with which the share of pips has an interval: it divides by a variance that is next to nothing in
/// smaller runs. With 6, 12 and 24 blocks of CATAN for two 91, 89 and 92 of 100 intervals held it.
const PIPS_BLOCKS: u64 = 30;

/// What the tables are made from.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The settings.
    pub study: &'a MapJudge,
    /// The map.
    pub map: &'a MapFacts,
    /// The sums.
    pub estimator: Estimator<'a>,
    /// Where they lie.
    pub count: FoundedCount,
}

/// A row without further columns.
pub fn row(keys: &[&str], metric: &'static str, of: Option<Estimate>, n: u64, blocks: u64) -> Row {
    let keys = keys.iter().map(|&key| key.to_owned()).collect();
    Row::new(keys, metric, of, blocks, n)
}

/// The ends of the interval that a row has among those of a family, as cells.
pub fn joint_ends(row: &Row, family: usize) -> [String; 2] {
    ends(joint(row, family))
}

/// How many rows of a metric have an interval.
pub fn family(rows: &[Row], metric: &str) -> usize {
    let is_of = |row: &&Row| {
        row.metric == metric && row.estimate.is_some_and(|found| found.interval.is_some())
    };
    rows.iter().filter(is_of).count()
}

/// The level of one of some intervals that hold together, as what is missing to 1.
pub fn shared_alpha(family: usize) -> f64 {
    ALPHA / family.max(1) as f64
}

/// The ends of an interval, as cells.
pub fn ends(of: Option<Estimate>) -> [String; 2] {
    let (lo, hi) = of.and_then(|of| of.interval).unzip();
    [number(lo), number(hi)]
}

/// The rows with the ends of their joint intervals as only further columns.
fn with_joint(rows: Vec<Row>) -> Vec<Row> {
    let families: Vec<usize> = rows.iter().map(|row| family(&rows, row.metric)).collect();
    let fill = |(row, family): (Row, usize)| {
        let cells = joint_ends(&row, family).to_vec();
        Row { more: More::Cells(cells), ..row }
    };
    rows.into_iter().zip(families).map(fill).collect()
}

/// A function of an estimate of what is never negative, which grows with it: so do the ends of its interval. One that
/// lies wholly below 0 says nothing.
fn transformed(of: &Estimate, function: impl Fn(f64) -> f64) -> Estimate {
    let interval = of.interval.filter(|&(_, hi)| hi > 0.0);
    let interval = interval.map(|(lo, hi)| (function(lo), function(hi)));
    let method = if interval.is_some() { Method::Transformed } else { Method::TooFew };
    Estimate { value: function(of.value), se: None, interval, method }
}

impl Sources<'_> {
    /// Blocks.
    pub fn blocks(&self) -> u64 {
        self.estimator.grouped.blocks()
    }

    /// The founder's win rate in a match with a forced founding, by its number.
    pub fn rate(&self, number: usize) -> impl Fn(SectionSums<'_>) -> Option<f64> + use<> {
        let at = self.count.forced(number);
        move |sums| sums.ratio(at + FoundedCount::FOUNDER_WON, at + FoundedCount::PLAYED)
    }

    /// The founder's mean win rate over all single places.
    pub fn mean_rate(&self) -> impl Fn(SectionSums<'_>) -> Option<f64> + use<> {
        let (count, places) = (self.count, self.count.places);
        move |sums| {
            let all = |counter: usize| -> f64 {
                (0..places).map(|number| sums.get(count.forced(number) + counter)).sum()
            };
            let played = all(FoundedCount::PLAYED);
            (played > 0.0).then(|| all(FoundedCount::FOUNDER_WON) / played)
        }
    }

    /// The win rate of a match with a forced founding, which was played `n` times, minus the mean over all single places:
    /// the interval of level 1 − `alpha` is made from those of both, since who never won varies by nothing.
    pub fn worth(&self, number: usize, n: u64, alpha: f64) -> Option<Estimate> {
        let (rate, mean) = (self.rate(number), self.mean_rate());
        let held = Held::new(n, n);
        self.estimator.share_difference_joint((rate, held), (mean, Held::EVERYWHERE), alpha)
    }

    /// Shares of seats where everybody founds as it likes.
    pub fn seats(&self) -> Table {
        let won = self.estimator.sum(FoundedCount::WON);
        let blocks = self.blocks();
        let even = 1.0 / self.count.players as f64;
        let mut rows = Vec::new();
        for seat in Seat::all(u8::try_from(self.count.players).unwrap_or(0)) {
            let wins = self.count.wins(seat.idx());
            let share = |sums: SectionSums<'_>| sums.ratio(wins, FoundedCount::WON);
            let share = self.estimator.share_among(share, Held::anywhere(won));
            rows.push(row(&[&seat.to_string()], "share", share, won, won.min(blocks)));
        }
        // An advantage is a share less a fixed number, and so are the ends of its intervals.
        let less_even = |row: Row| {
            let estimate = row.estimate.map(|share| share.scaled(1.0, -even));
            let end = |at: usize| number(row.own(at).parse::<f64>().ok().map(|end| end - even));
            let more = More::Cells(vec![end(0), end(1)]);
            [row.clone(), Row { metric: "advantage", estimate, more, ..row }]
        };
        SEATS.table(blocks, with_joint(rows).into_iter().flat_map(less_even).collect())
    }

    /// The mean win rate over some forced foundings.
    fn mean_of(&self, numbers: Vec<usize>) -> impl Fn(SectionSums<'_>) -> Option<f64> + use<> {
        let rates: Vec<_> = numbers.into_iter().map(|number| self.rate(number)).collect();
        move |sums| {
            let all: Option<Vec<f64>> = rates.iter().map(|rate| rate(sums)).collect();
            let all = all.filter(|all| !all.is_empty())?;
            Some(all.iter().sum::<f64>() / all.len() as f64)
        }
    }

    /// Harbours: each with its places, minus the same without it.
    pub fn harbours(&self) -> Table {
        let mut rows = Vec::new();
        let mut numbers = Vec::new();
        let mut number = self.count.places + self.study.pairs.len();
        for harbour in &self.study.harbours {
            let place = |place: &u8| self.study.places.iter().position(|known| known == place);
            let with: Vec<usize> = harbour.places.iter().filter_map(place).collect();
            let without: Vec<usize> = (number..number + harbour.places.len()).collect();
            number += harbour.places.len();
            let keys = [harbour.name.as_str(), harbour.kind.as_str()];
            let n = self.blocks() * harbour.places.len() as u64;
            let rate = self.estimator.share_among(self.mean_of(with.clone()), Held::anywhere(n));
            let worth = self.harbour_worth(&with, &without, ALPHA);
            rows.push(row(&keys, "worth", worth, n, self.blocks()));
            rows.push(row(&keys, "win_rate", rate, n, self.blocks()));
            numbers.push((with, without));
        }
        let alpha = shared_alpha(family(&rows, "worth"));
        let mut rows = with_joint(rows);
        for (row, (with, without)) in rows.iter_mut().step_by(2).zip(numbers) {
            let joint = row.estimate.and_then(|of| of.interval);
            let joint = joint.and_then(|_| self.harbour_worth(&with, &without, alpha));
            row.more = More::Cells(ends(joint).to_vec());
        }
        HARBOURS.table(self.blocks(), rows)
    }

    fn harbour_worth(&self, with: &[usize], without: &[usize], alpha: f64) -> Option<Estimate> {
        let n = |numbers: &[usize]| self.blocks() * numbers.len() as u64;
        let of = |numbers: &[usize]| (self.mean_of(numbers.to_vec()), Held::anywhere(n(numbers)));
        self.estimator.share_difference_joint(of(with), of(without), alpha)
    }

    /// The variance of win rates over places without what chance adds to it. With S the wins of each place in B blocks,
    /// W the wins of all k places in a block and D the wins of a place less the mean of its block, the sum over places of
    /// (ΣD)² is expected to be B(B−1)k times the variance, and more by what ΣΣD² = Σ(W − W²/k) is.
    fn places_variance(&self) -> impl Fn(SectionSums<'_>) -> Option<f64> + use<> {
        let (count, places) = (self.count, self.count.places as f64);
        move |sums| {
            let wins: Vec<f64> = (0..count.places)
                .map(|number| sums.get(count.forced(number) + FoundedCount::FOUNDER_WON))
                .collect();
            let squared = sums.get(FoundedCount::PLACES_SQUARED);
            unbiased(&wins, squared, sums.blocks(), places)
        }
    }

    /// The same over seats, by the mean wins of a block's matches.
    fn seats_variance(&self) -> impl Fn(SectionSums<'_>) -> Option<f64> + use<> {
        let count = self.count;
        move |sums| {
            let (blocks, seats) = (sums.blocks(), count.players as f64);
            let won = sums.get(FoundedCount::WON);
            let apart = |seat: usize| sums.get(count.wins(seat)) - won / seats;
            let apart: f64 = (0..count.players).map(|seat| apart(seat) * apart(seat)).sum();
            let within =
                sums.get(FoundedCount::WINS_SQUARED) - sums.get(FoundedCount::WON_SQUARED) / seats;
            let free = won / blocks;
            (blocks > 1.0 && free > 0.0)
                .then(|| (apart - within) / (seats * blocks * (blocks - 1.0)) / (free * free))
        }
    }

    /// How much of the variance over places is that of their pips.
    fn pips_share(&self) -> Option<Estimate> {
        let pips: Vec<f64> = self
            .study
            .places
            .iter()
            .map(|&place| self.map.places.get(usize::from(place)).map_or(0.0, |of| of.pips.into()))
            .collect();
        let mean = pips.iter().sum::<f64>() / pips.len() as f64;
        let spread: f64 = pips.iter().map(|pips| (pips - mean) * (pips - mean)).sum();
        let (variance, count) = (self.places_variance(), self.count);
        let share = |sums: SectionSums<'_>| {
            let wins = |number: usize| sums.get(count.forced(number) + FoundedCount::FOUNDER_WON);
            let common: f64 =
                pips.iter().enumerate().map(|(at, pips)| (pips - mean) * wins(at)).sum();
            let common = common / sums.blocks();
            let variance = variance(sums).filter(|&variance| variance > 0.0)?;
            (spread > 0.0).then(|| common * common / spread / (variance * pips.len() as f64))
        };
        let share = self.estimator.mean(share).map(|of| transformed(&of, |of| of.clamp(0.0, 1.0)));
        let is_sure = self.estimator.grouped.blocks() >= PIPS_BLOCKS;
        share.map(|share| if is_sure { share } else { share.bare() })
    }

    /// How much the map decides.
    pub fn spread(&self) -> Table {
        let blocks = self.blocks();
        let n = blocks * self.count.places as u64;
        let won = self.estimator.sum(FoundedCount::WON);
        let root = |of: f64| libm::sqrt(of.max(0.0));
        let seats = self.estimator.mean(self.seats_variance());
        let places = self.estimator.mean(self.places_variance());
        let decided = {
            let (variance, mean) = (self.places_variance(), self.mean_rate());
            let share = |sums: SectionSums<'_>| {
                let mean = mean(sums)?;
                (0.0 < mean && mean < 1.0).then_some(variance(sums)? / (mean * (1.0 - mean)))
            };
            self.estimator.mean(share).map(|of| transformed(&of, |of| of.clamp(0.0, 1.0)))
        };
        let seats = seats.map(|of| transformed(&of, root));
        let places = places.map(|of| transformed(&of, root));
        let rows = vec![
            row(&["seats"], "spread", seats, won, blocks.min(won)),
            row(&["places"], "spread", places, n, blocks),
            row(&["places"], "decided_share", decided, n, blocks),
            row(&["places"], "pips_share", self.pips_share(), n, blocks),
        ];
        SPREAD.table(blocks, rows)
    }
}

/// The variance of win rates over some things of which each block has each once.
fn unbiased(wins: &[f64], squared: f64, blocks: f64, things: f64) -> Option<f64> {
    let all: f64 = wins.iter().sum();
    let apart: f64 = wins.iter().map(|wins| (wins - all / things) * (wins - all / things)).sum();
    let within = all - squared / things;
    (blocks > 1.0).then(|| (apart - within) / (things * blocks * (blocks - 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two places, of which one wins every block: their win rates 1 and 0 have the variance 1/4. Four blocks in which each
    /// wins half of the time, never together: nothing is left of what is seen.
    #[test]
    fn chance_is_taken_out_of_variances() {
        let whole = unbiased(&[10.0, 0.0], 10.0, 10.0, 2.0).unwrap();
        assert!((whole - 0.25).abs() < 1e-12, "{whole}");
        let mean: f64 = (0..16)
            .map(|wins: u32| {
                let first = f64::from(wins.count_ones());
                unbiased(&[first, 4.0 - first], 4.0, 4.0, 2.0).unwrap()
            })
            .sum();
        assert!(mean.abs() < 1e-12, "{mean}");
    }
}
