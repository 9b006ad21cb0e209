//! The tables of founding places, and of pairs of them.

use crate::core::measure::maps::{MapFacts, PlaceFacts};
use crate::lab::questions::studies::estimator::{ALPHA, SectionSums};
use crate::lab::questions::studies::map::tables::{
    JOINT, Sources, ends, family, joint_ends, row, shared_alpha,
};
use crate::lab::report::described::{TableSchema, integer, text};
use crate::lab::report::format::number;
use crate::lab::report::metric::Metric;
use crate::lab::report::table::{Column, More, Row, Table};
use crate::sim::counts::founded::FoundedCount;
use crate::stats::held::Held;
use crate::stats::jackknife::Estimate;
use std::cmp::Reverse;

const fn column(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: "number", about }
}

/// Single places.
pub const PLACES: TableSchema = TableSchema {
    name: "places",
    keys: &[integer("place", "the vertex, as actions name it")],
    more: &[
        text("hexes", "the hexes around it"),
        text("harbour", "what its harbour takes; empty if it has none"),
        column("pips", "of 36 rolls those that bring something there, hex by hex"),
        column("pips_rank", "its place by pips, the most first; equals share the mean"),
        column("rank", "its place by worth, the best first"),
        column("rank_lo", "the best rank that the joint intervals leave it"),
        column("rank_hi", "the worst rank that they leave it"),
        JOINT[0],
        JOINT[1],
    ],
    metrics: &[
        Metric::difference(
            "worth",
            "win rate of the first founder made to take it, minus the mean over all places",
        ),
        Metric::share("win_rate", "win rate of the first founder made to take it"),
        Metric::share("wanted_share", "share of blocks in which it would have taken it"),
    ],
};

/// Pairs of places.
pub const PAIRS: TableSchema = TableSchema {
    name: "pairs",
    keys: &[
        integer("first", "the vertex of the first settlement"),
        integer("second", "the vertex of the second"),
    ],
    more: &[
        text("hexes", "the hexes around both"),
        column("pips", "of 36 rolls those that bring something to either, hex by hex"),
        JOINT[0],
        JOINT[1],
    ],
    metrics: &[
        Metric::difference(
            "worth",
            "win rate of the first founder made to take both, where the others leave the second to it, minus the mean over \
             all first places",
        ),
        Metric::share("win_rate", "the win rate there"),
        Metric::share(
            "open_share",
            "share of blocks in which the others leave the second place to it",
        ),
    ],
};

/// Places of the columns behind the estimate of [`PLACES`].
pub const HEXES: usize = 0;
/// What its harbour takes.
pub const HARBOUR: usize = 1;
/// Its pips.
pub const PIPS: usize = 2;
/// Its place by pips.
pub const PIPS_RANK: usize = 3;
/// Its place by worth.
pub const RANK: usize = 4;
/// The ranks that intervals leave it.
pub const RANKS: [usize; 2] = [5, 6];
/// The ends of its joint interval.
pub const ENDS: [usize; 2] = [7, 8];

/// Places by their pips, the most first: equals share the mean of their places.
fn ranks(pips: &[u16]) -> Vec<f64> {
    let rank = |own: &u16| {
        let above = pips.iter().filter(|other| *other > own).count() as f64;
        let equal = pips.iter().filter(|other| *other == own).count() as f64;
        above + f64::midpoint(equal, 1.0)
    };
    pips.iter().map(rank).collect()
}

impl Sources<'_> {
    fn place(&self, number: u8) -> Option<&PlaceFacts> {
        self.map.places.iter().find(|place| place.number == number)
    }

    /// Single places, the best first.
    pub fn places(&self) -> Table {
        let blocks = self.blocks();
        let places = &self.study.places;
        let worth: Vec<Row> = places
            .iter()
            .enumerate()
            .map(|(number, place)| {
                let worth = self.worth(number, blocks, ALPHA);
                row(&[&place.to_string()], "worth", worth, blocks, blocks)
            })
            .collect();
        let order = self.order(&worth);
        let described = self.described(&worth, &order);
        let mut rows = Vec::new();
        for &at in &order {
            let key = places[at].to_string();
            let held = Held::new(blocks, blocks);
            let rate = self.estimator.share_among(self.rate(at), held);
            let wanted = self.count.wanted(places[at].into());
            let wanted = |sums: SectionSums<'_>| Some(sums.get(wanted) / sums.blocks());
            let wanted = self.estimator.share_among(wanted, held);
            rows.push(worth[at].clone());
            rows.push(row(&[&key], "win_rate", rate, blocks, blocks));
            rows.push(row(&[&key], "wanted_share", wanted, blocks, blocks));
        }
        let families: Vec<usize> = rows.iter().map(|row| family(&rows, row.metric)).collect();
        let fill = |(at, row): (usize, Row)| {
            let mut cells = described[order[at / 3]].clone();
            if row.metric != "worth" {
                cells.truncate(ENDS[0]);
                cells.extend(joint_ends(&row, families[at]));
            }
            Row { more: More::Cells(cells), ..row }
        };
        PLACES.table(blocks, rows.into_iter().enumerate().map(fill).collect())
    }

    /// What a place is worth among all of them, where it has an interval of its own.
    fn joint_worth(&self, row: &Row, number: usize, n: u64, family: usize) -> Option<Estimate> {
        row.estimate.and_then(|of| of.interval)?;
        self.worth(number, n, shared_alpha(family))
    }

    /// The places by worth, the best first; of equals that with the lower number.
    fn order(&self, worth: &[Row]) -> Vec<usize> {
        let value = |at: usize| worth[at].estimate.map_or(f64::NEG_INFINITY, |of| of.value);
        let places = &self.study.places;
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)).then(places[a].cmp(&places[b])));
        order
    }

    /// The further columns of each place.
    fn described(&self, worth: &[Row], order: &[usize]) -> Vec<Vec<String>> {
        let family = family(worth, "worth");
        let places: Vec<Option<&PlaceFacts>> =
            self.study.places.iter().map(|&place| self.place(place)).collect();
        let pips: Vec<u16> =
            places.iter().map(|place| place.map_or(0, |of| of.pips.into())).collect();
        let by_pips = ranks(&pips);
        let joint: Vec<Option<Estimate>> = worth
            .iter()
            .enumerate()
            .map(|(number, row)| self.joint_worth(row, number, self.blocks(), family))
            .collect();
        let left = |at: usize| {
            let ends: Vec<_> = joint.iter().map(|of| of.and_then(|of| of.interval)).collect();
            left(&ends, at)
        };
        let cells = |at: usize| {
            let (best, worst) = left(at).unzip();
            let hexes = places[at].map_or(String::new(), |place| self.map.hexes_of(place));
            let harbour = places[at].and_then(|place| place.harbour);
            let harbour = harbour.map_or("", |harbour| self.map.harbours[harbour].kind);
            let rank = order.iter().position(|&other| other == at).map(|rank| 1.0 + rank as f64);
            let numbers = [Some(pips[at].into()), Some(by_pips[at]), rank, best, worst];
            let mut cells = vec![hexes, harbour.to_owned()];
            cells.extend(numbers.map(number));
            cells.extend(ends(joint[at]));
            cells
        };
        (0..worth.len()).map(cells).collect()
    }

    /// Pairs, in the order in which they were asked for.
    pub fn pairs(&self) -> Table {
        let blocks = self.blocks();
        let (mut rows, mut cells) = (Vec::new(), Vec::new());
        for (number, [first, second]) in self.study.pairs.iter().enumerate() {
            let number = self.count.places + number;
            let at = self.count.forced(number);
            let [played, closed] = [FoundedCount::PLAYED, FoundedCount::CLOSED].map(|of| at + of);
            let n = self.estimator.sum(played);
            let keys = [first.to_string(), second.to_string()];
            let keys = [keys[0].as_str(), keys[1].as_str()];
            let worth = self.pair_worth(number, n);
            rows.push(row(&keys, "worth", worth, n, n));
            let rate = self.estimator.share_among(self.rate(number), Held::new(n, n));
            rows.push(row(&keys, "win_rate", rate, n, n));
            let open = |sums: SectionSums<'_>| {
                let all = sums.get(played) + sums.get(closed);
                (all > 0.0).then(|| sums.get(played) / all)
            };
            rows.push(row(
                &keys,
                "open_share",
                self.estimator.share_among(open, Held::new(blocks, blocks)),
                blocks,
                blocks,
            ));
            let both: Vec<&PlaceFacts> =
                [*first, *second].into_iter().filter_map(|place| self.place(place)).collect();
            let hexes: Vec<String> = both.iter().map(|place| self.map.hexes_of(place)).collect();
            let pips: u16 = both.iter().map(|place| u16::from(place.pips)).sum();
            cells.push(vec![hexes.join(" + "), pips.to_string()]);
        }
        let families: Vec<usize> = rows.iter().map(|row| family(&rows, row.metric)).collect();
        let fill = |(at, row): (usize, Row)| {
            let ends = if row.metric == "worth" {
                let number = self.count.places + at / 3;
                ends(self.joint_worth(&row, number, row.n, families[at]))
            } else {
                joint_ends(&row, families[at])
            };
            let cells = cells[at / 3].iter().cloned().chain(ends).collect();
            Row { more: More::Cells(cells), ..row }
        };
        PAIRS.table(blocks, rows.into_iter().enumerate().map(fill).collect())
    }

    /// What a pair is worth; without an interval where the second place is mostly closed, since the blocks in which it is
    /// open may be others in more than that.
    fn pair_worth(&self, number: usize, open: u64) -> Option<Estimate> {
        let worth = self.worth(number, open, ALPHA)?;
        let mostly = 20 * open >= 19 * self.blocks();
        Some(if mostly { worth } else { worth.bare() })
    }
}

/// The best and the worst rank that intervals leave to one of some values.
fn left(ends: &[Option<(f64, f64)>], at: usize) -> Option<(f64, f64)> {
    let (lo, hi) = ends[at]?;
    let others = || ends.iter().enumerate().filter(move |(other, _)| *other != at);
    let above = others().filter(|(_, ends)| ends.is_some_and(|ends| ends.0 > hi)).count();
    let below = others().filter(|(_, ends)| ends.is_some_and(|ends| ends.1 < lo)).count();
    Some((1.0 + above as f64, (ends.len() - below) as f64))
}

/// The places of a map by pips, the best first.
pub fn by_pips(map: &MapFacts) -> Vec<u8> {
    let mut best: Vec<&PlaceFacts> = map.open().collect();
    best.sort_by_key(|place| (Reverse(place.pips), place.number));
    best.into_iter().map(|place| place.number).collect()
}
